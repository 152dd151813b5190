// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/services/stage_graph.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double rarest = 1e-4;
constexpr std::size_t mostWays = 256, longestWay = 64;
constexpr std::size_t mostStages = 200;

int indexOf(const Pipeline& pipeline, const std::string& id) {
    const auto found = std::find_if(pipeline.stages.begin(), pipeline.stages.end(), [&](const Pipeline::Stage& s) { return s.id == id; });
    return found == pipeline.stages.end() ? -1 : static_cast<int>(found - pipeline.stages.begin());
}

} // namespace

StageGraph::StageGraph(const Pipeline& pipeline)
    : m_visits(pipeline.stages.size(), 0)
    , m_entry(pipeline.stages.size(), 0) {
    readEdges(pipeline);
    findEntries(pipeline);
    countVisits();
    if (m_ends)
        findWays();
}

void StageGraph::readEdges(const Pipeline& pipeline) {
    std::vector<double> leaving(size(), 0);
    for (const Pipeline::Edge& edge : pipeline.edges) {
        const int from = indexOf(pipeline, edge.from), to = indexOf(pipeline, edge.to);
        if (from < 0 || to < 0) {
            m_issues.push_back({"pipeline.unknown_stage", from < 0 ? edge.from : edge.to, 0});
            continue;
        }
        if (!(edge.share >= 0) || !std::isfinite(edge.share)) {
            m_issues.push_back({"pipeline.bad_share", edge.from, edge.share});
            continue;
        }
        const double bytes = si(edge.bytes) > 0 && std::isfinite(si(edge.bytes)) ? si(edge.bytes) : 0;
        m_edges.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), edge.share, bytes});
        leaving[static_cast<std::size_t>(from)] += edge.share;
    }
    for (std::size_t i = 0; i < size(); ++i)
        if (leaving[i] > 1 + 1e-6)
            m_issues.push_back({"pipeline.share_above_one", pipeline.stages[i].id, leaving[i]});
}

void StageGraph::findEntries(const Pipeline& pipeline) {
    std::vector<bool> reached(size(), false);
    for (const Edge& edge : m_edges)
        if (edge.from != edge.to)
            reached[edge.to] = true;
    double entries = 0;
    for (std::size_t i = 0; i < size(); ++i)
        entries += reached[i] ? 0 : 1;
    if (entries == 0 && size() > 0) { // a ring without a door: the first stage drawn is taken for it
        m_issues.push_back({"pipeline.no_entry", pipeline.stages.front().id, 0});
        m_entry[0] = 1;
        return;
    }
    for (std::size_t i = 0; i < size(); ++i)
        m_entry[i] = reached[i] ? 0 : 1 / entries;
}

/// v = e + Pᵀ v, by elimination: a few stages, and loops of any gain come out exactly. A loop that keeps everything has no solution, one
/// that multiplies requests has a negative one.
void StageGraph::countVisits() {
    const std::size_t n = size();
    if (n > mostStages) {
        m_ends = false;
        m_issues.push_back({"pipeline.too_many_stages", {}, static_cast<double>(n)});
        return;
    }
    std::vector<double> matrix(n * n, 0);
    const auto at = [&](std::size_t row, std::size_t column) -> double& { return matrix[row * n + column]; };
    for (std::size_t i = 0; i < n; ++i)
        at(i, i) = 1;
    for (const Edge& edge : m_edges)
        at(edge.to, edge.from) -= edge.share;
    m_visits = m_entry;
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            pivot = std::abs(at(i, k)) > std::abs(at(pivot, k)) ? i : pivot;
        if (!(std::abs(at(pivot, k)) > 1e-9)) {
            m_ends = false;
            break;
        }
        if (pivot != k) {
            std::swap_ranges(matrix.begin() + static_cast<std::ptrdiff_t>(k * n), matrix.begin() + static_cast<std::ptrdiff_t>((k + 1) * n),
                             matrix.begin() + static_cast<std::ptrdiff_t>(pivot * n));
            std::swap(m_visits[k], m_visits[pivot]);
        }
        for (std::size_t i = 0; i < n; ++i) {
            const double factor = i == k ? 0 : at(i, k) / at(k, k);
            if (factor == 0)
                continue;
            for (std::size_t j = k; j < n; ++j)
                at(i, j) -= factor * at(k, j);
            m_visits[i] -= factor * m_visits[k];
        }
    }
    for (std::size_t i = 0; m_ends && i < n; ++i) {
        m_visits[i] /= at(i, i);
        m_ends = m_visits[i] > -1e-9 && m_visits[i] < 1e9;
        m_visits[i] = std::max(0., m_visits[i]);
    }
    if (!m_ends)
        m_issues.push_back({"pipeline.endless", {}, 0});
}

