// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/rack_load.h"

#include "estimators/facility/cooling.h"
#include "estimators/facility/facility_constants.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cw {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool positive(Watts w) { return si(w) > 0; }

/// Sum of a figure of the stacks over the members that stand in one rack.
Quantity memberSum(EstimateContext& context, const RackLoad& load, const NodePowers& powers, Quantity NodePower::* figure,
                   const char* name, const char* equation) {
    Derivation& d = context.derivation;
    double value = 0, low = 0, high = 0;
    std::vector<Quantity> inputs;
    for (const RackItem& item : load.items) {
        const NodePower* node = powers.find(item.node);
        const Machine* machine = context.design.machine(item.node);
        if (!node || !machine || machine->count <= 0)
            continue;
        const Quantity& stack = node->*figure;
        const double share = static_cast<double>(std::max(item.perRack, 0)) / static_cast<double>(machine->count);
        value += share * stack.value;
        low += share * stack.low;
        high += share * stack.high;
        inputs.push_back(stack);
    }
    return d.computed(name, equation, value, low, high, Unit::watts, inputs);
}

/// Least of what rack, rack type, cooling, feeds and site allow.
Quantity limitOf(EstimateContext& context, const RackLoad& load, const Cooling* cooling) {
    Derivation& d = context.derivation;
    const Site& site = context.design.project->site;
    std::vector<Quantity> limits;
    if (load.rack && load.rack->powerLimit)
        limits.push_back(d.input("limit of the rack", si(*load.rack->powerLimit), Unit::watts, "rack"));
    if (site.rackPowerLimit)
        limits.push_back(d.input("rack limit of the site", si(*site.rackPowerLimit), Unit::watts, "site"));
    if (load.type && load.type->power)
        limits.push_back(d.fact("rating of the rack's busbar", *load.type, "power_limit_kw", si(*load.type->power), Unit::watts));
    if (cooling && positive(cooling->rackLimitMax)) {
        const double most = si(cooling->rackLimitMax);
        limits.push_back(d.fact("most that the cooling takes from a rack", *cooling, "rack_limit_max_kw", most,
                                positive(cooling->rackLimitTypical) ? si(cooling->rackLimitTypical) : most, most, Unit::watts));
    }
    const Pdu* pdu = load.rack && load.rack->pdu ? context.catalog.find<Pdu>(load.rack->pdu) : nullptr;
    if (pdu && load.rack->pduCount > 0) {
        const int used = load.rack->pduCount == 1 ? 1 : (load.rack->pduCount + 1) / 2;
        const Quantity each = d.fact("usable power of a feed", *pdu, "usable_kw", si(pdu->usable), Unit::watts);
        const Quantity feeds = d.input("feeds that carry the load when the other half fails", used, Unit::count, "rack");
        limits.push_back(
            d.product("usable power of the feeds", "feeds · usable power, half of them redundant", {each, feeds}, Unit::watts));
    }
    if (limits.empty())
        return d.unknown("rack power limit", Unit::watts, "no limit of rack, cooling, feeds or site is known");
    double value = limits[0].value, low = limits[0].low;
    for (const Quantity& q : limits) {
        value = std::min(value, q.value);
        low = std::min(low, q.low);
    }
    return d.computed("rack power limit", "least of rack, cooling, feeds and site; low: what the cooling typically serves", value,
                      low, value, Unit::watts, limits);
}

struct Heat {
    double air = 0, water = 0;
    struct Blown {
        double watts = 0, fans = nan; ///< into air, and m3/s that these machines' fans can move; NaN: not known
    };
    std::vector<Blown> blown;
    bool needsLiquid = false;

    /// Air that takes the heat away at this temperature rise; no machine moves more than its own fans can, m3/s.
    double flow(double deltaK) const {
        double sum = 0;
        for (const Blown& machines : blown) {
            const double wanted = airflow(machines.watts, deltaK);
            sum += machines.fans < wanted ? machines.fans : wanted;
        }
        return sum;
    }
};

Heat heatOf(const EstimateContext& context, const RackLoad& load, const NodePowers& powers, const Cooling* cooling) {
    Heat heat;
    for (const RackItem& item : load.items) {
        const Machine* machine = context.design.machine(item.node);
        const NodePower* node = powers.find(item.node);
        if (!machine || !node)
            continue;
        const double members = std::max(item.perRack, 0);
        const HeatSplit split = heatSplit(node->perMemberPeak, machine->server, cooling);
        heat.air += members * split.air;
        heat.water += members * split.water;
        const double fans = machine->server && machine->server->airflow ? members * si(*machine->server->airflow) : nan;
        heat.blown.push_back({members * split.air, fans});
        const bool dry = !cooling || kindOf(*cooling) == CoolingKind::air || kindOf(*cooling) == CoolingKind::rearDoor;
        heat.needsLiquid = heat.needsLiquid || (dry && needsLiquid(*machine));
    }
    return heat;
}

void addAir(EstimateContext& context, RackEstimate& rack, const Heat& heat) {
    Derivation& d = context.derivation;
    const Constants& design = constantsOf(context.catalog, "cooling_design", "rack");
    const Quantity delta = d.calibrated("air temperature rise", design, "air_delta_k", Unit::kelvins);
    const Quantity air =
        d.computed("heat into air", "share of the machines' peak power", heat.air, heat.air, heat.air, Unit::watts, {rack.power});
    const double flow = heat.flow(delta.value);
    rack.airflow =
        d.computed("airflow", "Σ min(P_air/(ρ c_p ΔT), what the machine's fans move)", flow, std::min(flow, heat.flow(delta.high)),
                   std::max(flow, heat.flow(delta.low)), Unit::cubicMetresPerSecond, {air, delta}, "sensible heat of air at 20 °C");
    const double rise = heat.air > 0 ? airTemperatureRise(heat.air, flow) : 0;
    rack.inletC = context.design.project->site.inletC;
    const Quantity inlet = d.input("inlet temperature", rack.inletC, Unit::celsius, "site");
    rack.outlet =
        d.computed("outlet temperature", "inlet + P_air/(ρ c_p Q)", rack.inletC + rise, rack.inletC + std::min(rise, delta.low),
                   rack.inletC + rise, Unit::celsius, {inlet, air, rack.airflow});
}

