// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/serving/batch_model.h"

#include "estimators/serving/served_model.h"
#include "estimators/services/workload_report.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cw {

namespace {

double positive(double value) { return value > 0 && std::isfinite(value) ? value : 0; }

/// Keys of a "batch_stack" entry; what a catalog without one says is nothing at all.
struct BatchConstants {
    const Constants* set = nullptr;
    double get(const char* key, double otherwise = 0) const { return set ? set->get(key, otherwise) : otherwise; }
};

BatchConstants batchConstants(const Catalog& catalog, const PartId& wanted, bool onCpu) {
    const Constants* own = wanted.empty() ? nullptr : catalog.find<Constants>(wanted);
    if (own && own->kind == "batch_stack")
        return {own};
    return {catalog.constants("batch_stack", onCpu ? "cpu" : "gpu")};
}

/// Host seconds: launches of all layers, the program around a batch, handling of an item, and what the user says a batch costs besides.
void addHost(BatchTime& time, const ItemWork& work, const BatchConstants& of, double synchronisation, double relief) {
    if (work.kernelOnly) {
        time.host = work.batchOverhead + work.layers * of.get("kernel_overhead_s") / relief;
        return;
    }
    const double layer = of.get(work.convolutional ? "convolution_layer_overhead_s" : "layer_overhead_s");
    time.host = work.batchOverhead + (work.layers * layer * synchronisation + of.get("batch_overhead_s")) / relief;
    time.hostPerItem = of.get("item_overhead_s") / relief;
}

struct Rates {
    double flops = 0, bandwidth = 0, peak = 0, efficiency = 0;
    const char* key = "";
};

Rates gpuRates(const Machine& machine, const ServingDevice& device, Precision precision, bool convolutional, const BatchConstants& of, const Relief& relief) {
    const Gpu& gpu = *machine.gpu;
    Rates rates;
    const bool four = (precision == Precision::nvfp4 || precision == Precision::mxfp4) && gpu.peak.contains(precision);
    const bool eight = (precision == Precision::fp8 || precision == Precision::int8 || precision == Precision::mxfp8) && gpu.peak.contains(precision);
    rates.key = four ? "efficiency_4bit" : eight ? "efficiency_8bit" : "efficiency_16bit";
    rates.efficiency = (four ? device.efficiency4 : eight ? device.efficiency8 : device.efficiency16)
                     * (convolutional ? of.get("convolution_efficiency_ratio", 1) : 1);
    rates.peak = si(gpu.peakFor(precision).value_or(OperationsPerSecond{})) * relief.gpuCompute;
    if (gpu.tdp && machine.gpuPowerCap && *machine.gpuPowerCap > 0 && *machine.gpuPowerCap < si(*gpu.tdp))
        rates.peak *= std::sqrt(*machine.gpuPowerCap / si(*gpu.tdp));
    rates.flops = rates.peak * rates.efficiency;
    rates.bandwidth = si(gpu.memoryBandwidth) * device.weightBandwidth * relief.gpuMemoryBandwidth;
    return rates;
}

/// Batch servers on the machines of one placement.
struct PoolBuilder {
    EstimateContext& context;
    const BatchInference& spec;
    const Placement& placement;
    const ItemWork& work;
    Precision precision;
    std::vector<BatchPool>& pools;
    std::vector<BatchIssue>& issues;

    double delay() const { return si(spec.batchDelay); }

    BatchPool pool(std::uint32_t node, const BatchTime& time, const Rates& rates, const Constants* set, const BatchConstants& of) const {
        BatchPool pool(BatchServer(time, spec.batchLimit, delay()), placement, context.design.machines[node], node);
        pool.errorLatency = of.get("error_latency", pool.errorLatency);
        pool.errorCapacity = of.get("error_capacity", pool.errorCapacity);
        pool.peak = rates.peak;
        pool.efficiency = rates.efficiency;
        pool.efficiencyKey = rates.key;
        pool.deviceSet = set;
        return pool;
    }

    void onGpus(std::uint32_t node) const {
        const Machine& machine = context.design.machines[node];
        const BatchConstants of = batchConstants(context.catalog, placement.stack, false);
        const ServingDevice device = servingDevice(context.catalog, *machine.gpu, {});
        const Rates rates = gpuRates(machine, device, precision, work.convolutional, of, context.relief);
        const double gpus = static_cast<double>(machine.count) * machine.gpus, memory = si(machine.gpu->memory) * context.relief.gpuMemory;
        if (work.weightBytes > memory) {
            issues.push_back({"batch.memory", &placement, static_cast<int>(node), work.weightBytes, memory});
            return;
        }
        // More replicas than GPUs share them: each gets its part of the device, while launches overlap.
        const double servers = placement.replicas > 0 ? placement.replicas : gpus;
        const double sharing = std::max(1., std::ceil(servers / gpus));
        BatchTime time;
        time.weights = sharing * work.weightBytes / rates.bandwidth;
        time.memoryPerItem = sharing * work.memoryBytes / rates.bandwidth;
        time.computePerItem = sharing * work.operations * work.divergence / rates.flops;
        addHost(time, work, of, 1, context.relief.host);
        BatchPool made = pool(node, time, rates, device.set, of);
        made.peak /= sharing;
        made.servers = servers;
        made.devicesInUse = std::min(1., servers / gpus);
        pools.push_back(std::move(made));
    }

