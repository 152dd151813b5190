// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/estimate.h"

#include <algorithm>

namespace cw {

std::string_view name(TimePart part) {
    switch (part) {
    case TimePart::compute:
        return "compute";
    case TimePart::memory:
        return "memory";
    case TimePart::host:
        return "host";
    case TimePart::scaleUp:
        return "scale_up";
    case TimePart::network:
        return "network";
    case TimePart::storage:
        return "storage";
    case TimePart::bubble:
        return "bubble";
    case TimePart::queueing:
        return "queueing";
    case TimePart::idle:
        return "idle";
    }
    return "";
}

const SimulatedRun::Figure* SimulatedRun::figure(std::string_view wanted) const {
    const auto found = std::find_if(figures.begin(), figures.end(), [&](const Figure& f) { return f.name == wanted; });
    return found == figures.end() ? nullptr : &*found;
}

const Quantity* WorkloadEstimate::latencyNamed(std::string_view wanted) const {
    const auto found = std::find_if(latency.begin(), latency.end(), [&](const NamedQuantity& q) { return q.name == wanted; });
    return found == latency.end() ? nullptr : &found->quantity;
}

const WorkloadEstimate* AlternativeEstimate::workload(const WorkloadId& wanted) const {
    const auto found =
        std::find_if(workloads.begin(), workloads.end(), [&](const WorkloadEstimate& w) { return w.id == wanted; });
    return found == workloads.end() ? nullptr : &*found;
}

} // namespace cw
