// SPDX-License-Identifier: GPL-3.0-or-later
//
// Independent replications of a system until its percentiles are known well enough. The same seed gives the same bits on any number of
// threads: replications are merged in their order, and whether to go on is decided between rounds of the same length for all of them.
//
// Warm-up: replications start empty; the rule MSER (White 1997, on the mean over the replications, as Welch has it) says how many requests
// are still of the start, and everything up to twice that is thrown away. Percentiles are those of all replications together; their
// intervals follow from the spread of the replications' own (sectioning; Asmussen and Glynn 2007, III.5), Student's t.
#pragma once

#include "estimators/simulation/replication.h"

#include <optional>

namespace cw::simulation {

struct RunOptions {
    std::uint64_t seed = 1;
    int replications = 12;
    double precision = .05;              ///< relative half width of the p99s at 95 %
    bool tokens = true;                  ///< of first and further tokens as well as of whole answers
    std::uint64_t leastRequests = 2000;  ///< a replication
    std::uint64_t mostEvents = 3'000'000; ///< all replications together
    int threads = 1;
    Replication::Interrupted interrupted; ///< asked now and then, from any of the threads
};

/// A figure with the spread of the replications' own figures around it.
struct Estimated {
    double value = 0;
    double error = 0; ///< standard error
    int replications = 0;
    /// Half width of the interval that covers the true value so often.
    double halfWidth(double level = .95) const;
    bool covers(double exact, double level) const { return std::abs(exact - value) <= halfWidth(level); }
};

struct MetricResult {
    Estimated mean, p50, p95, p99;
    LatencyHistogram times; ///< of all replications
};

struct RunResult {
    enum class End : std::uint8_t {
        precise,   ///< as well as asked for
        effort,    ///< the allowed events were used up
        unstable,  ///< the number in the system grows
        idle,      ///< nothing arrives
        cancelled
    };
    End end = End::idle;
    std::uint64_t seed = 0, requests = 0, events = 0, steps = 0; ///< requests: that count, without the warm-up
    std::array<std::optional<MetricResult>, metricCount> metrics; ///< empty: nothing of the kind was seen
    std::uint64_t warmUp = 0;    ///< requests thrown away, a replication
    double growth = 0;           ///< requests/s, when unstable
    double throughput = 0;       ///< requests/s
    double seconds = 0;          ///< simulated, all replications
    Estimated inSystem;          ///< requests, mean over time
    double busy = 0, batch = 0, kvUse = 0; ///< mean over time: servers busy; sequences or items of one; share of its cache
    double refused = 0, preempted = 0;     ///< share of the requests; times a request
    double failed = 0;                     ///< share of the requests, given up after all retries
    std::uint64_t breakdowns = 0;          ///< of replicas, all replications
    LevelTimes present, batchLevels, cacheLevels; ///< as in Observed, all replications
    LevelSeries presentSeries, batchSeries, cacheSeries;

    const MetricResult* of(Metric metric) const {
        const auto& found = metrics[static_cast<std::size_t>(metric)];
        return found ? &*found : nullptr;
    }
};

RunResult run(const SystemModel& system, const RunOptions& options);

/// z with P(|T| <= z) = level for Student's t with that many degrees of freedom (Cornish-Fisher expansion of Abramowitz and Stegun
/// 26.7.5; 1e-3 from five on).
double studentQuantile(double level, int freedom);

/// MSER on a series: how many of its values belong to the start.
std::size_t settledAfter(const std::vector<double>& series);

} // namespace cw::simulation
