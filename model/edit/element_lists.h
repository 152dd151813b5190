// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list of a project in which the element of a reference stands. One place for what kind is kept where.
#pragma once

#include "model/edit/edit.h"

#include <algorithm>

namespace cw {

/// Calls `use` with the list of a workload, part, alternative, node, link, rack, frame or placement; false where there is no such list
/// (another kind, or an alternative that the project does not have). `AnyProject` is Project or const Project.
template <class AnyProject, class Use> bool withList(AnyProject& project, const ElementRef& ref, Use use) {
    switch (ref.kind) {
    case ElementKind::workload:
        return use(project.workloads), true;
    case ElementKind::part:
        return use(project.parts), true;
    case ElementKind::alternative:
        return use(project.alternatives), true;
    case ElementKind::meta:
    case ElementKind::site:
    case ElementKind::baseline:
    case ElementKind::view:
        return false;
    default:
        break;
    }
    const auto alternative = std::find_if(project.alternatives.begin(), project.alternatives.end(),
                                          [&ref](const Alternative& other) { return other.id == ref.alternative; });
    if (alternative == project.alternatives.end())
        return false;
    switch (ref.kind) {
    case ElementKind::node:
        return use(alternative->nodes), true;
    case ElementKind::link:
        return use(alternative->links), true;
    case ElementKind::rack:
        return use(alternative->racks), true;
    case ElementKind::frame:
        return use(alternative->frames), true;
    default:
        return use(alternative->placements), true;
    }
}

} // namespace cw
