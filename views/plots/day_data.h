// SPDX-License-Identifier: GPL-3.0-or-later
//
// Load over the day as chart data: the rate hour by hour with the machines that run for it, and what ways to pay and to scale cost over
// the duty cycle or over the rate, with their crossovers. Plain values, like chart_data.h.
#pragma once

#include "estimators/load_study.h"
#include "estimators/services/load_profile.h"
#include "views/plots/chart_data.h"

namespace cw {

/// What the chart shows: the hours, or cost over the share of time with work, or cost over the rate.
enum class DayAspect { hours, duty, rate };
QString aspectName(DayAspect aspect);

struct DayData {
    struct Policy {
        Scaling scaling = Scaling::fixed;
        bool drawn = false; ///< as the placement says
        DayPlan plan;
    };
    QString letter, name;         ///< of the alternative
    double peak = 0, capacity = 0; ///< units a second: busy rate, and of all machines within the targets
    Unit unit = Unit::requestsPerSecond;
    double machines = 1;          ///< that can be switched one by one
    std::vector<Policy> policies; ///< always on, following the load, down to none
};

/// Of the current alternative; nothing where the workload is not placed there or has no rate.
std::optional<DayData> dayData(const ChartInput& input);

/// Of all alternatives that run the workload; empty for the hours.
LoadStudy studyOf(const ChartInput& input, DayAspect aspect);
/// "B · rented by the hour".
QString lineName(const ChartInput& input, const StudyLine& line);

QString dayCsv(const ChartInput& input);

} // namespace cw
