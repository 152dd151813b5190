// SPDX-License-Identifier: GPL-3.0-or-later
//
// Load over the day as shares of the busy rate, and how many machines run while it changes. Rates of a workload are those of the busy
// period: latency is judged there, while cost, energy and activity over the year follow the day. Pure functions.
#pragma once

#include "model/design/design.h"
#include "model/design/workload.h"

#include <array>

namespace cw {

constexpr int hoursPerDay = 24;
using Day = std::array<double, hoursPerDay>;

/// Mean load over time as a share of the busy rate, 0 to 1: mean of the hourly shares times the duty cycle. Shares outside of 0 to 1
/// (and unreadable ones) are taken to the nearest end; no profile is a constant load of 1.
double meanLoad(const LoadProfile& profile);

/// The hours of a day on which the work is there, as shares of the busy rate.
Day hourlyLoad(const LoadProfile& profile);

/// What decides how many machines a load needs.
struct Fleet {
    double units = 1;     ///< machines, or replicas where one takes several machines: what can be switched on and off
    double useAtPeak = 1; ///< busy rate over the largest rate of all of them within the targets
    double startup = 0;   ///< s from asking for one to its first answer
};

/// How much of a fleet runs over the day. Shares of the fleet, 0 to 1.
struct DayPlan {
    Day load{};       ///< of the busy rate
    Day running{};    ///< machines up in each hour, on days with work
    double idle = 0;  ///< machines up while there is no work (duty below 1)
    double paid = 1;  ///< machine-hours over all hours, starts included: a start is paid from the moment it is asked for
    double starts = 0; ///< machines started a day, as a share of the fleet
    bool coldStarts = false; ///< a request may find nothing running and waits for a start
};

/// `duty`: share of the time with work (a profile's own, or what the site says of workloads without one).
DayPlan dayPlan(const LoadProfile& profile, double duty, Scaling scaling, const Fleet& fleet);

} // namespace cw
