// SPDX-License-Identifier: GPL-3.0-or-later
//
// A neural network as the serving equations see it: parameters by group, bytes of each group at the precisions served, and what a token
// leaves in the KV cache. Plain numbers, made once per estimate from the catalog's dimensions. Thread-safe.
#pragma once

#include "model/catalog/part.h"

#include <algorithm>
#include <optional>

namespace cw {

/// Parameters are counts, bytes are per parameter or value, "layer" sums run over all layers of their kind.
struct ServedModel {
    const NeuralModel* source = nullptr;
    Precision weights = Precision::fp8, kv = Precision::fp8;

    double layers = 0, moeLayers = 0;
    double hidden = 0, vocabulary = 0;
    double mixer = 0;  ///< attention and state projections, all layers
    double dense = 0;  ///< dense feed-forward, all dense layers
    double expert = 0; ///< one expert of one layer
    double shared = 0; ///< shared experts of one layer
    double experts = 0, expertsPerToken = 0;
    bool mla = false;

    double heads = 0, kvHeads = 0;
    double kvValues = 0;                      ///< per token and attention layer
    double widthPrefill = 0, widthDecode = 0; ///< q/k/v width a token that attention works on
    double fullLayers = 0;                    ///< attention layers that see every position
    double windowLayers = 0, window = 0;      ///< attention layers that see the last `window` positions
    double stateValues = 0;                   ///< per sequence, all state layers

    double bytesMixer = 2, bytesDense = 2, bytesExpert = 2, bytesKv = 2;
    static constexpr double bytesHead = 2; ///< embedding and head stay at 16 bits

    /// Layers that read the whole context, or the share of it that a window leaves: Σ min(1, window/context).
    double kvLayers(double context) const;
    /// Parameters that work on one token, without embedding and head.
    double activeParameters() const { return mixer + dense + moeLayers * (expertsPerToken * expert + shared); }
    double layerParameters() const { return mixer + dense + moeLayers * (experts * expert + shared); }
    double embeddingParameters() const { return (source && source->tiedEmbeddings ? 1 : 2) * hidden * vocabulary; }
    /// Bytes of all weights, stored once.
    double weightBytes() const;
    /// Bytes that one token of context holds in the KV cache of one copy.
    double kvBytesPerToken(double context) const { return kvLayers(context) * kvValues * bytesKv; }
    double stateBytes() const { return 2 * stateValues; }
    /// Experts of a layer that at least one of n tokens is routed to, E (1 - (1 - k/E)^n).
    double expertsTouched(double tokens) const;
};

/// Empty for networks that do not generate tokens (convolutional and vision models, or no dimensions).
std::optional<ServedModel> servedModel(const NeuralModel& model, Precision weights, Precision kv);

} // namespace cw
