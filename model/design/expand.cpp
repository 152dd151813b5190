// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/design/expand.h"

#include "model/assert.h"

#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace cw {
namespace {

using Pairs = std::vector<MemberPair>;

tl::unexpected<Error> patternFault(const Link& link, std::string expected, std::string found, std::string message) {
    return fail({"link " + link.id.value, std::move(expected), std::move(found), std::move(message)});
}

void add(Pairs& pairs, std::int64_t from, std::int64_t to, std::int64_t lanes) {
    pairs.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), static_cast<std::uint32_t>(lanes)});
}

/// Lanes at least as many as members of `to`: cables go round all of them, each member of `from` going on where the last one ended.
void roundRobin(Pairs& pairs, std::int64_t n, std::int64_t m, std::int64_t lanes) {
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t k = 0; k < m; ++k)
            add(pairs, i, (i * lanes + k) % m, lanes / m + (k < lanes % m ? 1 : 0));
}

/// Fewer lanes than members of `to`: blocks where the lanes divide m, else a window that slides evenly over `to`.
void spread(Pairs& pairs, std::int64_t n, std::int64_t m, std::int64_t lanes) {
    const bool blocks = m % lanes == 0;
    const std::int64_t steps = blocks ? m / lanes : m;
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t first = i * steps / n * (blocks ? lanes : 1);
        for (std::int64_t k = 0; k < lanes; ++k)
            add(pairs, i, (first + k) % m, 1);
    }
}

void torus(Pairs& pairs, const std::vector<int>& dimensions, std::int64_t n, std::int64_t lanes) {
    std::int64_t stride = n;
    for (const int size : dimensions) {
        stride /= size;
        if (size == 1)
            continue;
        for (std::int64_t i = 0; i < n; ++i) {
            const std::int64_t place = i / stride % size;
            if (place + 1 < size)
                add(pairs, i, i + stride, lanes);
            else if (size > 2)
                add(pairs, i, i - place * stride, lanes);
        }
    }
}

/// The number of pairs before they are made, to hold it against the limit.
double pairCount(const Link& link, std::int64_t n, std::int64_t m) {
    const auto a = static_cast<double>(n), b = static_cast<double>(m);
    switch (link.pattern) {
    case Pattern::each:
        return a * std::min(static_cast<double>(link.lanes), b);
    case Pattern::mesh:
        return link.from == link.to ? a * (a - 1) / 2 : a * b;
    case Pattern::rail:
    case Pattern::plane:
        return a * link.lanes;
    case Pattern::pair:
    case Pattern::ring:
        return a;
    case Pattern::torus:
        return a * static_cast<double>(link.dimensions.size());
    }
    return 0;
}

} // namespace

Expected<void> checkPattern(const Link& link, std::int64_t fromCount, std::int64_t toCount) {
    const bool within = link.from == link.to;
    if (fromCount < 1 || toCount < 1 || fromCount > maxStackCount || toCount > maxStackCount)
        return patternFault(link, fmt::format("counts from 1 to {}", maxStackCount), fmt::format("{} and {}", fromCount, toCount),
                            "A stack has no members to cable.");
    if (link.lanes < 1 || link.lanes > maxLanes)
        return patternFault(link, fmt::format("1 to {} lanes", maxLanes), std::to_string(link.lanes),
                            "The number of lanes is out of range.");
    switch (link.pattern) {
    case Pattern::mesh:
        return {};
    case Pattern::each:
    case Pattern::rail:
    case Pattern::plane:
    case Pattern::pair:
        if (within)
            return patternFault(link, "mesh, ring or torus", std::string(name(link.pattern)),
                                "This pattern needs two different stacks.");
        if ((link.pattern == Pattern::rail || link.pattern == Pattern::plane) && toCount % link.lanes != 0)
            return patternFault(link, fmt::format("a multiple of {} members", link.lanes), std::to_string(toCount),
                                "A rail link needs one member of the far stack for each port, or a multiple of that.");
        if (link.pattern == Pattern::plane && fromCount % (toCount / link.lanes) != 0)
            return patternFault(link, fmt::format("a multiple of {} members", toCount / link.lanes), std::to_string(fromCount),
                                "A plane link needs as many members for each plane.");
        if (link.pattern == Pattern::pair && fromCount != toCount)
            return patternFault(link, fmt::format("{} members on both ends", fromCount), std::to_string(toCount),
                                "A pair link needs as many members on one end as on the other.");
        return {};
    case Pattern::ring:
    case Pattern::torus:
        break;
    }
    if (!within)
        return patternFault(link, "one stack on both ends", link.from.value + " and " + link.to.value,
                            "Rings and tori are drawn within one stack.");
    if (link.pattern == Pattern::ring)
        return {};
    double product = link.dimensions.empty() ? 0 : 1;
    for (const int size : link.dimensions)
        product *= std::max(size, 0);
    if (product != static_cast<double>(fromCount))
        return patternFault(link, fmt::format("dimensions whose product is {}", fromCount), fmt::format("{:.0f}", product),
                            "The dimensions of the torus do not make up its members.");
    return {};
}

