// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/cost_terms.h"

#include "estimators/facility/cooling.h"
#include "estimators/facility/day_use.h"
#include "estimators/facility/facility_constants.h"
#include "estimators/facility/prices.h"
#include "estimators/facility/site_terms.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace cw {

namespace {

constexpr double secondsPerYear = hoursPerYear * 3600;

/// The coolant unit that racks with cold plates are costed with.
const char* const coolantUnit = "cdu_250kw";

} // namespace

PriceList::PriceList(EstimateContext& context)
    : m_context(context)
    , m_cabling(context.design) {}

const Quantity* PriceList::known(const PartInfo* part, Procurement procurement, const PartId& book) const {
    for (const Known& k : m_known) {
        if (k.part == part && k.procurement == procurement && *k.book == book)
            return &k.quantity;
    }
    return nullptr;
}

CostLine PriceList::line(std::string category, PartId part, std::int64_t quantity, const Quantity& unitPrice) const {
    Derivation& d = m_context.derivation;
    CostLine out;
    out.category = std::move(category);
    out.part = std::move(part);
    out.quantity = quantity;
    out.unitPrice = unitPrice;
    const Quantity count = d.input("quantity", static_cast<double>(quantity), Unit::count, "design");
    out.total = d.product("price of the line", "quantity · unit price", {count, unitPrice}, Unit::dollars);
    return out;
}

CostLine PriceList::purchaseLine(const Machine& machine) {
    static const PartId none;
    const Quantity* found = machine.part ? known(machine.part, Procurement::buy, none) : nullptr;
    const Quantity price = found ? *found : purchasePrice(m_context, machine);
    if (!found && machine.part)
        m_known.push_back({machine.part, Procurement::buy, &none, price});
    CostLine out =
        line(machine.kind == MachineKind::switchBox ? "switches" : "servers", machine.node->part, machine.count, price);
    out.node = machine.node->id;
    return out;
}

Quantity PriceList::rent(const Machine& machine, Procurement procurement) {
    const PartId& book = machine.node->priceBook;
    if (const Quantity* found = machine.part ? known(machine.part, procurement, book) : nullptr)
        return *found;
    const Quantity rent = rentPerHour(m_context, machine, procurement);
    if (machine.part)
        m_known.push_back({machine.part, procurement, &book, rent});
    return rent;
}

Quantity PriceList::cablePrice(const Cabling::Run& run) {
    for (const auto& [priced, price] : m_cables)
        if (priced.cable == run.cable && priced.medium == run.medium && priced.length == run.length && priced.given == run.given &&
            priced.modules == run.modules)
            return price;
    Derivation& d = m_context.derivation;
    const auto price = [&]() -> Quantity {
        if (!run.cable)
            return d.unknown("price of the cable", Unit::dollars, "the medium is not in the catalog");
        const double low = run.modules * si(run.cable->price.low), high = run.modules * si(run.cable->price.high);
        const Quantity length = run.given ? d.input("cable length", run.length, Unit::metres, "link")
                                          : d.computed("cable length", "inside a rack, or over the floor that the racks make",
                                                       run.length, run.length * .5, run.length * 1.5, Unit::metres, {});
        const Quantity listed = d.fact("cheapest cable that reaches, modules at both ends included", *run.medium, "cables",
                                       (low + high) / 2, low, high, Unit::dollars);
        return d.computed("price of the cable", "cheapest kind of this medium that reaches the length", listed.value, low, high,
                          Unit::dollars, {listed, length});
    }();
    m_cables.emplace_back(run, price);
    return price;
}

void PriceList::addCables(std::vector<CostLine>& lines, const Owned& owned) {
    const auto& links = m_context.design.alternative->links;
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        const Cabling::Run& run = m_cabling.run(i);
        const std::int64_t cables = m_context.fabric.capacity(i).cables;
        if (cables <= 0 || (!owned(links[i].from) && !owned(links[i].to)))
            continue;
        if (run.medium && !run.cable)
            continue; // leased, or part of a machine
        CostLine out = line("cables", links[i].medium, cables, cablePrice(run));
        out.link = links[i].id;
        lines.push_back(std::move(out));
    }
}

