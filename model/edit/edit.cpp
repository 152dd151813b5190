// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/edit/element_lists.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace cw {
namespace {

constexpr std::array<std::string_view, 12> kindNames = {"meta", "site", "workload", "part",  "alternative", "baseline",
                                                        "node", "link", "rack",     "frame", "placement",   "view"};

} // namespace

std::string_view name(ElementKind kind) { return kindNames[static_cast<std::size_t>(kind)]; }

std::string describe(const ElementRef& ref) {
    std::string result(name(ref.kind));
    if (!ref.id.empty())
        result += " " + ref.id;
    if (!ref.alternative.empty())
        result += " of " + ref.alternative.value;
    return result;
}

AlternativeHead headOf(const Alternative& alternative) { return {alternative.name, alternative.notes, alternative.procurement}; }

Edit inverse(const Edit& edit) {
    Edit result{edit.name, edit.mergeKey, {}};
    result.changes.reserve(edit.changes.size());
    std::transform(edit.changes.rbegin(), edit.changes.rend(), std::back_inserter(result.changes), [](const Change& change) {
        return Change{change.ref, change.after, change.before, change.indexAfter, change.indexBefore};
    });
    return result;
}

Edit withoutNoOps(Edit edit) {
    std::erase_if(edit.changes, [](const Change& change) {
        const bool moved = change.indexBefore >= 0 && change.indexAfter >= 0 && change.indexBefore != change.indexAfter;
        return change.before == change.after && !moved;
    });
    return edit;
}

Element elementAt(const Project& project, const ElementRef& ref) {
    switch (ref.kind) {
    case ElementKind::meta:
        return project.meta;
    case ElementKind::site:
        return project.site;
    case ElementKind::baseline:
        return project.baseline;
    case ElementKind::view: {
        const auto found = project.view.items.find(ref.id);
        return found == project.view.items.end() ? Element{} : Element{found->second};
    }
    default:
        break;
    }
    Element found;
    withList(project, ref, [&](const auto& list) {
        for (const auto& element : list)
            if (element.id.value == ref.id) {
                found = element;
                return;
            }
    });
    return found;
}

} // namespace cw
