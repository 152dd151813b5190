// SPDX-License-Identifier: GPL-3.0-or-later
//
// The error to believe for a model or a device that nobody measured: rows of one group (a model, a device) are predicted with the scale
// that the rows of the other groups ask for, their median ratio of prediction to measurement. What the constants learnt of the group's
// level is thereby taken back; what they learnt of its shape is not, so a full fit without the group can err more. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace cw {

struct GroupedRatio {
    double ratio = 1; ///< predicted over measured, positive
    std::string group;
};

/// |ratio / (median ratio of `pool` without the row's group) - 1| in per cent, one for each of `rows`; left out where the pool has fewer
/// than three rows of other groups.
std::vector<double> leftOutErrors(std::span<const GroupedRatio> rows, std::span<const GroupedRatio> pool);

} // namespace cw
