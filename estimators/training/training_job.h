// SPDX-License-Identifier: GPL-3.0-or-later
//
// One training workload while it is being estimated: what was asked, what runs it, the plan and its step. Passed among the files that fill
// the result (figures with derivation, traffic, bottleneck, findings). Lives on the stack of estimateLlmTraining.
#pragma once

#include "estimators/training/feeding.h"
#include "estimators/training/plan_search.h"

namespace cw {

struct TrainingJob {
    EstimateContext& context;
    const Workload& workload;
    const LlmTraining& spec;
    std::span<const Placement* const> placements;
    const ModelShape& shape;
    const GroupFabric& group;
    const TrainingCase& run;
    const PlanWishes& wishes;
    const PlanChoice& choice;
    TrainingPlan plan; ///< chosen, or the closest that does not fit
    StepTime step;
    TrainingMemory memory;
    StorageAccess storage;
    double unitsPerStep = 0; ///< tokens, or samples of vision models

    bool fits() const { return choice.plan.has_value() && memory.fits(); }
    const Placement& placement() const { return *placements.front(); }
};

/// Figures with their derivation: step, throughput, MFU, memory, days, goodput and the rest.
void fillFigures(const TrainingJob& job, WorkloadResult& result);
/// Where the time goes, fullest resource first, and what binds: the one whose doubling shortens the step most.
void fillResources(const TrainingJob& job, WorkloadResult& result);
/// What collectives, pipeline, samples and checkpoints put on the drawn links.
void fillTraffic(const TrainingJob& job, WorkloadResult& result);
/// Which algorithm each collective of a step takes, and what it takes alone.
void fillCollectives(const TrainingJob& job, WorkloadResult& result);
bool isDataExchange(const CollectiveUse& use);
/// What physics allows at best; after traffic and collectives.
void fillBounds(const TrainingJob& job, WorkloadResult& result);
void fillActivity(const TrainingJob& job, WorkloadResult& result);
/// What stands in the way, and what would help.
void addTrainingFindings(const TrainingJob& job, WorkloadResult& result);

/// Operations of a step as MFU counts them: no recomputation, the whole score matrix.
double stepOperations(const TrainingJob& job);
/// Of a step: what would pass inside one scale-up domain that did the same work.
double insideSeconds(const StepTime& step);

/// Findings when nothing can be estimated at all.
Finding trainingFinding(const EstimateContext& context, const Workload& workload, Severity severity, const char* code,
                        double weight = 1);

} // namespace cw
