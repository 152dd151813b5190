// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said beside a latency that comes from a discrete-event run. Any thread.
#pragma once

#include "estimators/estimate.h"

#include <QString>

#include <string_view>

namespace cw {

/// "simulated, 72 009 requests, ± 1.7 %" for a latency by its key; empty where it is not simulated.
QString simulationText(const AlternativeEstimate& estimate, const WorkloadId& workload, std::string_view key);

} // namespace cw
