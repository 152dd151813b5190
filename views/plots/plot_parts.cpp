// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/plot_parts.h"

#include <qcustomplot.h>

#include <algorithm>

namespace cw {

namespace {

/// Ticks in the unit's own prefixes ("742 kW") instead of powers of ten.
class UnitTicker : public QCPAxisTicker {
  public:
    UnitTicker(Unit unit, int count) : m_unit(unit) { setTickCount(count); }

  protected:
    /// Rounds up, so that there are never more ticks than have room.
    double getTickStep(const QCPRange& range) override
    {
        double magnitude = 1;
        const double mantissa = getMantissa(range.size() / (tickCount() + 1e-10), &magnitude);
        for (const double step : {1.0, 2.0, 5.0})
            if (mantissa <= step)
                return step * magnitude;
        return 10 * magnitude;
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
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

void styleAxis(QCPAxis* axis, const PlotStyle& style)
{
    axis->setBasePen(QPen(style.subtle, 1));
    axis->setTickPen(QPen(style.subtle, 1));
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLabelColor(style.text);
    axis->setLabelColor(style.subtle);
    axis->setTickLabelFont(style.font);
    axis->setLabelFont(style.font);
    axis->grid()->setPen(QPen(style.grid, 1));
    axis->grid()->setZeroLinePen(Qt::NoPen);
    axis->setTickLabelPadding(4);
    axis->setLabelPadding(3);
}

/// As many ticks as have room beside one another, from two to five.
int tickCount(const QCPAxis* axis, double most, Unit unit)
{
    const QFontMetrics metrics(axis->tickLabelFont());
    const QSize room = axis->parentPlot()->viewport().size();
    const bool horizontal = axis->orientation() == Qt::Horizontal;
    const double one = horizontal ? metrics.horizontalAdvance(quantityText(most, unit)) * 1.25 + 6 : metrics.height() * 1.7;
    return std::clamp(static_cast<int>((horizontal ? room.width() - 60 : room.height() - 40) / one), 2, 5);
}

} // namespace

void preparePlot(QCustomPlot& plot, const PlotStyle& style)
{
    plot.clearPlottables();
    plot.clearItems();
    plot.clearGraphs();
    plot.setBackground(QBrush(style.background));
    plot.setNoAntialiasingOnDrag(true);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        styleAxis(axis, style);
        axis->setScaleType(QCPAxis::stLinear);
        axis->setRangeReversed(false);
        axis->setTickLabels(true);
        axis->setTicker(QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
        axis->setLabel({});
        axis->setTickLabelRotation(0);
    }
    plot.legend->setVisible(false);
    plot.legend->setBrush(Qt::NoBrush);
    plot.legend->setBorderPen(Qt::NoPen);
    plot.legend->setTextColor(style.text);
    plot.legend->setFont(style.font);
    plot.legend->setIconSize(10, 10);
    plot.legend->setRowSpacing(0);
    plot.axisRect()->setAutoMargins(QCP::msAll);
    plot.axisRect()->setMinimumMargins(QMargins(6, 6, 10, 4));
}

void addText(QCustomPlot& plot, QPointF at, const QString& text, const QColor& colour, const QFont& font, Qt::Alignment alignment)
{
    auto* label = new QCPItemText(&plot);
    label->position->setType(QCPItemPosition::ptPlotCoords);
    label->position->setCoords(at);
    label->setText(text);
    label->setColor(colour);
    label->setFont(font);
    label->setPositionAlignment(alignment);
    label->setPadding(QMargins(6, 2, 6, 2));
    label->setClipToAxisRect(true);
}

void addLine(QCustomPlot& plot, QPointF from, QPointF to, const QPen& pen)
{
    auto* line = new QCPItemStraightLine(&plot);
    line->point1->setCoords(from);
    line->point2->setCoords(to);
    line->setPen(pen);
}

void setLabel(QCPAxis* axis, const QStringList& texts, const QString& end)
{
    const QFontMetrics metrics(axis->labelFont());
    const QSize size = axis->parentPlot()->viewport().size();
    const int room = (axis->orientation() == Qt::Horizontal ? size.width() - 56 : size.height() - 44) - metrics.horizontalAdvance(end);
    for (const QString& text : texts)
        if (metrics.horizontalAdvance(text) <= room) {
            axis->setLabel(text + end);
            return;
        }
    if (!texts.isEmpty())
        axis->setLabel(metrics.elidedText(texts.back(), Qt::ElideRight, std::max(20, room)) + end);
}

void setTicks(QCPAxis* axis, double most, Unit unit)
{
    axis->setTicker(QSharedPointer<QCPAxisTicker>(new UnitTicker(unit, tickCount(axis, most, unit))));
}

void setRange(QCPAxis* axis, Span span, Unit unit)
{
    const bool logarithmic = span.low > 0 && span.high / span.low > 20;
    if (logarithmic) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<QCPAxisTicker>(new LogUnitTicker(unit)));
        axis->setRange(span.low / 1.6, span.high * 1.6);
        return;
    }
    setTicks(axis, span.high, unit);
    const double pad = std::max((span.high - span.low) * .18, std::abs(span.high) * .06);
    axis->setRange(std::max(0.0, span.low - pad), span.high + pad + (span.high == 0 ? 1 : 0));
}

double placeLegendAbove(QCustomPlot& plot, const PlotStyle& style)
{
    const QFontMetrics metrics(style.font);
    int widest = 0;
    const int count = plot.legend->itemCount();
    for (int i = 0; i < count; ++i)
        if (auto* item = qobject_cast<QCPPlottableLegendItem*>(plot.legend->item(i)))
            widest = std::max(widest, metrics.horizontalAdvance(item->plottable()->name()) + 34);
    const int columns = std::clamp((plot.viewport().width() - 64) / std::max(1, widest), 1, std::max(1, count));
    const int rows = (count + columns - 1) / columns;
    const double height = std::max(60.0, plot.viewport().height() - 36.0);
    const double figures = 1.8 * metrics.height() / height, share = rows * (metrics.height() + 1) / height;
    if (share > .36)
        return std::min(.4, figures);
    plot.legend->setVisible(true);
    plot.legend->setMargins(QMargins(2, 0, 2, 0));
    plot.legend->setWrap(columns);
    plot.legend->setFillOrder(QCPLegend::foColumnsFirst); // arranges what is there already, by the new wrap
    plot.axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignHCenter);
    return std::min(.7, share + figures);
}

} // namespace cw
