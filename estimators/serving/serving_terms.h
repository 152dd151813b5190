// SPDX-License-Identifier: GPL-3.0-or-later
//
// The derivation of a serving estimate: opens its figures down to data-sheet facts, calibrated constants and what the user entered. The
// values are those of the system that was evaluated; nothing is computed a second way.
#pragma once

#include "estimators/serving/serving_system.h"

namespace cw {

/// One serving workload while it is being written up.
struct ServingView {
    ServingView(EstimateContext& in, const Workload& of, ServingSystem& on, WorkloadResult& out)
        : context(in), workload(of), spec(std::get<LlmServing>(of.spec)), system(on), result(out) {}

    EstimateContext& context;
    const Workload& workload;
    const LlmServing& spec;
    ServingSystem& system;
    WorkloadResult& result;
    SystemPoint point;       ///< at the wanted load; at the limit if that is beyond it
    bool closedLoop = false;
    bool stable = true;
    double rate = 0;         ///< requests/s wanted, or reached in a closed loop
    double stableRate = 0;   ///< requests/s
    double capacity = 0;     ///< requests/s within the targets
    std::size_t main = 0;    ///< pool that the derivation explains: the one with most of the work
    std::size_t mainDecode = 0;

    const ServingPool& pool() const { return system.pools()[main]; }
    const ServingPool& decodePool() const { return system.pools()[mainDecode]; }
    double utilisation() const { return stableRate > 0 ? std::min(rate / stableRate, .999) : 0; }
};

/// Throughput, capacity, latency percentiles and what they rest on.
void addServingFigures(ServingView& view);
/// Memory of one device of the pool that holds most.
void addServingMemory(ServingView& view);

} // namespace cw
