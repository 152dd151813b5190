// SPDX-License-Identifier: GPL-3.0-or-later
//
// A batch server: a batch closes when it is full or its oldest item has waited long enough, and all of it is done after the batch's time.
#pragma once

#include "estimators/simulation/server.h"

#include <deque>

namespace cw::simulation {

class FormingServer : public Server {
public:
    FormingServer(const BatchingModel& model, std::uint32_t target)
        : Server(target)
        , m_model(model) {}

    void submit(Replication& in, RequestId id) override;
    void fire(Replication& in, std::uint32_t token) override;
    double backlog(const Replication& in) const override;
    std::vector<RequestId> abandon(const std::vector<std::uint32_t>& tokens) override;

private:
    static constexpr std::uint32_t batchDone = 0; ///< other tokens: the timer of that number
    void consider(Replication& in);
    void start(Replication& in);

    const BatchingModel& m_model;
    std::deque<RequestId> m_waiting;
    std::vector<RequestId> m_batch;
    double m_started = 0;
    std::uint32_t m_timer = 1;
    bool m_timed = false;
};

} // namespace cw::simulation
