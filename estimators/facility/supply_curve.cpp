// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/supply_curve.h"

#include <algorithm>

namespace cw {

namespace {

/// Piecewise linear through points with rising x; beyond the ends the outer segments go on.
template <class Points, class X, class Y> double interpolate(const Points& points, int count, double at, X x, Y y) {
    int upper = 1;
    while (upper + 1 < count && x(points[static_cast<std::size_t>(upper)]) < at)
        ++upper;
    const auto& a = points[static_cast<std::size_t>(upper - 1)];
    const auto& b = points[static_cast<std::size_t>(upper)];
    return y(a) + (y(b) - y(a)) * (at - x(a)) / (x(b) - x(a));
}

} // namespace

SupplyCurve::SupplyCurve(const Constants& efficiencies, double capacity) {
    const auto add = [&](double load, double loss) {
        m_points[static_cast<std::size_t>(m_count++)] = {load * capacity, (load + loss) * capacity};
    };
    const auto loss = [&](double load, const char* key) { return load * (1 / std::clamp(efficiencies[key], .3, 1.0) - 1); };
    const double at20 = loss(.2, "efficiency_at_20pct");
    // Below the lowest certified point the loss falls on towards what the supply draws without load, at least half of that point's.
    const bool has10 = efficiencies.has("efficiency_at_10pct");
    const double at10 = has10 ? loss(.1, "efficiency_at_10pct") : at20 * .8;
    add(0, std::max(at10 / 2, 2 * at10 - at20));
    add(.1, at10);
    add(.2, at20);
    add(.5, loss(.5, "efficiency_at_50pct"));
    add(1, loss(1, "efficiency_at_100pct"));
}

SupplyCurve::SupplyCurve(double efficiency)
    : m_count(2) {
    m_points[0] = {0, 0};
    m_points[1] = {1, 1 / efficiency};
}

double SupplyCurve::wall(double inside) const {
    return interpolate(m_points, m_count, inside, [](const Point& p) { return p.inside; }, [](const Point& p) { return p.wall; });
}

double SupplyCurve::inside(double wall) const {
    const double value =
        interpolate(m_points, m_count, wall, [](const Point& p) { return p.wall; }, [](const Point& p) { return p.inside; });
    return std::max(0.0, value);
}

} // namespace cw
