// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/services/workload_report.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double widestError = 20; ///< a range of 1:21 says "unknown" well enough

void offer(Finding* finding, const ElementRef& ref, Element before, Element after, const char* fixCode, const char* name) {
    if (!finding)
        return;
    Edit edit;
    edit.name = name;
    edit.changes.push_back({ref, std::move(before), std::move(after), -1, -1});
    finding->fix = std::move(edit);
    finding->fixCode = fixCode;
}

} // namespace

WorkloadResult resultFor(const Workload& workload) {
    WorkloadResult result;
    result.estimate.id = workload.id;
    result.estimate.name = workload.name;
    result.estimate.kind = kindName(workload.spec);
    return result;
}

ElementRef nodeRef(const EstimateContext& context, std::uint32_t node) {
    const Alternative& alternative = *context.design.alternative;
    return {ElementKind::node, alternative.id, alternative.nodes[node].id.value};
}

ElementRef placementRef(const EstimateContext& context, const Placement& placement) {
    return {ElementKind::placement, context.design.alternative->id, placement.id.value};
}

ElementRef workloadRef(const Workload& workload) { return {ElementKind::workload, {}, workload.id.value}; }

const std::string& nodeName(const EstimateContext& context, std::uint32_t node) {
    const Node& drawn = context.design.alternative->nodes[node];
    return drawn.name.empty() ? drawn.id.value : drawn.name;
}

Finding* addFinding(EstimateContext& context, WorkloadResult& result, Severity severity, const char* code,
                    std::vector<ElementRef> elements, double weight, FindingArguments arguments) {
    if (!context.options.findings)
        return nullptr;
    Finding finding;
    finding.severity = severity;
    finding.code = code;
    finding.elements = std::move(elements);
    finding.weight = std::clamp(weight, 0., 1.);
    finding.arguments = arguments;
    finding.arguments.emplace("workload", result.estimate.name);
    result.findings.push_back(std::move(finding));
    return &result.findings.back();
}

void offerPlacement(const EstimateContext& context, Finding* finding, const Placement& before, Placement after, const char* fixCode,
                    const char* name) {
    offer(finding, placementRef(context, before), before, std::move(after), fixCode, name);
}

void offerWorkload(Finding* finding, const Workload& before, Workload after, const char* fixCode, const char* name) {
    offer(finding, workloadRef(before), before, std::move(after), fixCode, name);
}

const Workload& drawnWorkload(const EstimateContext& context, const Workload& workload) {
    const Workload* drawn = context.design.project->findWorkload(workload.id);
    return drawn ? *drawn : workload;
}

void addUnstable(EstimateContext& context, WorkloadResult& result, const Workload& workload, std::vector<ElementRef> elements,
                 double rate, double capacity, Unit unit) {
    result.estimate.feasible = false;
    elements.insert(elements.begin(), workloadRef(workload));
    addFinding(context, result, Severity::error, "load.unstable", std::move(elements), 1 - capacity / rate,
               {{"rate", format(rate, unit)}, {"capacity", format(capacity, unit)}, {"growth", format(rate - capacity, unit)}});
}

ErrorBand errorBand(double value, double error) { return {value / (1 + error), value * (1 + error)}; }

double latencyError(double error, double utilisation) {
    const double busy = std::clamp(utilisation, 0., .999);
    return std::min(widestError, error * (1 + busy / (1 - busy)));
}

FrontEnd frontEnd(const EstimateContext& context, std::uint32_t worker) {
    FrontEnd front;
    for (std::size_t i = 0; i < context.design.machines.size(); ++i) {
        const Machine& machine = context.design.machines[i];
        if (i == worker || !machine.server || machine.server->role != ServerRole::loadBalancer || machine.count <= 0)
            continue;
        const std::optional<Route> route = context.fabric.route(static_cast<std::uint32_t>(i), worker);
        if (!route)
            continue;
        front.node = static_cast<int>(i);
        front.roundTrip = 2 * route->latency / context.relief.network;
        front.bandwidth = route->bandwidth * context.relief.network;
        return front;
    }
    return front;
}

void addRequestTraffic(WorkloadResult& result, const Workload& workload, const FrontEnd& front, std::uint32_t worker, double bytesIn,
                       double bytesOut) {
    if (!front.drawn() || front.node == static_cast<int>(worker))
        return;
    Traffic in;
    in.workload = workload.id;
    in.kind = "requests";
    in.from = front.node;
    in.to = static_cast<int>(worker);
    in.bytes = bytesIn;
    Traffic out = in;
    std::swap(out.from, out.to);
    out.bytes = bytesOut;
    if (bytesIn > 0)
        result.traffic.push_back(std::move(in));
    if (bytesOut > 0)
        result.traffic.push_back(std::move(out));
}

void addPercentiles(EstimateContext& context, WorkloadEstimate& estimate, const LatencyPoint& point, double error,
                    std::initializer_list<Quantity> inputs, const char* equation, const char* source) {
    Derivation& d = context.derivation;
    struct Row {
        const char* key;
        const char* name;
        double value;
    };
    for (const Row& row : {Row{"p50", "latency, median", point.p50}, Row{"p95", "latency, 95 % below", point.p95},
                           Row{"p99", "latency, 99 % below", point.p99}}) {
        const ErrorBand band = errorBand(row.value, error);
        const Quantity q = point.stable ? d.computed(row.name, equation, row.value, band.low, band.high, Unit::seconds, inputs, source)
                                        : d.unknown(row.name, Unit::seconds, "grows without limit: more arrives than can be served");
        estimate.latency.push_back({row.key, q});
    }
}

void orderResources(WorkloadEstimate& estimate) {
    std::stable_sort(estimate.resources.begin(), estimate.resources.end(),
                     [](const ResourceUse& a, const ResourceUse& b) { return a.utilisation > b.utilisation; });
    if (estimate.bottleneck || estimate.resources.empty())
        return;
    Bottleneck bottleneck;
    bottleneck.binding = estimate.resources.front();
    if (estimate.resources.size() > 1)
        bottleneck.next = estimate.resources[1];
    estimate.bottleneck = std::move(bottleneck);
}

} // namespace cw
