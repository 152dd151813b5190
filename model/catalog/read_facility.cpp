// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/catalog/part_reader.h"

#include <cmath>
#include <numbers>

namespace cw {
namespace {

/// A number, or an object of value, low and high; without value it is the middle of the band.
Constants::Value readValue(Fields& values, const char* key) {
    Constants::Value result;
    const std::optional<Fields> band = values.objectIfOne(key);
    if (!band) {
        result.value = values.number(key, -largestFact);
        return result;
    }
    Fields fields = *band;
    result.low = fields.numberIfKnown("low", -largestFact);
    result.high = fields.numberIfKnown("high", -largestFact);
    if (!fields.has("value") && result.low && result.high)
        result.value = (*result.low + *result.high) / 2;
    else
        result.value = fields.number("value", -largestFact);
    if (result.low.value_or(result.value) > result.value || result.high.value_or(result.value) < result.value)
        values.wrong(key, "low ≤ value ≤ high", "The value is outside of its own band.");
    return result;
}

} // namespace

void readPart(Fields& fields, RackType& rack) {
    rack.heightU = fields.whole("u_height", 1);
    rack.staticLoad = fields.quantityIfKnown("static_load_kg", kilograms);
    rack.tare = fields.quantityOrNan("tare_kg", kilograms);
    rack.widthMm = fields.numberOr("width_mm", 600);
    rack.depthMm = fields.numberOr("depth_mm", 1200);
    rack.power = fields.quantityIfKnown("power_limit_kw", kilowatts);
    rack.price = fields.band("price_usd_low", "price_usd_high", dollars);
}

void readPart(Fields& fields, Pdu& pdu) {
    pdu.volts = fields.number("voltage_v");
    pdu.amperes = fields.number("current_a");
    pdu.phases = fields.wholeOr("phases_count", 3, 1);
    pdu.derate = fields.numberOr("derate_fraction", .8, 0, 1);
    const double kilowattsOfCord = pdu.volts * pdu.amperes * (pdu.phases == 3 ? std::numbers::sqrt3 : 1) * pdu.derate / 1000;
    pdu.usable = kilowatts(fields.numberOr("usable_kw", kilowattsOfCord));
    pdu.price = fields.band("price_usd_low", "price_usd_high", dollars);
}

void readPart(Fields& fields, Cooling& cooling) {
    cooling.capacity = fields.quantityIfKnown("capacity_kw", kilowatts);
    const bool unit = cooling.capacity.has_value();
    for (const auto& [key, limit] :
         {std::pair{"rack_limit_low_kw", &cooling.rackLimitLow}, std::pair{"rack_limit_typical_kw", &cooling.rackLimitTypical},
          std::pair{"rack_limit_max_kw", &cooling.rackLimitMax}})
        *limit = unit ? fields.quantityOrNan(key, kilowatts) : fields.quantity(key, kilowatts);
    cooling.liquidHeatFraction = fields.numberOr("liquid_heat_fraction", unit ? 1 : 0, 0, 1);
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    cooling.pueLow = unit ? fields.numberOr("pue_low", unknown, 1) : fields.number("pue_low", 1);
    cooling.pueHigh = unit ? fields.numberOr("pue_high", unknown, 1) : fields.number("pue_high", 1);
    cooling.price = fields.band("price_usd_low", "price_usd_high", dollars);
}

void readPart(Fields& fields, Region& region) {
    region.carbonGramsPerKwh = fields.number("carbon_intensity_g_per_kwh");
    region.dollarsPerKwh = fields.number("electricity_usd_per_kwh");
}

void readPart(Fields& fields, Constants& constants) {
    constants.kind = fields.text("kind");
    constants.subject = fields.textOr("subject", {});
    constants.fittedOn = fields.textOr("fitted_on", {});
    auto values = fields.object("values");
    if (!values) {
        if (!fields.has("values"))
            fields.missing("values", "an object of numbers");
        return;
    }
    for (const std::string& key : values->keys()) {
        if (values->has(key.c_str()))
            constants.values.emplace(key, readValue(*values, key.c_str()));
    }
}

} // namespace cw
