// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/serving/serving_system.h"

#include "estimators/services/workload_report.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cw {

namespace {

constexpr double fullestWay = .95; ///< of a link, for transfers that have to arrive in time

template <class Tail> double mixtureQuantile(const std::vector<ServingPath>& paths, double p, double highest, Tail&& tailOf)
{
    const auto tail = [&](double t) {
        double sum = 0;
        for (const ServingPath& path : paths)
            sum += path.weight * tailOf(path, t);
        return sum;
    };
    return quantileOf(tail, p, 0, highest);
}

double sojournQuantile(const std::vector<ServingPath>& paths, double p, Sojourn ServingPath::*part)
{
    if (paths.size() == 1)
        return (paths.front().*part).quantile(p);
    double highest = 0;
    for (const ServingPath& path : paths)
        highest = std::max(highest, (path.*part).quantile(p));
    return mixtureQuantile(paths, p, highest, [&](const ServingPath& path, double t) { return (path.*part).tail(t); });
}

template <class Value> double weighted(const std::vector<ServingPath>& paths, Value&& value)
{
    double sum = 0, weight = 0;
    for (const ServingPath& path : paths) {
        sum += path.weight * value(path);
        weight += path.weight;
    }
    return weight > 0 ? sum / weight : 0;
}

/// A prompt computed here, its answer there: independent parts, the transfer in between.
ServingPath joined(const ServingPoint& first, const ServingPoint& second, double transfer)
{
    ServingPath path;
    path.ttft = first.ttft;
    path.latency = second.latency;
    path.latency.fixed += first.ttft.fixed + transfer;
    path.latency.service = GammaDistribution::ofMoments(first.ttft.service.mean + second.latency.service.mean,
                                                        first.ttft.service.variance() + second.latency.service.variance());
    path.latency.wait = both(first.ttft.wait, second.latency.wait);
    path.tpot = second.tpot;
    path.tpotSpread = second.tpotSpread;
    return path;
}

KvTransfer wayBetween(EstimateContext& context, const std::vector<ServingPool>& pools, std::size_t from, std::size_t to)
{
    const ServingPool &source = pools[from], &sink = pools[to];
    KvTransfer way;
    way.from = from;
    way.to = to;
    const double prompt = source.load.shape().prompt;
    way.bytes = prompt * source.model.kvBytesPerToken(prompt) + source.model.stateBytes();
    const std::uint32_t a = source.nodes.front(), b = sink.nodes.front();
    if (a == b) { // the same machines do both
        const Gpu* gpu = source.machine().gpu;
        const double rate = gpu ? si(gpu->scaleUpBandwidth.value_or(gpu->pcieBandwidth)) * context.relief.scaleUp : source.machine().memoryBandwidth;
        way.bandwidth = rate * std::max(1, source.replica().layout.devices());
        way.total = rate * static_cast<double>(std::max<std::int64_t>(1, source.devices));
        way.found = true;
        return way;
    }
    const std::optional<Route> route = context.fabric.route(a, b, "compute");
    if (!route || !(route->bandwidth > 0))
        return way;
    way.found = way.network = true;
    way.latency = route->latency;
    way.total = route->bandwidth * context.relief.network;
    // A replica sends through the ports of its own devices.
    const double devices = static_cast<double>(std::max<std::int64_t>(1, source.devices));
    way.bandwidth = way.total * std::min(1., source.replica().layout.devices() / devices);
    return way;
}

} // namespace

double KvTransfer::seconds(double rate) const
{
    if (!found)
        return std::numeric_limits<double>::infinity();
    const double busy = std::min(.99, rate * bytes / total);
    const double alone = bytes / bandwidth;
    return latency + alone * (1 + busy / (2 * (1 - busy)));
}

double SystemPoint::ttft(double p) const { return sojournQuantile(paths, p, &ServingPath::ttft); }
double SystemPoint::latency(double p) const { return sojournQuantile(paths, p, &ServingPath::latency); }

double SystemPoint::tpot(double p) const
{
    const auto one = [](const ServingPath& path) {
        ServingPoint point;
        point.tpot = path.tpot;
        point.tpotSpread = path.tpotSpread;
        return point;
    };
    if (paths.size() == 1)
        return one(paths.front()).tpotQuantile(p);
    double highest = 0;
    for (const ServingPath& path : paths)
        highest = std::max(highest, one(path).tpotQuantile(p));
    return mixtureQuantile(paths, p, highest, [&](const ServingPath& path, double t) { return one(path).tpotTail(t); });
}

