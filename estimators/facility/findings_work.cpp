// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/finding_list.h"
#include "model/edit/edit.h"
#include "model/units/unit.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double mostGrowth = 4; // a target missed by more needs another design, not more of the same
constexpr double barelyUsed = .25;
constexpr double comfortableUse = .6;
constexpr double capShare = .7; // of TDP: decode and other bandwidth-bound work hardly notices

bool computes(const Machine& machine) {
    return machine.kind == MachineKind::gpu || machine.kind == MachineKind::cpu || machine.kind == MachineKind::storage;
}

/// Stacks whose count can change without breaking a pattern that needs fitting numbers.
bool countIsFree(const FindingList& list, const NodeId& id) {
    for (const Link& link : list.alternative().links) {
        if ((link.from == id || link.to == id) && link.pattern != Pattern::each && link.pattern != Pattern::mesh)
            return false;
    }
    for (const Rack& rack : list.alternative().racks) {
        for (const RackItem& item : rack.items) {
            if (item.node == id)
                return false; // would leave its racks half empty or over-full
        }
    }
    return true;
}

std::vector<const Placement*> placementsOf(const FindingList& list, const WorkloadId& id) {
    std::vector<const Placement*> found;
    for (const Placement& placement : list.alternative().placements) {
        if (placement.workload == id)
            found.push_back(&placement);
    }
    return found;
}

std::optional<std::string> bindingOf(const WorkloadEstimate& workload) {
    if (workload.bottleneck)
        return workload.bottleneck->binding.resource;
    return std::nullopt;
}

/// More machines by the factor that a target is missed, where one stack runs the workload and parallel sizes are not fixed.
void offerMoreMachines(FindingList& list, Finding& finding, const WorkloadEstimate& workload, double factor) {
    const auto placements = placementsOf(list, workload.id);
    if (placements.size() != 1 || placements.front()->nodes.size() != 1 || !(factor > 1) || factor > mostGrowth)
        return;
    const Placement& placement = *placements.front();
    const Parallelism& p = placement.parallelism;
    if (p.data > 0 || placement.replicas > 0 || !countIsFree(list, placement.nodes.front()))
        return;
    const Machine* machine = list.context().design.machine(placement.nodes.front());
    if (!machine || machine->count < 1)
        return;
    Node after = *machine->node;
    after.count =
        std::min<std::int64_t>(maxStackCount, static_cast<std::int64_t>(std::ceil(static_cast<double>(machine->count) * factor)));
    finding.arguments["machines"] = std::to_string(after.count);
    list.offer(finding, "work.more_machines", "Add machines", {list.change(list.ref(after.id), *machine->node, after)});
}

void missedTargets(FindingList& list, const WorkloadEstimate& workload) {
    for (const WorkloadEstimate::TargetResult& target : workload.targets) {
        if (target.met)
            continue;
        const bool more = target.target == "throughput"; // the others are at most so much
        const double ratio = more ? target.wanted / target.got : target.got / target.wanted;
        const std::string got = target.got == target.got ? format(target.got, target.unit) : "?";
        Finding& finding = list.add(Severity::warning, "target.missed", {list.ref(workload.id)}, ratio > 1 ? 1 - 1 / ratio : .5,
                                    {{"workload", workload.name},
                                     {"target", target.target},
                                     {"wanted", format(target.wanted, target.unit)},
                                     {"got", got},
                                     {"binding", bindingOf(workload).value_or("")}});
        if (target.target == "throughput" || target.target == "step" || target.target == "days")
            offerMoreMachines(list, finding, workload, ratio);
    }
}

void notPlaced(FindingList& list, const WorkloadEstimate& workload) {
    if (workload.placed)
        return;
    const Workload* asked = list.project().findWorkload(workload.id);
    if (!asked || std::holds_alternative<Pipeline>(asked->spec))
        return;
    // A stage of a placed pipeline runs where the pipeline says.
    for (const Placement& placement : list.alternative().placements) {
        const Workload* other = list.project().findWorkload(placement.workload);
        const auto* pipeline = other ? std::get_if<Pipeline>(&other->spec) : nullptr;
        if (pipeline && std::any_of(pipeline->stages.begin(), pipeline->stages.end(), [&](const Pipeline::Stage& s) {
                return s.workload == workload.id;
            }))
            return;
    }
    Finding& finding =
        list.add(Severity::warning, "workload.not_placed", {list.ref(workload.id)}, 1, {{"workload", workload.name}});
    const bool wantsGpu = std::holds_alternative<LlmTraining>(asked->spec) || std::holds_alternative<LlmServing>(asked->spec);
    const Machine* best = nullptr;
    const auto size = [](const Machine& m) { return static_cast<double>(m.count) * (m.gpus > 0 ? m.gpus * 1000.0 : m.cores); };
    for (const Machine& machine : list.context().design.machines) {
        if (computes(machine) && (!wantsGpu || machine.gpus > 0) && (!best || size(machine) > size(*best)))
            best = &machine;
    }
    if (!best)
        return;
    Placement placement;
    placement.id = PlacementId{freeId(list.project(), list.alternative().id, "placement")};
    placement.workload = workload.id;
    placement.nodes = {best->node->id};
    finding.arguments["node"] = list.nameOf(best->node->id);
    list.offer(finding, "work.place", "Place a workload",
               {list.change({ElementKind::placement, list.alternative().id, placement.id.value}, std::monostate{}, placement)});
}

