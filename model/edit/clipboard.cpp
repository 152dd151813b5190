// SPDX-License-Identifier: GPL-3.0-or-later
//
// The clipboard holds a small project file: the chosen elements of one alternative with what they need. So a whole project can be
// pasted too, and what was copied can be read in an editor.
#include "model/edit/draft.h"
#include "model/edit/free_ids.h"
#include "model/io/project_file.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace cw {
namespace {

using IdSet = std::unordered_set<std::string>;

IdSet idsOf(const std::vector<ElementRef>& refs, ElementKind kind) {
    IdSet ids;
    for (const ElementRef& ref : refs)
        if (ref.kind == kind)
            ids.insert(ref.id);
    return ids;
}

/// New ids for old ones, one kind of element at a time.
template <class IdType> class Renaming {
public:
    explicit Renaming(FreeIds& ids)
        : m_ids(ids) {}
    const IdType& add(const IdType& old) { return m_new.emplace(old, IdType(m_ids.take(old.value))).first->second; }
    /// Empty where the element was not pasted.
    IdType operator()(const IdType& old) const {
        const auto found = m_new.find(old);
        return found == m_new.end() ? IdType() : found->second;
    }

private:
    FreeIds& m_ids;
    std::unordered_map<IdType, IdType> m_new;
};

/// One paste: renames as it goes and puts everything into the draft.
class Paste {
public:
    Paste(const Project& project, const AlternativeId& target, const Project& clip, double dx, double dy, Draft& draft)
        : m_project(project)
        , m_target(*project.findAlternative(target))
        , m_clip(clip)
        , m_source(clip.alternatives.front())
        , m_dx(dx)
        , m_dy(dy)
        , m_draft(draft)
        , m_ids(project, target)
        , m_nodes(m_ids)
        , m_frames(m_ids)
        , m_racks(m_ids) {}

    void run() {
        shared();
        for (const Frame& frame : m_source.frames)
            m_frames.add(frame.id);
        for (Frame frame : m_source.frames) {
            frame.parent = frameFor(frame.parent);
            insert(ElementKind::frame, frame, m_frames(frame.id), true);
        }
        FreeNames names(m_target);
        for (Node node : m_source.nodes) {
            node.name = names.take(node.name);
            node.frame = frameFor(node.frame);
            insert(ElementKind::node, node, m_nodes.add(node.id), true);
        }
        for (Link link : m_source.links) {
            link.from = m_nodes(link.from);
            link.to = m_nodes(link.to);
            if (!link.from.empty() && !link.to.empty())
                insert(ElementKind::link, link, LinkId(m_ids.take(link.id.value)), false);
        }
        for (Rack rack : m_source.racks) {
            rack.frame = frameFor(rack.frame);
            for (RackItem& item : rack.items)
                item.node = m_nodes(item.node);
            std::erase_if(rack.items, [](const RackItem& item) { return item.node.empty(); });
            insert(ElementKind::rack, rack, m_racks.add(rack.id), true);
        }
        for (Placement placement : m_source.placements) {
            // Where the work runs already, a copy is a machine more and not a part of the same job: the two need not reach each other.
            const auto same = [&](const Placement& here) { return here.workload == placement.workload; };
            if (std::any_of(m_target.placements.begin(), m_target.placements.end(), same))
                continue;
            for (NodeId& node : placement.nodes)
                node = m_nodes(node);
            std::erase_if(placement.nodes, [](const NodeId& node) { return node.empty(); });
            if (!placement.nodes.empty())
                insert(ElementKind::placement, placement, PlacementId(m_ids.take(placement.id.value)), false);
        }
    }

private:
    /// Workloads and parts that the target does not have come along under their ids.
    void shared() {
        for (const Workload& workload : m_clip.workloads)
            if (!m_project.findWorkload(workload.id))
                m_draft.insert({ElementKind::workload, {}, workload.id.value}, workload);
        for (const OwnPart& part : m_clip.parts)
            if (!m_project.findPart(part.id))
                m_draft.insert({ElementKind::part, {}, part.id.value}, part);
    }
    FrameId frameFor(const FrameId& old) const {
        const FrameId pasted = m_frames(old);
        return pasted.empty() && m_target.findFrame(old) ? old : pasted;
    }
    template <class Element, class IdType> void insert(ElementKind kind, Element element, const IdType& id, bool drawn) {
        const auto view = m_clip.view.items.find(viewKey(m_source.id, element.id.value));
        element.id = id;
        m_draft.insert({kind, m_target.id, id.value}, element);
        if (!drawn)
            return;
        ItemView spot = view == m_clip.view.items.end() ? ItemView{} : view->second;
        spot.x += m_dx;
        spot.y += m_dy;
        m_draft.setView(m_target.id, id.value, spot);
    }

