// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/day_use.h"

#include "estimators/facility/site_terms.h"

#include <algorithm>

namespace cw {

Fleet fleetOf(const Alternative& alternative, const Placement& placement, const WorkloadEstimate& estimate) {
    Fleet fleet;
    double machines = 0;
    for (const NodeId& id : placement.nodes)
        if (const Node* node = alternative.findNode(id))
            machines += static_cast<double>(node->count);
    fleet.units = std::max(1., machines);
    if (estimate.plan && estimate.plan->replicas > 0)
        fleet.units = std::min(fleet.units, static_cast<double>(estimate.plan->replicas));
    const std::optional<Quantity>& capacity = estimate.capacity;
    if (capacity && capacity->value > 0 && estimate.throughput && estimate.throughput->known())
        fleet.useAtPeak = std::clamp(estimate.throughput->value / capacity->value, 0., 1.);
    fleet.startup = si(placement.startup);
    return fleet;
}

DayPlan placementDay(const Project& project, const Alternative& alternative, const Workload& workload, const Placement& placement,
                     const WorkloadEstimate& estimate) {
    return dayPlan(workload.load, hoursOfYear(workload, project.site), placement.scaling, fleetOf(alternative, placement, estimate));
}

} // namespace cw
