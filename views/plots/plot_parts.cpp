// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/plot_parts.h"

namespace cw {

namespace {

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

void setRange(QCPAxis* axis, Span span, Unit unit)
{
    const bool logarithmic = span.low > 0 && span.high / span.low > 20;
    if (logarithmic) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<QCPAxisTicker>(new LogUnitTicker(unit)));
        axis->setRange(span.low / 1.6, span.high * 1.6);
        return;
    }
    axis->setTicker(QSharedPointer<QCPAxisTicker>(new UnitTicker(unit)));
    const double pad = std::max((span.high - span.low) * .18, std::abs(span.high) * .06);
    axis->setRange(std::max(0.0, span.low - pad), span.high + pad + (span.high == 0 ? 1 : 0));
}

void showLegendAbove(QCustomPlot& plot)
{
    plot.legend->setVisible(true);
    plot.axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
    plot.legend->setFillOrder(QCPLegend::foRowsFirst);
    plot.legend->setWrap(1);
}

} // namespace cw
