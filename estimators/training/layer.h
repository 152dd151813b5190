// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time of one transformer layer, forward and backward, on one device of a plan: products, attention, memory-bound passes, exposed
// collectives, host. Depends on tensor, context and expert parallel sizes and the micro-batch only, so a plan search computes it once for
// many plans. Equations: docs/equations.md, "Training: a layer".
#pragma once

#include "estimators/training/training_case.h"

#include <array>

namespace cw {

/// One pass (forward or backward). Parts are what is exposed; `total` joins them with the host's time by a soft maximum.
struct PassTime {
    double products = 0, attention = 0, memory = 0;
    double tensor = 0, experts = 0, context = 0; ///< exposed collectives
    double sync = 0, host = 0;
    double total = 0;

    double device() const { return products + attention + memory + tensor + experts + context + sync; }
};

struct LayerTime {
    PassTime forward, backward;
    double count = 0; ///< such layers in the whole model
};

/// What the layers of one micro-batch cost on a device.
struct LayerCosts {
    std::array<LayerTime, 4> kinds; ///< those of the model: mixers with networks, or single blocks; count 0: not there
    double head = 0, embedding = 0; ///< forward and backward, of one micro-batch
    double headMemory = 0;          ///< part of head that is memory-bound
    bool tensorOverNetwork = false, expertsOverNetwork = false, contextOverNetwork = false;
};

struct LayerPlan {
    int tensor = 1, context = 1, expert = 1, microBatch = 1;
    std::int64_t contextStride = 1; ///< devices between neighbours of a context group: the tensor size
    bool interleaved = false;       ///< other chunks' compute is there to hide the exchange of experts behind
    bool operator==(const LayerPlan&) const = default;
};

LayerCosts layerCosts(const TrainingCase& run, const LayerPlan& plan);

/// (x⁴ + y⁴)^¼: what is longer hides the shorter one, but not entirely.
double softMaximum(double x, double y);

} // namespace cw
