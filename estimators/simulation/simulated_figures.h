// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a run is written into an estimate: latencies with their derivation, targets judged by them, the distribution for the chart.
#pragma once

#include "estimators/estimate.h"
#include "estimators/simulation/run.h"
#include "estimators/simulation/simulated_serving.h"

namespace cw::simulation {

/// What it is while one of the equal replicas is broken.
void writeOneDown(AlternativeEstimate& out, WorkloadEstimate& workload, const RunResult& result, const ScaledSystem& scaled);

void writeSimulated(AlternativeEstimate& out, WorkloadEstimate& workload, const RunResult& result, const ScaledSystem& scaled);

} // namespace cw::simulation
