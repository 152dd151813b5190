// SPDX-License-Identifier: GPL-3.0-or-later
//
// The estimator of kind service: CPU requests on host cores, with a cache share, fan-out and a front end where one is drawn.
#include "estimators/services/cpu_pool.h"
#include "estimators/services/latency_models.h"
#include "estimators/services/service_model.h"
#include "estimators/services/service_rules.h"
#include "estimators/services/workload_report.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr const char* text = "docs/equations-serving.md, Queues and services";
constexpr double nearFull = .9;
constexpr double gaveUp = .001; ///< requests without an answer that are worth a word

struct ServiceView {
    EstimateContext& context;
    const Workload& workload;
    const Service& spec;
    WorkloadResult& result;
    const ServiceModel& model;
    const ServiceRules& rules;
    FrontEnd front;
    double rate, capacity;
};

double bytesOf(const Bytes& bytes) { return si(bytes) > 0 && std::isfinite(si(bytes)) ? si(bytes) : 0; }

ServiceWork workOf(const Service& spec, const ServiceRules& rules) {
    ServiceWork work;
    work.seconds = si(spec.cpuTime);
    work.cv = spec.cpuTimeCv;
    work.cores = spec.coresPerRequest;
    work.fanOut = spec.fanOut;
    work.hitShare = spec.cacheHit;
    work.hitCost = rules.get("cache_hit_cost_share", .05);
    if (spec.timeout)
        work.retries = {si(*spec.timeout), spec.retries};
    return safeWork(work);
}

/// A request crosses the drawn network once in, its answer once out, each over the port of one machine.
double transferTime(const FrontEnd& front, const Service& spec, double machines) {
    if (!front.drawn() || !(front.bandwidth > 0))
        return 0;
    return front.roundTrip + (bytesOf(spec.requestBytes) + bytesOf(spec.responseBytes)) / (front.bandwidth / std::max(1., machines));
}

ServiceModel modelOf(const Service& spec, std::vector<CpuPool> pools, const ServiceRules& rules, const FrontEnd& front, const RequestFlow& flow) {
    ServiceWork work = workOf(spec, rules);
    work.balancing = balancingOf(flow);
    double machines = 0;
    for (const CpuPool& pool : pools)
        machines += pool.machines;
    work.fixed = transferTime(front, spec, machines);
    const double wire = std::max(bytesOf(spec.requestBytes), bytesOf(spec.responseBytes));
    return ServiceModel(std::move(pools), work, front.drawn() && wire > 0 ? front.bandwidth / wire : 0);
}

/// What giving up and asking again makes of the load, and who never gets an answer.
void addRetries(ServiceView& view, const Quantity& load) {
    Derivation& d = view.context.derivation;
    auto& more = view.result.estimate.more;
    const double rate = std::min(view.rate, view.model.largestRate());
    const double each = rate > 0 ? view.model.attempts(rate) / rate : 1, failed = view.model.failed(rate);
    const Quantity timeout = d.input("timeout", view.model.work().retries.timeout, Unit::seconds, "workload");
    const Quantity again = d.input("retries", view.model.work().retries.again, Unit::count, "workload");
    more.push_back({"attempts", d.computed("attempts of a request", "1 + q + … + q^retries, q = P(response > timeout) at the load of all attempts", each,
                                           1, std::max(each, each * each), Unit::one, {load, timeout, again}, text)});
    more.push_back({"given_up", d.computed("requests without an answer", "q^(retries + 1)", failed, 0, std::min(1., std::max(failed * 10, failed)),
                                           Unit::fraction, {timeout, again}, text)});
}