void addCoolant(EstimateContext& context, RackEstimate& rack, const Heat& heat) {
    rack.waterWatts = heat.water;
    rack.needsLiquid = heat.needsLiquid;
    if (!(heat.water > 0))
        return;
    Derivation& d = context.derivation;
    const Quantity delta = d.calibrated("coolant temperature rise", constantsOf(context.catalog, "cooling_design", "rack"),
                                        "coolant_delta_k", Unit::kelvins);
    const Quantity water = d.computed("heat into coolant", "share of the machines' peak power", heat.water, heat.water,
                                      heat.water, Unit::watts, {rack.power});
    rack.coolant =
        d.computed("coolant flow", "P_liquid/(ρ c_p ΔT); high: PG25 and the smaller rise", waterFlow(heat.water, delta.value),
                   waterFlow(heat.water, delta.high), glycolFlow(heat.water, delta.low), Unit::litresPerMinute, {water, delta});
}

void addBody(EstimateContext& context, RackEstimate& rack, const RackLoad& load) {
    Derivation& d = context.derivation;
    double weight = 0, assumed = 0;
    bool ownRack = false;
    for (const RackItem& item : load.items) {
        const Machine* machine = context.design.machine(item.node);
        if (!machine)
            continue;
        const MachineBody body = bodyOf(*machine, context.catalog);
        const double members = std::max(item.perRack, 0);
        rack.unitsUsed += members * body.units;
        weight += members * body.weight;
        assumed += body.weightKnown ? 0 : members * body.weight;
        ownRack = ownRack || body.ownRack;
    }
    rack.units = load.type ? load.type->heightU : ownRack ? rack.unitsUsed : 0;
    const double tare = load.type && si(load.type->tare) > 0 && !ownRack ? si(load.type->tare) : 0;
    rack.weight = d.computed("weight", "rack + machines; what a part does not say is taken from its height", tare + weight,
                             tare + weight - assumed * .45, tare + weight + assumed * .45, Unit::kilograms, {});
}

} // namespace

NodePowers::NodePowers(const PowerEstimate& power) {
    m_byNode.reserve(power.nodes.size());
    for (const NodePower& node : power.nodes)
        m_byNode.try_emplace(node.node.value, &node);
}

const NodePower* NodePowers::find(const NodeId& node) const {
    const auto found = m_byNode.find(node.value);
    return found == m_byNode.end() ? nullptr : found->second;
}

MachineBody bodyOf(const Machine& machine, const Catalog& catalog) {
    MachineBody body;
    double weight = 0;
    if (machine.server) {
        body.units = machine.server->heightU;
        weight = si(machine.server->weight);
        body.ownRack = machine.server->role == ServerRole::rackSystem;
    } else if (machine.switchBox) {
        body.units = machine.switchBox->heightU;
        weight = si(machine.switchBox->weight);
    }
    if (!(body.units > 0))
        body.units = machine.server || machine.switchBox ? 1 : 0;
    body.weightKnown = weight > 0;
    body.weight = body.weightKnown ? weight : body.units * constantsOf(catalog, "cooling_design", "rack")["kg_per_unit"];
    return body;
}

double siteRackLimit(const EstimateContext& context, const Cooling* cooling) {
    double limit = nan;
    if (context.design.project->site.rackPowerLimit)
        limit = si(*context.design.project->site.rackPowerLimit);
    if (cooling && positive(cooling->rackLimitMax))
        limit = std::fmin(limit, si(cooling->rackLimitMax));
    return limit;
}

RackEstimate rackEstimate(EstimateContext& context, const RackLoad& load, const NodePowers& powers) {
    RackEstimate rack;
    rack.automatic = load.rack == nullptr;
    if (load.rack) {
        rack.rack = load.rack->id;
        rack.name = load.rack->name;
    }
    rack.count = load.count;
    rack.items = load.items;
    if (load.type)
        rack.type = load.type->id;
    bool liquid = false;
    for (const RackItem& item : load.items) {
        const Machine* machine = context.design.machine(item.node);
        liquid = liquid || (machine && needsLiquid(*machine));
        if (machine && machine->part && rack.name.empty())
            rack.name = machine->part->name;
    }
    const Cooling* cooling = coolingOf(context.design, load.rack, liquid);
    rack.power = memberSum(context, load, powers, &NodePower::peak, "peak power of the rack",
                           "sum of the peak power of what stands in it");
    rack.typical = memberSum(context, load, powers, &NodePower::expected, "power of the rack",
                             "sum of the expected power of what stands in it");
    rack.limit = limitOf(context, load, cooling);
    const Heat heat = heatOf(context, load, powers, cooling);
    addAir(context, rack, heat);
    addCoolant(context, rack, heat);
    addBody(context, rack, load);
    const bool powerFits = !(rack.power.value > rack.limit.value * (1 + 1e-9));
    const bool heightFits = rack.units <= 0 || rack.unitsUsed <= rack.units;
    const bool weightFits = !(load.type && load.type->staticLoad && rack.weight.low > si(*load.type->staticLoad));
    rack.ok = powerFits && heightFits && weightFits && !rack.needsLiquid;
    return rack;
}

} // namespace cw
