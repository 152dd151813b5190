// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one list of workload estimators: a kind of workload and the function that answers for it.
#include "estimators/base/context.h"

namespace cw {

namespace {

struct EstimatorOf {
    WorkloadEstimator operator()(const LlmTraining&) const { return estimateLlmTraining; }
    WorkloadEstimator operator()(const LlmServing&) const { return estimateLlmServing; }
    WorkloadEstimator operator()(const BatchInference&) const { return estimateBatchInference; }
    WorkloadEstimator operator()(const Service&) const { return estimateService; }
    WorkloadEstimator operator()(const Stream&) const { return estimateStream; }
    WorkloadEstimator operator()(const BatchJob&) const { return estimateBatchJob; }
    WorkloadEstimator operator()(const Hpc&) const { return estimateHpc; }
    WorkloadEstimator operator()(const Pipeline&) const { return estimatePipeline; }
};

} // namespace

WorkloadEstimator estimatorFor(const WorkloadSpec& spec) { return std::visit(EstimatorOf{}, spec); }

} // namespace cw
