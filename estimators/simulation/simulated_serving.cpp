// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/simulation/simulated_serving.h"

#include "estimators/simulation/run.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cw::simulation {

namespace {

constexpr std::int64_t mostServers = 256;
constexpr double mostBalanced = 64; ///< replicas that a balancer chooses among: more hardly change the result
constexpr int mostParts = 4096;
constexpr double leastKept = 1. / 256;
constexpr double failuresSeen = 10; ///< in a replication of the least length
constexpr double longRepair = 20;   ///< of a request's mean latency

std::int64_t atLeastOne(double count) { return count >= 1 ? static_cast<std::int64_t>(std::min(std::round(count), 1e9)) : 1; }

/// The share of the machines that stands for all: exact where the counts have a common divisor, else with a few too many, which then get
/// the requests that they would have had.
double shareOf(const std::vector<std::int64_t>& counts) {
    std::int64_t divisor = 0, sum = 0, least = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t count : counts) {
        divisor = std::gcd(divisor, count);
        sum += count;
        least = std::min(least, count);
    }
    if (divisor <= 0)
        return 1;
    return 1. / static_cast<double>(sum / divisor <= mostServers ? divisor : least);
}

/// The same where a balancer looks at its replicas: all of them, or that many of each kind that there are enough to choose among.
double balancedShare(const std::vector<std::int64_t>& counts) {
    double sum = 0;
    for (const std::int64_t count : counts)
        sum += static_cast<double>(count);
    return sum > 0 ? std::min(1., mostBalanced / sum) : 1;
}

bool looksAtReplicas(const RequestFlow& flow) { return flow.routing != Routing::random || flow.failuresEvery; }

int scaled(std::int64_t count, double share) { return static_cast<int>(std::clamp(std::ceil(static_cast<double>(count) * share - 1e-9), 1., 1e6)); }

/// Part of a system that a request passes as one: a workload, or a stage of a pipeline.
struct Part {
    std::vector<Next> entry;                                   ///< shares add up to 1
    std::vector<std::pair<std::uint32_t, std::uint32_t>> exits; ///< station and pool
};

/// What a part gets: requests of the system, and all that its machines carry.
struct PartLoad {
    double own = 0, all = 0; ///< requests/s, of the whole
};

class Builder {
public:
    explicit Builder(double share)
        : m_share(share) {}

    /// Who balances what is added next.
    void setFlow(const RequestFlow& flow) { m_flow = &flow; }
    Part add(const ServingSystem& serving, const PartLoad& load);
    Part add(const ServiceModel& service, const PartLoad& load);
    Part add(const BatchModel& batch, const PartLoad& load);
    SystemModel& system() { return m_system; }

private:
    std::uint32_t addStation(Pool pool, std::int64_t machines, double weight, const PartLoad& load);
    void addLane(const ServingSystem& serving, const ServingLane& lane, const PartLoad& load, Part& part);

    void balance(Pool& pool) const;

    SystemModel m_system;
    double m_share;
    const RequestFlow* m_flow = nullptr; ///< null: as usual
};

void Builder::balance(Pool& pool) const {
    if (!m_flow)
        return;
    pool.routing = m_flow->routing;
    if (m_flow->failuresEvery)
        pool.failures = Failures{si(*m_flow->failuresEvery), si(m_flow->repair)};
}

/// One pool of so many machines that get `weight` of the part's requests.
std::uint32_t Builder::addStation(Pool pool, std::int64_t machines, double weight, const PartLoad& load) {
    Station station;
    balance(pool);
    pool.replicas = scaled(machines, m_share);
    const double carried = pool.replicas * load.all * weight / static_cast<double>(machines);
    station.backgroundRate = std::max(0., carried - m_share * load.own * weight);
    if (station.backgroundRate < 1e-9 * carried)
        station.backgroundRate = 0;
    station.pools.push_back(std::move(pool));
    m_system.stations.push_back(std::move(station));
    return static_cast<std::uint32_t>(m_system.stations.size() - 1);
}