double SystemPoint::meanTtft() const { return weighted(paths, [](const ServingPath& p) { return p.ttft.mean(); }); }
double SystemPoint::meanTpot() const { return weighted(paths, [](const ServingPath& p) { return p.tpot; }); }
double SystemPoint::meanLatency() const { return weighted(paths, [](const ServingPath& p) { return p.latency.mean(); }); }

ServingSystem::ServingSystem(EstimateContext& context, const LlmServing& spec, const NeuralModel& model,
                             std::span<const Placement* const> placements, const RequestFlow& flow)
{
    m_request = {&spec, servingTargets(spec)};
    m_output = requestShape(spec, {}).output;
    for (const Placement* placement : placements) {
        std::vector<ServingPool> own = servingPools(context, m_request, model, *placement, m_fabrics, m_issues);
        std::move(own.begin(), own.end(), std::back_inserter(m_pools));
    }
    Balancing balancing = balancingOf(flow);
    for (ServingPool& pool : m_pools) {
        pool.up = balancing.up;
        balancing.queues = pool.working();
        pool.load.setBalancing(balancing);
    }
    makeLanes(context);
    if (!m_lanes.empty())
        m_front = frontEnd(context, m_pools[m_lanes.front().first.front()].nodes.front()).roundTrip;
    weigh();
}

void ServingSystem::makeLanes(EstimateContext& context)
{
    ServingLane apart; // all prefill pools with all decode pools
    double apartShare = 0;
    const Placement* previous = nullptr;
    for (std::size_t i = 0; i < m_pools.size(); ++i) {
        const ServingPool& pool = m_pools[i];
        const double share = pool.placement->share > 0 && std::isfinite(pool.placement->share) ? pool.placement->share : 0;
        if (pool.load.role() == ServingRole::both) {
            if (pool.placement != previous)
                m_lanes.push_back({{}, {}, {}, share});
            m_lanes.back().first.push_back(i);
        } else if (pool.load.role() == ServingRole::prefill) {
            apart.first.push_back(i);
            apartShare += pool.placement != previous ? share : 0;
        } else {
            apart.second.push_back(i);
        }
        previous = pool.placement;
    }
    if (!apart.first.empty() && !apart.second.empty()) {
        apart.share = apartShare;
        for (const std::size_t from : apart.first)
            for (const std::size_t to : apart.second)
                apart.transfers.push_back(wayBetween(context, m_pools, from, to));
        if (std::any_of(apart.transfers.begin(), apart.transfers.end(), [](const KvTransfer& way) { return !way.found; }))
            m_issues.push_back({"serving.kv_no_path", m_pools[apart.first.front()].placement, static_cast<int>(m_pools[apart.first.front()].nodes.front())});
        else
            m_lanes.push_back(std::move(apart));
    } else if (!apart.first.empty() || !apart.second.empty()) {
        const ServingPool& alone = m_pools[apart.first.empty() ? apart.second.front() : apart.first.front()];
        m_issues.push_back({apart.first.empty() ? "serving.no_prefill" : "serving.no_decode", alone.placement, static_cast<int>(alone.nodes.front())});
    }
    double total = 0;
    for (const ServingLane& lane : m_lanes)
        total += lane.share;
    for (ServingLane& lane : m_lanes)
        lane.share = total > 0 ? lane.share / total : 1. / static_cast<double>(m_lanes.size());
}

/// Pools of a lane get requests by what they can take within the targets.
void ServingSystem::weigh()
{
    const auto distribute = [&](const std::vector<std::size_t>& members) {
        double sum = 0;
        for (const std::size_t i : members) {
            ServingPool& pool = m_pools[i];
            pool.weight = members.size() > 1 ? pool.rateWithin(m_request.targets, m_front) : 1;
            sum += pool.weight;
        }
        for (const std::size_t i : members)
            m_pools[i].weight = sum > 0 ? m_pools[i].weight / sum : 1. / static_cast<double>(members.size());
    };
    for (const ServingLane& lane : m_lanes) {
        distribute(lane.first);
        distribute(lane.second);
    }
}

double ServingSystem::perReplica(std::size_t index) const
{
    for (const ServingLane& lane : m_lanes)
        for (const auto* members : {&lane.first, &lane.second})
            if (std::find(members->begin(), members->end(), index) != members->end())
                return lane.share * m_pools[index].weight / m_pools[index].working();
    return 0;
}

