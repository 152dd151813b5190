// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/catalog/part_reader.h"

#include <algorithm>

namespace cw {
namespace {

Seconds nanoseconds(double v) { return seconds(v * 1e-9); }

} // namespace

void readPart(Fields& fields, Switch& device) {
    device.technology = fields.text("technology");
    int ports = 0;
    for (Fields& entry : fields.objects("ports")) {
        PortGroup group;
        group.count = entry.whole("count", 1);
        group.speed = entry.quantity("speed_gbit_s", gigabitsPerSecond);
        group.connector = entry.textOr("connector", {});
        ports += group.count;
        device.ports.push_back(std::move(group));
    }
    if (device.ports.empty())
        fields.missing("ports", "an array of at least one group of ports");
    device.radix = fields.wholeOr("radix_count", ports);
    device.maxRadixBreakout = fields.wholeOr("max_radix_breakout_count", device.radix);
    device.latency = fields.quantityIfKnown("latency_ns", nanoseconds);
    device.inNetworkReduction = fields.flagOr("in_network_reduction", false);
    device.powerTypical = fields.quantityOrNan("power_typical_w", watts);
    device.powerMax = fields.quantityOrNan("power_max_w", watts);
    device.heightU = fields.number("u_height");
    device.weight = fields.quantityOrNan("weight_kg", kilograms);
    device.psuCount = fields.wholeOr("psu_count", 0);
    device.psuRating = fields.quantityOrNan("psu_rating_w", watts);
    device.price = fields.band("price_usd_low", "price_usd_high", dollars);
}

void readPart(Fields& fields, Medium& medium) {
    medium.kind = fields.text("kind");
    constexpr std::string_view kinds[]{"scale_up", "chip_to_chip", "host_bus", "scale_out", "topology", "wan"};
    if (!medium.kind.empty() && std::find(std::begin(kinds), std::end(kinds), medium.kind) == std::end(kinds))
        fields.wrong("kind", "scale_up, chip_to_chip, host_bus, scale_out, topology or wan", "Unknown kind of a medium.");
    medium.rawBandwidth = fields.quantity("raw_gb_s", gigabytesPerSecond);
    medium.achievableBandwidth = fields.quantity("achievable_gb_s", gigabytesPerSecond);
    const double share = si(medium.achievableBandwidth) / si(medium.rawBandwidth);
    medium.efficiency = fields.numberOr("efficiency_fraction", share, 0, 1);
    medium.portLatency = fields.quantityIfKnown("latency_port_us", microseconds);
    medium.endToEndLatency = fields.quantityIfKnown("latency_end_to_end_us", microseconds);
    medium.tcpLatency = fields.quantityIfKnown("latency_tcp_us", microseconds);
    medium.collectiveEfficiency = fields.numberIfKnown("collective_efficiency_fraction", 0, 1);
    medium.inNetworkReduction = fields.flagOr("in_network_reduction", false);
    medium.transferDollarsPerGb = fields.numberIfKnown("transfer_usd_per_gb");
    for (Fields& entry : fields.objects("cables")) {
        Cable cable;
        cable.type = entry.text("type");
        cable.maxLength = entry.quantity("max_length_m", metres);
        cable.powerPerEnd = entry.quantity("power_per_end_w", watts);
        if (const auto price = entry.band("price_usd_low", "price_usd_high", dollars))
            cable.price = *price;
        else
            entry.missing("price_usd_low", "a price");
        medium.cables.push_back(std::move(cable));
    }
}

void readPart(Fields& fields, Protocol& protocol) {
    protocol.efficiency = fields.number("efficiency_fraction", 0, 1);
    protocol.collectiveEfficiency = fields.numberIfKnown("collective_efficiency_fraction", 0, 1);
    if (const auto added = fields.band("added_latency_low_us", "added_latency_high_us", microseconds))
        protocol.addedLatency = *added;
    else
        fields.missing("added_latency_low_us", "a latency in microseconds");
    protocol.cpuCoresPer100G = fields.numberOr("cpu_cores_per_100g", 0);
    protocol.singleFlow = fields.quantityIfKnown("single_flow_gb_s", gigabytesPerSecond);
}

} // namespace cw
