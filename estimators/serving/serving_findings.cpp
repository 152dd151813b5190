// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/serving/serving_use.h"

#include "estimators/services/workload_report.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double tightMargin = .9;    ///< of the largest rate: small errors of capacity become large ones of latency
constexpr double hardlyUsed = .15;    ///< of the largest rate
constexpr double unevenPools = 1.5;   ///< ratio of utilisations of placements
constexpr double worthSwitching = 1.1;

std::vector<ElementRef> refsOf(const EstimateContext& context, const ServingIssue& issue) {
    std::vector<ElementRef> refs;
    if (issue.placement)
        refs.push_back(placementRef(context, *issue.placement));
    if (issue.node >= 0)
        refs.push_back(nodeRef(context, static_cast<std::uint32_t>(issue.node)));
    return refs;
}

Severity severityOf(const ServingIssue& issue) {
    return std::string_view(issue.code) == "serving.replicas_exceed" ? Severity::warning : Severity::error;
}

/// The next narrower weights that a device computes or stores.
std::optional<Precision> narrower(Precision precision) {
    switch (precision) {
    case Precision::fp32:
    case Precision::tf32: return Precision::bf16;
    case Precision::bf16:
    case Precision::fp16: return Precision::fp8;
    case Precision::fp8:
    case Precision::mxfp8:
    case Precision::int8: return Precision::int4;
    default: return {};
    }
}

void addIssue(EstimateContext& context, WorkloadResult& result, const ServingIssue& issue) {
    const std::string node = issue.node >= 0 ? nodeName(context, static_cast<std::uint32_t>(issue.node)) : std::string();
    const bool counts = std::string_view(issue.code) != "serving.memory";
    const auto figure = [&](double value) { return format(value, counts ? Unit::count : Unit::bytes); };
    Finding* finding = addFinding(context, result, severityOf(issue), issue.code, refsOf(context, issue), 1,
                                  {{"node", node}, {"need", figure(issue.need)}, {"have", figure(issue.have)}});
    if (!finding || !issue.placement)
        return;
    Placement after = *issue.placement;
    if (issue.suggestedTensor > 0) {
        after.parallelism.tensor = issue.suggestedTensor;
        finding->arguments["tensor"] = std::to_string(issue.suggestedTensor);
        offerPlacement(context, finding, *issue.placement, after, "serving.set_tensor", "Spread the model over more GPUs");
        return;
    }
    const auto* spec = context.design.project->findWorkload(issue.placement->workload);
    const auto* serving = spec ? std::get_if<LlmServing>(&spec->spec) : nullptr;
    if (counts || !serving)
        return;
    if (const auto lighter = narrower(after.precision.value_or(serving->weights))) {
        after.precision = lighter;
        finding->arguments["precision"] = std::string(name(*lighter));
        offerPlacement(context, finding, *issue.placement, after, "serving.narrow_weights", "Serve narrower weights");
    }
}

/// A fixed tensor size that costs throughput: the crossover between wide replicas and many of them, found by trying.
void findReplicas(ServingView& view) {
    for (const ServingPool& pool : view.system.pools()) {
        const ReplicaLayout& layout = pool.replica().layout;
        if (pool.chosen || pool.replica().onCpu || layout.tensor < 2 || layout.pipeline > 1 || pool.placement->replicas > 0)
            continue;
        const ServingTargets& targets = view.system.request().targets;
        const auto worth = [&](const ServingPool& p) {
            const double within = p.rateWithin(targets, 0);
            return within > 0 ? within : p.largestRate() * 1e-3;
        };
        double best = worth(pool);
        const double now = best;
        int tensor = layout.tensor;
        for (int tp = layout.tensor / 2; tp >= 1; tp /= 2) {
            ServingPool other = pool;
            const ReplicaLayout narrow{tp, 1, layout.attentionData};
            if (!legal(pool.model, narrow))
                continue;
            other.site.group = nullptr;
            const Replica replica = gpuReplica(other.site, pool.model, narrow, pool.load.shape().context());
            if (!replica.memory.fits())
                break;
            other.load = ReplicaLoad(replica, pool.load.shape(), pool.load.role());
            other.replicas = replicasOf(pool.machine(), pool.devices, narrow);
            if (worth(other) > best * (tensor == layout.tensor ? worthSwitching : 1)) {
                best = worth(other);
                tensor = tp;
            }
        }
        if (tensor == layout.tensor)
            continue;
        Finding* finding = addFinding(view.context, view.result, Severity::advice, "serving.replicas_beat_tensor",
                                      {placementRef(view.context, *pool.placement), nodeRef(view.context, pool.nodes.front())},
                                      1 - now / best,
                                      {{"tensor", std::to_string(layout.tensor)}, {"better", std::to_string(tensor)},
                                       {"gain", format(best / now - 1, Unit::fraction)}});
        Placement after = *pool.placement;
        after.parallelism.tensor = tensor;
        after.replicas = 0;
        offerPlacement(view.context, finding, *pool.placement, after, "serving.set_tensor", "Serve with more, narrower replicas");
    }
}

