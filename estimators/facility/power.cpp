// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/cabling.h"
#include "estimators/facility/cooling.h"
#include "estimators/facility/facility.h"
#include "estimators/facility/facility_constants.h"
#include "estimators/facility/machine_power.h"
#include "estimators/facility/power_terms.h"
#include "estimators/facility/site_terms.h"

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>

namespace cw {

namespace {

enum Place : std::size_t { gpu, cpu, switches, optics, fans, storage, other, cooling, distribution, placeCount };
constexpr std::array<const char*, placeCount> placeNames{"gpu",     "cpu",   "switches", "optics",      "fans",
                                                         "storage", "other", "cooling",  "distribution"};
using Places = std::array<double, placeCount>;

void add(Places& places, const MachinePower& p, double members) {
    places[gpu] += p.gpu * members;
    places[cpu] += p.cpu * members;
    places[storage] += p.storage * members;
    places[other] += p.other * members;
    places[fans] += p.fans * members;
    places[distribution] += p.supply * members;
}

MachinePower blend(const MachinePower& idle, const MachinePower& busy, double share) {
    const auto mix = [share](double a, double b) { return a + share * (b - a); };
    return {mix(idle.gpu, busy.gpu),     mix(idle.cpu, busy.cpu),   mix(idle.storage, busy.storage),
            mix(idle.other, busy.other), mix(idle.fans, busy.fans), mix(idle.supply, busy.supply)};
}

/// What all workloads together make of the members of a stack. Stacks used by one are its mean; several at once may not use more than
/// all of the time.
struct StackLoad {
    DeviceLoad busy;  ///< mean while in use, of the members in use
    double share = 0; ///< of the members' time
    double year = 0;  ///< the same over the year
    double on = 1;    ///< of the year's hours that the members are switched on
};

StackLoad combined(std::span<const Activity> activity) {
    StackLoad load;
    if (!activity.empty())
        load.on = 0;
    for (const Activity& a : activity) {
        load.on = std::max(load.on, std::clamp(a.onOfYear, 0.0, 1.0)); // one that needs them keeps them on
        const double share = std::clamp(a.share, 0.0, 1.0);
        load.busy.compute += share * a.compute;
        load.busy.memory += share * a.memory;
        load.busy.waiting += share * a.waiting;
        load.busy.cpu += share * a.cpu;
        load.share += share;
        load.year += share * std::clamp(a.ofYear, 0.0, 1.0);
    }
    if (load.share <= 0)
        return load;
    const double over = std::max(1.0, load.share); // time is shared: what is asked for beyond all of it queues
    const double shareOfTime = load.share / over;
    for (double* part : {&load.busy.compute, &load.busy.memory, &load.busy.waiting, &load.busy.cpu})
        *part = std::min(1.0, *part / shareOfTime);
    load.year = std::min(shareOfTime, load.year);
    load.share = shareOfTime;
    return load;
}

class PowerEstimator {
public:
    PowerEstimator(EstimateContext& context, std::span<const Activity> activity)
        : m_context(context)
        , m_activity(activity.begin(), activity.end())
        , m_cabling(context.design) {
        std::stable_sort(m_activity.begin(), m_activity.end(),
                         [](const Activity& a, const Activity& b) { return a.node < b.node; });
        countOptics();
    }

    PowerEstimate run();

private:
    /// Machines that are alike in everything that counts for power share one model and one derivation.
    struct Kind {
        const PartInfo* part = nullptr;
        std::optional<double> cap;
        std::unique_ptr<MachinePowerModel> model;
        Quantity idle;
        Quantity peak;
        struct Expected {
            StackLoad load;
            MachinePower power;
            Quantity quantity;
        };
        std::vector<Expected> expected;
    };

    void countOptics();
    std::span<const Activity> activityOf(std::uint32_t node) const;
    Kind& kindOfMachine(const Machine& machine);
    const Kind::Expected& expectedOf(Kind& kind, const Machine& machine, const StackLoad& load);
    NodePower computer(const Machine& machine, std::uint32_t index);
    NodePower switchBox(const Machine& machine, std::uint32_t index);
    void addFacility(PowerEstimate& power);