/// What the lane's pools and ways carry, each pool within the targets that it answers for.
double ServingSystem::laneLimit(const ServingLane& lane, const ServingTargets& targets) const
{
    double limit = std::numeric_limits<double>::infinity();
    const bool whole = lane.second.empty();
    for (const auto* members : {&lane.first, &lane.second}) {
        for (const std::size_t i : *members) {
            ServingTargets own = targets;
            if (!whole)
                own.latency.reset(); // of both parts together: see rateWithinTargets
            const ServingPool& pool = m_pools[i];
            if (pool.weight > 0)
                limit = std::min(limit, pool.rateWithin(own, m_front) / pool.weight);
        }
    }
    for (const KvTransfer& way : lane.transfers) {
        const double part = m_pools[way.from].weight * m_pools[way.to].weight;
        if (part > 0)
            limit = std::min(limit, fullestWay * way.total / way.bytes / part);
    }
    return std::isfinite(limit) ? limit : 0;
}

bool ServingSystem::laneMeets(const ServingLane& lane, double rate) const
{
    SystemPoint point;
    addPaths(point, lane, rate);
    double beyond = 0, weight = 0;
    for (const ServingPath& path : point.paths) {
        beyond += path.weight * path.latency.tail(*m_request.targets.latency - m_front);
        weight += path.weight;
    }
    return beyond <= .01 * weight;
}

double ServingSystem::laneRate(const ServingLane& lane) const
{
    double limit = laneLimit(lane, m_request.targets);
    if (lane.second.empty() || !m_request.targets.latency || !(limit > 0) || laneMeets(lane, limit))
        return limit;
    double low = 0;
    for (int i = 0; i < 40 && limit - low > 1e-4 * limit; ++i) {
        const double middle = .5 * (low + limit);
        (laneMeets(lane, middle) ? low : limit) = middle;
    }
    return low;
}

double ServingSystem::stableRate() const
{
    double rate = std::numeric_limits<double>::infinity();
    for (const ServingLane& lane : m_lanes)
        if (lane.share > 0)
            rate = std::min(rate, laneLimit(lane, {}) / lane.share);
    return std::isfinite(rate) ? rate : 0;
}

double ServingSystem::rateWithinTargets() const
{
    double rate = std::numeric_limits<double>::infinity();
    for (const ServingLane& lane : m_lanes)
        if (lane.share > 0)
            rate = std::min(rate, laneRate(lane) / lane.share);
    return std::isfinite(rate) ? rate : 0;
}

void ServingSystem::addPaths(SystemPoint& point, const ServingLane& lane, double laneRate) const
{
    const auto atRate = [&](std::size_t i) {
        const ServingPool& pool = m_pools[i];
        return pool.load.atRate(laneRate * pool.weight / pool.working());
    };
    std::vector<ServingPoint> second;
    for (const std::size_t i : lane.second)
        second.push_back(atRate(i));
    for (std::size_t f = 0; f < lane.first.size(); ++f) {
        const ServingPoint first = atRate(lane.first[f]);
        if (!point.pools.empty())
            point.pools[lane.first[f]] = first;
        point.stable = point.stable && first.stable;
        const double weight = lane.share * m_pools[lane.first[f]].weight;
        if (lane.second.empty())
            point.paths.push_back({weight, first.ttft, first.latency, first.tpot, first.tpotSpread});
        for (std::size_t s = 0; s < lane.second.size(); ++s) {
            const KvTransfer& way = lane.transfers[f * lane.second.size() + s];
            const double part = m_pools[way.from].weight * m_pools[way.to].weight;
            ServingPath path = joined(first, second[s], way.seconds(laneRate * part));
            path.weight = weight * m_pools[lane.second[s]].weight;
            point.stable = point.stable && second[s].stable && laneRate * part * way.bytes < way.total;
            if (!point.pools.empty())
                point.pools[lane.second[s]] = second[s];
            point.paths.push_back(path);
        }
    }
}

SystemPoint ServingSystem::atRate(double rate) const
{
    SystemPoint point;
    point.rate = rate > 0 ? rate : 0;
    point.pools.resize(m_pools.size());
    for (const ServingLane& lane : m_lanes)
        addPaths(point, lane, point.rate * lane.share);
    for (ServingPath& path : point.paths) {
        path.ttft.fixed += m_front;
        path.latency.fixed += m_front;
    }
    return point;
}

/// Users start together: a share of them waits behind the others' prompts, as on one replica.
void ServingSystem::addBurst(SystemPoint& point, double users) const
{
    auto path = point.paths.begin();
    for (const ServingLane& lane : m_lanes)
        for (const std::size_t i : lane.first) {
            const ServingPool& pool = m_pools[i];
            const double abreast = static_cast<double>(pool.replicas) * pool.replica().step.promptsAbreast();
            const double queue = std::max(0., users * lane.share * pool.weight / std::max(1., abreast) - 1);
            const double wait = pool.replica().stack.burstShare * queue / 2 * point.pools[i].prefill;
            for (std::size_t n = std::max<std::size_t>(1, lane.second.size()); n > 0 && path != point.paths.end(); --n, ++path) {
                path->ttft.fixed += wait;
                path->latency.fixed += wait;
            }
        }
}

