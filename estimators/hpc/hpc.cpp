// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/hpc/hpc_model.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double modelError = .15;
constexpr double poorEfficiency = .7, muchLatency = .2;

double peakOf(const Machine& machine, Precision precision) {
    if (machine.gpu) {
        const auto found = machine.gpu->peak.find(precision);
        if (found != machine.gpu->peak.end())
            return si(found->second);
        const auto fallback = machine.gpu->peakFor(precision);
        return precision != Precision::fp64 && fallback ? si(*fallback) : 0;
    }
    if (!machine.cpu)
        return 0;
    const auto found = machine.cpu->peak.find(precision);
    return found == machine.cpu->peak.end() ? 0 : si(found->second) * machine.sockets;
}

struct Job {
    EstimateContext& context;
    const Workload& workload;
    const Hpc& spec;
    const GroupFabric& group;
    const Machine* machine = nullptr; ///< the slowest
    HpcCase run;
    HpcTime time;
};

std::vector<std::uint32_t> computeNodes(const EstimateContext& context, std::span<const Placement* const> placements) {
    std::vector<std::uint32_t> gpus, cpus;
    for (const Placement* placement : placements)
        for (const NodeId& id : placement->nodes) {
            const int index = context.design.indexOf(id);
            if (index < 0)
                continue;
            const Machine& machine = context.design.machines[static_cast<std::size_t>(index)];
            auto& list = machine.gpu ? gpus : cpus;
            if (machine.count > 0 && (machine.gpu || machine.cpu) &&
                std::find(list.begin(), list.end(), static_cast<std::uint32_t>(index)) == list.end())
                list.push_back(static_cast<std::uint32_t>(index));
        }
    return gpus.empty() ? cpus : gpus;
}

Finding remark(const EstimateContext& context, const Workload& workload, const GroupFabric* group, Severity severity,
               const char* code, double weight) {
    Finding finding;
    finding.severity = severity;
    finding.code = code;
    finding.weight = weight;
    finding.elements.push_back({ElementKind::workload, {}, workload.id.value});
    if (group)
        for (const std::uint32_t node : group->nodes)
            finding.elements.push_back(
                {ElementKind::node, context.design.alternative->id, context.design.machines[node].node->id.value});
    finding.arguments["workload"] = workload.name.empty() ? workload.id.value : workload.name;
    return finding;
}

void giveUp(EstimateContext& context, const Workload& workload, const GroupFabric* group, WorkloadResult& result,
            const char* code, const char* why) {
    result.estimate.throughput = context.derivation.unknown("throughput", Unit::operationsPerSecond, why);
    result.estimate.latency.push_back({"step", context.derivation.unknown("step time", Unit::seconds, why)});
    result.findings.push_back(remark(context, workload, group, Severity::error, code, 1));
    if (group)
        result.findings.back().arguments["machines"] = std::to_string(group->machines);
}

HpcCase caseOf(const EstimateContext& context, const GroupFabric& group, const Machine& machine, Precision precision) {
    HpcCase run;
    run.group = &group;
    run.catalog = &context.catalog;
    run.constants = context.catalog.constants("hpc", "");
    run.gpu = machine.gpu != nullptr;
    run.devices = static_cast<double>(group.devices);
    const Relief& relief = context.relief;
    run.peak = peakOf(machine, precision) * (run.gpu ? relief.gpuCompute : relief.cpu);
    run.bandwidth = run.gpu ? si(machine.gpu->memoryBandwidth) * relief.gpuMemoryBandwidth : machine.memoryBandwidth * relief.cpu;
    run.memory = run.gpu ? si(machine.gpu->memory) * relief.gpuMemory : machine.ramBytes;
    run.networkRelief = relief.network;
    run.scaleUpRelief = relief.scaleUp;
    run.messageLatency = run.constant("message_us", 2) * 1e-6 / relief.host;
    return run;
}

