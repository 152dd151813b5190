// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shortest ways between two stacks on the quotient graph. A walk over links whose block counts have greatest common divisor g connects
// 1/g of the member pairs; longer walks carry the rest (servers below one leaf meet there, all others over the spine).
#include "estimators/network/fabric.h"

#include <algorithm>
#include <numeric>

namespace cw {

class RouteFinder {
public:
    RouteFinder(const Fabric& fabric, std::uint32_t from, std::uint32_t to, std::string_view purpose, Fabric::Choice choice)
        : m_fabric(fabric)
        , m_from(from)
        , m_to(to)
        , m_purpose(purpose)
        , m_choice(choice) {
        const std::uint32_t ends[] = {from, to};
        m_fastest =
            std::min(fabric.fastestCable(std::span(ends, 1), purpose), fabric.fastestCable(std::span(ends + 1, 1), purpose));
    }

    std::optional<Route> find() {
        m_best.assign(m_fabric.design().machines.size(), {});
        m_layers.push_back({State{m_from, 0, {}}});
        Route route;
        double covered = 0, loadPerByte = 0;
        for (int depth = 1; depth <= maxHops && covered < 1 && step(); ++depth) {
            std::int64_t blocks = 0;
            for (const State& state : m_layers.back())
                if (state.node == m_to)
                    blocks = blocks == 0 ? state.blocks : std::min(blocks, state.blocks);
            if (blocks == 0 || 1.0 / static_cast<double>(blocks) <= covered)
                continue;
            const double share = 1.0 / static_cast<double>(blocks) - covered;
            extract(blocks, share, route);
            route.switches = depth - 1;
            covered += share;
        }
        if (covered < 1 - 1e-12)
            return std::nullopt;
        route.rdma = true;
        double end = 0, border = 0, hops = 0, hopLatency = 0;
        for (const Route::Hop& hop : route.hops) {
            const Fabric::LinkCapacity& capacity = m_fabric.capacity(hop.link);
            loadPerByte = std::max(loadPerByte, hop.fraction / capacity.bytesPerSecond);
            end = std::max(end, capacity.endLatency);
            border = std::max(border, capacity.borderLatency);
            hops += hop.fraction;
            hopLatency += hop.fraction * capacity.latency;
            route.rdma &= capacity.rdma;
        }
        route.bandwidth = 1 / loadPerByte;
        // The end-to-end figure of a medium holds for one switch, two cables.
        route.latency = end + border + hopLatency * std::max(0.0, 1 - 2 / hops);
        return route;
    }

private:
    static constexpr int maxHops = 8;
    struct Step {
        std::uint32_t before; ///< index of the state in the layer before
        std::uint32_t link;
        bool forward;
    };
    struct State {
        std::uint32_t node;
        std::int64_t blocks; ///< gcd of the links so far; 0: none
        std::vector<Step> steps;
    };

    /// The states one link further; false when there are none.
    bool step() {
        std::vector<State> next;
        const std::vector<State>& layer = m_layers.back();
        for (std::uint32_t i = 0; i < layer.size(); ++i) {
            if (layer[i].node == m_to)
                continue;
            for (const Fabric::Adjacent& edge : m_fabric.adjacent(layer[i].node)) {
                if (!m_fabric.usable(edge.link, m_purpose, m_choice, m_fastest))
                    continue;
                // Within a stack only a mesh is one hop to every member.
                if (edge.node == layer[i].node && m_fabric.design().alternative->links[edge.link].pattern != Pattern::mesh)
                    continue;
                const Machine& machine = m_fabric.design().machines[edge.node];
                const bool transit = machine.kind == MachineKind::switchBox || machine.kind == MachineKind::unknown;
                const std::int64_t blocks = std::gcd(layer[i].blocks, m_fabric.m_blocks[edge.link]);
                if ((edge.node != m_to && !transit) || edge.node == m_from || reachedBefore(edge.node, blocks))
                    continue;
                auto found = std::find_if(next.begin(), next.end(),
                                          [&](const State& s) { return s.node == edge.node && s.blocks == blocks; });
                if (found == next.end())
                    found = next.insert(next.end(), State{edge.node, blocks, {}});
                found->steps.push_back({i, edge.link, edge.forward});
            }
        }
        for (const State& state : next)
            m_best[state.node].push_back(state.blocks);
        m_layers.push_back(std::move(next));
        return !m_layers.back().empty();
    }

