// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a served model does to the machines and the network: time by cause, use of resources, the bottleneck, activity, traffic, plan.
#pragma once

#include "estimators/serving/serving_terms.h"

namespace cw {

void addServingTime(ServingView& view);       ///< timeParts of one request
void addServingResources(ServingView& view);  ///< resources and the bottleneck with what relieving it is worth
void addServingActivity(ServingView& view);
void addServingTraffic(ServingView& view);
void addServingPlan(ServingView& view);
void addServingFindings(ServingView& view);
/// Findings of issues alone, for systems that cannot run.
void addServingIssues(EstimateContext& context, WorkloadResult& result, const Workload& workload, const ServingSystem& system);

} // namespace cw
