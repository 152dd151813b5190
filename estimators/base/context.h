// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every workload estimator gets and gives. One function per workload kind, registered in estimators/registry.cpp.
#pragma once

#include "estimators/base/resolved.h"
#include "estimators/estimate.h"
#include "estimators/network/fabric.h"

#include <deque>
#include <span>
#include <vector>

namespace cw {

/// Multipliers on resources, all 1 normally; the bottleneck gain is found by estimating again with one of them at 2.
struct Relief {
    double gpuCompute = 1, gpuMemoryBandwidth = 1, gpuMemory = 1, scaleUp = 1, network = 1, cpu = 1, storage = 1, host = 1;
};

/// How busy a stack is with one workload, for power, heat and cost sharing. Shares of *time*, 0 to 1: what a clock beside the device would
/// see, not the share of a peak rate. compute + memory + waiting ≤ 1; the rest is idle. A training step that spends 80 % in matrix kernels
/// (at whatever efficiency) and 15 % in exposed collectives has compute .8, waiting .15; a decode step has memory near 1.
struct Activity {
    std::uint32_t node = 0;
    double share = 1;     ///< of the stack's members that are in use
    double compute = 0;   ///< compute-bound kernels run
    double memory = 0;    ///< memory-bound kernels run
    double waiting = 0;   ///< exposed communication, bubbles: powered, not busy
    double cpu = 0;       ///< of the machine's host cores, mean utilisation while it runs
    double ofYear = 1;    ///< of the year's hours that it runs so; the assembly sets it from the load profile or the site's utilisation
    double onOfYear = 1;  ///< of the year's machine-hours that the machines are switched on for it
};

struct WorkloadResult;

/// Shared by all workload estimators of one alternative.
struct EstimateContext {
    const ResolvedDesign& design;
    const Fabric& fabric;
    const Catalog& catalog;
    const EstimateOptions& options;
    Relief relief;
    Derivation& derivation;
    /// By the order of the project's workloads: finished results of the kinds a pipeline's stages refer to; null while those are being
    /// estimated themselves. Pipelines come last; what follows the workloads (power, cost) finds all of them here.
    const std::vector<WorkloadResult>* results = nullptr;
};

struct WorkloadResult {
    WorkloadEstimate estimate;
    std::vector<Traffic> traffic;     ///< groups referred to live in `groups`
    std::deque<GroupFabric> groups;
    std::vector<Activity> activity;
    std::vector<Finding> findings;
    double unitsPerSecond = 0;        ///< of paid work, for cost per unit: tokens, requests, items, events, jobs, steps
    Unit unitCost = Unit::dollarsPerMillionRequests;
};

/// All placements of one workload in this alternative (empty: not placed).
using WorkloadEstimator = WorkloadResult (*)(EstimateContext&, const Workload&, std::span<const Placement* const>);

WorkloadResult estimateLlmTraining(EstimateContext&, const Workload&, std::span<const Placement* const>);
WorkloadResult estimateLlmServing(EstimateContext&, const Workload&, std::span<const Placement* const>);
WorkloadResult estimateBatchInference(EstimateContext&, const Workload&, std::span<const Placement* const>);
WorkloadResult estimateService(EstimateContext&, const Workload&, std::span<const Placement* const>);
WorkloadResult estimateStream(EstimateContext&, const Workload&, std::span<const Placement* const>);
WorkloadResult estimateBatchJob(EstimateContext&, const Workload&, std::span<const Placement* const>);
WorkloadResult estimateHpc(EstimateContext&, const Workload&, std::span<const Placement* const>);
WorkloadResult estimatePipeline(EstimateContext&, const Workload&, std::span<const Placement* const>);

/// The estimator of a kind.
WorkloadEstimator estimatorFor(const WorkloadSpec& spec);

} // namespace cw
