// SPDX-License-Identifier: GPL-3.0-or-later
//
// The estimator of kind batch_job: a job of many tasks (ETL, rendering, a build) with a serial share, data read, shuffled between all
// machines and written. Tasks run in waves on the cores; reading and writing overlap them, the shuffle is a barrier in between.
#include "estimators/network/collectives.h"
#include "estimators/services/cpu_pool.h"
#include "estimators/services/queueing.h"
#include "estimators/services/service_rules.h"
#include "estimators/services/workload_report.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr const char* text = "docs/equations-serving.md, Queues and services";
constexpr double secondsPerDay = 86400;

double positive(double value) { return value > 0 && std::isfinite(value) ? value : 0; }

struct Job {
    double serial = 0, parallel = 0; ///< core-seconds
    double tasks = 1, cores = 0, machines = 0;
    double read = 0, shuffled = 0, written = 0; ///< bytes
    double readRate = 0, writeRate = 0;         ///< bytes/s of all machines
    bool assumedDrives = false, connected = true;
    double shuffleTime = 0;
    double straggler = .05, overlap = .3;
    const GroupFabric* group = nullptr;

    /// Whole waves of equal tasks; the last tasks of a wave run late.
    double cpuTime() const {
        const double slots = std::max(1., std::floor(cores));
        const double waves = std::ceil(tasks / slots);
        return parallel > 0 ? parallel / tasks * waves * (1 + (tasks > 1 ? straggler / waves : 0)) : 0;
    }
    double readTime() const { return readRate > 0 ? read / readRate : 0; }
    double writeTime() const { return writeRate > 0 ? written / writeRate : 0; }
    double shuffleExposed() const { return shuffleTime * (1 - overlap); }
    double diskTime() const { return readTime() + writeTime(); }
    double total() const { return serial + std::max(cpuTime(), diskTime()) + shuffleExposed(); }
};

Job jobOf(EstimateContext& context, const BatchJob& spec, std::span<const CpuPool> pools, const ServiceRules& rules, WorkloadResult& result) {
    Job job;
    const double share = std::clamp(positive(spec.serialShare), 0., 1.), cpu = positive(si(spec.cpuTime));
    job.serial = cpu * share / context.relief.cpu;
    job.parallel = cpu * (1 - share) / context.relief.cpu; // a CPU twice as fast, not twice the cores: tasks stay whole
    job.tasks = static_cast<double>(std::max<std::int64_t>(1, spec.tasks));
    job.read = positive(si(spec.read));
    job.shuffled = positive(si(spec.shuffled));
    job.written = positive(si(spec.written));
    job.straggler = rules.get("straggler_share", .05);
    job.overlap = rules.get("shuffle_overlap", .3);
    std::vector<std::uint32_t> nodes;
    for (const CpuPool& pool : pools) {
        const MachineStorage storage = storageOf(*pool.machine, rules, context.relief.storage);
        job.machines += pool.machines;
        job.cores += pool.machines * pool.machine->cores;
        job.readRate += pool.machines * storage.read;
        job.writeRate += pool.machines * storage.write;
        job.assumedDrives = job.assumedDrives || storage.assumed;
        nodes.push_back(pool.node);
    }
    if (job.shuffled > 0 && job.machines > 1) {
        result.groups.push_back(context.fabric.group(nodes, "any"));
        job.group = &result.groups.back();
        job.connected = job.group->connected;
        const double devices = static_cast<double>(std::max<std::int64_t>(1, job.group->devices));
        const RankGroup ranks = rankGroup(*job.group, std::max(1, job.group->devicesPerMachine), static_cast<int>(std::min<double>(devices, 1 << 30)), 1);
        job.shuffleTime = collectiveTime(Collective::allToAll, job.shuffled / devices, ranks, context.catalog, nullptr).seconds / context.relief.network;
    }
    return job;
}

Quantity seconds(Derivation& d, const char* name, const char* equation, double value, double error, std::initializer_list<Quantity> inputs) {
    const ErrorBand band = errorBand(value, error);
    return d.computed(name, equation, value, band.low, band.high, Unit::seconds, inputs, text);
}

