// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which of a workload's targets are met. The only place that compares an estimate with what was asked for.
#pragma once

#include "estimators/estimate.h"

namespace cw {

/// Fills `targets` and `meetsTargets`. `share` is what the workload answers for of the alternative's cost. Without targets
/// `meetsTargets` stays empty; a figure that is unknown does not meet its target.
void judgeTargets(WorkloadEstimate& estimate, const Workload& workload, const PowerEstimate& power, const CostEstimate& cost,
                  double share);

} // namespace cw
