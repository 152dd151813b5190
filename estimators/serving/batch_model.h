// SPDX-License-Identifier: GPL-3.0-or-later
//
// Batch inference on its machines: one batch server a GPU (or a share of one), or several on the cores of a CPU machine, behind a
// balancer that does not look at queues. Work of an item comes from a model's dimensions or from stated operations and bytes.
#pragma once

#include "estimators/serving/batch_server.h"
#include "estimators/serving/serving_constants.h"
#include "estimators/services/latency_model.h"
#include "model/design/workload.h"

namespace cw {

/// What an item and a batch ask of a device.
struct ItemWork {
    double operations = 0;   ///< an item
    double memoryBytes = 0;  ///< an item: activations and input
    double weightBytes = 0;  ///< a batch
    double layers = 1;       ///< groups of kernels launched a batch
    double batchOverhead = 0; ///< s a batch besides: copies there and back
    double divergence = 1;   ///< slows the arithmetic of GPUs: their lanes take all branches
    bool convolutional = false;
    bool kernelOnly = false; ///< stated numbers: kernels without a server around them
    bool known() const { return operations > 0 || memoryBytes > 0 || weightBytes > 0; }
};
ItemWork itemWork(const BatchInference& spec, const NeuralModel* model, Precision precision, const Catalog& catalog);

/// Equal servers of one stack.
struct BatchPool {
    BatchPool(const BatchServer& equal, const Placement& of, const Machine& on, std::uint32_t at)
        : server(equal), placement(&of), machine(&on), node(at) {}

    BatchServer server;
    const Placement* placement;
    const Machine* machine;
    std::uint32_t node;
    double servers = 0;         ///< in the whole stack
    double devicesInUse = 0;    ///< share of the stack
    int coresPerServer = 0;     ///< on CPUs
    double weight = 0;          ///< of the arrivals
    double errorLatency = .4, errorCapacity = .35;
    double peak = 0, efficiency = 0; ///< of one server
    const Constants* deviceSet = nullptr;
    const char* efficiencyKey = "";
    double up = 1;              ///< share of the time in which a server is not broken
    double largestRate() const { return up * servers * server.largestRate(); }
};

struct BatchIssue {
    const char* code = "";
    const Placement* placement = nullptr;
    int node = -1;
    double need = 0, have = 0;
};

class BatchModel : public LatencyModel {
public:
    BatchModel(EstimateContext& context, const BatchInference& spec, std::span<const Placement* const> placements, const RequestFlow& flow = {});

    double largestRate() const override { return m_limit; }
    LatencyPoint at(double rate) const override;
    LatencyMoments moments(double rate) const override;

    bool runs() const { return !m_pools.empty(); }
    const std::vector<BatchPool>& pools() const { return m_pools; }
    const std::vector<BatchIssue>& issues() const { return m_issues; }
    double fixed() const { return m_fixed; } ///< seconds to the front end and back
    BatchPoint pointOf(std::size_t pool, double rate) const;
    /// The same with another batch limit, for what it would be worth.
    BatchModel withLimit(int limit) const;

private:
    void addPools(EstimateContext& context, const BatchInference& spec, const Placement& placement);
    void weigh();

    std::vector<BatchPool> m_pools;
    std::vector<BatchIssue> m_issues;
    double m_limit = 0, m_fixed = 0;
};

} // namespace cw
