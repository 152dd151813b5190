// SPDX-License-Identifier: GPL-3.0-or-later
//
// A placement over the day: how much of its machines runs, out of the workload's load profile, the placement's scaling and what the
// estimate says of its capacity. Used by power, cost and charts alike. Pure functions.
#pragma once

#include "estimators/base/context.h"
#include "estimators/services/load_profile.h"

namespace cw {

/// `alternative` gives the machines; `estimate` the throughput at the busy rate and the capacity (all machines where it has none).
DayPlan placementDay(const Project& project, const Alternative& alternative, const Workload& workload, const Placement& placement,
                     const WorkloadEstimate& estimate);

/// Machines, or replicas where one takes several machines, that can be switched on and off one by one.
Fleet fleetOf(const Alternative& alternative, const Placement& placement, const WorkloadEstimate& estimate);

} // namespace cw
