// SPDX-License-Identifier: GPL-3.0-or-later
//
// Draws how full replicas were in a simulated run; called by paintChart. Returns the sentence of the empty state, or an empty string.
#pragma once

#include "views/plots/chart_painter.h"

namespace cw {

QString paintOccupancy(QCustomPlot& plot, const ChartInput& input, const PlotStyle& style, SpreadAspect aspect);

} // namespace cw