Expected<Pairs> memberPairs(const Link& link, std::int64_t fromCount, std::int64_t toCount, std::size_t limit) {
    if (const auto fits = checkPattern(link, fromCount, toCount); !fits)
        return fail(fits.error());
    const double expected = pairCount(link, fromCount, toCount);
    if (expected > static_cast<double>(limit))
        return patternFault(link, fmt::format("at most {} connected pairs", limit), fmt::format("{:.0f}", expected),
                            "The link is too large to be drawn out.");
    Pairs pairs;
    pairs.reserve(static_cast<std::size_t>(expected));
    const std::int64_t n = fromCount, m = toCount, lanes = link.lanes;
    switch (link.pattern) {
    case Pattern::each:
        lanes >= m ? roundRobin(pairs, n, m, lanes) : spread(pairs, n, m, lanes);
        break;
    case Pattern::rail:
        spread(pairs, n, m, lanes);
        break;
    case Pattern::plane:
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t k = 0; k < lanes; ++k)
                add(pairs, i, i % (m / lanes) * lanes + k, 1);
        break;
    case Pattern::mesh:
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = link.from == link.to ? i + 1 : 0; j < m; ++j)
                add(pairs, i, j, lanes);
        break;
    case Pattern::pair:
        for (std::int64_t i = 0; i < n; ++i)
            add(pairs, i, i, lanes);
        break;
    case Pattern::ring:
        for (std::int64_t i = 0; i + 1 < n; ++i)
            add(pairs, i, i + 1, lanes);
        if (n > 2)
            add(pairs, n - 1, 0, lanes);
        break;
    case Pattern::torus:
        torus(pairs, link.dimensions, n, lanes);
        break;
    }
    return pairs;
}

std::int64_t blockCount(const Link& link, std::int64_t fromCount, std::int64_t toCount) {
    switch (link.pattern) {
    case Pattern::each:
    case Pattern::rail:
        return std::clamp<std::int64_t>(toCount / std::max(link.lanes, 1), 1, std::max<std::int64_t>(fromCount, 1));
    case Pattern::pair:
        return std::max<std::int64_t>(1, std::min(fromCount, toCount));
    case Pattern::mesh:
    case Pattern::ring:
    case Pattern::torus:
    case Pattern::plane: // whatever block lies below has members in every plane
        break;
    }
    return 1;
}

Expected<ExpandedGraph> expand(const Alternative& alternative, std::size_t maxCables) {
    ExpandedGraph graph;
    std::unordered_map<NodeId, std::uint32_t> indexOf;
    for (std::uint32_t index = 0; index < alternative.nodes.size(); ++index) {
        const Node& node = alternative.nodes[index];
        if (node.count < 1 || graph.members.size() + static_cast<std::size_t>(node.count) > maxCables)
            return fail({"node " + node.id.value, fmt::format("at most {} machines in all", maxCables),
                         std::to_string(node.count), "The design is too large to be drawn out."});
        indexOf.emplace(node.id, index);
        graph.firstMember.push_back(static_cast<std::uint32_t>(graph.members.size()));
        for (std::uint32_t member = 0; member < node.count; ++member)
            graph.members.push_back({index, member});
    }
    std::vector<std::uint32_t> ports(graph.members.size(), 0);
    for (std::uint32_t linkIndex = 0; linkIndex < alternative.links.size(); ++linkIndex) {
        const Link& link = alternative.links[linkIndex];
        const auto from = indexOf.find(link.from), to = indexOf.find(link.to);
        if (from == indexOf.end() || to == indexOf.end())
            return patternFault(link, "two stacks of the design", link.from.value + " and " + link.to.value,
                                "The link ends at a stack that does not exist.");
        const auto pairs =
            memberPairs(link, alternative.nodes[from->second].count, alternative.nodes[to->second].count, maxCables);
        if (!pairs)
            return fail(pairs.error());
        std::uint64_t cables = graph.cables.size();
        for (const MemberPair& pair : *pairs)
            cables += pair.lanes;
        if (cables > maxCables)
            return patternFault(link, fmt::format("at most {} cables in all", maxCables), std::to_string(cables),
                                "The design is too large to be drawn out.");
        graph.cables.reserve(static_cast<std::size_t>(cables));
        // Pairs of one member of `from` stand together; its cables take turns over them, so that port r meets the same rail everywhere.
        for (std::size_t begin = 0; begin < pairs->size();) {
            std::size_t end = begin;
            std::uint32_t turns = 0;
            for (; end < pairs->size() && (*pairs)[end].from == (*pairs)[begin].from; ++end)
                turns = std::max(turns, (*pairs)[end].lanes);
            for (std::uint32_t turn = 0; turn < turns; ++turn)
                for (std::size_t at = begin; at < end; ++at) {
                    const MemberPair& pair = (*pairs)[at];
                    if (turn >= pair.lanes)
                        continue;
                    const std::uint32_t a = graph.firstMember[from->second] + pair.from,
                                        b = graph.firstMember[to->second] + pair.to;
                    const std::uint32_t fromPort = ports[a]++, toPort = ports[b]++;
                    if (std::max(fromPort, toPort) > 0xffff)
                        return patternFault(link, "at most 65536 cables on one machine", "more",
                                            "The design is too large to be drawn out.");
                    graph.cables.push_back(
                        {a, b, linkIndex, static_cast<std::uint16_t>(fromPort), static_cast<std::uint16_t>(toPort)});
                }
            begin = end;
        }
    }
    return graph;
}

} // namespace cw
