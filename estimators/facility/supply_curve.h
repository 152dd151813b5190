// SPDX-License-Identifier: GPL-3.0-or-later
//
// Losses of a machine's power supplies by load. Between the certified points the *loss* is interpolated, not the efficiency: loss rises
// with load, so more power inside is always more power at the wall. Pure value.
#pragma once

#include "model/catalog/part.h"

#include <array>

namespace cw {

class SupplyCurve {
public:
    /// Supplies of `capacity` watts together (all of them share the load) with the efficiencies at 10 (optional), 20, 50 and 100 % of
    /// their rating.
    SupplyCurve(const Constants& efficiencies, double capacity);
    /// Supplies that are not known better than by one efficiency.
    explicit SupplyCurve(double efficiency);

    double wall(double inside) const; ///< W drawn when `inside` W are used behind the supplies
    double inside(double wall) const; ///< the inverse

private:
    struct Point {
        double inside = 0, wall = 0; ///< W
    };
    std::array<Point, 5> m_points{}; ///< rising; the last segment goes on beyond its end
    int m_count = 0;
};

} // namespace cw