void Builder::addLane(const ServingSystem& serving, const ServingLane& lane, const PartLoad& load, Part& part) {
    const auto& pools = serving.pools();
    std::vector<std::uint32_t> second;
    for (const std::size_t index : lane.second) {
        const ServingPool& pool = pools[index];
        second.push_back(addStation({llmModel(pool.load)}, std::max<std::int64_t>(1, pool.replicas), lane.share * pool.weight,
                                    {load.own, load.own})); // others reach it through the prompts' machines
        part.exits.emplace_back(second.back(), 0);
    }
    for (std::size_t f = 0; f < lane.first.size(); ++f) {
        const ServingPool& pool = pools[lane.first[f]];
        const double weight = lane.share * pool.weight;
        const std::uint32_t station = addStation({llmModel(pool.load)}, std::max<std::int64_t>(1, pool.replicas), weight, load);
        const RequestShape& shape = pool.load.shape();
        m_system.stations[station].lengths = {Distribution::logNormal(shape.prompt, shape.promptCv), Distribution::logNormal(shape.output, shape.outputCv)};
        part.entry.push_back({station, weight});
        if (second.empty())
            part.exits.emplace_back(station, 0);
        for (std::size_t s = 0; s < second.size(); ++s) {
            const KvTransfer& way = lane.transfers[f * second.size() + s];
            QueueModel transfer;
            transfer.servers = static_cast<int>(std::clamp(std::round(way.total / way.bandwidth * m_share), 1., 1e6));
            transfer.perPromptToken = way.bytes / std::max(1., shape.prompt) / way.bandwidth;
            Station wire;
            wire.pools.push_back({transfer});
            wire.pools.front().next = {{second[s], 1}};
            m_system.stations.push_back(std::move(wire));
            const auto index = static_cast<std::uint32_t>(m_system.stations.size() - 1);
            m_system.stations[station].pools.front().next.push_back({index, pools[lane.second[s]].weight, way.latency});
        }
    }
}

Part Builder::add(const ServingSystem& serving, const PartLoad& load) {
    Part part;
    for (const ServingLane& lane : serving.lanes())
        if (lane.share > 0)
            addLane(serving, lane, load, part);
    return part;
}

Part Builder::add(const ServiceModel& service, const PartLoad& load) {
    const ServiceWork& work = service.work();
    const auto queue = [&](const CpuPool& pool) {
        QueueModel model;
        model.servers = static_cast<int>(std::clamp(std::floor(pool.cores / work.cores), 1., 1e6));
        model.service = Distribution::gamma(work.seconds / work.cores, work.cv);
        model.cheapShare = work.hitShare;
        model.cheapFactor = work.hitCost;
        return model;
    };
    // The caller's clock runs while a request is on the network, too.
    const auto patience = [&](Station& station) {
        if (!work.retries.any())
            return;
        station.timeout = std::max(1e-9, work.retries.timeout - work.fixed);
        station.retries = work.retries.again;
        station.retryDelay = std::min(work.fixed, work.retries.timeout);
    };
    Part part;
    if (work.fanOut <= 1) {
        for (const CpuPool& pool : service.pools())
            if (pool.weight > 0) {
                const std::uint32_t station = addStation({queue(pool)}, atLeastOne(pool.machines), pool.weight, load);
                patience(m_system.stations[station]);
                part.entry.push_back({station, pool.weight});
                part.exits.emplace_back(station, 0);
            }
        return part;
    }
    // Parts of one request spread over all machines, so that those cannot stand for each other.
    Station station;
    station.fanOut = std::min(work.fanOut, mostParts);
    for (const CpuPool& pool : service.pools()) {
        Pool machines{queue(pool)};
        balance(machines);
        machines.replicas = scaled(atLeastOne(pool.machines), m_share);
        machines.weight = pool.weight;
        station.pools.push_back(std::move(machines));
    }
    station.backgroundRate = std::max(0., m_share * (load.all - load.own));
    patience(station);
    m_system.stations.push_back(std::move(station));
    const auto index = static_cast<std::uint32_t>(m_system.stations.size() - 1);
    part.entry = {{index, 1}};
    for (std::uint32_t pool = 0; pool < service.pools().size(); ++pool)
        part.exits.emplace_back(index, pool);
    return part;
}

