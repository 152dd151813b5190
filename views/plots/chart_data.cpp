// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/chart_data.h"

#include "views/plots/day_data.h"
#include "views/plots/occupancy_data.h"
#include "views/text/names.h"
#include "views/text/neighbour_text.h"
#include "views/text/quantity_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cw {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Charts)
};

const Workload* chosenWorkload(const ChartInput& input)
{
    const Project& project = input.estimates->project;
    if (const Workload* found = project.findWorkload(input.workload))
        return found;
    return project.workloads.empty() ? nullptr : &project.workloads.front();
}

const WorkloadEstimate* workloadOf(const ChartInput& input, const AlternativeEstimate& estimate)
{
    const Workload* workload = chosenWorkload(input);
    return workload ? estimate.workload(workload->id) : nullptr;
}

QString nameOf(const AlternativeEstimate& estimate) { return QString::fromStdString(estimate.name); }

/// Calls f(index, estimate) for every alternative that has an estimate.
template <class F> void forEach(const ChartInput& input, F f)
{
    if (!input.estimates)
        return;
    int index = 0;
    for (const auto& estimate : input.estimates->alternatives) {
        if (estimate)
            f(index, *estimate);
        ++index;
    }
}

std::optional<Quantity> latency(const WorkloadEstimate* workload, std::string_view key)
{
    const Quantity* found = workload ? workload->latencyNamed(key) : nullptr;
    return found ? std::optional(*found) : std::nullopt;
}

std::optional<Quantity> figure(const ChartInput& input, const AlternativeEstimate& estimate, ChartAxis axis)
{
    const WorkloadEstimate* workload = workloadOf(input, estimate);
    switch (axis) {
    case ChartAxis::costPerHour: return estimate.cost.perHour;
    case ChartAxis::tco: return estimate.cost.tco;
    case ChartAxis::capex: return estimate.cost.capex;
    case ChartAxis::costPerUnit: return workload ? workload->costPerUnit : std::nullopt;
    case ChartAxis::latencyP99: return latency(workload, "p99");
    case ChartAxis::latencyP50: return latency(workload, "p50");
    case ChartAxis::ttftP99: return latency(workload, "ttft_p99");
    case ChartAxis::step: return latency(workload, "step");
    case ChartAxis::throughput: return workload ? workload->throughput : std::nullopt;
    case ChartAxis::facilityPower: return estimate.power.facility;
    case ChartAxis::carbon: return estimate.carbon.operationPerYear;
    }
    return std::nullopt;
}

bool dominates(const ParetoPoint& a, const ParetoPoint& b, bool higherY)
{
    const bool xNoWorse = a.x.value <= b.x.value;
    const bool yNoWorse = higherY ? a.y.value >= b.y.value : a.y.value <= b.y.value;
    return xNoWorse && yNoWorse && (a.x.value != b.x.value || a.y.value != b.y.value);
}

std::optional<double> latencyTargetOf(const WorkloadSpec& spec)
{
    return std::visit(
        [](const auto& s) -> std::optional<double> {
            if constexpr (requires { s.latencyP99; }) {
                if (s.latencyP99)
                    return si(*s.latencyP99);
            }
            return std::nullopt;
        },
        spec);
}

std::optional<double> targetOn(const Workload& workload, ChartAxis axis)
{
    const auto asSeconds = [](const std::optional<Seconds>& s) { return s ? std::optional(si(*s)) : std::nullopt; };
    switch (axis) {
    case ChartAxis::costPerHour: return workload.targets.dollarsPerHour;
    case ChartAxis::costPerUnit: return workload.targets.dollarsPerUnit;
    case ChartAxis::throughput: return workload.targets.throughput;
    case ChartAxis::facilityPower:
        return workload.targets.facilityPower ? std::optional(si(*workload.targets.facilityPower)) : std::nullopt;
    case ChartAxis::step: return asSeconds(workload.targets.stepTime);
    case ChartAxis::latencyP99: return latencyTargetOf(workload.spec);
    case ChartAxis::ttftP99:
        if (const auto* serving = std::get_if<LlmServing>(&workload.spec))
            return asSeconds(serving->ttftP99);
        return std::nullopt;
    default: return std::nullopt;
    }
}