void PriceList::addRacks(std::vector<CostLine>& lines, std::span<const RackEstimate> racks, const Owned& owned) {
    Derivation& d = m_context.derivation;
    double plateWatts = 0;
    for (const RackEstimate& rack : racks) {
        const bool ours = rack.items.empty() ||
            std::any_of(rack.items.begin(), rack.items.end(), [&](const RackItem& item) { return owned(item.node); });
        if (!ours || rack.count <= 0)
            continue;
        const Rack* drawn = m_context.design.alternative->findRack(rack.rack);
        const RackType* type = m_context.catalog.find<RackType>(rack.type);
        if (type || drawn) { // a rack-scale system brings its own
            const Quantity price = type ? priceFact(d, "price of the rack", *type, type->price)
                                        : d.unknown("price of the rack", Unit::dollars, "the rack type is not in the catalog");
            lines.push_back(line("racks", type ? type->id : drawn->part, rack.count, price));
            lines.back().rack = rack.rack;
        }
        const Pdu* pdu = drawn && drawn->pdu ? m_context.catalog.find<Pdu>(drawn->pdu) : nullptr;
        if (pdu && drawn->pduCount > 0) {
            const Constants& rule = constantsOf(m_context.catalog, "price_rule", "pdu");
            const Quantity price = pdu->price
                ? priceFact(d, "price of the feed", *pdu, pdu->price)
                : d.product("price of the feed", "usable power · USD per kW",
                            {d.fact("usable power", *pdu, "usable_kw", si(pdu->usable), Unit::watts),
                             d.calibrated("USD per kW", rule, "usd_per_kw", Unit::one)},
                            Unit::dollars, 1e-3);
            lines.push_back(line("power", pdu->id, rack.count * drawn->pduCount, price));
            lines.back().rack = rack.rack;
        }
        const Cooling* cooling = coolingOf(m_context.design, drawn, rack.waterWatts > 0);
        if (cooling && (kindOf(*cooling) == CoolingKind::coldPlate || kindOf(*cooling) == CoolingKind::immersion))
            plateWatts += rack.waterWatts * static_cast<double>(rack.count);
    }
    if (plateWatts > 0)
        addCoolantUnits(lines, plateWatts);
}

void PriceList::addCoolantUnits(std::vector<CostLine>& lines, double watts) {
    const Cooling* unit = m_context.catalog.find<Cooling>(PartId{coolantUnit});
    if (!unit || !unit->capacity)
        return;
    const auto units = static_cast<std::int64_t>(std::ceil(watts / si(*unit->capacity) - 1e-9));
    lines.push_back(
        line("cooling", unit->id, units, priceFact(m_context.derivation, "price of the coolant unit", *unit, unit->price)));
}

/// Share of the year's machine-hours that a placement pays for, when paid by the hour.
static double paidBy(const EstimateContext& context, const Workload& workload, const Placement& placement) {
    const Project& project = *context.design.project;
    if (placement.scaling == Scaling::whileUsed || !context.results)
        return hoursOfYear(workload, project.site);
    const auto index = static_cast<std::size_t>(&workload - project.workloads.data());
    return placementDay(project, *context.design.alternative, workload, placement, (*context.results)[index].estimate).paid;
}

std::vector<double> paidHours(const EstimateContext& context) {
    const Project& project = *context.design.project;
    std::vector<double> paid(context.design.machines.size(), -1);
    for (const Placement& placement : context.design.alternative->placements) {
        const Workload* workload = project.findWorkload(placement.workload);
        if (!workload)
            continue;
        const double hours = paidBy(context, *workload, placement);
        for (const NodeId& id : placement.nodes) {
            const int node = context.design.indexOf(id);
            if (node >= 0)
                paid[static_cast<std::size_t>(node)] = std::max(paid[static_cast<std::size_t>(node)], hours);
        }
    }
    for (double& hours : paid) {
        if (hours < 0)
            hours = 1;
    }
    return paid;
}

Quantity transferPerYear(EstimateContext& context, std::span<const LinkLoad> loads) {
    Derivation& d = context.derivation;
    const Project& project = *context.design.project;
    const auto& links = context.design.alternative->links;
    std::vector<Quantity> bills;
    for (std::size_t i = 0; i < std::min(loads.size(), links.size()); ++i) {
        const Medium* medium = context.catalog.find<Medium>(links[i].medium);
        if (!medium || !medium->transferDollarsPerGb)
            continue;
        double bytes = 0;
        for (const LinkLoad::Share& share : loads[i].shares) {
            const Workload* workload = project.findWorkload(share.workload);
            bytes += (share.forward + share.backward) * (workload ? loadOfYear(*workload, project.site) : 1) * secondsPerYear;
        }
        const Quantity traffic = d.computed("bytes a year over the link", "load · seconds in use, both directions", bytes, bytes,
                                            bytes, Unit::bytes, {loads[i].quantity});
        const Quantity price =
            d.fact("price of transfer, USD per GB", *medium, "transfer_usd_per_gb", *medium->transferDollarsPerGb, Unit::one);
        bills.push_back(d.product("billed traffic of the link", "bytes · price", {traffic, price}, Unit::dollarsPerYear, 1e-9));
    }
    return d.sum("billed traffic", bills, Unit::dollarsPerYear);
}

std::vector<NamedQuantity> sumByCategory(Derivation& d, std::span<const CostLine> lines) {
    std::vector<NamedQuantity> sums;
    for (const char* category : {"servers", "switches", "cables", "racks", "power", "cooling", "installation", "spares"}) {
        std::vector<Quantity> totals;
        for (const CostLine& line : lines) {
            if (line.category == category)
                totals.push_back(line.total);
        }
        if (!totals.empty())
            sums.push_back({category, d.sum(category, totals, Unit::dollars)});
    }
    return sums;
}

} // namespace cw
