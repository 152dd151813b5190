// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/serving/serving_pool.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr int widestTensor = 64, deepestPipeline = 16;

int islandOf(const Machine& machine) { return std::max({1, machine.gpus, machine.scaleUpDomain}); }

/// Stacks of equal machines within a placement.
struct StackGroup {
    const Machine* machine = nullptr;
    std::vector<std::uint32_t> nodes;
    std::int64_t machines = 0;
};

bool alike(const Machine& a, const Machine& b)
{
    return a.gpu == b.gpu && a.gpus == b.gpus && a.cpu == b.cpu && a.scaleUpDomain == b.scaleUpDomain && a.gpuPowerCap == b.gpuPowerCap
        && (a.gpu || (a.sockets == b.sockets && a.memoryBandwidth == b.memoryBandwidth && a.ramBytes == b.ramBytes));
}

std::vector<StackGroup> stackGroups(const ResolvedDesign& design, const Placement& placement, std::vector<ServingIssue>& issues)
{
    std::vector<StackGroup> groups;
    for (const NodeId& id : placement.nodes) {
        const int index = design.indexOf(id);
        const Machine* machine = index < 0 ? nullptr : &design.machines[static_cast<std::size_t>(index)];
        const bool runs = machine && ((machine->gpu && machine->gpus > 0) || (machine->cpu && machine->memoryBandwidth > 0));
        if (!runs) {
            issues.push_back({"serving.machine_unsuitable", &placement, index});
            continue;
        }
        if (machine->count <= 0)
            continue;
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const StackGroup& g) { return alike(*g.machine, *machine); });
        StackGroup& group = same == groups.end() ? groups.emplace_back() : *same;
        group.machine = group.machine ? group.machine : machine;
        group.nodes.push_back(static_cast<std::uint32_t>(index));
        group.machines += machine->count;
    }
    return groups;
}

ServingRole roleOf(const Placement& placement)
{
    return placement.stage == "prefill" ? ServingRole::prefill : placement.stage == "decode" ? ServingRole::decode : ServingRole::both;
}

struct Candidate {
    ReplicaLayout layout;
    Replica replica;
    std::int64_t replicas = 0;
};

/// Layouts to try, smallest first. What the placement fixes is not varied.
std::vector<ReplicaLayout> layouts(const ServedModel& model, const Machine& machine, std::int64_t devices, const Parallelism& wanted)
{
    const int island = static_cast<int>(std::min<std::int64_t>(std::min(islandOf(machine), widestTensor), devices));
    std::vector<ReplicaLayout> list;
    const auto add = [&](ReplicaLayout layout) {
        layout.tensor = wanted.tensor > 0 ? wanted.tensor : layout.tensor;
        layout.pipeline = wanted.pipeline > 0 ? wanted.pipeline : layout.pipeline;
        layout.attentionData = wanted.data > 0 && model.experts > 0 ? wanted.data : layout.attentionData;
        if (std::find(list.begin(), list.end(), layout) == list.end() && legal(model, layout))
            list.push_back(layout);
    };
    int widest = 1;
    for (int tp = 1; tp <= island; tp *= 2) {
        add({tp, 1, 1});
        widest = tp;
    }
    if (model.experts > 0 && wanted.tensor == 0)
        for (int dp = 2; dp <= island; dp *= 2)
            add({1, 1, dp});
    for (int pp = 2; pp <= deepestPipeline && static_cast<std::int64_t>(pp) * widest <= devices; pp *= 2)
        add({widest, pp, 1});
    return list;
}

/// The fabric that ranks outside of one island talk over; found once per group of stacks.
const GroupFabric* fabricFor(EstimateContext& context, const StackGroup& group, std::deque<GroupFabric>& groups)
{
    for (const GroupFabric& known : groups)
        if (known.nodes == group.nodes)
            return &known;
    groups.push_back(context.fabric.group(group.nodes, "compute"));
    return &groups.back();
}

bool needsFabric(const Machine& machine, const ReplicaLayout& layout) { return layout.devices() > islandOf(machine); }

struct Chooser {
    const ServingRequest& request;
    const RequestShape& shape;
    ServingRole role;

    /// Requests per second of all replicas together.
    double worth(const Candidate& candidate, double bound) const
    {
        const ReplicaLoad load(candidate.replica, shape, role);
        const double replicas = static_cast<double>(candidate.replicas);
        if (request.spec->concurrency && !request.targets.any())
            return replicas * load.closedLoop(std::max(1., *request.spec->concurrency / replicas)).rate;
        const double most = replicas * load.largestRate();
        if (!request.targets.any() || most <= bound)
            return most;
        return replicas * load.rateAt(load.largestBatchWithin(request.targets));
    }

    double idleLatency(const Candidate& candidate) const
    {
        return ReplicaLoad(candidate.replica, shape, role).atBatch(0).latency.mean();
    }

