// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/chart_painter.h"

#include "views/plots/day_painter.h"
#include "views/plots/occupancy_painter.h"
#include "views/plots/plot_parts.h"

#include <QCoreApplication>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Charts)
};

/// The text in lines of at most `width` pixels, broken between words.
QString wrapped(const QString& text, const QFont& font, int width)
{
    const QFontMetrics metrics(font);
    QStringList lines;
    for (const QString& paragraph : text.split(u'\n')) {
        QString line;
        for (const QString& word : paragraph.split(u' ')) {
            const QString longer = line.isEmpty() ? word : line + u' ' + word;
            if (!line.isEmpty() && metrics.horizontalAdvance(longer) > width) {
                lines << line;
                line = word;
            } else {
                line = longer;
            }
        }
        lines << line;
    }
    return lines.join(u'\n');
}

QString formatted(double value, Unit unit) { return quantityText(value, unit); }

void addCross(QCustomPlot& plot, const ParetoPoint& point, const QColor& colour)
{
    const QPen pen(colour, 1.2);
    const auto segment = [&](QPointF a, QPointF b) {
        auto* line = new QCPItemLine(&plot);
        line->start->setCoords(a);
        line->end->setCoords(b);
        line->setPen(pen);
    };
    segment({point.x.low, point.y.value}, {point.x.high, point.y.value});
    segment({point.x.value, point.y.low}, {point.x.value, point.y.high});
}

void addTargetBand(QCustomPlot& plot, const ParetoData& data, const PlotStyle& style)
{
    if (!data.xTarget && !data.yTarget)
        return;
    auto* band = new QCPItemRect(&plot);
    const QCPRange x = plot.xAxis->range(), y = plot.yAxis->range();
    const double right = data.xTarget ? std::min(*data.xTarget, x.upper) : x.upper;
    const double top = data.yHigherIsBetter ? y.upper : (data.yTarget ? std::min(*data.yTarget, y.upper) : y.upper);
    const double bottom = data.yHigherIsBetter && data.yTarget ? std::max(*data.yTarget, y.lower) : y.lower;
    band->topLeft->setCoords(x.lower, top);
    band->bottomRight->setCoords(right, bottom);
    band->setBrush(style.target);
    band->setPen(QPen(style.good, 1, Qt::DotLine));
    band->setLayer(QStringLiteral("background"));
    addText(plot, {x.lower, bottom}, Text::tr("target"), style.good, style.font, Qt::AlignLeft | Qt::AlignBottom);
}

/// Share of an axis' length between two values.
double apart(const QCPAxis& axis, double a, double b)
{
    const QCPRange range = axis.range();
    if (axis.scaleType() == QCPAxis::stLogarithmic)
        return std::abs(std::log(a / b)) / std::log(range.upper / range.lower);
    return std::abs(a - b) / range.size();
}

