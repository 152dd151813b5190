// SPDX-License-Identifier: GPL-3.0-or-later
//
// The estimator of kind stream: events that are taken in, replicated, kept for a while and read once (an event log with its consumers).
// Every event costs CPU on one machine, disk on `replication` machines, and network for each copy and for its reader.
#include "estimators/services/cpu_pool.h"
#include "estimators/services/latency_models.h"
#include "estimators/services/service_model.h"
#include "estimators/services/service_rules.h"
#include "estimators/services/workload_report.h"
#include "estimators/network/collectives.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace cw {

namespace {

constexpr const char* text = "docs/equations-serving.md, Queues and services";
constexpr double unlimited = std::numeric_limits<double>::infinity();

double coresOf(std::span<const CpuPool> pools) {
    double cores = 0;
    for (const CpuPool& pool : pools)
        cores += pool.allCores();
    return cores;
}

double positive(double value) { return value > 0 && std::isfinite(value) ? value : 0; }

/// A resource of the log and the event rate at which it is full.
struct Limit {
    const char* resource;
    double rate = unlimited;
};

struct Log {
    double rate = 0, bytes = 0, cpu = 0, copies = 1, retention = 0;
    double machines = 0;
    double write = 0, read = 0, space = 0; ///< of all machines, bytes/s and bytes
    bool assumedDrives = false;
    double between = 0;                    ///< bytes/s that one machine sends to its peers; 0: alone or unknown
    double hop = 0;                        ///< seconds between machines
    FrontEnd front;
    const GroupFabric* group = nullptr;

    std::array<Limit, 5> limits(double cores) const {
        std::array<Limit, 5> all{Limit{"cpu.cores"}, {"storage.write"}, {"storage.read"}, {"network.link"}, {"storage.capacity"}};
        if (cpu > 0)
            all[0].rate = cores / cpu;
        if (!(bytes > 0))
            return all;
        all[1].rate = write / (bytes * copies);
        all[2].rate = read / bytes; // consumers that lag read from disk
        if (copies > 1 && between > 0)
            all[3].rate = between * machines / (bytes * (copies - 1));
        if (front.drawn() && front.bandwidth > 0)
            all[3].rate = std::min(all[3].rate, front.bandwidth / bytes);
        if (retention > 0)
            all[4].rate = space / (bytes * copies * retention);
        return all;
    }
};

const Limit* leastOf(const std::array<Limit, 5>& limits) {
    return &*std::min_element(limits.begin(), limits.end(), [](const Limit& a, const Limit& b) { return a.rate < b.rate; });
}

Log logOf(EstimateContext& context, const Stream& spec, std::span<const CpuPool> pools, const ServiceRules& rules, std::deque<GroupFabric>& groups) {
    Log log;
    log.rate = positive(spec.eventRate);
    log.bytes = positive(si(spec.eventBytes));
    log.cpu = positive(si(spec.cpuPerEvent));
    log.retention = positive(si(spec.retention));
    std::vector<std::uint32_t> nodes;
    for (const CpuPool& pool : pools) {
        const MachineStorage storage = storageOf(*pool.machine, rules, context.relief.storage);
        log.machines += pool.machines;
        log.write += pool.machines * storage.write;
        log.read += pool.machines * storage.read;
        log.space += pool.machines * storage.bytes;
        log.assumedDrives = log.assumedDrives || storage.assumed;
        nodes.push_back(pool.node);
    }
    log.copies = std::clamp(static_cast<double>(spec.replication), 1., std::max(1., log.machines));
    log.front = frontEnd(context, nodes.front());
    if (log.machines > 1) {
        groups.push_back(context.fabric.group(nodes, "any"));
        log.group = &groups.back();
        for (const FabricTier& tier : log.group->tiers) {
            if (tier.links.empty())
                continue;
            const double perMachine = tier.bandwidthPerDevice * log.group->devicesPerMachine * context.relief.network;
            log.between = log.between > 0 ? std::min(log.between, perMachine) : perMachine;
            log.hop = std::max(log.hop, tier.latency / context.relief.network);
        }
    }
    return log;
}

/// Disk, network and waiting for a batch to fill, besides the queue for a core.
double fixedLatency(const Log& log, const ServiceRules& rules, double rate) {
    const double linger = rules.get("stream_linger_s", 5e-3);
    const double perMachine = log.write / std::max(1., log.machines);
    const double busy = log.write > 0 ? std::min(.98, rate * log.bytes * log.copies / log.write) : 0;
    const double disk = log.bytes > 0 ? log.bytes / perMachine / (1 - busy) : 0;
    const double copies = log.copies > 1 ? 2 * log.hop + (log.between > 0 ? log.bytes / log.between : 0) : 0;
    return linger + disk + copies + log.front.roundTrip;
}

class StreamModel : public LoadedService {
public:
    StreamModel(const Log& log, const ServiceRules& rules, std::vector<CpuPool> pools, double limit, const RequestFlow& flow)
        : m_log(log)
        , m_rules(rules)
        , m_pools(std::move(pools))
        , m_limit(limit)
        , m_balancing(balancingOf(flow)) {
        m_log.group = nullptr;
    }

