// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/checks/port_plan.h"

#include <algorithm>
#include <cmath>

namespace cw {
namespace {

/// Links within one building take ports; links of a provider's network and buses inside a machine do not.
bool takesPorts(const Medium* medium) { return !medium || medium->kind == "scale_out"; }

bool purposeFits(const PortGroup& group, std::string_view purpose) {
    return purpose == "any" || group.purpose == "any" || group.purpose == purpose;
}

/// Ports for anything first, then the fabric's, then the others: what a link without purpose takes.
int purposeRank(const PortGroup& group) {
    return group.purpose == "any" ? 0 : group.purpose == "compute" ? 1 : group.purpose == "storage" ? 2 : 3;
}

struct Planner {
    const Part* part;
    const std::vector<PortGroup>& ports;
    std::vector<std::int64_t> taken;

    std::vector<std::size_t> eligible(const LinkEnd& end) const {
        const Medium* medium = end.medium;
        const bool purposeKnown = std::any_of(ports.begin(), ports.end(),
                                              [&](const PortGroup& group) { return purposeFits(group, end.link->purpose); });
        std::vector<std::size_t> list;
        for (std::size_t at = 0; at < ports.size(); ++at) {
            const bool fast = !medium || (takesMedium(part, *medium) && cablesPerPort(part, ports[at], medium->rawBandwidth) > 0);
            if (fast && (!purposeKnown || purposeFits(ports[at], end.link->purpose)))
                list.push_back(at);
        }
        std::stable_sort(list.begin(), list.end(), [this](std::size_t a, std::size_t b) {
            return std::pair(ports[a].speed, purposeRank(ports[a])) < std::pair(ports[b].speed, purposeRank(ports[b]));
        });
        return list;
    }

    void take(LinkEnd& end) {
        const std::vector<std::size_t> list = eligible(end);
        end.typeFits = !list.empty();
        for (const std::size_t at : list) {
            const std::int64_t split = end.medium ? cablesPerPort(part, ports[at], end.medium->rawBandwidth) : 1;
            const std::int64_t free = (ports[at].count - taken[at]) * split;
            const std::int64_t here = std::min(free, end.wanted - end.got);
            if (here <= 0)
                continue;
            end.got += here;
            taken[at] += (here + split - 1) / split;
        }
    }
};

} // namespace

std::string_view technologyFamily(std::string_view name) {
    const std::string_view word = name.substr(0, name.find(' '));
    return word.substr(0, word.find_last_not_of("0123456789") + 1);
}

const std::vector<PortGroup>* portsOf(const Part* part) {
    if (!part)
        return nullptr;
    if (const auto* server = std::get_if<Server>(part))
        return &server->ports;
    if (const auto* box = std::get_if<Switch>(part))
        return &box->ports;
    return nullptr;
}

bool takesMedium(const Part* part, const Medium& medium) {
    const auto* box = part ? std::get_if<Switch>(part) : nullptr;
    return !box || technologyFamily(box->technology) == technologyFamily(medium.name);
}

int cablesPerPort(const Part* part, const PortGroup& group, BytesPerSecond speed) {
    const double ratio = si(speed) > 0 ? si(group.speed) / si(speed) : 1;
    if (ratio < 1 - 1e-6)
        return 0;
    const auto* box = part ? std::get_if<Switch>(part) : nullptr;
    if (!box || box->radix <= 0 || box->maxRadixBreakout <= box->radix)
        return 1;
    return std::clamp(static_cast<int>(ratio + 1e-6), 1, box->maxRadixBreakout / box->radix);
}

PortPlan planPorts(const Part* part, std::vector<LinkEnd> ends) {
    PortPlan plan;
    const std::vector<PortGroup>* ports = portsOf(part);
    plan.known = ports && !ports->empty();
    plan.ends = std::move(ends);
    if (!plan.known) {
        for (LinkEnd& end : plan.ends)
            end.got = end.wanted;
        return plan;
    }
    Planner planner{part, *ports, std::vector<std::int64_t>(ports->size(), 0)};
    const auto speedOf = [](const LinkEnd& end) { return end.medium ? si(end.medium->rawBandwidth) : 0.; };
    std::vector<std::size_t> order(plan.ends.size());
    for (std::size_t at = 0; at < order.size(); ++at)
        order[at] = at;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const bool anyA = plan.ends[a].link->purpose == "any", anyB = plan.ends[b].link->purpose == "any";
        return anyA != anyB ? anyB : speedOf(plan.ends[a]) > speedOf(plan.ends[b]);
    });
    for (const std::size_t at : order) {
        LinkEnd& end = plan.ends[at];
        if (takesPorts(end.medium))
            planner.take(end);
        else
            end.got = end.wanted;
    }
    for (std::size_t at = 0; at < ports->size(); ++at)
        plan.groups.push_back({(*ports)[at], planner.taken[at]});
    return plan;
}

LinkEnds::LinkEnds(const Alternative& alternative, const Catalog& catalog) {
    std::unordered_map<NodeId, const Node*> nodes;
    for (const Node& node : alternative.nodes)
        nodes.emplace(node.id, &node);
    std::unordered_map<PartId, const Medium*> media; // drawings use few, and the catalog is large
    for (const Link& link : alternative.links) {
        const auto from = nodes.find(link.from), to = nodes.find(link.to);
        if (from == nodes.end() || to == nodes.end())
            continue;
        const auto [medium, fresh] = media.try_emplace(link.medium, nullptr);
        if (fresh)
            medium->second = catalog.find<Medium>(link.medium);
        const CableCount count = cableCount(link, from->second->count, to->second->count);
        m_ends[link.from].push_back({&link, medium->second, true, count.perFrom, 0, true});
        if (link.from != link.to)
            m_ends[link.to].push_back({&link, medium->second, false, count.perTo, 0, true});
    }
}

const std::vector<LinkEnd>& LinkEnds::of(const NodeId& node) const {
    static const std::vector<LinkEnd> none;
    const auto found = m_ends.find(node);
    return found == m_ends.end() ? none : found->second;
}

std::vector<PortUse> portUse(const Alternative& alternative, const Node& node, const Catalog& catalog) {
    return planPorts(catalog.findPart(node.part), LinkEnds(alternative, catalog).of(node.id)).groups;
}

} // namespace cw
