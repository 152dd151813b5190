// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/site_terms.h"

#include "estimators/facility/facility_constants.h"
#include "estimators/services/load_profile.h"

#include <algorithm>
#include <numeric>

namespace cw {

namespace {

double unit(double share) { return std::clamp(share, 0.0, 1.0); }

bool hasProfile(const Workload& workload) { return !workload.load.hourly.empty() || workload.load.duty < 1; }

/// Work that comes at a rate of its own is there all the time; other work fills the machine as far as it is used.
bool arrives(const Workload& workload) {
    return std::visit(
        [](const auto& spec) {
            if constexpr (requires { spec.arrivalRate; })
                return spec.arrivalRate > 0;
            else if constexpr (requires { spec.eventRate; })
                return spec.eventRate > 0;
            else
                return false;
        },
        workload.spec);
}

const Region* regionOf(const EstimateContext& context) {
    const PartId& id = context.design.project->site.region;
    return id ? context.catalog.find<Region>(id) : nullptr;
}

} // namespace

Quantity energyPrice(EstimateContext& context) {
    const Site& site = context.design.project->site;
    Derivation& d = context.derivation;
    if (site.energyPrice)
        return d.input("energy price", *site.energyPrice, Unit::dollarsPerKilowattHour, "site");
    if (const Region* region = regionOf(context))
        return d.fact("energy price", *region, "electricity_usd_per_kwh", region->dollarsPerKwh, Unit::dollarsPerKilowattHour);
    return d.calibrated("energy price", constantsOf(context.catalog, "price_rule", "energy"), "usd_per_kwh",
                        Unit::dollarsPerKilowattHour);
}

Quantity carbonIntensity(EstimateContext& context) {
    const Site& site = context.design.project->site;
    Derivation& d = context.derivation;
    if (site.carbonIntensity)
        return d.input("carbon intensity of the grid", *site.carbonIntensity, Unit::gramsPerKilowattHour, "site");
    if (const Region* region = regionOf(context))
        return d.fact("carbon intensity of the grid", *region, "carbon_intensity_g_per_kwh", region->carbonGramsPerKwh,
                      Unit::gramsPerKilowattHour);
    return d.calibrated("carbon intensity of the grid", constantsOf(context.catalog, "price_rule", "energy"), "carbon_g_per_kwh",
                        Unit::gramsPerKilowattHour);
}

double loadOfYear(const Workload& workload, const Site& site) {
    return hasProfile(workload) || arrives(workload) ? meanLoad(workload.load) : unit(site.utilisation);
}

double hoursOfYear(const Workload& workload, const Site& site) {
    return hasProfile(workload) || arrives(workload) ? unit(workload.load.duty) : unit(site.utilisation);
}

} // namespace cw
