// SPDX-License-Identifier: GPL-3.0-or-later
//
// Paints a TopologyPicture in layers: frames, links, cards. The same code serves the screen, the cached background of a gesture, the
// minimap and documents. What is shown depends on the scale: blocks from afar, icon and name nearer, then figures, ports when close.
// GUI thread (documents: any thread that may use fonts).
#pragma once

#include "views/canvas/picture.h"
#include "views/theme/theme.h"

#include <vector>

class QPainter;

namespace cw {

/// What can be told apart at a scale (screen pixels per scene unit).
enum class Detail : quint8 { far, middle, near, close };
Detail detailAt(double scale);

struct PaintContext {
    const Theme* theme = &Theme::light();
    double scale = 1;
    QRectF exposed;     ///< nothing outside needs painting
    bool quick = false; ///< while zooming: thin lines, no smoothing, no numbers
    int hoveredNode = -1;
    int hoveredLink = -1;
    /// By index, which ones are painted; null: all.
    const std::vector<char>* nodes = nullptr;
    const std::vector<char>* links = nullptr;
    const std::vector<char>* frames = nullptr;
    const std::vector<char>* racks = nullptr;
};

void paintFrames(QPainter& painter, const TopologyPicture& picture, const PaintContext& context);
void paintLinks(QPainter& painter, const TopologyPicture& picture, const PaintContext& context);
void paintCards(QPainter& painter, const TopologyPicture& picture, const PaintContext& context);

/// All three.
void paintPicture(QPainter& painter, const TopologyPicture& picture, const PaintContext& context);

/// A pill with a number, as links carry it; returns the space it took.
QRectF paintPill(QPainter& painter, const QPointF& centre, const QString& text, const QColor& colour, const Theme& theme,
                 bool dashed = false);

/// The dashed outline of what is selected.
void paintSelection(QPainter& painter, const QRectF& around, const Theme& theme, double scale);

/// The port handles of a card: middles of its four sides.
std::vector<QPointF> handlePoints(const QRectF& card);
constexpr double handleRadius = 5;

} // namespace cw