/// Gathers named quantities of all alternatives into stacked bars, series in order of first appearance.
template <class Parts>
StackData stackOf(const ChartInput& input, Unit unit, QString (*wordFor)(std::string_view), Parts parts)
{
    StackData data;
    data.unit = unit;
    const auto seriesFor = [&](const std::string& key) -> StackData::Series& {
        const QString name = wordFor(key);
        for (auto& series : data.series)
            if (series.name == name)
                return series;
        data.series.push_back({name, static_cast<int>(data.series.size()), {}});
        return data.series.back();
    };
    QStringList unknown;
    forEach(input, [&](int index, const AlternativeEstimate& estimate) {
        data.bars << alternativeLetter(index);
        data.barNames << nameOf(estimate);
        data.alternatives.push_back(estimate.id);
        data.known.push_back(false);
        for (const NamedQuantity& part : parts(estimate)) {
            StackData::Series& series = seriesFor(part.name);
            series.values.resize(static_cast<std::size_t>(data.bars.size()), 0.0);
            if (part.quantity.known()) {
                series.values.back() += part.quantity.value;
                data.known.back() = true;
            } else {
                unknown << Text::tr("%1: %2").arg(alternativeLetter(index), series.name);
            }
        }
    });
    for (auto& series : data.series)
        series.values.resize(static_cast<std::size_t>(data.bars.size()), 0.0);
    std::erase_if(data.series, [](const StackData::Series& s) {
        return std::all_of(s.values.begin(), s.values.end(), [](double v) { return v == 0; });
    });
    if (!unknown.isEmpty())
        data.unknown = Text::tr("Not counted (unknown): %1").arg(unknown.join(QStringLiteral(", ")));
    return data;
}

} // namespace

QString alternativeLetter(int index)
{
    const QString letter(QChar(u'A' + index % 26));
    return index < 26 ? letter : letter + QString::number(index / 26 + 1);
}

QString axisName(ChartAxis axis)
{
    switch (axis) {
    case ChartAxis::costPerHour: return Text::tr("cost per hour");
    case ChartAxis::tco: return Text::tr("TCO");
    case ChartAxis::capex: return Text::tr("purchase");
    case ChartAxis::costPerUnit: return Text::tr("cost per unit");
    case ChartAxis::latencyP99: return Text::tr("p99 latency");
    case ChartAxis::latencyP50: return Text::tr("p50 latency");
    case ChartAxis::ttftP99: return Text::tr("p99 time to first token");
    case ChartAxis::step: return Text::tr("step time");
    case ChartAxis::throughput: return Text::tr("throughput");
    case ChartAxis::facilityPower: return Text::tr("facility power");
    case ChartAxis::carbon: return Text::tr("carbon a year");
    }
    return {};
}

std::vector<ChartAxis> availableAxes(const ChartInput& input, bool vertical)
{
    using enum ChartAxis;
    const std::vector<ChartAxis> wanted = vertical
        ? std::vector{latencyP99, latencyP50, ttftP99, step, throughput, facilityPower, carbon}
        : std::vector{costPerHour, costPerUnit, tco, capex};
    std::vector<ChartAxis> result;
    for (ChartAxis axis : wanted) {
        bool any = false;
        forEach(input, [&](int, const AlternativeEstimate& e) { any = any || figure(input, e, axis).has_value(); });
        if (any)
            result.push_back(axis);
    }
    return result;
}

ChartAxis defaultVerticalAxis(const ChartInput& input)
{
    const auto axes = availableAxes(input, true);
    for (ChartAxis axis : axes) {
        bool known = false;
        forEach(input, [&](int, const AlternativeEstimate& e) {
            const auto q = figure(input, e, axis);
            known = known || (q && q->known());
        });
        if (known)
            return axis;
    }
    return axes.empty() ? ChartAxis::latencyP99 : axes.front();
}

ParetoData paretoData(const ChartInput& input, ChartAxis x, ChartAxis y)
{
    ParetoData data;
    data.yHigherIsBetter = y == ChartAxis::throughput;
    forEach(input, [&](int index, const AlternativeEstimate& estimate) {
        const auto qx = figure(input, estimate, x);
        const auto qy = figure(input, estimate, y);
        if (!qx || !qy || !qx->known() || !qy->known()) {
            const QString missing = !qx || !qx->known() ? axisName(x) : axisName(y);
            data.unknown << Text::tr("%1 %2: no %3").arg(alternativeLetter(index), nameOf(estimate), missing);
            return;
        }
        const WorkloadEstimate* workload = workloadOf(input, estimate);
        ParetoPoint point{estimate.id, alternativeLetter(index), nameOf(estimate), *qx, *qy, false, true};
        point.meetsTargets = !workload || workload->meetsTargets.value_or(true);
        data.xUnit = qx->unit;
        data.yUnit = qy->unit;
        data.points.push_back(point);
    });
    for (ParetoPoint& point : data.points)
        point.onFront = std::none_of(data.points.begin(), data.points.end(),
                                     [&](const ParetoPoint& o) { return dominates(o, point, data.yHigherIsBetter); });
    if (input.estimates) {
        if (const Workload* workload = chosenWorkload(input)) {
            data.xTarget = targetOn(*workload, x);
            data.yTarget = targetOn(*workload, y);
        }
    }
    return data;
}

