// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/cost_terms.h"
#include "estimators/facility/facility.h"
#include "estimators/facility/prices.h"
#include "estimators/facility/site_terms.h"

#include <algorithm>
#include <cmath>

namespace cw {

double capitalRecovery(double rate, double years) {
    if (std::abs(rate) < 1e-12)
        return 1 / years;
    return rate / (1 - std::pow(1 + rate, -years));
}

namespace {

constexpr double shortestHorizon = .25; // years

/// Money of one way to pay for a design.
struct Ledger {
    std::vector<CostLine> lines;
    Quantity capex, hardware;
    Quantity energy, support, space, staff, rent, transfer, capital;
    Quantity opex, year;
    std::vector<double> direct; ///< by node
    std::vector<NodeId> rentUnknown;
    bool rents = false;
};

class CostEstimator {
public:
    CostEstimator(EstimateContext& context, const PowerEstimate& power, std::span<const RackEstimate> racks,
                  std::span<const LinkLoad> links)
        : m_context(context)
        , m_d(context.derivation)
        , m_site(context.design.project->site)
        , m_power(power)
        , m_racks(racks)
        , m_links(links)
        , m_paid(paidHours(context)) {
        m_years = std::max(shortestHorizon, m_site.horizonYears);
        m_recovery = capitalRecovery(std::max(0.0, m_site.discountRate), m_years);
    }

    CostEstimate run();

private:
    Procurement procurement(const Machine& machine, bool allBought) const {
        return allBought ? Procurement::buy : procurementOf(*m_context.design.alternative, machine);
    }
    Ledger ledger(bool allBought);
    void payMachines(Ledger& book, bool allBought);
    void payHardware(Ledger& book, bool allBought);
    void payEnergyAndSpace(Ledger& book, bool allBought);
    void addUp(Ledger& book);
    Quantity rentOfAll(Procurement procurement);

