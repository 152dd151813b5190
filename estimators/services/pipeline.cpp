// SPDX-License-Identifier: GPL-3.0-or-later
//
// The estimator of kind pipeline: composes the latency models of its stages, says which stage binds and what is wrong with the graph.
// Machines of stages with a workload of their own are that workload's business: power and cost count them there.
#include "estimators/services/pipeline_model.h"
#include "estimators/services/service_rules.h"
#include "estimators/services/workload_report.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr const char* text = "docs/equations-serving.md, Pipelines";
constexpr double rateTolerance = .05;

struct PipelineView {
    EstimateContext& context;
    const Workload& workload;
    const Pipeline& spec;
    WorkloadResult& result;
    const PipelineModel& model;
    const ServiceRules& rules;
    double rate, capacity;
    std::optional<double> target;

    double limit() const { return model.largestRate(); }
    double served() const { return std::min(rate, limit()); }
    const std::string& nameOf(std::size_t stage) const {
        const Pipeline::Stage& drawn = *model.stations()[stage].stage;
        return drawn.name.empty() ? drawn.id : drawn.name;
    }
};

std::vector<ElementRef> refsOf(const PipelineView& view, std::size_t stage) {
    std::vector<ElementRef> refs;
    for (const auto& [node, share] : view.model.stations()[stage].nodes)
        refs.push_back(nodeRef(view.context, node));
    return refs;
}

void addStages(PipelineView& view, std::vector<Quantity>& terms) {
    Derivation& d = view.context.derivation;
    WorkloadEstimate& estimate = view.result.estimate;
    const double rate = std::min(view.rate, std::isfinite(view.limit()) ? view.limit() * (1 - 1e-9) : view.rate);
    for (std::size_t i = 0; i < view.model.stations().size(); ++i) {
        const PipelineStation& station = view.model.stations()[i];
        const LatencyMoments at = view.model.stageMoments(i, rate);
        const double limit = view.model.limitOf(i), busy = std::isfinite(limit) && limit > 0 ? view.rate / limit : limit > 0 ? 0 : 1;
        if (std::isfinite(limit))
            estimate.resources.push_back({"pipeline.stage", view.nameOf(i), refsOf(view, i), busy});
        const double error = latencyError(view.rules.errorOfLatency(), busy);
        const ErrorBand band = errorBand(at.mean, error);
        const Quantity visits = d.computed("visits of a request", "v = e + Pᵀ v of the routing shares", station.visits, station.visits, station.visits,
                                           Unit::one, {}, text);
        const Quantity mean = station.workload
                                ? d.computed("time in a stage", "mean latency of the stage's workload at the routed rate", at.mean, band.low, band.high,
                                             Unit::seconds, {visits}, text)
                                : d.computed("time in a stage", "service time + wait for a core (M/G/c)", at.mean, band.low, band.high, Unit::seconds,
                                             {visits, d.input("service time", si(station.stage->serviceTime), Unit::seconds, "stage")}, text);
        terms.push_back(mean);
        estimate.more.push_back({"stage." + station.stage->id, mean});
    }
}

/// Time by cause: stages with estimates of their own lend theirs in proportion.
void addTime(PipelineView& view) {
    auto& parts = view.result.estimate.timeParts;
    for (std::size_t i = 0; i < view.model.stations().size(); ++i) {
        const PipelineStation& station = view.model.stations()[i];
        const double spent = station.visits * view.model.stageMoments(i, view.served() * (1 - 1e-9)).mean;
        const auto& workloads = view.context.design.project->workloads;
        const auto index = static_cast<std::size_t>(station.workload ? station.workload - workloads.data() : 0);
        double known = 0;
        if (station.workload && view.context.results && index < view.context.results->size()) {
            const auto& own = (*view.context.results)[index].estimate.timeParts;
            for (const double part : own)
                known += part;
            for (std::size_t p = 0; known > 0 && p < parts.size(); ++p)
                parts[p] += spent * own[p] / known;
        }
        if (known > 0)
            continue;
        const double service = std::min(spent, station.visits * std::max(0., si(station.stage->serviceTime)));
        parts[static_cast<std::size_t>(TimePart::compute)] += station.workload ? spent : service;
        parts[static_cast<std::size_t>(TimePart::queueing)] += station.workload ? 0 : spent - service;
    }
    for (std::size_t e = 0; e < view.model.graph().edges().size(); ++e) {
        const StageGraph::Edge& edge = view.model.graph().edges()[e];
        parts[static_cast<std::size_t>(TimePart::network)] += view.model.stations()[edge.from].visits * edge.share * view.model.hopSeconds(e);
    }
}

