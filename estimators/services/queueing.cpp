// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/services/queueing.h"

#include <algorithm>
#include <limits>

namespace cw {

namespace {

constexpr double largestExact = 1e6; ///< erlangs; beyond, the limit for many servers is closer than 1e-3

/// 1/B by the recursion 1/B(n) = 1 + (n/a)/B(n-1). Early terms are forgotten exponentially, so it starts ten standard deviations below a
/// and ends once B is below 1e-18: cost grows with the root of a, not with the number of servers.
double inverseErlangB(double offered, double servers)
{
    const double perErlang = 1 / offered;
    double n = std::max(0., std::floor(std::min(offered - 10 * std::sqrt(offered), servers)));
    // Above saturation of n servers, 1/B(n) is a/(a-n) to first order; from 0 it is exactly 1.
    double inverse = n > 0 ? offered / (offered - n) : 1;
    for (; n < servers && inverse < 1e18; ) {
        n += 1;
        inverse = 1 + n * perErlang * inverse;
    }
    return inverse;
}

double halfinWhitt(double offered, double servers)
{
    const double beta = (servers - offered) / std::sqrt(offered);
    if (beta > 30)
        return 0;
    const double density = std::exp(-beta * beta / 2) / std::sqrt(2 * 3.14159265358979323846);
    const double distribution = .5 * std::erfc(-beta / std::sqrt(2.));
    return 1 / (1 + beta * distribution / density);
}

/// E[1{S+X > t, S <= t}] for S gamma and X exponential with rate `rate`: the part of the tail that only the wait pushes beyond t.
double pushedBeyond(const GammaDistribution& service, double rate, double t)
{
    const double shape = 1 / service.cv2, inverseScale = shape / service.mean;
    const double x = (inverseScale - rate) * t;
    if (x > 1)
        return std::exp(-rate * t - shape * std::log1p(-rate / inverseScale)) * gammaLower(shape, x);
    const double y = -x;
    const double kernel = std::exp(shape * std::log(inverseScale * t) - inverseScale * t - logGamma(shape));
    if (y > 60 && y > 10 * shape) // Laplace: the wait is short against the service
        return kernel / y * (1 - (shape - 1) / y * (1 - (shape - 2) / y));
    if (y > 600)
        return kernel / (y + shape - 1);
    double power = std::exp(-y), sum = power / shape;
    for (int n = 1; n < 2000; ++n) {
        power *= y / n;
        const double term = power / (shape + n);
        sum += term;
        if (n > y && std::abs(term) < 1e-16 * std::abs(sum))
            break;
    }
    return kernel * sum;
}

} // namespace

double erlangB(double offered, std::int64_t servers)
{
    if (!(offered > 0))
        return servers > 0 ? 0 : 1;
    if (servers <= 0)
        return 1;
    const double c = static_cast<double>(servers);
    if (offered <= largestExact)
        return 1 / inverseErlangB(offered, c);
    if (offered >= c)
        return 1 - c / offered;
    const double waits = halfinWhitt(offered, c), rho = offered / c; // C = B/(1 - rho(1-B)) turned round
    return waits * (1 - rho) / (1 - waits * rho);
}

double erlangC(double offered, std::int64_t servers)
{
    if (!(offered > 0))
        return 0;
    const double c = static_cast<double>(servers);
    if (!(offered < c))
        return 1;
    if (offered > largestExact)
        return halfinWhitt(offered, c);
    const double blocked = 1 / inverseErlangB(offered, c), rho = offered / c;
    return blocked / (1 - rho * (1 - blocked));
}

double Waiting::variance() const { return probability > 0 ? probability * (2 - probability) / (rate * rate) : 0; }

double Waiting::tail(double t) const
{
    if (!(t > 0))
        return t < 0 ? 1 : probability;
    return probability > 0 ? probability * std::exp(-rate * t) : 0;
}

double Waiting::quantile(double p) const { return probability > 1 - p ? std::log(probability / (1 - p)) / rate : 0; }

Waiting waiting(double arrivalRate, double serviceTime, std::int64_t servers, double serviceCv2, double arrivalCv2)
{
    Waiting wait;
    const double offered = arrivalRate * serviceTime;
    if (!(offered > 0) || servers <= 0) {
        wait.stable = servers > 0 || !(arrivalRate > 0);
        return wait;
    }
    const double c = static_cast<double>(servers);
    wait.utilisation = offered / c;
    wait.stable = offered < c;
    wait.probability = erlangC(offered, servers);
    const double variation = std::max((arrivalCv2 + serviceCv2) / 2, 1e-9);
    wait.rate = wait.stable ? (c - offered) / serviceTime / variation : std::numeric_limits<double>::min();
    return wait;
}

Waiting both(const Waiting& first, const Waiting& second)
{
    Waiting sum;
    sum.stable = first.stable && second.stable;
    sum.utilisation = std::max(first.utilisation, second.utilisation);
    sum.probability = first.probability + second.probability - first.probability * second.probability;
    const double mean = first.mean() + second.mean();
    sum.rate = mean > 0 ? sum.probability / mean : 1;
    return sum;
}

double Sojourn::tail(double t) const
{
    const double u = t - fixed;
    if (u < 0)
        return 1;
    if (service.constant())
        return wait.tail(u - std::max(service.mean, 0.));
    const double served = service.tail(u);
    return wait.probability > 1e-14 && u > 0 ? std::min(1., served + wait.probability * pushedBeyond(service, wait.rate, u)) : served;
}

double Sojourn::quantile(double p) const
{
    if (service.constant())
        return fixed + std::max(service.mean, 0.) + wait.quantile(p);
    // Longer than either part alone; at most the sum of both at half the tail each (union bound).
    const double half = .5 * (1 + p);
    const double low = std::max(service.quantile(p), wait.quantile(p));
    if (wait.probability < 1e-12)
        return fixed + low;
    const double high = service.quantile(half) + wait.quantile(half);
    return quantileOf([&](double t) { return tail(t); }, p, fixed + low, fixed + high);
}

double fanOutLevel(double p, int k) { return k <= 1 ? p : std::pow(p, 1. / k); }

} // namespace cw