    EstimateContext& m_context;
    Derivation& m_d;
    const Site& m_site;
    const PowerEstimate& m_power;
    std::span<const RackEstimate> m_racks;
    std::span<const LinkLoad> m_links;
    std::vector<double> m_paid; ///< share of the year's hours that a rented node runs, by node
    PriceList m_prices{m_context};
    double m_years = 1, m_recovery = 1;
};

/// Machines: bought ones become lines, rented ones rent. The network of rented machines comes with them.
void CostEstimator::payMachines(Ledger& book, bool allBought) {
    const auto& machines = m_context.design.machines;
    std::vector<Quantity> rents;
    book.direct.assign(machines.size(), 0);
    for (std::size_t i = 0; i < machines.size(); ++i) {
        const Machine& machine = machines[i];
        if (machine.count == 0)
            continue;
        const Procurement how = procurement(machine, allBought);
        if (!isRent(how)) {
            book.lines.push_back(m_prices.purchaseLine(machine));
            book.direct[i] = book.lines.back().total.value;
            continue;
        }
        book.rents = true;
        if (machine.kind == MachineKind::switchBox)
            continue;
        const Quantity each = m_prices.rent(machine, how);
        if (!each.known())
            book.rentUnknown.push_back(machine.node->id);
        const Quantity count = m_d.input("machines", static_cast<double>(machine.count), Unit::count, "node");
        const double share = how == Procurement::reserved ? 1 : m_paid[i];
        const Quantity hours =
            m_d.input("hours paid a year", hoursPerYear * share, Unit::hours,
                      how == Procurement::reserved ? "reserved: all" : "in use, from load profile or utilisation and how the placement scales");
        rents.push_back(
            m_d.product("rent of the stack", "machines · rent · hours paid", {count, each, hours}, Unit::dollarsPerYear));
        book.direct[i] = rents.back().value;
    }
    book.rent = m_d.sum("rent", rents, Unit::dollarsPerYear);
}

/// Everything else that is bought, and what comes on top of the purchase.
void CostEstimator::payHardware(Ledger& book, bool allBought) {
    const auto owned = [&](const NodeId& id) {
        const Machine* machine = m_context.design.machine(id);
        return machine && !isRent(procurement(*machine, allBought));
    };
    m_prices.addCables(book.lines, owned);
    m_prices.addRacks(book.lines, m_racks, owned);
    std::vector<Quantity> totals;
    for (const CostLine& line : book.lines)
        totals.push_back(line.total);
    book.hardware = m_d.sum("purchase", totals, Unit::dollars);
    const auto onTop = [&](const char* name, const char* category, double fraction) {
        if (fraction <= 0 || book.lines.empty())
            return;
        const Quantity share = m_d.input("share of the purchase", fraction, Unit::fraction, "site");
        CostLine line;
        line.category = category;
        line.quantity = 1;
        line.unitPrice = line.total = m_d.product(name, "purchase · share", {book.hardware, share}, Unit::dollars);
        totals.push_back(line.total);
        book.lines.push_back(std::move(line));
    };
    onTop("installation", "installation", m_site.installationFraction);
    onTop("spare parts", "spares", m_site.spareFraction);
    book.capex = m_d.sum("capital expense", totals, Unit::dollars);
}

void CostEstimator::payEnergyAndSpace(Ledger& book, bool allBought) {
    double all = 0, ours = 0, oursPeak = 0;
    const double pue = m_power.pue.known() ? m_power.pue.value : 1;
    const Quantity price = energyPrice(m_context);
    for (const NodePower& node : m_power.nodes) {
        const int index = m_context.design.indexOf(node.node);
        if (index < 0)
            continue;
        const Machine& machine = m_context.design.machines[static_cast<std::size_t>(index)];
        const double watts = node.perMemberYear * static_cast<double>(machine.count);
        all += watts;
        if (isRent(procurement(machine, allBought)))
            continue;
        ours += watts;
        oursPeak += node.peak.value;
        const double capital = book.direct[static_cast<std::size_t>(index)] *
            ((1 + m_site.installationFraction + m_site.spareFraction) * m_recovery + m_site.supportFractionPerYear);
        book.direct[static_cast<std::size_t>(index)] = capital + watts * pue * hoursPerYear / 1000 * price.value;
    }
    const Quantity share =
        m_d.computed("share of the energy that the site pays", "bought machines / all machines", all > 0 ? ours / all : 0,
                     all > 0 ? ours / all : 0, all > 0 ? ours / all : 0, Unit::fraction, {});
    book.energy = m_d.product("energy", "energy a year · price · share paid by the site", {m_power.energyPerYear, price, share},
                              Unit::dollarsPerYear);
    const Quantity supportShare = m_d.input("support a year", m_site.supportFractionPerYear, Unit::fraction, "site");
    book.support = m_d.product("support", "purchase · support a year", {book.hardware, supportShare}, Unit::dollarsPerYear);
    const Quantity peak =
        m_d.computed("peak IT power of bought machines", "sum", oursPeak, oursPeak, oursPeak, Unit::watts, {m_power.peak});
    const Quantity rate = m_d.input("space, USD per kW and month", m_site.spaceDollarsPerKwMonth, Unit::one, "site");
    book.space = m_d.product("space", "peak IT power · price · 12", {peak, rate}, Unit::dollarsPerYear, 12.0 / 1000);
    book.staff = m_d.input("staff", m_site.staffDollarsPerYear, Unit::dollarsPerYear, "site");
    book.transfer = transferPerYear(m_context, m_links);
}

void CostEstimator::addUp(Ledger& book) {
    const Quantity recovery =
        m_d.computed("capital recovery factor", "r / (1 − (1 + r)^−n)", m_recovery, m_recovery, m_recovery, Unit::one,
                     {m_d.input("discount rate", m_site.discountRate, Unit::fraction, "site"),
                      m_d.input("horizon", m_years, Unit::years, "site")});
    book.capital =
        m_d.product("capital", "capital expense · capital recovery factor", {book.capex, recovery}, Unit::dollarsPerYear);
    const Quantity running[] = {book.energy, book.support, book.space, book.staff, book.rent, book.transfer};
    book.opex = m_d.sum("running cost a year", running, Unit::dollarsPerYear);
    const Quantity parts[] = {book.capital, book.opex};
    book.year = m_d.sum("cost a year", parts, Unit::dollarsPerYear);
}

Ledger CostEstimator::ledger(bool allBought) {
    Ledger book;
    book.lines.reserve(m_context.design.machines.size() + m_links.size() + 2 * m_racks.size() + 4);
    payMachines(book, allBought);
    payHardware(book, allBought);
    payEnergyAndSpace(book, allBought);
    addUp(book);
    return book;
}

/// The same computing machines rented the whole year round.
Quantity CostEstimator::rentOfAll(Procurement procurement) {
    std::vector<std::pair<Quantity, std::int64_t>> kinds; // rent of one, and how many there are: however they are drawn
    for (const Machine& machine : m_context.design.machines) {
        if (machine.kind == MachineKind::switchBox || machine.count == 0)
            continue;
        const Quantity each = m_prices.rent(machine, procurement);
        const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first.term == each.term; });
        if (found != kinds.end())
            found->second += machine.count;
        else
            kinds.emplace_back(each, machine.count);
    }
    std::vector<Quantity> rents;
    for (const auto& [each, count] : kinds)
        rents.push_back(m_d.product("rent of equal machines", "machines · rent",
                                    {m_d.input("machines", static_cast<double>(count), Unit::count, "node"), each},
                                    Unit::dollarsPerHour));
    return m_d.sum("rent of the same machines", rents, Unit::dollarsPerHour);
}