void addFigures(ServiceView& view, const LatencyPoint& point) {
    Derivation& d = view.context.derivation;
    WorkloadEstimate& estimate = view.result.estimate;
    const ServiceWork& work = view.model.work();
    const Quantity load = d.input("arrival rate", view.rate, Unit::requestsPerSecond, "workload");
    const Quantity seconds = d.input("CPU time of a request", work.seconds, Unit::seconds, "workload");
    const Quantity mean = d.computed("CPU time of a request, mean", "CPU time · (1 − hits · (1 − cost of a hit)) · parts", view.model.meanCoreSeconds(),
                                     view.model.meanCoreSeconds(), view.model.meanCoreSeconds(), Unit::seconds,
                                     {seconds, view.rules.term(d, "cost of a cache hit", "cache_hit_cost_share", .05, Unit::fraction)}, text);
    const Quantity cores = coresTerm(view.context, view.model.pools());
    const double attempts = view.model.attempts(view.rate);
    const double busy = view.model.coreLimit() > 0 ? std::min(attempts / view.model.coreLimit(), 1.) : 0;
    const Quantity utilisation = d.computed("busy cores", "rate · attempts of a request · CPU time / cores", busy, busy, busy, Unit::fraction,
                                            {load, mean, cores}, text);
    const double error = latencyError(view.rules.errorOfLatency(), busy);
    addPercentiles(view.context, estimate, point, error, {seconds, utilisation, load},
                   "service (gamma) + wait (M/G/c on each machine, Allen-Cunneen) + network; the slowest of the parts", text);
    if (point.stable)
        estimate.latency.push_back({"mean", d.computed("mean latency", "mean service + mean wait + network", point.mean,
                                                       errorBand(point.mean, error).low, errorBand(point.mean, error).high, Unit::seconds,
                                                       {seconds, utilisation}, text)});
    const ErrorBand band = errorBand(view.capacity, view.rules.errorOfCapacity());
    if (!std::isfinite(view.capacity))
        estimate.capacity = d.unknown("largest rate", Unit::requestsPerSecond, "a request takes no CPU time: nothing limits it");
    else
        estimate.capacity = d.computed("largest rate", view.spec.latencyP99 ? "largest rate with p99 within the target" : "cores / CPU time of a request",
                                       view.capacity, band.low, band.high, Unit::requestsPerSecond, {cores, mean}, text);
    const double served = std::min(view.rate, view.model.largestRate());
    estimate.throughput = d.computed("throughput", "arrival rate, at most what the cores and the network carry", served,
                                     std::min(served, view.model.largestRate() / (1 + view.rules.errorOfCapacity())), served,
                                     Unit::requestsPerSecond, {load, utilisation});
    estimate.more.push_back({"utilisation", utilisation});
    if (work.retries.any())
        addRetries(view, load);
    view.result.unitsPerSecond = served;
    view.result.unitCost = Unit::dollarsPerMillionRequests;
    auto& parts = estimate.timeParts;
    const double alone = view.model.meanCoreSeconds() / work.fanOut / work.cores;
    parts[static_cast<std::size_t>(TimePart::compute)] = alone;
    parts[static_cast<std::size_t>(TimePart::network)] = work.fixed;
    parts[static_cast<std::size_t>(TimePart::queueing)] = std::max(0., point.mean - alone - work.fixed);
}

void addUse(ServiceView& view) {
    WorkloadEstimate& estimate = view.result.estimate;
    const double served = std::min(view.rate, view.model.largestRate());
    for (std::size_t i = 0; i < view.model.pools().size(); ++i) {
        const CpuPool& pool = view.model.pools()[i];
        const double busy = std::min(1., view.model.utilisation(i, view.model.attempts(served)));
        estimate.resources.push_back({"cpu.cores", nodeName(view.context, pool.node), {nodeRef(view.context, pool.node)},
                                      view.model.utilisation(i, view.model.attempts(view.rate))});
        Activity activity;
        activity.node = pool.node;
        activity.cpu = busy;
        view.result.activity.push_back(activity);
        const FrontEnd front = frontEnd(view.context, pool.node);
        addRequestTraffic(view.result, view.workload, front, pool.node, served * pool.weight * bytesOf(view.spec.requestBytes),
                          served * pool.weight * bytesOf(view.spec.responseBytes));
    }
    if (std::isfinite(view.model.networkLimit()))
        estimate.resources.push_back({"network.link", nodeName(view.context, static_cast<std::uint32_t>(view.front.node)),
                                      {nodeRef(view.context, static_cast<std::uint32_t>(view.front.node))}, view.rate / view.model.networkLimit()});
    orderResources(estimate);
    if (estimate.bottleneck && view.context.options.bottleneckGain) {
        // Twice the binding resource moves the limit to the next one at most.
        const double other = estimate.bottleneck->binding.resource == "cpu.cores" ? view.model.networkLimit() : view.model.coreLimit();
        estimate.bottleneck->gainIfRelieved = std::max(0., std::min(2 * view.model.largestRate(), other) / view.model.largestRate() - 1);
    }
}

