// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/network/tier_builder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cw {

namespace {

constexpr std::size_t maxTiers = 8;
constexpr std::size_t maxRoutedStacks = 32; // a route for each pair of them
constexpr double wideAreaLatency = 50e-6; // borders slower than this are zones, regions and clouds, not rooms

bool carriesTransit(const Machine& machine) {
    return machine.kind == MachineKind::switchBox || machine.kind == MachineKind::unknown;
}

/// Ways of uniform flows on a ring or torus: along an axis of k members to all others ⌊k²/4⌋/k links in the mean, both directions alike.
/// Returns the load of the fullest axis over the mean of all links.
double setHops(FabricTier& tier, const Link& link, double members) {
    if (members < 2 || (link.pattern != Pattern::ring && link.pattern != Pattern::torus))
        return 1;
    std::vector<double> axes(link.dimensions.begin(), link.dimensions.end());
    if (link.pattern == Pattern::ring)
        axes = {members};
    double hops = 0, ports = 0, fullest = 0;
    for (const double size : axes) {
        if (size < 2)
            continue;
        const double along = std::floor(size * size / 4) / size * members / (members - 1), here = size > 2 ? 2 : 1;
        hops += along;
        ports += here;
        fullest = std::max(fullest, along / here);
    }
    tier.meanHops = std::max(tier.meanHops, hops);
    return hops > 0 ? fullest * ports / hops : 1;
}

} // namespace

TierBuilder::TierBuilder(const Fabric& fabric, std::span<const std::uint32_t> nodes, std::span<const double> devices)
    : m_fabric(fabric)
    , m_nodes(nodes)
    , m_devices(devices)
    , m_total(std::accumulate(devices.begin(), devices.end(), 0.0)) {}

void TierBuilder::reset() {
    const std::size_t nodeCount = m_fabric.design().machines.size();
    m_level.assign(nodeCount, -1);
    m_parent.resize(nodeCount);
    std::iota(m_parent.begin(), m_parent.end(), 0u);
    m_blocks.assign(nodeCount, 0);
    m_seen.assign(m_fabric.design().alternative->links.size(), 0);
    m_flow.assign(nodeCount, 0);
    m_leads.assign(nodeCount, 0);
    m_tiers.clear();
    m_rises = 0;
    for (const std::uint32_t node : m_nodes)
        m_level[node] = 0;
}

std::uint32_t TierBuilder::root(std::uint32_t node) {
    while (m_parent[node] != node)
        node = m_parent[node] = m_parent[m_parent[node]];
    return node;
}

void TierBuilder::unite(std::uint32_t a, std::uint32_t b, std::int64_t blocks) {
    const std::uint32_t ra = root(a), rb = root(b);
    const std::int64_t g = std::gcd(std::gcd(m_blocks[ra], m_blocks[rb]), blocks);
    m_parent[rb] = ra;
    m_blocks[ra] = g;
}

std::vector<TierBuilder::TierLink> TierBuilder::findLinksInside(const std::vector<std::uint32_t>& frontier) {
    std::vector<TierLink> links;
    for (const std::uint32_t node : frontier)
        for (const Fabric::Adjacent& edge : m_fabric.adjacent(node)) {
            if (edge.node != node || m_seen[edge.link] || !m_fabric.usable(edge.link, m_purpose, m_choice, m_fastest))
                continue;
            m_seen[edge.link] = 1;
            links.push_back({edge.link, node, node, true, false});
        }
    return links;
}

std::vector<TierBuilder::TierLink> TierBuilder::findLinks(int k, const std::vector<std::uint32_t>& frontier,
                                                          std::vector<std::uint32_t>& next) {
    std::vector<TierLink> links;
    for (const std::uint32_t node : frontier)
        for (const Fabric::Adjacent& edge : m_fabric.adjacent(node)) {
            if (m_seen[edge.link] || !m_fabric.usable(edge.link, m_purpose, m_choice, m_fastest))
                continue;
            int& level = m_level[edge.node];
            if (level == -1 && carriesTransit(m_fabric.design().machines[edge.node])) {
                level = k;
                next.push_back(edge.node);
            }
            if (level != k && level != k - 1)
                continue;
            m_seen[edge.link] = 1;
            links.push_back({edge.link, node, edge.node, edge.forward, level == k});
        }
    return links;
}

/// Of the stack whose blocks are the smallest.
double TierBuilder::devicesPerBlock() {
    for (const std::uint32_t node : m_nodes)
        m_flow[root(node)] = 0;
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
        m_flow[root(m_nodes[i])] += m_devices[i];
    double smallest = m_total;
    for (const std::uint32_t node : m_nodes) {
        const std::uint32_t r = root(node);
        const auto members = m_fabric.design().machines[node].count;
        const std::int64_t blocks = m_blocks[r] > 0 ? m_blocks[r] : std::max<std::int64_t>(members, 1);
        smallest = std::min(smallest, m_flow[r] / static_cast<double>(blocks));
    }
    return smallest;
}

