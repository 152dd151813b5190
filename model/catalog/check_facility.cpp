// SPDX-License-Identifier: GPL-3.0-or-later
//
// Racks, power, cooling, regions, and the constants that describe buildings: ranges and arithmetic.
#include "model/catalog/check_report.h"

#include <cmath>
#include <numbers>

namespace cw {
namespace {

void checkPdu(const Facts& facts, CheckReport& report) {
    const auto& pdu = facts.part<Pdu>();
    const double cord = pdu.volts * pdu.amperes * (pdu.phases == 3 ? std::numbers::sqrt3 : 1) * pdu.derate / 1000;
    const double limit = facts.number("limit_kw");
    report.expectNear(facts, "usable_kw", si(pdu.usable) / 1000, limit < cord ? limit : cord, .005,
                      "usable is volts x amperes x phases x derating, or the limit of the breakers");
}

void checkCooling(const Facts& facts, CheckReport& report) {
    const auto& cooling = facts.part<Cooling>();
    report.expect(!(si(cooling.rackLimitLow) > si(cooling.rackLimitTypical)) &&
                      !(si(cooling.rackLimitTypical) > si(cooling.rackLimitMax)),
                  facts, "rack_limit_typical_kw", "low, typical and maximum rise");
    report.expect(!(cooling.pueLow <= 1) && !(cooling.pueLow > cooling.pueHigh), facts, "pue_low",
                  "a PUE is above one, low below high");
}

double valueOf(const Constants& set, std::string_view key) { return set.get(key, std::nan("")); }

void checkFailureRate(const Facts& facts, const Constants& set, CheckReport& report) {
    const double rate = valueOf(set, "afr_fraction");
    report.expectNear(facts, "values/afr_fraction", rate,
                      valueOf(set, "events_count") / valueOf(set, "population_count") * 365 / valueOf(set, "days_count"), .02,
                      "the rate is events per part and year");
    report.expect(!(rate <= 0) && !(rate >= .5), facts, "values/afr_fraction", "annual failure rates are between 0 and 0.5");
}

void checkEfficiency(const Facts& facts, const Constants& set, CheckReport& report) {
    const double half = valueOf(set, "efficiency_at_50pct");
    const double full = valueOf(set, "efficiency_at_100pct");
    const double low = valueOf(set, "efficiency_at_20pct");
    report.expect(set.has("efficiency_at_50pct") && half >= low && half >= full && half < 1, facts, "values/efficiency_at_50pct",
                  "a supply is best at half load");
}

void checkBand(const Facts& facts, const Constants& set, std::string_view key, double least, double most, std::string_view why,
               CheckReport& report) {
    const auto found = set.values.find(key);
    if (found == set.values.end())
        return;
    const Constants::Value& value = found->second;
    const std::string field = "values/" + std::string(key);
    report.expectWithin(facts, field, value.low.value_or(value.value), least, most, why);
    report.expectWithin(facts, field, value.high.value_or(value.value), least, most, why);
}

/// Rules of thumb for air and coolant, from the heat capacities they rest on.
void checkCoolingRule(const Facts& facts, const Constants& set, CheckReport& report) {
    const double perKilowatt = valueOf(set, "cfm_per_kw_at_20f");
    report.expectNear(facts, "values/cfm_per_kw_at_20f", perKilowatt, 3412 / (1.08 * 20), .01, "BTU/h over 1.08 x rise in °F");
    report.expectNear(facts, "values/example_cfm", valueOf(set, "example_cfm"), valueOf(set, "example_kw") * perKilowatt, .02,
                      "the example follows the rule");
    report.expectNear(facts, "values/l_min_per_kw_at_10k_water", valueOf(set, "l_min_per_kw_at_10k_water"),
                      60 / (4.186 * 10 * .995), .02, "heat capacity and density of water");
}

void checkAirClass(const Facts& facts, const Constants& set, CheckReport& report) {
    double last = -std::numeric_limits<double>::infinity();
    for (const auto* key : {"allowable_min_c", "recommended_min_c", "recommended_max_c", "allowable_max_c"}) {
        const double next = valueOf(set, key);
        report.expectAtLeast(facts, std::string("values/") + key, next, last, "the recommended range lies in the allowable one");
        last = next;
    }
}

void checkConstants(const Facts& facts, CheckReport& report) {
    const auto& set = facts.part<Constants>();
    if (set.kind == "air_class")
        checkAirClass(facts, set, report);
    else if (set.kind == "failure_rate")
        checkFailureRate(facts, set, report);
    else if (set.kind == "psu_efficiency")
        checkEfficiency(facts, set, report);
    else if (set.kind == "ups_efficiency")
        checkBand(facts, set, "efficiency_fraction", .9, .9999, "an efficiency of power conversion", report);
    else if (set.kind == "pue")
        checkBand(facts, set, "pue", 1.0001, 2.4999, "a PUE", report);
    else if (set.kind == "colo_price")
        checkBand(facts, set, "usd_per_kw_month", 50, 500, "USD per kW and month of colocation", report);
    else if (set.kind == "cooling_rule")
        checkCoolingRule(facts, set, report);
}

} // namespace

void checkFacilities(const CheckedCatalog& catalog, CheckReport& report) {
    for (const Facts& facts : catalog.of<Pdu>())
        checkPdu(facts, report);
    for (const Facts& facts : catalog.of<Cooling>())
        checkCooling(facts, report);
    for (const Facts& facts : catalog.of<RackType>())
        report.expectAtMost(facts, "dynamic_load_kg", facts.number("dynamic_load_kg"), facts.number("static_load_kg"),
                            "a rack carries no more while it moves");
    for (const Facts& facts : catalog.of<Region>()) {
        const auto& region = facts.part<Region>();
        report.expectWithin(facts, "carbon_intensity_g_per_kwh", region.carbonGramsPerKwh, 5, 1000,
                            "g of CO2 equivalent per kWh");
        report.expectWithin(facts, "electricity_usd_per_kwh", region.dollarsPerKwh, .02, .5, "USD per kWh");
    }
    for (const Facts& facts : catalog.of<Constants>())
        checkConstants(facts, report);
}

} // namespace cw
