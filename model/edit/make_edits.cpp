// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/edit/draft.h"
#include "model/edit/free_ids.h"

#include <algorithm>

namespace cw::edits {
namespace {

/// The id of a new element: its own where that is free, else one like it.
template <class Element>
void giveFreeId(const Project& project, const AlternativeId& alternative, Element& element, std::string_view wish) {
    const std::string wanted(element.id.empty() ? wish : std::string_view(element.id.value));
    FreeIds ids(project, alternative);
    element.id.value = ids.take(wanted);
}

ElementRef refOf(ElementKind kind, const AlternativeId& alternative, const std::string& id) { return {kind, alternative, id}; }

} // namespace

Edit set(const Project& project, const ElementRef& ref, Element after, std::string name, std::string mergeKey) {
    Element before = elementAt(project, ref);
    if (std::holds_alternative<AlternativeHead>(after))
        if (const auto* alternative = std::get_if<Alternative>(&before))
            before = headOf(*alternative);
    Edit edit{std::move(name), std::move(mergeKey), {}};
    edit.changes.push_back({ref, std::move(before), std::move(after), -1, -1});
    return withoutNoOps(std::move(edit));
}

Edit insertNode(const Project& project, const AlternativeId& alternative, Node node, ItemView view, std::string name) {
    giveFreeId(project, alternative, node, node.name.empty() ? node.part.value : node.name);
    Draft draft(project, std::move(name));
    draft.insert(refOf(ElementKind::node, alternative, node.id.value), node);
    draft.setView(alternative, node.id.value, view);
    return draft.finish();
}

Edit insertLink(const Project& project, const AlternativeId& alternative, Link link, std::string name) {
    giveFreeId(project, alternative, link, "link");
    Draft draft(project, std::move(name));
    draft.insert(refOf(ElementKind::link, alternative, link.id.value), link);
    return draft.finish();
}

Edit insertRack(const Project& project, const AlternativeId& alternative, Rack rack, ItemView view, std::string name) {
    giveFreeId(project, alternative, rack, rack.name.empty() ? "rack" : rack.name);
    Draft draft(project, std::move(name));
    draft.insert(refOf(ElementKind::rack, alternative, rack.id.value), rack);
    draft.setView(alternative, rack.id.value, view);
    return draft.finish();
}

Edit insertFrame(const Project& project, const AlternativeId& alternative, Frame frame, ItemView view, std::string name) {
    giveFreeId(project, alternative, frame, frame.name.empty() ? cw::name(frame.kind) : std::string_view(frame.name));
    Draft draft(project, std::move(name));
    draft.insert(refOf(ElementKind::frame, alternative, frame.id.value), frame);
    draft.setView(alternative, frame.id.value, view);
    return draft.finish();
}

Edit insertPlacement(const Project& project, const AlternativeId& alternative, Placement placement, std::string name) {
    giveFreeId(project, alternative, placement, placement.workload.value);
    Draft draft(project, std::move(name));
    draft.insert(refOf(ElementKind::placement, alternative, placement.id.value), placement);
    return draft.finish();
}

Edit insertWorkload(const Project& project, Workload workload, std::string name) {
    giveFreeId(project, {}, workload, workload.name.empty() ? kindName(workload.spec) : std::string_view(workload.name));
    Draft draft(project, std::move(name));
    draft.insert(refOf(ElementKind::workload, {}, workload.id.value), workload);
    return draft.finish();
}

Edit move(const Project& project, const AlternativeId& alternative, const std::map<std::string, ItemView>& byElementId,
          std::string name, std::string mergeKey) {
    Draft draft(project, std::move(name), std::move(mergeKey));
    for (const auto& [element, view] : byElementId)
        draft.setView(alternative, element, view);
    return draft.finish();
}

Edit duplicateAlternative(const Project& project, const AlternativeId& id, std::string name) {
    const Alternative* original = project.findAlternative(id);
    if (!original)
        return {std::move(name), {}, {}};
    Alternative copy = *original;
    copy.id = AlternativeId(FreeIds(project, {}).take(id.value));
    copy.name = FreeNames(project.alternatives).take(original->name);
    const auto position = static_cast<int>(original - project.alternatives.data());
    Draft draft(project, std::move(name));
    draft.insert(refOf(ElementKind::alternative, {}, copy.id.value), copy, position + 1);
    const std::string prefix = viewKey(id, "");
    for (auto item = project.view.items.lower_bound(prefix); item != project.view.items.end() && item->first.starts_with(prefix);
         ++item)
        draft.setView(copy.id, item->first.substr(prefix.size()), item->second);
    return draft.finish();
}

Edit insertAlternative(const Project& project, Alternative alternative, std::string name) {
    giveFreeId(project, {}, alternative, alternative.name.empty() ? "alternative" : alternative.name);
    Draft draft(project, std::move(name));
    draft.insert(refOf(ElementKind::alternative, {}, alternative.id.value), alternative);
    return draft.finish();
}

Edit removeAlternative(const Project& project, const AlternativeId& alternative, std::string name) {
    return remove(project, {refOf(ElementKind::alternative, {}, alternative.value)}, std::move(name));
}

Edit removeWorkload(const Project& project, const WorkloadId& workload, std::string name) {
    return remove(project, {refOf(ElementKind::workload, {}, workload.value)}, std::move(name));
}

Edit moveAlternative(const Project& project, const AlternativeId& id, int index, std::string name) {
    Edit edit{std::move(name), {}, {}};
    const Alternative* alternative = project.findAlternative(id);
    if (!alternative)
        return edit;
    const auto position = static_cast<int>(alternative - project.alternatives.data());
    const int target = std::clamp(index, 0, static_cast<int>(project.alternatives.size()) - 1);
    edit.changes.push_back({refOf(ElementKind::alternative, {}, id.value), *alternative, *alternative, position, target});
    return withoutNoOps(std::move(edit));
}

} // namespace cw::edits