/// Stacks that are paid for and hardly used. A twin that is there in case another fails is not one.
void idleStacks(FindingList& list) {
    const auto& direct = list.estimate().cost.directPerYear;
    double all = 0;
    for (const double d : direct)
        all += d > 0 ? d : 0;
    for (std::size_t i = 0; i < list.context().design.machines.size(); ++i) {
        const Machine& machine = list.context().design.machines[i];
        const NodePower* power = machine.gpus > 0 || machine.kind == MachineKind::cpu ? list.powerOf(machine.node->id) : nullptr;
        if (!power || machine.count == 0)
            continue;
        const double weight = all > 0 && i < direct.size() && direct[i] > 0 ? direct[i] / all : 0;
        if (!list.isPlaced(i)) {
            if (weight > .02)
                list.add(Severity::advice, "node.idle", {list.ref(machine.node->id)}, weight,
                         {{"node", list.nameOf(machine.node->id)}, {"share", format(weight, Unit::fraction)}});
            continue;
        }
        if (power->busy <= 0 || power->busy >= barelyUsed || machine.count <= 2)
            continue;
        Finding& finding =
            list.add(Severity::advice, "node.barely_used", {list.ref(machine.node->id)}, weight * (1 - power->busy),
                     {{"node", list.nameOf(machine.node->id)}, {"busy", format(power->busy, Unit::fraction)}});
        Node after = *machine.node;
        after.count = std::max<std::int64_t>(
            2, static_cast<std::int64_t>(std::ceil(static_cast<double>(machine.count) * power->busy / comfortableUse)));
        if (after.count < machine.count && countIsFree(list, after.id)) {
            finding.arguments["machines"] = std::to_string(after.count);
            list.offer(finding, "node.fewer_machines", "Remove machines",
                       {list.change(list.ref(after.id), *machine.node, after)});
        }
    }
}

bool isService(const Workload& workload) {
    return std::holds_alternative<LlmServing>(workload.spec) || std::holds_alternative<Service>(workload.spec) ||
        std::holds_alternative<BatchInference>(workload.spec) || std::holds_alternative<Pipeline>(workload.spec);
}

/// A service on one machine stops with it.
void singleMachines(FindingList& list) {
    for (const Placement& placement : list.alternative().placements) {
        const Workload* workload = list.project().findWorkload(placement.workload);
        if (!workload || !isService(*workload) || placement.nodes.size() != 1 || placement.replicas > 0)
            continue;
        const Machine* machine = list.context().design.machine(placement.nodes.front());
        if (!machine || machine->count != 1 || placementsOf(list, workload->id).size() > 1)
            continue;
        Finding& finding = list.add(Severity::advice, "reliability.single_machine", {list.ref(machine->node->id)}, .3,
                                    {{"node", list.nameOf(machine->node->id)}, {"workload", workload->name}});
        if (!countIsFree(list, machine->node->id))
            continue;
        Node after = *machine->node;
        after.count = 2;
        list.offer(finding, "reliability.add_twin", "Add a second machine",
                   {list.change(list.ref(after.id), *machine->node, after)});
    }
}

/// Bandwidth-bound GPUs draw power that does not make them faster.
void powerCaps(FindingList& list) {
    for (const WorkloadEstimate& workload : list.estimate().workloads) {
        if (bindingOf(workload).value_or("") != "gpu.memory_bandwidth")
            continue;
        std::vector<Change> changes;
        std::vector<ElementRef> nodes;
        double gpuWatts = 0;
        for (const Placement* placement : placementsOf(list, workload.id)) {
            for (const NodeId& id : placement->nodes) {
                const Machine* machine = list.context().design.machine(id);
                if (!machine || machine->gpus <= 0 || !machine->gpu || !machine->gpu->tdp || machine->gpuPowerCap)
                    continue;
                Node after = *machine->node;
                after.gpuPowerCap = watts(std::round(capShare * si(*machine->gpu->tdp) / 10) * 10);
                const bool twice = std::any_of(nodes.begin(), nodes.end(), [&](const ElementRef& r) { return r.id == id.value; });
                if (twice)
                    continue;
                gpuWatts += static_cast<double>(machine->count) * machine->gpus * (1 - capShare) * si(*machine->gpu->tdp);
                nodes.push_back(list.ref(id));
                changes.push_back(list.change(nodes.back(), *machine->node, after));
            }
        }
        if (changes.empty())
            continue;
        Finding& finding = list.add(
            Severity::advice, "power.cap_helps", nodes, .2,
            {{"workload", workload.name}, {"saved", format(gpuWatts, Unit::watts)}, {"cap", format(capShare, Unit::fraction)}});
        list.offer(finding, "power.cap_gpus", "Cap the power of the GPUs", std::move(changes));
    }
}

} // namespace

void findWork(FindingList& list) {
    for (const WorkloadEstimate& workload : list.estimate().workloads) {
        missedTargets(list, workload);
        notPlaced(list, workload);
    }
    idleStacks(list);
    singleMachines(list);
    powerCaps(list);
}

} // namespace cw
