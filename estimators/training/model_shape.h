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
    double layers = 0, denseLayers = 0, moeLayers = 0;
    double hidden = 0, heads = 0, kvHeads = 0, headDim = 0; ///< headDim: mean of what scores and values use
    double ffn = 0, vocabulary = 0, gates = 1;              ///< gates: matrices into the hidden width of the MLP, 1 or 2
    double experts = 0, expertsPerToken = 0, expertFfn = 0, sharedFfn = 0;
    double qRank = 0, kvRank = 0, rope = 0, nope = 0, value = 0; ///< MLA
    double attentionShare = 1; ///< of the score matrix that is computed: half where every other layer looks through a window
    int sequenceLimit = 0;

    // Parameters of one layer, whole model.
    double attentionParameters = 0, mlpParameters = 0;                       ///< dense layer
    double expertParameters = 0, sharedParameters = 0, routerParameters = 0; ///< MoE layer: one expert; shared ones together
    double embeddingParameters = 0, headParameters = 0;                      ///< head 0 when tied
    double parameters = 0;                                                   ///< all, by these dimensions

    double operationsPerSample = 0; ///< convolutional: forward of one image

    /// Operations of forward and backward of one token in a sequence of this length, no recomputation, full score matrix counted
    /// (convention of PaLM and Megatron). Convolutional: of one sample.
    double operationsPerToken(double sequence) const;
};

ModelShape modelShape(const NeuralModel& model);

} // namespace cw
