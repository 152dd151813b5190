// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/design/project.h"

#include <algorithm>

namespace cw {

const Alternative* Project::findAlternative(const AlternativeId& id) const {
    const auto found =
        std::find_if(alternatives.begin(), alternatives.end(), [&id](const auto& other) { return other.id == id; });
    return found == alternatives.end() ? nullptr : &*found;
}

const Workload* Project::findWorkload(const WorkloadId& id) const {
    const auto found = std::find_if(workloads.begin(), workloads.end(), [&id](const auto& other) { return other.id == id; });
    return found == workloads.end() ? nullptr : &*found;
}

const OwnPart* Project::findPart(const PartId& id) const {
    const auto found = std::find_if(parts.begin(), parts.end(), [&id](const auto& other) { return other.id == id; });
    return found == parts.end() ? nullptr : &*found;
}

const Alternative* Project::baselineAlternative() const {
    if (const Alternative* chosen = findAlternative(baseline))
        return chosen;
    return alternatives.empty() ? nullptr : &alternatives.front();
}

std::string viewKey(const AlternativeId& alternative, std::string_view element) {
    return alternative.value + "/" + std::string(element);
}

} // namespace cw
