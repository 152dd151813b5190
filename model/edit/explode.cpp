// SPDX-License-Identifier: GPL-3.0-or-later
//
// Explode: the members of a stack become single nodes with exactly the cables they had. Where a pattern to another stack cannot be said
// for single members, that stack is divided too, into as few parts as keep every cable: the coarsest division of all stacks in which
// every link is a pattern again.
#include "model/design/expand.h"
#include "model/edit/draft.h"
#include "model/edit/free_ids.h"
#include "model/edit/pattern_fit.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <set>

namespace cw::edits {
namespace {

constexpr std::size_t maxParts = 4096;
constexpr std::size_t maxPairs = 2'000'000;

/// A stack divided into runs of neighbouring members; `starts` holds the first member of each.
struct Division {
    std::int64_t count = 1;
    std::set<std::uint32_t> starts{0};
    std::vector<Node> parts; ///< by order of starts, once the division is settled

    bool whole() const { return starts.size() == 1; }
    std::uint32_t startOf(std::uint32_t member) const { return *std::prev(starts.upper_bound(member)); }
    std::int64_t sizeAt(std::uint32_t start) const {
        const auto next = starts.upper_bound(start);
        return (next == starts.end() ? count : static_cast<std::int64_t>(*next)) - start;
    }
    std::size_t partOf(std::uint32_t member) const {
        return static_cast<std::size_t>(std::distance(starts.begin(), starts.upper_bound(member))) - 1;
    }
};

using Divisions = std::map<NodeId, Division>;
/// Cables between two runs, numbered from the first member of each.
using Bundle = std::pair<std::pair<std::uint32_t, std::uint32_t>, std::vector<MemberPair>>;

Expected<std::vector<Bundle>> bundles(const Link& link, const Division& from, const Division& to) {
    const auto pairs = memberPairs(link, from.count, to.count, maxPairs);
    if (!pairs)
        return fail(pairs.error());
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<MemberPair>> byRuns;
    for (const MemberPair& pair : *pairs) {
        const std::uint32_t a = from.startOf(pair.from), b = to.startOf(pair.to);
        byRuns[{a, b}].push_back({pair.from - a, pair.to - b, pair.lanes});
    }
    return std::vector<Bundle>(byRuns.begin(), byRuns.end());
}

/// A stand-in for the link between two runs: its two ends differ unless both are one run of one stack.
Link between(const Link& link, const Bundle& bundle) {
    Link result = link;
    if (link.from == link.to && bundle.first.first != bundle.first.second)
        result.to = NodeId(link.to.value + "'");
    return result;
}

/// Where a run of `size` members from `start` must be cut, because the cables of two neighbours differ; false when nowhere.
template <class Here, class There>
bool findCuts(std::set<std::uint32_t>& cuts, std::uint32_t start, std::int64_t size, const std::vector<MemberPair>& pairs,
              Here here, There there) {
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> cables;
    for (const MemberPair& pair : pairs)
        cables[pair.*here].emplace_back(pair.*there, pair.lanes);
    for (auto& [member, ends] : cables)
        std::sort(ends.begin(), ends.end());
    bool found = false;
    const auto cutAt = [&](std::uint32_t member) {
        cuts.insert(start + member);
        found = true;
    };
    for (auto at = cables.begin(); at != cables.end(); ++at) {
        const std::uint32_t member = at->first;
        const bool followsEqual =
            at != cables.begin() && std::prev(at)->first + 1 == member && std::prev(at)->second == at->second;
        if (member > 0 && !followsEqual)
            cutAt(member);
        const auto next = std::next(at);
        if (member + 1 < size && (next == cables.end() || next->first != member + 1))
            cutAt(member + 1);
    }
    return found;
}

void everyMember(std::set<std::uint32_t>& cuts, std::uint32_t start, std::int64_t size) {
    for (std::uint32_t member = 1; member < size; ++member)
        cuts.insert(start + member);
}

/// Divides the ends of one link where a bundle is no pattern; true when something was cut, so that it has to be looked at again.
Expected<bool> settle(const Link& link, Division& from, Division& to) {
    if (from.whole() && to.whole())
        return false;
    const auto list = bundles(link, from, to);
    if (!list)
        return fail(list.error());
    std::set<std::uint32_t> fromCuts, toCuts;
    for (const Bundle& bundle : *list) {
        const auto [a, b] = bundle.first;
        const std::int64_t fromSize = from.sizeAt(a), toSize = to.sizeAt(b);
        if (fitPattern(between(link, bundle), bundle.second, fromSize, toSize))
            continue;
        const bool fromDiffers = findCuts(fromCuts, a, fromSize, bundle.second, &MemberPair::from, &MemberPair::to);
        const bool toDiffers = findCuts(toCuts, b, toSize, bundle.second, &MemberPair::to, &MemberPair::from);
        if (!fromDiffers && !toDiffers) { // all alike, and still no pattern
            everyMember(fromCuts, a, fromSize);
            everyMember(toCuts, b, toSize);
        }
    }
    from.starts.insert(fromCuts.begin(), fromCuts.end());
    to.starts.insert(toCuts.begin(), toCuts.end());
    return !fromCuts.empty() || !toCuts.empty();
}

Expected<void> divide(const Alternative& alternative, Divisions& divisions) {
    bool changed = true;
    while (changed) {
        changed = false;
        std::size_t parts = 0;
        for (const auto& [id, division] : divisions)
            parts += division.whole() ? 0 : division.starts.size();
        if (parts > maxParts)
            return fail({"alternative " + alternative.id.value, fmt::format("at most {} parts", maxParts), std::to_string(parts),
                         "Exploding would divide too many stacks."});
        for (const Link& link : alternative.links) {
            const auto from = divisions.find(link.from), to = divisions.find(link.to);
            if (from == divisions.end() || to == divisions.end())
                continue; // a link to nowhere is reported elsewhere
            const auto cutSome = settle(link, from->second, to->second);
            if (!cutSome)
                return fail(cutSome.error());
            changed |= *cutSome;
        }
    }
    return {};
}

void replaceNodes(Draft& draft, const Project& project, const Alternative& alternative, Divisions& divisions, FreeIds& ids) {
    FreeNames names(alternative);
    for (std::size_t at = 0; at < alternative.nodes.size(); ++at) {
        const Node& node = alternative.nodes[at];
        Division& division = divisions.at(node.id);
        if (division.whole())
            continue;
        const auto view = project.view.items.find(viewKey(alternative.id, node.id.value));
        const ItemView place = view == project.view.items.end() ? ItemView{} : view->second;
        const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(division.starts.size()))));
        draft.remove({ElementKind::node, alternative.id, node.id.value}, node, static_cast<int>(at));
        if (view != project.view.items.end())
            draft.removeView(alternative.id, node.id.value);
        for (const std::uint32_t start : division.starts) {
            Node part = node;
            part.id = NodeId(ids.take(node.id.value + "-1"));
            part.name = names.take(node.name + " 1");
            part.count = division.sizeAt(start);
            const std::size_t number = division.parts.size();
            ItemView spot = place;
            spot.x += 200. * static_cast<double>(number % columns);
            spot.y += 120. * static_cast<double>(number / columns);
            draft.insert({ElementKind::node, alternative.id, part.id.value}, part);
            draft.setView(alternative.id, part.id.value, spot);
            division.parts.push_back(std::move(part));
        }
    }
}

