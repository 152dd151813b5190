// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/simulation/forming_server.h"

#include "estimators/simulation/replication.h"

namespace cw::simulation {

void FormingServer::submit(Replication& in, RequestId id) {
    m_waiting.push_back(id);
    if (m_batch.empty())
        consider(in);
}

/// The server is free: is it time for a batch?
void FormingServer::consider(Replication& in) {
    if (m_waiting.empty())
        return;
    const double closes = in.request(m_waiting.front()).came + m_model.delay;
    if (static_cast<int>(m_waiting.size()) >= m_model.limit || closes <= in.now()) {
        start(in);
    } else if (!m_timed) {
        m_timed = true;
        in.schedule(m_target, closes, ++m_timer);
    }
}

void FormingServer::start(Replication& in) {
    m_timed = false;
    ++m_timer; // one that runs means an older batch
    const std::size_t items = std::min(m_waiting.size(), static_cast<std::size_t>(std::max(1, m_model.limit)));
    for (std::size_t i = 0; i < items; ++i) {
        Request& request = in.request(m_waiting.front());
        request.waited += in.now() - request.came;
        m_batch.push_back(m_waiting.front());
        m_waiting.pop_front();
    }
    m_started = in.now();
    ++use.steps;
    in.schedule(m_target, in.now() + m_model.time.seconds(static_cast<double>(items)), batchDone);
}

void FormingServer::fire(Replication& in, std::uint32_t token) {
    if (token != batchDone) {
        if (token == m_timer && m_timed && m_batch.empty()) {
            m_timed = false;
            start(in);
        }
        return;
    }
    const double took = in.now() - m_started;
    use.busy += took;
    use.batchTime += took * static_cast<double>(m_batch.size());
    in.sawBatch(m_target, took, static_cast<double>(m_batch.size()));
    std::vector<RequestId> batch;
    batch.swap(m_batch);
    consider(in);
    for (const RequestId id : batch)
        in.done(id);
}

double FormingServer::backlog(const Replication&) const { return static_cast<double>(m_waiting.size() + m_batch.size()); }

std::vector<RequestId> FormingServer::abandon(const std::vector<std::uint32_t>&) {
    std::vector<RequestId> all = m_batch;
    all.insert(all.end(), m_waiting.begin(), m_waiting.end());
    m_batch.clear();
    m_waiting.clear();
    m_timed = false;
    ++m_timer;
    return all;
}

} // namespace cw::simulation
