// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/workload_shares.h"

#include <algorithm>

namespace cw {

namespace {

/// A machine that is reserved for a workload counts for it even while it waits.
constexpr double leastBusy = .02;

double busyTime(const Activity& a) {
    const double devices = a.compute + a.memory + a.waiting;
    return std::clamp(a.share, 0.0, 1.0) * std::clamp(std::max(devices, a.cpu), leastBusy, 1.0) *
        std::clamp(a.ofYear, leastBusy, 1.0);
}

/// Pipelines without machines of their own are paid for through their stages.
void addPipelines(const Project& project, std::span<const WorkloadResult> results, std::vector<double>& shares) {
    const std::vector<double> own = shares;
    for (std::size_t i = 0; i < std::min(results.size(), project.workloads.size()); ++i) {
        const auto* pipeline = std::get_if<Pipeline>(&project.workloads[i].spec);
        if (!pipeline || !results[i].activity.empty())
            continue;
        std::vector<bool> counted(own.size(), false);
        for (const Pipeline::Stage& stage : pipeline->stages) {
            for (std::size_t j = 0; j < own.size(); ++j) {
                if (!counted[j] && stage.workload && project.workloads[j].id == stage.workload) {
                    shares[i] += own[j];
                    counted[j] = true;
                }
            }
        }
    }
}

} // namespace

std::vector<double> workloadShares(const Project& project, std::span<const WorkloadResult> results,
                                   std::span<const double> weights) {
    std::vector<double> busyOfNode(weights.size(), 0);
    for (const WorkloadResult& result : results) {
        for (const Activity& a : result.activity) {
            if (a.node < busyOfNode.size())
                busyOfNode[a.node] += busyTime(a);
        }
    }
    // Unpriced or unmetered nodes still have users: then every node counts alike.
    const bool weighted = std::any_of(weights.begin(), weights.end(), [](double w) { return w > 0; });
    std::vector<double> shares(results.size(), 0);
    double all = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        for (const Activity& a : results[i].activity) {
            if (a.node >= weights.size() || !(busyOfNode[a.node] > 0))
                continue;
            const double weight = !weighted ? 1 : weights[a.node] > 0 ? weights[a.node] : 0;
            shares[i] += weight * busyTime(a) / busyOfNode[a.node];
        }
        all += shares[i];
    }
    if (all > 0) {
        for (double& share : shares)
            share /= all;
    }
    addPipelines(project, results, shares);
    return shares;
}

} // namespace cw