QString paintPareto(QCustomPlot& plot, const ChartInput& input, const PlotStyle& style, const ChartOptions& options)
{
    const ParetoData data = paretoData(input, options.x, options.y);
    if (data.points.empty())
        return data.unknown.isEmpty() ? Text::tr("Nothing to compare yet") : data.unknown.join(u'\n');
    Span x, y;
    for (const auto& p : data.points) {
        x.add(p.x.low);
        x.add(p.x.high);
        y.add(p.y.low);
        y.add(p.y.high);
    }
    if (data.xTarget && *data.xTarget < x.high * 3)
        x.add(*data.xTarget);
    if (data.yTarget && *data.yTarget < y.high * 3 && *data.yTarget > y.low / 3)
        y.add(*data.yTarget);
    setRange(plot.xAxis, x, data.xUnit);
    setRange(plot.yAxis, y, data.yUnit);
    // On the screen the names are the place to choose another axis.
    const QString choice = options.axesCanBeChosen ? QStringLiteral(" ▾") : QString();
    setLabel(plot.xAxis, {axisName(options.x)}, choice);
    setLabel(plot.yAxis, {axisName(options.y)}, choice);
    addTargetBand(plot, data, style);

    std::vector<ParetoPoint> front;
    std::copy_if(data.points.begin(), data.points.end(), std::back_inserter(front), [](const auto& p) { return p.onFront; });
    std::sort(front.begin(), front.end(), [](const auto& a, const auto& b) { return a.x.value < b.x.value; });
    if (front.size() > 1) {
        auto* line = new QCPCurve(plot.xAxis, plot.yAxis);
        QVector<double> fx, fy;
        for (const auto& p : front) {
            fx << p.x.value;
            fy << p.y.value;
        }
        line->setData(fx, fy);
        line->setPen(QPen(style.subtle, 1.2, Qt::DashLine));
        line->setName(Text::tr("Pareto front"));
        line->removeFromLegend();
    }
    for (std::size_t i = 0; i < data.points.size(); ++i) {
        const ParetoPoint& p = data.points[i];
        const QColor colour = style.colour(static_cast<std::size_t>(std::max(0, p.letter.at(0).unicode() - u'A')));
        if (const auto trail = options.trail.find(p.alternative); trail != options.trail.end() && !trail->second.empty()) {
            auto* pale = new QCPCurve(plot.xAxis, plot.yAxis);
            QVector<double> tx, ty;
            for (const QPointF& at : trail->second) {
                tx << at.x();
                ty << at.y();
            }
            tx << p.x.value;
            ty << p.y.value;
            pale->setData(tx, ty);
            QColor faint = colour;
            faint.setAlpha(90);
            pale->setPen(QPen(faint, 1.5));
            pale->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, faint, QColor(Qt::transparent), 6));
        }
        addCross(plot, p, colour);
        auto* mark = new QCPGraph(plot.xAxis, plot.yAxis);
        mark->setData(QVector<double>{p.x.value}, QVector<double>{p.y.value});
        mark->setLineStyle(QCPGraph::lsNone);
        const bool current = p.alternative == input.current;
        // Shape says it as well as colour: a filled disc meets its targets, a square does not.
        mark->setScatterStyle(QCPScatterStyle(p.meetsTargets ? QCPScatterStyle::ssDisc : QCPScatterStyle::ssSquare,
                                              QPen(current ? style.text : colour, current ? 2 : 1), QBrush(colour),
                                              current ? 11 : 9));
        mark->setName(p.letter);
        mark->setProperty("alternative", QString::fromStdString(p.alternative.value));
        QFont bold = style.font;
        bold.setBold(true);
        // Letters of marks in one place stand around it.
        constexpr Qt::Alignment around[] = {Qt::AlignLeft | Qt::AlignBottom, Qt::AlignRight | Qt::AlignBottom, Qt::AlignLeft | Qt::AlignTop,
                                            Qt::AlignRight | Qt::AlignTop};
        const auto here = std::count_if(data.points.begin(), data.points.begin() + static_cast<std::ptrdiff_t>(i), [&](const ParetoPoint& other) {
            return apart(*plot.xAxis, p.x.value, other.x.value) < .06 && apart(*plot.yAxis, p.y.value, other.y.value) < .12;
        });
        addText(plot, {p.x.value, p.y.value}, p.letter, colour, bold, around[static_cast<std::size_t>(here) % std::size(around)]);
    }
    return {};
}

