// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/training/step.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double bucketBytes = 100e6; // gradients travel in buckets of about this size
constexpr double hostAdamBytes = 28;  // read weights, moments and gradient, write weights and moments, fp32
constexpr double balanceSlack = 1.05; // what a layout that weighs embedding and head still misses

/// What a stage does for one micro-batch, averaged over its layers.
struct StageWork {
    double layer = 0;                          ///< forward, backward and recomputation of a mean layer
    double forward = 0, backward = 0;          ///< of it, with recomputation in the backward pass
    std::array<double, timePartCount> parts{}; ///< of a mean layer, sums to `layer`
    double products = 0, attention = 0;
};

double& at(std::array<double, timePartCount>& parts, TimePart part) { return parts[static_cast<std::size_t>(part)]; }

void addPass(StageWork& work, const PassTime& pass, const LayerCosts& costs, double weight) {
    auto& parts = work.parts;
    at(parts, TimePart::compute) += weight * (pass.products + pass.attention);
    at(parts, TimePart::memory) += weight * pass.memory;
    at(parts, costs.tensorOverNetwork ? TimePart::network : TimePart::scaleUp) += weight * pass.tensor;
    at(parts, costs.expertsOverNetwork ? TimePart::network : TimePart::scaleUp) += weight * pass.experts;
    at(parts, costs.contextOverNetwork ? TimePart::network : TimePart::scaleUp) += weight * pass.context;
    at(parts, TimePart::host) += weight * (pass.total - pass.device() + pass.sync);
    work.products += weight * pass.products;
    work.attention += weight * pass.attention;
}

/// Share of a forward pass that is done again.
void addRecompute(StageWork& work, const LayerTime& layer, const LayerCosts& costs, const TrainingCase& run, Recompute recompute,
                  double weight) {
    double again = 0;
    if (recompute == Recompute::full) {
        again = layer.forward.total;
        addPass(work, layer.forward, costs, weight);
    } else if (recompute == Recompute::selective) {
        again = layer.forward.attention + run.stack.recomputePasses * layer.forward.memory;
        at(work.parts, TimePart::compute) += weight * layer.forward.attention;
        at(work.parts, TimePart::memory) += weight * run.stack.recomputePasses * layer.forward.memory;
        work.attention += weight * layer.forward.attention;
    }
    work.backward += weight * again;
}

StageWork stageWork(const TrainingCase& run, const LayerCosts& costs, Recompute recompute) {
    StageWork work;
    const auto add = [&](const LayerTime& layer, double count) {
        const double weight = count / run.shape.layers;
        if (weight <= 0)
            return;
        addPass(work, layer.forward, costs, weight);
        addPass(work, layer.backward, costs, weight);
        work.forward += weight * layer.forward.total;
        work.backward += weight * layer.backward.total;
        addRecompute(work, layer, costs, run, recompute, weight);
    };
    for (const LayerTime& kind : costs.kinds)
        add(kind, kind.count);
    work.layer = work.forward + work.backward;
    return work;
}

/// All-gather and reduce-scatter of fully sharded weights, layer by layer, behind the layer's own compute.
double shardedExposure(const TrainingCase& run, const TrainingPlan& plan, const StageWork& work, const StageParameters& held,
                       double times, const RankGroup& shards, const RankGroup& expertShards, double& all) {
    const TrainingStack& stack = run.stack;
    const auto over = [&](double bytesPerParameter) {
        return stepCollective(run, 1, bytesPerParameter * held.layerDense, shards).seconds +
            stepCollective(run, 1, bytesPerParameter * held.layerExperts, expertShards).seconds;
    };
    const double gather = over(2), scatter = run.trained * over(stack.gradientBytes);
    const bool keep = plan.zero == 2; // weights stay after the forward pass (SHARD_GRAD_OP)
    const double forward = keep ? 0 : gather, backward = (keep ? 0 : gather) + scatter;
    const double exposedForward =
        std::max(0.0, forward - stack.hideData * work.forward) + stack.contention * std::min(forward, work.forward);
    const double exposedBackward =
        std::max(0.0, backward - stack.hideData * work.backward) + stack.contention * std::min(backward, work.backward);
    const double layers = std::ceil(run.shape.layers / plan.pipeline);
    all = times * layers * (forward + backward) + gather + scatter;
    return times * layers * (exposedForward + exposedBackward) + gather + scatter;
}

