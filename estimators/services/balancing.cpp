// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/services/balancing.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cw {

namespace {

constexpr double widest = 100;

/// Variation of the arrivals at one queue. A share p of a renewal stream, drawn at random, has 1 + p (c² − 1); every n-th has c²/n.
double variationAtOne(const Balancing& balancing) {
    const double queues = std::max(1., balancing.queues);
    return balancing.routing == Routing::roundRobin ? balancing.arrivalCv2 / queues : 1 + (balancing.arrivalCv2 - 1) / queues;
}

/// Arrivals more regular than random ones wait less than (c_a² + c_s²)/2 says.
double regular(double arrivalCv2, double serviceCv2, double utilisation) {
    if (arrivalCv2 >= 1 || !(utilisation > 0))
        return 1;
    const double gap = 1 - arrivalCv2;
    return std::exp(-2 * (1 - utilisation) / (3 * utilisation) * gap * gap / std::max(arrivalCv2 + serviceCv2, 1e-6));
}

/// Mean wait of the shorter of two queues over that of one at random, M/M/1, many queues: Σ_{i≥2} ρ^(2^i − 2) against ρ/(1 − ρ).
double ofTwo(double utilisation) {
    const double rho = std::min(utilisation, 1 - 1e-9);
    double sum = 0;
    for (double power = 4; power <= 0x1p40; power *= 2) {
        const double term = std::pow(rho, power - 2);
        sum += term;
        if (term < 1e-12)
            break;
    }
    return rho > 0 ? std::min(1., sum * (1 - rho) / rho) : 0;
}

void scaleMean(Waiting& wait, double by) {
    if (by > 0)
        wait.rate /= by;
    else
        wait.probability = 0;
}

} // namespace

Balancing balancingOf(const RequestFlow& flow) {
    Balancing out;
    out.routing = flow.routing;
    const double cv = flow.arrivalCv >= 0 ? std::min(flow.arrivalCv, widest) : 1;
    out.arrivalCv2 = cv * cv;
    if (flow.failuresEvery && si(*flow.failuresEvery) > 0) {
        const double every = si(*flow.failuresEvery), repair = si(flow.repair) > 0 ? si(flow.repair) : 0;
        out.up = std::isfinite(repair) ? every / (every + repair) : 1;
    }
    return out;
}

Waiting balancedWaiting(double rate, double serviceTime, std::int64_t servers, double serviceCv2, const Balancing& balancing) {
    const double cv2 = variationAtOne(balancing);
    if (balancing.routing == Routing::leastWork || balancing.routing == Routing::powerOfTwo) {
        const double queues = std::clamp(std::round(balancing.queues), 1., 1e6);
        const Waiting one = waiting(rate * queues, serviceTime, static_cast<std::int64_t>(queues) * servers, serviceCv2, balancing.arrivalCv2);
        if (balancing.routing == Routing::leastWork || queues < 2 || !one.stable)
            return one;
        Waiting wait = waiting(rate, serviceTime, servers, serviceCv2, cv2);
        const double mean = std::max(one.mean(), ofTwo(wait.utilisation) * wait.mean());
        wait.probability *= wait.probability; // both are busy
        wait.rate = mean > 0 ? wait.probability / mean : 1;
        return wait;
    }
    Waiting wait = waiting(rate, serviceTime, servers, serviceCv2, cv2);
    if (wait.stable)
        scaleMean(wait, regular(cv2, serviceCv2, wait.utilisation));
    return wait;
}

Waiting balanced(const Waiting& atRandom, double serviceCv2, const Balancing& balancing) {
    if (balancing.usual() || !(atRandom.utilisation > 0) || !(atRandom.utilisation < 1) || !(atRandom.probability > 0))
        return atRandom;
    Waiting wait = atRandom;
    const Waiting usual = waiting(atRandom.utilisation, 1, 1, serviceCv2), now = balancedWaiting(atRandom.utilisation, 1, 1, serviceCv2, balancing);
    wait.probability = std::min(1., wait.probability * now.probability / usual.probability);
    wait.rate *= now.rate / usual.rate;
    return wait;
}

} // namespace cw