    const Project& m_project;
    const Alternative& m_target;
    const Project& m_clip;
    const Alternative& m_source;
    double m_dx, m_dy;
    Draft& m_draft;
    FreeIds m_ids;
    Renaming<NodeId> m_nodes;
    Renaming<FrameId> m_frames;
    Renaming<RackId> m_racks;
};

/// Own parts that the clip names, and those that they name in turn.
void addPartsNamed(Project& clip, const Project& project) {
    for (std::size_t before = clip.parts.size() + 1; before != clip.parts.size();) {
        before = clip.parts.size();
        const std::string text = project.parts.empty() ? std::string() : writeProject(clip);
        for (const OwnPart& part : project.parts)
            if (!clip.findPart(part.id) && text.find("\"" + part.id.value + "\"") != std::string::npos)
                clip.parts.push_back(part);
    }
}

} // namespace

std::string clipboardText(const Project& project, const AlternativeId& alternativeId, const std::vector<ElementRef>& refs) {
    Project clip;
    const Alternative* source = project.findAlternative(alternativeId);
    if (!source)
        return writeProject(clip);
    const auto keep = [](auto& list, const IdSet& ids) {
        std::erase_if(list, [&](const auto& element) { return !ids.count(element.id.value); });
    };
    Alternative part = *source;
    part.extra.clear();
    part.notes.clear();
    const IdSet nodes = idsOf(refs, ElementKind::node);
    keep(part.nodes, nodes);
    keep(part.racks, idsOf(refs, ElementKind::rack));
    keep(part.frames, idsOf(refs, ElementKind::frame));
    const auto chosen = [&nodes](const NodeId& id) { return nodes.count(id.value) > 0; };
    std::erase_if(part.links, [&](const Link& link) { return !chosen(link.from) || !chosen(link.to); });
    for (Rack& rack : part.racks)
        std::erase_if(rack.items, [&](const RackItem& item) { return !chosen(item.node); });
    for (Placement& placement : part.placements)
        std::erase_if(placement.nodes, [&](const NodeId& node) { return !chosen(node); });
    std::erase_if(part.placements, [](const Placement& placement) { return placement.nodes.empty(); });
    IdSet workloads;
    for (const Placement& placement : part.placements)
        workloads.insert(placement.workload.value);
    clip.workloads = project.workloads;
    keep(clip.workloads, workloads);
    const auto copyViews = [&](const auto& list) {
        for (const auto& element : list)
            if (const auto view = project.view.items.find(viewKey(alternativeId, element.id.value));
                view != project.view.items.end())
                clip.view.items.insert(*view);
    };
    copyViews(part.nodes);
    copyViews(part.racks);
    copyViews(part.frames);
    clip.alternatives.push_back(std::move(part));
    addPartsNamed(clip, project);
    return writeProject(clip);
}

Expected<Edit> pasteEdit(const Project& project, const AlternativeId& alternative, std::string_view clipboard, double dx,
                         double dy, std::string name) {
    if (!project.findAlternative(alternative))
        return fail(
            {"alternative " + alternative.value, "an alternative of the project", "none", "There is nothing to paste into."});
    const ReadResult clip = readProject(clipboard, "clipboard");
    if (!clip.ok)
        return fail(clip.errors.front());
    Draft draft(project, std::move(name));
    if (!clip.project.alternatives.empty())
        Paste(project, alternative, clip.project, dx, dy, draft).run();
    return draft.finish();
}

} // namespace cw