QString paintCurves(QCustomPlot& plot, const ChartInput& input, const PlotStyle& style)
{
    const CurveData data = curveData(input);
    if (data.curves.empty())
        return Text::tr("Latency against load is drawn for work that arrives as requests");
    Span x, y;
    for (const auto& curve : data.curves)
        for (const auto& p : curve.points) {
            x.add(p.rate);
            y.add(p.p50);
            if (std::isfinite(p.p99) && (!data.latencyTarget || p.p99 < 4 * *data.latencyTarget))
                y.add(p.p99);
        }
    if (data.latencyTarget)
        y.add(*data.latencyTarget * 1.15);
    if (data.arrivalRate && (!x.valid() || *data.arrivalRate < 3 * x.high))
        x.add(*data.arrivalRate);
    if (!x.valid() || !y.valid())
        return Text::tr("The load curve is unknown");
    if (!data.latencyTarget) // the tail near saturation would flatten everything else
        for (const auto& curve : data.curves)
            if (!curve.points.empty())
                y.high = std::min(y.high, std::max(y.low * 2, curve.points.front().p99 * 12));
    setTicks(plot.xAxis, x.high, Unit::requestsPerSecond);
    setTicks(plot.yAxis, y.high, Unit::seconds);
    plot.xAxis->setRange(0, x.high * 1.06);
    plot.yAxis->setRange(0, y.high * 1.08);
    // What the lines are stands below, where it fits; the title names both axes.
    setLabel(plot.xAxis, {data.measured.empty() ? Text::tr("p50 ⋯  p95 —  p99 ▬") : Text::tr("p50 ⋯  p95 —  p99 ▬  measured ◇")});
    for (const auto& curve : data.curves) {
        const QColor colour = style.colour(static_cast<std::size_t>(std::max(0, curve.letter.at(0).unicode() - u'A')));
        const auto add = [&](double LoadPoint::*member, const QPen& pen) {
            auto* graph = new QCPGraph(plot.xAxis, plot.yAxis);
            QVector<double> gx, gy;
            for (const auto& p : curve.points)
                if (std::isfinite(p.*member)) {
                    gx << p.rate;
                    gy << p.*member;
                }
            graph->setData(gx, gy, true);
            graph->setPen(pen);
            graph->setProperty("alternative", QString::fromStdString(curve.alternative.value));
        };
        add(&LoadPoint::p50, QPen(colour, 1, Qt::DotLine));
        add(&LoadPoint::p95, QPen(colour, 1));
        add(&LoadPoint::p99, QPen(colour, 2.2));
        QFont bold = style.font;
        bold.setBold(true);
        for (auto p = curve.points.rbegin(); p != curve.points.rend(); ++p)
            if (std::isfinite(p->p99) && p->p99 < .82 * y.high) { // the letter sits where the curve leaves the picture
                addText(plot, {p->rate, p->p99}, curve.letter, colour, bold, Qt::AlignRight | Qt::AlignBottom);
                break;
            }
        if (std::isfinite(curve.capacity) && curve.capacity <= plot.xAxis->range().upper) {
            auto* knee = new QCPGraph(plot.xAxis, plot.yAxis);
            knee->setData(QVector<double>{curve.capacity}, QVector<double>{0});
            knee->setLineStyle(QCPGraph::lsNone);
            knee->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssTriangle, QPen(colour, 1), QBrush(colour), 9));
        }
    }
    for (const auto& measured : data.measured) {
        auto* mark = new QCPGraph(plot.xAxis, plot.yAxis);
        mark->setData(QVector<double>{measured.rate}, QVector<double>{measured.seconds});
        mark->setLineStyle(QCPGraph::lsNone);
        mark->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(style.text, 1.2), QBrush(style.background), 9));
    }
    if (data.latencyTarget) {
        addLine(plot, {0, *data.latencyTarget}, {1, *data.latencyTarget}, QPen(style.bad, 1.2, Qt::DashLine));
        addText(plot, {0, *data.latencyTarget}, Text::tr("p99 target %1").arg(formatted(*data.latencyTarget, Unit::seconds)), style.bad,
                style.font, Qt::AlignLeft | Qt::AlignBottom);
    }
    if (data.arrivalRate) {
        addLine(plot, {*data.arrivalRate, 0}, {*data.arrivalRate, 1}, QPen(style.subtle, 1.2, Qt::DashLine));
        // On the side where no curve rises.
        const bool right = *data.arrivalRate < .3 * plot.xAxis->range().upper;
        addText(plot, {*data.arrivalRate, plot.yAxis->range().upper}, formatted(*data.arrivalRate, Unit::requestsPerSecond),
                style.subtle, style.font, (right ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignTop);
    }
    return {};
}

