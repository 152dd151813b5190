// SPDX-License-Identifier: GPL-3.0-or-later
//
// A training run on drawn machines for the tests: the scene, its case for plans, its estimate. Owned by the test.
#pragma once

#include "estimators/training/training_job.h"
#include "tests/estimators/design_builder.h"

#include <algorithm>
#include <cmath>

namespace cw::test {

inline bool near(double a, double b, double relative = 1e-9) {
    return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

/// A training run on drawn machines, ready for plans.
class TrainingScene : public Scene {
public:
    /// Machines of 8 GPUs on a rail-optimised, non-blocking two-tier fabric.
    void pod(const char* server, std::int64_t machines, const char* medium, const char* box) {
        node("gpu", server, machines);
        const std::int64_t blocks = std::max<std::int64_t>(1, machines / 16);
        node("leaf", box, 8 * blocks);
        node("spine", box, 16);
        link("gpu", "leaf", medium, Pattern::rail, 8);
        link("leaf", "spine", medium, Pattern::mesh, 1);
    }
    void train(const char* model, int sequence, int batch, Precision precision = Precision::bf16) {
        Workload workload;
        workload.id = WorkloadId("w");
        workload.name = "training";
        LlmTraining spec;
        spec.model = PartId(model);
        spec.sequence = sequence;
        spec.globalBatch = batch;
        spec.precision = precision;
        spec.totalTokens = 1e12;
        workload.spec = spec;
        project().workloads = {workload};
    }
    LlmTraining& spec() { return std::get<LlmTraining>(project().workloads.front().spec); }
    Placement& placement() {
        if (alternative().placements.empty()) {
            Placement placement;
            placement.id = PlacementId("p");
            placement.workload = WorkloadId("w");
            placement.nodes = {NodeId("gpu")};
            alternative().placements = {placement};
        }
        return alternative().placements.front();
    }

    /// The case of the placed machines; lives as long as the scene is not changed.
    TrainingCase run(const char* stack = "", const Relief& relief = {}) {
        const Fabric& network = fabric();
        m_group = network.group(std::vector{0u});
        m_shape = modelShape(*catalog().find<NeuralModel>(spec().model));
        EstimateContext context{design(), network, catalog(), m_options, relief, m_derivation};
        return trainingCase(context, spec(), m_shape, {}, PartId(stack), m_group, relief).value();
    }
    WorkloadResult estimate(Relief relief = {}) {
        placement();
        const Fabric& network = fabric();
        m_derivation = {};
        EstimateContext context{design(), network, catalog(), m_options, relief, m_derivation};
        const Placement* placements[] = {&alternative().placements.front()};
        return estimateLlmTraining(context, project().workloads.front(), placements);
    }
    const Derivation& derivation() const { return m_derivation; }

private:
    EstimateOptions m_options;
    Derivation m_derivation;
    GroupFabric m_group;
    ModelShape m_shape;
};

inline double stepOf(const WorkloadResult& result) { return result.estimate.latencyNamed("step")->value; }

inline bool hasFinding(const WorkloadResult& result, std::string_view code) {
    return std::any_of(result.findings.begin(), result.findings.end(), [&](const Finding& f) { return f.code == code; });
}

} // namespace cw::test