void fillFigures(const Job& job, WorkloadResult& result) {
    Derivation& d = job.context.derivation;
    WorkloadEstimate& estimate = result.estimate;
    const HpcTime& time = job.time;
    const auto exact = [&](const char* name, const char* equation, double value, Unit unit,
                           std::initializer_list<Quantity> inputs) {
        return d.computed(name, equation, value, value, value, unit, inputs);
    };
    const PartInfo* part = job.run.gpu ? static_cast<const PartInfo*>(job.machine->gpu) : job.machine->cpu;
    const char* peakKey = job.run.gpu ? "fp64_tensor_tflops" : "peak_fp64_gflops";
    const Quantity peak = d.fact("peak of a device at this precision", *part, peakKey, job.run.peak, Unit::operationsPerSecond);
    const Quantity bandwidth =
        d.fact("memory bandwidth of a device", *part, "memory_bandwidth_gb_s", job.run.bandwidth, Unit::bytesPerSecond);
    const Quantity devices = d.input("devices", job.run.devices, Unit::count, "placement");
    const FabricTier& top = job.group.tierFor(job.run.devices);
    const Quantity link = exact("network bandwidth of a device", "narrowest tier: capacity of its links / devices",
                                top.bandwidthPerDevice, Unit::bytesPerSecond, {devices});
    const Quantity compute =
        exact("compute-bound time", "operations / (share · peak)", time.compute, Unit::seconds, {peak, devices});
    const Quantity memory =
        exact("memory-bound time", "bytes / (share · bandwidth)", time.memory, Unit::seconds, {bandwidth, devices});
    const Quantity exchange = exact("exchange with neighbours and panels", "bytes · share that leaves the block / bandwidth",
                                    time.network + time.scaleUp, Unit::seconds, {link});
    const Quantity latency = exact("messages and reductions", "reductions · log2(n) · latency + message starts", time.latency,
                                   Unit::seconds, {devices});
    const bool benchmark = job.spec.preset == Hpc::Preset::hpl;
    const Quantity terms[] = {compute, memory, exchange, latency};
    const Quantity step = d.computed(
        benchmark ? "time of the run" : "step time", "roofline of a device + exposed exchange + latency", time.seconds,
        time.seconds / (1 + modelError), time.seconds * (1 + modelError), Unit::seconds, terms, "docs/equations.md, HPC");
    estimate.latency.push_back({"step", step});
    const Quantity work = benchmark
        ? exact("operations", "2/3 N³ + 2 N²", time.operations, Unit::operations,
                {exact("order of the matrix", "sqrt(fill · memory / 8)", time.problem, Unit::count, {devices})})
        : d.input("operations of a step", time.operations, Unit::operations, "workload");
    const char* rateName = benchmark ? "Rmax" : "throughput";
    estimate.throughput = d.quotient(rateName, "operations / time", work, step, Unit::operationsPerSecond);
    const Quantity all =
        exact("Rpeak", "devices · peak", job.run.peak * job.run.devices, Unit::operationsPerSecond, {peak, devices});
    estimate.more.push_back({"rpeak", all});
    if (job.run.peak > 0)
        estimate.mfu = d.quotient("share of the peak", "rate / Rpeak", *estimate.throughput, all, Unit::fraction);
    const double efficiency = time.efficiency();
    estimate.more.push_back(
        {"parallel_efficiency",
         d.computed("parallel efficiency",
                    job.spec.weakScaling ? "time without exchange / time" : "time of one device / (devices · time)", efficiency,
                    efficiency, std::min(1.0, efficiency * 1.05), Unit::fraction, {step, devices})});
    const auto steps = static_cast<double>(benchmark ? 1 : std::max<std::int64_t>(job.spec.steps, 1));
    const Quantity run = d.product("time of the run", "steps · step time",
                                   {d.input("steps", steps, Unit::count, "workload"), step}, Unit::seconds);
    estimate.latency.push_back({"run", run});
    result.unitsPerSecond = run.value > 0 ? 1 / run.value : 0;
    result.unitCost = Unit::dollarsPerJob;
}

