// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far off the estimates were on each family of published rows, for whoever shows a range beside an estimate: no table is read and
// nothing is predicted. The figures are those of docs/accuracy.md, written with it by `clusterwright validate --tables` and held
// true by the accuracy test. Constant data.
#pragma once

#include <limits>
#include <span>
#include <string_view>

namespace cw {

/// Mean and 90th percentile of |error|, per cent; NaN where there are too few rows.
struct ErrorFigures {
    double mean = std::numeric_limits<double>::quiet_NaN(), p90 = std::numeric_limits<double>::quiet_NaN();
};

struct FamilyError {
    std::string_view file, family, quantity; ///< "training", "megatron_bridge_h100", "tflops_per_gpu"
    std::string_view devices;                ///< catalog ids where the catalog has them, parted by spaces
    int rows = 0;                            ///< predicted ones
    ErrorFigures own, model, device;         ///< of the rows themselves; with their model, their device left out (left_out.h)

    /// The range to show beside an estimate of this kind, per cent: nine of ten rows lie within. A model or device that was not measured
    /// widens it to what leaving one out gave.
    double believed(bool measuredModel, bool measuredDevice) const;
    bool measured(std::string_view device) const;
};

/// All families that could be predicted, as on the page.
std::span<const FamilyError> familyErrors();

/// A family's figures, by the file's name with or without its ending; `quantity` empty: its first one that is no memory. Null: no such family.
const FamilyError* familyError(std::string_view file, std::string_view family, std::string_view quantity = {});

} // namespace cw
