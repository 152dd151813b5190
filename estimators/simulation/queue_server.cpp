// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/simulation/queue_server.h"

#include "estimators/simulation/replication.h"

namespace cw::simulation {

/// Work left falls with every server that is busy.
void QueueServer::work(double now) {
    const double done = (now - m_workAt) * m_busy;
    m_work -= done;
    use.busy += done;
    m_workAt = now;
}

void QueueServer::submit(Replication& in, RequestId id) {
    Request& request = in.request(id);
    Draws draws = in.draws(request);
    double service = m_model.service.sample(draws);
    if (m_model.cheapShare > 0 && draws.uniform() < m_model.cheapShare)
        service *= m_model.cheapFactor;
    service += m_model.perPromptToken * request.prompt;
    work(in.now());
    m_work += service;
    if (m_model.servers <= 0 || m_busy < m_model.servers)
        start(in, id, service);
    else
        m_waiting.emplace_back(id, service);
}

void QueueServer::start(Replication& in, RequestId id, double service) {
    ++m_busy;
    Request& request = in.request(id);
    request.waited += in.now() - request.came;
    in.schedule(m_target, in.now() + service, id);
}

void QueueServer::fire(Replication& in, std::uint32_t token) {
    work(in.now());
    --m_busy;
    if (!m_waiting.empty()) {
        const auto [id, service] = m_waiting.front();
        m_waiting.pop_front();
        start(in, id, service);
    }
    in.done(token);
}

double QueueServer::backlog(const Replication& in) const { return m_work - (in.now() - m_workAt) * m_busy; }

std::vector<RequestId> QueueServer::abandon(const std::vector<std::uint32_t>& tokens) {
    std::vector<RequestId> all(tokens.begin(), tokens.end());
    for (const auto& [id, service] : m_waiting)
        all.push_back(id);
    m_waiting.clear();
    m_busy = 0;
    m_work = 0;
    return all;
}

} // namespace cw::simulation
