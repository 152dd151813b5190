// SPDX-License-Identifier: GPL-3.0-or-later
//
// The machines of a placement as equal serving replicas: groups stacks of the same machine, counts how many replicas of a layout they
// hold, and chooses the layout where the placement says auto: weights at most 70 % of the memory if any layout manages that, then the
// highest rate within the targets of all machines together. One pool per kind of machine in a placement. No state between calls.
#pragma once

#include "estimators/serving/batching.h"

#include <deque>
#include <vector>

namespace cw {

/// Why a placement cannot serve, or what was amiss. Codes of findings.
struct ServingIssue {
    const char* code = "";
    const Placement* placement = nullptr;
    int node = -1;
    double need = 0, have = 0;
    int suggestedTensor = 0; ///< of a layout that would do; 0: none known
};

struct ServingPool {
    ServingPool(const Placement& of, std::vector<std::uint32_t> onNodes, const ReplicaSite& at, const ServedModel& served, ReplicaLoad loaded)
        : placement(&of), nodes(std::move(onNodes)), site(at), model(served), load(std::move(loaded))
    {
    }

    const Placement* placement;
    std::vector<std::uint32_t> nodes; ///< indices of machines
    ReplicaSite site;
    ServedModel model;
    ReplicaLoad load;
    std::int64_t replicas = 0, mostReplicas = 0;
    std::int64_t devices = 0;         ///< of all machines: GPUs, or machines without
    bool chosen = false;              ///< the layout was
    std::vector<ChosenPlan::Rejected> rejected;
    double weight = 1;                ///< of its lane's requests
    double up = 1;                    ///< share of the time in which a replica is not broken

    const Machine& machine() const { return *site.machine; }
    const Replica& replica() const { return load.replica(); }
    double share() const; ///< of the machines that work
    /// Replicas that share the requests, mean over time.
    double working() const { return up * static_cast<double>(std::max<std::int64_t>(1, replicas)); }
    double largestRate() const { return up * static_cast<double>(replicas) * load.largestRate(); }
    double rateWithin(const ServingTargets& targets, double extra) const;
    /// The same machines and layout with resources relieved.
    ServingPool relieved(const Relief& relief) const;
};

/// What all pools of a workload share.
struct ServingRequest {
    const LlmServing* spec = nullptr;
    ServingTargets targets;
};

/// Replicas of a layout that a stack group holds; groups never straddle a scale-up domain that could hold them.
std::int64_t replicasOf(const Machine& machine, std::int64_t devices, const ReplicaLayout& layout);

/// Pools of one placement; issues instead where it cannot serve. Groups of fabric for layouts that leave a machine are kept in `groups`.
std::vector<ServingPool> servingPools(EstimateContext& context, const ServingRequest& request, const NeuralModel& model,
                                      const Placement& placement, std::deque<GroupFabric>& groups, std::vector<ServingIssue>& issues);

} // namespace cw