/// Shares of the requests below a time, whole answers in full lines and first tokens dashed. A disc marks the simulated p99, a circle on the same
/// level what the closed form had.
QString paintDistribution(QCustomPlot& plot, const ChartInput& input, const PlotStyle& style)
{
    const DistributionData data = distributionData(input);
    if (data.curves.empty())
        return Text::tr("Drawn once the latency is simulated: work that arrives as requests, a moment after an edit");
    Span x;
    for (const auto& curve : data.curves) {
        for (const auto& [seconds, share] : curve.below)
            x.add(seconds);
        x.add(curve.closedForm99);
    }
    if (!x.valid())
        return Text::tr("The distribution is unknown");
    for (const std::optional<double>& target : {data.target, data.firstTokenTarget})
        if (target && *target > x.low / 3 && *target < x.high * 3)
            x.add(*target);
    setRange(plot.xAxis, x, Unit::seconds);
    setTicks(plot.yAxis, 1, Unit::fraction);
    plot.yAxis->setRange(0, 1.04);
    setLabel(plot.xAxis, {Text::tr("latency —  first token ┄  p99 ● closed form ○"), Text::tr("latency —  first token ┄  p99 ●")});
    setLabel(plot.yAxis, {Text::tr("requests below"), Text::tr("below")});
    const auto mark = [&](double at, const QColor& colour, const QBrush& fill) {
        if (!std::isfinite(at))
            return;
        auto* point = new QCPGraph(plot.xAxis, plot.yAxis);
        point->setData(QVector<double>{at}, QVector<double>{.99});
        point->setLineStyle(QCPGraph::lsNone);
        point->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(colour, 1.2), fill, 7));
    };
    for (const auto& curve : data.curves) {
        const QColor colour = style.colour(static_cast<std::size_t>(std::max(0, curve.letter.at(0).unicode() - u'A')));
        const bool first = curve.what == "ttft";
        auto* graph = new QCPGraph(plot.xAxis, plot.yAxis);
        QVector<double> gx, gy;
        for (const auto& [seconds, share] : curve.below) {
            gx << seconds;
            gy << share;
        }
        graph->setData(gx, gy, true);
        graph->setPen(QPen(colour, first ? 1.2 : 2.2, first ? Qt::DashLine : Qt::SolidLine));
        graph->setProperty("alternative", QString::fromStdString(curve.alternative.value));
        mark(curve.closedForm99, colour, Qt::NoBrush);
        mark(curve.p99, colour, QBrush(colour));
        if (!first && !gx.isEmpty()) {
            QFont bold = style.font;
            bold.setBold(true);
            addText(plot, {gx[gx.size() / 2], gy[gy.size() / 2]}, curve.letter, colour, bold, Qt::AlignLeft | Qt::AlignTop);
        }
    }
    const auto target = [&](double seconds, const QString& words) {
        if (!plot.xAxis->range().contains(seconds))
            return;
        addLine(plot, {seconds, 0}, {seconds, 1}, QPen(style.bad, 1.2, Qt::DashLine));
        addText(plot, {seconds, .35}, words.arg(formatted(seconds, Unit::seconds)), style.bad, style.font, Qt::AlignRight | Qt::AlignBottom);
    };
    if (data.target)
        target(*data.target, Text::tr("p99 target %1"));
    if (data.firstTokenTarget)
        target(*data.firstTokenTarget, Text::tr("first token %1"));
    return {};
}

QString paintStack(QCustomPlot& plot, const StackData& data, const ChartInput& input, const PlotStyle& style, const QString& empty)
{
    if (data.series.empty())
        return data.unknown.isEmpty() ? empty : data.unknown;
    const int bars = static_cast<int>(data.bars.size());
    QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (int i = 0; i < bars; ++i)
        ticker->addTick(i, data.bars[i]);
    QCPBars* below = nullptr;
    std::vector<double> totals(static_cast<std::size_t>(bars), 0.0);
    for (const auto& series : data.series) {
        auto* plottable = new QCPBars(plot.xAxis, plot.yAxis);
        QVector<double> keys, values;
        for (int i = 0; i < bars; ++i) {
            keys << i;
            values << series.values[static_cast<std::size_t>(i)];
            totals[static_cast<std::size_t>(i)] += series.values[static_cast<std::size_t>(i)];
        }
        plottable->setData(keys, values, true);
        plottable->setName(series.name);
        plottable->setBrush(style.stackColour(static_cast<std::size_t>(series.colour)));
        plottable->setPen(Qt::NoPen); // a seam would swallow small parts
        plottable->setWidth(.55);
        if (below)
            plottable->moveAbove(below);
        below = plottable;
    }
    const double top = *std::max_element(totals.begin(), totals.end());
    plot.xAxis->setTicker(ticker);
    plot.xAxis->setTickLength(0);
    plot.xAxis->setRange(-.6, std::max(bars, 3) - .4);
    setTicks(plot.yAxis, top, data.unit);
    const double above = placeLegendAbove(plot, style); // never covers a bar
    plot.yAxis->setRange(0, top > 0 ? top / (1 - above) : 1);
    for (int i = 0; i < bars; ++i) {
        QFont font = style.font;
        font.setBold(data.alternatives[static_cast<std::size_t>(i)] == input.current);
        addText(plot, {static_cast<double>(i), totals[static_cast<std::size_t>(i)]}, data.known[static_cast<std::size_t>(i)] ? formatted(totals[static_cast<std::size_t>(i)], data.unit) : QStringLiteral("?"),
                style.text, font, Qt::AlignHCenter | Qt::AlignBottom);
    }
    return {};
}

