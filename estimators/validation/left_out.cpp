// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/left_out.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace cw {

namespace {

constexpr std::size_t fewest = 3; // a median of fewer is a row, not a level

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

} // namespace

std::vector<double> leftOutErrors(std::span<const GroupedRatio> rows, std::span<const GroupedRatio> pool) {
    std::vector<double> errors;
    std::map<std::string, double> scales; // 0: too few others
    for (const GroupedRatio& row : rows) {
        const auto [scale, isNew] = scales.try_emplace(row.group, 0);
        if (isNew) {
            std::vector<double> others;
            for (const GroupedRatio& other : pool)
                if (other.group != row.group)
                    others.push_back(other.ratio);
            if (others.size() >= fewest)
                scale->second = median(std::move(others));
        }
        if (scale->second > 0)
            errors.push_back(100 * std::abs(row.ratio / scale->second - 1));
    }
    return errors;
}

} // namespace cw
