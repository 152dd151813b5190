// SPDX-License-Identifier: GPL-3.0-or-later
//
// Snapping of a dragged rectangle: to the grid, or to edges and middles of its neighbours, with the guide lines that show why. Pure.
#pragma once

#include <QLineF>
#include <QPointF>
#include <QRectF>

#include <vector>

namespace cw {

constexpr double gridStep = 10;

double snapped(double value);
QPointF snapped(const QPointF& point);

struct Snap {
    QPointF delta;              ///< the corrected move
    std::vector<QLineF> guides; ///< in scene coordinates
};

/// `moving` is the rectangle before the move, `delta` the move wanted, `neighbours` what it may align to, `reach` how near is near
/// enough (scene units). Neighbours win over the grid.
Snap snapMove(const QRectF& moving, const QPointF& delta, const std::vector<QRectF>& neighbours, double reach);

} // namespace cw
