// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/serving/serving_use.h"

#include "estimators/services/workload_report.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

/// Shares of a replica's time by cause; the rest it idles.
StepParts busyParts(const ServingPool& pool, const ServingPoint& at) {
    StepParts parts;
    if (at.prefillShare > 0) {
        const StepParts prompt = pool.load.prefillParts(at.batch);
        const double total = prompt.total() + pool.replica().stack.requestOverhead;
        StepParts with = prompt;
        with.host += pool.replica().stack.requestOverhead;
        parts += with * (at.prefillShare / std::max(total, 1e-12));
    }
    if (at.batch > 0 && pool.load.role() != ServingRole::prefill) {
        const StepParts step = pool.load.decodeParts(at.batch);
        const double runs = (1 - at.prefillShare) * -std::expm1(-at.batch); // of the time some sequence is in flight
        parts += step * (runs / std::max(step.total(), 1e-12));
    }
    return parts;
}

std::vector<ElementRef> nodesOf(const EstimateContext& context, const ServingPool& pool) {
    std::vector<ElementRef> refs;
    for (const std::uint32_t node : pool.nodes)
        refs.push_back(nodeRef(context, node));
    return refs;
}

std::string labelOf(const EstimateContext& context, const ServingPool& pool) {
    std::string label;
    for (const std::uint32_t node : pool.nodes)
        label += (label.empty() ? "" : ", ") + nodeName(context, node);
    return label;
}

struct ReliefRow {
    double Relief::* member;
    const char* gpu;
    const char* cpu; ///< null: does not exist on CPUs
};
constexpr ReliefRow reliefs[] = {{&Relief::gpuMemoryBandwidth, "gpu.memory_bandwidth", nullptr},
                                 {&Relief::gpuCompute, "gpu.compute", nullptr},
                                 {&Relief::gpuMemory, "gpu.memory_capacity", nullptr},
                                 {&Relief::scaleUp, "gpu.scale_up", nullptr},
                                 {&Relief::host, "host.launch", "host.launch"},
                                 {&Relief::network, "network.link", "network.link"},
                                 {&Relief::cpu, nullptr, "cpu.memory_bandwidth"}};

/// Adds to the resource of this code and place, or starts it.
void use(ServingView& view, const ServingPool& pool, const char* code, double utilisation) {
    if (!(utilisation > 1e-4))
        return;
    view.result.estimate.resources.push_back({code, labelOf(view.context, pool), nodesOf(view.context, pool), utilisation});
}

void addPoolUse(ServingView& view, std::size_t index) {
    const ServingPool& pool = view.system.pools()[index];
    const ServingPoint& at = view.point.pools[index];
    const StepParts parts = busyParts(pool, at);
    const bool cpu = pool.replica().onCpu;
    use(view, pool, cpu ? "cpu.compute" : "gpu.compute", parts.compute);
    use(view, pool, cpu ? "cpu.memory_bandwidth" : "gpu.memory_bandwidth", parts.memory);
    use(view, pool, cpu ? "cpu.memory_capacity" : "gpu.memory_capacity", at.kvUse);
    use(view, pool, "gpu.scale_up", parts.scaleUp);
    use(view, pool, "host.launch", parts.host);
    use(view, pool, "network.link", parts.network);
}

void addTransferUse(ServingView& view) {
    const double served = view.stable ? view.rate : view.stableRate;
    for (const ServingLane& lane : view.system.lanes()) {
        for (const KvTransfer& way : lane.transfers) {
            const ServingPool &from = view.system.pools()[way.from], &to = view.system.pools()[way.to];
            const double load = served * lane.share * from.weight * to.weight * way.bytes / way.total;
            if (!way.network || !(load > 1e-4))
                continue;
            std::vector<ElementRef> ends = nodesOf(view.context, from);
            const std::vector<ElementRef> others = nodesOf(view.context, to);
            ends.insert(ends.end(), others.begin(), others.end());
            view.result.estimate.resources.push_back({"network.link", labelOf(view.context, from) + " → " + labelOf(view.context, to), ends, load});
        }
    }
}

double worthOf(const ServingSystem& system, const ServingView& view) {
    if (view.closedLoop && !system.request().targets.any())
        return system.closedLoop(*view.spec.concurrency).rate;
    const double within = system.rateWithinTargets();
    return within > 0 ? within : system.stableRate();
}

