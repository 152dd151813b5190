// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small systems to simulate. Values; owned by the test.
#pragma once

#include "estimators/simulation/run.h"

namespace cw::test {

using namespace cw::simulation;

inline Pool queuePool(int servers, const Distribution& service, int replicas = 1, Routing routing = Routing::random) {
    QueueModel queue;
    queue.servers = servers;
    queue.service = service;
    Pool pool{queue};
    pool.replicas = replicas;
    pool.routing = routing;
    return pool;
}

inline Station stationOf(Pool pool) {
    Station station;
    station.pools.push_back(std::move(pool));
    return station;
}

inline SystemModel systemOf(Station station, double rate) {
    SystemModel system;
    system.stations.push_back(std::move(station));
    system.entry = {{0, 1}};
    system.rate = rate;
    return system;
}

inline SystemModel queueSystem(int servers, double rate, const Distribution& service) { return systemOf(stationOf(queuePool(servers, service)), rate); }

inline const MetricResult& metric(const RunResult& result, Metric which) { return *result.of(which); }

/// Options for tests that compare with an exact value: a fixed effort.
inline RunOptions effort(std::uint64_t events = 1'500'000) {
    RunOptions options;
    options.mostEvents = events;
    options.precision = 1e-6; // never: all the effort is used
    return options;
}

} // namespace cw::test