    double largestRate() const override { return m_limit; }
    LatencyPoint at(double rate) const override {
        LatencyPoint point = serviceAt(rate).at(rate);
        point.stable = rate < m_limit || !(rate > 0);
        return point;
    }
    LatencyMoments moments(double rate) const override {
        LatencyMoments moments = serviceAt(rate).moments(rate);
        moments.stable = rate < m_limit || !(rate > 0);
        return moments;
    }

    ServiceModel serviceAt(double rate) const override {
        ServiceWork work;
        work.seconds = m_log.cpu;
        work.cv = m_rules.get("stream_service_cv", 1);
        work.fixed = fixedLatency(m_log, m_rules, rate);
        work.balancing = m_balancing;
        return ServiceModel(m_pools, work);
    }

private:

    Log m_log;
    ServiceRules m_rules;
    std::vector<CpuPool> m_pools;
    double m_limit;
    Balancing m_balancing;
};

void addFigures(EstimateContext& context, WorkloadResult& result, const Log& log, const ServiceRules& rules,
                const StreamModel& model, std::span<const CpuPool> pools, double capacity) {
    Derivation& d = context.derivation;
    WorkloadEstimate& estimate = result.estimate;
    const LatencyPoint point = model.at(log.rate);
    const double limit = model.largestRate();
    const Quantity load = d.input("event rate", log.rate, Unit::eventsPerSecond, "workload");
    const Quantity bytes = d.input("bytes of an event", log.bytes, Unit::bytes, "workload");
    const Quantity cpu = d.input("CPU time of an event", log.cpu, Unit::seconds, "workload");
    const Quantity copies = d.input("copies kept", log.copies, Unit::count, "workload");
    const Quantity cores = coresTerm(context, pools);
    const Quantity drives = log.assumedDrives ? rules.term(d, "write rate of a drive, where the machine's is not known", "drive_write_bytes_s", 2e9,
                                                           Unit::bytesPerSecond)
                                              : d.computed("write rate of all machines", "machines · rate", log.write, log.write, log.write,
                                                           Unit::bytesPerSecond, {});
    const ErrorBand band = errorBand(capacity, rules.errorOfCapacity());
    const char* rule = "least of cores/CPU time, disk/(bytes · copies), network/(bytes · (copies − 1)), space/(bytes · copies · retention)";
    estimate.capacity = std::isfinite(capacity)
                          ? d.computed("largest event rate", rule, capacity, band.low, band.high, Unit::eventsPerSecond, {cores, cpu, bytes, copies, drives}, text)
                          : d.unknown("largest event rate", Unit::eventsPerSecond, "events of no bytes and no CPU time: nothing limits them");
    const double served = std::min(log.rate, limit);
    estimate.throughput = d.computed("throughput", "event rate, at most the largest", served, std::min(served, limit / (1 + rules.errorOfCapacity())),
                                     served, Unit::eventsPerSecond, {load, *estimate.capacity});
    const double busy = std::isfinite(limit) && limit > 0 ? std::min(log.rate / limit, 1.) : 0;
    const double error = latencyError(rules.errorOfLatency(), busy);
    addPercentiles(context, estimate, point, error,
                   {rules.term(d, "wait for a batch of the producer", "stream_linger_s", 5e-3, Unit::seconds), cpu, load, cores},
                   "linger + disk + copies over the network + service and wait for a core (M/G/c)", text);
    if (point.stable) {
        const double lag = served * point.mean;
        estimate.latency.push_back({"mean", d.computed("mean latency", "of all events", point.mean, errorBand(point.mean, error).low,
                                                       errorBand(point.mean, error).high, Unit::seconds, {load, cpu}, text)});
        estimate.more.push_back({"lag", d.computed("events on their way", "rate · mean latency (Little)", lag, errorBand(lag, error).low,
                                                   errorBand(lag, error).high, Unit::count, {load})});
    }
    const auto more = [&](const char* key, const char* name, const char* equation, double value, Unit unit) {
        estimate.more.push_back({key, d.computed(name, equation, value, value, value, unit, {load, bytes, copies})});
    };
    more("disk_write", "written to disk", "rate · bytes · copies", served * log.bytes * log.copies, Unit::bytesPerSecond);
    more("disk_space", "space for what is kept", "rate · bytes · copies · retention", served * log.bytes * log.copies * log.retention, Unit::bytes);
    auto& parts = estimate.timeParts;
    parts[static_cast<std::size_t>(TimePart::compute)] = log.cpu;
    parts[static_cast<std::size_t>(TimePart::storage)] = log.write > 0 ? log.bytes / (log.write / std::max(1., log.machines)) : 0;
    parts[static_cast<std::size_t>(TimePart::network)] = log.front.roundTrip + (log.copies > 1 ? 2 * log.hop : 0);
    double known = 0;
    for (const double part : parts)
        known += part;
    parts[static_cast<std::size_t>(TimePart::queueing)] = std::max(0., point.mean - known);
    result.unitsPerSecond = served;
    result.unitCost = Unit::dollarsPerMillionRequests;
}

void addTraffic(WorkloadResult& result, const Workload& workload, const Log& log, std::span<const CpuPool> pools, double served) {
    for (const CpuPool& pool : pools)
        addRequestTraffic(result, workload, log.front, pool.node, served * pool.weight * log.bytes, served * pool.weight * log.bytes);
    if (!log.group || !(log.copies > 1) || !(log.bytes > 0))
        return;
    Traffic traffic;
    traffic.workload = workload.id;
    traffic.kind = "replication";
    traffic.group = log.group;
    // Copies go to any other machines: a member's bytes divide over all the others.
    const double devices = static_cast<double>(std::max<std::int64_t>(1, log.group->devices));
    const int domain = std::max(1, log.group->devicesPerMachine);
    const RankGroup ranks = rankGroup(*log.group, domain, static_cast<int>(std::min<double>(devices, 1 << 30)), 1);
    addTierBytes(traffic.bytesPerDevice, served * log.bytes * (log.copies - 1) / devices, ranks, Neighbours::everybody);
    result.traffic.push_back(std::move(traffic));
}

} // namespace

