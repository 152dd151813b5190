// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all kinds of rows do with the columns that were measured. Pure.
#pragma once

#include "estimators/validation/validation.h"

namespace cw {

/// One entry without a prediction for each of these fields that the row has; where it has none, one that says so.
std::vector<Prediction> withoutPrediction(const Row& row, std::span<const char* const> measuredKeys, const std::string& reason);
bool measuresAny(const Row& row, std::span<const char* const> measuredKeys);

/// A time of one kernel or collective as the harness of a source takes it: what its timing adds, from the catalog's "timing_harness" set.
double harnessSeconds(const Row& row, const Catalog& catalog);

/// Keeps a small derivation beside a prediction: the figure over the inputs that `fill` records.
template <class Fill> void explain(Prediction& prediction, const Catalog& catalog, Fill&& fill) {
    auto kept = std::make_shared<Explanation>();
    kept->catalog = catalog;
    prediction.term = fill(kept->derivation).term;
    prediction.explanation = std::move(kept);
}

} // namespace cw
