// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where links run: straight from card border to card border, links of the same two cards beside each other, each fanned out towards
// its other end so that few share a point. Depends on the two cards only, so that a dragged card moves none but its own links. Pure.
#pragma once

#include "views/canvas/picture.h"

#include <QLineF>
#include <QPainterPath>

namespace cw {

/// The line of a link between two cards.
QLineF linkLine(const QRectF& from, const QRectF& to, int lane = 0, int laneCount = 1);

/// The line of a link of a picture; loops give the chord of linkLoop().
QLineF linkLine(const TopologyPicture& picture, const LinkFigure& link);

/// Ring and torus links leave and enter the right side of their card.
QPainterPath linkLoop(const QRectF& card, int lane);

/// Where the number of a link stands.
QPointF linkLabelPoint(const TopologyPicture& picture, const LinkFigure& link);

/// Index of the link nearest to a point, at most `reach` away; −1: none.
int linkAt(const TopologyPicture& picture, const QPointF& point, double reach);

double distanceToSegment(const QPointF& point, const QLineF& line);

/// Width of a link's line by its load, in scene units.
double linkWidth(double utilisation);

} // namespace cw