namespace {

/// Seconds of a whole answer by what was measured, and by the estimate of the same row.
double answerSeconds(const MeasuredNeighbour& neighbour, double MeasuredFigure::*of)
{
    const MeasuredFigure *first = neighbour.figure("ttft"), *pace = neighbour.figure("tpot");
    return first && pace ? first->*of + (neighbour.row->point.output - 1) * (pace->*of) : std::numeric_limits<double>::quiet_NaN();
}

/// The point of a curve at which so many requests are in flight (Little: rate · time); empty beyond its end.
std::optional<QPointF> pointInFlight(const std::vector<LoadPoint>& curve, double inFlight)
{
    for (std::size_t i = 1; i < curve.size(); ++i) {
        const double before = curve[i - 1].rate * curve[i - 1].p50, after = curve[i].rate * curve[i].p50;
        if (before <= inFlight && inFlight <= after && after > before) {
            const double along = (inFlight - before) / (after - before);
            return QPointF(std::lerp(curve[i - 1].rate, curve[i].rate, along), std::lerp(curve[i - 1].p50, curve[i].p50, along));
        }
    }
    return {};
}

void addMeasured(CurveData& data, const Project& project, const AlternativeEstimate& estimate, const WorkloadEstimate& workload)
{
    constexpr double furthest = 4;
    const auto alternative = std::find_if(project.alternatives.begin(), project.alternatives.end(), [&](const Alternative& a) { return a.id == estimate.id; });
    if (alternative == project.alternatives.end() || !workload.plan)
        return;
    const auto point = designPoint(project, *alternative, estimate.catalog, workload);
    if (!point || !point->serving)
        return;
    for (const MeasuredNeighbour& neighbour : publishedRows().nearest(*point, 3, furthest)) {
        const double ratio = answerSeconds(neighbour, &MeasuredFigure::measured) / answerSeconds(neighbour, &MeasuredFigure::predicted);
        const auto at = pointInFlight(workload.curve, neighbour.row->point.inFlight * workload.plan->replicas);
        if (at && std::isfinite(ratio))
            data.measured.push_back({at->x(), at->y() * ratio, neighbourDetails(neighbour, estimate.catalog)});
    }
}

} // namespace

CurveData curveData(const ChartInput& input)
{
    CurveData data;
    if (!input.estimates)
        return data;
    if (const Workload* workload = chosenWorkload(input)) {
        data.latencyTarget = latencyTargetOf(workload->spec);
        std::visit(
            [&](const auto& spec) {
                if constexpr (requires { spec.arrivalRate; }) {
                    if (spec.arrivalRate > 0)
                        data.arrivalRate = spec.arrivalRate;
                }
            },
            workload->spec);
    }
    forEach(input, [&](int index, const AlternativeEstimate& estimate) {
        const WorkloadEstimate* workload = workloadOf(input, estimate);
        if (!workload || workload->curve.empty())
            return;
        CurveData::Curve curve{estimate.id, alternativeLetter(index), nameOf(estimate), workload->curve,
                               std::numeric_limits<double>::quiet_NaN()};
        if (workload->capacity && workload->capacity->known() && workload->capacity->unit != Unit::tokensPerSecond)
            curve.capacity = workload->capacity->value;
        for (const NamedQuantity& more : workload->more) // served models count tokens, their curve requests
            if (more.name == "requests_capacity" && more.quantity.known())
                curve.capacity = more.quantity.value;
        data.curves.push_back(std::move(curve));
        if (estimate.id == input.current)
            addMeasured(data, input.estimates->project, estimate, *workload);
    });
    return data;
}