const NodeId& idOf(const NodeId& stack, const Division& division, std::uint32_t member) {
    return division.whole() ? stack : division.parts[division.partOf(member)].id;
}

void replaceLinks(Draft& draft, const Alternative& alternative, const Divisions& divisions, FreeIds& ids) {
    for (std::size_t at = 0; at < alternative.links.size(); ++at) {
        const Link& link = alternative.links[at];
        const auto from = divisions.find(link.from), to = divisions.find(link.to);
        if (from == divisions.end() || to == divisions.end() || (from->second.whole() && to->second.whole()))
            continue;
        draft.remove({ElementKind::link, alternative.id, link.id.value}, link, static_cast<int>(at));
        const auto list = bundles(link, from->second, to->second);
        for (const Bundle& bundle : *list) {
            const auto [a, b] = bundle.first;
            Link part = *fitPattern(between(link, bundle), bundle.second, from->second.sizeAt(a), to->second.sizeAt(b));
            part.id = LinkId(ids.take(link.id.value + "-1"));
            part.from = idOf(link.from, from->second, a);
            part.to = idOf(link.to, to->second, b);
            draft.insert({ElementKind::link, alternative.id, part.id.value}, part);
        }
    }
}

void replacePlacements(Draft& draft, const Alternative& alternative, const Divisions& divisions) {
    for (const Placement& placement : alternative.placements) {
        Placement after = placement;
        after.nodes.clear();
        for (const NodeId& node : placement.nodes) {
            const auto division = divisions.find(node);
            if (division == divisions.end() || division->second.whole())
                after.nodes.push_back(node);
            else
                for (const Node& part : division->second.parts)
                    after.nodes.push_back(part.id);
        }
        if (!(after == placement))
            draft.change({ElementKind::placement, alternative.id, placement.id.value}, placement, after);
    }
}

