// SPDX-License-Identifier: GPL-3.0-or-later
//
// A CPU service on its machines: M/G/c on every machine (balancers that pick a machine without looking at queues), cache hits as a cheap
// class of requests, fan-out as the slowest of k. Numbers only; thread-safe once built.
#pragma once

#include "estimators/services/balancing.h"
#include "estimators/services/cpu_pool.h"
#include "estimators/services/latency_model.h"
#include "estimators/services/queueing.h"
#include "estimators/services/retries.h"

namespace cw {

/// What a request asks of a machine.
struct ServiceWork {
    double seconds = 0;      ///< core-seconds of a miss, or of a request without a cache
    double cv = 1;
    int cores = 1;           ///< that a request uses at a time, perfectly shared
    int fanOut = 1;          ///< parallel parts, each of this work; the slowest counts
    double hitShare = 0;
    double hitCost = .05;    ///< of a miss
    double fixed = 0;        ///< seconds besides: network
    Retries retries;
    Balancing balancing;     ///< over the machines of a pool
};

class ServiceModel : public LatencyModel {
public:
    ServiceModel(std::vector<CpuPool> pools, const ServiceWork& work, double networkLimit = 0);

    double largestRate() const override { return m_limit; }
    LatencyPoint at(double rate) const override;
    LatencyMoments moments(double rate) const override;

    /// Rate of attempts at which the busiest pool's cores, or the network, are full.
    double coreLimit() const { return m_coreLimit; }
    double networkLimit() const { return m_networkLimit; }
    /// Attempts a second that a rate of requests causes; more where callers give up and ask again.
    double attempts(double rate) const;
    /// Share of requests that are given up in the end.
    double failed(double rate) const;
    /// Busy share of a pool's cores at a rate of attempts.
    double utilisation(std::size_t pool, double attempts) const;
    const std::vector<CpuPool>& pools() const { return m_pools; }
    const ServiceWork& work() const { return m_work; }
    double meanCoreSeconds() const { return m_mean; } ///< a request, hits and fan-out included
    /// The wait on a machine of a pool at a rate of attempts.
    Waiting waitOn(std::size_t pool, double attempts) const;

private:
    struct Part; ///< a class of requests on one pool
    std::vector<Part> parts(double attempts) const;
    double late(const std::vector<Part>& parts) const; ///< share of attempts that are given up
    void limitByRetries();
    double quantile(const std::vector<Part>& parts, double p) const;
    double attemptQuantile(const std::vector<Part>& parts, double p) const;
    void truncate(LatencyMoments& out, const std::vector<Part>& parts) const;
    LatencyMoments momentsOf(const std::vector<Part>& parts, double rate) const;
    double serverTime() const; ///< mean seconds that a part holds its cores

    std::vector<CpuPool> m_pools;
    ServiceWork m_work;
    double m_mean = 0, m_cv2 = 1;
    double m_coreLimit = 0, m_networkLimit = 0, m_limit = 0;
    double m_mostAttempts = 0; ///< a second, at the largest rate
};

/// A latency model that is a service whose delays besides depend on the load.
class LoadedService : public LatencyModel {
public:
    virtual ServiceModel serviceAt(double rate) const = 0;
};

/// Safe numbers from what a user may have entered.
ServiceWork safeWork(ServiceWork work);

} // namespace cw
