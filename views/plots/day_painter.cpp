// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/day_painter.h"

#include "views/plots/plot_parts.h"
#include "views/text/names.h"

#include <qcustomplot.h>

#include <QCoreApplication>

namespace cw {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Charts)
};

QColor faint(QColor colour, int alpha) {
    colour.setAlpha(alpha);
    return colour;
}

QCPGraph* addSteps(QCustomPlot& plot, const QVector<double>& x, const QVector<double>& y, const QPen& pen, QCPGraph::LineStyle style) {
    auto* graph = new QCPGraph(plot.xAxis, plot.yAxis);
    graph->setData(x, y, true);
    graph->setLineStyle(style);
    graph->setPen(pen);
    return graph;
}

/// "always on 100 %": what of the machine-hours is paid for.
QString policyName(const DayData::Policy& policy) {
    const QString paid = quantityText(policy.plan.paid, Unit::fraction);
    return policy.drawn ? Text::tr("%1 (as drawn): %2 of machine-hours").arg(scalingName(policy.scaling), paid)
                        : Text::tr("%1: %2").arg(scalingName(policy.scaling), paid);
}

QString paintHours(QCustomPlot& plot, const ChartInput& input, const PlotStyle& style, const QString& choice) {
    const std::optional<DayData> data = dayData(input);
    if (!data)
        return Text::tr("Load over the day is drawn for placed work that arrives as requests");
    QVector<double> hours;
    for (int hour = 0; hour <= hoursPerDay; ++hour)
        hours << hour;
    const auto steps = [](const Day& day, double factor) {
        QVector<double> out;
        for (const double share : day)
            out << share * factor;
        out << day.back() * factor;
        return out;
    };
    QCPGraph* load = addSteps(plot, hours, steps(data->policies.front().plan.load, data->peak), QPen(style.text, 1.6), QCPGraph::lsStepLeft);
    load->setBrush(faint(style.subtle, 50));
    load->setName(Text::tr("load"));
    double top = data->peak;
    for (std::size_t i = 0; i < data->policies.size(); ++i) {
        const DayData::Policy& policy = data->policies[i];
        const QPen pen(style.colour(i), policy.drawn ? 2.4 : 1.2, policy.drawn ? Qt::SolidLine : Qt::DashLine);
        addSteps(plot, hours, steps(policy.plan.running, data->capacity), pen, QCPGraph::lsStepLeft)->setName(policyName(policy));
        for (const double share : policy.plan.running)
            top = std::max(top, share * data->capacity);
    }
    QSharedPointer<QCPAxisTickerFixed> ticker(new QCPAxisTickerFixed);
    ticker->setTickStep(6);
    plot.xAxis->setTicker(ticker);
    plot.xAxis->setNumberFormat(QStringLiteral("f"));
    plot.xAxis->setNumberPrecision(0);
    plot.xAxis->setRange(0, hoursPerDay);
    setLabel(plot.xAxis, {Text::tr("hour of the day · %1 %2").arg(data->letter, data->name), Text::tr("hour of the day · %1").arg(data->letter)}, choice);
    setTicks(plot.yAxis, top, data->unit);
    setLabel(plot.yAxis, {Text::tr("load, and what runs for it"), Text::tr("load")});
    plot.yAxis->setRange(0, top / (1 - placeLegendAbove(plot, style)));
    return {};
}

QPen penOf(const StudyLine& line, const ChartInput& input, const PlotStyle& style) {
    const QChar letter = lineName(input, line).at(0);
    const QColor colour = style.colour(static_cast<std::size_t>(std::max(0, letter.unicode() - u'A')));
    return line.paid ? QPen(colour, 1.3, *line.paid == Procurement::buy ? Qt::DashDotLine : Qt::DotLine) : QPen(colour, 2.2);
}

void addCrossover(QCustomPlot& plot, const Crossover& crossing, const LoadStudy& study, const ChartInput& input, const PlotStyle& style) {
    auto* mark = new QCPGraph(plot.xAxis, plot.yAxis);
    mark->setData(QVector<double>{crossing.x}, QVector<double>{crossing.dollarsPerHour});
    mark->setLineStyle(QCPGraph::lsNone);
    mark->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(style.text, 1.4), QBrush(crossing.cheapest ? style.text : style.background), 8));
    mark->removeFromLegend();
    const QString at = quantityText(crossing.x, study.unit);
    const QString words = Text::tr("%1 below %2, %3 above")
                              .arg(lineName(input, study.lines[crossing.below]), at, lineName(input, study.lines[crossing.above]));
    const bool right = crossing.x > plot.xAxis->range().center();
    addText(plot, {crossing.x, crossing.dollarsPerHour}, words, style.text, style.font,
            (right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignBottom);
}

QString paintStudy(QCustomPlot& plot, const LoadStudy& study, const ChartInput& input, const PlotStyle& style, DayAspect aspect,
                   const QString& choice) {
    if (study.lines.empty())
        return Text::tr("No alternative that runs this has a known price");
    const bool rates = aspect == DayAspect::rate;
    Span x, y;
    for (const StudyLine& line : study.lines) {
        QVector<double> xs, ys;
        if (rates && !line.points.empty()) {
            xs << 0;
            ys << line.points.front().dollarsPerHour;
        }
        for (const StudyPoint& p : line.points) {
            xs << p.x;
            ys << p.dollarsPerHour;
            x.add(p.x);
            y.add(p.dollarsPerHour);
        }
        QCPGraph* graph = addSteps(plot, xs, ys, penOf(line, input, style), rates ? QCPGraph::lsStepRight : QCPGraph::lsLine);
        graph->setName(lineName(input, line));
        graph->setProperty("alternative", QString::fromStdString(line.alternative.value));
    }
    if (!x.valid() || !y.valid())
        return Text::tr("Costs are unknown");
    setTicks(plot.xAxis, rates ? x.high : 1, study.unit);
    plot.xAxis->setRange(0, rates ? x.high : 1);
    setLabel(plot.xAxis, rates ? QStringList{Text::tr("rate within the targets, with as many machines as it takes"), Text::tr("rate within the targets")}
                               : QStringList{Text::tr("share of the time with work")}, choice);
    setTicks(plot.yAxis, y.high, Unit::dollarsPerHour);
    setLabel(plot.yAxis, rates ? QStringList{Text::tr("cost while it runs"), Text::tr("cost")} : QStringList{Text::tr("cost, mean over the year"), Text::tr("cost, mean")});
    plot.yAxis->setRange(0, y.high / (1 - placeLegendAbove(plot, style)));
    constexpr std::size_t mostMarks = 6;
    for (std::size_t i = 0; i < std::min(study.crossovers.size(), mostMarks); ++i)
        addCrossover(plot, study.crossovers[i], study, input, style);
    return {};
}

} // namespace

QString paintDay(QCustomPlot& plot, const ChartInput& input, const PlotStyle& style, const ChartOptions& options) {
    const QString choice = options.axesCanBeChosen ? QStringLiteral(" ▾") : QString();
    if (options.aspect == DayAspect::hours)
        return paintHours(plot, input, style, choice);
    if (!options.study && options.studyPending)
        return Text::tr("Estimating …");
    return options.study ? paintStudy(plot, *options.study, input, style, options.aspect, choice)
                         : paintStudy(plot, studyOf(input, options.aspect), input, style, options.aspect, choice);
}

} // namespace cw
