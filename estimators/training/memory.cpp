// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/training/memory.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double reserveShare = .06;    // of what is held: allocator fragmentation
constexpr double reserveFixed = 1.5e9;  // context, kernels, communication buffers of a GPU
constexpr double hostReserveShare = .2; // of the host's memory that its own work keeps
constexpr double convolutionalActivationBytes =
    .03; // kept for the backward pass, a forward operation; ResNet-50: about 0.25 GB an image

} // namespace

double layerActivations(const TrainingCase& run, const TrainingPlan& plan, bool moe) {
    const ModelShape& s = run.shape;
    const double tokens = plan.microBatch * run.sequence / plan.context, tp = plan.tensor;
    const double sequenceRanks = run.stack.sequenceParallel ? tp : 1;
    if (plan.recompute == Recompute::full)
        return 2 * tokens * s.hidden / sequenceRanks;
    const bool dropout = !s.gated && !s.vision; // masks of the 2019-21 transformers, one byte a value
    // Two norms and the inputs of attention and MLP are whole on every tensor rank unless split along the sequence.
    // Selective recomputation beside a fused attention kernel does the norms and the activation function again.
    const bool again = run.stack.fusedAttention && plan.recompute == Recompute::selective;
    const double whole = tokens * s.hidden * ((again ? 4 : run.frozen ? 6 : 8) + (dropout ? 2 : 0)) / sequenceRanks;
    double attention = tokens * s.headDim * (4 * s.heads + 4 * s.kvHeads) / tp * s.attentionLayers / s.layers;
    attention += 2 * tokens * (s.stateProjection + s.stateInner) / tp * s.stateLayers / s.layers;
    double scores = 0; // softmax, its dropout mask and its output
    if (!run.stack.fusedAttention && plan.recompute == Recompute::none)
        scores = 5 * s.heads * run.sequence * tokens / tp;
    if (again && run.stack.recomputePasses > 0 && !moe) { // operator by operator: every second product is kept, and what attention puts out
        const double products = tokens * (s.headDim * (s.heads + 2 * s.kvHeads) + s.gates * s.ffn) / tp + 2 * tokens * s.hidden / sequenceRanks;
        return 2 * tokens * s.hidden / sequenceRanks + 2 * tokens * s.headDim * s.heads / tp + products;
    }
    // Frozen products need no inputs, as their weights have no gradients.
    const double widths = again || run.frozen ? s.gates : s.gates + 1;
    double mlp = tokens * s.ffn * 2 * widths / tp;
    if (moe) {
        const double routed = tokens / tp * s.expertsPerToken * run.stack.imbalance;
        mlp = routed * (4 * s.hidden + 2 * s.expertFfn * widths) + tokens / tp * 2 * s.sharedFfn * widths;
    }
    return whole + attention + scores + mlp;
}

namespace {

/// What comes and goes in the backward pass of a layer: gradients of the widest activations, and operands gathered along the sequence.
double transientBytes(const TrainingCase& run, const TrainingPlan& plan) {
    const ModelShape& s = run.shape;
    const double tokens = plan.microBatch * run.sequence / plan.context;
    const double gathered = run.stack.sequenceParallel && plan.tensor > 1 ? 4 * tokens * s.hidden : 0;
    return 2 * tokens * s.ffn * s.gates / plan.tensor + gathered;
}

/// Weights that are gathered, and gradients before they are scattered: of two layers and of one end of the model; with a pipeline of all
/// layers, which stay from the first micro-batch to the last.
double gatheredBytes(const TrainingCase& run, const TrainingPlan& plan, const StageParameters& held) {
    const double whole = 2 + run.stack.gradientBytes, layer = held.layerDense + held.layerExperts;
    if (plan.pipeline > 1)
        return whole * (held.dense + held.experts);
    const double end = std::max(run.shape.embeddingParameters, run.shape.headParameters) / plan.tensor;
    return 2 * 2 * layer + run.stack.gradientBytes * layer + whole * end;
}

} // namespace

TrainingMemory trainingMemory(const TrainingCase& run, const TrainingPlan& plan) {
    const ModelShape& s = run.shape;
    TrainingMemory memory;
    memory.capacity = run.memory;
    memory.hostCapacity = run.hostMemory * (1 - hostReserveShare);
    const StageParameters held = stageParameters(s, plan);
    const double shards = static_cast<double>(plan.data * plan.context);
    const double expertShards = std::max(1.0, shards * plan.tensor / plan.expert);
    const auto sharded = [&](int from) {
        return plan.zero >= from ? held.dense / shards + held.experts / expertShards : held.dense + held.experts;
    };
    memory.weights = (run.frozen ? run.dense.operandBytes : 2) * sharded(3); // frozen ones stay in the format of the products
    memory.gradients = run.stack.gradientBytes * run.trained * sharded(2);
    const double state = run.optimizerState * run.trained * sharded(1);
    (plan.offload ? memory.hostOptimizer : memory.optimizer) = state;
    if (plan.zero == 3)
        memory.working = gatheredBytes(run, plan, held);

    const double microBatches = std::ceil(run.batch / (static_cast<double>(plan.data) * plan.microBatch) - 1e-9);
    if (s.convolutional) {
        memory.activations = plan.microBatch * s.operationsPerSample * convolutionalActivationBytes;
    } else {
        const double layersHere = std::ceil(s.layers / plan.pipeline);
        const double mean =
            (s.denseLayers * layerActivations(run, plan, false) + s.moeLayers * layerActivations(run, plan, true)) /
            std::max(s.denseLayers + s.moeLayers, 1.0) * (s.singleBlock ? (s.denseLayers + s.moeLayers) / s.layers : 1);
        // 1F1B keeps as many micro-batches in flight as there are stages; interleaving adds a share of one more round.
        const double flight = std::min<double>(microBatches, plan.pipeline);
        const double interleaved =
            plan.interleave > 1 ? 1 + (plan.pipeline - 1.0) / (static_cast<double>(plan.pipeline) * plan.interleave) : 1;
        memory.activations = mean * layersHere * flight * interleaved;
        if (plan.recompute == Recompute::full) { // the layer that is being done again
            TrainingPlan one = plan;
            one.recompute = Recompute::none;
            memory.activations +=
                std::max(layerActivations(run, one, false), s.moeLayers > 0 ? layerActivations(run, one, true) : 0);
        }
        memory.working += transientBytes(run, plan);
        const double tokens = plan.microBatch * run.sequence / plan.context;
        memory.logits = plan.pipeline > 1
            ? 0
            : run.stack.logitBytes * tokens * s.vocabulary / plan.tensor; // on the last stage, which keeps one micro-batch only
    }
    memory.reserve = run.gpu ? reserveFixed + reserveShare * memory.used() : hostReserveShare * run.memory;
    if (!run.gpu)
        memory.hostCapacity = run.memory;
    return memory;
}

} // namespace cw
