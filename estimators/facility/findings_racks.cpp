// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/cooling.h"
#include "estimators/facility/finding_list.h"
#include "estimators/facility/machine_power.h"
#include "model/units/unit.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

std::string watts(double w) { return format(w, Unit::watts); }

/// The weakest way of cooling that takes this much from a rack, with or without cold plates.
const Cooling* coolingFor(const Catalog& catalog, double need, bool liquid) {
    const Cooling* best = nullptr;
    for (const Catalog::Entry* entry : catalog.entries()) {
        const auto* cooling = std::get_if<Cooling>(&entry->part);
        if (!cooling || cooling->capacity || !(si(cooling->rackLimitMax) >= need))
            continue;
        const CoolingKind kind = kindOf(*cooling);
        const bool fits = liquid ? kind == CoolingKind::coldPlate : kind == CoolingKind::air || kind == CoolingKind::rearDoor;
        if (fits && (!best || cooling->rackLimitMax < best->rackLimitMax))
            best = cooling;
    }
    return best;
}

/// Offers another way of cooling: of the rack where it is drawn, else of the site.
void offerCooling(FindingList& list, Finding& finding, const Rack* drawn, const Cooling& cooling, const char* fixCode) {
    finding.arguments["cooling"] = cooling.name;
    if (drawn) {
        Rack after = *drawn;
        after.cooling = cooling.id;
        list.offer(finding, fixCode, "Change the cooling of a rack", {list.change(list.ref(drawn->id), *drawn, after)});
    } else {
        Site after = list.project().site;
        after.cooling = cooling.id;
        list.offer(finding, fixCode, "Change the cooling of the site", {list.change(list.siteRef(), list.project().site, after)});
    }
}

/// Fewer machines a rack and more racks, so that every machine still stands somewhere.
bool offerFewerPerRack(FindingList& list, Finding& finding, const Rack& drawn, const RackEstimate& rack) {
    auto heaviest = drawn.items.end();
    double most = 0;
    for (auto it = drawn.items.begin(); it != drawn.items.end(); ++it) {
        const NodePower* power = list.powerOf(it->node);
        if (power && it->perRack > 1 && it->perRack * power->perMemberPeak > most) {
            most = it->perRack * power->perMemberPeak;
            heaviest = it;
        }
    }
    if (heaviest == drawn.items.end())
        return false;
    const double each = most / heaviest->perRack;
    const int fit = static_cast<int>(std::floor((rack.limit.value - (rack.power.value - most)) / each + 1e-9));
    if (fit < 1 || fit >= heaviest->perRack || drawn.items.size() != 1)
        return false; // with several kinds in a rack, more racks would multiply the others too
    const std::int64_t machines = drawn.count * heaviest->perRack;
    Rack after = drawn;
    after.items.front().perRack = fit;
    after.items.front().u = 0;
    after.count = (machines + fit - 1) / fit;
    finding.arguments["fewer"] = std::to_string(fit);
    finding.arguments["racks"] = std::to_string(after.count);
    list.offer(finding, "rack.fewer_machines", "Put fewer machines in a rack", {list.change(list.ref(drawn.id), drawn, after)});
    return true;
}

void overLimit(FindingList& list, const RackEstimate& rack, const Rack* drawn, double share) {
    const bool typically = rack.typical.value > rack.limit.value;
    Finding& finding = list.add(typically ? Severity::error : Severity::warning, "rack.power_exceeded",
                                drawn ? std::vector{list.ref(drawn->id)} : std::vector{list.siteRef()}, share,
                                {{"rack", rack.name},
                                 {"power", watts(rack.power.value)},
                                 {"typical", watts(rack.typical.value)},
                                 {"limit", watts(rack.limit.value)},
                                 {"count", std::to_string(rack.count)}});
    if (drawn && offerFewerPerRack(list, finding, *drawn, rack))
        return;
    const bool liquid = std::any_of(rack.items.begin(), rack.items.end(), [&](const RackItem& item) {
        const Machine* machine = list.context().design.machine(item.node);
        return machine && needsLiquid(*machine);
    });
    // Better cooling helps only where cooling is what limits.
    const Cooling* now = coolingOf(list.context().design, drawn, liquid);
    const bool coolingLimits = now && std::abs(si(now->rackLimitMax) - rack.limit.value) < 1;
    if (const Cooling* better = coolingLimits ? coolingFor(list.catalog(), rack.power.value, liquid) : nullptr)
        offerCooling(list, finding, drawn, *better, "rack.better_cooling");
}

void oneRack(FindingList& list, const RackEstimate& rack, double allWatts) {
    const Rack* drawn = rack.automatic ? nullptr : list.alternative().findRack(rack.rack);
    const double share = allWatts > 0 ? rack.power.value * static_cast<double>(rack.count) / allWatts : 0;
    const std::vector<ElementRef> where = drawn ? std::vector{list.ref(drawn->id)} : std::vector{list.siteRef()};
    if (rack.needsLiquid) {
        Finding& finding = list.add(Severity::error, "rack.needs_liquid", where, share, {{"rack", rack.name}});
        if (const Cooling* cooling = coolingFor(list.catalog(), rack.power.value, true))
            offerCooling(list, finding, drawn, *cooling, "rack.liquid_cooling");
    } else if (rack.power.value > rack.limit.value * (1 + 1e-9)) {
        overLimit(list, rack, drawn, share);
    } else if (rack.power.value > rack.limit.low * (1 + 1e-9)) {
        list.add(Severity::advice, "rack.power_tight", where, share,
                 {{"rack", rack.name},
                  {"power", watts(rack.power.value)},
                  {"usual", watts(rack.limit.low)},
                  {"limit", watts(rack.limit.value)}});
    }
    const RackType* type = list.catalog().find<RackType>(rack.type);
    if (type && type->staticLoad && rack.weight.low > si(*type->staticLoad))
        list.add(Severity::warning, "rack.too_heavy", where, share,
                 {{"rack", rack.name},
                  {"weight", format(rack.weight.value, Unit::kilograms)},
                  {"limit", format(si(*type->staticLoad), Unit::kilograms)}});
}

