// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/occupancy_painter.h"

#include "views/plots/plot_parts.h"

#include <qcustomplot.h>

#include <QCoreApplication>

namespace cw {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Charts)
};

QString levelName(const OccupancyData& data) {
    if (data.what == "kv")
        return Text::tr("KV cache of a replica in use");
    if (data.what == "batch")
        return data.batches ? Text::tr("items of a batch") : Text::tr("sequences in flight on a replica");
    return data.what == "in_flight_part" ? Text::tr("requests in the simulated part") : Text::tr("requests in the system");
}

QColor colourOf(const OccupancyData::Curve& curve, const PlotStyle& style) {
    return style.colour(static_cast<std::size_t>(std::max(0, curve.letter.at(0).unicode() - u'A')));
}

void addMark(QCustomPlot& plot, double x, double y, const QColor& colour, const QBrush& fill) {
    if (!std::isfinite(x) || !std::isfinite(y))
        return;
    auto* mark = new QCPGraph(plot.xAxis, plot.yAxis);
    mark->setData(QVector<double>{x}, QVector<double>{y});
    mark->setLineStyle(QCPGraph::lsNone);
    mark->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(colour, 1.2), fill, 7));
}

/// Share at or below a level, of a rising staircase.
double belowAt(const OccupancyData::Curve& curve, double level) {
    double share = 0;
    for (const auto& [at, below] : curve.points) {
        if (at > level)
            break;
        share = below;
    }
    return share;
}

void addCurve(QCustomPlot& plot, const OccupancyData::Curve& curve, const QColor& colour, const PlotStyle& style, bool overTime) {
    auto* graph = new QCPGraph(plot.xAxis, plot.yAxis);
    QVector<double> x, y;
    if (!overTime && !curve.points.empty()) {
        x << curve.points.front().first;
        y << 0;
    }
    for (const auto& [a, b] : curve.points) {
        x << a;
        y << b;
    }
    graph->setData(x, y, true);
    graph->setLineStyle(overTime ? QCPGraph::lsLine : QCPGraph::lsStepLeft);
    graph->setPen(QPen(colour, overTime ? 1.3 : 2.2));
    graph->setProperty("alternative", QString::fromStdString(curve.alternative.value));
    if (x.isEmpty())
        return;
    QFont bold = style.font;
    bold.setBold(true);
    const qsizetype at = overTime ? x.size() - 1 : x.size() / 2;
    addText(plot, {x[at], y[at]}, curve.letter, colour, bold, overTime ? Qt::AlignRight | Qt::AlignBottom : Qt::AlignLeft | Qt::AlignTop);
}

} // namespace

QString paintOccupancy(QCustomPlot& plot, const ChartInput& input, const PlotStyle& style, SpreadAspect aspect) {
    const OccupancyData data = occupancyData(input, aspect);
    if (data.curves.empty())
        return !data.simulated ? Text::tr("Drawn once the latency is simulated: work that arrives as requests, a moment after an edit")
                               : Text::tr("Only served language models have a KV cache");
    const bool overTime = aspect == SpreadAspect::batchOverTime || aspect == SpreadAspect::cacheOverTime, cache = data.what == "kv";
    Span level, time;
    level.add(0);
    for (const auto& curve : data.curves) {
        for (const auto& [x, y] : curve.points) {
            level.add(overTime ? y : x);
            time.add(overTime ? x : 0);
        }
        level.add(curve.mean);
        level.add(curve.closedForm);
    }
    const Unit unit = cache ? Unit::fraction : Unit::count;
    QCPAxis* levels = overTime ? plot.yAxis : plot.xAxis;
    QCPAxis* others = overTime ? plot.xAxis : plot.yAxis;
    setTicks(levels, level.high, unit);
    levels->setRange(0, level.high > 0 ? level.high * 1.06 : 1);
    setTicks(others, overTime ? time.high : 1, overTime ? Unit::seconds : Unit::fraction);
    others->setRange(0, overTime ? std::max(time.high, 1e-9) * 1.02 : 1.04);
    const QString marks = Text::tr("mean ● closed form ○");
    levels->setLabel(overTime ? levelName(data) : QStringLiteral("%1 · %2").arg(levelName(data), marks));
    others->setLabel(overTime ? QStringLiteral("%1 · %2").arg(Text::tr("a stretch of the simulated run"), marks)
                     : data.batches && data.what == "batch" ? Text::tr("batches at or below")
                                                            : Text::tr("time at or below"));
    for (const auto& curve : data.curves) {
        const QColor colour = colourOf(curve, style);
        addCurve(plot, curve, colour, style, overTime);
        if (overTime) {
            for (const bool closed : {false, true})
                if (const double at = closed ? curve.closedForm : curve.mean; std::isfinite(at)) {
                    auto* line = new QCPGraph(plot.xAxis, plot.yAxis);
                    line->setData(QVector<double>{0, time.high}, QVector<double>{at, at});
                    line->setPen(QPen(colour, 1, closed ? Qt::DotLine : Qt::DashLine));
                    addMark(plot, time.high, at, colour, closed ? QBrush(Qt::NoBrush) : QBrush(colour));
                }
            continue;
        }
        addMark(plot, curve.closedForm, belowAt(curve, curve.closedForm), colour, Qt::NoBrush);
        addMark(plot, curve.mean, belowAt(curve, curve.mean), colour, QBrush(colour));
    }
    return {};
}

} // namespace cw
