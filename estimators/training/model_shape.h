// SPDX-License-Identifier: GPL-3.0-or-later
//
// A neural network as the training step sees it: dimensions as doubles and parameter counts by the part that is sharded alike.
// A value; made once per estimate.
#pragma once

#include "model/catalog/catalog.h"

namespace cw {

struct ModelShape {
    const NeuralModel* model = nullptr;
    bool convolutional = false, vision = false, moe = false, mla = false;
    bool causal = true, gated = false, tied = false;
    double layers = 0;
    /// Blocks by what they do. In a transformer a layer is a mixer (attention, or a state-space mixer) with a network (dense or experts); in
    /// single-block hybrids (Nemotron) a layer is one block.
    double attentionLayers = 0, stateLayers = 0, denseLayers = 0, moeLayers = 0;
    bool singleBlock = false;
    double stateInner = 0, stateProjection = 0; ///< widths of a state-space mixer
    double stateValues = 0;                     ///< state of one of its layers
    double latent = 0;                          ///< width the experts work in; 0: hidden
    double predictionModules = 0;               ///< multi-token prediction: one more layer and head each
    bool sinks = false;                         ///< attention sinks, which early kernels do not fuse
    double hidden = 0, heads = 0, kvHeads = 0, headDim = 0; ///< headDim: mean of what scores and values use
    double ffn = 0, vocabulary = 0, gates = 1;              ///< gates: matrices into the hidden width of the MLP, 1 or 2
    double experts = 0, expertsPerToken = 0, expertFfn = 0, sharedFfn = 0;
    double qRank = 0, kvRank = 0, rope = 0, nope = 0, value = 0; ///< MLA
    double fullAttention = 1, window = 0; ///< share of attention layers that see all positions; positions of the others
    int sequenceLimit = 0;

    // Parameters of one layer, whole model.
    double attentionParameters = 0, stateParameters = 0, mlpParameters = 0;  ///< a block
    double expertParameters = 0, sharedParameters = 0, routerParameters = 0; ///< MoE block: one expert; shared ones together, latent projections
    double embeddingParameters = 0, headParameters = 0;                      ///< head 0 when tied
    double parameters = 0;                                                   ///< all, by these dimensions

    double operationsPerSample = 0; ///< convolutional: forward of one image

    /// Operations of forward and backward of one token in a sequence of this length, no recomputation, full score matrix counted
    /// (convention of PaLM and Megatron). Convolutional: of one sample.
    double operationsPerToken(double sequence) const;
    /// Of the score matrix of a sequence, averaged over the attention layers: 1 unless some look through a window.
    double attentionShare(double sequence) const;
};

ModelShape modelShape(const NeuralModel& model);

} // namespace cw