void findShares(ServingView& view) {
    const auto& lanes = view.system.lanes();
    if (lanes.size() < 2)
        return;
    double least = 1e300, most = 0;
    std::size_t fullest = 0;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        double limit = 0;
        for (const std::size_t p : lanes[i].first)
            limit += view.system.pools()[p].largestRate();
        const double use = limit > 0 ? lanes[i].share / limit : 0;
        if (use > most)
            fullest = lanes[i].first.front();
        most = std::max(most, use);
        least = std::min(least, use);
    }
    if (most > unevenPools * least)
        addFinding(view.context, view.result, Severity::advice, "serving.uneven_shares",
                   {placementRef(view.context, *view.system.pools()[fullest].placement)}, 1 - least / most,
                   {{"node", nodeName(view.context, view.system.pools()[fullest].nodes.front())}, {"ratio", format(most / std::max(least, 1e-300), Unit::one)}});
}

void findLoad(ServingView& view) {
    const auto rate = [](double value) { return format(value, Unit::requestsPerSecond); };
    std::vector<ElementRef> nodes;
    for (const ServingPool& pool : view.system.pools())
        for (const std::uint32_t node : pool.nodes)
            nodes.push_back(nodeRef(view.context, node));
    if (!view.stable) {
        addUnstable(view.context, view.result, view.workload, nodes, view.rate, view.stableRate, Unit::requestsPerSecond);
        return;
    }
    if (!(view.capacity > 0)) {
        addFinding(view.context, view.result, Severity::error, "serving.targets_unreachable", {workloadRef(view.workload)}, 1,
                   {{"ttft", format(view.system.atRate(0).ttft(.99), Unit::seconds)}, {"tpot", format(view.system.atRate(0).tpot(.99), Unit::seconds)}});
        return;
    }
    if (view.closedLoop || !(view.rate > 0))
        return;
    const double use = view.rate / view.capacity;
    if (use > tightMargin && use <= 1)
        addFinding(view.context, view.result, Severity::warning, "serving.tight_margin", {workloadRef(view.workload)}, use - tightMargin,
                   {{"rate", rate(view.rate)}, {"capacity", rate(view.capacity)}, {"margin", format(1 - use, Unit::fraction)}});
    if (use < hardlyUsed)
        addFinding(view.context, view.result, Severity::advice, "serving.low_utilisation", nodes, hardlyUsed - use,
                   {{"rate", rate(view.rate)}, {"capacity", rate(view.capacity)}, {"use", format(use, Unit::fraction)}});
}

/// Prompts or answers that do not fit the model's positions.
void findContext(ServingView& view) {
    const NeuralModel& model = *view.pool().model.source;
    const RequestShape& shape = view.pool().load.shape();
    if (model.context > 0 && shape.prompt + shape.output > model.context)
        addFinding(view.context, view.result, Severity::error, "serving.context_exceeded", {workloadRef(view.workload)}, 1,
                   {{"tokens", format(shape.prompt + shape.output, Unit::tokens)}, {"context", format(model.context, Unit::tokens)}});
}

void findUnmeasured(ServingView& view) {
    const Constants* set = view.decodePool().replica().deviceSet;
    if (set && set->subject == "unmeasured")
        addFinding(view.context, view.result, Severity::advice, "serving.unmeasured_device",
                   {nodeRef(view.context, view.decodePool().nodes.front())}, .1, {{"node", nodeName(view.context, view.decodePool().nodes.front())}});
}

} // namespace

void addServingIssues(EstimateContext& context, WorkloadResult& result, const Workload&, const ServingSystem& system) {
    for (const ServingIssue& issue : system.issues())
        addIssue(context, result, issue);
}

void addServingFindings(ServingView& view) {
    if (!view.context.options.findings)
        return;
    addServingIssues(view.context, view.result, view.workload, view.system);
    findLoad(view);
    findReplicas(view);
    findShares(view);
    findContext(view);
    findUnmeasured(view);
}

} // namespace cw
