// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an architect would draw between two stacks: servers spread over leaves or rail by rail, leaves in full mesh with the spines, over
// the fastest technology that both ends have free ports for.
#include "model/checks/port_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace cw {
namespace {

/// One end of a link that is to be drawn: its ports with those that are still free.
class FreeEnd {
public:
    FreeEnd(const Node& node, const LinkEnds& ends, const Catalog& catalog)
        : m_node(node)
        , m_part(catalog.findPart(node.part)) {
        if (m_part)
            m_plan = planPorts(m_part, ends.of(node.id));
        if (const auto* instance = m_part ? std::get_if<CloudInstance>(m_part) : nullptr; instance && instance->network) {
            m_rented = true;
            m_network = si(*instance->network);
        }
    }

    const Node& node() const { return m_node; }
    bool isSwitch() const { return m_part && std::holds_alternative<Switch>(*m_part); }
    bool hasPorts() const { return m_plan.known || m_rented; }
    const PortPlan& plan() const { return m_plan; }

    bool takes(const Medium& medium) const {
        if (m_rented)
            return si(medium.rawBandwidth) <= m_network * (1 + 1e-6);
        return takesMedium(m_part, medium) && std::any_of(m_plan.groups.begin(), m_plan.groups.end(), [&](const PortUse& use) {
                   return cablesPerPort(m_part, use.group, medium.rawBandwidth) > 0;
               });
    }
    /// Cables of this medium that still fit, of ports with this purpose (empty: any).
    std::int64_t free(const Medium& medium, std::string_view purpose = {}) const {
        if (m_rented)
            return maxLanes;
        std::int64_t cables = 0;
        for (const PortUse& use : m_plan.groups)
            if (purpose.empty() || use.group.purpose == purpose)
                cables += (use.group.count - use.used) * cablesPerPort(m_part, use.group, medium.rawBandwidth);
        return cables;
    }
    /// The purpose whose free ports come first: the fabric's, then storage, then management.
    std::string purpose(const Medium& medium) const {
        for (const char* wish : {"compute", "any", "storage", "management"})
            if (!m_rented && free(medium, wish) > 0)
                return wish;
        return "any";
    }

private:
    const Node& m_node;
    const Part* m_part;
    PortPlan m_plan;
    bool m_rented = false;
    double m_network = 0;
};

const Medium* bestMedium(const FreeEnd& from, const FreeEnd& to, std::string_view familyInUse, const Catalog& catalog) {
    const Medium* best = nullptr;
    std::tuple<bool, double, bool> bestRank;
    for (const Catalog::Entry* entry : catalog.entries()) {
        const auto* medium = std::get_if<Medium>(&entry->part);
        if (!medium || medium->kind != "scale_out" || !from.takes(*medium) || !to.takes(*medium))
            continue;
        const bool free = from.free(*medium) > 0 && to.free(*medium) > 0;
        const std::string_view family = technologyFamily(medium->name);
        const bool usual = familyInUse.empty() ? family == "Ethernet" : family == familyInUse;
        const std::tuple rank(free, si(medium->rawBandwidth), usual);
        if (!best || rank > bestRank) {
            best = medium;
            bestRank = rank;
        }
    }
    return best;
}

/// The technology of links that end at one of both already.
std::string_view familyInUse(const LinkEnds& ends, const Node& from, const Node& to) {
    for (const Node* node : {&from, &to})
        for (const LinkEnd& end : ends.of(node->id))
            if (end.medium)
                return technologyFamily(end.medium->name);
    return {};
}

/// 0: machines; 1: switches that machines are cabled to; 2 and more: those above. Switches without links count as the highest.
int tierOf(const Alternative& alternative, const Node& node, const Catalog& catalog) {
    std::unordered_set<NodeId> reached;
    for (const Node& other : alternative.nodes)
        if (!catalog.find<Switch>(other.part))
            reached.insert(other.id);
    for (int tier = 0; tier < 16; ++tier) {
        if (reached.count(node.id))
            return tier;
        std::unordered_set<NodeId> next = reached;
        for (const Link& link : alternative.links) {
            if (reached.count(link.from))
                next.insert(link.to);
            if (reached.count(link.to))
                next.insert(link.from);
        }
        if (next.size() == reached.size())
            break;
        reached = std::move(next);
    }
    return std::numeric_limits<int>::max();
}

int lanesWithin(std::int64_t lanes) { return static_cast<int>(std::clamp<std::int64_t>(lanes, 1, maxLanes)); }

/// Leaves to spines: a mesh that carries upward what comes from below, as far as ports go.
void betweenSwitches(Link& link, const FreeEnd& lower, const FreeEnd& upper, const Medium& medium) {
    const std::int64_t n = lower.node().count, m = upper.node().count;
    double below = 0;
    bool onePurpose = true;
    for (const LinkEnd& end : lower.plan().ends) {
        if (end.atFrom)
            continue;
        onePurpose &= link.purpose == "any" || link.purpose == end.link->purpose;
        link.purpose = end.link->purpose;
        below += static_cast<double>(end.wanted);
    }
    if (!onePurpose)
        link.purpose = "any";
    std::int64_t up = lower.free(medium);
    if (below > 0)
        up = std::min(up, static_cast<std::int64_t>(std::ceil(below)));
    const std::int64_t lanes = std::min(up / m, upper.free(medium) / n);
    link.pattern = lanes >= 1 ? Pattern::mesh : Pattern::each;
    link.lanes = lanesWithin(lanes >= 1 ? lanes : std::min(up, upper.free(medium) * m / n));
}

/// Machines to switches: every free port of the kind, rail by rail where the switches allow.
void toSwitches(Link& link, const FreeEnd& machines, const FreeEnd& switches, const Medium& medium) {
    const std::int64_t n = machines.node().count, m = switches.node().count;
    link.purpose = machines.purpose(medium);
    const std::int64_t ports = machines.free(medium, link.purpose == "any" ? std::string_view() : std::string_view(link.purpose));
    const std::int64_t room = switches.free(medium) * m / n;
    link.lanes = lanesWithin(std::min(ports, room));
    link.pattern = link.lanes > 1 && m % link.lanes == 0 && link.purpose == "compute" ? Pattern::rail : Pattern::each;
}

} // namespace

