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

/// How busy a stack is with one workload, for power, heat and cost sharing. Shares of time, 0 to 1.
struct Activity {
    std::uint32_t node = 0;
    double share = 1;     ///< of the stack's members that are in use
    double compute = 0;   ///< tensor or vector units
    double memory = 0;    ///< memory bandwidth
    double waiting = 0;   ///< exposed communication, bubbles: powered, not busy
    double cpu = 0;       ///< host cores
};

/// Shared by all workload estimators of one alternative.
struct EstimateContext {
    const ResolvedDesign& design;
    const Fabric& fabric;
    const Catalog& catalog;
    const EstimateOptions& options;
    Relief relief;
    Derivation& derivation;
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
