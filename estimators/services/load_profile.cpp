// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/services/load_profile.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cw {

namespace {

double shareOf(double value) { return value > 0 ? std::min(value, 1.) : 0; } // NaN is no load

double mean(const Day& day) { return std::accumulate(day.begin(), day.end(), 0.) / hoursPerDay; }

/// Whole units that carry a share of the busy rate, as a share of the fleet.
double needed(double load, const Fleet& fleet, double least) {
    const double units = std::max(1., std::floor(fleet.units));
    const double use = fleet.useAtPeak > 0 ? std::min(fleet.useAtPeak, 1.) : 1;
    const double wanted = load > 0 ? std::max(1., std::ceil(units * use * load - 1e-9)) : 0;
    return std::min(1., std::max(wanted, least) / units);
}

} // namespace

double meanLoad(const LoadProfile& profile) {
    double sum = 0;
    for (const double hour : profile.hourly)
        sum += shareOf(hour);
    const double mean = profile.hourly.empty() ? 1 : sum / static_cast<double>(profile.hourly.size());
    return mean * shareOf(profile.duty);
}

Day hourlyLoad(const LoadProfile& profile) {
    Day day;
    for (std::size_t hour = 0; hour < day.size(); ++hour) // a list of another length is stretched
        day[hour] = profile.hourly.empty() ? 1 : shareOf(profile.hourly[hour * profile.hourly.size() / day.size()]);
    return day;
}

DayPlan dayPlan(const LoadProfile& profile, double duty, Scaling scaling, const Fleet& fleet) {
    DayPlan plan;
    plan.load = hourlyLoad(profile);
    const double present = shareOf(duty);
    const bool follows = scaling == Scaling::autoscaled || scaling == Scaling::toZero;
    const double least = scaling == Scaling::autoscaled ? 1 : 0;
    for (std::size_t hour = 0; hour < plan.running.size(); ++hour)
        plan.running[hour] = follows ? needed(plan.load[hour], fleet, least) : 1;
    plan.idle = scaling == Scaling::fixed ? 1 : scaling == Scaling::autoscaled ? needed(0, fleet, 1) : 0;
    plan.paid = present * mean(plan.running) + (1 - present) * plan.idle;
    if (!follows)
        return plan;
    // What an hour needs more than the one before it is started early enough; work that comes and goes starts once a day from idle.
    double rises = 0;
    for (std::size_t hour = 0; hour < plan.running.size(); ++hour)
        rises += std::max(0., plan.running[hour] - plan.running[(hour + hoursPerDay - 1) % hoursPerDay]);
    const double fromIdle = present > 0 && present < 1 ? *std::max_element(plan.running.begin(), plan.running.end()) - plan.idle : 0;
    plan.starts = std::max(present * rises, fromIdle);
    const double startup = std::clamp(fleet.startup > 0 ? fleet.startup : 0, 0., 86400.);
    plan.paid = std::min(1., plan.paid + plan.starts * startup / 86400);
    plan.coldStarts = scaling == Scaling::toZero && present > 0
        && (present < 1 || std::any_of(plan.load.begin(), plan.load.end(), [](double load) { return !(load > 0); }));
    return plan;
}

} // namespace cw