Part Builder::add(const BatchModel& batch, const PartLoad& load) {
    Part part;
    for (const BatchPool& pool : batch.pools()) {
        if (!(pool.weight > 0))
            continue;
        const BatchingModel model{pool.server.limit(), pool.server.delay(), pool.server.time()};
        const std::uint32_t station = addStation({model}, atLeastOne(pool.servers), pool.weight, load);
        part.entry.push_back({station, pool.weight});
        part.exits.emplace_back(station, 0);
    }
    return part;
}

void addCounts(std::vector<std::int64_t>& counts, const ServingSystem& serving) {
    for (const ServingPool& pool : serving.pools())
        counts.push_back(std::max<std::int64_t>(1, pool.replicas));
}
void addCounts(std::vector<std::int64_t>& counts, const ServiceModel& service) {
    for (const CpuPool& pool : service.pools())
        counts.push_back(atLeastOne(pool.machines));
    if (service.work().fanOut > 1 || service.work().retries.any())
        counts.push_back(1); // keeps all of them: parts and further attempts go to others
}
void addCounts(std::vector<std::int64_t>& counts, const BatchModel& batch) {
    for (const BatchPool& pool : batch.pools())
        counts.push_back(atLeastOne(pool.servers));
}

double meanLength(const std::vector<double>& lengths) {
    return lengths.empty() ? 0 : std::accumulate(lengths.begin(), lengths.end(), 0.) / static_cast<double>(lengths.size());
}

/// How requests come: at random, in bursts, or as recorded. Of a part of the machines only those that are theirs.
void setArrivals(SystemModel& system, double rate, double share, const RequestFlow& flow) {
    system.interarrivalCv = flow.arrivalCv >= 0 ? std::min(flow.arrivalCv, 100.) : 1;
    system.replay.record = flow.recorded;
    const bool random = !flow.recorded && system.interarrivalCv == 1;
    system.kept = random ? 1 : std::max(share, leastKept); // so few of all that they come at random anyway
    system.rate = rate * share / system.kept;
}

/// Recorded lengths with the means that the workload states.
void replayLengths(SystemModel& system, const RequestShape& shape) {
    if (!system.replay.record)
        return;
    const auto scale = [](double mean, const std::vector<double>& recorded) { return recorded.empty() ? 0 : mean / std::max(1., meanLength(recorded)); };
    system.replay.promptScale = scale(shape.prompt, system.replay.record->prompts);
    system.replay.outputScale = scale(shape.output, system.replay.record->outputs);
}

/// Months between failures are more requests than anybody simulates. Failures and repairs come closer together, in proportion, until a
/// replication sees some; repairs stay long against a request, so that the states between them remain what they are.
void bringFailuresCloser(SystemModel& system, double latency) {
    const double span = static_cast<double>(RunOptions().leastRequests) / std::max(1e-12, system.rate * system.kept);
    for (Station& station : system.stations)
        for (Pool& pool : station.pools) {
            if (!pool.failures)
                continue;
            Failures& failures = *pool.failures;
            const double wanted = span * pool.replicas / failuresSeen / (failures.meanBetween + failures.meanRepair);
            const double factor = std::min(1., std::max(wanted, longRepair * latency / std::max(1e-12, failures.meanRepair)));
            failures.meanBetween *= factor;
            failures.meanRepair *= factor;
        }
}

