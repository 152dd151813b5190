// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/network/switch_merge.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace cw {

namespace {

constexpr double slowCable = .15; // as in Fabric: another network, not a parallel path

class SwitchMerge {
public:
    SwitchMerge(const Fabric& fabric, const ExpandedGraph& graph)
        : m_fabric(fabric)
        , m_design(fabric.design())
        , m_graph(graph)
        , m_links(m_design.alternative->links) {
        m_network.routerOf.resize(graph.members.size());
        std::iota(m_network.routerOf.begin(), m_network.routerOf.end(), 0u);
        m_network.bandwidthOf.assign(graph.members.size(), 0);
        m_network.endLatencyOf.assign(graph.members.size(), 0);
    }

    MergedNetwork merge() {
        describePorts();
        mergeBlocks();
        collectEdges();
        while (mergeTwins())
            collectEdges();
        return std::move(m_network);
    }

private:
    const Machine& machineOf(std::uint32_t member) const { return m_design.machines[m_graph.members[member].node]; }
    std::uint32_t indexOf(const NodeId& id) const { return static_cast<std::uint32_t>(m_design.indexOf(id)); }

    void describePorts() {
        m_fastest.assign(m_design.machines.size(), 0);
        for (std::uint32_t i = 0; i < m_links.size(); ++i) {
            const Fabric::LinkCapacity& capacity = m_fabric.capacity(i);
            for (const NodeId* end : {&m_links[i].from, &m_links[i].to})
                if (m_links[i].purpose == "any" || m_links[i].purpose == "compute")
                    m_fastest[indexOf(*end)] = std::max(m_fastest[indexOf(*end)], capacity.perCable);
        }
        for (const ExpandedGraph::Cable& cable : m_graph.cables) {
            const Fabric::LinkCapacity& capacity = m_fabric.capacity(cable.link);
            for (const std::uint32_t end : {cable.from, cable.to}) {
                m_network.bandwidthOf[end] += capacity.perCable;
                // The end-to-end figure of a medium holds for one switch, two cables.
                if (!isDetour(cable.link))
                    m_network.endLatencyOf[end] =
                        std::max(m_network.endLatencyOf[end], std::max(0.0, capacity.endLatency / 2 - capacity.latency));
            }
        }
    }

    bool isDetour(std::uint32_t link) const {
        for (const NodeId* end : {&m_links[link].from, &m_links[link].to}) {
            const double fastest = m_fastest[indexOf(*end)];
            if (!sendsAndReceives(m_design.machines[indexOf(*end)]) || fastest <= 0)
                continue;
            const bool bulk = m_links[link].purpose == "any" || m_links[link].purpose == "compute";
            if (!bulk || m_fabric.capacity(link).perCable < slowCable * fastest)
                return true;
        }
        return false;
    }

    /// Of each stack: steps from the machines.
    std::vector<int> levels() const {
        std::vector<int> level(m_design.machines.size(), -1);
        std::vector<std::uint32_t> queue;
        for (std::uint32_t node = 0; node < level.size(); ++node)
            if (sendsAndReceives(m_design.machines[node])) {
                level[node] = 0;
                queue.push_back(node);
            }
        for (std::size_t head = 0; head < queue.size(); ++head)
            for (const Link& link : m_links) {
                const std::uint32_t a = indexOf(link.from), b = indexOf(link.to);
                const std::uint32_t other = a == queue[head] ? b : b == queue[head] ? a : queue[head];
                if (level[other] < 0) {
                    level[other] = level[queue[head]] + 1;
                    queue.push_back(other);
                }
            }
        return level;
    }

