// SPDX-License-Identifier: GPL-3.0-or-later
//
// Memory of one device of the fullest stage, by what holds it. Plain bytes; pure. Equations: docs/equations.md, "Training: memory"
// (Korthikanti et al. 2022 for activations, generalised to gated MLPs, grouped heads and experts).
#pragma once

#include "estimators/training/step.h"

namespace cw {

struct TrainingMemory {
    double weights = 0, gradients = 0, optimizer = 0, activations = 0, logits = 0,
           working = 0;       ///< working: gathered layers of sharded weights
    double reserve = 0;       ///< context, communication buffers, fragmentation
    double hostOptimizer = 0; ///< on the host, one device's share
    double capacity = 0, hostCapacity = 0;

    double used() const { return weights + gradients + optimizer + activations + logits + working + reserve; }
    bool fits() const { return used() <= capacity && hostOptimizer <= hostCapacity; }
};

TrainingMemory trainingMemory(const TrainingCase& run, const TrainingPlan& plan);

/// Bytes of activations that one layer keeps for the backward pass of one micro-batch on one device.
double layerActivations(const TrainingCase& run, const TrainingPlan& plan, bool moe);

} // namespace cw