/// Whether reading prompts limits the rate where it runs apart, rather than answering.
bool ServingSystem::promptsLimit() const
{
    const auto carried = [&](const std::vector<std::size_t>& members) {
        double sum = 0;
        for (const std::size_t i : members)
            sum += static_cast<double>(m_pools[i].replicas) * m_pools[i].load.largestRate();
        return sum;
    };
    return std::any_of(m_lanes.begin(), m_lanes.end(), [&](const ServingLane& lane) { return !lane.second.empty() && carried(lane.first) < carried(lane.second); });
}

/// The rate at which Little's law gives so many users; those that even the largest rate leaves over wait for their turn.
SystemPoint ServingSystem::closedLoopApart(double users) const
{
    const auto at = [&](double rate) {
        SystemPoint point = atRate(rate);
        addBurst(point, users);
        return point;
    };
    double low = 0, high = stableRate();
    for (int i = 0; i < 50 && high - low > 1e-6 * high; ++i) {
        const double middle = .5 * (low + high);
        (middle * at(middle).meanLatency() < users ? low : high) = middle;
    }
    SystemPoint point = at(low);
    const double over = low > 0 ? users / low - point.meanLatency() : 0;
    if (!(over > 0))
        return point;
    const bool prompts = promptsLimit();
    for (ServingPath& path : point.paths) { // before the first token, or between it and the second
        path.latency.fixed += over;
        path.ttft.fixed += prompts ? over : 0;
        path.tpot += prompts ? 0 : over / std::max(1., m_output - 1);
    }
    return point;
}

SystemPoint ServingSystem::closedLoop(double users) const
{
    const bool whole = std::all_of(m_lanes.begin(), m_lanes.end(), [](const ServingLane& lane) { return lane.second.empty(); });
    if (!whole)
        return closedLoopApart(users);
    SystemPoint point;
    point.pools.resize(m_pools.size());
    for (const ServingLane& lane : m_lanes) {
        for (const std::size_t i : lane.first) {
            const ServingPool& pool = m_pools[i];
            const double own = users * lane.share * pool.weight, replicas = pool.working();
            const double active = std::min(replicas, std::max(own, 0.)); // fewer users than replicas leave some idle
            if (!(active > 0))
                continue;
            const ServingPoint at = pool.load.closedLoop(std::max(1., own / replicas));
            point.pools[i] = at;
            point.rate += active * at.rate;
            ServingPath path{active * at.rate, at.ttft, at.latency, at.tpot, at.tpotSpread};
            path.ttft.fixed += m_front;
            path.latency.fixed += m_front;
            point.paths.push_back(path);
        }
    }
    for (ServingPath& path : point.paths)
        path.weight = point.rate > 0 ? path.weight / point.rate : 0;
    return point;
}

ServingSystem ServingSystem::relieved(const Relief& relief) const
{
    ServingSystem other;
    other.m_request = m_request;
    other.m_output = m_output;
    other.m_front = m_front / relief.network;
    for (const ServingPool& pool : m_pools)
        other.m_pools.push_back(pool.relieved(relief));
    other.m_lanes = m_lanes;
    for (ServingLane& lane : other.m_lanes)
        for (KvTransfer& way : lane.transfers) {
            const double factor = way.network ? relief.network : relief.scaleUp;
            way.bandwidth *= factor;
            way.total *= factor;
        }
    other.weigh();
    return other;
}

LatencyMoments ServingSystem::momentsOf(const SystemPoint& point) {
    LatencyMoments out;
    out.stable = point.stable;
    out.mean = point.meanLatency();
    double second = 0, weight = 0;
    for (const ServingPath& path : point.paths) {
        second += path.weight * (path.latency.variance() + path.latency.mean() * path.latency.mean());
        weight += path.weight;
    }
    out.variance = weight > 0 ? std::max(0., second / weight - out.mean * out.mean) : 0;
    return out;
}

LatencyPoint ServingSystem::at(double rate) const {
    const SystemPoint point = atRate(rate);
    LatencyPoint out;
    static_cast<LatencyMoments&>(out) = momentsOf(point);
    out.rate = point.rate;
    out.p50 = point.latency(.5);
    out.p95 = point.latency(.95);
    out.p99 = point.latency(.99);
    return out;
}

} // namespace cw
