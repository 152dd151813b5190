// SPDX-License-Identifier: GPL-3.0-or-later
//
// Power, cooling, cost, reliability and carbon of one alternative, from what its workloads do. Pure functions; each fills its part.
#pragma once

#include "estimators/base/context.h"

#include <span>

namespace cw {

PowerEstimate estimatePower(EstimateContext&, std::span<const Activity> activity, std::span<const LinkLoad> links);
std::vector<RackEstimate> estimateRacks(EstimateContext&, const PowerEstimate& power);
NetworkEstimate estimateNetwork(EstimateContext&);
CostEstimate estimateCost(EstimateContext&, const PowerEstimate& power, std::span<const RackEstimate> racks,
                          std::span<const LinkLoad> links);
ReliabilityEstimate estimateReliability(EstimateContext&, std::span<const WorkloadEstimate> workloads);
CarbonEstimate estimateCarbon(EstimateContext&, const PowerEstimate& power);
/// Findings that need figures: power and cooling limits, targets missed, oversubscription, idle tiers, cheaper procurement, …
std::vector<Finding> estimatedFindings(EstimateContext&, const AlternativeEstimate& estimate);

} // namespace cw
