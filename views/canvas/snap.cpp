// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/snap.h"

#include <array>
#include <cmath>
#include <optional>

namespace cw {

namespace {

struct Match {
    double correction = 0;
    double at = 0; ///< the shared coordinate
    QRectF neighbour;
};

/// The smallest correction that aligns start, middle or end of two spans.
void consider(std::optional<Match>& best, const std::array<double, 3>& moving, const std::array<double, 3>& still,
              const QRectF& neighbour, double reach) {
    for (size_t i = 0; i < moving.size(); ++i) {
        const double correction = still[i] - moving[i];
        if (std::abs(correction) <= reach && (!best || std::abs(correction) < std::abs(best->correction)))
            best = Match{correction, still[i], neighbour};
    }
}

std::array<double, 3> columns(const QRectF& r) { return {r.left(), r.center().x(), r.right()}; }

std::array<double, 3> lines(const QRectF& r) { return {r.top(), r.center().y(), r.bottom()}; }

} // namespace

double snapped(double value) { return std::round(value / gridStep) * gridStep; }

QPointF snapped(const QPointF& point) { return {snapped(point.x()), snapped(point.y())}; }

Snap snapMove(const QRectF& moving, const QPointF& delta, const std::vector<QRectF>& neighbours, double reach) {
    const QRectF wanted = moving.translated(delta);
    std::optional<Match> x, y;
    for (const QRectF& neighbour : neighbours) {
        consider(x, columns(wanted), columns(neighbour), neighbour, reach);
        consider(y, lines(wanted), lines(neighbour), neighbour, reach);
    }
    QPointF corner = snapped(wanted.topLeft());
    if (x)
        corner.setX(wanted.left() + x->correction);
    if (y)
        corner.setY(wanted.top() + y->correction);

    Snap snap;
    snap.delta = corner - moving.topLeft();
    const QRectF placed = moving.translated(snap.delta);
    if (x) {
        const QRectF both = placed | x->neighbour;
        snap.guides.emplace_back(x->at, both.top() - 8, x->at, both.bottom() + 8);
    }
    if (y) {
        const QRectF both = placed | y->neighbour;
        snap.guides.emplace_back(both.left() - 8, y->at, both.right() + 8, y->at);
    }
    return snap;
}

} // namespace cw
