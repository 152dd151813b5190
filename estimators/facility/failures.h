// SPDX-License-Identifier: GPL-3.0-or-later
//
// Failures of machines and what they cost a long job: rates from counted failures of published clusters, Young's and Daly's best
// checkpoint interval. Used by the reliability part of an estimate and by the training estimator. Pure functions.
// Equations: docs/equations-facility.md, "Reliability".
#pragma once

#include "estimators/base/context.h"

#include <span>

namespace cw {

/// Failures per year that interrupt a job which runs on all members of these stacks (rates add). The band spans the published clusters:
/// low from the slowest-failing one, high from the fastest. `mtbfNodeHours` above 0 replaces the catalog's rates (a workload's own figure).
Quantity interruptionsPerYear(EstimateContext&, std::span<const std::uint32_t> nodes, double mtbfNodeHours = 0);

/// Checkpoints of a job with exponential failures.
struct Checkpointing {
    double interval = 0; ///< seconds between the starts of two checkpoints
    double goodput = 0;  ///< share of time that makes progress which is kept, 0 to 1
};

/// With a given interval: Daly's exact expectation, goodput = interval e^{-R/M} / (M (e^{(interval + d)/M} − 1)).
/// mtbf M, time to write d, time to detect, restart and reload R, all in seconds.
double goodputWithInterval(double mtbf, double checkpointSeconds, double restartSeconds, double interval);

/// The interval that Daly's second-order formula gives, sqrt(2 d M) (1 + …) − d, at least d, and its goodput.
Checkpointing bestCheckpointing(double mtbf, double checkpointSeconds, double restartSeconds);

/// Seconds to detect a failure, replace the machine and reload, and its plausible band.
Quantity restartTime(EstimateContext&);

} // namespace cw
