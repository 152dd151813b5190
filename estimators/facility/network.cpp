// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/facility.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

bool computes(const Machine& machine) { return machine.kind == MachineKind::gpu || machine.kind == MachineKind::cpu; }

std::int64_t devicesOf(const Machine& machine) { return machine.count * std::max(machine.gpus, 1); }

/// The stacks whose network is described: the largest placement, else the largest stack that computes.
std::vector<std::uint32_t> mainStacks(const ResolvedDesign& design) {
    std::vector<std::uint32_t> best;
    std::int64_t most = 0;
    const auto consider = [&](const std::vector<std::uint32_t>& nodes) {
        std::int64_t devices = 0;
        for (const std::uint32_t node : nodes)
            devices += devicesOf(design.machines[node]);
        if (devices > most) {
            most = devices;
            best = nodes;
        }
    };
    for (const Placement& placement : design.alternative->placements) {
        std::vector<std::uint32_t> nodes;
        for (const NodeId& id : placement.nodes) {
            const int node = design.indexOf(id);
            if (node >= 0 && computes(design.machines[static_cast<std::size_t>(node)]))
                nodes.push_back(static_cast<std::uint32_t>(node));
        }
        consider(nodes);
    }
    if (most > 0)
        return best;
    for (std::uint32_t i = 0; i < design.machines.size(); ++i) {
        if (computes(design.machines[i]))
            consider({i});
    }
    return best;
}

void addLatencies(Derivation& d, const FabricTier& tier, NetworkEstimate::Tier& shown) {
    const auto exact = [&](const char* name, const char* equation, double value, Unit unit) {
        return d.computed(name, equation, value, value, value, unit, {});
    };
    shown.latency = exact("latency of the tier", "a small message between two devices that meet here, one way", tier.latency, Unit::seconds);
    shown.leastLatency = tier.network()
        ? exact("least latency of the tier", "switches passed · (port + 5 ns a metre of cable) + borders", tier.wireLatency, Unit::seconds)
        : d.unknown("least latency of the tier", Unit::seconds, "inside the machine: no cable is drawn");
}

void addTiers(EstimateContext& context, const GroupFabric& group, NetworkEstimate& network) {
    for (const FabricTier& tier : group.tiers) {
        NetworkEstimate::Tier shown;
        shown.name = tier.name;
        for (const std::uint32_t link : tier.links)
            shown.links.push_back(context.design.alternative->links[link].id);
        shown.bandwidthPerDevice = tier.bandwidthPerDevice;
        shown.oversubscription = tier.oversubscription;
        shown.devices = static_cast<std::int64_t>(std::llround(tier.devicesPerBlock));
        shown.inNetworkReduction = tier.inNetworkReduction;
        addLatencies(context.derivation, tier, shown);
        network.tiers.push_back(std::move(shown));
        network.hops = std::max<std::int64_t>(network.hops, tier.hops);
    }
}

/// Half of the devices send to the other half: the narrowest tier above single machines carries it.
void addBandwidths(EstimateContext& context, const GroupFabric& group, NetworkEstimate& network) {
    Derivation& d = context.derivation;
    const Quantity devices =
        d.input("devices of the largest placement", static_cast<double>(group.devices), Unit::count, "placement");
    const FabricTier* narrow = nullptr;
    const FabricTier* worst = nullptr;
    const bool several = group.tiers.size() > 1;
    for (std::size_t i = several ? 1 : 0; i < group.tiers.size(); ++i) {
        const FabricTier& tier = group.tiers[i];
        if (!narrow || tier.bandwidthPerDevice < narrow->bandwidthPerDevice)
            narrow = &tier;
        if (i > 0 && (!worst || tier.oversubscription > worst->oversubscription))
            worst = &tier;
    }
    if (!group.connected) {
        network.bisection = d.computed("bisection bandwidth", "0: not all devices reach each other over drawn links", 0, 0, 0,
                                       Unit::bytesPerSecond, {devices});
    } else if (narrow) {
        const double each = narrow->bandwidthPerDevice;
        const Quantity bandwidth =
            d.computed("bandwidth of a device into the narrowest tier", "capacity of the tier's links / devices below it", each,
                       each, each, Unit::bytesPerSecond, {});
        network.bisection = d.product("bisection bandwidth", "devices / 2 · bandwidth of a device into the narrowest tier",
                                      {devices, bandwidth}, Unit::bytesPerSecond, .5);
    } else {
        network.bisection = d.unknown("bisection bandwidth", Unit::bytesPerSecond, "a single device has none");
    }
    if (!group.connected) {
        network.oversubscription = d.unknown("oversubscription", Unit::one, "not all devices reach each other over drawn links");
        return;
    }
    const double ratio = worst ? std::max(1.0, worst->oversubscription) : 1;
    network.oversubscription =
        d.computed("oversubscription", "bandwidth into the first network tier / bandwidth into the worst one", ratio, ratio,
                   ratio, Unit::one, {});
}

} // namespace

NetworkEstimate estimateNetwork(EstimateContext& context) {
    NetworkEstimate network;
    for (const Machine& machine : context.design.machines) {
        if (machine.kind == MachineKind::switchBox)
            network.switches += machine.count;
    }
    for (std::uint32_t i = 0; i < context.design.alternative->links.size(); ++i)
        network.cables += context.fabric.capacity(i).cables;
    const std::vector<std::uint32_t> stacks = mainStacks(context.design);
    if (stacks.empty()) {
        network.bisection =
            context.derivation.unknown("bisection bandwidth", Unit::bytesPerSecond, "nothing that computes is drawn");
        network.oversubscription = context.derivation.unknown("oversubscription", Unit::one, "nothing that computes is drawn");
        return network;
    }
    const GroupFabric group = context.fabric.group(stacks, "compute");
    addTiers(context, group, network);
    addBandwidths(context, group, network);
    return network;
}

} // namespace cw