/// Where a bar is called full and overfull: links queue long before they are full, a rack may use what it has.
struct BarBands {
    double warning, bad;
};
constexpr BarBands linkBands{.75, .9}, rackBands{.9, 1};

QString paintBars(QCustomPlot& plot, const BarData& data, const BarBands& bands, const PlotStyle& style, const QString& empty)
{
    if (data.bars.empty())
        return empty;
    const int count = static_cast<int>(data.bars.size());
    QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    double top = 1;
    for (int i = 0; i < count; ++i) {
        const auto& bar = data.bars[static_cast<std::size_t>(i)];
        ticker->addTick(i, QFontMetrics(style.font).elidedText(bar.label, Qt::ElideMiddle, 150));
        top = std::max({top, bar.value, std::min(bar.high, 2.0)});
        auto* plottable = new QCPBars(plot.yAxis, plot.xAxis);
        plottable->setData(QVector<double>{static_cast<double>(i)}, QVector<double>{bar.value});
        const QColor colour = bar.value < bands.warning ? style.good : bar.value < bands.bad ? style.warning : style.bad;
        // Hatching repeats what the colour says.
        plottable->setBrush(bar.value < bands.warning ? QBrush(colour) : QBrush(colour, bar.value < bands.bad ? Qt::Dense2Pattern : Qt::SolidPattern));
        plottable->setPen(QPen(colour, 1));
        plottable->setWidth(.6);
        plottable->setProperty("bar", i);
        if (bar.high > bar.value) {
            auto* range = new QCPItemLine(&plot);
            range->start->setCoords(bar.value, i);
            range->end->setCoords(std::min(bar.high, 2.0), i);
            range->setPen(QPen(style.subtle, 1.4));
            range->setTail(QCPLineEnding(QCPLineEnding::esNone));
            range->setHead(QCPLineEnding(QCPLineEnding::esBar, 6));
        }
        addText(plot, {std::min(std::max(bar.value, bar.high), 2.0), static_cast<double>(i)}, formatted(bar.value, Unit::fraction), style.text, style.font,
                Qt::AlignLeft | Qt::AlignVCenter);
    }
    plot.yAxis->setTicker(ticker);
    plot.yAxis->setTickLength(0);
    plot.yAxis->setRange(-.6, std::max(count, 6) - .4);
    plot.yAxis->setRangeReversed(true);
    setTicks(plot.xAxis, 1, Unit::fraction);
    // Room for the figure behind the longest bar.
    const QFontMetrics metrics(style.font);
    int labels = 0;
    for (const auto& bar : data.bars)
        labels = std::max(labels, metrics.horizontalAdvance(metrics.elidedText(bar.label, Qt::ElideMiddle, 150)));
    const double figure = (metrics.horizontalAdvance(QStringLiteral("88.8 %")) + 18) / std::max(80.0, plot.viewport().width() - labels - 30.0);
    plot.xAxis->setRange(0, top / (1 - std::min(.6, figure)));
    addLine(plot, {1, 0}, {1, 1}, QPen(style.bad, 1.2, Qt::DashLine));
    return {};
}

} // namespace

