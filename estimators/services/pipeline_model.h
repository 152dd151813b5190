// SPDX-License-Identifier: GPL-3.0-or-later
//
// A pipeline as an open queueing network: every stage is a station with its own latency model at the rate that the routing sends there,
// stages are independent (as Jackson's theorem has it for Poisson arrivals), and a request's time is the sum along its way, hops over the
// drawn network included. Percentiles mix the ways, each a gamma distribution of its first two moments. Built once per estimate.
#pragma once

#include "estimators/services/latency_model.h"
#include "estimators/services/service_model.h"
#include "estimators/services/stage_graph.h"

#include <memory>

namespace cw {

/// One stage where it runs.
struct PipelineStation {
    const Pipeline::Stage* stage = nullptr;
    const Workload* workload = nullptr;      ///< of its own; null: a fixed service time
    std::unique_ptr<Workload> routed;        ///< that workload with the rate that is routed there, if it has none
    std::unique_ptr<LatencyModel> model;     ///< null: only its service time counts
    std::vector<CpuPool> pools;              ///< of a fixed service time
    std::vector<std::pair<std::uint32_t, double>> nodes; ///< where it runs, with shares
    double otherRate = 0;                    ///< that the workload carries besides this pipeline's requests
    double visits = 0;
    bool placed = false;
    bool answers = true;                     ///< of a kind that answers requests
};

class PipelineModel : public LatencyModel {
public:
    /// `placements` are those of the pipeline itself; stages with a workload of their own run where that is placed.
    PipelineModel(EstimateContext& context, const Workload& workload, std::span<const Placement* const> placements);

    double largestRate() const override { return m_limit; }
    LatencyPoint at(double rate) const override;
    LatencyMoments moments(double rate) const override;

    const StageGraph& graph() const { return m_graph; }
    const std::vector<PipelineStation>& stations() const { return m_stations; }
    /// Requests of the pipeline per second at which a stage is full; infinite for mere delays.
    double limitOf(std::size_t stage) const;
    LatencyMoments stageMoments(std::size_t stage, double rate) const;
    double hopSeconds(std::size_t edge) const { return m_hops[edge]; }
    bool connected() const { return m_missingHop < 0; }
    int missingHop() const { return m_missingHop; } ///< an edge whose stages no drawn link connects, or -1

private:
    struct WayMoments {
        double weight, mean, variance;
    };
    std::vector<WayMoments> ways(double rate) const;
    void addStation(EstimateContext& context, const Workload& workload, const Pipeline::Stage& stage, std::size_t index,
                    std::span<const Placement* const> placements);
    void addHops(EstimateContext& context);

    StageGraph m_graph;
    std::vector<PipelineStation> m_stations;
    std::vector<double> m_hops; ///< seconds there and back, by edge
    double m_limit = 0;
    int m_missingHop = -1;
};

} // namespace cw
