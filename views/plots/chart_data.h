// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the charts show, as plain values made from the estimates: no widgets, no colours of a theme, so that the same data go to the
// screen, into documents and onto the clipboard, and tests read them without painting.
#pragma once

#include "estimators/estimate.h"
#include "estimators/live/live_estimator.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace cw {

enum class ChartKind { costLatency, latencyLoad, timeParts, power, cost, linkLoads, rackMargin, distribution, dayLoad };

/// Quantities an axis of the cost-against-latency chart can show.
enum class ChartAxis { costPerHour, tco, capex, costPerUnit, latencyP99, latencyP50, ttftP99, step, throughput, facilityPower, carbon };

/// What a chart is asked to show.
struct ChartInput {
    std::shared_ptr<const EstimateSet> estimates;
    WorkloadId workload;    ///< empty: the first
    AlternativeId current;
    bool stale = false;
};

/// One alternative's mark with its uncertainty.
struct ParetoPoint {
    AlternativeId alternative;
    QString letter, name;
    Quantity x, y;
    bool onFront = false;
    bool meetsTargets = true;
};

struct ParetoData {
    std::vector<ParetoPoint> points; ///< known ones only
    QStringList unknown;             ///< names of alternatives without a figure on one of the axes, with the reason
    std::optional<double> xTarget, yTarget;
    Unit xUnit = Unit::one, yUnit = Unit::one;
    bool yHigherIsBetter = false;
};

struct CurveData {
    struct Curve {
        AlternativeId alternative;
        QString letter, name;
        std::vector<LoadPoint> points;
        double capacity = 0; ///< largest rate within the targets, NaN unknown
    };
    /// A published run like the current design, at its number in flight: what the estimate would be if it were as far off here as there.
    struct Measured {
        double rate = 0, seconds = 0;
        QString details;
    };
    std::vector<Curve> curves;
    std::vector<Measured> measured;
    std::optional<double> latencyTarget; ///< seconds
    std::optional<double> arrivalRate;   ///< per second
};

/// Simulated latencies: which share of the requests stays below a time.
struct DistributionData {
    struct Curve {
        AlternativeId alternative;
        QString letter, name;
        std::string what; ///< "latency", "ttft"
        std::vector<std::pair<double, double>> below; ///< seconds, share
        double p99 = 0, closedForm99 = 0;             ///< s, NaN: unknown
        std::uint64_t requests = 0;
    };
    std::vector<Curve> curves;
    std::optional<double> target, firstTokenTarget; ///< seconds, of p99
};

/// Stacked bars: series in order from the bottom, one value per bar.
struct StackData {
    struct Series {
        QString name;
        int colour = 0; ///< index into the categorical colours
        std::vector<double> values;
    };
    QStringList bars;     ///< letters
    QStringList barNames; ///< names of the alternatives
    std::vector<AlternativeId> alternatives;
    std::vector<bool> known; ///< by bar: some part of it is known; a sum of nothing is unknown, not zero
    std::vector<Series> series;
    Unit unit = Unit::one;
    QString unknown; ///< what could not be counted
};

/// Horizontal bars, fullest first.
struct BarData {
    struct Bar {
        QString label;
        double value = 0;  ///< 1 = limit
        double high = 0;   ///< upper end of its range, ≥ value
        ElementRef element;
        QString detail;
    };
    std::vector<Bar> bars;
};

/// "A", "B", … "Z", "A2", … by position in the project.
QString alternativeLetter(int index);

/// Axes for which at least one alternative has a figure, in the order of ChartAxis.
std::vector<ChartAxis> availableAxes(const ChartInput& input, bool vertical);
ChartAxis defaultVerticalAxis(const ChartInput& input);
QString axisName(ChartAxis axis);

ParetoData paretoData(const ChartInput& input, ChartAxis x, ChartAxis y);
CurveData curveData(const ChartInput& input);
DistributionData distributionData(const ChartInput& input);
StackData timeStack(const ChartInput& input);
StackData powerStack(const ChartInput& input);
StackData costStack(const ChartInput& input); ///< USD a year
BarData linkBars(const ChartInput& input, int atMost);
BarData rackBars(const ChartInput& input, int atMost);

/// The same data as CSV text with a header line, for "copy data" and export.
QString chartCsv(ChartKind kind, const ChartInput& input, ChartAxis x, ChartAxis y);

} // namespace cw
