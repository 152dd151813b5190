// SPDX-License-Identifier: GPL-3.0-or-later
//
// The root finder behind all quantiles; included by queueing.h only.
#pragma once

#include <cmath>

namespace cw {

template <class Tail> double quantileOf(Tail&& tail, double p, double low, double high)
{
    // Tails fall exponentially: their logarithm is nearly straight, so the secant converges in a few steps.
    const double target = std::log(1 - p);
    const auto excess = [&](double t) { return std::log(std::fmax(tail(t), 1e-300)) - target; };
    double atLow = excess(low), atHigh = excess(high);
    if (!(atLow > 0))
        return low;
    for (int i = 0; i < 60 && atHigh > 0; ++i) { // a bound that was too small: the caller's guess
        low = high;
        atLow = atHigh;
        high *= 2;
        atHigh = excess(high);
    }
    int side = 0;
    for (int i = 0; i < 200 && high - low > 1e-9 * high; ++i) {
        const double secant = (low * atHigh - high * atLow) / (atHigh - atLow);
        const double t = secant > low && secant < high ? secant : .5 * (low + high);
        const double at = excess(t);
        if (std::abs(at) < 1e-8)
            return t;
        if (at > 0) {
            low = t;
            atLow = at;
            atHigh *= side == 1 ? .5 : 1;
            side = 1;
        } else {
            high = t;
            atHigh = at;
            atLow *= side == -1 ? .5 : 1;
            side = -1;
        }
    }
    return .5 * (low + high);
}

} // namespace cw
