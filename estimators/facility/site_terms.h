// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the site says about energy and time, each with its derivation: the entered value, else the region's, else a stated default.
#pragma once

#include "estimators/base/context.h"

namespace cw {

Quantity energyPrice(EstimateContext&);     ///< USD/kWh
Quantity carbonIntensity(EstimateContext&); ///< g CO2e/kWh

/// Shares of the year, 0 to 1. Work with a load profile (hours or a duty below 1) follows it, work that arrives at a rate without one
/// is there all the time, and other work follows the site's utilisation of the machine.
double loadOfYear(const Workload& workload, const Site& site); ///< mean load over peak load
double hoursOfYear(const Workload& workload,
                   const Site& site); ///< hours in which anything runs: what rent by the hour is paid for

constexpr double hoursPerYear = 8760;

} // namespace cw
