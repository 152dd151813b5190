// SPDX-License-Identifier: GPL-3.0-or-later
//
// A queue in front of c servers, first come, first served; or of as many as there are requests (a delay).
#pragma once

#include "estimators/simulation/server.h"

#include <deque>

namespace cw::simulation {

class QueueServer : public Server {
public:
    QueueServer(const QueueModel& model, std::uint32_t target)
        : Server(target)
        , m_model(model) {}

    void submit(Replication& in, RequestId id) override;
    void fire(Replication& in, std::uint32_t token) override;
    double backlog(const Replication& in) const override;
    std::vector<RequestId> abandon(const std::vector<std::uint32_t>& tokens) override;

private:
    void start(Replication& in, RequestId id, double service);
    void work(double now);

    const QueueModel& m_model;
    std::deque<std::pair<RequestId, double>> m_waiting; ///< with their service time
    int m_busy = 0;
    double m_work = 0, m_workAt = 0; ///< s of service left, and when that was so
};

} // namespace cw::simulation
