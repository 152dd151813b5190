// SPDX-License-Identifier: GPL-3.0-or-later
//
// A workload that answers requests, seen from outside: latency at any arrival rate. What a pipeline composes and a load curve samples.
// Implementations hold numbers only and are cheap to ask; thread-safe once built.
#pragma once

#include "estimators/base/context.h"

#include <memory>
#include <vector>

namespace cw {

struct LatencyMoments {
    bool stable = true;
    double mean = 0, variance = 0; ///< s, s²
};

struct LatencyPoint : LatencyMoments {
    double rate = 0; ///< requests/s
    double p50 = 0, p95 = 0, p99 = 0;
};

class LatencyModel {
public:
    virtual ~LatencyModel() = default;
    /// Requests/s below which it is stable; infinite where nothing limits it.
    virtual double largestRate() const = 0;
    virtual LatencyPoint at(double rate) const = 0;
    /// The same without percentiles, which cost most of the time.
    virtual LatencyMoments moments(double rate) const = 0;
};

/// The latency of a workload that answers requests; null where it cannot run there or is not of such a kind (training, batch jobs, HPC,
/// pipelines). What is wrong with the placements is said by the workload's own estimate.
std::unique_ptr<LatencyModel> latencyModelOf(EstimateContext& context, const Workload& workload, std::span<const Placement* const> placements);

/// Latency against load, rising to `upTo` of the largest stable rate, closer together where the curve bends.
std::vector<LoadPoint> loadCurve(const LatencyModel& model, int points = 24, double upTo = .98);

/// Largest rate of a model whose p99 stays at or below the target, from below, 0 if even an idle one misses it; without a target the
/// largest rate. p99 must rise with the rate.
double largestRateWithin(const LatencyModel& model, std::optional<double> p99);

} // namespace cw