    /// Index of the best of those that fit; where none meets the targets even idle, the fastest when idle.
    std::size_t best(const std::vector<Candidate>& fitting) const
    {
        std::size_t index = 0;
        double most = 0;
        for (std::size_t i = 0; i < fitting.size(); ++i) {
            const double worthOf = worth(fitting[i], most);
            if (worthOf > most * 1.01) { // a wider layout has to earn its collectives
                most = worthOf;
                index = i;
            }
        }
        if (most > 0)
            return index;
        for (std::size_t i = 1; i < fitting.size(); ++i)
            if (idleLatency(fitting[i]) < idleLatency(fitting[index]))
                index = i;
        return index;
    }
};

double stepAt(const Candidate& candidate, const RequestShape& shape, ServingRole role)
{
    const ReplicaLoad load(candidate.replica, shape, role);
    return load.atBatch(.5 * load.largestBatch()).tpot;
}

Parallelism parallelismOf(const ReplicaLayout& layout)
{
    Parallelism parallelism;
    parallelism.tensor = layout.tensor;
    parallelism.pipeline = layout.pipeline;
    parallelism.data = layout.attentionData;
    parallelism.context = 1;
    parallelism.expert = layout.tensor * layout.attentionData;
    return parallelism;
}

/// The 70 % rule of measured deployments: the rest of the memory is what batches live on.
bool leavesRoom(const ReplicaMemory& memory) { return memory.weights <= .7 * memory.capacity; }

struct PoolBuilder {
    EstimateContext& context;
    const ServingRequest& request;
    const ServedModel& model;
    const Placement& placement;
    std::deque<GroupFabric>& fabrics;
    std::vector<ServingIssue>& issues;

    ReplicaSite site(const Machine& machine) const
    {
        ReplicaSite site;
        site.machine = &machine;
        site.catalog = &context.catalog;
        site.relief = context.relief;
        const bool onCpu = !machine.gpu || machine.gpus <= 0;
        site.stack = servingStack(context.catalog, placement.stack, onCpu);
        if (onCpu)
            site.cpu = servingCpu(context.catalog, *machine.cpu, site.stack);
        else
            site.device = servingDevice(context.catalog, *machine.gpu, site.stack);
        return site;
    }

    std::int64_t wantedReplicas(std::int64_t most, int node) const
    {
        if (placement.replicas <= 0)
            return most;
        if (placement.replicas > most)
            issues.push_back({"serving.replicas_exceed", &placement, node, static_cast<double>(placement.replicas), static_cast<double>(most)});
        return std::min<std::int64_t>(placement.replicas, most);
    }

    bool onCpu(const StackGroup& group, std::vector<ServingPool>& pools) const
    {
        const ReplicaSite where = site(*group.machine);
        const RequestShape shape = requestShape(*request.spec, where.stack);
        const Replica replica = cpuReplica(where, model, shape.context());
        const int node = static_cast<int>(group.nodes.front());
        if (!(replica.memory.weights < replica.memory.usable)) {
            issues.push_back({"serving.memory", &placement, node, replica.memory.weights, replica.memory.usable});
            return false;
        }
        ServingPool pool(placement, group.nodes, where, model, ReplicaLoad(replica, shape, roleOf(placement)));
        pool.devices = group.machines;
        pool.mostReplicas = group.machines;
        pool.replicas = wantedReplicas(group.machines, node);
        pools.push_back(std::move(pool));
        return true;
    }

    bool onGpus(const StackGroup& group, std::vector<ServingPool>& pools) const
    {
        const Machine& machine = *group.machine;
        const std::int64_t devices = group.machines * machine.gpus;
        const int node = static_cast<int>(group.nodes.front());
        ReplicaSite where = site(machine);
        const RequestShape shape = requestShape(*request.spec, where.stack);
        const std::vector<ReplicaLayout> tried = layouts(model, machine, devices, placement.parallelism);
        if (tried.empty()) {
            issues.push_back({"serving.layout", &placement, node, static_cast<double>(placement.parallelism.tensor), model.heads});
            return false;
        }
        std::vector<Candidate> fitting;
        std::vector<ChosenPlan::Rejected> rejected;
        for (const ReplicaLayout& layout : tried) {
            if (layout.pipeline > 1 && placement.parallelism.pipeline == 0 && !fitting.empty())
                break; // a pipeline only where nothing narrower fits
            const std::int64_t count = replicasOf(machine, devices, layout);
            where.group = needsFabric(machine, layout) ? fabricFor(context, group, fabrics) : nullptr;
            Candidate candidate{layout, gpuReplica(where, model, layout, shape.context()), count};
            if (candidate.replica.memory.fits() && count > 0)
                fitting.push_back(std::move(candidate));
            else
                rejected.push_back({parallelismOf(layout), count > 0 ? "memory" : "divisibility", candidate.replica.memory.weights});
        }
        if (fitting.empty()) {
            reportMisfit(machine, where, shape, devices, node);
            return false;
        }
        keepRoomy(fitting, rejected);
        const std::size_t best = fitting.size() == 1 ? 0 : Chooser{request, shape, roleOf(placement)}.best(fitting);
        where.group = needsFabric(machine, fitting[best].layout) ? fabricFor(context, group, fabrics) : nullptr;
        if (where.group && !where.group->connected)
            issues.push_back({"serving.not_connected", &placement, node});
        ServingPool pool(placement, group.nodes, where, model, ReplicaLoad(fitting[best].replica, shape, roleOf(placement)));
        for (std::size_t i = 0; i < fitting.size(); ++i)
            if (i != best)
                rejected.push_back({parallelismOf(fitting[i].layout), "slower", stepAt(fitting[i], shape, roleOf(placement))});
        pool.chosen = placement.parallelism.tensor == 0;
        pool.rejected = std::move(rejected);
        pool.devices = devices;
        pool.mostReplicas = fitting[best].replicas;
        pool.replicas = wantedReplicas(fitting[best].replicas, node);
        pools.push_back(std::move(pool));
        return true;
    }

