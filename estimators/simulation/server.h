// SPDX-License-Identifier: GPL-3.0-or-later
//
// One replica of a pool inside of a replication: takes requests, asks to be called at times, hands requests back when they are done.
// Belongs to its replication and is called by it only.
#pragma once

#include "estimators/simulation/system_model.h"

#include <memory>
#include <vector>

namespace cw::simulation {

class Replication;
using RequestId = std::uint32_t;
constexpr RequestId noRequest = ~RequestId(0);

/// A request, or a part of one, on its way.
struct Request {
    std::uint64_t index = 0;    ///< names its draws
    double arrival = 0;         ///< into the system
    double came = 0;            ///< to where it is
    double waited = 0;          ///< s in queues so far
    double extra = 0;           ///< s that its latency carries besides
    double firstToken = -1;     ///< when; below 0: not yet, or none
    double prompt = 1, output = 1;
    double remaining = 0;       ///< of the server's own use
    RequestId parent = noRequest;
    std::uint32_t part = 0;     ///< of its parent
    std::uint32_t open = 0;     ///< parts that are still on their way
    std::uint32_t station = 0;
    std::uint32_t pool = 0;
    std::uint32_t visits = 0;   ///< draws made so far
    std::uint32_t attempt = 0;  ///< that it makes, or is a part of; no two are alike
    std::uint32_t recorded = 0; ///< place in the record
    int tries = 0;              ///< given up so far where it is
    double deadline = 0;        ///< when the attempt is given up; 0: never
    bool background = false, failed = false;
};

/// Sums over time, cut into windows by the replication.
struct ServerUse {
    double busy = 0;       ///< servers or replica, s
    double batchTime = 0;  ///< sequences or items, s
    double kvTime = 0;     ///< share of the KV cache, s
    std::uint64_t steps = 0, preempted = 0;
};

class Server {
public:
    virtual ~Server() = default;
    virtual void submit(Replication& in, RequestId id) = 0;
    virtual void fire(Replication& in, std::uint32_t token) = 0;
    /// What is to be done before a new request would be: in any unit, the same for all replicas of a pool.
    virtual double backlog(const Replication& in) const = 0;
    /// It failed: gives back all it held, oldest first. Its events are gone already; `tokens` are theirs.
    virtual std::vector<RequestId> abandon(const std::vector<std::uint32_t>& tokens) = 0;

    ServerUse use;

protected:
    explicit Server(std::uint32_t target)
        : m_target(target) {}
    std::uint32_t m_target; ///< of its events
};

/// Does a replica of it hold several requests as a batch that others join or wait for?
bool holdsBatches(const Pool& pool);

std::unique_ptr<Server> makeServer(const Pool& pool, std::uint32_t target);

} // namespace cw::simulation