void addFigures(EstimateContext& context, WorkloadResult& result, const BatchJob& spec, const Job& job, const ServiceRules& rules,
                std::span<const CpuPool> pools) {
    Derivation& d = context.derivation;
    WorkloadEstimate& estimate = result.estimate;
    const double error = rules.errorOfCapacity();
    const Quantity cpu = d.input("CPU time of the job", job.serial + job.parallel, Unit::seconds, "workload");
    const Quantity tasks = d.input("tasks", job.tasks, Unit::count, "workload");
    const Quantity cores = coresTerm(context, pools);
    const Quantity compute = seconds(d, "tasks on the cores", "waves · time of a task; waves = ⌈tasks / cores⌉", job.cpuTime(), error, {cpu, tasks, cores});
    const Quantity serial = seconds(d, "serial part", "serial share · CPU time", job.serial, 0, {cpu});
    const Quantity drive = rules.term(d, job.assumedDrives ? "read rate of a drive, where the machine's is not known" : "read rate of a drive", "drive_read_bytes_s",
                                      3e9, Unit::bytesPerSecond);
    const Quantity disk = seconds(d, "reading and writing", "bytes / rate of all machines' drives", job.diskTime(), job.assumedDrives ? 1 : error, {drive});
    const Quantity shuffle = seconds(d, "shuffle not hidden", "all-to-all of the shuffled bytes over the drawn network · (1 − overlap)", job.shuffleExposed(),
                                     error, {rules.term(d, "share of the shuffle that tasks hide", "shuffle_overlap", .3, Unit::fraction)});
    const Quantity time = seconds(d, "time of a job", "serial + max(tasks, disk) + shuffle", job.total(), error, {serial, compute, disk, shuffle});
    const double perDay = job.total() > 0 ? secondsPerDay / job.total() : 0;
    const double wanted = positive(spec.jobsPerDay), served = wanted > 0 ? std::min(wanted, perDay) : perDay;
    estimate.latency.push_back({"job", time});
    if (wanted > 0 && wanted < perDay) {
        // Jobs come at any time of the day and queue for the whole cluster.
        const Waiting wait = waiting(wanted / secondsPerDay, job.total(), 1, 0);
        const double p99 = job.total() + wait.quantile(.99);
        estimate.latency.push_back({"p99", seconds(d, "time to finish, 99 % below", "time of a job + wait for earlier ones (M/D/1)", p99,
                                                   latencyError(error, wait.utilisation), {time})});
    }
    const ErrorBand band = errorBand(perDay, error);
    estimate.capacity = perDay > 0 ? d.computed("largest number of jobs", "seconds of a day / time of a job", perDay, band.low, band.high, Unit::jobsPerDay, {time})
                                   : d.unknown("largest number of jobs", Unit::jobsPerDay, "a job of no work");
    estimate.throughput = d.computed("jobs", wanted > 0 ? "wanted, at most the largest number" : "one after the other", served, std::min(served, band.low),
                                     wanted > 0 ? served : band.high, Unit::jobsPerDay, {time});
    const double alone = job.serial + job.parallel;
    const double speedup = job.total() > 0 ? alone / job.total() : 1;
    estimate.more.push_back({"speedup", d.computed("speed-up over one core", "CPU time / time of a job", speedup, errorBand(speedup, error).low,
                                                   errorBand(speedup, error).high, Unit::one, {cpu, time})});
    const double efficiency = job.cores > 0 ? speedup / job.cores : 0;
    estimate.more.push_back({"efficiency", d.computed("efficiency of the cores", "speed-up / cores", efficiency, efficiency, efficiency, Unit::fraction, {cores})});
    auto& parts = estimate.timeParts;
    parts[static_cast<std::size_t>(TimePart::compute)] = job.serial + job.cpuTime();
    parts[static_cast<std::size_t>(TimePart::storage)] = std::max(0., job.diskTime() - job.cpuTime());
    parts[static_cast<std::size_t>(TimePart::network)] = job.shuffleExposed();
    result.unitsPerSecond = served / secondsPerDay;
    result.unitCost = Unit::dollarsPerJob;
}

