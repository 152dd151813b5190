// SPDX-License-Identifier: GPL-3.0-or-later
//
// Removing elements together with what hangs on them, so that no reference is left pointing nowhere.
#include "model/edit/draft.h"

#include <algorithm>
#include <unordered_set>

namespace cw::edits {
namespace {

using IdSet = std::unordered_set<std::string>;

/// What is to go, of one alternative.
struct Doomed {
    IdSet nodes, links, racks, frames, placements;
};

template <class T>
void removeListed(Draft& draft, const AlternativeId& alternative, ElementKind kind, const std::vector<T>& list,
                  const IdSet& doomed, const std::map<std::string, ItemView>& views) {
    if (doomed.empty())
        return;
    for (std::size_t at = 0; at < list.size(); ++at) {
        const std::string& id = list[at].id.value;
        if (!doomed.count(id))
            continue;
        draft.remove({kind, alternative, id}, list[at], static_cast<int>(at));
        if (!views.empty() && views.count(viewKey(alternative, id)))
            draft.removeView(alternative, id);
    }
}

/// The nearest frame around `frame` that stays. Cycles end at no frame.
FrameId survivor(const Alternative& alternative, FrameId frame, const IdSet& doomed) {
    for (std::size_t steps = 0; steps <= alternative.frames.size() && doomed.count(frame.value); ++steps) {
        const Frame* found = alternative.findFrame(frame);
        frame = found ? found->parent : FrameId();
    }
    return doomed.count(frame.value) ? FrameId() : frame;
}

/// Elements that stay but stood in a frame that goes.
template <class T, class Member>
void liftOut(Draft& draft, const Alternative& alternative, ElementKind kind, const std::vector<T>& list, Member frame,
             const IdSet& doomed, const IdSet& frames) {
    for (const T& element : list) {
        if (doomed.count(element.id.value) || !frames.count((element.*frame).value))
            continue;
        T after = element;
        after.*frame = survivor(alternative, element.*frame, frames);
        draft.change({kind, alternative.id, element.id.value}, element, after);
    }
}

void removeFrom(Draft& draft, const Project& project, const Alternative& alternative, Doomed doomed) {
    for (const Link& link : alternative.links)
        if (doomed.nodes.count(link.from.value) || doomed.nodes.count(link.to.value))
            doomed.links.insert(link.id.value);
    const auto goes = [&doomed](const NodeId& id) { return doomed.nodes.count(id.value) > 0; };
    for (const Placement& placement : alternative.placements) {
        if (doomed.placements.count(placement.id.value) || std::none_of(placement.nodes.begin(), placement.nodes.end(), goes))
            continue;
        Placement after = placement;
        std::erase_if(after.nodes, goes);
        if (after.nodes.empty())
            doomed.placements.insert(placement.id.value);
        else
            draft.change({ElementKind::placement, alternative.id, placement.id.value}, placement, after);
    }
    for (const Rack& rack : alternative.racks) {
        if (doomed.racks.count(rack.id.value))
            continue;
        Rack after = rack;
        std::erase_if(after.items, [&goes](const RackItem& item) { return goes(item.node); });
        if (doomed.frames.count(rack.frame.value))
            after.frame = survivor(alternative, rack.frame, doomed.frames);
        if (!(after == rack))
            draft.change({ElementKind::rack, alternative.id, rack.id.value}, rack, after);
    }
    liftOut(draft, alternative, ElementKind::node, alternative.nodes, &Node::frame, doomed.nodes, doomed.frames);
    liftOut(draft, alternative, ElementKind::frame, alternative.frames, &Frame::parent, doomed.frames, doomed.frames);
    const auto& views = project.view.items;
    removeListed(draft, alternative.id, ElementKind::node, alternative.nodes, doomed.nodes, views);
    removeListed(draft, alternative.id, ElementKind::link, alternative.links, doomed.links, {});
    removeListed(draft, alternative.id, ElementKind::rack, alternative.racks, doomed.racks, views);
    removeListed(draft, alternative.id, ElementKind::frame, alternative.frames, doomed.frames, views);
    removeListed(draft, alternative.id, ElementKind::placement, alternative.placements, doomed.placements, {});
}

void removeWhole(Draft& draft, const Project& project, const Alternative& alternative) {
    const auto position = static_cast<int>(&alternative - project.alternatives.data());
    draft.remove({ElementKind::alternative, {}, alternative.id.value}, alternative, position);
    if (project.baseline == alternative.id)
        draft.change({ElementKind::baseline, {}, {}}, project.baseline, AlternativeId());
    const std::string prefix = viewKey(alternative.id, "");
    for (auto item = project.view.items.lower_bound(prefix); item != project.view.items.end() && item->first.starts_with(prefix);
         ++item)
        draft.removeView(alternative.id, item->first.substr(prefix.size()));
}

/// Pipelines keep their stages; a stage whose workload goes is left with its own service time.
void releaseStages(Draft& draft, const Project& project, const IdSet& workloads) {
    for (const Workload& workload : project.workloads) {
        const auto* pipeline = std::get_if<Pipeline>(&workload.spec);
        if (!pipeline || workloads.count(workload.id.value))
            continue;
        Workload after = workload;
        for (Pipeline::Stage& stage : std::get<Pipeline>(after.spec).stages)
            if (workloads.count(stage.workload.value))
                stage.workload = WorkloadId();
        if (!(after == workload))
            draft.change({ElementKind::workload, {}, workload.id.value}, workload, after);
    }
}

} // namespace

Edit remove(const Project& project, const std::vector<ElementRef>& refs, std::string name) {
    Draft draft(project, std::move(name));
    std::map<std::string, Doomed> byAlternative;
    IdSet workloads, parts, alternatives;
    for (const ElementRef& ref : refs) {
        Doomed& doomed = byAlternative[ref.alternative.value];
        switch (ref.kind) {
        case ElementKind::node:
            doomed.nodes.insert(ref.id);
            break;
        case ElementKind::link:
            doomed.links.insert(ref.id);
            break;
        case ElementKind::rack:
            doomed.racks.insert(ref.id);
            break;
        case ElementKind::frame:
            doomed.frames.insert(ref.id);
            break;
        case ElementKind::placement:
            doomed.placements.insert(ref.id);
            break;
        case ElementKind::workload:
            workloads.insert(ref.id);
            break;
        case ElementKind::part:
            parts.insert(ref.id);
            break;
        case ElementKind::alternative:
            alternatives.insert(ref.id);
            break;
        default:
            break; // meta, site, baseline are always there; views go with their elements
        }
    }
    for (const Alternative& alternative : project.alternatives) {
        if (alternatives.count(alternative.id.value)) {
            removeWhole(draft, project, alternative);
            continue;
        }
        Doomed doomed = byAlternative[alternative.id.value];
        for (const Placement& placement : alternative.placements)
            if (workloads.count(placement.workload.value))
                doomed.placements.insert(placement.id.value);
        removeFrom(draft, project, alternative, std::move(doomed));
    }
    if (!workloads.empty())
        releaseStages(draft, project, workloads);
    removeListed(draft, {}, ElementKind::workload, project.workloads, workloads, {});
    removeListed(draft, {}, ElementKind::part, project.parts, parts, {});
    return draft.finish();
}

} // namespace cw::edits