    void onCpus(std::uint32_t node) const {
        const Machine& machine = context.design.machines[node];
        const BatchConstants of = batchConstants(context.catalog, placement.stack, true);
        const ServingCpu cpu = servingCpu(context.catalog, *machine.cpu, {});
        Rates rates;
        rates.key = "efficiency";
        rates.efficiency = cpu.efficiency * (work.convolutional ? of.get("convolution_efficiency_ratio", 1) : 1);
        const double sockets = machine.cores / std::max(1, machine.cpu->cores);
        rates.peak = si(machine.cpu->peakFor(precision).value_or(OperationsPerSecond{})) * sockets * context.relief.cpu;
        rates.bandwidth = machine.memoryBandwidth * context.relief.cpu * (sockets > 1 ? cpu.bandwidthSockets : cpu.bandwidthOneSocket);
        const auto timeOn = [&](double cores) {
            const double part = cores / machine.cores;
            BatchTime time;
            time.weights = work.weightBytes / (rates.bandwidth * part);
            time.memoryPerItem = work.memoryBytes / (rates.bandwidth * part);
            time.computePerItem = work.operations / (rates.efficiency * rates.peak * part);
            addHost(time, work, of, 1 + std::max(0., std::log2(cores / 4)) / 4, context.relief.host);
            return time;
        };
        const double machines = static_cast<double>(machine.count), most = std::floor(machine.cores);
        const double cores = placement.replicas > 0 ? std::clamp(std::floor(machine.cores * machines / placement.replicas), 1., most)
                                                    : bestSplit(machine, timeOn);
        const double servers = machines * std::floor(machine.cores / cores);
        const Constants* set = cpu.set;
        BatchPool made = pool(node, timeOn(cores), rates, set, of);
        made.peak *= cores / machine.cores;
        made.servers = placement.replicas > 0 ? std::min<double>(placement.replicas, servers) : servers;
        made.coresPerServer = static_cast<int>(cores);
        made.devicesInUse = std::min(1., made.servers * cores / (machines * machine.cores));
        pools.push_back(std::move(made));
    }

    /// How many cores work on one batch: the split with the shortest tail at the rate among those that carry it, else the one that carries
    /// most.
    template <class TimeOn> double bestSplit(const Machine& machine, TimeOn&& timeOn) const {
        const double own = positive(spec.arrivalRate) / static_cast<double>(machine.count);
        double best = std::floor(machine.cores), bestTail = std::numeric_limits<double>::infinity(), bestLimit = 0;
        for (double cores = best; cores >= 1; cores = std::floor(cores / 2)) {
            const BatchServer server(timeOn(cores), spec.batchLimit, delay());
            const double count = std::floor(machine.cores / cores), limit = count * server.largestRate();
            const bool carries = own < .95 * limit;
            const double tail = carries ? server.at(own / count).quantile(.99) : std::numeric_limits<double>::infinity();
            if (tail < bestTail || (std::isinf(bestTail) && limit > bestLimit)) {
                best = cores;
                bestTail = tail;
                bestLimit = limit;
            }
        }
        return best;
    }
};

} // namespace

ItemWork itemWork(const BatchInference& spec, const NeuralModel* model, Precision precision, const Catalog& catalog) {
    ItemWork work;
    const BatchConstants of = batchConstants(catalog, {}, false);
    const double bytes = bytesPerValue(precision);
    if (model) {
        work.layers = std::max(1, model->layers);
        work.convolutional = model->kind == "cnn";
        work.weightBytes = model->parametersTotal * bytes;
        if (model->operationsPerSample)
            work.operations = si(*model->operationsPerSample);
        if (model->hidden > 0) {
            const double tokens = std::clamp(spec.sequence, 1, 1 << 24);
            if (!model->operationsPerSample) {
                if (const auto served = servedModel(*model, precision, precision)) // both attention products see all positions
                    work.operations = 2 * served->activeParameters() * tokens + 4 * served->kvLayers(tokens) * tokens * tokens * served->widthPrefill;
            }
            const double positions = model->operationsPerSample ? 197 : tokens; // a 224² image in patches of 16
            work.memoryBytes = of.get("activation_passes", 14) * std::max(1., bytes) * model->layers * model->hidden * positions;
        } else {
            work.memoryBytes = work.operations * of.get("activation_bytes_per_operation", .005) * bytes / 2;
        }
    } else {
        work.kernelOnly = true;
    }
    if (spec.operationsPerItem)
        work.operations = positive(si(*spec.operationsPerItem));
    if (spec.bytesPerItem)
        work.memoryBytes = positive(si(*spec.bytesPerItem));
    if (spec.weightBytes)
        work.weightBytes = positive(si(*spec.weightBytes));
    work.batchOverhead = positive(si(spec.batchOverhead));
    work.divergence = std::max(1., positive(spec.divergence));
    return work;
}

