// SPDX-License-Identifier: GPL-3.0-or-later
//
// Load over the day as shares of the busy rate. Rates of a workload are those of the busy period: latency is judged there, while cost,
// energy and activity over the year follow the mean. Pure functions.
#pragma once

#include "model/design/workload.h"

#include <vector>

namespace cw {

/// Mean load over time as a share of the busy rate, 0 to 1: mean of the hourly shares times the duty cycle. Shares outside of 0 to 1
/// (and unreadable ones) are taken to the nearest end; no profile is a constant load of 1.
double meanLoad(const LoadProfile& profile);

} // namespace cw
