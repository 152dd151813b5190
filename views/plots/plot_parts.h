// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all charts draw with: axes in the units' own prefixes, texts and lines in plot coordinates, ranges. Included by painters only; it
// and they are the only places that see the plotting library.
#pragma once

#include "views/plots/plot_style.h"
#include "views/text/quantity_text.h"

#include <qcustomplot.h>

#include <cmath>
#include <limits>

namespace cw {

/// Ticks in the unit's own prefixes ("742 kW") instead of powers of ten.
class UnitTicker : public QCPAxisTicker {
public:
    explicit UnitTicker(Unit unit) : m_unit(unit) { setTickCount(4); }

protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return std::abs(tick) < 1e-300 ? QStringLiteral("0") : quantityText(tick, m_unit);
    }

private:
    Unit m_unit;
};

/// The same on a logarithmic axis.
class LogUnitTicker : public QCPAxisTickerLog {
public:
    explicit LogUnitTicker(Unit unit) : m_unit(unit) {}

protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return quantityText(tick, m_unit); }

private:
    Unit m_unit;
};

/// Lowest and highest of the finite values given.
struct Span {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void add(double v) {
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
/// Logarithmic when the values span more than a factor of 20 and are all positive.
void setRange(QCPAxis* axis, Span span, Unit unit);
void showLegendAbove(QCustomPlot& plot);

} // namespace cw
