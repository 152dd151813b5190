// SPDX-License-Identifier: GPL-3.0-or-later
//
// A served model on all its machines: lanes that share the arrivals, each a set of replicas that do whole requests, or a set for prefill
// and a set for decode with the KV cache going over the drawn network in between. Gives latency and throughput at any rate and the
// largest rate within the targets. Built once per estimate; evaluating a rate costs a few microseconds. Thread-safe once built.
#pragma once

#include "estimators/serving/serving_pool.h"
#include "estimators/services/latency_model.h"

namespace cw {

/// The way of the KV cache from a prefill to a decode pool.
struct KvTransfer {
    std::size_t from = 0, to = 0; ///< pools
    double bytes = 0;             ///< a request
    double bandwidth = 0;         ///< of one transfer, bytes/s
    double total = 0;             ///< of all of them together
    double latency = 0;
    bool found = false;           ///< a way is drawn
    bool network = false;         ///< else inside the machine
    /// Seconds a transfer takes when `rate` of them a second share the way.
    double seconds(double rate) const;
};

/// Requests of one lane go to its `first` pools by weight, and then to its `second` pools if it has any.
struct ServingLane {
    std::vector<std::size_t> first, second;
    std::vector<KvTransfer> transfers; ///< first.size() × second.size()
    double share = 1;
};

/// One way a request can take at some load.
struct ServingPath {
    double weight = 0;
    Sojourn ttft, latency;
    double tpot = 0, tpotSpread = 0;
};

/// All of it at one load.
struct SystemPoint {
    bool stable = true;
    double rate = 0;                  ///< requests/s served
    std::vector<ServingPoint> pools;  ///< one replica of each pool
    std::vector<ServingPath> paths;
    double ttft(double p) const;
    double tpot(double p) const;
    double latency(double p) const;
    double meanTtft() const;
    double meanTpot() const;
    double meanLatency() const;
};

class ServingSystem : public LatencyModel {
  public:
    ServingSystem(EstimateContext& context, const LlmServing& spec, const NeuralModel& model, std::span<const Placement* const> placements,
                  const RequestFlow& flow = {});

    bool runs() const { return !m_lanes.empty(); }
    const std::vector<ServingPool>& pools() const { return m_pools; }
    const std::vector<ServingLane>& lanes() const { return m_lanes; }
    const std::vector<ServingIssue>& issues() const { return m_issues; }
    const ServingRequest& request() const { return m_request; }
    std::deque<GroupFabric>& fabrics() { return m_fabrics; }
    double outputTokens() const { return m_output; }
    /// Seconds from the front end to the machines and back, drawn; 0 without one.
    double frontLatency() const { return m_front; }

    SystemPoint atRate(double rate) const;
    SystemPoint closedLoop(double users) const;
    /// Largest rate that is stable, and that also meets the targets.
    double stableRate() const;
    double rateWithinTargets() const;
    /// The share of the workload's rate that one replica of a pool gets.
    double perReplica(std::size_t pool) const;

    /// The same layouts with resources relieved, for what relieving is worth.
    ServingSystem relieved(const Relief& relief) const;

    // LatencyModel
    double largestRate() const override { return stableRate(); }
    LatencyPoint at(double rate) const override;
    LatencyMoments moments(double rate) const override { return momentsOf(atRate(rate)); }

  private:
    ServingSystem() = default;
    static LatencyMoments momentsOf(const SystemPoint& point);
    void makeLanes(EstimateContext& context);
    void weigh();
    double laneLimit(const ServingLane& lane, const ServingTargets& targets) const;
    double laneRate(const ServingLane& lane) const;
    bool laneMeets(const ServingLane& lane, double rate) const;
    void addPaths(SystemPoint& point, const ServingLane& lane, double laneRate) const;
    void addBurst(SystemPoint& point, double users) const;
    SystemPoint closedLoopApart(double users) const;
    bool promptsLimit() const;

    ServingRequest m_request;
    double m_output = 1, m_front = 0;
    std::vector<ServingPool> m_pools;
    std::vector<ServingLane> m_lanes;
    std::vector<ServingIssue> m_issues;
    std::deque<GroupFabric> m_fabrics;
};

} // namespace cw