template <class Model> ScaledSystem single(const Model& model, double rate, double fixed, const RequestFlow& flow) {
    std::vector<std::int64_t> counts;
    addCounts(counts, model);
    const double share = looksAtReplicas(flow) ? balancedShare(counts) : shareOf(counts);
    Builder builder(share);
    builder.setFlow(flow);
    Part part = builder.add(model, {rate, rate});
    SystemModel& system = builder.system();
    system.entry = std::move(part.entry);
    system.fixed = fixed;
    setArrivals(system, rate, share, flow);
    bringFailuresCloser(system, model.moments(rate).mean);
    return {std::move(system), share, rate * std::max(0., model.moments(rate).mean - fixed), counts.size() == 1 ? counts.front() : 0};
}

/// A stage by what its model is.
std::optional<Part> addModel(Builder& builder, const LatencyModel& model, const PartLoad& load, double& fixed) {
    if (const auto* serving = dynamic_cast<const ServingSystem*>(&model)) {
        fixed = serving->frontLatency();
        return builder.add(*serving, load);
    }
    if (const auto* service = dynamic_cast<const ServiceModel*>(&model)) {
        fixed = service->work().fixed;
        return builder.add(*service, load);
    }
    if (const auto* batch = dynamic_cast<const BatchModel*>(&model)) {
        fixed = batch->fixed();
        return builder.add(*batch, load);
    }
    return {};
}

bool countModel(std::vector<std::int64_t>& counts, const LatencyModel* model) {
    if (const auto* serving = dynamic_cast<const ServingSystem*>(model))
        addCounts(counts, *serving);
    else if (const auto* service = dynamic_cast<const ServiceModel*>(model))
        addCounts(counts, *service);
    else if (const auto* batch = dynamic_cast<const BatchModel*>(model))
        addCounts(counts, *batch);
    else
        return false;
    return true;
}

} // namespace

LlmModel llmModel(const ReplicaLoad& load) {
    const Replica& replica = load.replica();
    const ServingStack& stack = replica.stack;
    const RequestShape& shape = load.shape();
    LlmModel model;
    model.role = load.role() == ServingRole::prefill  ? LlmModel::Role::prefill
               : load.role() == ServingRole::decode ? LlmModel::Role::decode
                                                    : LlmModel::Role::both;
    model.step = replica.step;
    if (load.role() != ServingRole::decode) {
        model.requestOverhead = stack.requestOverhead;
        model.outputLatency = stack.outputLatency;
    }
    model.tokensPerStep = shape.tokensPerStep;
    model.rowsPerStep = shape.rowsPerStep;
    if (shape.rowsPerStep > 1)
        model.draft = (shape.rowsPerStep - 1) * stack.draftCost * (replica.step.mixerMemory + replica.step.denseMemory + replica.step.headMemory);
    model.cachedShare = shape.cachedShare;
    model.kvTokens = replica.kvTokens;
    model.blockTokens = std::max(1., stack.blockTokens);
    model.stateTokens = replica.stateTokens;
    model.maxSequences = static_cast<int>(std::clamp(stack.maxSequences, 1., 1e6));
    model.chunkTokens = std::max(1., stack.chunkTokens);
    model.reservedOutput = stack.reservedOutput;
    model.prefillFirst = stack.prefillFirst;
    return model;
}

ScaledSystem systemOf(const ServingSystem& serving, double rate, double users, const RequestFlow& flow) {
    if (!(users > 0)) {
        ScaledSystem scaled = single(serving, rate, serving.frontLatency(), flow);
        if (serving.runs())
            replayLengths(scaled.system, serving.pools().front().load.shape());
        return scaled;
    }
    std::vector<std::int64_t> counts;
    addCounts(counts, serving);
    counts.push_back(atLeastOne(users)); // as many users a replica as in the whole
    const double share = shareOf(counts);
    const SystemPoint point = serving.closedLoop(users);
    Builder builder(share);
    builder.setFlow(flow);
    Part part = builder.add(serving, {point.rate, point.rate});
    SystemModel& system = builder.system();
    system.entry = std::move(part.entry);
    for (Station& station : system.stations)
        for (Pool& pool : station.pools)
            if (pool.routing == Routing::random)
                pool.routing = Routing::leastWork; // the closed form spreads users evenly
    system.users = static_cast<int>(atLeastOne(users * share));
    system.stagger = point.meanLatency();
    system.fixed = serving.frontLatency();
    return {std::move(system), share, users};
}