QString chartTitle(ChartKind kind)
{
    switch (kind) {
    case ChartKind::costLatency: return Text::tr("Cost against latency");
    case ChartKind::latencyLoad: return Text::tr("Latency against load");
    case ChartKind::timeParts: return Text::tr("Where the time goes");
    case ChartKind::power: return Text::tr("Power by part");
    case ChartKind::cost: return Text::tr("Cost a year");
    case ChartKind::linkLoads: return Text::tr("Fullest links");
    case ChartKind::rackMargin: return Text::tr("Rack power against limit");
    case ChartKind::distribution: return Text::tr("Distribution of the latency");
    case ChartKind::dayLoad: return Text::tr("Load over the day");
    }
    return {};
}

QString chartShortTitle(ChartKind kind)
{
    switch (kind) {
    case ChartKind::costLatency: return Text::tr("Compare");
    case ChartKind::latencyLoad: return Text::tr("Load");
    case ChartKind::timeParts: return Text::tr("Time");
    case ChartKind::power: return Text::tr("Power");
    case ChartKind::cost: return Text::tr("Cost");
    case ChartKind::linkLoads: return Text::tr("Links");
    case ChartKind::rackMargin: return Text::tr("Racks");
    case ChartKind::distribution: return Text::tr("Distribution");
    case ChartKind::dayLoad: return Text::tr("Day");
    }
    return {};
}

QString paintChart(QCustomPlot& plot, ChartKind kind, const ChartInput& input, const PlotStyle& style, const ChartOptions& options)
{
    preparePlot(plot, style);
    QString empty;
    if (!input.estimates)
        empty = Text::tr("Estimating …");
    else
        switch (kind) {
        case ChartKind::costLatency: empty = paintPareto(plot, input, style, options); break;
        case ChartKind::latencyLoad: empty = paintCurves(plot, input, style); break;
        case ChartKind::timeParts:
            empty = paintStack(plot, timeStack(input), input, style, Text::tr("No workload is placed"));
            break;
        case ChartKind::power: empty = paintStack(plot, powerStack(input), input, style, Text::tr("Nothing draws power yet")); break;
        case ChartKind::cost: empty = paintStack(plot, costStack(input), input, style, Text::tr("Nothing costs money yet")); break;
        case ChartKind::linkLoads:
            empty = paintBars(plot, linkBars(input, options.bars), linkBands, style, Text::tr("No link is drawn"));
            setLabel(plot.xAxis, {Text::tr("mean ▬  while it runs, fullest cable ⊣"), Text::tr("mean ▬  at worst ⊣")});
            break;
        case ChartKind::distribution:
            empty = options.spread == SpreadAspect::latency ? paintDistribution(plot, input, style) : paintOccupancy(plot, input, style, options.spread);
            break;
        case ChartKind::rackMargin: empty = paintBars(plot, rackBars(input, options.bars), rackBands, style, Text::tr("No rack is filled")); break;
        case ChartKind::dayLoad: empty = paintDay(plot, input, style, options); break;
        }
    const bool blank = !empty.isEmpty();
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis})
        axis->setVisible(!blank);
    if (blank) {
        auto* text = new QCPItemText(&plot);
        text->position->setType(QCPItemPosition::ptAxisRectRatio);
        text->position->setCoords(.5, .45);
        text->setText(wrapped(empty, style.font, std::max(80, plot.viewport().width() - 32)));
        text->setColor(style.subtle);
        text->setFont(style.font);
        text->setClipToAxisRect(false);
    }
    return empty;
}

QPicture chartPicture(ChartKind kind, const ChartInput& input, const PlotStyle& style, const ChartOptions& options, QSize size)
{
    QCustomPlot plot;
    plot.setAttribute(Qt::WA_DontShowOnScreen);
    plot.resize(size);
    plot.setViewport(QRect(QPoint(0, 0), size));
    paintChart(plot, kind, input, style, options);
    plot.replot(QCustomPlot::rpImmediateRefresh);
    QPicture picture;
    QCPPainter painter(&picture);
    painter.setMode(QCPPainter::pmVectorized);
    plot.toPainter(&painter, size.width(), size.height());
    painter.end();
    return picture;
}

} // namespace cw
