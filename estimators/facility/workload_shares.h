// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each workload answers for when several share a design: of the machines it runs on by the time it keeps them busy, of everything
// else (network, racks, machines nothing runs on) in proportion. The shares of all placed workloads add up to 1. Pure functions.
#pragma once

#include "estimators/base/context.h"

#include <span>
#include <vector>

namespace cw {

/// By the order of the results; `weights` by node: what each stack costs, or draws, by itself. A pipeline whose stages are workloads of
/// their own carries the shares of those stages.
std::vector<double> workloadShares(const Project& project, std::span<const WorkloadResult> results,
                                   std::span<const double> weights);

} // namespace cw
