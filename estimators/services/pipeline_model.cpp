// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/services/pipeline_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cw {

namespace {

std::vector<const Placement*> placementsOf(const Alternative& alternative, const WorkloadId& workload) {
    std::vector<const Placement*> found;
    for (const Placement& placement : alternative.placements)
        if (placement.workload == workload)
            found.push_back(&placement);
    return found;
}

bool answersRequests(const Workload& workload) {
    return std::holds_alternative<LlmServing>(workload.spec) || std::holds_alternative<BatchInference>(workload.spec)
        || std::holds_alternative<Service>(workload.spec) || std::holds_alternative<Stream>(workload.spec);
}

/// Where requests enter a stage, by the machines of its stacks.
std::vector<std::pair<std::uint32_t, double>> nodesOf(const ResolvedDesign& design, std::span<const Placement* const> placements) {
    std::vector<std::pair<std::uint32_t, double>> nodes;
    double all = 0;
    for (const Placement* placement : placements) {
        if (placement->stage == "decode") // reached from its prefill machines, not from the stage before
            continue;
        for (const NodeId& id : placement->nodes) {
            const int index = design.indexOf(id);
            if (index < 0)
                continue;
            const double machines = static_cast<double>(design.machines[static_cast<std::size_t>(index)].count);
            nodes.emplace_back(static_cast<std::uint32_t>(index), machines);
            all += machines;
        }
    }
    for (auto& [node, share] : nodes)
        share = all > 0 ? share / all : 1. / static_cast<double>(nodes.size());
    return nodes;
}

double seconds(const Seconds& time) { return si(time) > 0 && std::isfinite(si(time)) ? si(time) : 0; }

} // namespace

PipelineModel::PipelineModel(EstimateContext& context, const Workload& workload, std::span<const Placement* const> placements)
    : m_graph(std::get<Pipeline>(workload.spec)) {
    const Pipeline& pipeline = std::get<Pipeline>(workload.spec);
    m_stations.resize(pipeline.stages.size());
    for (std::size_t i = 0; i < m_stations.size(); ++i)
        addStation(context, workload, pipeline.stages[i], i, placements);
    addHops(context);
    m_limit = m_graph.ends() && !m_stations.empty() ? std::numeric_limits<double>::infinity() : 0;
    for (std::size_t i = 0; i < m_stations.size(); ++i)
        m_limit = std::min(m_limit, limitOf(i));
}

void PipelineModel::addStation(EstimateContext& context, const Workload& workload, const Pipeline::Stage& stage, std::size_t index,
                               std::span<const Placement* const> placements) {
    PipelineStation& station = m_stations[index];
    station.stage = &stage;
    station.visits = m_graph.ends() ? m_graph.visits(index) : 0;
    if (stage.workload.empty()) {
        ServiceWork work;
        work.seconds = seconds(stage.serviceTime);
        work.cv = stage.serviceCv;
        station.pools = cpuPools(context, placements, stage.id.c_str());
        for (const CpuPool& pool : station.pools)
            station.nodes.emplace_back(pool.node, pool.weight);
        station.placed = !station.pools.empty();
        if (station.placed)
            station.model = std::make_unique<ServiceModel>(station.pools, work);
        return;
    }
    const Project& project = *context.design.project;
    station.workload = project.findWorkload(stage.workload);
    if (!station.workload)
        return;
    station.answers = answersRequests(*station.workload);
    if (std::optional<Workload> routed = withRoutedRate(project, *station.workload))
        station.routed = std::make_unique<Workload>(std::move(*routed));
    const std::vector<const Placement*> own = placementsOf(*context.design.alternative, stage.workload);
    station.nodes = nodesOf(context.design, own);
    station.placed = !own.empty();
    station.model = latencyModelOf(context, station.routed ? *station.routed : *station.workload, own);
    const double mine = m_graph.ends() ? arrivalRateOf(workload.spec) * m_graph.visits(index) : 0;
    const double carried = station.routed ? arrivalRateOf(station.routed->spec) : arrivalRateOf(station.workload->spec);
    station.otherRate = std::max(0., carried - mine);
}

