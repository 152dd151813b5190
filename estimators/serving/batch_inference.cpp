// SPDX-License-Identifier: GPL-3.0-or-later
//
// The estimator of kind batch_inference: evaluates the batch servers of all placements at the wanted rate and writes them up.
#include "estimators/serving/batch_model.h"
#include "estimators/services/workload_report.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr const char* text = "docs/equations-serving.md, Batch servers";
constexpr double nearFull = .9, hardlyUsed = .1, worthMore = 1.3;
constexpr int largestOfferedBatch = 256;

struct BatchView {
    EstimateContext& context;
    const Workload& workload;
    const BatchInference& spec;
    WorkloadResult& result;
    const BatchModel& model;
    double rate, capacity;
    std::optional<double> target;
    std::size_t main = 0;

    const BatchPool& pool() const { return model.pools()[main]; }
    double served() const { return std::min(rate, model.largestRate()); }
};

bool onGpu(const BatchPool& pool) { return pool.coresPerServer == 0; }

void addFigures(BatchView& view) {
    Derivation& d = view.context.derivation;
    WorkloadEstimate& estimate = view.result.estimate;
    const BatchPool& pool = view.pool();
    const LatencyPoint point = view.model.at(view.served() < view.rate ? view.model.largestRate() : view.rate);
    const BatchPoint server = view.model.pointOf(view.main, view.served());
    const BatchTime& time = pool.server.time();
    const Machine& machine = *pool.machine;
    const PartInfo& part = onGpu(pool) ? static_cast<const PartInfo&>(*machine.gpu) : *machine.cpu;
    const double error = pool.errorLatency, capacityError = pool.errorCapacity;
    const auto banded = [&](const char* name, const char* equation, double value, double e, Unit unit, std::initializer_list<Quantity> inputs) {
        const ErrorBand band = errorBand(value, e);
        return d.computed(name, equation, value, band.low, band.high, unit, inputs, text);
    };
    const Quantity load = d.input("arrival rate", view.rate, Unit::samplesPerSecond, "workload");
    const Quantity limit = d.input("batch limit", pool.server.limit(), Unit::count, "workload");
    const Quantity delay = d.input("longest wait for a batch to fill", std::max(0., si(view.spec.batchDelay)), Unit::seconds, "workload");
    const Quantity bandwidth = d.fact("memory bandwidth", part, "memory_bandwidth_gb_s",
                                      onGpu(pool) ? si(machine.gpu->memoryBandwidth) : si(machine.cpu->memoryBandwidth), Unit::bytesPerSecond);
    const Quantity peak = d.computed("peak arithmetic of a server", onGpu(pool) ? "data sheet, part of a shared device" : "data sheet · cores used",
                                     pool.peak, pool.peak, pool.peak, Unit::operationsPerSecond, {});
    const Quantity efficiency = pool.deviceSet && pool.deviceSet->has(pool.efficiencyKey)
                                  ? d.calibrated("share of the peak reached", *pool.deviceSet, pool.efficiencyKey, Unit::fraction)
                                  : d.unknown("share of the peak reached", Unit::fraction, "not in the catalog");
    const Quantity host = banded("launches and program of a batch", "layers · overhead + overhead of a batch", time.host, error, Unit::seconds, {});
    const Quantity weights = banded("reading the weights", "bytes / (share · bandwidth)", time.weights, error, Unit::seconds, {bandwidth});
    const Quantity item = banded("arithmetic of an item", "operations / (share · peak)", time.computePerItem, error, Unit::seconds, {peak, efficiency});
    const Quantity batch = banded("items of a batch", "n = max(1 + λ · delay, λ · t(n)), at most the limit", server.batch, capacityError, Unit::count,
                                  {load, limit, delay});
    const Quantity work = banded("time of a batch", "host + n · host of an item + (memory ‖ arithmetic)", server.time, error, Unit::seconds,
                                 {host, weights, item, batch});
    addPercentiles(view.context, estimate, point, latencyError(error, view.model.largestRate() > 0 ? view.rate / view.model.largestRate() : 0),
                   {work, batch, load, delay}, "wait for the batch to close + wait behind full batches (M/D/limit) + time of the batch", text);
    if (point.stable)
        estimate.latency.push_back({"mean", banded("mean latency", "mean waits + time of the batch", point.mean, error, Unit::seconds, {work, batch, load})});
    estimate.capacity = banded("largest rate", view.target ? "servers · largest rate with p99 within the target" : "servers · limit / time of a full batch",
                               view.capacity, capacityError, Unit::samplesPerSecond, {work, limit});
    const double served = view.served();
    estimate.throughput = d.computed("throughput", "arrival rate, at most the largest", served, std::min(served, view.model.largestRate() / (1 + capacityError)),
                                     served, Unit::samplesPerSecond, {load, *estimate.capacity});
    estimate.more.push_back({"batch", batch});
    estimate.more.push_back({"batch_time", work});
    estimate.more.push_back({"servers", d.computed("batch servers", onGpu(pool) ? "one a GPU unless replicas are given" : "cores / cores of one", pool.servers,
                                                   pool.servers, pool.servers, Unit::count, {})});
    if (!onGpu(pool))
        estimate.more.push_back({"cores_per_server", d.computed("cores that work on a batch", "the split with the shortest tail that carries the rate",
                                                                pool.coresPerServer, pool.coresPerServer, pool.coresPerServer, Unit::count, {})});
    const StepParts parts = time.parts(server.batch);
    auto& of = estimate.timeParts;
    of[static_cast<std::size_t>(TimePart::compute)] = parts.compute;
    of[static_cast<std::size_t>(TimePart::memory)] = parts.memory;
    of[static_cast<std::size_t>(TimePart::host)] = parts.host;
    of[static_cast<std::size_t>(TimePart::network)] = view.model.fixed();
    of[static_cast<std::size_t>(TimePart::queueing)] = std::max(0., point.mean - parts.total() - view.model.fixed());
    view.result.unitsPerSecond = served;
    view.result.unitCost = Unit::dollarsPerMillionRequests;
}