DistributionData distributionData(const ChartInput& input)
{
    DistributionData data;
    if (!input.estimates)
        return data;
    if (const Workload* workload = chosenWorkload(input)) {
        data.target = latencyTargetOf(workload->spec);
        data.firstTokenTarget = targetOn(*workload, ChartAxis::ttftP99);
    }
    forEach(input, [&](int index, const AlternativeEstimate& estimate) {
        const WorkloadEstimate* workload = workloadOf(input, estimate);
        if (!workload || !workload->simulated)
            return;
        for (const auto& distribution : workload->simulated->distributions) {
            if (distribution.name != "latency" && distribution.name != "ttft")
                continue;
            DistributionData::Curve curve{estimate.id, alternativeLetter(index), nameOf(estimate), distribution.name, distribution.below};
            const SimulatedRun::Figure* p99 = workload->simulated->figure(distribution.name == "ttft" ? "ttft_p99" : "p99");
            curve.p99 = p99 ? p99->value : std::numeric_limits<double>::quiet_NaN();
            curve.closedForm99 = p99 ? p99->closedForm : std::numeric_limits<double>::quiet_NaN();
            curve.requests = workload->simulated->requests;
            data.curves.push_back(std::move(curve));
        }
    });
    return data;
}

namespace {
QString timePartWord(std::string_view key)
{
    for (int i = 0; i < timePartCount; ++i)
        if (name(static_cast<TimePart>(i)) == key)
            return timePartName(static_cast<TimePart>(i));
    return {};
}
} // namespace

StackData timeStack(const ChartInput& input)
{
    return stackOf(input, Unit::seconds, timePartWord, [&](const AlternativeEstimate& estimate) {
        std::vector<NamedQuantity> parts;
        const WorkloadEstimate* workload = workloadOf(input, estimate);
        const auto takesTime = [](double seconds) { return seconds > 0; };
        // What cannot run takes no time that anybody knows.
        if (workload && std::any_of(workload->timeParts.begin(), workload->timeParts.end(), takesTime))
            for (int i = 0; i < timePartCount; ++i) {
                Quantity q;
                q.value = q.low = q.high = workload->timeParts[static_cast<std::size_t>(i)];
                q.unit = Unit::seconds;
                parts.push_back({std::string(name(static_cast<TimePart>(i))), q});
            }
        return parts;
    });
}

StackData powerStack(const ChartInput& input)
{
    return stackOf(input, Unit::watts, powerPartName, [](const AlternativeEstimate& estimate) { return estimate.power.byPart; });
}

StackData costStack(const ChartInput& input)
{
    return stackOf(input, Unit::dollarsPerYear, costCategoryName, [](const AlternativeEstimate& estimate) { return estimate.cost.yearly; });
}

BarData linkBars(const ChartInput& input, int atMost)
{
    BarData data;
    if (!input.estimates)
        return data;
    const AlternativeEstimate* estimate = input.estimates->find(input.current);
    const Alternative* alternative = input.estimates->project.findAlternative(input.current);
    if (!estimate || !alternative)
        return data;
    for (const LinkLoad& load : estimate->links) {
        const Link* link = alternative->findLink(load.link);
        if (!link || load.capacity <= 0)
            continue;
        const auto nodeName = [&](const NodeId& id) {
            const Node* node = alternative->findNode(id);
            return QString::fromStdString(node ? node->name : id.value);
        };
        BarData::Bar bar;
        bar.label = QStringLiteral("%1 → %2").arg(nodeName(link->from), nodeName(link->to));
        bar.value = load.utilisation;
        bar.high = std::max({load.utilisation, load.peakUtilisation, load.hashedHigh});
        bar.element = {ElementKind::link, input.current, load.link.value};
        bar.detail = Text::tr("%1 of %2 each way, while active %3, fullest cable %4")
                         .arg(quantityText(std::max(load.forward, load.backward), Unit::bytesPerSecond),
                              quantityText(load.capacity, Unit::bytesPerSecond),
                              quantityText(load.peakUtilisation, Unit::fraction),
                              quantityText(load.hashedHigh, Unit::fraction));
        data.bars.push_back(std::move(bar));
    }
    std::stable_sort(data.bars.begin(), data.bars.end(), [](const auto& a, const auto& b) { return a.high > b.high; });
    if (static_cast<int>(data.bars.size()) > atMost)
        data.bars.resize(static_cast<std::size_t>(atMost));
    return data;
}

