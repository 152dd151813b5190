// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/training/layer.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double expertRowTile = 128; // grouped products pad each expert's rows to a tile
constexpr double castForward = .4;    // most forward operands are cast while they are written
constexpr double backwardAttentionFlops = 2.5;

/// Forward and backward time of matrix products; the backward pass has one for the input and one for the weights.
class Products {
public:
    Products(const TrainingCase& run, double efficiency)
        : m_run(run)
        , m_efficiency(efficiency) {}

    void add(double m, double n, double k, const ArithmeticRate& rate) {
        const KernelDevice& device = m_run.device;
        forward += device.product(m, n, k, rate.rate, rate.operandBytes) / m_efficiency;
        backward +=
            (device.product(m, k, n, rate.rate, rate.operandBytes) + device.product(n, k, m, rate.rate, rate.operandBytes)) /
            m_efficiency;
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
    if (stack.fusedAttention) {
        const double causal = (s.causal ? .5 : 1) * s.attentionShare;
        const double penalty = 1 + stack.headDimPenalty * std::max(0.0, 1 - s.headDim / 128);
        return {scores * causal * penalty / (stack.attentionForward * peak),
                backwardAttentionFlops * scores * causal * penalty / (stack.attentionBackward * peak)};
    }
    const double pass =
        2 * n.microBatch * s.heads * run.sequence * run.sequence / (n.tensor * n.context * run.device.streaming());
    const double product = scores / (stack.batchedProduct * peak);
    return {product + stack.scorePassesForward * pass, 2 * product + stack.scorePassesBackward * pass};
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
    const double wide = s.gates * s.expertFfn, narrow = s.expertFfn, h = s.hidden;
    products.forward += time(all, wide, h) + time(all, h, narrow);
    products.backward += time(all, h, wide) + time(all, narrow, h) + time(wide, h * local, rows) + time(h, narrow * local, rows);
    products.addCast(r, all * (h + wide) + all * (narrow + h));
    if (s.sharedFfn > 0) {
        shared.add(n.tokensPerRank, s.gates * s.sharedFfn, h, run.expert);
        shared.add(n.tokensPerRank, h, s.sharedFfn, run.expert);
    }
}

/// Dispatch or combine of the tokens among expert ranks, before overlap.
CommunicationTime allToAll(const TrainingCase& run, const Sizes& n) {
    if (n.expert < 2)
        return {};
    const ModelShape& s = run.shape;
    const RankGroup ranks = run.ranks(static_cast<int>(n.expert), 1);
    const double bytes = 2 * n.tokensPerRank * s.expertsPerToken * s.hidden;
    const double local = bytes * (ranks.inner - 1) / n.expert / (run.stack.allToAllEfficiency * run.scaleUpBandwidth);
    if (ranks.outer < 2)
        return {local, false};
    // A token crosses to a domain once, however many of its experts live there.
    const double domains = ranks.outer;
    const double crossing =
        2 * n.tokensPerRank * s.hidden * domains * (1 - std::pow(1 - 1 / domains, s.expertsPerToken)) * (1 - 1 / domains);
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

LayerTime layerTime(const TrainingCase& run, const LayerPlan& plan, const Sizes& n, bool moe, LayerCosts& costs) {
    const ModelShape& s = run.shape;
    const TrainingStack& stack = run.stack;
    const double streaming = run.device.streaming();
    Products products(run, stack.derate);
    addAttentionProducts(products, s, n, run.dense);
    double memory = 2 * n.tokens * s.hidden * stack.normPasses / (stack.sequenceParallel ? n.tensor : 1) / streaming;
    LayerTime layer;
    if (moe) {
        addExpertProducts(products, products, run, n);
        memory += n.tokensPerRank * s.expertsPerToken *
            (2 * s.hidden * stack.permutePasses + 2 * s.gates * s.expertFfn * stack.mlpPasses) / streaming;
        memory += 2 * n.tokensPerRank * s.gates * s.sharedFfn * stack.mlpPasses / streaming;
        const CommunicationTime exchange = allToAll(run, n);
        const bool acrossDomains = n.expert > run.domain;
        const double hidden = acrossDomains && plan.interleaved ? stack.hideExperts : 0;
        layer.forward.experts = layer.backward.experts = 2 * exchange.seconds * (1 - hidden); // dispatch and combine
        costs.expertsOverNetwork = exchange.network;
        layer.forward.sync = layer.backward.sync = stack.moeSync;
    } else {
        products.add(n.tokens, s.gates * s.ffn / n.tensor, s.hidden, run.dense);
        products.add(n.tokens, s.hidden, s.ffn / n.tensor, run.dense);
        memory += 2 * n.tokens * s.gates * s.ffn * stack.mlpPasses / n.tensor / streaming;
    }
    layer.forward.products = products.forward;
    layer.backward.products = products.backward;
    layer.forward.memory = memory;
    layer.backward.memory = memory * stack.backwardPasses;
    const Attention scores = attention(run, n);
    layer.forward.attention = scores.forward;
    layer.backward.attention = scores.backward;
    if (plan.tensor > 1) {
        const CommunicationTime one = stepCollective(run, 2, 2 * n.tokens * s.hidden, run.ranks(plan.tensor, 1));
        costs.tensorOverNetwork = one.network;
        layer.forward.tensor = layer.backward.tensor = (moe ? 1 : 2) * one.seconds * (1 - stack.hideTensor);
    }
    addContext(run, plan, n, layer, costs.contextOverNetwork);
    layer.forward.host = stack.hostForward + (moe ? stack.hostMoe : 0);
    layer.backward.host = stack.hostBackward + (moe ? stack.hostMoe : 0);
    join(layer.forward);
    join(layer.backward);
    return layer;
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
    if (s.denseLayers > 0)
        costs.dense = layerTime(run, plan, n, false, costs);
    if (s.moeLayers > 0)
        costs.moe = layerTime(run, plan, n, true, costs);
    const double streaming = run.device.streaming();
    if (s.vocabulary > 0) {
        costs.headMemory = 14 * n.tokens * s.vocabulary / n.tensor / streaming;
        costs.head = 3 * run.device.product(n.tokens, s.vocabulary / n.tensor, s.hidden) / run.stack.derate + costs.headMemory;
    }
    costs.embedding = 12 * n.tokens * s.hidden / streaming;
    return costs;
}

} // namespace cw
