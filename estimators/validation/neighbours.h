// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measured neighbours: which published rows are nearest to a design, and how far the estimate was off there. Pure; a plain search over a
// table that was validated once.
#pragma once

#include "estimators/validation/validation.h"

namespace cw {

/// A training run as far as nearness goes.
struct TrainingPoint {
    double parameters = 0;
    bool experts = false;
    PartId device;
    std::string architecture;
    double devices = 1;
    PartId stack; ///< resolved: never empty where the device has a default
    Precision precision = Precision::bf16;
};

struct MeasuredPoint {
    TrainingPoint point;
    std::string id, family, source, quantity;
    double errorPercent = 0;
};

/// The rows of a table of training runs that could be predicted, one a row (its first quantity).
std::vector<MeasuredPoint> measuredPoints(const CsvTable& table, const Catalog& catalog);

/// Distance in doublings: sizes by their ratio, a step for another generation, stack, format or kind of model.
double distance(const TrainingPoint& a, const TrainingPoint& b);

struct MeasuredNeighbour {
    const MeasuredPoint* row = nullptr;
    double distance = 0;
};
/// The nearest rows, nearest first, at most one of a family and size; of equal distance in the order of the table.
std::vector<MeasuredNeighbour> measuredNeighbours(const TrainingPoint& design, std::span<const MeasuredPoint> points, std::size_t most = 3);

} // namespace cw
