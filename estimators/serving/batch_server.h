// SPDX-License-Identifier: GPL-3.0-or-later
//
// A server that works on batches: it takes up to `limit` items that wait, or what has come when the oldest has waited `delay`, and all of
// them are done after the time of the batch. Closed form for Poisson arrivals: the batch follows from what arrives while the previous
// one is worked on, an item waits for the batch to close, and in overload batches queue like an M/D/limit system (the same drift and
// variance). Equations: docs/equations-serving.md, "Batch servers". Pure and thread-safe, no allocation.
#pragma once

#include "estimators/serving/step_model.h"
#include "estimators/services/balancing.h"

namespace cw {

/// Seconds of a batch of n items: host + n · hostPerItem + (memory ‖ compute).
struct BatchTime {
    double host = 0, hostPerItem = 0;
    double weights = 0;       ///< read once a batch
    double memoryPerItem = 0;
    double computePerItem = 0;

    StepParts parts(double items) const;
    double seconds(double items) const { return parts(items).total(); }
};

/// How a server fares at one load.
struct BatchPoint {
    bool stable = true;
    double rate = 0;     ///< items/s
    double batch = 1;    ///< items, mean
    double time = 0;     ///< s, of such a batch
    double busy = 0;     ///< of the time
    double gather = 0;   ///< s that a batch stays open on an idle server
    Waiting queue;       ///< behind full batches

    double tail(double t) const;     ///< P(latency > t)
    double quantile(double p) const;
    double mean() const;
    double variance() const;
};

class BatchServer {
public:
    BatchServer(const BatchTime& time, int limit, double delay);

    double largestRate() const { return m_largest; } ///< full batches, one after the other
    BatchPoint at(double rate) const;
    const BatchTime& time() const { return m_time; }
    int limit() const { return m_limit; }
    double delay() const { return m_delay; }
    /// One of several behind a balancer.
    void setBalancing(const Balancing& balancing) { m_balancing = balancing; }
    BatchServer withLimit(int limit) const {
        BatchServer other(m_time, limit, m_delay);
        other.m_balancing = m_balancing;
        return other;
    }

private:
    BatchTime m_time;
    int m_limit;
    double m_delay, m_largest;
    Balancing m_balancing;
};

} // namespace cw