void fillUse(const Job& job, WorkloadResult& result) {
    const HpcTime& t = job.time;
    WorkloadEstimate& estimate = result.estimate;
    auto& parts = estimate.timeParts;
    const auto part = [&](TimePart p) -> double& { return parts[static_cast<std::size_t>(p)]; };
    part(TimePart::compute) = t.compute;
    part(TimePart::memory) = t.memory;
    part(TimePart::scaleUp) = t.scaleUp;
    part(TimePart::network) = t.network;
    part(TimePart::host) = t.latency;
    struct Row {
        const char* code;
        double seconds;
        double HpcCase::* member;
    };
    const Row rows[] = {{job.run.gpu ? "gpu.compute" : "cpu.compute", t.compute, &HpcCase::peak},
                        {job.run.gpu ? "gpu.memory_bandwidth" : "cpu.memory_bandwidth", t.memory, &HpcCase::bandwidth},
                        {"gpu.scale_up", t.scaleUp, &HpcCase::scaleUpRelief},
                        {"network.link", t.network, &HpcCase::networkRelief},
                        {"network.latency", t.latency, nullptr}};
    std::vector<std::pair<ResourceUse, double>> all; // with the gain when doubled
    for (const Row& row : rows) {
        if (row.seconds <= 0)
            continue;
        ResourceUse use;
        use.resource = row.code;
        use.utilisation = row.seconds / t.seconds;
        for (const std::uint32_t node : job.group.nodes)
            use.elements.push_back(
                {ElementKind::node, job.context.design.alternative->id, job.context.design.machines[node].node->id.value});
        HpcCase relieved = job.run;
        if (row.member)
            relieved.*row.member *= 2;
        else
            relieved.messageLatency /= 2;
        const double faster = hpcTime(relieved, job.spec).seconds;
        all.emplace_back(std::move(use), faster > 0 ? std::max(0.0, t.seconds / faster - 1) : 0);
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    if (!all.empty()) {
        Bottleneck bottleneck;
        bottleneck.binding = all.front().first;
        bottleneck.gainIfRelieved = all.front().second;
        if (all.size() > 1)
            bottleneck.next = all[1].first;
        estimate.bottleneck = std::move(bottleneck);
    }
    for (auto& [use, gain] : all)
        estimate.resources.push_back(std::move(use));
    for (const std::uint32_t node : job.group.nodes) {
        Activity activity;
        activity.node = node;
        activity.compute = t.compute / t.seconds;
        activity.memory = t.memory / t.seconds;
        activity.waiting = std::max(0.0, 1 - activity.compute - activity.memory);
        activity.cpu = job.run.gpu ? .05 : activity.compute + activity.memory;
        result.activity.push_back(activity);
    }
}

void fillTraffic(const Job& job, WorkloadResult& result) {
    if (!(job.time.haloBytes > 0) || job.run.devices < 2)
        return;
    Traffic traffic;
    traffic.workload = job.workload.id;
    traffic.kind = "halo";
    traffic.group = &job.group;
    double below = 1;
    for (const FabricTier& tier : job.group.tiers) {
        traffic.bytesPerDevice.push_back(tier.network() ? job.time.haloBytes * haloShare(below, job.run.devices) : 0);
        below = std::max(below, tier.devicesPerBlock);
    }
    traffic.period = job.time.seconds;
    traffic.activeTime = std::max(job.time.network, job.time.scaleUp);
    result.traffic.push_back(std::move(traffic));
}

void addFindings(const Job& job, WorkloadResult& result) {
    const HpcTime& t = job.time;
    if (t.efficiency() < poorEfficiency) {
        Finding& finding = result.findings.emplace_back(
            remark(job.context, job.workload, &job.group, Severity::warning, "hpc.poor_scaling", 1 - t.efficiency()));
        finding.arguments["efficiency"] = format(t.efficiency(), Unit::fraction);
        finding.arguments["devices"] = std::to_string(job.group.devices);
    }
    if (t.latency > muchLatency * t.seconds) {
        Finding& finding = result.findings.emplace_back(
            remark(job.context, job.workload, &job.group, Severity::advice, "hpc.latency_bound", t.latency / t.seconds));
        finding.arguments["share"] = format(t.latency / t.seconds, Unit::fraction);
    }
}

} // namespace

WorkloadResult estimateHpc(EstimateContext& context, const Workload& workload, std::span<const Placement* const> placements) {
    WorkloadResult result;
    WorkloadEstimate& estimate = result.estimate;
    estimate.id = workload.id;
    estimate.name = workload.name;
    estimate.kind = kindName(workload.spec);
    estimate.placed = !placements.empty();
    const Hpc* spec = std::get_if<Hpc>(&workload.spec);
    if (!estimate.placed || !spec)
        return result;
    const std::vector<std::uint32_t> nodes = computeNodes(context, placements);
    if (nodes.empty()) {
        giveUp(context, workload, nullptr, result, "hpc.no_machines", "no placed machine can compute");
        return result;
    }
    const GroupFabric& group = result.groups.emplace_back(context.fabric.group(nodes, "compute"));
    if (!group.connected) {
        giveUp(context, workload, &group, result, "network.not_connected", "the machines are not connected");
        return result;
    }
    const Precision precision = placements.front()->precision.value_or(spec->precision);
    const auto slowest = *std::min_element(nodes.begin(), nodes.end(), [&](std::uint32_t a, std::uint32_t b) {
        return peakOf(context.design.machines[a], precision) < peakOf(context.design.machines[b], precision);
    });
    Job job{context, workload, *spec, group, &context.design.machines[slowest], {}, {}};
    job.run = caseOf(context, group, *job.machine, precision);
    job.time = hpcTime(job.run, *spec);
    const bool peakNeeded =
        spec->preset == Hpc::Preset::hpl || (spec->preset != Hpc::Preset::hpcg && spec->operationsPerStep.value() > 0);
    if ((peakNeeded && !(job.run.peak > 0)) || !(job.run.bandwidth > 0) || !(job.time.seconds > 0)) {
        giveUp(context, workload, &group, result, "hpc.unknown_rate", "the rate of the devices at this precision is not known");
        return result;
    }
    estimate.feasible = true;
    fillFigures(job, result);
    fillUse(job, result);
    fillTraffic(job, result);
    if (context.options.findings)
        addFindings(job, result);
    return result;
}

} // namespace cw