bool TierBuilder::allTogether() {
    const std::uint32_t first = root(m_nodes.front());
    return m_blocks[first] == 1 &&
        std::all_of(m_nodes.begin(), m_nodes.end(), [&](std::uint32_t node) { return root(node) == first; });
}

void TierBuilder::addClimb(FabricTier& tier, const TierLink& link, double fraction) const {
    if (link.low == link.high) { // a ring or torus uses both of its directions
        tier.climb.push_back({link.link, true, false, fraction / 2});
        tier.climb.push_back({link.link, false, false, fraction / 2});
    } else {
        tier.climb.push_back({link.link, link.forward, link.rising, fraction});
    }
}

/// Splits what every device sends over the links that lead to the last tier found, at each stack by capacity.
void TierBuilder::fillClimb(FabricTier& tier) {
    const std::size_t top = m_tiers.size();
    std::fill(m_leads.begin(), m_leads.end(), 0);
    std::fill(m_flow.begin(), m_flow.end(), 0.0);
    for (const TierLink& link : m_tiers[top - 1]) {
        m_leads[link.low] = 1;
        if (!link.rising)
            m_leads[link.high] = 1;
    }
    for (std::size_t j = top - 1; j-- > 0;)
        for (const TierLink& link : m_tiers[j])
            if (link.rising && m_leads[link.high])
                m_leads[link.low] = 1;
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
        if (m_leads[m_nodes[i]])
            m_flow[m_nodes[i]] += m_devices[i] / m_total;

    for (std::size_t j = 0; j < top; ++j) {
        std::vector<std::pair<TierLink, bool>> ways; // link, seen from its high end
        for (const TierLink& link : m_tiers[j]) {
            if (j + 1 == top || (link.rising && m_leads[link.high]))
                ways.emplace_back(link, false);
            if (j + 1 == top && !link.rising && link.low != link.high)
                ways.emplace_back(TierLink{link.link, link.high, link.low, !link.forward, false}, true);
        }
        std::sort(ways.begin(), ways.end(), [](const auto& a, const auto& b) { return a.first.low < b.first.low; });
        for (auto begin = ways.begin(); begin != ways.end();) {
            const std::uint32_t node = begin->first.low;
            const auto end = std::find_if(begin, ways.end(), [&](const auto& way) { return way.first.low != node; });
            double capacity = 0;
            for (auto at = begin; at != end; ++at)
                capacity += m_fabric.capacity(at->first.link).bytesPerSecond;
            for (auto at = begin; at != end && m_flow[node] > 0 && capacity > 0; ++at) {
                const double fraction = m_flow[node] * m_fabric.capacity(at->first.link).bytesPerSecond / capacity;
                if (fraction <= 0)
                    continue;
                addClimb(tier, at->first, fraction);
                if (at->first.rising)
                    m_flow[at->first.high] += fraction;
            }
            begin = end;
        }
    }
}

bool TierBuilder::fillClimbByRoutes(FabricTier& tier) const {
    const std::vector<TierLink>& links = m_tiers.back();
    const bool direct = std::none_of(links.begin(), links.end(), [](const TierLink& link) { return link.rising; }) &&
        std::any_of(links.begin(), links.end(), [](const TierLink& link) { return link.low != link.high; });
    if (!direct || m_nodes.size() < 2 || m_nodes.size() > maxRoutedStacks)
        return false;
    std::vector<Climb> climb;
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
        for (std::size_t j = 0; j < m_nodes.size(); ++j) {
            if (i == j)
                continue;
            const std::optional<Route> route = m_fabric.route(m_nodes[i], m_nodes[j], m_purpose);
            if (!route)
                return false;
            const double share = m_devices[i] / m_total * m_devices[j] / (m_total - m_devices[i]);
            for (const Route::Hop& hop : route->hops) {
                const auto found = std::find_if(climb.begin(), climb.end(), [&](const Climb& step) {
                    return step.link == hop.link && step.forward == hop.forward;
                });
                if (found != climb.end())
                    found->fraction += share * hop.fraction;
                else
                    climb.push_back({hop.link, hop.forward, false, share * hop.fraction});
            }
            tier.hops = std::max(tier.hops, route->switches);
        }
    tier.climb = std::move(climb);
    return true;
}

bool TierBuilder::everySwitchReduces() const {
    for (std::size_t node = 0; node < m_level.size(); ++node) {
        const Machine& machine = m_fabric.design().machines[node];
        if (m_level[node] > 0 && (!machine.switchBox || !machine.switchBox->inNetworkReduction))
            return false;
    }
    return true;
}