/// The bottleneck is what is worth most when doubled: found by evaluating the same layouts again with each resource relieved.
void addBottleneck(ServingView& view) {
    const double base = worthOf(view.system, view);
    if (!(base > 0))
        return;
    const bool cpu = view.decodePool().replica().onCpu;
    struct Gain {
        const char* code;
        double gain;
    };
    std::vector<Gain> gains;
    for (const ReliefRow& row : reliefs) {
        const char* code = cpu ? row.cpu : row.gpu;
        const auto& resources = view.result.estimate.resources;
        const bool used = code && std::any_of(resources.begin(), resources.end(), [&](const ResourceUse& r) { return r.resource == code; });
        if (!used)
            continue;
        Relief relief = view.context.relief;
        relief.*row.member *= 2;
        gains.push_back({code, worthOf(view.system.relieved(relief), view) / base - 1});
    }
    std::stable_sort(gains.begin(), gains.end(), [](const Gain& a, const Gain& b) { return a.gain > b.gain; });
    const auto fullest = [&](const char* code) {
        const auto& resources = view.result.estimate.resources;
        return *std::find_if(resources.begin(), resources.end(), [&](const ResourceUse& r) { return r.resource == code; });
    };
    if (gains.empty())
        return;
    Bottleneck bottleneck;
    bottleneck.binding = fullest(gains.front().code);
    bottleneck.gainIfRelieved = std::max(0., gains.front().gain);
    if (gains.size() > 1)
        bottleneck.next = fullest(gains[1].code);
    view.result.estimate.bottleneck = std::move(bottleneck);
}

} // namespace

void addServingTime(ServingView& view) {
    auto& parts = view.result.estimate.timeParts;
    const auto add = [&](TimePart part, double seconds) { parts[static_cast<std::size_t>(part)] += seconds; };
    const auto addParts = [&](const StepParts& p, double factor) {
        add(TimePart::compute, p.compute * factor);
        add(TimePart::memory, p.memory * factor);
        add(TimePart::host, p.host * factor);
        add(TimePart::scaleUp, p.scaleUp * factor);
        add(TimePart::network, p.network * factor);
    };
    const ServingPoint& first = view.point.pools[view.main];
    addParts(view.pool().load.prefillParts(first.batch), 1);
    const ServingPoint& decode = view.point.pools[view.mainDecode];
    const double steps = view.decodePool().load.shape().steps();
    const StepParts step = view.decodePool().load.decodeParts(std::max(decode.batch, 1.));
    addParts(step, steps * decode.step / std::max(step.total(), 1e-12));
    const Replica& replica = view.pool().replica();
    add(TimePart::host, replica.stack.outputLatency + replica.stack.requestOverhead);
    add(TimePart::network, view.system.frontLatency());
    // What is left of the mean: waiting for a turn, and steps lengthened by other prompts.
    double sum = 0;
    for (const double part : parts)
        sum += part;
    add(TimePart::queueing, std::max(0., view.point.meanLatency() - sum));
}

void addServingResources(ServingView& view) {
    for (std::size_t i = 0; i < view.system.pools().size(); ++i)
        addPoolUse(view, i);
    addTransferUse(view);
    auto& resources = view.result.estimate.resources;
    std::stable_sort(resources.begin(), resources.end(),
                     [](const ResourceUse& a, const ResourceUse& b) { return a.utilisation > b.utilisation; });
    if (view.context.options.bottleneckGain)
        addBottleneck(view);
    orderResources(view.result.estimate);
}

void addServingActivity(ServingView& view) {
    for (std::size_t i = 0; i < view.system.pools().size(); ++i) {
        const ServingPool& pool = view.system.pools()[i];
        const StepParts parts = busyParts(pool, view.point.pools[i]);
        for (const std::uint32_t node : pool.nodes) {
            Activity activity;
            activity.node = node;
            activity.share = pool.share();
            const double busy = std::min(1., parts.total());
            if (pool.replica().onCpu) {
                activity.cpu = busy;
            } else {
                activity.compute = parts.compute;
                activity.memory = parts.memory;
                activity.waiting = std::max(0., busy - parts.compute - parts.memory);
                // One process a GPU keeps a core busy, as launches and sampling do.
                activity.cpu = pool.machine().cores > 0 ? std::min(1., busy * pool.machine().gpus / pool.machine().cores) : 0;
            }
            view.result.activity.push_back(activity);
        }
    }
}

