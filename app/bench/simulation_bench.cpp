// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/simulation_bench.h"

#include "app/bench/bench.h"
#include "app/bench/designs.h"
#include "estimators/serving/serving_system.h"
#include "estimators/simulation/simulate.h"
#include "estimators/simulation/simulated_serving.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace cw::bench {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr int runs = 5;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Median rate of what `advance` counts.
template <class Advance> double rateOf(Advance&& advance) {
    std::vector<double> rates;
    advance(); // warm-up
    for (int run = 0; run < runs; ++run) {
        const auto start = Clock::now();
        const double count = advance();
        rates.push_back(count / secondsSince(start));
    }
    std::nth_element(rates.begin(), rates.begin() + runs / 2, rates.end());
    return rates[runs / 2];
}

constexpr std::uint64_t manyEvents = std::numeric_limits<std::uint64_t>::max() / 2;

} // namespace

double simpleRequestsPerSecond() {
    simulation::SystemModel system;
    simulation::QueueModel queue{4, simulation::Distribution::exponential(1)};
    system.stations.emplace_back().pools.push_back({queue});
    system.entry = {{0, 1}};
    system.rate = 3.2;
    simulation::Replication replication(system, 1, 0);
    replication.stopSeries();
    replication.beginWindow();
    return rateOf([&] {
        constexpr std::uint64_t requests = 500'000;
        replication.advance(requests, manyEvents, {});
        return static_cast<double>(requests);
    });
}

double batchingStepsPerSecond() {
    const Project project = serving();
    const Catalog catalog = effectiveCatalog(project, shippedCatalog());
    const ResolvedDesign design = resolve(project, project.alternatives.front(), catalog);
    const Fabric fabric(design);
    const EstimateOptions options;
    Derivation derivation;
    EstimateContext context{design, fabric, catalog, options, {}, derivation};
    const auto& spec = std::get<LlmServing>(project.workloads.front().spec);
    const Placement* placement = &project.alternatives.front().placements.front();
    const ServingSystem system(context, spec, *catalog.find<NeuralModel>(spec.model), std::span(&placement, 1));
    const simulation::ScaledSystem scaled = simulation::systemOf(system, .8 * system.stableRate());
    simulation::Replication replication(scaled.system, 1, 0);
    replication.stopSeries();
    replication.beginWindow();
    return rateOf([&] {
        const std::uint64_t before = replication.steps();
        replication.advance(20'000, manyEvents, {});
        return static_cast<double>(replication.steps() - before);
    });
}

double slowestExampleMilliseconds() {
    double slowest = 0;
    for (const Project& project : servingExamples()) {
        const Catalog catalog = effectiveCatalog(project, shippedCatalog());
        for (const Alternative& alternative : project.alternatives) {
            const AlternativeEstimate closed = estimate(project, alternative, catalog);
            if (!canSimulate(closed))
                continue;
            bool reached = true;
            const double seconds = medianSeconds([&] {
                const auto found = simulate(project, alternative, catalog, closed);
                for (const WorkloadEstimate& workload : found->workloads)
                    reached = reached && (!workload.simulated || workload.simulated->precise);
            }, 3);
            if (!reached)
                return unknown;
            slowest = std::max(slowest, 1e3 * seconds);
        }
    }
    return slowest;
}

} // namespace cw::bench
