// SPDX-License-Identifier: GPL-3.0-or-later
//
// Puts a chart's data into a QCustomPlot. The only place where chart data meet the plotting library; used by the docked chart widgets and
// by documents alike.
#pragma once

#include "views/plots/day_data.h"
#include "views/plots/occupancy_data.h"
#include "views/plots/plot_style.h"

#include <QPicture>
#include <QSize>

#include <map>

class QCustomPlot;

namespace cw {

/// Earlier places of the marks of chart 1 in axis units, oldest first: the pale trace a dragged item leaves.
using ParetoTrail = std::map<AlternativeId, std::vector<QPointF>>;

struct ChartOptions {
    ChartAxis x = ChartAxis::costPerHour;
    ChartAxis y = ChartAxis::latencyP99;
    ParetoTrail trail;
    int bars = 12; ///< most bars of bar charts
    bool axesCanBeChosen = false; ///< on the screen: axis names say so
    DayAspect aspect = DayAspect::hours;    ///< of the load over the day
    SpreadAspect spread = SpreadAspect::latency; ///< of the distribution
    std::shared_ptr<const LoadStudy> study; ///< of its cost aspects; null: made when painted
    bool studyPending = false;              ///< it is being made elsewhere: say so instead of waiting
};

/// Clears the plot and draws the chart. Returns a sentence for the empty state when there is nothing to draw, else an empty string.
QString paintChart(QCustomPlot& plot, ChartKind kind, const ChartInput& input, const PlotStyle& style, const ChartOptions& options);

/// The chart as a vector picture of `size` logical pixels, for documents. A chart without data gives a picture of its empty state.
QPicture chartPicture(ChartKind kind, const ChartInput& input, const PlotStyle& style, const ChartOptions& options, QSize size);

/// Human title of a chart.
QString chartTitle(ChartKind kind);
/// One word, for a tab.
QString chartShortTitle(ChartKind kind);

} // namespace cw