void addFigures(PipelineView& view) {
    Derivation& d = view.context.derivation;
    WorkloadEstimate& estimate = view.result.estimate;
    const Quantity load = d.input("arrival rate", view.rate, Unit::requestsPerSecond, "workload");
    std::vector<Quantity> inputs;
    addStages(view, inputs);
    inputs.push_back(load);
    const double busy = std::isfinite(view.limit()) && view.limit() > 0 ? view.rate / view.limit() : 0;
    const double error = latencyError(view.rules.errorOfLatency(), busy);
    const LatencyPoint point = view.model.at(view.rate);
    struct Row {
        const char* key;
        const char* name;
        double value;
    };
    for (const Row& row : {Row{"p50", "latency, median", point.p50}, Row{"p95", "latency, 95 % below", point.p95},
                           Row{"p99", "latency, 99 % below", point.p99}, Row{"mean", "mean latency", point.mean}}) {
        const ErrorBand band = errorBand(row.value, error);
        estimate.latency.push_back(
            {row.key, point.stable && view.model.graph().ends()
                          ? d.computed(row.name, "stages and hops along each way, ways mixed by their probability", row.value, band.low, band.high,
                                       Unit::seconds, inputs, text)
                          : d.unknown(row.name, Unit::seconds, "grows without limit: more arrives than can be served")});
    }
    const ErrorBand band = errorBand(view.capacity, view.rules.errorOfCapacity());
    estimate.capacity = std::isfinite(view.capacity)
                          ? d.computed("largest rate", view.target ? "largest rate with p99 within the target" : "least of what the stages carry / visits",
                                       view.capacity, band.low, band.high, Unit::requestsPerSecond, inputs, text)
                          : d.unknown("largest rate", Unit::requestsPerSecond, "no stage has machines that limit it");
    const double served = view.served();
    estimate.throughput = d.computed("throughput", "arrival rate, at most the largest", served,
                                     std::min(served, view.limit() / (1 + view.rules.errorOfCapacity())), served, Unit::requestsPerSecond, {load});
    view.result.unitsPerSecond = served;
    view.result.unitCost = Unit::dollarsPerMillionRequests;
}

void addBinding(PipelineView& view) {
    orderResources(view.result.estimate);
    if (!view.result.estimate.bottleneck || !view.context.options.bottleneckGain)
        return;
    std::vector<double> limits;
    for (std::size_t i = 0; i < view.model.stations().size(); ++i)
        limits.push_back(view.model.limitOf(i));
    std::sort(limits.begin(), limits.end());
    if (limits.front() > 0 && std::isfinite(limits.front())) {
        const double next = limits.size() > 1 ? limits[1] : std::numeric_limits<double>::infinity();
        view.result.estimate.bottleneck->gainIfRelieved = std::min(2 * limits.front(), next) / limits.front() - 1;
    }
}

void addUse(PipelineView& view) {
    const double served = view.served();
    for (const PipelineStation& station : view.model.stations()) {
        const auto* service = station.workload ? nullptr : dynamic_cast<const ServiceModel*>(station.model.get());
        for (std::size_t i = 0; service && i < station.pools.size(); ++i) {
            Activity activity;
            activity.node = station.pools[i].node;
            activity.cpu = std::min(1., service->utilisation(i, served * station.visits));
            view.result.activity.push_back(activity);
        }
    }
    for (const StageGraph::Edge& edge : view.model.graph().edges()) {
        const PipelineStation &from = view.model.stations()[edge.from], &to = view.model.stations()[edge.to];
        const double bytes = served * from.visits * edge.share * edge.bytes;
        for (const auto& [a, aShare] : from.nodes) {
            for (const auto& [b, bShare] : to.nodes) {
                if (a == b || !(bytes > 0))
                    continue;
                Traffic traffic;
                traffic.workload = view.workload.id;
                traffic.kind = "requests";
                traffic.from = static_cast<int>(a);
                traffic.to = static_cast<int>(b);
                traffic.bytes = bytes * aShare * bShare;
                view.result.traffic.push_back(std::move(traffic));
            }
        }
    }
}