void addDataTraffic(const TrainingCase& run, const TrainingPlan& plan, const StageWork& work, const StageParameters& held,
                    StepTime& step, bool& network) {
    const RankGroup shards = dataRanks(run, plan), expertShards = expertDataRanks(run, plan);
    network = shards.outer > 1 || expertShards.outer > 1;
    if (shards.ranks() < 2 && expertShards.ranks() < 2)
        return;
    const double gradient = run.stack.gradientBytes * run.trained;
    if (plan.zero >= 2) {
        const double times = plan.pipeline > 1 ? 1 : step.microBatches;
        step.dataExposed = shardedExposure(run, plan, work, held, times, shards, expertShards, step.dataTime);
        return;
    }
    const auto both = [&](double parameters, const RankGroup& ranks) {
        const double buckets = std::max(1.0, std::ceil(gradient * parameters / bucketBytes));
        if (plan.zero == 0)
            return stepCollective(run, 2, gradient * parameters, ranks, buckets).seconds;
        const double weightBytes = 2 * run.trained;
        return stepCollective(run, 1, gradient * parameters, ranks, buckets).seconds +
            stepCollective(run, 1, weightBytes * parameters, ranks, buckets).seconds;
    };
    step.dataTime = both(held.dense, shards) + both(held.experts, expertShards);
    const double hidden = run.stack.hideData;
    step.dataExposed = hidden > 0 ? std::max((1 - hidden) * step.dataTime, step.dataTime - step.stage) : step.dataTime;
}

void addPipelineSends(const TrainingCase& run, const TrainingPlan& plan, StepTime& step, bool& network) {
    if (plan.pipeline < 2)
        return;
    const std::int64_t stride = plan.data * plan.tensor * plan.context;
    const double tokens = plan.microBatch * run.sequence / plan.context;
    const bool split = run.stack.scatterSends || run.stack.sequenceParallel;
    const double bytes = 2 * tokens * run.shape.hidden / (split ? plan.tensor : 1);
    const RankGroup ranks = run.ranks(plan.pipeline, stride);
    network = ranks.outer > 1;
    double one = bytes / run.scaleUpBandwidth + run.stack.levelScaleUp;
    if (network)
        one = networkSeconds(bytes, ranks, Neighbours::ring, run.stack.networkShare * run.networkRelief) +
            run.stack.levelNetwork + run.fabric->tierFor(static_cast<double>(ranks.span)).borderLatency;
    step.pipelineSends = 2 * one * (step.microBatches * plan.interleave * (1 - run.stack.hidePipeline) + plan.pipeline - 1);
}

void addOptimizer(const TrainingCase& run, const TrainingPlan& plan, const StageParameters& held, StepTime& step) {
    const double shards = plan.zero >= 1 ? static_cast<double>(plan.data * plan.context) : 1;
    const double expertShards =
        plan.zero >= 1 ? std::max(1.0, static_cast<double>(plan.data * plan.context) * plan.tensor / plan.expert) : 1;
    const double own = run.trained * (held.dense / shards + held.experts / expertShards);
    if (!plan.offload) {
        step.optimizer = run.stack.optimizerBytes * own / run.device.streaming();
        return;
    }
    const double link = run.hostLink > 0 ? run.hostLink : 1e300, host = run.hostBandwidth > 0 ? run.hostBandwidth : 1e300;
    // Gradients leave while the backward pass runs; the update and the way back are in nobody's shadow.
    const double out = std::max(0.0, run.stack.gradientBytes * own / link - step.microBatches * step.stage / 2);
    step.offload = out + hostAdamBytes * own / host + 2 * own / link;
}

/// Splits the step by what the mean device does; what it waits for the slowest stage and for the ends of the pipeline is bubble.
void fillParts(const TrainingCase& run, const TrainingPlan& plan, const StageWork& work, StepTime& step, bool dataNetwork,
               bool sendNetwork) {
    auto& parts = step.parts;
    const double layersHere = step.microBatches * run.shape.layers / plan.pipeline;
    for (std::size_t i = 0; i < parts.size(); ++i)
        parts[i] += layersHere * work.parts[i];
    const double ends = step.microBatches / plan.pipeline;
    at(parts, TimePart::compute) += ends * (step.layers.head - step.layers.headMemory);
    at(parts, TimePart::memory) += ends * (step.layers.headMemory + step.layers.embedding) + step.optimizer;
    at(parts, dataNetwork ? TimePart::network : TimePart::scaleUp) += step.dataExposed;
    at(parts, sendNetwork ? TimePart::network : TimePart::scaleUp) += step.pipelineSends;
    at(parts, TimePart::host) += step.fixed + step.offload;
    step.bubble =
        step.microBatches * (step.stage - step.averageStage) + (plan.pipeline - 1.0) / plan.interleave * step.averageStage;
    at(parts, TimePart::bubble) += step.bubble;
    step.exposedCommunication = at(parts, TimePart::network) + at(parts, TimePart::scaleUp);
    step.productSeconds = layersHere * work.products + ends * (step.layers.head - step.layers.headMemory);
    step.attentionSeconds = layersHere * work.attention;
}

/// Stragglers and a storage that cannot keep up stretch the whole step.
void finish(const TrainingCase& run, const TrainingPlan& plan, StepTime& step) {
    double sum = 0;
    for (const double part : step.parts)
        sum += part;
    step.stragglerFactor = 1 + run.stack.straggler * stragglerSpread(static_cast<double>(plan.devices()));
    step.seconds = sum * step.stragglerFactor;
    at(step.parts, TimePart::idle) += step.seconds - sum;
    if (run.samplesPerSecondRead > 0) {
        step.inputWait = std::max(0.0, run.batch / run.samplesPerSecondRead - step.seconds);
        at(step.parts, TimePart::storage) += step.inputWait;
        step.seconds += step.inputWait;
    }
}

} // namespace

