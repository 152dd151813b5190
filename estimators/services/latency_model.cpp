// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/services/latency_model.h"

#include <cmath>

namespace cw {

std::vector<LoadPoint> loadCurve(const LatencyModel& model, int points, double upTo)
{
    std::vector<LoadPoint> curve;
    const double limit = model.largestRate();
    if (!(limit > 0) || !std::isfinite(limit))
        return curve;
    curve.reserve(static_cast<std::size_t>(points));
    for (int i = 0; i < points; ++i) {
        const double left = 1 - static_cast<double>(i) / (points - 1); // 1 at the idle end
        const double load = std::max(1e-3, upTo * (1 - std::pow(left, 1.6)));
        const LatencyPoint at = model.at(load * limit);
        if (!at.stable || !std::isfinite(at.p99))
            break;
        curve.push_back({at.rate, at.p50, at.p95, at.p99});
    }
    return curve;
}

double largestRateWithin(const LatencyModel& model, std::optional<double> p99)
{
    const double limit = model.largestRate();
    if (!p99 || !(limit > 0) || !std::isfinite(limit))
        return std::max(limit, 0.);
    const auto meets = [&](double rate) {
        const LatencyPoint at = model.at(rate);
        return at.stable && at.p99 <= *p99;
    };
    if (!meets(0))
        return 0;
    double low = 0, high = limit;
    if (meets(limit * (1 - 1e-9)))
        return limit;
    for (int i = 0; i < 40 && high - low > 1e-4 * high; ++i) {
        const double middle = .5 * (low + high);
        (meets(middle) ? low : high) = middle;
    }
    return low;
}

} // namespace cw
