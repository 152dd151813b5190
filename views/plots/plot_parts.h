// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all charts draw with: axes in the units' own prefixes, texts and lines in plot coordinates, ranges, the legend. Included by
// painters only; they are the only places that see the plotting library.
#pragma once

#include "views/plots/plot_style.h"
#include "views/text/quantity_text.h"

#include <QPen>
#include <QPointF>
#include <QStringList>

#include <cmath>
#include <limits>

class QCPAxis;
class QCustomPlot;

namespace cw {

/// Lowest and highest of the finite values given.
struct Span {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void add(double v)
    {
        if (!std::isfinite(v))
            return;
        low = std::min(low, v);
        high = std::max(high, v);
    }
    bool valid() const { return low <= high; }
};

/// Empties the plot and puts axes and legend back to where every chart starts.
void preparePlot(QCustomPlot& plot, const PlotStyle& style);
void addText(QCustomPlot& plot, QPointF at, const QString& text, const QColor& colour, const QFont& font, Qt::Alignment alignment);
void addLine(QCustomPlot& plot, QPointF from, QPointF to, const QPen& pen);
/// Labels an axis with the first of these texts that fits beside it, each ending with `end`; the last one is shortened if it must be.
void setLabel(QCPAxis* axis, const QStringList& texts, const QString& end = {});
/// Ticks in the unit's own prefixes ("742 kW"), as many as have room.
void setTicks(QCPAxis* axis, double most, Unit unit);
/// Logarithmic when the values span more than a factor of 20 and are all positive.
void setRange(QCPAxis* axis, Span span, Unit unit);
/// Puts the legend over the plot, in as many columns as have room; returns the share of the axis height that it and the figures on the marks
/// take. In a small plot there is no legend: tool tips name the parts.
double placeLegendAbove(QCustomPlot& plot, const PlotStyle& style);

} // namespace cw
