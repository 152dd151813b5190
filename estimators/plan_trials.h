// SPDX-License-Identifier: GPL-3.0-or-later
//
// What another parallel plan would do: the workload of a placement estimated again, by the very estimator that made the figures beside it.
// Only that workload, on the machines and links as drawn; about as long as its part of an estimate for each plan. Pure functions.
#pragma once

#include "estimators/estimate.h"

namespace cw {

struct PlanTrial {
    int tensor = 1;
    WorkloadEstimate estimate; ///< quantities have values and bands, no derivation
};

/// Of the bandwidth it would have alone, from its finished estimate.
double networkShareOf(const WorkloadEstimate& estimate);

/// Tensor parallel 1, 2, 4, … as far as attention heads and devices divide. What else the placement fixes stays, but for data parallelism,
/// which is what the devices leave; the rest is chosen anew.
/// `networkShare` is what other workloads leave it (networkShareOf). Empty where a plan means nothing.
std::vector<PlanTrial> tensorTrials(const Project& project, const Alternative& alternative, const Catalog& catalog,
                                    const PlacementId& placement, double networkShare = 1);

/// The plan with every size left to the estimator; empty: none that fits.
std::optional<PlanTrial> bestPlan(const Project& project, const Alternative& alternative, const Catalog& catalog,
                                  const PlacementId& placement, double networkShare = 1);

/// The placement with another tensor size, as in a trial.
Placement withTensor(Placement placement, int tensor);
/// The placement with the sizes of a plan written out.
Placement withPlan(Placement placement, const ChosenPlan& plan, bool serving);

} // namespace cw
