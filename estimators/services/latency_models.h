// SPDX-License-Identifier: GPL-3.0-or-later
//
// Latency models of the CPU kinds, for pipelines: what their own estimators evaluate. Null where there is no machine to run on.
#pragma once

#include "estimators/services/latency_model.h"

namespace cw {

std::unique_ptr<LatencyModel> serviceLatency(EstimateContext& context, const Service& spec, std::span<const Placement* const> placements,
                                             const RequestFlow& flow = {});
std::unique_ptr<LatencyModel> streamLatency(EstimateContext& context, const Stream& spec, std::span<const Placement* const> placements,
                                            const RequestFlow& flow = {});

} // namespace cw