    /// Members of one switch stack above the same block of machines.
    void mergeBlocks() {
        const std::vector<int> level = levels();
        for (std::uint32_t stack = 0; stack < level.size(); ++stack) {
            if (level[stack] < 1 || m_design.machines[stack].count < 2)
                continue;
            std::vector<char> below(level.size(), 0); // stacks on the way down
            below[stack] = 1;
            for (int at = level[stack]; at > 0; --at)
                for (const Link& link : m_links)
                    for (const auto& [high, low] : {std::pair(indexOf(link.from), indexOf(link.to)),
                                                    std::pair(indexOf(link.to), indexOf(link.from))})
                        if (below[high] && level[high] == at && level[low] == at - 1)
                            below[low] = 1;
            std::vector<std::uint32_t> parent(m_graph.members.size());
            std::iota(parent.begin(), parent.end(), 0u);
            const auto root = [&](std::uint32_t member) {
                while (parent[member] != member)
                    member = parent[member] = parent[parent[member]];
                return member;
            };
            for (const ExpandedGraph::Cable& cable : m_graph.cables) {
                const std::uint32_t a = m_graph.members[cable.from].node, b = m_graph.members[cable.to].node;
                if (below[a] && below[b] && level[a] != level[b])
                    parent[root(cable.to)] = root(cable.from);
            }
            std::map<std::uint32_t, std::uint32_t> first;
            const std::uint32_t begin = m_graph.firstMember[stack];
            for (std::uint32_t i = 0; i < m_design.machines[stack].count; ++i)
                m_network.routerOf[begin + i] = first.emplace(root(begin + i), begin + i).first->second;
        }
    }

    void collectEdges() {
        std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, MergedNetwork::Edge> edges;
        std::vector<char> detour(m_links.size());
        for (std::uint32_t i = 0; i < m_links.size(); ++i)
            detour[i] = isDetour(i);
        for (const ExpandedGraph::Cable& cable : m_graph.cables) {
            const Fabric::LinkCapacity& capacity = m_fabric.capacity(cable.link);
            const std::uint32_t from = m_network.routerOf[cable.from], to = m_network.routerOf[cable.to];
            if (from == to || !(capacity.perCable > 0))
                continue;
            MergedNetwork::Edge& edge = edges[{std::min(from, to), std::max(from, to), detour[cable.link]}];
            if (edge.links.empty()) {
                edge.from = from;
                edge.to = to;
                edge.detour = detour[cable.link];
            }
            edge.bandwidth += capacity.perCable;
            edge.latency = std::max(edge.latency, capacity.latency + capacity.borderLatency);
            if (std::find(edge.links.begin(), edge.links.end(), cable.link) == edge.links.end())
                edge.links.push_back(cable.link);
        }
        // A pair with a main way needs no detour beside it.
        m_network.edges.clear();
        for (auto& [key, edge] : edges)
            if (!edge.detour || !edges.contains({std::get<0>(key), std::get<1>(key), false}))
                m_network.edges.push_back(std::move(edge));
    }

    /// Switches with the same neighbours, as far from each, over as much bandwidth.
    bool mergeTwins() {
        using Neighbour = std::tuple<std::uint32_t, double, double, bool>;
        std::vector<std::vector<Neighbour>> neighbours(m_graph.members.size());
        for (const MergedNetwork::Edge& edge : m_network.edges)
            for (const auto& [at, other] : {std::pair(edge.from, edge.to), std::pair(edge.to, edge.from)})
                neighbours[at].emplace_back(other, edge.bandwidth, edge.latency, edge.detour);
        std::map<std::vector<Neighbour>, std::uint32_t> kinds;
        std::vector<std::uint32_t> becomes(m_graph.members.size());
        std::iota(becomes.begin(), becomes.end(), 0u);
        bool merged = false;
        for (std::uint32_t member = 0; member < becomes.size(); ++member) {
            if (m_network.routerOf[member] != member || neighbours[member].empty() || sendsAndReceives(machineOf(member)))
                continue;
            std::sort(neighbours[member].begin(), neighbours[member].end());
            becomes[member] = kinds.emplace(std::move(neighbours[member]), member).first->second;
            merged |= becomes[member] != member;
        }
        for (std::uint32_t& router : m_network.routerOf)
            router = becomes[router];
        return merged;
    }

    const Fabric& m_fabric;
    const ResolvedDesign& m_design;
    const ExpandedGraph& m_graph;
    const std::vector<Link>& m_links;
    std::vector<double> m_fastest; ///< by node: fastest cable of the network for bulk traffic
    MergedNetwork m_network;
};

} // namespace

bool sendsAndReceives(const Machine& machine) {
    return machine.kind != MachineKind::switchBox && machine.kind != MachineKind::unknown;
}

MergedNetwork mergeSwitches(const Fabric& fabric, const ExpandedGraph& graph) { return SwitchMerge(fabric, graph).merge(); }

} // namespace cw
