// SPDX-License-Identifier: GPL-3.0-or-later
//
// The graph of a pipeline as numbers: how often a request visits each stage, which ways it takes, and what is wrong with the drawing.
// Made from whatever a file may hold: unknown stages, loops, shares of any sign. Pure; thread-safe once built.
#pragma once

#include "model/design/project.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cw {

struct StageIssue {
    const char* code = ""; ///< of a finding: "pipeline.unknown_stage", "pipeline.share_above_one", "pipeline.bad_share", "pipeline.no_entry", "pipeline.endless", "pipeline.too_many_stages"
    std::string stage;     ///< id of the stage concerned
    double value = 0;
};

class StageGraph {
public:
    explicit StageGraph(const Pipeline& pipeline);

    struct Edge {
        std::uint32_t from = 0, to = 0;
        double share = 0;
        double bytes = 0;
    };
    /// One way through the graph: stages in order, and the chance that a request takes it. Ways rarer than 1e-4 are left out.
    struct Way {
        std::vector<std::uint32_t> stages;
        std::vector<std::uint32_t> edges;
        double probability = 0;
    };

    std::size_t size() const { return m_visits.size(); }
    /// Mean visits of a stage by one request; entries (stages nothing leads to) share the arrivals evenly.
    double visits(std::size_t stage) const { return m_visits[stage]; }
    const std::vector<Edge>& edges() const { return m_edges; }
    const std::vector<Way>& ways() const { return m_ways; }
    const std::vector<StageIssue>& issues() const { return m_issues; }
    /// Every request leaves some time. If not, visits are unbounded and there is no steady state.
    bool ends() const { return m_ends; }

private:
    void readEdges(const Pipeline& pipeline);
    void findEntries(const Pipeline& pipeline);
    void countVisits();
    void findWays();

    std::vector<double> m_visits, m_entry;
    std::vector<Edge> m_edges;
    std::vector<Way> m_ways;
    std::vector<StageIssue> m_issues;
    bool m_ends = true;
};

/// Requests per second that the pipelines of a project send to a workload that is a stage of theirs.
double routedRate(const Project& project, const WorkloadId& workload);

/// The workload with the rate it has to carry: its own, or where it has none what pipelines route to it. Empty when nothing changes.
std::optional<Workload> withRoutedRate(const Project& project, const Workload& workload);

/// Arrivals of a workload per second, in its own unit; 0 for kinds without arrivals.
double arrivalRateOf(const WorkloadSpec& spec);
void setArrivalRate(WorkloadSpec& spec, double rate);

} // namespace cw