/// What one rack of a stack of racks holds, once stacks are divided. `placed` counts the members that stand in racks already.
std::vector<RackItem> itemsOf(const Rack& rack, const Divisions& divisions, std::map<NodeId, std::int64_t>& placed) {
    std::vector<RackItem> items;
    for (const RackItem& item : rack.items) {
        const auto division = divisions.find(item.node);
        if (division == divisions.end() || division->second.whole()) {
            items.push_back(item);
            continue;
        }
        std::int64_t& next = placed[item.node];
        const std::int64_t end = std::min(next + item.perRack, division->second.count);
        int u = item.u;
        for (; next < end; ++next) {
            const NodeId& id = idOf(item.node, division->second, static_cast<std::uint32_t>(next));
            if (!items.empty() && items.back().node == id)
                ++items.back().perRack;
            else
                items.push_back({id, 1, u, item.extra});
            u = 0; // the height of a machine is not known here; the rest stacks up by itself
        }
    }
    return items;
}

void replaceRacks(Draft& draft, const Project& project, const Alternative& alternative, const Divisions& divisions,
                  FreeIds& ids) {
    std::map<NodeId, std::int64_t> placed;
    for (std::size_t at = 0; at < alternative.racks.size(); ++at) {
        const Rack& rack = alternative.racks[at];
        const bool touched = std::any_of(rack.items.begin(), rack.items.end(), [&divisions](const RackItem& item) {
            const auto division = divisions.find(item.node);
            return division != divisions.end() && !division->second.whole();
        });
        if (!touched)
            continue;
        std::vector<Rack> parts;
        for (std::int64_t number = 0; number < rack.count; ++number) {
            std::vector<RackItem> items = itemsOf(rack, divisions, placed);
            if (!parts.empty() && parts.back().items == items) {
                ++parts.back().count;
                continue;
            }
            parts.push_back(rack);
            parts.back().count = 1;
            parts.back().items = std::move(items);
        }
        if (parts.size() == 1) {
            draft.change({ElementKind::rack, alternative.id, rack.id.value}, rack, parts.front());
            continue;
        }
        const auto view = project.view.items.find(viewKey(alternative.id, rack.id.value));
        draft.remove({ElementKind::rack, alternative.id, rack.id.value}, rack, static_cast<int>(at));
        if (view != project.view.items.end())
            draft.removeView(alternative.id, rack.id.value);
        for (std::size_t number = 0; number < parts.size(); ++number) {
            Rack& part = parts[number];
            part.id = RackId(ids.take(rack.id.value + "-1"));
            part.name = fmt::format("{} {}", rack.name, number + 1);
            draft.insert({ElementKind::rack, alternative.id, part.id.value}, part);
            if (view == project.view.items.end())
                continue;
            ItemView spot = view->second;
            spot.x += static_cast<double>(number) * (std::max(spot.width, 100.) + 20);
            draft.setView(alternative.id, part.id.value, spot);
        }
    }
}

} // namespace

Expected<Edit> explode(const Project& project, const AlternativeId& alternativeId, const NodeId& nodeId, std::string name) {
    const Alternative* alternative = project.findAlternative(alternativeId);
    const Node* node = alternative ? alternative->findNode(nodeId) : nullptr;
    if (!node)
        return fail({"node " + nodeId.value, "a stack of the design", "none", "There is no such stack."});
    if (node->count < 2 || node->count > static_cast<std::int64_t>(maxParts))
        return fail({"node " + nodeId.value, fmt::format("2 to {} members", maxParts), std::to_string(node->count),
                     "This stack cannot be exploded."});
    Divisions divisions;
    for (const Node& other : alternative->nodes)
        divisions[other.id].count = other.count;
    everyMember(divisions[nodeId].starts, 0, node->count);
    if (const auto divided = divide(*alternative, divisions); !divided)
        return fail(divided.error());
    for (const Rack& rack : alternative->racks)
        if (rack.count > 1'000'000)
            return fail({"rack " + rack.id.value, "at most 1000000 racks", std::to_string(rack.count),
                         "There are too many racks to divide."});
    Draft draft(project, std::move(name));
    FreeIds ids(project, alternativeId);
    replaceNodes(draft, project, *alternative, divisions, ids);
    replaceLinks(draft, *alternative, divisions, ids);
    replacePlacements(draft, *alternative, divisions);
    replaceRacks(draft, project, *alternative, divisions, ids);
    return draft.finish();
}

} // namespace cw::edits