BatchModel::BatchModel(EstimateContext& context, const BatchInference& spec, std::span<const Placement* const> placements,
                       const RequestFlow& flow) {
    for (const Placement* placement : placements)
        addPools(context, spec, *placement);
    Balancing balancing = balancingOf(flow);
    for (BatchPool& pool : m_pools) {
        balancing.queues = balancing.up * pool.servers;
        pool.up = balancing.up;
        pool.server.setBalancing(balancing);
    }
    if (!m_pools.empty())
        m_fixed = frontEnd(context, m_pools.front().node).roundTrip;
    weigh();
}

void BatchModel::addPools(EstimateContext& context, const BatchInference& spec, const Placement& placement) {
    const Precision precision = placement.precision.value_or(spec.precision);
    const NeuralModel* model = spec.model.empty() ? nullptr : context.catalog.find<NeuralModel>(spec.model);
    const ItemWork work = itemWork(spec, model, precision, context.catalog);
    if (!work.known()) {
        m_issues.push_back({"batch.no_work", &placement});
        return;
    }
    const PoolBuilder build{context, spec, placement, work, precision, m_pools, m_issues};
    for (const NodeId& id : placement.nodes) {
        const int index = context.design.indexOf(id);
        const Machine* machine = index < 0 ? nullptr : &context.design.machines[static_cast<std::size_t>(index)];
        const bool gpu = machine && machine->gpu && machine->gpus > 0;
        const bool cpu = machine && machine->cpu && machine->cores >= 1;
        if (!gpu && !cpu)
            m_issues.push_back({"service.machine_unsuitable", &placement, index});
        else if (machine->count > 0)
            gpu ? build.onGpus(static_cast<std::uint32_t>(index)) : build.onCpus(static_cast<std::uint32_t>(index));
    }
}

void BatchModel::weigh() {
    double shares = 0;
    const Placement* previous = nullptr;
    for (const BatchPool& pool : m_pools) {
        if (pool.placement != previous)
            shares += positive(pool.placement->share);
        previous = pool.placement;
    }
    for (BatchPool& pool : m_pools) {
        double limitOf = 0;
        for (const BatchPool& other : m_pools)
            limitOf += other.placement == pool.placement ? other.largestRate() : 0;
        const double share = shares > 0 ? positive(pool.placement->share) / shares : 1;
        pool.weight = limitOf > 0 ? share * pool.largestRate() / limitOf : 0;
    }
    m_limit = m_pools.empty() ? 0 : std::numeric_limits<double>::infinity();
    for (const BatchPool& pool : m_pools)
        if (pool.weight > 0)
            m_limit = std::min(m_limit, pool.largestRate() / pool.weight);
}

BatchPoint BatchModel::pointOf(std::size_t index, double rate) const {
    const BatchPool& pool = m_pools[index];
    return pool.server.at(rate * pool.weight / (pool.up * std::max(1., pool.servers)));
}

LatencyMoments BatchModel::moments(double rate) const {
    LatencyMoments out;
    out.stable = rate < m_limit || !(rate > 0);
    double second = 0;
    for (std::size_t i = 0; i < m_pools.size(); ++i) {
        const BatchPoint point = pointOf(i, rate);
        const double mean = point.mean() + m_fixed;
        out.mean += m_pools[i].weight * mean;
        second += m_pools[i].weight * (point.variance() + mean * mean);
    }
    out.variance = std::max(0., second - out.mean * out.mean);
    return out;
}

LatencyPoint BatchModel::at(double rate) const {
    LatencyPoint out;
    static_cast<LatencyMoments&>(out) = moments(rate);
    out.rate = rate > 0 ? rate : 0;
    std::vector<BatchPoint> points;
    for (std::size_t i = 0; i < m_pools.size(); ++i)
        points.push_back(pointOf(i, rate));
    const auto quantile = [&](double p) {
        if (points.size() == 1)
            return points.front().quantile(p);
        double high = 0;
        for (const BatchPoint& point : points)
            high = std::max(high, point.quantile(p));
        const auto tail = [&](double t) {
            double sum = 0;
            for (std::size_t i = 0; i < points.size(); ++i)
                sum += m_pools[i].weight * points[i].tail(t);
            return sum;
        };
        return quantileOf(tail, p, 0, high);
    };
    if (points.empty())
        return out;
    out.p50 = m_fixed + quantile(.5);
    out.p95 = m_fixed + quantile(.95);
    out.p99 = m_fixed + quantile(.99);
    return out;
}

BatchModel BatchModel::withLimit(int limit) const {
    BatchModel other = *this;
    for (std::size_t i = 0; i < m_pools.size(); ++i)
        other.m_pools[i].server = m_pools[i].server.withLimit(limit);
    other.weigh();
    return other;
}

} // namespace cw
