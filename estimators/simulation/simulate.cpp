// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/simulation/simulate.h"

#include "estimators/services/stage_graph.h"
#include "estimators/simulation/simulated_figures.h"
#include "estimators/simulation/simulated_serving.h"

#include <algorithm>

namespace cw {

namespace {

using namespace simulation;

bool simulable(const WorkloadEstimate& workload) {
    if (!workload.placed || !workload.feasible)
        return false;
    return workload.kind == "llm_serving" || workload.kind == "batch_inference" || workload.kind == "service"
        || workload.kind == "stream" || workload.kind == "pipeline";
}

class Simulation {
public:
    Simulation(const Project& project, const Alternative& alternative, const Catalog& catalog, const SimulationOptions& options, AlternativeEstimate& out)
        : m_project(project)
        , m_options(options)
        , m_out(out)
        , m_design(resolve(project, alternative, catalog))
        , m_fabric(m_design)
        , m_context{m_design, m_fabric, catalog, m_plain, {}, m_scratch, nullptr} {
        m_plain.curves = m_plain.bottleneckGain = m_plain.findings = false;
    }

    bool run();

private:
    std::optional<ScaledSystem> systemFor(const Workload& workload);

    const Project& m_project;
    const SimulationOptions& m_options;
    AlternativeEstimate& m_out;
    EstimateOptions m_plain;
    Derivation m_scratch; ///< building the models records nothing that is shown
    ResolvedDesign m_design;
    Fabric m_fabric;
    EstimateContext m_context;
};

std::optional<ScaledSystem> Simulation::systemFor(const Workload& workload) {
    std::vector<const Placement*> placements;
    for (const Placement& placement : m_design.alternative->placements)
        if (placement.workload == workload.id)
            placements.push_back(&placement);
    const double rate = arrivalRateOf(workload.spec);
    if (std::holds_alternative<Pipeline>(workload.spec)) {
        const PipelineModel pipeline(m_context, workload, placements);
        return rate > 0 && pipeline.connected() ? systemOf(pipeline, rate, workload.flow) : std::nullopt;
    }
    const std::unique_ptr<LatencyModel> model = latencyModelOf(m_context, workload, placements);
    if (const auto* serving = dynamic_cast<const ServingSystem*>(model.get())) {
        const auto& users = std::get<LlmServing>(workload.spec).concurrency;
        if (users && *users > 0)
            return systemOf(*serving, 0, *users, workload.flow);
        return rate > 0 ? std::optional(systemOf(*serving, rate, 0, workload.flow)) : std::nullopt;
    }
    if (!(rate > 0))
        return {};
    if (const auto* service = dynamic_cast<const ServiceModel*>(model.get()))
        return systemOf(*service, rate, workload.flow);
    if (const auto* stream = dynamic_cast<const LoadedService*>(model.get()))
        return systemOf(stream->serviceAt(rate), rate, workload.flow);
    if (const auto* batch = dynamic_cast<const BatchModel*>(model.get()))
        return systemOf(*batch, rate, workload.flow);
    return {};
}

bool Simulation::run() {
    for (std::size_t i = 0; i < m_out.workloads.size() && i < m_project.workloads.size(); ++i) {
        WorkloadEstimate& estimate = m_out.workloads[i];
        if (!simulable(estimate))
            continue;
        const std::optional<Workload> routed = withRoutedRate(m_project, m_project.workloads[i]);
        const std::optional<ScaledSystem> scaled = systemFor(routed ? *routed : m_project.workloads[i]);
        if (!scaled)
            continue;
        RunOptions options;
        options.seed = m_options.seed;
        options.precision = m_options.precision;
        options.tokens = estimate.latencyNamed("ttft_p99") != nullptr; // of a pipeline nobody asks
        options.mostEvents = m_options.mostEvents;
        options.threads = m_options.threads;
        options.interrupted = m_options.interrupted;
        const RunResult result = simulation::run(scaled->system, options);
        if (result.end == RunResult::End::cancelled)
            return false;
        writeSimulated(m_out, estimate, result, *scaled);
        if (!estimate.simulated || estimate.simulated->growth || scaled->replicas < 2)
            continue;
        // What is left of it while one replica is broken: wanted less well, so with less effort.
        const SystemModel less = withOneDown(*scaled);
        options.precision *= 4;
        options.mostEvents /= 16;
        const RunResult down = simulation::run(less, options);
        if (down.end == RunResult::End::cancelled)
            return false;
        writeOneDown(m_out, estimate, down, *scaled);
    }
    return true;
}

} // namespace

bool canSimulate(const AlternativeEstimate& closedForm) {
    return std::any_of(closedForm.workloads.begin(), closedForm.workloads.end(), simulable);
}

std::optional<AlternativeEstimate> simulate(const Project& project, const Alternative& alternative, const Catalog& catalog,
                                            const AlternativeEstimate& closedForm, const SimulationOptions& options) {
    AlternativeEstimate out = closedForm;
    if (!canSimulate(closedForm))
        return out;
    if (!Simulation(project, alternative, catalog, options, out).run())
        return {};
    return out;
}

} // namespace cw
