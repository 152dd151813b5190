// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/training/training_job.h"

#include <algorithm>

namespace cw {

namespace {

/// Stacks of all placements that can compute: those with GPUs where there are any, else the CPU machines.
std::vector<std::uint32_t> trainingNodes(const EstimateContext& context, std::span<const Placement* const> placements) {
    std::vector<std::uint32_t> gpus, cpus;
    for (const Placement* placement : placements)
        for (const NodeId& id : placement->nodes) {
            const int index = context.design.indexOf(id);
            if (index < 0)
                continue;
            const auto node = static_cast<std::uint32_t>(index);
            const Machine& machine = context.design.machines[node];
            auto& list = machine.gpu ? gpus : cpus;
            const bool computes = machine.gpu || (machine.kind == MachineKind::cpu && machine.cpu);
            if (computes && machine.count > 0 && std::find(list.begin(), list.end(), node) == list.end())
                list.push_back(node);
        }
    return gpus.empty() ? cpus : gpus;
}

/// Nothing to estimate: the figures that would be asked for are unknown, and a finding says why.
void giveUp(EstimateContext& context, const Workload& workload, WorkloadResult& result, const char* code, const char* why,
            std::map<std::string, std::string> arguments = {}) {
    WorkloadEstimate& estimate = result.estimate;
    estimate.feasible = false;
    estimate.throughput = context.derivation.unknown("throughput", Unit::tokensPerSecond, why);
    estimate.latency.push_back({"step", context.derivation.unknown("step time", Unit::seconds, why)});
    Finding finding = trainingFinding(context, workload, Severity::error, code);
    finding.arguments.merge(arguments);
    result.findings.push_back(std::move(finding));
}

ChosenPlan chosenPlan(const TrainingJob& job) {
    const auto sizes = [](const TrainingPlan& plan) {
        Parallelism p;
        p.tensor = plan.tensor;
        p.pipeline = plan.pipeline;
        p.data = static_cast<int>(plan.data);
        p.context = plan.context;
        p.expert = plan.expert;
        return p;
    };
    ChosenPlan chosen;
    chosen.parallelism = sizes(job.plan);
    chosen.zeroStage = job.plan.zero;
    chosen.microBatch = job.plan.microBatch;
    chosen.interleave = job.plan.interleave;
    chosen.recompute = job.plan.recompute;
    chosen.chosenByEstimator = !job.wishes.complete();
    chosen.offload = job.plan.offload;
    chosen.sequenceParallel = job.plan.tensor > 1 && job.run.stack.sequenceParallel;
    chosen.tried = job.choice.tried;
    chosen.tooLarge = job.choice.tooLarge;
    for (const RejectedPlan& rejected : job.choice.rejected) {
        const TrainingPlan& plan = rejected.plan;
        chosen.rejected.push_back({sizes(plan), rejected.code, rejected.figure, plan.zero, plan.microBatch, plan.interleave,
                                   plan.recompute, plan.offload});
    }
    return chosen;
}

} // namespace

Finding trainingFinding(const EstimateContext& context, const Workload& workload, Severity severity, const char* code,
                        double weight) {
    Finding finding;
    finding.severity = severity;
    finding.code = code;
    finding.weight = weight;
    finding.elements.push_back({ElementKind::workload, {}, workload.id.value});
    finding.arguments["workload"] = workload.name.empty() ? workload.id.value : workload.name;
    for (const Placement& placement : context.design.alternative->placements)
        if (placement.workload == workload.id)
            for (const NodeId& node : placement.nodes)
                finding.elements.push_back({ElementKind::node, context.design.alternative->id, node.value});
    return finding;
}

WorkloadResult estimateLlmTraining(EstimateContext& context, const Workload& workload,
                                   std::span<const Placement* const> placements) {
    WorkloadResult result;
    WorkloadEstimate& estimate = result.estimate;
    estimate.id = workload.id;
    estimate.name = workload.name;
    estimate.kind = kindName(workload.spec);
    estimate.placed = !placements.empty();
    const LlmTraining* spec = std::get_if<LlmTraining>(&workload.spec);
    if (!estimate.placed || !spec)
        return result;
    context.derivation.reserve(context.derivation.size() + 160);
    const NeuralModel* model = context.catalog.find<NeuralModel>(spec->model);
    if (!model) {
        giveUp(context, workload, result, "training.unknown_model", "the model is not in the catalog",
               {{"model", spec->model.value}});
        return result;
    }
    const std::vector<std::uint32_t> nodes = trainingNodes(context, placements);
    if (nodes.empty()) {
        giveUp(context, workload, result, "training.no_machines", "no placed machine can train");
        return result;
    }
    const GroupFabric& group = result.groups.emplace_back(context.fabric.group(nodes, "compute"));
    if (!group.connected) {
        giveUp(context, workload, result, "network.not_connected", "the machines are not connected",
               {{"machines", std::to_string(group.machines)}});
        return result;
    }
    const ModelShape shape = modelShape(*model);
    const Placement& placement = *placements.front();
    std::optional<TrainingCase> run =
        trainingCase(context, *spec, shape, placement.precision, placement.stack, group, context.relief);
    if (!run) {
        giveUp(context, workload, result, "training.unknown_rate", "the peak rate of the devices is not known");
        return result;
    }
    run->inNetworkReduction = placement.inNetworkReduction;
    StorageAccess storage = storageAccess(context, group, context.relief);
    if (spec->datasetPerSample && si(*spec->datasetPerSample) > 0)
        run->samplesPerSecondRead = storage.read / si(*spec->datasetPerSample);
    const PlanWishes wishes = PlanWishes::of(placement);
    const PlanChoice choice = choosePlan(*run, wishes);
    if (!choice.plan && choice.closestBytes <= 0) {
        giveUp(context, workload, result, "training.no_plan", "no parallel plan divides the model, the batch and the machines");
        return result;
    }
    TrainingJob job{context, workload, *spec,  placements, shape,
                    group,   *run,     wishes, choice,     choice.plan.value_or(choice.closest),
                    {},      {},       {},     0};
    job.step = choice.plan ? choice.step : stepTime(*run, job.plan);
    job.memory = choice.plan ? choice.memory : trainingMemory(*run, job.plan);
    job.storage = std::move(storage);
    job.unitsPerStep = run->batch * (shape.vision ? 1 : run->sequence);
    estimate.feasible = job.fits();
    estimate.plan = chosenPlan(job);
    fillFigures(job, result);
    fillResources(job, result);
    fillTraffic(job, result);
    fillCollectives(job, result);
    fillBounds(job, result);
    fillActivity(job, result);
    if (context.options.findings)
        addTrainingFindings(job, result);
    return result;
}

} // namespace cw
