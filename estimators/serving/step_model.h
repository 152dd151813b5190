// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time of one step of a serving replica: decode for a batch, prefill of a prompt. The equations of the serving study (docs/
// equations-serving.md, "Serving") with everything that does not change from step to step folded into coefficients, so that one call costs
// about a hundred nanoseconds. The coefficients come from replica.h for GPUs and CPUs alike. Pure and thread-safe, no allocation.
#pragma once

#include <cmath>

namespace cw {

/// A soft maximum: (x⁴ + y⁴)^(1/4).
inline double softMax(double x, double y)
{
    const double x2 = x * x, y2 = y * y;
    return std::sqrt(std::sqrt(x2 * x2 + y2 * y2));
}

/// Seconds by what they are spent on.
struct StepParts {
    double compute = 0, memory = 0, host = 0, scaleUp = 0, network = 0;
    double total() const { return compute + memory + host + scaleUp + network; }
    StepParts& operator+=(const StepParts& other);
    StepParts operator*(double factor) const;
};

/// Seconds of one collective of n bytes, as fixed + n · perByte.
struct CollectiveCost {
    double fixed = 0, perByte = 0;
    double seconds(double bytes) const { return fixed + perByte * bytes; }
};

struct StepModel {
    // Decode, a step: seconds; "per row" is a token of the micro-batch of one attention rank.
    double mixerMemory = 0, mixerPerRow = 0;
    double denseMemory = 0, densePerRow = 0;
    double headMemory = 0;
    double expertMemory = 0;       ///< one expert in every MoE layer
    double sharedMemory = 0;       ///< shared experts of every MoE layer
    double expertPerToken = 0;     ///< compute of k experts and the shared ones, all MoE layers; tokens of all attention ranks
    double experts = 0, expertsPerToken = 0;
    double kvMemory = 0, kvPerRow = 0; ///< per row, context token and attention layer
    double stateMemory = 0;        ///< per row: state of linear-attention layers, read and written
    double hostFixed = 0, hostPerSequence = 0;
    double hostSequencePower = 1;  ///< host time of b sequences grows as b to this power
    double hostOverlap = 1;        ///< p of (device^p + host^p)^(1/p); 1: one after the other
    double allReduces = 0;         ///< a step: two a layer
    CollectiveCost allReduce;      ///< of one, per byte of the reduced vector
    bool allReduceOverNetwork = false;
    double allToAlls = 0;          ///< a step: two a MoE layer, 0 without attention-data parallelism
    CollectiveCost allToAll;       ///< per byte that a rank sends
    bool allToAllOverNetwork = false;
    double rowBytes = 0;           ///< of a hidden vector (2 h)
    double dispatchBytesPerToken = 0; ///< of the expert exchange, a token of the whole batch and one all-to-all
    double stageHop = 0, stageHopPerByte = 0; ///< between pipeline stages, all hops together

    // Prefill.
    double linearPerToken = 0;     ///< matrix products without experts
    double expertPrefillPerToken = 0;
    double attentionPerPair = 0;   ///< per query-key pair and attention layer
    double elementwisePerToken = 0;
    double prefillHost = 0;        ///< launching a prompt's kernels, where the host overlaps the device
    bool prefillAlone = false;     ///< prompts have steps of their own: they read the weights and pay the collectives' latency
    double chunk = 8192;           ///< tokens an expert's weights are read for once

    // Attention layers, as ServedModel::kvLayers.
    double fullLayers = 0, windowLayers = 0, window = 0;

    int attentionRanks = 1;        ///< dp: each holds its own sequences
    int stages = 1;                ///< pp: as many micro-batches circulate

    double kvLayers(double context) const;
    double expertsTouched(double tokens) const;

    /// One step of `sequences` in flight on the replica at a mean context, each with `tokens` new tokens (above 1: speculative decoding
    /// verifies several), at least one sequence. With a pipeline, the time a micro-batch takes through all stages.
    double decode(double sequences, double context, double tokens = 1) const;
    StepParts decodeParts(double sequences, double context, double tokens = 1) const;

    /// Prefill of `fresh` prompt tokens behind `cached` ones, added to steps that serve `batch` sequences. `pairFactor` is
    /// E[s²]/E[s]² of the prompt lengths. Of one prompt; the replica works on attentionRanks · stages of them at once.
    double prefill(double fresh, double cached, double batch, double pairFactor = 1) const;
    StepParts prefillParts(double fresh, double cached, double batch, double pairFactor = 1) const;

    /// Prompts that are worked on side by side: what divides a prompt's time when the replica's throughput counts.
    double promptsAbreast() const { return static_cast<double>(attentionRanks) * stages; }
};

} // namespace cw
