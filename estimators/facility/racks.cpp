// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/cooling.h"
#include "estimators/facility/facility.h"
#include "estimators/facility/rack_load.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cw {

namespace {

/// Machines that are alike, from whatever stacks, and how many of them stand in no drawn rack.
struct Group {
    const Machine* machine = nullptr;
    MachineBody body;
    double peak = 0, expected = 0; ///< W of one
    bool liquid = false;
    std::int64_t left = 0;
};

/// A rack being filled.
struct Bin {
    RackLoad load;
    bool liquid = false;
    double units = 0, watts = 0, weight = 0; ///< still free
};

class Packer {
public:
    Packer(EstimateContext& context, const NodePowers& powers)
        : m_context(context)
        , m_powers(powers) {
        m_standard = context.catalog.find<RackType>(PartId{"rack_42u"});
        m_tall = context.catalog.find<RackType>(PartId{"rack_48u"});
    }

    void add(const Machine& machine, std::int64_t members);
    std::vector<RackEstimate> run();

private:
    Bin emptyBin(const Group& group) const;
    std::int64_t fitting(const Group& group, const Bin& bin) const;
    void take(Bin& bin, const Group& group, std::int64_t members) const;
    RackEstimate finished(Bin bin) { return rackEstimate(m_context, bin.load, m_powers); }

    EstimateContext& m_context;
    const NodePowers& m_powers;
    const RackType* m_standard;
    const RackType* m_tall;
    std::vector<Group> m_groups;
};

void Packer::add(const Machine& machine, std::int64_t members) {
    const NodePower* power = m_powers.find(machine.node->id);
    if (members <= 0 || !power || (!machine.server && !machine.switchBox))
        return;
    for (Group& group : m_groups) {
        const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
        if (group.machine->part == machine.part && same(group.peak, power->perMemberPeak) &&
            same(group.expected, power->perMemberExpected)) {
            group.left += members;
            return;
        }
    }
    m_groups.push_back({&machine, bodyOf(machine, m_context.catalog), power->perMemberPeak, power->perMemberExpected,
                        needsLiquid(machine), members});
}

Bin Packer::emptyBin(const Group& group) const {
    Bin bin;
    bin.liquid = group.liquid;
    bin.load.type = group.body.ownRack ? nullptr : m_standard && group.body.units <= m_standard->heightU ? m_standard : m_tall;
    const RackType* type = bin.load.type;
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    bin.units = type ? type->heightU : group.body.units;
    bin.weight = type && type->staticLoad ? si(*type->staticLoad) - (si(type->tare) > 0 ? si(type->tare) : 0) : unlimited;
    const double limit = siteRackLimit(m_context, coolingOf(m_context.design, nullptr, group.liquid));
    bin.watts = std::isnan(limit) ? unlimited : limit;
    return bin;
}

/// Members of a group that fit into what is free; a lone machine always fits into an empty rack, whatever the limits.
std::int64_t Packer::fitting(const Group& group, const Bin& bin) const {
    double fit = std::floor(bin.units / group.body.units);
    if (group.peak > 0)
        fit = std::min(fit, std::floor(bin.watts * (1 + 1e-9) / group.peak));
    if (group.body.weight > 0)
        fit = std::min(fit, std::floor(bin.weight / group.body.weight));
    if (bin.load.items.empty())
        fit = std::max(fit, 1.0);
    return group.body.ownRack ? (bin.load.items.empty() ? 1 : 0) : static_cast<std::int64_t>(std::clamp(fit, 0.0, 1e6));
}

void Packer::take(Bin& bin, const Group& group, std::int64_t members) const {
    const auto n = static_cast<double>(members);
    bin.load.items.push_back({group.machine->node->id, static_cast<int>(members), 0});
    bin.units -= n * group.body.units;
    bin.weight -= n * group.body.weight;
    if (group.peak > 0)
        bin.watts -= n * group.peak;
}

/// Full racks of one kind of machine first; what is left over shares racks, first fit.
std::vector<RackEstimate> Packer::run() {
    std::vector<RackEstimate> racks;
    std::vector<Bin> shared;
    for (Group& group : m_groups) {
        Bin bin = emptyBin(group);
        const std::int64_t perRack = fitting(group, bin);
        const std::int64_t full = group.left / perRack;
        if (full > 0) {
            take(bin, group, perRack);
            bin.load.count = full;
            racks.push_back(finished(bin));
            group.left %= perRack;
        }
        for (Bin& open : shared) {
            const std::int64_t members = open.liquid == group.liquid ? std::min(group.left, fitting(group, open)) : 0;
            if (members > 0)
                take(open, group, members);
            group.left -= members;
        }
        if (group.left > 0) { // fewer than fill a rack
            shared.push_back(emptyBin(group));
            take(shared.back(), group, group.left);
        }
    }
    for (Bin& bin : shared)
        racks.push_back(finished(std::move(bin)));
    return racks;
}

} // namespace

std::vector<RackEstimate> estimateRacks(EstimateContext& context, const PowerEstimate& power) {
    const ResolvedDesign& design = context.design;
    const NodePowers powers(power);
    std::vector<RackEstimate> racks;
    std::vector<std::int64_t> placed(design.machines.size(), 0);
    for (const Rack& rack : design.alternative->racks) {
        const std::int64_t count = std::clamp<std::int64_t>(rack.count, 0, maxStackCount);
        RackLoad load;
        load.rack = &rack;
        load.type = context.catalog.find<RackType>(rack.part);
        load.count = count;
        load.items = rack.items;
        racks.push_back(rackEstimate(context, load, powers));
        for (const RackItem& item : rack.items) {
            const int node = design.indexOf(item.node);
            if (node >= 0)
                placed[static_cast<std::size_t>(node)] += count * std::max(item.perRack, 0);
        }
    }
    Packer packer(context, powers);
    for (std::size_t i = 0; i < design.machines.size(); ++i)
        packer.add(design.machines[i], design.machines[i].count - placed[i]);
    for (RackEstimate& rack : packer.run())
        racks.push_back(std::move(rack));
    return racks;
}

} // namespace cw
