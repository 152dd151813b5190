// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/training/model_shape.h"

#include <algorithm>

namespace cw {

namespace {

constexpr double scanOperations = 7; // a value of the state and token: decay, input, output

void countParameters(ModelShape& s) {
    const double h = s.hidden;
    if (s.mla)
        s.attentionParameters = h * s.qRank + s.qRank * s.heads * (s.nope + s.rope) + h * (s.kvRank + s.rope) +
            s.kvRank * s.heads * (s.nope + s.value) + s.heads * s.value * h;
    else
        s.attentionParameters = h * s.headDim * (2 * s.heads + 2 * s.kvHeads);
    s.mlpParameters = h * s.ffn * (s.gates + 1);
    s.stateParameters = h * (s.stateProjection + s.stateInner);
    s.expertParameters = (s.latent > 0 ? s.latent : h) * s.expertFfn * (s.gates + 1);
    s.sharedParameters = h * s.sharedFfn * (s.gates + 1) + 2 * h * s.latent;
    s.routerParameters = h * s.experts;
    s.embeddingParameters = s.vocabulary * h;
    s.headParameters = s.tied ? 0 : s.embeddingParameters;
    s.parameters = s.attentionLayers * s.attentionParameters + s.stateLayers * s.stateParameters + s.denseLayers * s.mlpParameters +
        s.moeLayers * (s.experts * s.expertParameters + s.sharedParameters + s.routerParameters) + s.embeddingParameters +
        s.headParameters;
}

} // namespace

double ModelShape::operationsPerToken(double sequence) const {
    if (convolutional)
        return 3 * operationsPerSample;
    const double expertBlock = expertsPerToken * expertParameters + sharedParameters + routerParameters;
    double active = attentionLayers * attentionParameters + stateLayers * stateParameters + denseLayers * mlpParameters +
        moeLayers * expertBlock + vocabulary * hidden;
    active += predictionModules * (attentionParameters + (moe ? expertBlock : mlpParameters) + 2 * hidden * hidden + vocabulary * hidden);
    const double scan = 3 * scanOperations * stateLayers * stateValues;
    return 6 * active + scan + 12 * (attentionLayers + predictionModules) * heads * headDim * sequence * attentionShare(sequence);
}

double ModelShape::attentionShare(double sequence) const {
    if (fullAttention >= 1 || sequence <= 0)
        return 1;
    return fullAttention + (1 - fullAttention) * std::min(1.0, 2 * window / sequence); // half of the square counts where it is causal
}

ModelShape modelShape(const NeuralModel& model) {
    ModelShape s;
    s.model = &model;
    s.convolutional = model.kind == "cnn" || model.hidden <= 0 || model.layers <= 0;
    s.vision = s.convolutional || model.kind == "vision_transformer";
    s.causal = !s.vision && model.family != "BERT";
    s.sinks = model.family == "gpt-oss";
    s.sequenceLimit = model.context;
    if (model.operationsPerSample)
        s.operationsPerSample = si(*model.operationsPerSample);
    if (s.convolutional) {
        s.layers = std::max(model.layers, 1);
        s.parameters = model.parametersTotal;
        if (s.operationsPerSample <= 0) // two operations a parameter, the least a network can do
            s.operationsPerSample = 2 * model.parametersTotal;
        return s;
    }
    s.gated = model.gatedMlp;
    s.gates = model.gatedMlp ? 2 : 1;
    s.tied = model.tiedEmbeddings;
    s.layers = model.layers;
    s.hidden = model.hidden;
    s.heads = std::max(model.heads, 1);
    s.kvHeads = model.kvHeads > 0 ? model.kvHeads : s.heads;
    s.headDim = model.headDim > 0 ? model.headDim : s.hidden / s.heads;
    s.ffn = model.ffn;
    s.vocabulary = model.vocabulary;
    s.moe = model.experts > 0 && model.expertsPerToken > 0;
    s.attentionLayers = model.attentionLayers > 0 ? model.attentionLayers : s.layers;
    s.stateLayers = model.stateLayers;
    s.stateInner = model.stateInner;
    s.stateProjection = model.stateProjection;
    s.stateValues = model.stateValues;
    s.predictionModules = model.predictionModules;
    s.denseLayers = s.moe ? std::clamp<double>(model.denseLayers, 0, s.layers) : s.layers;
    s.moeLayers = s.moe && model.moeLayers > 0 ? model.moeLayers : s.layers - s.denseLayers;
    s.singleBlock = s.stateLayers > 0 && s.attentionLayers + s.stateLayers < s.layers;
    if (s.singleBlock && !s.moe)
        s.denseLayers = s.layers - s.attentionLayers - s.stateLayers;
    if (model.fullAttentionLayers > 0 && model.attentionWindow > 0) {
        s.fullAttention = std::min(1.0, model.fullAttentionLayers / s.attentionLayers);
        s.window = model.attentionWindow;
    }
    if (s.moe) {
        s.experts = model.experts;
        s.expertsPerToken = model.expertsPerToken;
        s.expertFfn = model.moeFfn > 0 ? model.moeFfn : model.ffn;
        s.sharedFfn = static_cast<double>(model.sharedExperts) * model.sharedFfn;
        s.latent = model.moeLatent;
    }
    s.mla = model.mla;
    if (s.mla) {
        s.qRank = model.qLoraRank;
        s.kvRank = model.kvLoraRank;
        s.rope = model.qkRopeHeadDim;
        s.nope = model.qkNopeHeadDim;
        s.value = model.vHeadDim;
        s.headDim = (s.nope + s.rope + s.value) / 2;
    }
    countParameters(s);
    return s;
}

} // namespace cw
