// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/network/simgrid_platform.h"

#include "estimators/network/switch_merge.h"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>

namespace cw {

namespace {

constexpr double pcieShare = .84; // of the line rate, as in the tiers inside a machine
constexpr double unknownSpeed = 1e9;
constexpr std::size_t maxSimgridCables = 1'000'000;

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text)
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
        }
    return out;
}

/// Two hyphens would end a comment.
std::string commented(std::string_view text) {
    std::string out = escaped(text);
    std::replace(out.begin(), out.end(), '-', '.');
    return out;
}

/// FLOP/s of one host.
double speedOf(const Machine& machine) {
    if (machine.gpu)
        for (const Precision precision : {Precision::bf16, Precision::fp16, Precision::fp32})
            if (const auto peak = machine.gpu->peakFor(precision))
                return si(*peak);
    if (machine.cpu)
        for (const Precision precision : {Precision::fp64, Precision::fp32})
            if (const auto peak = machine.cpu->peak.find(precision); peak != machine.cpu->peak.end())
                return si(peak->second) * std::max(machine.sockets, 1.0);
    return 0;
}

class PlatformText {
public:
    PlatformText(const Fabric& fabric, const ExpandedGraph& graph)
        : m_fabric(fabric)
        , m_design(fabric.design())
        , m_graph(graph)
        , m_network(mergeSwitches(fabric, graph)) {}

    std::string text() {
        const std::string& title = m_design.project->meta.title;
        append("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
               "<platform version=\"4.1\">\n"
               "  <!-- {}: {}. Devices are hosts, machines and merged switches routers; bandwidths are achievable ones. -->\n"
               "  <zone id=\"design\" routing=\"DijkstraCache\">\n",
               commented(title.empty() ? "Clusterwright" : title), commented(m_design.alternative->name));
        for (std::uint32_t member = 0; member < m_graph.members.size(); ++member)
            addMember(member);
        append("    <link id=\"detour\" bandwidth=\"1e15Bps\" latency=\"0s\" sharing_policy=\"FATPIPE\"/>\n");
        for (const MergedNetwork::Edge& edge : m_network.edges)
            addEdge(edge);
        m_text += m_routes;
        append("  </zone>\n</platform>\n");
        return std::move(m_text);
    }

private:
    template <typename... T> void append(fmt::format_string<T...> format, T&&... values) {
        fmt::format_to(std::back_inserter(m_text), format, std::forward<T>(values)...);
    }

    const Machine& machineOf(std::uint32_t member) const { return m_design.machines[m_graph.members[member].node]; }

    std::string routerName(std::uint32_t member) const {
        const ExpandedGraph::Member& m = m_graph.members[member];
        return escaped(fmt::format("{}-{}.ports", m_design.alternative->nodes[m.node].id.value, m.index));
    }

    void addMember(std::uint32_t member) {
        if (m_network.routerOf[member] != member)
            return;
        append("    <router id=\"{}\"/>\n", routerName(member));
        const Machine& machine = machineOf(member);
        if (!sendsAndReceives(machine))
            return;
        const int gpus = machine.gpu ? std::max(machine.gpus, 1) : 0, devices = std::max(gpus, 1);
        const double speed = speedOf(machine);
        for (int device = 0; device < devices; ++device) {
            const std::string host = escaped(simgridHost(*machine.node, m_graph.members[member].index, gpus, device));
            append("    <host id=\"{}\" speed=\"{:.9g}f\">", host, speed > 0 ? speed : unknownSpeed);
            append("<prop id=\"node\" value=\"{}\"/>{}</host>\n", escaped(machine.node->name),
                   speed > 0 ? "" : "<prop id=\"speed\" value=\"unknown\"/>");
            addPort(member, machine, host, devices);
        }
        if (gpus > 1)
            addScaleUp(member, machine, gpus);
    }

    /// From a device to the ports of its machine: never narrower than its share of them.
    void addPort(std::uint32_t member, const Machine& machine, const std::string& host, int devices) {
        const double share = m_network.bandwidthOf[member] / devices;
        const double pcie = machine.gpu ? pcieShare * si(machine.gpu->pcieBandwidth) : 0;
        const double bandwidth = std::max({share, pcie, 1.0});
        addLink(host + ".port", bandwidth, m_network.endLatencyOf[member]);
        addRoute(host, routerName(member), host + ".port", 1);
    }