/// Latency there and back, and the bytes of the request once, over the ports of the machines that send.
void PipelineModel::addHops(EstimateContext& context) {
    m_hops.assign(m_graph.edges().size(), 0);
    for (std::size_t e = 0; e < m_hops.size(); ++e) {
        const StageGraph::Edge& edge = m_graph.edges()[e];
        for (const auto& [from, fromShare] : m_stations[edge.from].nodes) {
            for (const auto& [to, toShare] : m_stations[edge.to].nodes) {
                if (from == to)
                    continue;
                const std::optional<Route> route = context.fabric.route(from, to);
                if (!route) {
                    m_missingHop = static_cast<int>(e);
                    continue;
                }
                const double machines = std::max<double>(1, static_cast<double>(context.design.machines[from].count));
                const double carried = edge.bytes > 0 && route->bandwidth > 0 ? edge.bytes / (route->bandwidth / machines) : 0;
                m_hops[e] += fromShare * toShare * (2 * route->latency + carried) / context.relief.network;
            }
        }
    }
}

double PipelineModel::limitOf(std::size_t index) const {
    const PipelineStation& station = m_stations[index];
    if (!station.model || !(station.visits > 0))
        return std::numeric_limits<double>::infinity();
    return std::max(0., station.model->largestRate() - station.otherRate) / station.visits;
}

LatencyMoments PipelineModel::stageMoments(std::size_t index, double rate) const {
    const PipelineStation& station = m_stations[index];
    if (station.model)
        return station.model->moments(rate * station.visits + station.otherRate);
    LatencyMoments alone;
    alone.mean = seconds(station.stage->serviceTime);
    alone.variance = alone.mean * alone.mean * std::min(station.stage->serviceCv * station.stage->serviceCv, 900.);
    return alone;
}

std::vector<PipelineModel::WayMoments> PipelineModel::ways(double rate) const {
    std::vector<LatencyMoments> stages;
    stages.reserve(m_stations.size());
    for (std::size_t i = 0; i < m_stations.size(); ++i)
        stages.push_back(stageMoments(i, rate));
    std::vector<WayMoments> out;
    out.reserve(m_graph.ways().size());
    for (const StageGraph::Way& way : m_graph.ways()) {
        WayMoments moments{way.probability, 0, 0};
        for (const std::uint32_t stage : way.stages) {
            moments.mean += stages[stage].mean;
            moments.variance += stages[stage].variance;
        }
        for (const std::uint32_t edge : way.edges)
            moments.mean += m_hops[edge];
        out.push_back(moments);
    }
    return out;
}

LatencyMoments PipelineModel::moments(double rate) const {
    LatencyMoments out;
    out.stable = rate < m_limit || !(rate > 0);
    double second = 0;
    for (const WayMoments& way : ways(std::min(rate, m_limit * (1 - 1e-9)))) {
        out.mean += way.weight * way.mean;
        second += way.weight * (way.variance + way.mean * way.mean);
    }
    out.variance = std::max(0., second - out.mean * out.mean);
    return out;
}

LatencyPoint PipelineModel::at(double rate) const {
    LatencyPoint out;
    out.rate = rate > 0 ? rate : 0;
    out.stable = rate < m_limit || !(rate > 0);
    const std::vector<WayMoments> all = ways(std::min(out.rate, std::isfinite(m_limit) ? m_limit * (1 - 1e-9) : out.rate));
    std::vector<std::pair<double, GammaDistribution>> parts;
    double second = 0;
    for (const WayMoments& way : all) {
        parts.emplace_back(way.weight, GammaDistribution::ofMoments(way.mean, way.variance));
        out.mean += way.weight * way.mean;
        second += way.weight * (way.variance + way.mean * way.mean);
    }
    out.variance = std::max(0., second - out.mean * out.mean);
    const auto quantile = [&](double p) {
        double high = 0;
        for (const auto& [weight, gamma] : parts)
            high = std::max(high, gamma.quantile(p));
        if (parts.size() == 1)
            return high;
        const auto tail = [&](double t) {
            double sum = 0;
            for (const auto& [weight, gamma] : parts)
                sum += weight * gamma.tail(t);
            return sum;
        };
        return quantileOf(tail, p, 0, high);
    };
    if (parts.empty())
        return out;
    out.p50 = quantile(.5);
    out.p95 = quantile(.95);
    out.p99 = quantile(.99);
    return out;
}

} // namespace cw
