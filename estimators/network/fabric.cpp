// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/network/fabric.h"

#include "estimators/network/link_capacity.h"
#include "estimators/network/tier_builder.h"
#include "model/design/expand.h"

#include <algorithm>
#include <cctype>

namespace cw {

namespace {

/// A cable slower than this share of the fastest one that its stack has is another network, not a parallel path.
constexpr double slowCable = .15;
constexpr double defaultScaleUpEfficiency = .8;
constexpr double pcieEfficiency = .84; // links.json, PCIe 4 and 5
constexpr double scaleUpLatency = 2e-6;
constexpr double pcieLatency = 4e-6;

/// "NVLink4 bridge (pair)" is the medium nvlink4.
const Medium* scaleUpMedium(const Gpu& gpu, const Catalog& catalog) {
    std::string id = gpu.scaleUpLink.substr(0, gpu.scaleUpLink.find(' '));
    std::transform(id.begin(), id.end(), id.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (id == "infinity")
        id = "infinity_fabric_mi300x";
    return catalog.find<Medium>(PartId(id));
}

/// Bridges join devices without a switch that could sum.
bool scaleUpReduces(const Gpu& gpu, const Medium* medium) {
    return medium && medium->inNetworkReduction && gpu.scaleUpDomain > 2 && gpu.scaleUpLink.find("bridge") == std::string::npos;
}

FabricTier insideTier(const char* name, double devices, double raw, double efficiency, double latency) {
    FabricTier tier;
    tier.name = name;
    tier.devicesPerBlock = devices;
    tier.nominalPerDevice = tier.linePerDevice = raw;
    tier.bandwidthPerDevice = raw * efficiency;
    tier.latency = latency;
    return tier;
}

/// The slowest of the stacks sets what a collective over all of them gets.
void addInsideTiers(GroupFabric& group, const ResolvedDesign& design) {
    int domain = 0, gpus = 0;
    double link = 0, efficiency = 1, pcie = 0, memory = 0;
    bool scaleUp = true, reduces = true;
    for (const std::uint32_t node : group.nodes) {
        const Machine& machine = design.machines[node];
        const auto lower = [](auto& value, auto with) { value = value > 0 ? std::min(value, with) : with; };
        lower(memory, machine.memoryBandwidth);
        if (!machine.gpu)
            continue;
        const Gpu& gpu = *machine.gpu;
        lower(gpus, std::max(machine.gpus, 1));
        lower(domain, std::max(machine.scaleUpDomain, 1));
        lower(pcie, si(gpu.pcieBandwidth));
        scaleUp &= gpu.scaleUpBandwidth && gpu.scaleUpDomain > 1;
        if (gpu.scaleUpBandwidth) {
            lower(link, si(*gpu.scaleUpBandwidth));
            const Medium* medium = scaleUpMedium(gpu, *design.catalog);
            efficiency = std::min(efficiency, medium && medium->efficiency > 0 ? medium->efficiency : defaultScaleUpEfficiency);
            reduces &= scaleUpReduces(gpu, medium);
        }
    }
    if (gpus == 0) {
        group.tiers.push_back(insideTier("machine", 1, memory, 1, 0));
        return;
    }
    if (!scaleUp) {
        group.tiers.push_back(insideTier("PCIe", gpus, pcie, pcieEfficiency, pcieLatency));
        return;
    }
    group.tiers.push_back(insideTier("scale-up", domain, link, efficiency, scaleUpLatency));
    group.tiers.back().inNetworkReduction = reduces;
    if (domain < gpus)
        group.tiers.push_back(insideTier("PCIe", gpus, pcie, pcieEfficiency, pcieLatency));
}

bool purposeFits(std::string_view link, std::string_view purpose) { return link == "any" || purpose == "any" || link == purpose; }

} // namespace

const FabricTier& GroupFabric::tierFor(double contiguousDevices) const {
    const auto found = std::find_if(tiers.begin(), tiers.end(),
                                    [&](const FabricTier& tier) { return tier.devicesPerBlock >= contiguousDevices - 1e-9; });
    return found == tiers.end() ? tiers.back() : *found;
}

Fabric::Fabric(const ResolvedDesign& design)
    : m_design(&design)
    , m_capacities(linkCapacities(design))
    , m_adjacent(design.machines.size()) {
    const std::vector<Link>& links = design.alternative->links;
    m_blocks.assign(links.size(), 1);
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        const int from = design.indexOf(links[i].from), to = design.indexOf(links[i].to);
        if (from < 0 || to < 0)
            continue;
        const auto a = static_cast<std::uint32_t>(from), b = static_cast<std::uint32_t>(to);
        m_blocks[i] = std::max<std::int64_t>(1, blockCount(links[i], design.machines[a].count, design.machines[b].count));
        m_adjacent[a].push_back({b, i, true});
        if (a != b)
            m_adjacent[b].push_back({a, i, false});
    }
}

Fabric Fabric::relieved(std::span<const std::uint32_t> links, double factor) const {
    Fabric faster = *this;
    for (const std::uint32_t link : links) {
        LinkCapacity& capacity = faster.m_capacities[link];
        for (double* rate : {&capacity.bytesPerSecond, &capacity.perCable, &capacity.nominal, &capacity.line})
            *rate *= factor;
    }
    return faster;
}

bool Fabric::usable(std::uint32_t link, std::string_view purpose, Choice choice, double fastest) const {
    const LinkCapacity& capacity = m_capacities[link];
    if (capacity.cables <= 0 || capacity.bytesPerSecond <= 0)
        return false;
    if (choice == Choice::all)
        return true;
    if (!purposeFits(m_design->alternative->links[link].purpose, purpose))
        return false;
    return choice == Choice::ofPurpose || capacity.perCable >= slowCable * fastest;
}

double Fabric::fastestCable(std::span<const std::uint32_t> nodes, std::string_view purpose) const {
    double fastest = 0;
    for (const std::uint32_t node : nodes)
        for (const Adjacent& edge : m_adjacent[node])
            if (usable(edge.link, purpose, Choice::ofPurpose, 0))
                fastest = std::max(fastest, m_capacities[edge.link].perCable);
    return fastest;
}

GroupFabric Fabric::group(std::span<const std::uint32_t> nodes, std::string_view purpose) const {
    GroupFabric group;
    std::vector<double> devices;
    std::vector<char> taken(m_design->machines.size(), 0);
    int perMachine = 0;
    for (const std::uint32_t node : nodes) {
        const Machine& machine = m_design->machines[node];
        if (machine.count <= 0 || taken[node])
            continue;
        taken[node] = 1;
        const int here = machine.gpu ? std::max(machine.gpus, 1) : 1;
        perMachine = perMachine > 0 ? std::min(perMachine, here) : here;
        group.nodes.push_back(node);
        group.machines += machine.count;
        group.devices += machine.count * here;
        devices.push_back(static_cast<double>(machine.count) * here);
    }
    group.devicesPerMachine = std::max(perMachine, 1);
    addInsideTiers(group, *m_design);
    const auto all = static_cast<double>(group.devices);
    if (group.nodes.empty() || (group.nodes.size() == 1 && group.tiers.back().devicesPerBlock >= all))
        return group;
    // Blocks of several stacks do not join inside a machine.
    TierBuilder builder(*this, group.nodes, devices);
    const std::vector<FabricTier> inside = group.tiers;
    std::vector<FabricTier> best;
    group.connected = false;
    for (const Choice choice : {Choice::fastOfPurpose, Choice::ofPurpose, Choice::all}) {
        std::vector<FabricTier> tiers = inside;
        group.connected = builder.build(purpose, choice, tiers);
        if (group.connected || best.size() < tiers.size())
            best = std::move(tiers);
        if (group.connected)
            break;
    }
    group.tiers = std::move(best);
    return group;
}

} // namespace cw