BarData rackBars(const ChartInput& input, int atMost)
{
    BarData data;
    const AlternativeEstimate* estimate = input.estimates ? input.estimates->find(input.current) : nullptr;
    if (!estimate)
        return data;
    for (const RackEstimate& rack : estimate->racks) {
        if (!rack.power.known() || !rack.limit.known() || rack.limit.value <= 0)
            continue;
        BarData::Bar bar;
        bar.label = rack.count > 1 ? QStringLiteral("%1 ×%2").arg(QString::fromStdString(rack.name)).arg(rack.count)
                                   : QString::fromStdString(rack.name);
        bar.value = rack.power.value / rack.limit.value;
        bar.high = std::max(bar.value, rack.power.high / rack.limit.value);
        bar.element = {ElementKind::rack, input.current, rack.rack.value};
        bar.detail = Text::tr("%1 of %2").arg(quantityText(rack.power.value, Unit::watts),
                                              quantityText(rack.limit.value, Unit::watts));
        data.bars.push_back(std::move(bar));
    }
    std::stable_sort(data.bars.begin(), data.bars.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
    if (static_cast<int>(data.bars.size()) > atMost)
        data.bars.resize(static_cast<std::size_t>(atMost));
    return data;
}

namespace {

QString cell(const QString& text)
{
    QString quoted = text;
    if (!quoted.isEmpty() && QStringLiteral("=+-@").contains(quoted.front()))
        quoted.prepend(u'\''); // spreadsheets would run it as a formula
    return u'"' + quoted.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

QString number(double value) { return std::isfinite(value) ? QString::number(value, 'g', 9) : QString(); }

QString stackCsv(const StackData& data)
{
    QString text = QStringLiteral("alternative,name");
    for (const auto& series : data.series)
        text += u',' + cell(series.name + QStringLiteral(" [") + QString::fromUtf8(symbol(data.unit).data()) + u']');
    text += u'\n';
    for (int bar = 0; bar < data.bars.size(); ++bar) {
        text += cell(data.bars[bar]) + u',' + cell(data.barNames[bar]);
        for (const auto& series : data.series)
            text += u',' + number(series.values[static_cast<std::size_t>(bar)]);
        text += u'\n';
    }
    return text;
}

QString barCsv(const BarData& data)
{
    QString text = QStringLiteral("name,utilisation,high,detail\n");
    for (const auto& bar : data.bars)
        text += cell(bar.label) + u',' + number(bar.value) + u',' + number(bar.high) + u',' + cell(bar.detail) + u'\n';
    return text;
}

} // namespace

QString chartCsv(ChartKind kind, const ChartInput& input, ChartAxis x, ChartAxis y)
{
    constexpr int all = std::numeric_limits<int>::max();
    switch (kind) {
    case ChartKind::costLatency: {
        QString text = QStringLiteral("alternative,name,%1,low,high,%2,low,high,on_front\n").arg(cell(axisName(x)), cell(axisName(y)));
        for (const auto& p : paretoData(input, x, y).points)
            text += QStringList{cell(p.letter), cell(p.name), number(p.x.value), number(p.x.low), number(p.x.high), number(p.y.value),
                                number(p.y.low), number(p.y.high), p.onFront ? QStringLiteral("1") : QStringLiteral("0")}
                        .join(u',') +
                    u'\n';
        return text;
    }
    case ChartKind::latencyLoad: {
        QString text = QStringLiteral("alternative,name,rate_per_s,p50_s,p95_s,p99_s\n");
        const CurveData data = curveData(input);
        for (const auto& curve : data.curves)
            for (const auto& p : curve.points)
                text += QStringList{cell(curve.letter), cell(curve.name), number(p.rate), number(p.p50), number(p.p95), number(p.p99)}
                            .join(u',') +
                        u'\n';
        for (const auto& mark : data.measured)
            text += QStringList{cell(QStringLiteral("measured")), cell(mark.details.section(u'\n', 0, 0)), number(mark.rate), number(mark.seconds), {}, {}}
                        .join(u',') +
                    u'\n';
        return text;
    }
    case ChartKind::distribution: {
        QString text = QStringLiteral("alternative,name,what,seconds,share_below\n");
        for (const auto& curve : distributionData(input).curves)
            for (const auto& [seconds, share] : curve.below)
                text += QStringList{cell(curve.letter), cell(curve.name), cell(QString::fromStdString(curve.what)), number(seconds), number(share)}
                            .join(u',') +
                        u'\n';
        const QString occupancy = occupancyCsv(input);
        return occupancy.isEmpty() ? text : text + QStringLiteral("\nalternative,name,what,level_or_seconds,share_below_or_level\n") + occupancy;
    }
    case ChartKind::timeParts: return stackCsv(timeStack(input));
    case ChartKind::power: return stackCsv(powerStack(input));
    case ChartKind::cost: return stackCsv(costStack(input));
    case ChartKind::linkLoads: return barCsv(linkBars(input, all));
    case ChartKind::rackMargin: return barCsv(rackBars(input, all));
    case ChartKind::dayLoad: return dayCsv(input);
    }
    return {};
}

} // namespace cw
