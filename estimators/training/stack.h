// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a software stack makes of a device: host time, overlap, passes over activations, efficiencies of attention and network. Constants
// of the catalog, kind "training_stack"; a key may be given for one architecture or device ("derate@Hopper", "derate@gb200").
// A value, read once per estimate.
#pragma once

#include "model/catalog/catalog.h"

namespace cw {

struct TrainingStack {
    const Constants* set = nullptr;
    double derate = 1, straggler = .02;
    double networkShare = .8, scaleUpShare = 1; ///< of NIC line rate, of the device's step bandwidth
    double hostForward = 0, hostBackward = 0, hostMoe = 0, hostState = 1.25e-3, fixed = 0, perMicroBatch = 0, moeSync = 0,
           moeSyncHybrid = 2e-3; ///< seconds
    double hidePipeline = 0, hideTensor = 0, hideData = 0, hideExperts = 0, contention = 0;
    bool fusedAttention = true, sequenceParallel = true, scatterSends = true, balanced = false, sharded = true;
    bool fusedSinks = true; ///< its attention kernel knows attention sinks
    bool interleaves = true; ///< its pipeline schedule can give a device several chunks (DeepSpeed's cannot)
    double attentionForward = .5, attentionBackward = .4, headDimPenalty = 0, batchedProduct = .6, scorePassesForward = 5,
           scorePassesBackward = 12;
    double normPasses = 8, mlpPasses = 4, backwardPasses = 1.6, permutePasses = 1, recomputePasses = 0, statePasses = 76;
    double gradientBytes = 2, optimizerBytes = 30;
    double logitBytes = 6; ///< a value of the logits at the fullest moment: 16-bit, 32-bit copies, their gradients as far as kernels do not fuse them
    double fp8 = .8, mx = .776, fp4 = .62, cast = 2.5; ///< efficiencies of narrow formats; cast passes
    double expertEfficiency = 1, imbalance = 1.05, allToAllEfficiency = 1;
    double levelScaleUp = 10e-6, levelNetwork = 20e-6; ///< seconds a collective pays per doubling of its ranks
    double error = .15;

    /// The name under which a key is found for this device: with its id, its architecture, or plain.
    static const char* keyFor(const Constants& set, const char* key, const Gpu* gpu);
};

/// The constants of a placement's stack, else the default of the architecture (`gpu` null: CPUs). Its `set` stays null when the catalog has
/// neither.
TrainingStack trainingStack(const Catalog& catalog, const PartId& wanted, const Gpu* gpu);

} // namespace cw
