// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/estimators/expanded_loads.h"

#include <algorithm>
#include <map>

namespace cw::test {

namespace {

struct Edge {
    std::uint32_t to, cable;
    bool forward;
};

std::vector<int> distancesTo(std::uint32_t target, const std::vector<std::vector<Edge>>& edges,
                             const std::vector<char>& forwards) {
    std::vector<int> distance(edges.size(), -1);
    std::vector<std::uint32_t> queue{target};
    distance[target] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const std::uint32_t at = queue[head];
        if (at != target && !forwards[at])
            continue;
        for (const Edge& edge : edges[at])
            if (distance[edge.to] < 0) {
                distance[edge.to] = distance[at] + 1;
                queue.push_back(edge.to);
            }
    }
    return distance;
}

} // namespace

std::vector<std::pair<double, double>> expandedLoads(const ExpandedGraph& graph, const ResolvedDesign& design,
                                                     const std::vector<Flow>& flows) {
    std::vector<std::vector<Edge>> edges(graph.members.size());
    for (std::uint32_t i = 0; i < graph.cables.size(); ++i) {
        const ExpandedGraph::Cable& cable = graph.cables[i];
        edges[cable.from].push_back({cable.to, i, true});
        edges[cable.to].push_back({cable.from, i, false});
    }
    std::vector<char> forwards(graph.members.size());
    for (std::size_t i = 0; i < forwards.size(); ++i)
        forwards[i] = design.machines[graph.members[i].node].kind == MachineKind::switchBox;

    std::vector<std::pair<double, double>> loads(design.alternative->links.size());
    std::map<std::uint32_t, std::vector<Flow>> byTarget;
    for (const Flow& flow : flows)
        byTarget[flow.to].push_back(flow);
    for (const auto& [target, arriving] : byTarget) {
        const std::vector<int> distance = distancesTo(target, edges, forwards);
        std::vector<double> amount(edges.size(), 0);
        for (const Flow& flow : arriving)
            amount[flow.from] += flow.bytes;
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < distance.size(); ++i)
            if (distance[i] > 0)
                order.push_back(i);
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return distance[a] > distance[b]; });
        for (const std::uint32_t at : order) {
            if (amount[at] <= 0)
                continue;
            const auto next = [&](const Edge& edge) {
                return distance[edge.to] == distance[at] - 1 && (edge.to == target || forwards[edge.to]);
            };
            const auto ways = static_cast<double>(std::count_if(edges[at].begin(), edges[at].end(), next));
            for (const Edge& edge : edges[at])
                if (next(edge)) {
                    const double part = amount[at] / ways;
                    auto& [forward, backward] = loads[graph.cables[edge.cable].link];
                    (edge.forward ? forward : backward) += part;
                    amount[edge.to] += part;
                }
        }
    }
    return loads;
}

} // namespace cw::test