    /// Something at least as wide came here over fewer links.
    bool reachedBefore(std::uint32_t node, std::int64_t blocks) const {
        return std::any_of(m_best[node].begin(), m_best[node].end(), [&](std::int64_t other) { return blocks % other == 0; });
    }

    void extract(std::int64_t blocks, double share, Route& route) const {
        const std::size_t depth = m_layers.size() - 1;
        std::vector<std::vector<char>> wanted(depth + 1);
        for (std::size_t d = 0; d <= depth; ++d)
            wanted[d].assign(m_layers[d].size(), 0);
        for (std::size_t i = 0; i < m_layers[depth].size(); ++i)
            wanted[depth][i] = m_layers[depth][i].node == m_to && m_layers[depth][i].blocks == blocks;
        for (std::size_t d = depth; d > 0; --d)
            for (std::size_t i = 0; i < m_layers[d].size(); ++i)
                if (wanted[d][i])
                    for (const Step& step : m_layers[d][i].steps)
                        wanted[d - 1][step.before] = 1;
        std::vector<double> flow(m_layers[0].size(), share);
        for (std::size_t d = 0; d < depth; ++d) {
            std::vector<double> capacity(m_layers[d].size(), 0), next(m_layers[d + 1].size(), 0);
            const auto each = [&](auto&& visit) {
                for (std::size_t i = 0; i < m_layers[d + 1].size(); ++i)
                    if (wanted[d + 1][i])
                        for (const Step& step : m_layers[d + 1][i].steps)
                            visit(i, step, width(step.link));
            };
            each([&](std::size_t, const Step& step, double wide) { capacity[step.before] += wide; });
            each([&](std::size_t i, const Step& step, double wide) {
                const double fraction = flow[step.before] * wide / capacity[step.before];
                next[i] += fraction;
                add(route, step, fraction);
            });
            flow = std::move(next);
        }
    }

    /// What a link offers to the flows that choose it: all of its cables lead on, but in a mesh within a stack only those to one member.
    double width(std::uint32_t index) const {
        const Link& link = m_fabric.design().alternative->links[index];
        const double all = m_fabric.capacity(index).bytesPerSecond;
        if (link.from != link.to)
            return all;
        const Machine* machine = m_fabric.design().machine(link.from);
        return machine && machine->count > 1 ? all * 2 / static_cast<double>(machine->count - 1) : all;
    }

    void add(Route& route, const Step& step, double fraction) const {
        if (fraction <= 0)
            return;
        const Link& link = m_fabric.design().alternative->links[step.link];
        if (link.from == link.to) { // among the members of a stack: as much one way as the other
            addHop(route, step.link, true, fraction / 2);
            addHop(route, step.link, false, fraction / 2);
        } else {
            addHop(route, step.link, step.forward, fraction);
        }
    }

    static void addHop(Route& route, std::uint32_t link, bool forward, double fraction) {
        const auto found = std::find_if(route.hops.begin(), route.hops.end(), [&](const Route::Hop& hop) {
            return hop.link == link && hop.forward == forward;
        });
        if (found != route.hops.end())
            found->fraction += fraction;
        else
            route.hops.push_back({link, forward, fraction});
    }

    const Fabric& m_fabric;
    std::uint32_t m_from, m_to;
    std::string_view m_purpose;
    Fabric::Choice m_choice;
    double m_fastest = 0;
    std::vector<std::vector<State>> m_layers;
    std::vector<std::vector<std::int64_t>> m_best;
};

std::optional<Route> Fabric::route(std::uint32_t from, std::uint32_t to, std::string_view purpose) const {
    if (from == to || from >= m_adjacent.size() || to >= m_adjacent.size())
        return std::nullopt;
    for (const Choice choice : {Choice::fastOfPurpose, Choice::ofPurpose, Choice::all})
        if (std::optional<Route> found = RouteFinder(*this, from, to, purpose, choice).find())
            return found;
    return std::nullopt;
}

} // namespace cw