    static void keepRoomy(std::vector<Candidate>& fitting, std::vector<ChosenPlan::Rejected>& rejected)
    {
        const auto roomy = [](const Candidate& c) { return leavesRoom(c.replica.memory); };
        if (!std::any_of(fitting.begin(), fitting.end(), roomy))
            return;
        for (auto it = fitting.begin(); it != fitting.end();) {
            if (roomy(*it)) {
                ++it;
                continue;
            }
            rejected.push_back({parallelismOf(it->layout), "memory", it->replica.memory.weights});
            it = fitting.erase(it);
        }
    }

    /// Says that a replica takes more GPUs than there are, or what is needed per device and which tensor size would fit.
    void reportMisfit(const Machine& machine, const ReplicaSite& where, const RequestShape& shape, std::int64_t devices, int node) const
    {
        const int tensor = std::max(1, placement.parallelism.tensor);
        const int pipeline = std::max(1, placement.parallelism.pipeline);
        const ReplicaLayout asked{tensor, pipeline, model.experts > 0 ? std::max(1, placement.parallelism.data) : 1};
        ReplicaSite plain = where;
        plain.group = nullptr;
        const Replica replica = gpuReplica(plain, model, asked, shape.context());
        ServingIssue issue{"serving.memory", &placement, node, replica.memory.weights + replica.memory.reserved, replica.memory.usable};
        if (asked.devices() > devices)
            issue = {"serving.too_few_gpus", &placement, node, static_cast<double>(asked.devices()), static_cast<double>(devices)};
        bool roomy = false;
        for (int tp = 1; tp <= std::min(widestTensor, islandOf(machine)) && !roomy; tp *= 2) {
            const ReplicaLayout wider{tp, pipeline, 1};
            if (!legal(model, wider) || static_cast<std::int64_t>(wider.devices()) > devices)
                continue;
            const ReplicaMemory memory = gpuReplica(plain, model, wider, shape.context()).memory;
            if (memory.fits())
                issue.suggestedTensor = tp;
            roomy = leavesRoom(memory);
        }
        issues.push_back(issue);
    }
};

} // namespace

double ServingPool::share() const
{
    const double perReplica = replica().onCpu ? 1 : replica().layout.devices();
    return devices > 0 ? std::min(1., static_cast<double>(replicas) * perReplica / static_cast<double>(devices)) : 0;
}

double ServingPool::rateWithin(const ServingTargets& targets, double extra) const
{
    return up * static_cast<double>(replicas) * load.rateAt(load.largestBatchWithin(targets, extra));
}

ServingPool ServingPool::relieved(const Relief& relief) const
{
    ServingPool other = *this;
    other.site.relief = relief;
    const RequestShape& shape = load.shape();
    const Replica better = replica().onCpu ? cpuReplica(other.site, model, shape.context())
                                           : gpuReplica(other.site, model, replica().layout, shape.context());
    other.load = ReplicaLoad(better, shape, load.role());
    return other;
}

std::int64_t replicasOf(const Machine& machine, std::int64_t devices, const ReplicaLayout& layout)
{
    const std::int64_t group = static_cast<std::int64_t>(layout.tensor) * layout.attentionData, island = islandOf(machine);
    const std::int64_t groups = group > island ? devices / group : devices / island * (island / group) + devices % island / group;
    return groups / layout.pipeline;
}

std::vector<ServingPool> servingPools(EstimateContext& context, const ServingRequest& request, const NeuralModel& neural,
                                      const Placement& placement, std::deque<GroupFabric>& fabrics, std::vector<ServingIssue>& issues)
{
    std::vector<ServingPool> pools;
    const Precision weights = placement.precision.value_or(request.spec->weights);
    const std::optional<ServedModel> model = servedModel(neural, weights, request.spec->kv);
    if (!model) {
        issues.push_back({"serving.model_kind", &placement});
        return pools;
    }
    const PoolBuilder build{context, request, *model, placement, fabrics, issues};
    for (const StackGroup& group : stackGroups(context.design, placement, issues)) {
        const bool onGpus = group.machine->gpu && group.machine->gpus > 0;
        onGpus ? build.onGpus(group, pools) : build.onCpu(group, pools);
    }
    return pools;
}

} // namespace cw