Expected<PartId> proposeMedium(const Alternative& alternative, const Node& from, const Node& to, const Catalog& catalog) {
    const LinkEnds ends(alternative, catalog);
    const FreeEnd a(from, ends, catalog), b(to, ends, catalog);
    for (const FreeEnd* end : {&a, &b})
        if (!end->hasPorts())
            return fail({"node " + end->node().id.value, "a part with network ports", end->node().part.value,
                         "The part names no ports."});
    if (const Medium* medium = bestMedium(a, b, familyInUse(ends, from, to), catalog))
        return medium->id;
    return fail({"nodes " + from.id.value + " and " + to.id.value, "ports of one technology and speed",
                 from.part.value + " and " + to.part.value, "No link technology fits the ports of both ends."});
}

Link proposeLink(const Alternative& alternative, const Node& from, const Node& to, const Catalog& catalog) {
    const int fromTier = tierOf(alternative, from, catalog), toTier = tierOf(alternative, to, catalog);
    const bool turned = toTier < fromTier;
    const Node& lower = turned ? to : from;
    const Node& upper = turned ? from : to;
    Link link;
    link.from = lower.id;
    link.to = upper.id;
    if (const auto medium = proposeMedium(alternative, lower, upper, catalog))
        link.medium = *medium;
    if (lower.id == upper.id) {
        link.pattern = Pattern::ring;
        return link;
    }
    const Medium* medium = catalog.find<Medium>(link.medium);
    if (!medium)
        return link;
    const LinkEnds ends(alternative, catalog);
    const FreeEnd a(lower, ends, catalog), b(upper, ends, catalog);
    if (a.isSwitch())
        betweenSwitches(link, a, b, *medium);
    else if (b.isSwitch())
        toSwitches(link, a, b, *medium);
    else
        link.pattern = lower.count == upper.count && lower.count > 1 ? Pattern::pair : Pattern::each;
    return link;
}

} // namespace cw
