// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/training/layer.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double expertRowTile = 128; // grouped products pad each expert's rows to a tile
constexpr double castForward = .4;    // most forward operands are cast while they are written
constexpr double backwardAttentionFlops = 2.5;
constexpr double tensorCoreAlignment = 8; // values, 16 bytes
constexpr double unalignedShare = 1. / 32; // of the peak: batched products fall back to ordinary cores (BLOOM runs with heads of 225 and 108)

/// Forward and backward time of matrix products; the backward pass has one for the input and, unless they are frozen, one for the weights.
class Products {
public:
    Products(const TrainingCase& run, double efficiency)
        : m_run(run)
        , m_efficiency(efficiency) {}

    void add(double m, double n, double k, const ArithmeticRate& rate) {
        const KernelDevice& device = m_run.device;
        forward += device.product(m, n, k, rate.rate, rate.operandBytes) / m_efficiency;
        backward += device.product(m, k, n, rate.rate, rate.operandBytes) / m_efficiency;
        if (!m_run.frozen)
            backward += device.product(n, k, m, rate.rate, rate.operandBytes) / m_efficiency;
        addCast(rate, m * k + m * n);
    }
    void addCast(const ArithmeticRate& rate, double elements) {
        if (rate.cast <= 0)
            return;
        const double seconds = rate.cast * elements / m_run.device.streaming();
        forward += castForward * seconds;
        backward += seconds;
    }

    double forward = 0, backward = 0;

private:
    const TrainingCase& m_run;
    double m_efficiency;
};

struct Sizes {
    double tokens, tensor, context, expert, microBatch;
    double tokensPerRank; ///< of a tensor group, when activations are split along the sequence
};

void addAttentionProducts(Products& products, const ModelShape& s, const Sizes& n, const ArithmeticRate& rate) {
    const double t = n.tokens, tp = n.tensor;
    if (s.mla) {
        products.add(t, s.qRank, s.hidden, rate);
        products.add(t, (s.nope + s.rope) * s.heads / tp, s.qRank, rate);
        products.add(t, s.kvRank + s.rope, s.hidden, rate);
        products.add(t, (s.nope + s.value) * s.heads / tp, s.kvRank, rate);
        products.add(t, s.hidden, s.value * s.heads / tp, rate);
        return;
    }
    const double keyHeads = std::max(s.kvHeads / tp, 1.0); // replicated where there are more ranks than heads
    products.add(t, (s.heads / tp + 2 * keyHeads) * s.headDim, s.hidden, rate);
    products.add(t, s.hidden, s.heads * s.headDim / tp, rate);
}

struct Attention {
    double forward, backward;
};

Attention attention(const TrainingCase& run, const Sizes& n) {
    const ModelShape& s = run.shape;
    const TrainingStack& stack = run.stack;
    const double scores = 4 * n.microBatch * run.sequence * run.sequence * s.heads * s.headDim / (n.tensor * n.context);
    const double peak = run.device.peak();
    if (stack.fusedAttention && (stack.fusedSinks || !s.sinks)) {
        const double causal = (s.causal ? .5 : 1) * s.attentionShare(run.sequence);
        const double penalty = 1 + stack.headDimPenalty * std::max(0.0, 1 - s.headDim / 128);
        return {scores * causal * penalty / (stack.attentionForward * peak),
                backwardAttentionFlops * scores * causal * penalty / (stack.attentionBackward * peak)};
    }
    const double pass =
        2 * n.microBatch * s.heads * run.sequence * run.sequence / (n.tensor * n.context * run.device.streaming());
    const bool aligned = std::fmod(s.headDim, tensorCoreAlignment) == 0;
    const double product = scores / ((aligned ? stack.batchedProduct : unalignedShare) * peak);
    const double whole = s.sinks ? s.attentionShare(run.sequence) : 1; // layers with a window have a kernel of their own
    return {whole * (product + stack.scorePassesForward * pass), whole * (2 * product + stack.scorePassesBackward * pass)};
}

/// Tokens that one expert gets on a device, padded.
double expertRows(const TrainingCase& run, const Sizes& n) {
    const ModelShape& s = run.shape;
    const double each = n.tokensPerRank * n.expert * s.expertsPerToken * run.stack.imbalance / s.experts;
    return std::ceil(each / expertRowTile) * expertRowTile;
}

void addExpertProducts(Products& products, Products& shared, const TrainingCase& run, const Sizes& n) {
    const ModelShape& s = run.shape;
    const double rows = expertRows(run, n), local = s.experts / n.expert, all = rows * local;
    const KernelDevice& device = run.device;
    const ArithmeticRate& r = run.expert;
    const double efficiency = run.stack.expertEfficiency * run.stack.derate;
    const auto time = [&](double m, double width, double depth) {
        return device.product(m, width, depth, r.rate, r.operandBytes) / efficiency;
    };
    const double wide = s.gates * s.expertFfn, narrow = s.expertFfn, h = s.latent > 0 ? s.latent : s.hidden;
    products.forward += time(all, wide, h) + time(all, h, narrow);
    products.backward += time(all, h, wide) + time(all, narrow, h);
    if (!run.frozen)
        products.backward += time(wide, h * local, rows) + time(h, narrow * local, rows);
    products.addCast(r, all * (h + wide) + all * (narrow + h));
    if (s.sharedFfn > 0) {
        shared.add(n.tokensPerRank, s.gates * s.sharedFfn, s.hidden, run.expert);
        shared.add(n.tokensPerRank, s.hidden, s.sharedFfn, run.expert);
    }
    if (s.latent > 0) {
        shared.add(n.tokensPerRank, s.latent, s.hidden, run.expert);
        shared.add(n.tokensPerRank, s.hidden, s.latent, run.expert);
    }
}

