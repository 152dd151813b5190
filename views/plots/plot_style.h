// SPDX-License-Identifier: GPL-3.0-or-later
//
// The colours and the font a chart is painted with. Whoever shows charts fills it from the theme; documents use the light one.
#pragma once

#include <QColor>
#include <QFont>

#include <vector>

namespace cw {

struct PlotStyle {
    QColor background, text, subtle, grid;
    QColor good, warning, bad; ///< load ramp
    QColor target;             ///< fill of target bands
    std::vector<QColor> series; ///< one an alternative, safe for colour blindness
    std::vector<QColor> stack;  ///< parts of stacked bars, from the bottom
    QFont font;

    const QColor& colour(std::size_t index) const { return series[index % series.size()]; }
    const QColor& stackColour(std::size_t index) const { return stack[index % stack.size()]; }
};

} // namespace cw