double stragglerSpread(double devices) { return devices > 8 ? std::sqrt(2 * std::log(devices / 8)) : 0; }

StageParameters stageParameters(const ModelShape& s, const TrainingPlan& plan) {
    StageParameters held;
    const double layersHere = std::ceil(s.layers / plan.pipeline), layers = std::max(s.layers, 1.0);
    const double tp = plan.tensor;
    const double dense = s.attentionLayers * s.attentionParameters + s.stateLayers * s.stateParameters + s.denseLayers * s.mlpParameters +
        s.moeLayers * (s.sharedParameters + s.routerParameters);
    held.layerDense = dense / layers / tp;
    held.layerExperts = s.moeLayers * s.experts * s.expertParameters / layers / plan.expert;
    const double ends = plan.pipeline > 1 ? std::max(s.embeddingParameters, s.tied ? s.embeddingParameters : s.headParameters)
                                          : s.embeddingParameters + s.headParameters;
    held.dense = layersHere * held.layerDense + ends / tp;
    held.experts = layersHere * held.layerExperts;
    if (s.convolutional)
        held = {s.parameters, 0, s.parameters / layers, 0};
    return held;
}

RankGroup dataRanks(const TrainingCase& run, const TrainingPlan& plan) {
    return run.ranks(static_cast<int>(plan.data * plan.context), plan.tensor);
}

RankGroup expertDataRanks(const TrainingCase& run, const TrainingPlan& plan) {
    return run.ranks(static_cast<int>(std::max<std::int64_t>(1, plan.data * plan.context * plan.tensor / plan.expert)), plan.expert);
}

StepTime stepTime(const TrainingCase& run, const TrainingPlan& plan, const LayerCosts& layers) {
    const ModelShape& s = run.shape;
    StepTime step;
    step.layers = layers;
    step.microBatches = std::ceil(run.batch / (static_cast<double>(plan.data) * plan.microBatch) - 1e-9);
    const StageWork work = stageWork(run, layers, plan.recompute);
    const double total = s.layers * work.layer + layers.head + layers.embedding;
    const double here = std::ceil(s.layers / plan.pipeline) * work.layer;
    step.averageStage = total / plan.pipeline;
    step.stage = plan.pipeline > 1 ? here + std::max(layers.head, layers.embedding) : total;
    if (run.stack.balanced && plan.pipeline > 1)
        step.stage = std::max(step.averageStage, std::min(here + layers.head, balanceSlack * step.averageStage));
    step.fixed = run.stack.fixed + step.microBatches * run.stack.perMicroBatch;
    const StageParameters held = stageParameters(s, plan);
    bool dataNetwork = false, sendNetwork = false;
    addPipelineSends(run, plan, step, sendNetwork);
    addDataTraffic(run, plan, work, held, step, dataNetwork);
    addOptimizer(run, plan, held, step);
    fillParts(run, plan, work, step, dataNetwork, sendNetwork);
    finish(run, plan, step);
    return step;
}

StepTime stepTime(const TrainingCase& run, const TrainingPlan& plan) {
    return run.shape.convolutional ? convolutionalStep(run, plan) : stepTime(run, plan, layerCosts(run, plan.layer()));
}

StepTime convolutionalStep(const TrainingCase& run, const TrainingPlan& plan) {
    const ModelShape& s = run.shape;
    StepTime step;
    step.microBatches = std::ceil(run.batch / (static_cast<double>(plan.data) * plan.microBatch) - 1e-9);
    const double operations = 3 * s.operationsPerSample * plan.microBatch;
    const double compute = operations / (run.convolutionalShare * run.device.peak());
    const double memory = operations / 3 * run.convolutionalBytes / run.device.streaming();
    const double host = s.layers * (run.stack.hostForward + run.stack.hostBackward);
    StageWork work;
    work.forward = std::max(compute, memory) / 3;
    work.backward = 2 * work.forward;
    work.layer = softMaximum(work.forward + work.backward, host) / s.layers;
    const double busy = std::max(compute, memory);
    at(work.parts, compute >= memory ? TimePart::compute : TimePart::memory) = busy / s.layers;
    at(work.parts, TimePart::host) = work.layer - busy / s.layers;
    work.products = compute / s.layers;
    step.stage = step.averageStage = work.layer * s.layers;
    step.fixed = run.stack.fixed + step.microBatches * run.stack.perMicroBatch;
    bool dataNetwork = false;
    const StageParameters held = stageParameters(s, plan);
    addDataTraffic(run, plan, work, held, step, dataNetwork);
    addOptimizer(run, plan, held, step);
    fillParts(run, plan, work, step, dataNetwork, false);
    finish(run, plan, step);
    return step;
}

} // namespace cw