/// Dispatch or combine of the tokens among expert ranks, before overlap.
CommunicationTime allToAll(const TrainingCase& run, const Sizes& n) {
    if (n.expert < 2)
        return {};
    const ModelShape& s = run.shape;
    const RankGroup ranks = run.ranks(static_cast<int>(n.expert), 1);
    const double width = s.latent > 0 ? s.latent : s.hidden;
    const double bytes = 2 * n.tokensPerRank * s.expertsPerToken * width;
    const double local = bytes * (ranks.inner - 1) / n.expert / (run.stack.allToAllEfficiency * run.scaleUpBandwidth);
    if (ranks.outer < 2)
        return {local, false};
    // A token crosses to a domain once, however many of its experts live there.
    const double domains = ranks.outer;
    const double crossing =
        2 * n.tokensPerRank * width * domains * (1 - std::pow(1 - 1 / domains, s.expertsPerToken)) * (1 - 1 / domains);
    const FabricTier& top = run.fabric->tierFor(static_cast<double>(ranks.span));
    const double network =
        networkSeconds(crossing, ranks, Neighbours::everybody, run.stack.networkShare * run.networkRelief) + top.borderLatency;
    return {std::max(local, network), network > local};
}

void join(PassTime& pass) { pass.total = softMaximum(pass.device(), pass.host); }

/// Exchange of keys and values among context ranks against the attention it can hide behind.
void addContext(const TrainingCase& run, const LayerPlan& plan, const Sizes& n, LayerTime& layer, bool& overNetwork) {
    if (plan.context < 2)
        return;
    const ModelShape& s = run.shape;
    const RankGroup ranks = run.ranks(plan.context, plan.contextStride);
    const double bytes = 4 * n.tokens * std::max(s.kvHeads / n.tensor, 1.0) * s.headDim * (plan.context - 1);
    double seconds = bytes / run.scaleUpBandwidth;
    if (ranks.outer > 1) {
        const double network = networkSeconds(bytes, ranks, Neighbours::ring, run.stack.networkShare * run.networkRelief);
        const double border = (plan.context - 1) * run.fabric->tierFor(static_cast<double>(ranks.span)).borderLatency;
        overNetwork = network > seconds;
        seconds = std::max(seconds, network) + border;
    }
    layer.forward.context = std::max(0.0, seconds - layer.forward.attention);
    layer.backward.context = std::max(0.0, 2 * seconds - layer.backward.attention);
}

/// What a layer is made of.
struct Blocks {
    bool attention = false, state = false, dense = false, moe = false;
    double halves() const { return ((attention || state) + (dense || moe)) / 2.0; } ///< of a whole layer
};

void addExperts(const TrainingCase& run, const LayerPlan& plan, const Sizes& n, Products& products, LayerTime& layer, double& bytes,
                LayerCosts& costs) {
    const ModelShape& s = run.shape;
    const TrainingStack& stack = run.stack;
    addExpertProducts(products, products, run, n);
    const double width = s.latent > 0 ? s.latent : s.hidden;
    bytes += n.tokensPerRank * s.expertsPerToken * (2 * width * stack.permutePasses + 2 * s.gates * s.expertFfn * stack.mlpPasses);
    bytes += 2 * n.tokensPerRank * s.gates * s.sharedFfn * stack.mlpPasses;
    const CommunicationTime exchange = allToAll(run, n);
    const bool acrossDomains = n.expert > run.domain;
    const double hidden = acrossDomains && plan.interleaved ? stack.hideExperts : 0;
    layer.forward.experts = layer.backward.experts = 2 * exchange.seconds * (1 - hidden); // dispatch and combine
    costs.expertsOverNetwork = exchange.network;
    layer.forward.sync = layer.backward.sync = s.singleBlock ? stack.moeSyncHybrid : stack.moeSync;
}

