// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/measured_rows.h"

#include <algorithm>

namespace cw {

bool measuresAny(const Row& row, std::span<const char* const> measuredKeys) {
    return std::any_of(measuredKeys.begin(), measuredKeys.end(), [&](const char* key) { return row.measured(key).has_value(); });
}

std::vector<Prediction> withoutPrediction(const Row& row, std::span<const char* const> measuredKeys, const std::string& reason) {
    std::vector<Prediction> out;
    for (const char* key : measuredKeys)
        if (const auto measured = row.measured(key))
            out.push_back(notPredicted(measured->column, measured->value, reason));
    if (out.empty())
        out.push_back(notPredicted("", std::numeric_limits<double>::quiet_NaN(),
                                   reason.empty() ? "nothing was measured in this row" : reason));
    return out;
}

double harnessSeconds(const Row& row, const Catalog& catalog) {
    const Constants* set = catalog.constants("timing_harness", "");
    if (!set)
        return 0;
    const std::string words = row.words();
    for (const auto& [key, value] : set->values) { // "pytorch_us" applies to rows that name pytorch
        const std::string_view name = std::string_view(key).substr(0, key.size() - 3);
        if (words.find(name) != std::string::npos)
            return value.value * 1e-6;
    }
    return 0;
}

} // namespace cw