void addUse(BatchView& view) {
    WorkloadEstimate& estimate = view.result.estimate;
    for (std::size_t i = 0; i < view.model.pools().size(); ++i) {
        const BatchPool& pool = view.model.pools()[i];
        const BatchPoint at = view.model.pointOf(i, view.served());
        const StepParts parts = at.time > 0 ? pool.server.time().parts(at.batch) * (at.busy / at.time) : StepParts{};
        const std::vector<ElementRef> refs{nodeRef(view.context, pool.node)};
        const std::string& label = nodeName(view.context, pool.node);
        const bool gpu = onGpu(pool);
        const auto use = [&](const char* code, double busy) {
            if (busy > 1e-4)
                estimate.resources.push_back({code, label, refs, busy});
        };
        use(gpu ? "gpu.compute" : "cpu.compute", parts.compute);
        use(gpu ? "gpu.memory_bandwidth" : "cpu.memory_bandwidth", parts.memory);
        use("host.launch", parts.host);
        Activity activity;
        activity.node = pool.node;
        activity.share = pool.devicesInUse;
        if (gpu) {
            activity.compute = parts.compute;
            activity.memory = parts.memory;
            activity.waiting = parts.host;
            activity.cpu = pool.machine->cores > 0 ? std::min(1., at.busy * pool.servers / pool.machine->count / pool.machine->cores) : 0;
        } else {
            activity.cpu = at.busy;
        }
        view.result.activity.push_back(activity);
        addRequestTraffic(view.result, view.workload, frontEnd(view.context, pool.node), pool.node, view.served() * pool.weight * 1000,
                          view.served() * pool.weight * 1000);
    }
    orderResources(estimate);
}