void addStageFindings(PipelineView& view) {
    for (const StageIssue& issue : view.model.graph().issues()) {
        const bool severe = std::string_view(issue.code) != "pipeline.share_above_one";
        addFinding(view.context, view.result, severe ? Severity::error : Severity::warning, issue.code, {workloadRef(view.workload)}, 1,
                   {{"stage", issue.stage}, {"share", format(issue.value, Unit::fraction)}, {"count", format(issue.value, Unit::count)}});
    }
    for (std::size_t i = 0; i < view.model.stations().size(); ++i) {
        const PipelineStation& station = view.model.stations()[i];
        const bool own = !station.stage->workload.empty();
        const char* code = own && !station.workload   ? "pipeline.unknown_workload"
                         : !station.answers           ? "pipeline.stage_kind"
                         : !station.placed            ? "pipeline.stage_not_placed"
                         : own && !station.model      ? "pipeline.stage_cannot_run"
                                                      : nullptr;
        if (code)
            addFinding(view.context, view.result, Severity::error, code, {workloadRef(view.workload)}, 1,
                       {{"stage", view.nameOf(i)}, {"workload_id", station.stage->workload.value}});
        if (!station.workload || station.routed || !station.model)
            continue;
        const double routed = routedRate(*view.context.design.project, station.stage->workload), has = arrivalRateOf(station.workload->spec);
        if (!(has > 0) || has >= routed * (1 - rateTolerance))
            continue;
        Finding* finding = addFinding(view.context, view.result, Severity::warning, "pipeline.rate_mismatch", {workloadRef(*station.workload)},
                                      1 - has / routed,
                                      {{"stage", view.nameOf(i)}, {"stated", format(has, Unit::requestsPerSecond)},
                                       {"routed", format(routed, Unit::requestsPerSecond)}});
        Workload after = *station.workload;
        setArrivalRate(after.spec, routed);
        offerWorkload(finding, *station.workload, after, "pipeline.set_rate", "Use the routed rate");
    }
}

void addFindings(PipelineView& view) {
    addStageFindings(view);
    if (!view.model.connected()) {
        const StageGraph::Edge& edge = view.model.graph().edges()[static_cast<std::size_t>(view.model.missingHop())];
        std::vector<ElementRef> refs = refsOf(view, edge.from);
        for (const ElementRef& ref : refsOf(view, edge.to))
            refs.push_back(ref);
        addFinding(view.context, view.result, Severity::error, "pipeline.not_connected", std::move(refs), 1,
                   {{"from", view.nameOf(edge.from)}, {"to", view.nameOf(edge.to)}});
    }
    if (view.rate > view.limit() && view.limit() > 0) {
        const Bottleneck* binding = view.result.estimate.bottleneck ? &*view.result.estimate.bottleneck : nullptr;
        addUnstable(view.context, view.result, view.workload, binding ? binding->binding.elements : std::vector<ElementRef>{}, view.rate, view.limit(),
                    Unit::requestsPerSecond);
    } else if (view.target && !(view.capacity > 0) && view.limit() > 0) {
        addFinding(view.context, view.result, Severity::error, "load.target_unreachable", {workloadRef(view.workload)}, 1,
                   {{"target", format(*view.target, Unit::seconds)}, {"idle", format(view.model.at(0).p99, Unit::seconds)}});
    }
}

/// It runs when every stage does: a pipeline needs no placement of its own.
bool runs(const PipelineModel& model) {
    return std::all_of(model.stations().begin(), model.stations().end(), [](const PipelineStation& station) {
        return station.placed && station.answers && station.model;
    });
}

} // namespace

WorkloadResult estimatePipeline(EstimateContext& context, const Workload& workload, std::span<const Placement* const> placements) {
    WorkloadResult result = resultFor(workload);
    const Pipeline& spec = std::get<Pipeline>(workload.spec);
    if (spec.stages.empty()) {
        addFinding(context, result, Severity::error, "pipeline.empty", {workloadRef(workload)}, 1, {});
        return result;
    }
    const PipelineModel model(context, workload, placements);
    result.estimate.placed
        = std::any_of(model.stations().begin(), model.stations().end(), [](const PipelineStation& station) { return station.placed; });
    if (!result.estimate.placed)
        return result;
    const ServiceRules rules(context.catalog);
    const std::optional<double> target = spec.latencyP99 ? std::optional(si(*spec.latencyP99)) : std::nullopt;
    const double capacity = model.graph().ends() ? largestRateWithin(model, target) : 0;
    PipelineView view{context, workload, spec, result, model, rules, arrivalRateOf(workload.spec), capacity, target};
    result.estimate.feasible = runs(model) && model.connected() && model.graph().ends() && (view.rate < model.largestRate() || !(view.rate > 0));
    addFigures(view);
    addBinding(view);
    addTime(view);
    addUse(view);
    if (context.options.curves && result.estimate.feasible)
        result.estimate.curve = loadCurve(model);
    if (context.options.findings)
        addFindings(view);
    return result;
}

} // namespace cw