/// Depth first, most shares first; a stage's shares beyond 1 are parallel calls, which a single way cannot hold: they are taken in
/// proportion, while visits count them all.
void StageGraph::findWays() {
    std::vector<double> leaving(size(), 0);
    for (const Edge& edge : m_edges)
        leaving[edge.from] += edge.share;
    Way way;
    const auto walk = [&](auto&& self, std::uint32_t stage, double probability) -> void {
        if (probability < rarest || m_ways.size() >= mostWays || way.stages.size() >= longestWay)
            return;
        way.stages.push_back(stage);
        const double whole = std::max(1., leaving[stage]);
        const double ends = probability * std::max(0., 1 - leaving[stage]);
        if (ends >= rarest && m_ways.size() < mostWays) {
            way.probability = ends;
            m_ways.push_back(way);
        }
        for (std::uint32_t e = 0; e < m_edges.size(); ++e) {
            if (m_edges[e].from != stage || !(m_edges[e].share > 0))
                continue;
            way.edges.push_back(e);
            self(self, m_edges[e].to, probability * m_edges[e].share / whole);
            way.edges.pop_back();
        }
        way.stages.pop_back();
    };
    for (std::uint32_t i = 0; i < size(); ++i)
        if (m_entry[i] > 0)
            walk(walk, i, m_entry[i]);
    double sum = 0;
    for (const Way& found : m_ways)
        sum += found.probability;
    for (Way& found : m_ways)
        found.probability /= sum;
}

double arrivalRateOf(const WorkloadSpec& spec) {
    struct Rate {
        double operator()(const LlmServing& w) const { return w.arrivalRate; }
        double operator()(const BatchInference& w) const { return w.arrivalRate; }
        double operator()(const Service& w) const { return w.arrivalRate; }
        double operator()(const Stream& w) const { return w.eventRate; }
        double operator()(const Pipeline& w) const { return w.arrivalRate; }
        double operator()(const LlmTraining&) const { return 0; }
        double operator()(const BatchJob&) const { return 0; }
        double operator()(const Hpc&) const { return 0; }
    };
    const double rate = std::visit(Rate{}, spec);
    return rate > 0 && std::isfinite(rate) ? rate : 0;
}

void setArrivalRate(WorkloadSpec& spec, double rate) {
    if (auto* serving = std::get_if<LlmServing>(&spec)) {
        serving->arrivalRate = rate;
        serving->concurrency.reset();
    } else if (auto* batch = std::get_if<BatchInference>(&spec)) {
        batch->arrivalRate = rate;
    } else if (auto* service = std::get_if<Service>(&spec)) {
        service->arrivalRate = rate;
    } else if (auto* stream = std::get_if<Stream>(&spec)) {
        stream->eventRate = rate;
    }
}

double routedRate(const Project& project, const WorkloadId& workload) {
    double rate = 0;
    for (const Workload& other : project.workloads) {
        const auto* pipeline = std::get_if<Pipeline>(&other.spec);
        const bool concerned = pipeline && !workload.empty()
                            && std::any_of(pipeline->stages.begin(), pipeline->stages.end(),
                                           [&](const Pipeline::Stage& s) { return s.workload == workload; });
        if (!concerned)
            continue;
        const StageGraph graph(*pipeline);
        if (!graph.ends())
            continue;
        for (std::size_t i = 0; i < graph.size(); ++i)
            if (pipeline->stages[i].workload == workload)
                rate += arrivalRateOf(other.spec) * graph.visits(i);
    }
    return rate;
}

std::optional<Workload> withRoutedRate(const Project& project, const Workload& workload) {
    const auto* serving = std::get_if<LlmServing>(&workload.spec);
    if (std::holds_alternative<Pipeline>(workload.spec) || arrivalRateOf(workload.spec) > 0 || (serving && serving->concurrency))
        return {};
    const double rate = routedRate(project, workload.id);
    if (!(rate > 0))
        return {};
    Workload routed = workload;
    setArrivalRate(routed.spec, rate);
    return routed;
}

} // namespace cw
