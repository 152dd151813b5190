// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/services/latency_models.h"

#include "estimators/serving/batch_model.h"
#include "estimators/serving/serving_system.h"

namespace cw {

namespace {

struct ModelOf {
    EstimateContext& context;
    std::span<const Placement* const> placements;
    const RequestFlow& flow;

    std::unique_ptr<LatencyModel> operator()(const LlmServing& spec) const {
        const auto* model = context.catalog.find<NeuralModel>(spec.model);
        if (!model)
            return nullptr;
        auto system = std::make_unique<ServingSystem>(context, spec, *model, placements, flow);
        return system->runs() ? std::move(system) : nullptr;
    }
    std::unique_ptr<LatencyModel> operator()(const BatchInference& spec) const {
        auto model = std::make_unique<BatchModel>(context, spec, placements, flow);
        return model->runs() ? std::move(model) : nullptr;
    }
    std::unique_ptr<LatencyModel> operator()(const Service& spec) const { return serviceLatency(context, spec, placements, flow); }
    std::unique_ptr<LatencyModel> operator()(const Stream& spec) const { return streamLatency(context, spec, placements, flow); }
    std::unique_ptr<LatencyModel> operator()(const LlmTraining&) const { return nullptr; }
    std::unique_ptr<LatencyModel> operator()(const BatchJob&) const { return nullptr; }
    std::unique_ptr<LatencyModel> operator()(const Hpc&) const { return nullptr; }
    std::unique_ptr<LatencyModel> operator()(const Pipeline&) const { return nullptr; }
};

} // namespace

std::unique_ptr<LatencyModel> latencyModelOf(EstimateContext& context, const Workload& workload, std::span<const Placement* const> placements) {
    return placements.empty() ? nullptr : std::visit(ModelOf{context, placements, workload.flow}, workload.spec);
}

} // namespace cw
