// SPDX-License-Identifier: GPL-3.0-or-later
//
// Continuous batching on one replica, in closed form: every resident request pays for every admitted prefill once (work conservation),
// and the batch follows from Little's law. Closed loop (so many users) by a damped fixed point, open arrivals by an explicit relation
// between batch and rate. Requests per second and seconds, of one replica. Pure and thread-safe, no allocation.
// Equations: docs/equations-serving.md, "Serving" (study 2.3 and 2.4).
#pragma once

#include "estimators/serving/replica.h"
#include "estimators/services/balancing.h"
#include "model/design/workload.h"

namespace cw {

/// Which part of a request a replica does.
enum class ServingRole : std::uint8_t { both, prefill, decode };

/// Lengths of requests in tokens, made safe: at least one token each, finite variation.
struct RequestShape {
    double prompt = 1, promptCv = 0;
    double output = 1, outputCv = 0;
    double cachedShare = 0;     ///< of the prompt, found in the prefix cache
    double tokensPerStep = 1;   ///< above 1: speculative decoding
    double rowsPerStep = 1;     ///< tokens verified a sequence and step
    Balancing balancing;        ///< over the replicas

    double fresh() const { return std::max(1., prompt * (1 - cachedShare)); }
    double cached() const { return prompt - std::min(prompt, fresh()); }
    double steps() const { return output / tokensPerStep; }
    /// Mean context of a sequence that is being decoded; long outputs are seen more often.
    double context() const { return prompt + output * (1 + outputCv * outputCv) / 2; }
};
RequestShape requestShape(const LlmServing& workload, const ServingStack& stack);

/// Latency targets at p99, seconds; empty: none.
struct ServingTargets {
    std::optional<double> ttft, tpot, latency;
    bool any() const { return ttft || tpot || latency; }
};
ServingTargets servingTargets(const LlmServing& workload);

/// How one replica fares at one load.
struct ServingPoint {
    bool stable = true;
    double rate = 0;        ///< requests/s
    double batch = 0;       ///< sequences being decoded, mean
    double places = 0;       ///< sequences that the KV cache and the program admit
    double step = 0;        ///< s, decode alone
    double tpot = 0;        ///< s a token after the first, mean
    double prefill = 0;     ///< s of one prompt alone
    double work = 0;        ///< s of the replica's time that admitting a request costs
    double prefillShare = 0;///< of the replica's time
    double kvUse = 0;       ///< of the KV cache
    double tpotSpread = 0;  ///< standard deviation over mean
    Sojourn ttft, latency;

    double tpotTail(double t) const;
    double tpotQuantile(double p) const;
};

class ReplicaLoad {
  public:
    ReplicaLoad(const Replica& replica, const RequestShape& shape, ServingRole role);

    /// Sequences that fit, N/(mean tokens held) or the program's limit.
    double places() const { return m_places; }
    /// Mean batch beyond which the replica is overloaded.
    double largestBatch() const;
    /// Rate that keeps `batch` sequences in flight: b / (steps · t_dec(b) + b · w). Rises with batch. For a prefill replica `batch` is the
    /// utilisation, 0 to 1.
    double rateAt(double batch) const;
    double largestRate() const { return rateAt(largestBatch()); }
    ServingPoint atBatch(double batch) const;
    ServingPoint atRate(double rate) const; ///< beyond largestRate(): unstable, the point at the limit
    /// `users` requests at a time on this replica, each followed by the next.
    ServingPoint closedLoop(double users) const;
    /// The largest batch whose p99 figures stay within the targets, 0 if not even an idle replica does. `extra`: seconds that TTFT and
    /// latency carry besides (network).
    double largestBatchWithin(const ServingTargets& targets, double extra = 0) const; ///< to 1e-4, from below
    bool meets(const ServingPoint& point, const ServingTargets& targets, double extra = 0) const;

    /// One of several replicas behind a balancer.
    void setBalancing(const Balancing& balancing) { m_shape.balancing = balancing; }

    const Replica& replica() const { return m_replica; }
    ServingRole role() const { return m_role; }
    const RequestShape& shape() const { return m_shape; }
    /// Parts of one decode step and of one prompt at a load, for breakdowns.
    StepParts decodeParts(double batch) const;
    StepParts prefillParts(double batch) const;

  private:
    /// Share of the cache that so many sequences fill on average.
    double cacheShare(double sequences) const;
    double decode(double batch) const;
    double prefill(double batch) const;
    double busyBatch(double batch) const;
    GammaDistribution prefillTime(double mean, double batch) const;
    /// What a prompt waits for besides those before it.
    struct Between {
        double mean = 0, variance = 0; ///< s, s²
    };
    Between runningStep(const ServingPoint& point, double seen) const;
    double furtherSteps(double step) const;
    double paceSpread(const ServingPoint& point, double mixed, double stepVariance) const;
    void finish(ServingPoint& point, const Waiting& wait, double firstToken, const Between& between) const;
    void finish(ServingPoint& point, const Waiting& wait, double firstToken) const { finish(point, wait, firstToken, Between{0, 0}); }
    ServingPoint prefillOnly(double utilisation) const;

    Replica m_replica;
    RequestShape m_shape;
    ServingRole m_role;
    double m_places = 1;
    double m_pairFactor = 1;
};

} // namespace cw