CostEstimate CostEstimator::run() {
    Ledger book = ledger(false);
    CostEstimate cost;
    cost.capex = book.capex;
    cost.opexPerYear = book.opex;
    const double annuity = 1 / m_recovery;
    const Quantity years =
        m_d.computed("present value of 1 a year", "1 / capital recovery factor", annuity, annuity, annuity, Unit::one, {});
    const Quantity running = m_d.product("running cost over the horizon", "running cost a year · present value of 1 a year",
                                         {book.opex, years}, Unit::dollars);
    const Quantity both[] = {book.capex, running};
    cost.tco = m_d.sum("total cost of ownership", both, Unit::dollars);
    cost.perHour = m_d.product("cost per hour", "cost a year / 8760 h", {book.year}, Unit::dollarsPerHour, 1 / hoursPerYear);
    cost.yearly = {{"capital", book.capital}, {"energy", book.energy}, {"support", book.support},  {"space", book.space},
                   {"staff", book.staff},     {"rent", book.rent},     {"transfer", book.transfer}};
    cost.byCategory = sumByCategory(m_d, book.lines);
    const Procurement paid = m_context.design.alternative->procurement;
    if (!m_context.design.machines.empty()) {
        cost.rentPerHour = rentOfAll(isRent(paid) ? paid : Procurement::reserved);
        if (!book.rents)
            cost.onDemandPerHour = rentOfAll(Procurement::onDemand);
        cost.buyPerHour = book.rents ? m_d.product("cost per hour when bought", "cost a year / 8760 h", {ledger(true).year},
                                                   Unit::dollarsPerHour, 1 / hoursPerYear)
                                     : cost.perHour;
    }
    cost.directPerYear = std::move(book.direct);
    cost.rentUnknown = std::move(book.rentUnknown);
    cost.lines = std::move(book.lines);
    return cost;
}

} // namespace

CostEstimate estimateCost(EstimateContext& context, const PowerEstimate& power, std::span<const RackEstimate> racks,
                          std::span<const LinkLoad> links) {
    return CostEstimator(context, power, racks, links).run();
}

} // namespace cw
