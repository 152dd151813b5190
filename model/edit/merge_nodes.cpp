// SPDX-License-Identifier: GPL-3.0-or-later
//
// Merge: nodes of one part and setting become a stack. Cables stay what they were where a pattern says them; where every node has the same
// kind of uplink, the stack has it too (and spreads it evenly, as stacks do). Anything else is refused with the reason.
#include "model/design/expand.h"
#include "model/edit/draft.h"
#include "model/edit/free_ids.h"
#include "model/edit/pattern_fit.h"

#include <fmt/format.h>
#include <algorithm>

namespace cw::edits {
namespace {

constexpr std::size_t maxPairs = 2'000'000;

/// Nodes that become one, in the order of the alternative.
struct Group {
    std::vector<const Node*> nodes;
    Node merged;
};

/// Where a node of the alternative is afterwards: the stack, and the number of its first member there.
struct Place {
    NodeId stack;
    std::int64_t first = 0;
    int group = -1;
};

struct Merging {
    const Project& project;
    const Alternative& alternative;
    std::vector<Group> groups;
    std::map<NodeId, Place> places;

    const Place* place(const NodeId& id) const {
        const auto found = places.find(id);
        return found == places.end() ? nullptr : &found->second;
    }
    std::int64_t count(const NodeId& stack) const {
        const Place* found = place(stack);
        return found && found->group >= 0 ? groups[static_cast<std::size_t>(found->group)].merged.count
                                          : alternative.findNode(stack)->count;
    }
};

bool equalSettings(const Node& a, const Node& b) {
    Node like = b;
    like.id = a.id;
    like.name = a.name;
    like.count = a.count;
    return like == a;
}

/// "Server 1" and "Server 2" together are "Server".
std::string commonName(const std::vector<const Node*>& nodes) {
    const auto stem = [](const std::string& text) {
        const auto end = text.find_last_not_of("0123456789");
        if (end == std::string::npos || end + 1 == text.size() || text[end] != ' ')
            return text;
        return text.substr(0, end);
    };
    const std::string first = stem(nodes.front()->name);
    const bool shared = std::all_of(nodes.begin(), nodes.end(), [&](const Node* node) { return stem(node->name) == first; });
    return shared && !first.empty() ? first : nodes.front()->name;
}

Expected<void> makeGroups(Merging& merging, const std::vector<NodeId>& ids) {
    for (const Node& node : merging.alternative.nodes) {
        merging.places[node.id] = {node.id, 0, -1};
        if (std::find(ids.begin(), ids.end(), node.id) == ids.end())
            continue;
        const auto group = std::find_if(merging.groups.begin(), merging.groups.end(),
                                        [&node](const Group& other) { return equalSettings(*other.nodes.front(), node); });
        if (group == merging.groups.end())
            merging.groups.push_back({{&node}, {}});
        else
            group->nodes.push_back(&node);
    }
    std::erase_if(merging.groups, [](const Group& group) { return group.nodes.size() < 2; });
    if (merging.groups.empty())
        return fail({"alternative " + merging.alternative.id.value, "at least two nodes of the same part and setting",
                     std::to_string(ids.size()) + " that differ", "There is nothing to merge."});
    for (std::size_t at = 0; at < merging.groups.size(); ++at) {
        Group& group = merging.groups[at];
        group.merged = *group.nodes.front();
        group.merged.name = commonName(group.nodes);
        group.merged.count = 0;
        for (const Node* node : group.nodes) {
            merging.places[node->id] = {group.merged.id, group.merged.count, static_cast<int>(at)};
            group.merged.count += node->count;
        }
        if (group.merged.count > maxStackCount)
            return fail({"node " + group.merged.id.value, fmt::format("at most {} members", maxStackCount),
                         std::to_string(group.merged.count), "The stack would be too large."});
    }
    return {};
}

/// Links that are one after the merge: same ends, same kind.
struct Cabling {
    std::vector<const Link*> links;
    Link like;
    std::vector<MemberPair> pairs;
};

bool sameKind(const Link& a, const Link& b) {
    return a.from == b.from && a.to == b.to && a.medium == b.medium && a.purpose == b.purpose && a.protocol == b.protocol &&
        a.length == b.length && a.extra == b.extra;
}

/// Every merged node had one link of this pattern and these lanes to the far stack: the stack has it too.
std::optional<Link> sharedUplink(const Merging& merging, const Cabling& cabling) {
    const Link& first = *cabling.links.front();
    const Place& from = *merging.place(first.from);
    const Place& to = *merging.place(first.to);
    const bool fromMerged = from.group >= 0;
    if (fromMerged == (to.group >= 0) || (first.pattern != Pattern::each && first.pattern != Pattern::rail))
        return std::nullopt;
    const Group& group = merging.groups[static_cast<std::size_t>(fromMerged ? from.group : to.group)];
    std::vector<NodeId> ends;
    for (const Link* link : cabling.links) {
        if (link->pattern != first.pattern || link->lanes != first.lanes)
            return std::nullopt;
        ends.push_back(fromMerged ? link->from : link->to);
    }
    std::sort(ends.begin(), ends.end());
    const bool once = std::adjacent_find(ends.begin(), ends.end()) == ends.end() && ends.size() == group.nodes.size();
    Link result = cabling.like;
    result.pattern = first.pattern;
    result.lanes = first.lanes;
    if (!once || !fromMerged || !checkPattern(result, merging.count(result.from), merging.count(result.to)))
        return std::nullopt;
    return result;
}

Expected<std::vector<Cabling>> gather(const Merging& merging) {
    std::vector<Cabling> list;
    for (const Link& link : merging.alternative.links) {
        const Place* from = merging.place(link.from);
        const Place* to = merging.place(link.to);
        if (!from || !to || (from->group < 0 && to->group < 0))
            continue;
        const auto pairs = memberPairs(link, merging.alternative.findNode(link.from)->count,
                                       merging.alternative.findNode(link.to)->count, maxPairs);
        if (!pairs)
            return fail(pairs.error());
        Link moved = link;
        moved.from = from->stack;
        moved.to = to->stack;
        auto cabling =
            std::find_if(list.begin(), list.end(), [&moved](const Cabling& other) { return sameKind(other.like, moved); });
        if (cabling == list.end())
            cabling = list.insert(list.end(), {{}, moved, {}});
        cabling->links.push_back(&link);
        for (const MemberPair& pair : *pairs)
            cabling->pairs.push_back({static_cast<std::uint32_t>(pair.from + from->first),
                                      static_cast<std::uint32_t>(pair.to + to->first), pair.lanes});
    }
    return list;
}

Expected<void> mergeLinks(Draft& draft, const Merging& merging) {
    const auto list = gather(merging);
    if (!list)
        return fail(list.error());
    for (const Cabling& cabling : *list) {
        auto link = fitPattern(cabling.like, cabling.pairs, merging.count(cabling.like.from), merging.count(cabling.like.to));
        if (!link)
            link = sharedUplink(merging, cabling);
        if (!link)
            return fail({"link " + cabling.links.front()->id.value, "the same cabling on every node",
                         "cables that no pattern says", "The nodes are cabled differently and cannot be one stack."});
        const auto index = [&merging](const Link* of) { return static_cast<int>(of - merging.alternative.links.data()); };
        draft.change({ElementKind::link, merging.alternative.id, cabling.like.id.value}, *cabling.links.front(), *link);
        for (std::size_t at = 1; at < cabling.links.size(); ++at)
            draft.remove({ElementKind::link, merging.alternative.id, cabling.links[at]->id.value}, *cabling.links[at],
                         index(cabling.links[at]));
    }
    return {};
}

Expected<void> mergePlacements(Draft& draft, const Merging& merging) {
    for (const Placement& placement : merging.alternative.placements) {
        Placement after = placement;
        after.nodes.clear();
        std::map<int, std::size_t> covered;
        for (const NodeId& node : placement.nodes) {
            const Place* place = merging.place(node);
            const NodeId& stack = place ? place->stack : node;
            if (place && place->group >= 0)
                ++covered[place->group];
            if (std::find(after.nodes.begin(), after.nodes.end(), stack) == after.nodes.end())
                after.nodes.push_back(stack);
        }
        for (const auto& [group, nodes] : covered)
            if (nodes < merging.groups[static_cast<std::size_t>(group)].nodes.size())
                return fail({"placement " + placement.id.value, "all of the nodes or none", "some of them",
                             "A workload runs on only some of the nodes, so they cannot be one stack."});
        if (!(after == placement))
            draft.change({ElementKind::placement, merging.alternative.id, placement.id.value}, placement, after);
    }
    return {};
}

Rack withMergedItems(const Merging& merging, const Rack& rack) {
    Rack after = rack;
    after.items.clear();
    for (const RackItem& item : rack.items) {
        const Place* place = merging.place(item.node);
        RackItem moved = item;
        if (place)
            moved.node = place->stack;
        const bool joins =
            place && place->group >= 0 && !after.items.empty() && after.items.back().node == moved.node && item.u == 0;
        if (joins)
            after.items.back().perRack += item.perRack;
        else
            after.items.push_back(moved);
    }
    return after;
}

/// Racks of merged nodes; neighbours that hold the same become a stack of racks again.
void mergeRacks(Draft& draft, const Merging& merging) {
    const auto& racks = merging.alternative.racks;
    for (std::size_t at = 0; at < racks.size();) {
        Rack merged = withMergedItems(merging, racks[at]);
        std::size_t next = at + 1;
        for (; next < racks.size() && !(merged.items == racks[at].items); ++next) {
            Rack other = withMergedItems(merging, racks[next]);
            const bool touched = !(other.items == racks[next].items);
            other.id = merged.id;
            other.name = merged.name;
            other.count = merged.count;
            if (!touched || !(other == merged) || merged.count + racks[next].count > maxStackCount)
                break;
            merged.count += racks[next].count;
            draft.remove({ElementKind::rack, merging.alternative.id, racks[next].id.value}, racks[next], static_cast<int>(next));
            draft.removeView(merging.alternative.id, racks[next].id.value);
        }
        if (!(merged == racks[at]))
            draft.change({ElementKind::rack, merging.alternative.id, racks[at].id.value}, racks[at], merged);
        at = next;
    }
}

void mergeNodes(Draft& draft, const Merging& merging) {
    for (const Group& group : merging.groups) {
        draft.change({ElementKind::node, merging.alternative.id, group.merged.id.value}, *group.nodes.front(), group.merged);
        for (std::size_t at = 1; at < group.nodes.size(); ++at) {
            const Node& node = *group.nodes[at];
            const auto index = static_cast<int>(&node - merging.alternative.nodes.data());
            draft.remove({ElementKind::node, merging.alternative.id, node.id.value}, node, index);
            draft.removeView(merging.alternative.id, node.id.value);
        }
    }
}

} // namespace

Expected<Edit> merge(const Project& project, const AlternativeId& alternativeId, const std::vector<NodeId>& nodes,
                     std::string name) {
    const Alternative* alternative = project.findAlternative(alternativeId);
    if (!alternative)
        return fail(
            {"alternative " + alternativeId.value, "an alternative of the project", "none", "There is no such alternative."});
    Merging merging{project, *alternative, {}, {}};
    if (const auto grouped = makeGroups(merging, nodes); !grouped)
        return fail(grouped.error());
    Draft draft(project, std::move(name));
    mergeNodes(draft, merging);
    if (const auto linked = mergeLinks(draft, merging); !linked)
        return fail(linked.error());
    if (const auto placed = mergePlacements(draft, merging); !placed)
        return fail(placed.error());
    mergeRacks(draft, merging);
    return draft.finish();
}

} // namespace cw::edits