/// What binds is what full batches spend most time on.
void addBottleneckOfFullBatches(BatchView& view) {
    const BatchPool& pool = view.pool();
    const double limit = pool.server.limit();
    const BatchTime& time = pool.server.time();
    const double full = time.seconds(limit);
    struct Row {
        const char* code;
        BatchTime relieved;
    };
    std::array<Row, 3> rows{Row{onGpu(pool) ? "gpu.compute" : "cpu.compute", time},
                            {onGpu(pool) ? "gpu.memory_bandwidth" : "cpu.memory_bandwidth", time}, {"host.launch", time}};
    rows[0].relieved.computePerItem /= 2;
    rows[1].relieved.weights /= 2;
    rows[1].relieved.memoryPerItem /= 2;
    rows[2].relieved.host /= 2;
    rows[2].relieved.hostPerItem /= 2;
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return a.relieved.seconds(limit) < b.relieved.seconds(limit); });
    const auto as = [&](const Row& row) {
        const auto& resources = view.result.estimate.resources;
        const auto found = std::find_if(resources.begin(), resources.end(), [&](const ResourceUse& r) { return r.resource == row.code; });
        return found != resources.end() ? *found
                                        : ResourceUse{row.code, nodeName(view.context, pool.node), {nodeRef(view.context, pool.node)}, 0};
    };
    Bottleneck bottleneck;
    bottleneck.binding = as(rows[0]);
    bottleneck.next = as(rows[1]);
    bottleneck.gainIfRelieved = full / rows[0].relieved.seconds(limit) - 1;
    view.result.estimate.bottleneck = std::move(bottleneck);
}

void addIssues(EstimateContext& context, WorkloadResult& result, const Workload& workload, const BatchModel& model) {
    for (const BatchIssue& issue : model.issues()) {
        std::vector<ElementRef> refs{workloadRef(workload)};
        if (issue.node >= 0)
            refs.push_back(nodeRef(context, static_cast<std::uint32_t>(issue.node)));
        addFinding(context, result, Severity::error, issue.code, std::move(refs), 1,
                   {{"node", issue.node >= 0 ? nodeName(context, static_cast<std::uint32_t>(issue.node)) : std::string()},
                    {"need", format(issue.need, Unit::bytes)}, {"have", format(issue.have, Unit::bytes)}});
    }
}

/// Larger batches share the launches and the weights: worth saying where it buys throughput within the target.
void findLargerBatches(BatchView& view) {
    const int now = view.pool().server.limit();
    int better = now;
    double best = view.capacity;
    for (int limit = 2 * now; limit <= largestOfferedBatch; limit *= 2) {
        const double rate = largestRateWithin(view.model.withLimit(limit), view.target);
        if (rate > best * 1.05) {
            best = rate;
            better = limit;
        }
    }
    if (!(best > worthMore * view.capacity))
        return;
    Finding* finding = addFinding(view.context, view.result, Severity::advice, "batch.larger_batches", {workloadRef(view.workload)}, 1 - view.capacity / best,
                                  {{"limit", std::to_string(now)}, {"better", std::to_string(better)},
                                   {"gain", view.capacity > 0 ? format(best / view.capacity - 1, Unit::fraction) : "∞"}});
    const Workload& drawn = drawnWorkload(view.context, view.workload);
    Workload after = drawn;
    std::get<BatchInference>(after.spec).batchLimit = better;
    offerWorkload(finding, drawn, after, "batch.set_limit", "Allow larger batches");
}

