// SPDX-License-Identifier: GPL-3.0-or-later
//
// Draws the load over the day; called by paintChart. Returns the sentence of the empty state, or an empty string.
#pragma once

#include "views/plots/chart_painter.h"

namespace cw {

QString paintDay(QCustomPlot& plot, const ChartInput& input, const PlotStyle& style, const ChartOptions& options);

} // namespace cw
