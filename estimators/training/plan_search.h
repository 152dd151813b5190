// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which parallel plans are legal for a run, and the fastest that fits. The search enumerates every combination of sizes that divide, drops
// what cannot fit by memory first, and evaluates the rest with the step model; layers are computed once for all plans that share them.
// Sequence parallelism is not a choice: it only saves, so it is used wherever the software stack has it.
// Pure and deterministic; equal times prefer fewer ranks. Up to ten milliseconds for the largest cases.
#pragma once

#include "estimators/training/memory.h"

namespace cw {

/// What a placement leaves open (0, −1 or automatic) the search chooses.
struct PlanWishes {
    Parallelism parallelism;
    int zero = -1, microBatch = 0, interleave = 0;
    Recompute recompute = Recompute::automatic;
    std::optional<bool> offload; ///< empty: only when nothing fits without
    static PlanWishes of(const Placement& placement);
    bool complete() const;
};

struct RejectedPlan {
    TrainingPlan plan;
    const char* code = ""; ///< "memory", "divisibility", "slower"
    double figure = 0;     ///< bytes needed, or seconds
};

struct PlanChoice {
    std::optional<TrainingPlan> plan; ///< empty: none fits
    StepTime step;
    TrainingMemory memory;
    TrainingPlan closest; ///< without a fit: what needs least memory
    double closestBytes = 0;
    bool exactDivision = true; ///< all devices and the whole batch are used evenly
    std::int64_t tried = 0;      ///< plans looked at
    std::int64_t tooLarge = 0;   ///< of them, what does not fit with any recomputation
    std::vector<RejectedPlan> rejected; ///< a few of each kind, most instructive first
};

/// The fastest plan that honours the wishes. With a complete wish it is that plan, whether it fits or not.
PlanChoice choosePlan(const TrainingCase& run, const PlanWishes& wishes);

/// Why a complete plan is not legal: static codes "tensor", "pipeline", "context", "expert", "devices", "batch"; empty: legal.
std::vector<const char*> illegalities(const TrainingCase& run, const TrainingPlan& plan);

} // namespace cw