void addUse(EstimateContext& context, WorkloadResult& result, const Workload& workload, const Job& job, std::span<const CpuPool> pools) {
    const double total = std::max(job.total(), 1e-12), perSecond = result.unitsPerSecond;
    const std::string label = poolLabel(context, pools);
    const std::vector<ElementRef> refs = poolRefs(context, pools);
    const auto use = [&](const char* code, double busy) {
        if (busy > 0)
            result.estimate.resources.push_back({code, label, refs, busy});
    };
    // Shares of the job's time in which each one is what it waits for, or could be.
    use("cpu.cores", (job.serial + job.cpuTime()) / total);
    use("storage.read", job.readTime() / total);
    use("storage.write", job.writeTime() / total);
    use("network.link", job.shuffleTime / total);
    orderResources(result.estimate);
    if (result.estimate.bottleneck && context.options.bottleneckGain) {
        Job faster = job;
        const std::string& binding = result.estimate.bottleneck->binding.resource;
        if (binding == "cpu.cores") {
            faster.serial /= 2;
            faster.parallel /= 2;
        } else if (binding == "network.link") {
            faster.shuffleTime /= 2;
        } else {
            faster.readRate *= 2;
            faster.writeRate *= 2;
        }
        result.estimate.bottleneck->gainIfRelieved = std::max(0., job.total() / std::max(faster.total(), 1e-12) - 1);
    }
    const double running = std::min(1., perSecond * total);
    for (const CpuPool& pool : pools) {
        Activity activity;
        activity.node = pool.node;
        activity.cpu = std::min(1., running * (job.serial + job.parallel) / std::max(job.cores, 1.) / total);
        activity.waiting = 0;
        result.activity.push_back(activity);
    }
    if (job.group && job.shuffled > 0) {
        Traffic traffic;
        traffic.workload = workload.id;
        traffic.kind = "shuffle";
        traffic.group = job.group;
        traffic.period = perSecond > 0 ? 1 / perSecond : total;
        traffic.activeTime = std::min(std::max(job.shuffleTime, 1e-9), traffic.period);
        const double devices = static_cast<double>(std::max<std::int64_t>(1, job.group->devices));
        const RankGroup ranks = rankGroup(*job.group, std::max(1, job.group->devicesPerMachine), static_cast<int>(std::min<double>(devices, 1 << 30)), 1);
        addTierBytes(traffic.bytesPerDevice, networkBytes(Collective::allToAll, job.shuffled / devices, ranks), ranks, Neighbours::everybody);
        result.traffic.push_back(std::move(traffic));
    }
}

void addRemarks(EstimateContext& context, WorkloadResult& result, const Workload& workload, const BatchJob& spec, const Job& job,
                std::span<const CpuPool> pools) {
    const std::vector<ElementRef> refs = poolRefs(context, pools);
    const double perDay = job.total() > 0 ? secondsPerDay / job.total() : 0;
    if (spec.jobsPerDay > perDay && perDay > 0)
        addUnstable(context, result, workload, refs, spec.jobsPerDay, perDay, Unit::jobsPerDay);
    if (!job.connected)
        addFinding(context, result, Severity::error, "job.not_connected", refs, 1, {});
    if (job.serial > job.cpuTime() && job.parallel > 0)
        addFinding(context, result, Severity::advice, "job.serial_bound", {workloadRef(workload)}, job.serial / std::max(job.total(), 1e-12),
                   {{"share", format(job.serial / std::max(job.total(), 1e-12), Unit::fraction)}});
    if (job.tasks < job.cores && job.parallel > 0) {
        Finding* finding = addFinding(context, result, Severity::advice, "job.too_few_tasks", {workloadRef(workload)}, 1 - job.tasks / job.cores,
                                      {{"tasks", format(job.tasks, Unit::count)}, {"cores", format(job.cores, Unit::count)}});
        Workload after = workload;
        std::get<BatchJob>(after.spec).tasks = static_cast<std::int64_t>(std::ceil(job.cores));
        offerWorkload(finding, workload, after, "job.more_tasks", "Split the job into more tasks");
    }
}

} // namespace

WorkloadResult estimateBatchJob(EstimateContext& context, const Workload& workload, std::span<const Placement* const> placements) {
    WorkloadResult result = resultFor(workload);
    const BatchJob& spec = std::get<BatchJob>(workload.spec);
    if (placements.empty())
        return result;
    result.estimate.placed = true;
    const std::vector<CpuPool> pools = cpuPools(context, placements);
    addCpuFindings(context, result, placements, pools);
    if (pools.empty())
        return result;
    const ServiceRules rules(context.catalog);
    const Job job = jobOf(context, spec, pools, rules, result);
    result.estimate.feasible = job.connected;
    addFigures(context, result, spec, job, rules, pools);
    addUse(context, result, workload, job, pools);
    addRemarks(context, result, workload, spec, job, pools);
    return result;
}

} // namespace cw