    /// The crossbars between GPUs of a machine: a shorter way than over the ports.
    void addScaleUp(std::uint32_t member, const Machine& machine, int gpus) {
        const std::uint32_t node[] = {m_graph.members[member].node};
        const FabricTier inside = m_fabric.group(node).tiers.front();
        const int domain = static_cast<int>(inside.devicesPerBlock);
        if (std::string_view(inside.name) != "scale-up" || domain < 2)
            return;
        for (int device = 0; device < gpus; ++device) {
            const std::string host = escaped(simgridHost(*machine.node, m_graph.members[member].index, gpus, device));
            const std::string crossbar =
                escaped(fmt::format("{}-{}.domain{}", machine.node->id.value, m_graph.members[member].index, device / domain));
            if (device % domain == 0)
                append("    <router id=\"{}\"/>\n", crossbar);
            addLink(host + ".scaleup", inside.bandwidthPerDevice, inside.latency / 2);
            addRoute(host, crossbar, host + ".scaleup", 0);
        }
    }

    void addEdge(const MergedNetwork::Edge& edge) {
        std::string name;
        for (const std::uint32_t link : edge.links)
            name += (name.empty() ? "" : "+") + escaped(m_design.alternative->links[link].id.value);
        name += ":" + routerName(edge.from) + ":" + routerName(edge.to);
        addLink(name, edge.bandwidth, edge.latency);
        addRoute(routerName(edge.from), routerName(edge.to), name, edge.detour ? detourLength : 0);
    }

    void addLink(const std::string& id, double bandwidth, double latency) {
        append("    <link id=\"{}\" bandwidth=\"{:.9g}Bps\" latency=\"{:.9g}s\" sharing_policy=\"SPLITDUPLEX\"/>\n", id, bandwidth,
               latency);
    }

    /// SimGrid takes the way with the fewest links; `longer` links without a limit make this one a worse choice.
    void addRoute(const std::string& from, const std::string& to, const std::string& link, int longer) {
        const auto one = [&](const std::string& a, const std::string& b, const char* direction) {
            fmt::format_to(std::back_inserter(m_routes),
                           "    <route src=\"{}\" dst=\"{}\" symmetrical=\"NO\"><link_ctn id=\"{}\" direction=\"{}\"/>", a, b, link,
                           direction);
            for (int i = 0; i < longer; ++i)
                m_routes += "<link_ctn id=\"detour\"/>";
            m_routes += "</route>\n";
        };
        one(from, to, "UP");
        one(to, from, "DOWN");
    }

    static constexpr int detourLength = 8; ///< longer than any way over the main network

    const Fabric& m_fabric;
    const ResolvedDesign& m_design;
    const ExpandedGraph& m_graph;
    MergedNetwork m_network;
    std::string m_text, m_routes;
};

} // namespace

std::string simgridHost(const Node& node, std::int64_t member, int gpus, int device) {
    return gpus > 0 ? fmt::format("{}-{}.gpu{}", node.id.value, member, device) : fmt::format("{}-{}", node.id.value, member);
}

Expected<std::string> simgridPlatform(const Fabric& fabric) {
    const ResolvedDesign& design = fabric.design();
    std::int64_t hosts = 0;
    for (const Machine& machine : design.machines)
        if (sendsAndReceives(machine))
            hosts += machine.count * std::max(machine.gpus, 1);
    if (hosts < 1 || hosts > maxSimgridHosts)
        return fail({"alternative " + design.alternative->name, fmt::format("1 to {} devices", maxSimgridHosts),
                     std::to_string(hosts),
                     hosts < 1 ? "A platform without hosts has nothing to simulate."
                               : "SimGrid searches a route for each pair of hosts; a platform of this size would not load in minutes."});
    const Expected<ExpandedGraph> graph = expand(*design.alternative, maxSimgridCables);
    if (!graph)
        return fail(graph.error());
    return PlatformText(fabric, *graph).text();
}

} // namespace cw