namespace {

constexpr double bytesPerPromptToken = 4;  ///< of text
constexpr double bytesPerStreamedToken = 200; ///< an event with its envelope
constexpr double bytesPerRequest = 600;    ///< headers

void addTensorTraffic(ServingView& view, std::size_t index) {
    const ServingPool& pool = view.system.pools()[index];
    const Replica& replica = pool.replica();
    if (!replica.tensorOverNetwork || !pool.site.group)
        return;
    const ServingPoint& at = view.point.pools[index];
    const RequestShape& shape = pool.load.shape();
    const int domain = std::max(pool.machine().scaleUpDomain, pool.machine().gpus);
    const RankGroup ranks = rankGroup(*pool.site.group, domain, replica.layout.tensor, 1);
    // Bytes a replica reduces in a second: every prompt token and every decoded row, twice a layer.
    const double rows = at.rate * (pool.load.role() == ServingRole::decode ? 0 : shape.fresh())
                      + (pool.load.role() == ServingRole::prefill ? 0 : at.rate * shape.steps() * shape.rowsPerStep);
    const double reduced = replica.step.allReduces * replica.step.rowBytes * rows / std::max(1, replica.layout.attentionData);
    Traffic traffic;
    traffic.workload = view.workload.id;
    traffic.kind = "tensor";
    traffic.group = pool.site.group;
    addTierBytes(traffic.bytesPerDevice, networkBytes(Collective::allReduce, reduced, ranks) * pool.share(), ranks, Neighbours::ring);
    view.result.traffic.push_back(std::move(traffic));
}

} // namespace

void addServingTraffic(ServingView& view) {
    const double served = view.stable ? view.rate : view.stableRate;
    const auto& pools = view.system.pools();
    for (const ServingLane& lane : view.system.lanes()) {
        for (const std::size_t i : lane.first) {
            const ServingPool& pool = pools[i];
            const FrontEnd front = frontEnd(view.context, pool.nodes.front());
            const RequestShape& shape = pool.load.shape();
            const double rate = served * lane.share * pool.weight;
            addRequestTraffic(view.result, view.workload, front, pool.nodes.front(), rate * (shape.prompt * bytesPerPromptToken + bytesPerRequest),
                              lane.second.empty() ? rate * shape.output * bytesPerStreamedToken : 0);
        }
        for (const KvTransfer& way : lane.transfers) {
            if (!way.network)
                continue;
            Traffic traffic;
            traffic.workload = view.workload.id;
            traffic.kind = "kv";
            traffic.from = static_cast<int>(pools[way.from].nodes.front());
            traffic.to = static_cast<int>(pools[way.to].nodes.front());
            traffic.bytes = served * lane.share * pools[way.from].weight * pools[way.to].weight * way.bytes;
            view.result.traffic.push_back(std::move(traffic));
        }
        for (const std::size_t i : lane.second) {
            const ServingPool& pool = pools[i];
            addRequestTraffic(view.result, view.workload, frontEnd(view.context, pool.nodes.front()), pool.nodes.front(), 0,
                              served * lane.share * pool.weight * pool.load.shape().output * bytesPerStreamedToken);
        }
    }
    for (std::size_t i = 0; i < pools.size(); ++i)
        addTensorTraffic(view, i);
    std::deque<GroupFabric>& fabrics = view.system.fabrics();
    view.result.groups = std::move(fabrics); // elements keep their addresses
}

void addServingPlan(ServingView& view) {
    const ServingPool& pool = view.decodePool();
    if (pool.replica().onCpu)
        return;
    ChosenPlan plan;
    const ReplicaLayout& layout = pool.replica().layout;
    plan.parallelism.tensor = layout.tensor;
    plan.parallelism.pipeline = layout.pipeline;
    plan.parallelism.data = layout.attentionData;
    plan.parallelism.context = 1;
    plan.parallelism.expert = pool.model.experts > 0 ? layout.tensor * layout.attentionData : 1;
    plan.replicas = static_cast<int>(std::min<std::int64_t>(pool.replicas, 1'000'000'000));
    plan.chosenByEstimator = pool.chosen;
    plan.rejected = pool.rejected;
    view.result.estimate.plan = std::move(plan);
}

} // namespace cw
