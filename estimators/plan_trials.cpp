// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/plan_trials.h"

#include "estimators/base/context.h"
#include "estimators/network/fair_share.h"
#include "estimators/services/stage_graph.h"
#include "estimators/training/model_shape.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr int largestTensor = 16; // as the search goes

/// A copy of the alternative in which one placement changes.
class Bench {
public:
    Bench(const Project& project, const Alternative& alternative, const Catalog& catalog, const PlacementId& placement,
          double networkShare)
        : m_project(project)
        , m_catalog(catalog)
        , m_alternative(alternative)
        , m_design(resolve(project, m_alternative, catalog))
        , m_fabric(m_design)
        , m_share(networkShare) {
        const auto found = std::find_if(m_alternative.placements.begin(), m_alternative.placements.end(),
                                        [&](const Placement& p) { return p.id == placement; });
        if (found == m_alternative.placements.end())
            return;
        m_placement = &*found;
        m_workload = project.findWorkload(found->workload);
        m_options.curves = m_options.bottleneckGain = m_options.findings = false;
    }
    Bench(const Bench&) = delete;

    /// Whether the workload has a parallel plan; then the model it is about.
    const NeuralModel* model() const {
        if (!m_workload)
            return nullptr;
        if (const auto* training = std::get_if<LlmTraining>(&m_workload->spec))
            return m_catalog.find<NeuralModel>(training->model);
        if (const auto* serving = std::get_if<LlmServing>(&m_workload->spec))
            return m_catalog.find<NeuralModel>(serving->model);
        return nullptr;
    }
    std::int64_t devices() const {
        std::int64_t all = 0;
        for (const NodeId& id : m_placement->nodes)
            if (const Machine* machine = m_design.machine(id))
                all += machine->count * std::max(machine->gpus, 1);
        return all;
    }
    Placement& placement() { return *m_placement; }

    WorkloadEstimate run() {
        std::vector<const Placement*> placements;
        for (const Placement& placement : m_alternative.placements)
            if (placement.workload == m_workload->id)
                placements.push_back(&placement);
        Derivation scratch;
        EstimateContext context{m_design, m_fabric, m_catalog, m_options, {}, scratch};
        context.relief.network = m_share;
        const std::optional<Workload> routed = withRoutedRate(m_project, *m_workload);
        const Workload& workload = routed ? *routed : *m_workload;
        return estimatorFor(workload.spec)(context, workload, placements).estimate;
    }

private:
    const Project& m_project;
    const Catalog& m_catalog;
    Alternative m_alternative;
    ResolvedDesign m_design;
    Fabric m_fabric;
    double m_share;
    EstimateOptions m_options;
    Placement* m_placement = nullptr;
    const Workload* m_workload = nullptr;
};

} // namespace

double networkShareOf(const WorkloadEstimate& estimate) {
    for (const ResourceUse& use : estimate.resources)
        if (use.resource == sharedNetwork)
            return 1 - use.utilisation;
    return 1;
}

std::vector<PlanTrial> tensorTrials(const Project& project, const Alternative& alternative, const Catalog& catalog,
                                    const PlacementId& placement, double networkShare) {
    Bench bench(project, alternative, catalog, placement, networkShare);
    std::vector<PlanTrial> trials;
    const NeuralModel* model = bench.model();
    if (!model)
        return trials;
    const ModelShape shape = modelShape(*model);
    if (shape.convolutional)
        return trials;
    for (int tensor = 1; tensor <= largestTensor && tensor <= bench.devices(); tensor *= 2) {
        if (!(std::fmod(shape.heads, tensor) == 0))
            break;
        bench.placement() = withTensor(bench.placement(), tensor);
        trials.push_back({tensor, bench.run()});
    }
    return trials;
}

std::optional<PlanTrial> bestPlan(const Project& project, const Alternative& alternative, const Catalog& catalog,
                                  const PlacementId& placement, double networkShare) {
    Bench bench(project, alternative, catalog, placement, networkShare);
    if (!bench.model())
        return std::nullopt;
    Placement& open = bench.placement();
    open.parallelism = {};
    open.zeroStage = -1;
    open.microBatch = open.interleave = open.replicas = 0;
    open.recompute = Recompute::automatic;
    open.offload = false; // then tried where nothing else fits
    PlanTrial trial{1, bench.run()};
    if (!trial.estimate.feasible || !trial.estimate.plan)
        return std::nullopt;
    trial.tensor = trial.estimate.plan->parallelism.tensor;
    return trial;
}

Placement withTensor(Placement placement, int tensor) {
    placement.parallelism.tensor = tensor;
    placement.parallelism.data = 0;
    return placement;
}

Placement withPlan(Placement placement, const ChosenPlan& plan, bool serving) {
    placement.parallelism = plan.parallelism;
    if (serving) { // data and context parallel follow from the replicas
        placement.parallelism.data = placement.parallelism.context = 0;
        placement.replicas = plan.replicas;
        return placement;
    }
    placement.zeroStage = plan.zeroStage;
    placement.microBatch = plan.microBatch;
    placement.interleave = plan.interleave;
    placement.recompute = plan.recompute;
    placement.offload = plan.offload;
    return placement;
}

} // namespace cw