LayerTime layerTime(const TrainingCase& run, const LayerPlan& plan, const Sizes& n, const Blocks& blocks, LayerCosts& costs) {
    const ModelShape& s = run.shape;
    const TrainingStack& stack = run.stack;
    Products products(run, stack.derate);
    LayerTime layer;
    double bytes = 2 * n.tokens * s.hidden * stack.normPasses * blocks.halves() / (stack.sequenceParallel ? n.tensor : 1);
    double reduces = 0; // all-reduces over the tensor group, a pass
    if (blocks.attention) {
        addAttentionProducts(products, s, n, run.dense);
        const Attention scores = attention(run, n);
        layer.forward.attention = scores.forward;
        layer.backward.attention = scores.backward;
        ++reduces;
    }
    if (blocks.state) {
        products.add(n.tokens, s.stateProjection / n.tensor, s.hidden, run.dense);
        products.add(n.tokens, s.hidden, s.stateInner / n.tensor, run.dense);
        bytes += 2 * n.tokens * s.stateInner * stack.statePasses / n.tensor;
        ++reduces;
    }
    if (blocks.dense) {
        products.add(n.tokens, s.gates * s.ffn / n.tensor, s.hidden, run.dense);
        products.add(n.tokens, s.hidden, s.ffn / n.tensor, run.dense);
        bytes += 2 * n.tokens * s.gates * s.ffn * stack.mlpPasses / n.tensor;
        ++reduces;
    }
    if (blocks.moe)
        addExperts(run, plan, n, products, layer, bytes, costs);
    layer.forward.products = products.forward;
    layer.backward.products = products.backward;
    layer.forward.memory = bytes / run.device.streaming();
    layer.backward.memory = layer.forward.memory * stack.backwardPasses;
    if (plan.tensor > 1 && reduces > 0) {
        RankGroup ranks = run.ranks(plan.tensor, 1);
        ranks.inSwitch &= !stack.sequenceParallel; // that scatters and gathers, so nothing is summed whole
        const CommunicationTime one = stepCollective(run, 2, 2 * n.tokens * s.hidden, ranks);
        costs.tensorOverNetwork = one.network;
        layer.forward.tensor = layer.backward.tensor = reduces * one.seconds * (1 - stack.hideTensor);
    }
    if (blocks.attention)
        addContext(run, plan, n, layer, costs.contextOverNetwork);
    const double more = (blocks.moe ? stack.hostMoe : 0) + (blocks.state ? stack.hostState : 0);
    layer.forward.host = stack.hostForward * blocks.halves() + more;
    layer.backward.host = stack.hostBackward * blocks.halves() + more;
    join(layer.forward);
    join(layer.backward);
    return layer;
}

/// The kinds of layers of a model and how many there are of each.
void addKinds(const TrainingCase& run, const LayerPlan& plan, const Sizes& n, LayerCosts& costs) {
    const ModelShape& s = run.shape;
    std::size_t next = 0;
    const auto add = [&](const Blocks& blocks, double count) {
        if (count <= 0 || next == costs.kinds.size())
            return;
        costs.kinds[next] = layerTime(run, plan, n, blocks, costs);
        costs.kinds[next++].count = count;
    };
    if (s.singleBlock) {
        add({.attention = true}, s.attentionLayers);
        add({.state = true}, s.stateLayers);
        add({.dense = true}, s.denseLayers);
        add({.moe = true}, s.moeLayers);
        return;
    }
    // Mixers and networks are independent of each other; attention goes with either in proportion.
    const double attention = s.layers > 0 ? s.attentionLayers / s.layers : 1;
    add({.attention = true, .dense = true}, s.denseLayers * attention);
    add({.attention = true, .moe = true}, s.moeLayers * attention);
    add({.state = true, .dense = true}, s.denseLayers * (1 - attention));
    add({.state = true, .moe = true}, s.moeLayers * (1 - attention));
}

/// One more layer and head for every module that predicts a further token; they count with the ends of the pipeline.
double predictionSeconds(const TrainingCase& run, const LayerCosts& costs) {
    if (run.shape.predictionModules <= 0)
        return 0;
    double layer = 0;
    for (const LayerTime& kind : costs.kinds)
        if (kind.count > 0)
            layer = kind.forward.total + kind.backward.total; // the last kind is the one most layers are of
    return run.shape.predictionModules * (layer + costs.head);
}

} // namespace

double softMaximum(double x, double y) {
    if (y <= 0)
        return x;
    const double a = x * x, b = y * y;
    return std::sqrt(std::sqrt(a * a + b * b));
}

LayerCosts layerCosts(const TrainingCase& run, const LayerPlan& plan) {
    const ModelShape& s = run.shape;
    Sizes n{};
    n.tensor = plan.tensor;
    n.context = plan.context;
    n.expert = plan.expert;
    n.microBatch = plan.microBatch;
    n.tokens = plan.microBatch * run.sequence / plan.context;
    n.tokensPerRank = n.tokens / plan.tensor;
    LayerCosts costs;
    addKinds(run, plan, n, costs);
    const double streaming = run.device.streaming();
    if (s.vocabulary > 0) {
        costs.headMemory = 14 * n.tokens * s.vocabulary / n.tensor / streaming;
        const double passes = run.frozen ? 2 : 3;
        costs.head = passes * run.device.product(n.tokens, s.vocabulary / n.tensor, s.hidden) / run.stack.derate + costs.headMemory;
        costs.head += predictionSeconds(run, costs);
    }
    costs.embedding = 12 * n.tokens * s.hidden / streaming;
    return costs;
}

} // namespace cw