void addRemarks(ServiceView& view, const LatencyPoint& point) {
    const auto text99 = [](double value) { return format(value, Unit::seconds); };
    if (!point.stable) {
        addUnstable(view.context, view.result, view.workload, poolRefs(view.context, view.model.pools()), view.rate, view.model.largestRate(),
                    Unit::requestsPerSecond);
        return;
    }
    if (view.spec.latencyP99 && !(view.capacity > 0))
        addFinding(view.context, view.result, Severity::error, "load.target_unreachable", {workloadRef(view.workload)}, 1,
                   {{"target", text99(si(*view.spec.latencyP99))}, {"idle", text99(view.model.at(0).p99)}});
    if (const double failed = view.model.failed(view.rate); failed > gaveUp)
        addFinding(view.context, view.result, Severity::warning, "service.gives_up", {workloadRef(view.workload)}, failed,
                   {{"share", format(failed, Unit::fraction)}, {"timeout", text99(view.model.work().retries.timeout)}});
    const double use = view.capacity > 0 ? view.rate / view.capacity : 0;
    if (use > nearFull && use <= 1)
        addFinding(view.context, view.result, Severity::warning, "load.tight_margin", {workloadRef(view.workload)}, use - nearFull,
                   {{"rate", format(view.rate, Unit::requestsPerSecond)}, {"capacity", format(view.capacity, Unit::requestsPerSecond)},
                    {"margin", format(1 - use, Unit::fraction)}});
}

} // namespace

std::unique_ptr<LatencyModel> serviceLatency(EstimateContext& context, const Service& spec, std::span<const Placement* const> placements,
                                             const RequestFlow& flow) {
    std::vector<CpuPool> pools = cpuPools(context, placements);
    if (pools.empty())
        return nullptr;
    const FrontEnd front = frontEnd(context, pools.front().node);
    return std::make_unique<ServiceModel>(modelOf(spec, std::move(pools), ServiceRules(context.catalog), front, flow));
}

WorkloadResult estimateService(EstimateContext& context, const Workload& workload, std::span<const Placement* const> placements) {
    WorkloadResult result = resultFor(workload);
    const Service& spec = std::get<Service>(workload.spec);
    if (placements.empty())
        return result;
    result.estimate.placed = true;
    std::vector<CpuPool> pools = cpuPools(context, placements);
    addCpuFindings(context, result, placements, pools);
    if (pools.empty())
        return result;
    const ServiceRules rules(context.catalog);
    const FrontEnd front = frontEnd(context, pools.front().node);
    const ServiceModel model = modelOf(spec, std::move(pools), rules, front, workload.flow);
    if (!(model.work().seconds > 0))
        addFinding(context, result, Severity::warning, "service.no_cpu_time", {workloadRef(workload)}, .5, {});
    const double rate = std::isfinite(spec.arrivalRate) ? std::max(0., spec.arrivalRate) : 0;
    const std::optional<double> target = spec.latencyP99 ? std::optional(si(*spec.latencyP99)) : std::nullopt;
    const double within = largestRateWithin(model, target);
    ServiceView view{context, workload, spec, result, model, rules, front, rate, within};
    const LatencyPoint point = model.at(rate);
    result.estimate.feasible = point.stable;
    addFigures(view, point);
    addUse(view);
    if (context.options.curves)
        result.estimate.curve = loadCurve(model);
    addRemarks(view, point);
    return result;
}

} // namespace cw
