// SPDX-License-Identifier: GPL-3.0-or-later
//
// Queues in closed form: Erlang's formulas, M/M/c, M/G/c (Allen and Cunneen), M/G/1 (Pollaczek and Khinchine) and what a request
// experiences as a sum of independent parts. Pure functions, thread-safe, no allocation. Seconds and requests per second.
// Equations: docs/equations-serving.md, "Queues and services".
#pragma once

#include "estimators/services/gamma_distribution.h"

#include <cstdint>

namespace cw {

/// Probability that all servers are busy: Erlang B (no waiting room) and Erlang C (waiting room without limit), for `offered` erlangs
/// (arrival rate times service time) on `servers` servers. Erlang C is 1 at and beyond saturation. Exact up to a million erlangs, by the
/// many-server limit of Halfin and Whitt (1981) beyond.
double erlangB(double offered, std::int64_t servers);
double erlangC(double offered, std::int64_t servers);

/// The wait in a queue: with `probability` exponential with `rate`, else none. Exact for M/M/c; for M/G/c the tail that keeps the mean.
struct Waiting {
    double probability = 0;
    double rate = 1;        ///< of the exponential, per second
    double utilisation = 0; ///< of the servers
    bool stable = true;     ///< below saturation

    double mean() const { return probability > 0 ? probability / rate : 0; }
    double variance() const;
    double tail(double t) const;     ///< P(W > t)
    double quantile(double p) const; ///< max(0, ln(C/(1-p)) / rate)
};

/// M/G/c by Allen and Cunneen: Erlang C's probability, mean wait of M/M/c times (ca2 + cs2)/2. With one server and Poisson arrivals
/// the mean is that of Pollaczek and Khinchine, exactly; with cs2 = 1 everything is exact M/M/c. A rate of 0 gives no wait.
Waiting waiting(double arrivalRate, double serviceTime, std::int64_t servers, double serviceCv2 = 1, double arrivalCv2 = 1);

/// Two waits one after the other (or a request that must pass two queues), as one: either occurs; means add.
Waiting both(const Waiting& first, const Waiting& second);

/// What one request experiences: a constant, a gamma distributed service and a wait, independent of each other.
struct Sojourn {
    double fixed = 0;
    GammaDistribution service;
    Waiting wait;

    double mean() const { return fixed + service.mean + wait.mean(); }
    double variance() const { return service.variance() + wait.variance(); }
    double tail(double t) const;     ///< exact convolution
    double quantile(double p) const; ///< to 1e-8 of the value
};

/// The level that the slowest of k independent requests stays under with probability p: that of one at p^(1/k).
double fanOutLevel(double p, int k);

/// The t in [low, high] where the falling function tail(t) reaches 1 - p. Illinois variant of the secant method, in ln tail.
template <class Tail> double quantileOf(Tail&& tail, double p, double low, double high);

} // namespace cw

#include "estimators/services/queueing_quantile.h"