void addRemarks(BatchView& view) {
    const double largest = view.model.largestRate();
    std::vector<ElementRef> nodes;
    for (const BatchPool& pool : view.model.pools())
        nodes.push_back(nodeRef(view.context, pool.node));
    if (!(view.rate < largest) && view.rate > 0) {
        addUnstable(view.context, view.result, view.workload, nodes, view.rate, largest, Unit::samplesPerSecond);
    } else if (view.target && !(view.capacity > 0)) {
        addFinding(view.context, view.result, Severity::error, "load.target_unreachable", {workloadRef(view.workload)}, 1,
                   {{"target", format(*view.target, Unit::seconds)}, {"idle", format(view.model.at(0).p99, Unit::seconds)}});
    } else if (view.rate > 0) {
        const double use = view.rate / view.capacity;
        if (use > nearFull && use <= 1)
            addFinding(view.context, view.result, Severity::warning, "load.tight_margin", {workloadRef(view.workload)}, use - nearFull,
                       {{"rate", format(view.rate, Unit::samplesPerSecond)}, {"capacity", format(view.capacity, Unit::samplesPerSecond)},
                        {"margin", format(1 - use, Unit::fraction)}});
        if (use < hardlyUsed && onGpu(view.pool()))
            addFinding(view.context, view.result, Severity::advice, "batch.gpu_hardly_used", nodes, hardlyUsed - use,
                       {{"rate", format(view.rate, Unit::samplesPerSecond)}, {"capacity", format(view.capacity, Unit::samplesPerSecond)},
                        {"use", format(use, Unit::fraction)}});
    }
    const double delay = si(view.spec.batchDelay);
    if (view.target && delay > .5 * *view.target)
        addFinding(view.context, view.result, Severity::warning, "batch.long_delay", {workloadRef(view.workload)}, .4,
                   {{"delay", format(delay, Unit::seconds)}, {"target", format(*view.target, Unit::seconds)}});
    const BatchTime& time = view.pool().server.time();
    const double host = time.parts(view.pool().server.limit()).host / std::max(time.seconds(view.pool().server.limit()), 1e-12);
    if (host > .6 && onGpu(view.pool()))
        addFinding(view.context, view.result, Severity::advice, "batch.launch_bound", nodes, host - .6, {{"share", format(host, Unit::fraction)}});
    for (const BatchPool& pool : view.model.pools()) {
        const double gpus = static_cast<double>(pool.machine->count) * pool.machine->gpus;
        if (onGpu(pool) && pool.servers > gpus && std::fmod(pool.servers, gpus) != 0)
            addFinding(view.context, view.result, Severity::warning, "batch.uneven_replicas", {nodeRef(view.context, pool.node)}, .3,
                       {{"replicas", format(pool.servers, Unit::count)}, {"gpus", format(gpus, Unit::count)}});
    }
    findLargerBatches(view);
}

} // namespace

WorkloadResult estimateBatchInference(EstimateContext& context, const Workload& workload, std::span<const Placement* const> placements) {
    WorkloadResult result = resultFor(workload);
    const BatchInference& spec = std::get<BatchInference>(workload.spec);
    if (placements.empty())
        return result;
    result.estimate.placed = true;
    if (!spec.model.empty() && !context.catalog.find<NeuralModel>(spec.model))
        addFinding(context, result, Severity::error, "workload.unknown_model", {workloadRef(workload)}, 1, {{"model", spec.model.value}});
    const BatchModel model(context, spec, placements, workload.flow);
    addIssues(context, result, workload, model);
    if (!model.runs() || !(model.largestRate() > 0))
        return result;
    const std::optional<double> target = spec.latencyP99 ? std::optional(si(*spec.latencyP99)) : std::nullopt;
    const double rate = std::isfinite(spec.arrivalRate) ? std::max(0., spec.arrivalRate) : 0;
    BatchView view{context, workload, spec, result, model, rate, largestRateWithin(model, target), target};
    for (std::size_t i = 1; i < model.pools().size(); ++i)
        if (model.pools()[i].weight > model.pools()[view.main].weight)
            view.main = i;
    result.estimate.feasible = rate < model.largestRate();
    addFigures(view);
    addUse(view);
    addBottleneckOfFullBatches(view);
    if (context.options.curves)
        result.estimate.curve = loadCurve(model);
    if (context.options.findings)
        addRemarks(view);
    return result;
}

} // namespace cw
