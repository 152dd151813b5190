// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time of one training step of a plan: layers, pipeline, data parallel traffic, optimizer, host, stragglers, input. Plain numbers; pure;
// about a microsecond on top of the layer costs. Equations: docs/equations.md, "Training: the step".
#pragma once

#include "estimators/training/layer.h"

namespace cw {

/// A complete plan; all sizes at least 1.
struct TrainingPlan {
    int tensor = 1, pipeline = 1, context = 1, expert = 1, microBatch = 1, interleave = 1, zero = 1;
    std::int64_t data = 1;
    Recompute recompute = Recompute::none;
    bool offload = false;

    std::int64_t devices() const { return data * tensor * pipeline * context; }
    LayerPlan layer() const { return {tensor, context, expert, microBatch, tensor, interleave > 1 && pipeline > 1}; }
    bool operator==(const TrainingPlan&) const = default;
};

/// Parameters that one device of the worst stage holds, before sharding over the data-parallel group.
struct StageParameters {
    double dense = 0;                        ///< attention, MLP, embedding, head: over tensor and pipeline ranks
    double experts = 0;                      ///< over expert and pipeline ranks
    double layerDense = 0, layerExperts = 0; ///< of one (mean) layer
};
StageParameters stageParameters(const ModelShape& shape, const TrainingPlan& plan);

/// Ranks that hold the same dense parameters, and the same experts: those that exchange their gradients.
RankGroup dataRanks(const TrainingCase& run, const TrainingPlan& plan);
RankGroup expertDataRanks(const TrainingCase& run, const TrainingPlan& plan);

struct StepTime {
    double seconds = 0;
    double microBatches = 0;
    double stage = 0, averageStage = 0; ///< one micro-batch, slowest and mean stage
    LayerCosts layers;
    double pipelineSends = 0;             ///< exposed
    double dataTime = 0, dataExposed = 0; ///< gradient and weight traffic of a step: all, exposed
    double optimizer = 0, offload = 0, fixed = 0;
    double stragglerFactor = 1;
    double inputWait = 0;                            ///< storage slower than the step
    std::array<double, timePartCount> parts{};       ///< sums to seconds
    double attentionSeconds = 0, productSeconds = 0; ///< of a device in a step
    double exposedCommunication = 0, bubble = 0;

    double share(TimePart part) const { return seconds > 0 ? parts[static_cast<std::size_t>(part)] / seconds : 0; }
};

StepTime stepTime(const TrainingCase& run, const TrainingPlan& plan, const LayerCosts& layers);
StepTime stepTime(const TrainingCase& run, const TrainingPlan& plan);

/// Convolutional networks: data parallel over all devices, one kernel roofline for the whole network.
StepTime convolutionalStep(const TrainingCase& run, const TrainingPlan& plan);

/// Largest of n normal deviates in units of their spread, sqrt(2 ln(n/8)) for n > 8: what stragglers cost grows like this.
double stragglerSpread(double devices);

} // namespace cw