    EstimateContext& m_context;
    std::vector<Activity> m_activity; ///< by node
    Cabling m_cabling;
    std::vector<double> m_optics; ///< W of modules in a switch stack's ports, all members
    std::unordered_multimap<const PartInfo*, Kind> m_kinds;
    Places m_places{};
};

/// Modules in the ports of switches. A server's rating and idle power already hold the modules of its own ports.
void PowerEstimator::countOptics() {
    const ResolvedDesign& design = m_context.design;
    m_optics.assign(design.machines.size(), 0);
    const auto& links = design.alternative->links;
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        const Cabling::Run& run = m_cabling.run(i);
        if (!run.cable)
            continue;
        const double watts = static_cast<double>(m_context.fabric.capacity(i).cables) * si(run.cable->powerPerEnd);
        for (const NodeId* end : {&links[i].from, &links[i].to}) {
            const int node = design.indexOf(*end);
            if (node >= 0 && design.machines[static_cast<std::size_t>(node)].kind == MachineKind::switchBox)
                m_optics[static_cast<std::size_t>(node)] += watts;
        }
    }
}

std::span<const Activity> PowerEstimator::activityOf(std::uint32_t node) const {
    const auto [first, last] = std::equal_range(m_activity.begin(), m_activity.end(), Activity{.node = node},
                                                [](const Activity& a, const Activity& b) { return a.node < b.node; });
    return {first, last};
}

PowerEstimator::Kind& PowerEstimator::kindOfMachine(const Machine& machine) {
    const auto [first, last] = m_kinds.equal_range(machine.part);
    for (auto it = first; it != last; ++it) {
        if (it->second.cap == machine.gpuPowerCap)
            return it->second;
    }
    Kind kind;
    kind.part = machine.part;
    kind.cap = machine.gpuPowerCap;
    kind.model = std::make_unique<MachinePowerModel>(machine, m_context.catalog);
    const PowerTerms terms(m_context, machine, *kind.model);
    kind.idle = terms.idle();
    kind.peak = terms.peak();
    return m_kinds.emplace(machine.part, std::move(kind))->second;
}

const PowerEstimator::Kind::Expected& PowerEstimator::expectedOf(Kind& kind, const Machine& machine, const StackLoad& load) {
    for (const Kind::Expected& known : kind.expected) {
        if (known.load.busy == load.busy && known.load.share == load.share)
            return known;
    }
    Kind::Expected expected;
    expected.load = load;
    expected.power = blend(kind.model->at({}), kind.model->at(load.busy), load.share);
    expected.quantity = PowerTerms(m_context, machine, *kind.model).expected(expected.power, load.busy, load.share, kind.idle);
    kind.expected.push_back(expected);
    return kind.expected.back();
}

NodePower PowerEstimator::computer(const Machine& machine, std::uint32_t index) {
    Kind& kind = kindOfMachine(machine);
    const StackLoad load = combined(activityOf(index));
    const Kind::Expected& expected = expectedOf(kind, machine, load);
    const auto members = static_cast<double>(machine.count);
    add(m_places, expected.power, members);
    NodePower node;
    node.node = machine.node->id;
    Derivation& d = m_context.derivation;
    const Quantity count = d.input("machines", members, Unit::count, "node");
    node.idle = d.product("idle power of the stack", "machines · idle power", {count, kind.idle}, Unit::watts);
    node.expected = d.product("power of the stack", "machines · machine power", {count, expected.quantity}, Unit::watts);
    node.peak = d.product("peak power of the stack", "machines · peak power", {count, kind.peak}, Unit::watts);
    node.perMemberExpected = expected.quantity.value;
    node.perMemberPeak = kind.peak.value;
    node.busy = load.share;
    const double idle = kind.idle.value;
    const double on = std::max(load.on, load.share > 0 ? load.year / load.share : 0);
    node.perMemberYear = load.share > 0 ? idle * on + (expected.quantity.value - idle) * load.year / load.share : idle * on;
    return node;
}

NodePower PowerEstimator::switchBox(const Machine& machine, std::uint32_t index) {
    const auto members = static_cast<double>(machine.count);
    const double opticsEach = machine.count > 0 ? m_optics[index] / members : 0;
    const SwitchPower each = switchPower(m_context, machine, opticsEach);
    m_places[switches] += each.chassis.value * members;
    m_places[optics] += opticsEach * members;
    NodePower node;
    node.node = machine.node->id;
    Derivation& d = m_context.derivation;
    const Quantity count = d.input("switches", members, Unit::count, "node");
    node.idle = d.product("idle power of the stack", "switches · idle power", {count, each.idle}, Unit::watts);
    node.expected = d.product("power of the stack", "switches · switch power", {count, each.expected}, Unit::watts);
    node.peak = d.product("peak power of the stack", "switches · peak power", {count, each.peak}, Unit::watts);
    node.perMemberExpected = node.perMemberYear = each.expected.value;
    node.perMemberPeak = each.peak.value;
    return node;
}

/// Supplies and their losses are inside IT power; what the site adds is its PUE: losses of UPS and distribution first, the rest cooling.
void PowerEstimator::addFacility(PowerEstimate& power) {
    Derivation& d = m_context.derivation;
    power.pue = sitePue(m_context, power.nodes);
    power.facility = d.product("facility power", "IT power · PUE", {power.it, power.pue}, Unit::watts);
    power.facilityPeak = d.product("peak facility power", "peak IT power · PUE", {power.peak, power.pue}, Unit::watts);
    const double overhead = power.facility.value - power.it.value;
    const double losses = std::min(overhead, power.it.value * distributionLoss(m_context));
    m_places[distribution] += losses;
    m_places[cooling] += overhead - losses;
    const double band = power.facility.value > 0 ? power.facility.low / power.facility.value : 1;
    const double bandUp = power.facility.value > 0 ? power.facility.high / power.facility.value : 1;
    for (std::size_t i = 0; i < placeCount; ++i) {
        if (m_places[i] > 0)
            power.byPart.push_back({placeNames[i],
                                    d.computed(placeNames[i], "sum over all machines of what goes there", m_places[i],
                                               m_places[i] * band, m_places[i] * bandUp, Unit::watts, {power.facility})});
    }
}

PowerEstimate PowerEstimator::run() {
    PowerEstimate power;
    Derivation& d = m_context.derivation;
    const auto& machines = m_context.design.machines;
    std::vector<Quantity> idle, expected, peak;
    double yearWatts = 0;
    for (std::uint32_t i = 0; i < machines.size(); ++i) {
        const Machine& machine = machines[i];
        const bool box = machine.kind == MachineKind::switchBox;
        if (!box && (machine.kind == MachineKind::unknown || machine.kind == MachineKind::other)) {
            // Named by a finding; a sum with an unknown part is unknown.
            if (machine.kind == MachineKind::unknown && machine.count > 0) {
                const Quantity unknown = d.unknown("power of an unknown part", Unit::watts, "the part is not in the catalog");
                for (std::vector<Quantity>* sum : {&idle, &expected, &peak})
                    sum->push_back(unknown);
                yearWatts = unknown.value;
            }
            continue;
        }
        power.nodes.push_back(box ? switchBox(machine, i) : computer(machine, i));
        const NodePower& node = power.nodes.back();
        idle.push_back(node.idle);
        expected.push_back(node.expected);
        peak.push_back(node.peak);
        yearWatts += node.perMemberYear * static_cast<double>(machine.count);
    }
    power.idle = d.sum("idle IT power", idle, Unit::watts);
    power.it = d.sum("IT power", expected, Unit::watts);
    power.peak = d.sum("peak IT power", peak, Unit::watts);
    addFacility(power);
    const double ratio = power.it.value > 0 ? yearWatts / power.it.value : 1;
    const Quantity year =
        d.computed("mean IT power over the year",
                   "idle · share that machines are on + (busy − idle) · share of the year that they are busy, summed over stacks",
                   yearWatts, power.it.low * ratio, power.it.high * ratio, Unit::watts, {power.it, power.idle});
    power.energyPerYear = d.product("energy a year", "mean IT power · PUE · 8760 h", {year, power.pue},
                                    Unit::kilowattHoursPerYear, hoursPerYear / 1000);
    return power;
}

} // namespace

PowerEstimate estimatePower(EstimateContext& context, std::span<const Activity> activity, std::span<const LinkLoad>) {
    return PowerEstimator(context, activity).run();
}

} // namespace cw