ScaledSystem systemOf(const ServiceModel& service, double rate, const RequestFlow& flow) { return single(service, rate, service.work().fixed, flow); }

ScaledSystem systemOf(const BatchModel& batch, double rate, const RequestFlow& flow) { return single(batch, rate, batch.fixed(), flow); }

SystemModel withOneDown(const ScaledSystem& scaled) {
    SystemModel system = scaled.system;
    const auto all = static_cast<double>(scaled.replicas);
    std::vector<Pool>& pools = system.stations.front().pools;
    if (pools.size() == 1 && pools.front().replicas == scaled.replicas) {
        --pools.front().replicas;
    } else if (system.kept < 1) {
        system.kept = std::min(1., system.kept * all / (all - 1)); // those that stand for all get the share of the broken one, too
    } else {
        system.rate *= all / (all - 1);
        system.stations.front().backgroundRate *= all / (all - 1);
    }
    for (Pool& pool : pools)
        pool.failures.reset();
    return system;
}

std::optional<ScaledSystem> systemOf(const PipelineModel& pipeline, double rate, const RequestFlow& flow) {
    const StageGraph& graph = pipeline.graph();
    std::vector<std::int64_t> counts;
    std::vector<std::unique_ptr<ServiceModel>> loaded(graph.size()); // streams at the load they carry
    bool looks = false;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const PipelineStation& station = pipeline.stations()[i];
        const auto* stream = dynamic_cast<const LoadedService*>(station.model.get());
        if (stream)
            loaded[i] = std::make_unique<ServiceModel>(stream->serviceAt(rate * station.visits + station.otherRate));
        if (!station.model || !countModel(counts, stream ? loaded[i].get() : station.model.get()))
            return {}; // nothing runs it, or it does not answer requests
        looks = looks || (station.workload && looksAtReplicas(station.workload->flow));
    }
    if (!graph.ends() || counts.empty())
        return {};
    const double share = looks ? balancedShare(counts) : shareOf(counts);
    Builder builder(share);
    std::vector<Part> parts;
    std::vector<double> leaving(graph.size(), 0), fixed(graph.size(), 0), entry(graph.size(), 0);
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const PipelineStation& station = pipeline.stations()[i];
        const double own = rate * station.visits;
        const RequestFlow usual;
        builder.setFlow(station.workload ? station.workload->flow : usual);
        parts.push_back(*addModel(builder, loaded[i] ? *loaded[i] : *station.model, {own, own + station.otherRate}, fixed[i]));
        entry[i] = station.visits;
    }
    for (const StageGraph::Edge& edge : graph.edges()) {
        leaving[edge.from] += edge.share;
        entry[edge.to] -= pipeline.stations()[edge.from].visits * edge.share;
    }
    SystemModel& system = builder.system();
    const auto addWays = [&](std::vector<Next>& to, const Part& part, double shareOfAll, double delay) {
        for (const Next& way : part.entry)
            to.push_back({way.station, way.share * shareOfAll, delay, true});
    };
    for (std::size_t e = 0; e < graph.edges().size(); ++e) {
        const StageGraph::Edge& edge = graph.edges()[e];
        const double whole = std::max(1., leaving[edge.from]); // calls side by side are taken in proportion, as the ways are
        for (const auto& [station, pool] : parts[edge.from].exits)
            addWays(system.stations[station].pools[pool].next, parts[edge.to], edge.share / whole, pipeline.hopSeconds(e) + fixed[edge.to]);
    }
    for (std::size_t i = 0; i < graph.size(); ++i)
        if (entry[i] > 1e-9)
            addWays(system.entry, parts[i], entry[i], fixed[i]);
    setArrivals(system, rate, share, flow);
    bringFailuresCloser(system, pipeline.moments(rate).mean);
    return ScaledSystem{std::move(system), share, rate * pipeline.moments(rate).mean};
}

} // namespace cw::simulation