void TierBuilder::describe(FabricTier& tier, const std::vector<FabricTier>& below) const {
    const std::vector<Link>& drawn = m_fabric.design().alternative->links;
    const std::size_t top = m_tiers.size();
    bool rising = false, loop = true, ring = true, torus = true, rail = top == 1;
    double hop = 0, imbalance = 1;
    for (const TierLink& link : m_tiers[top - 1]) {
        tier.links.push_back(link.link);
        rising |= link.rising;
        loop &= link.low == link.high;
        ring &= drawn[link.link].pattern == Pattern::ring;
        torus &= drawn[link.link].pattern == Pattern::torus;
        rail &= drawn[link.link].pattern == Pattern::rail;
        hop = std::max(hop, m_fabric.capacity(link.link).latency);
        const auto members = static_cast<double>(m_fabric.design().machines[link.low].count);
        if (link.low != link.high)
            continue;
        imbalance = std::max(imbalance, setHops(tier, drawn[link.link], members));
    }
    double end = 0, bandwidth = 0, nominal = 0, line = 0;
    const auto narrower = [](double& least, double rate) { least = least > 0 ? std::min(least, rate) : rate; };
    tier.collectiveEfficiency = tier.climb.empty() ? 0 : 1;
    for (const Climb& step : tier.climb) {
        const Fabric::LinkCapacity& capacity = m_fabric.capacity(step.link);
        const double perDevice = 1 / (step.fraction * m_total);
        narrower(bandwidth, capacity.bytesPerSecond * perDevice);
        narrower(nominal, capacity.nominal * perDevice);
        narrower(line, capacity.line * perDevice);
        end = std::max(end, capacity.endLatency);
        tier.borderLatency = std::max(tier.borderLatency, capacity.borderLatency);
        tier.collectiveEfficiency = std::min(tier.collectiveEfficiency, capacity.collectiveEfficiency);
        tier.rdma &= capacity.rdma;
    }
    tier.bandwidthPerDevice = bandwidth / imbalance; // the longest axis sets the pace
    tier.nominalPerDevice = nominal / imbalance;
    tier.linePerDevice = line / imbalance;
    tier.rail = rail;
    tier.inNetworkReduction = rising && everySwitchReduces();
    const FabricTier* previous = !below.empty() && below.back().network() ? &below.back() : nullptr;
    const double inner = previous ? previous->latency - previous->borderLatency : end;
    // Up and down again, or along the links of a direct network; the end-to-end figure has one hop in it.
    const double further = !previous ? tier.meanHops - 1 : rising ? 2 : tier.meanHops;
    tier.latency = inner + further * hop + tier.borderLatency;
    const double innerWire = previous ? previous->wireLatency - previous->borderLatency : std::min(hop, end);
    tier.wireLatency = innerWire + further * hop + tier.borderLatency;
    if (tier.hops == 0)
        tier.hops = rising ? 2 * m_rises - 1 : 2 * m_rises;
    static constexpr const char* names[] = {"leaf", "spine", "core", "super-core"};
    if (loop && (ring || torus))
        tier.name = ring ? "ring" : "torus";
    else if (tier.borderLatency > wideAreaLatency && (!previous || previous->borderLatency <= wideAreaLatency))
        tier.name = "frame";
    else
        tier.name = !rising ? "direct" : names[std::min<std::size_t>(static_cast<std::size_t>(m_rises), std::size(names)) - 1];
}

bool TierBuilder::build(std::string_view purpose, Fabric::Choice choice, std::vector<FabricTier>& tiers) {
    m_purpose = purpose;
    m_choice = choice;
    m_fastest = m_fabric.fastestCable(m_nodes, choice == Fabric::Choice::all ? "any" : purpose);
    reset();
    std::vector<std::uint32_t> frontier(m_nodes.begin(), m_nodes.end());
    const std::size_t inside = tiers.size();
    bool together = false;
    for (int level = 1; m_tiers.size() < maxTiers && !frontier.empty();) {
        std::vector<std::uint32_t> next;
        std::vector<TierLink> links = findLinksInside(frontier);
        const bool insideStacks = !links.empty();
        if (!insideStacks)
            links = findLinks(level, frontier, next);
        if (links.empty())
            break;
        m_rises += std::any_of(links.begin(), links.end(), [](const TierLink& link) { return link.rising; });
        for (const TierLink& link : links)
            unite(link.low, link.high, m_fabric.m_blocks[link.link]);
        m_tiers.push_back(std::move(links));
        FabricTier tier;
        tier.devicesPerBlock = std::max(devicesPerBlock(), tiers.empty() ? 1.0 : tiers.back().devicesPerBlock);
        if (!fillClimbByRoutes(tier))
            fillClimb(tier);
        describe(tier, tiers);
        tiers.push_back(std::move(tier));
        tiers.back().oversubscription = tiers.back().bandwidthPerDevice > 0
            ? std::max(1.0, tiers[inside].bandwidthPerDevice / tiers.back().bandwidthPerDevice)
            : 1;
        if (together) // the tier above the rails, which only traffic between rails needs
            return true;
        together = allTogether();
        if (together && !tiers.back().rail)
            return true;
        if (!insideStacks) {
            frontier = std::move(next);
            ++level;
        }
    }
    return together;
}

} // namespace cw
