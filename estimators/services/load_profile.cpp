// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/services/load_profile.h"

#include <algorithm>

namespace cw {

namespace {

double shareOf(double value) { return value > 0 ? std::min(value, 1.) : 0; } // NaN is no load

} // namespace

double meanLoad(const LoadProfile& profile) {
    double sum = 0;
    for (const double hour : profile.hourly)
        sum += shareOf(hour);
    const double mean = profile.hourly.empty() ? 1 : sum / static_cast<double>(profile.hourly.size());
    return mean * shareOf(profile.duty);
}

} // namespace cw
