// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fields of a table of training runs, and what a row of it says once its names are understood: model, plan, software stack, and how its
// source counts operations. Used by the tables of training and of MLPerf training. Plain values.
#pragma once

#include "estimators/validation/columns.h"
#include "estimators/validation/names.h"
#include "model/design/project.h"

namespace cw {

std::span<const Field> trainingFields();

/// How a source counts the operations of a step.
struct OperationCount {
    double attention = 1;      ///< of the score matrix: 1 whole, .5 causal half, 0 left out
    bool recomputed = false;   ///< a second forward pass of the layers counts
    bool scoresAgain = false;  ///< only the scores count again (selective)
    bool adapters = false;     ///< frozen weights: two products a weight instead of three
    bool embedding = false;    ///< parameters of the input embedding count too
};
OperationCount operationCount(const Row& row);

/// Low-rank adapters only, by the words of the row.
bool trainsAdapters(const Row& row);

/// The stack whose constants apply, by the words of the row; empty: the default of the device.
PartId stackOf(const Row& row);

/// Dimensions of the row's model: the catalog's, with those laid over that the row gives. Empty: neither (the reason goes to `why`).
std::optional<NeuralModel> modelOf(const Row& row, const Catalog& catalog, std::string& why);

/// Parallel sizes, schedule, recomputation as the row gives them; what it leaves open stays automatic.
Placement placementOf(const Row& row, const PartId& stack, const NeuralModel& model, std::string& note);

} // namespace cw
