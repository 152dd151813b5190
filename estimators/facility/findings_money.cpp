// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/cooling.h"
#include "estimators/facility/finding_list.h"
#include "estimators/facility/site_terms.h"
#include "model/units/unit.h"

#include <algorithm>

namespace cw {

namespace {

/// Only where one way is cheaper by more than prices wander in a month.
constexpr double clearlyCheaper = .85;
constexpr double wastefulPue = 1.45;

void missingPrices(FindingList& list) {
    const CostEstimate& cost = list.estimate().cost;
    std::vector<ElementRef> elements;
    std::string first;
    for (const CostLine& line : cost.lines) {
        if (line.unitPrice.known() || line.quantity == 0 ||
            (line.node.value.empty() && line.link.value.empty() && line.rack.value.empty()))
            continue;
        elements.push_back(line.node ? list.ref(line.node) : line.link ? list.ref(line.link) : list.ref(line.rack));
        if (first.empty())
            first = line.part.value;
    }
    if (!elements.empty())
        list.add(Severity::warning, "cost.price_missing", elements, 1,
                 {{"part", first}, {"count", std::to_string(elements.size())}});
    elements.clear();
    for (const NodeId& node : cost.rentUnknown)
        elements.push_back(list.ref(node));
    if (!elements.empty())
        list.add(Severity::warning, "cost.rent_missing", elements, 1,
                 {{"node", list.nameOf(cost.rentUnknown.front())}, {"count", std::to_string(elements.size())}});
}

/// Mean load of the year over peak load of what runs here, weighted by what the machines cost.
double meanUse(const FindingList& list) {
    const Project& project = list.project();
    double use = 0, weight = 0;
    for (const Placement& placement : list.alternative().placements) {
        const Workload* workload = project.findWorkload(placement.workload);
        if (!workload)
            continue;
        for (const NodeId& id : placement.nodes) {
            const int node = list.context().design.indexOf(id);
            const auto& direct = list.estimate().cost.directPerYear;
            const double w =
                node >= 0 && static_cast<std::size_t>(node) < direct.size() ? direct[static_cast<std::size_t>(node)] : 0;
            if (!(w > 0))
                continue;
            use += w * loadOfYear(*workload, project.site);
            weight += w;
        }
    }
    return weight > 0 ? use / weight : std::clamp(project.site.utilisation, 0.0, 1.0);
}

/// Bought machines that stand idle for much of the year, or a rent that buying would beat.
void buyOrRent(FindingList& list) {
    const CostEstimate& cost = list.estimate().cost;
    if (!cost.rentPerHour || !cost.buyPerHour || !cost.rentPerHour->known() || !cost.buyPerHour->known())
        return;
    const auto& machines = list.context().design.machines;
    const bool inherits = std::all_of(machines.begin(), machines.end(),
                                      [](const Machine& m) { return m.node->procurement == Procurement::inherit; });
    const double buy = cost.buyPerHour->value;
    if (cost.onDemandPerHour) {
        const double use = meanUse(list);
        const double byUse = cost.onDemandPerHour->value * use;
        if (byUse < clearlyCheaper * buy) {
            Finding& finding = list.add(Severity::advice, "cost.rent_cheaper", {}, 1 - byUse / buy,
                                        {{"buy", format(buy, Unit::dollarsPerHour)},
                                         {"rent", format(byUse, Unit::dollarsPerHour)},
                                         {"use", format(use, Unit::fraction)}});
            if (inherits)
                list.offerProcurement(finding, "cost.rent_instead", "Rent instead of buying", Procurement::onDemand);
        }
    } else if (buy < clearlyCheaper * cost.perHour.value) {
        Finding& finding =
            list.add(Severity::advice, "cost.buy_cheaper", {}, 1 - buy / cost.perHour.value,
                     {{"buy", format(buy, Unit::dollarsPerHour)}, {"rent", format(cost.perHour.value, Unit::dollarsPerHour)}});
        const bool buyable = std::none_of(machines.begin(), machines.end(), [](const Machine& m) { return m.cloud != nullptr; });
        if (inherits && buyable)
            list.offerProcurement(finding, "cost.buy_instead", "Buy instead of renting", Procurement::buy);
    }
}

void wastefulCooling(FindingList& list) {
    const PowerEstimate& power = list.estimate().power;
    const Site& site = list.project().site;
    if (!(power.pue.value >= wastefulPue))
        return;
    double energy = 0;
    for (const NamedQuantity& q : list.estimate().cost.yearly)
        energy = q.name == "energy" ? q.quantity.value : energy;
    const Cooling* contained = list.catalog().find<Cooling>(PartId{"cooling_air_contained"});
    const double better = contained ? (contained->pueLow + contained->pueHigh) / 2 : 1.4;
    const double saved = energy * (1 - better / power.pue.value);
    Finding& finding = list.add(Severity::advice, "power.pue_high", {list.siteRef()}, 1 - better / power.pue.value,
                                {{"pue", format(power.pue.value, Unit::one)},
                                 {"better", format(better, Unit::one)},
                                 {"saved", format(saved, Unit::dollarsPerYear)}});
    const Cooling* now = site.cooling ? list.catalog().find<Cooling>(site.cooling) : nullptr;
    if (!site.pue && contained && now && kindOf(*now) == CoolingKind::air) {
        Site after = site;
        after.cooling = contained->id;
        list.offer(finding, "power.contain_aisles", "Contain the aisles", {list.change(list.siteRef(), site, after)});
    }
}

} // namespace

void findMoney(FindingList& list) {
    missingPrices(list);
    buyOrRent(list);
    wastefulCooling(list);
}

} // namespace cw