void inletTemperature(FindingList& list) {
    double allowed = 1e9;
    std::vector<ElementRef> hot;
    const double inlet = list.project().site.inletC;
    for (const Machine& machine : list.context().design.machines) {
        if (machine.server && machine.server->inletMaxC > 0 && machine.server->inletMaxC < inlet) {
            hot.push_back(list.ref(machine.node->id));
            allowed = std::min(allowed, machine.server->inletMaxC);
        }
    }
    if (hot.empty())
        return;
    Finding& finding = list.add(Severity::warning, "cooling.inlet_too_warm", hot, .5,
                                {{"inlet", format(inlet, Unit::celsius)}, {"allowed", format(allowed, Unit::celsius)}});
    Site after = list.project().site;
    after.inletC = allowed;
    list.offer(finding, "cooling.cooler_inlet", "Lower the inlet temperature",
               {list.change(list.siteRef(), list.project().site, after)});
}

/// Caps that take the given watts off the peak of the GPU stacks, evenly; none where that asks for less than half of their power.
void offerCaps(FindingList& list, Finding& finding, double wanted) {
    double range = 0; // W between idle and cap, all GPUs
    for (const Machine& machine : list.context().design.machines) {
        if (machine.gpus > 0 && machine.gpu && machine.gpu->tdp)
            range += static_cast<double>(machine.count) * machine.gpus * machine.gpuPowerCap.value_or(si(*machine.gpu->tdp));
    }
    // Fans and supplies save with them, so this errs on the safe side.
    const double keep = range > 0 ? 1 - wanted / range : 0;
    if (keep < .5)
        return;
    std::vector<Change> changes;
    for (const Machine& machine : list.context().design.machines) {
        if (machine.gpus <= 0 || !machine.gpu || !machine.gpu->tdp)
            continue;
        Node after = *machine.node;
        after.gpuPowerCap = cw::watts(std::floor(machine.gpuPowerCap.value_or(si(*machine.gpu->tdp)) * keep / 5) * 5);
        changes.push_back(list.change(list.ref(machine.node->id), *machine.node, after));
    }
    finding.arguments["cap"] = format(keep, Unit::fraction);
    list.offer(finding, "power.cap_gpus", "Cap the power of the GPUs", std::move(changes));
}

void facilityLimit(FindingList& list) {
    const auto& limit = list.project().site.facilityPowerLimit;
    const PowerEstimate& power = list.estimate().power;
    if (!limit || !(power.facilityPeak.value > si(*limit)))
        return;
    const bool typically = power.facility.value > si(*limit);
    Finding& finding = list.add(
        typically ? Severity::error : Severity::warning, "power.facility_exceeded", {list.siteRef()},
        1 - si(*limit) / power.facilityPeak.value,
        {{"power", watts(power.facility.value)}, {"peak", watts(power.facilityPeak.value)}, {"limit", watts(si(*limit))}});
    offerCaps(list, finding, (power.facilityPeak.value - si(*limit)) / std::max(1.0, power.pue.value));
}

/// A machine that is rated below what its GPUs alone may draw has a wrong rating (or the GPUs' power in place of the machine's).
void ratings(FindingList& list) {
    for (const Machine& machine : list.context().design.machines) {
        if (!machine.server || machine.gpus <= 0 || !machine.gpu || !machine.gpu->tdp || !(si(machine.server->powerMax) > 0))
            continue;
        const double parts = machine.gpus * si(*machine.gpu->tdp);
        if (parts > si(machine.server->powerMax))
            list.add(Severity::warning, "power.rating_below_parts", {list.ref(machine.node->id)},
                     1 - si(machine.server->powerMax) / parts,
                     {{"node", list.nameOf(machine.node->id)},
                      {"rating", watts(si(machine.server->powerMax))},
                      {"parts", watts(parts)}});
    }
}

void uncounted(FindingList& list) {
    std::vector<ElementRef> nodes;
    for (const NodePower& node : list.estimate().power.nodes) {
        if (!node.expected.known())
            nodes.push_back(list.ref(node.node));
    }
    if (!nodes.empty())
        list.add(Severity::warning, "power.unknown", nodes, 1, {{"node", list.nameOf(NodeId{nodes.front().id})}});
}

} // namespace

void findRacks(FindingList& list) {
    double allWatts = 0;
    for (const RackEstimate& rack : list.estimate().racks)
        allWatts += rack.power.known() ? rack.power.value * static_cast<double>(rack.count) : 0;
    for (const RackEstimate& rack : list.estimate().racks)
        oneRack(list, rack, allWatts);
    inletTemperature(list);
    facilityLimit(list);
    ratings(list);
    uncounted(list);
}

} // namespace cw
