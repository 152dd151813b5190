// SPDX-License-Identifier: GPL-3.0-or-later
//
// A published row that is near a design, in words: what ran on what, what was measured, and how far the estimate is off there. Any thread.
#pragma once

#include "estimators/validation/neighbours.h"

#include <QString>

namespace cw {

/// The figure that says most: time per token, or the rate of a training run.
const MeasuredFigure& mainFigure(const MeasuredNeighbour& neighbour);
/// "Llama-3.1-70B".
QString neighbourModel(const MeasuredNeighbour& neighbour);
/// "13.2 ms, +2.6 % · 4 × H200 SXM": what was measured, the estimate's error there, and on what.
QString neighbourWords(const MeasuredNeighbour& neighbour);
/// All figures, the conditions and the source, for a tool tip.
QString neighbourDetails(const MeasuredNeighbour& neighbour, const Catalog& catalog);

} // namespace cw