std::unique_ptr<LatencyModel> streamLatency(EstimateContext& context, const Stream& spec, std::span<const Placement* const> placements,
                                            const RequestFlow& flow) {
    const std::vector<CpuPool> pools = cpuPools(context, placements);
    if (pools.empty())
        return nullptr;
    const ServiceRules rules(context.catalog);
    std::deque<GroupFabric> groups;
    const Log log = logOf(context, spec, pools, rules, groups);
    return std::make_unique<StreamModel>(log, rules, pools, leastOf(log.limits(balancingOf(flow).up * coresOf(pools)))->rate, flow);
}

WorkloadResult estimateStream(EstimateContext& context, const Workload& workload, std::span<const Placement* const> placements) {
    WorkloadResult result = resultFor(workload);
    const Stream& spec = std::get<Stream>(workload.spec);
    if (placements.empty())
        return result;
    result.estimate.placed = true;
    const std::vector<CpuPool> pools = cpuPools(context, placements);
    addCpuFindings(context, result, placements, pools);
    if (pools.empty())
        return result;
    const ServiceRules rules(context.catalog);
    const Log log = logOf(context, spec, pools, rules, result.groups);
    const double cores = balancingOf(workload.flow).up * coresOf(pools);
    const auto limits = log.limits(cores);
    const Limit* least = leastOf(limits);
    const StreamModel model(log, rules, pools, least->rate, workload.flow);
    const std::optional<double> target = spec.latencyP99 ? std::optional(si(*spec.latencyP99)) : std::nullopt;
    const double capacity = std::isfinite(least->rate) ? largestRateWithin(model, target) : least->rate;
    result.estimate.feasible = log.rate < least->rate;
    addFigures(context, result, log, rules, model, pools, capacity);
    const std::string label = poolLabel(context, pools);
    const std::vector<ElementRef> refs = poolRefs(context, pools);
    double second = unlimited;
    for (const Limit& limit : limits) {
        if (std::isfinite(limit.rate))
            result.estimate.resources.push_back({limit.resource, label, refs, limit.rate > 0 ? log.rate / limit.rate : 1});
        if (&limit != least)
            second = std::min(second, limit.rate);
    }
    orderResources(result.estimate);
    if (result.estimate.bottleneck && context.options.bottleneckGain && least->rate > 0)
        result.estimate.bottleneck->gainIfRelieved = std::max(0., std::min(2 * least->rate, second) / least->rate - 1);
    const double served = std::min(log.rate, least->rate);
    for (const CpuPool& pool : pools) {
        Activity activity;
        activity.node = pool.node;
        activity.cpu = std::min(1., served * log.cpu / cores);
        result.activity.push_back(activity);
    }
    addTraffic(result, workload, log, pools, served);
    if (context.options.curves)
        result.estimate.curve = loadCurve(model);
    if (!result.estimate.feasible)
        addUnstable(context, result, workload, refs, log.rate, least->rate, Unit::eventsPerSecond);
    else if (target && !(capacity > 0))
        addFinding(context, result, Severity::error, "load.target_unreachable", {workloadRef(workload)}, 1,
                   {{"target", format(*target, Unit::seconds)}, {"idle", format(model.at(0).p99, Unit::seconds)}});
    if (spec.replication > log.machines)
        addFinding(context, result, Severity::warning, "stream.too_few_machines", refs, .5,
                   {{"copies", std::to_string(spec.replication)}, {"machines", format(log.machines, Unit::count)}});
    return result;
}

} // namespace cw
