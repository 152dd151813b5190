// SPDX-License-Identifier: GPL-3.0-or-later
//
// Arithmetic of switches and links: sums of ports, bits against bytes, one direction against both, generations that double.
#include "model/catalog/check_report.h"

#include <array>

namespace cw {
namespace {

void checkCapacity(const Facts& facts, CheckReport& report) {
    const auto& device = facts.part<Switch>();
    double gigabits = 0;
    int ports = 0;
    for (const PortGroup& group : device.ports) {
        gigabits += group.count * si(group.speed) * 8 / 1e9;
        ports += group.count;
    }
    const double capacity = facts.number("capacity_tbit_s");
    report.expectNear(facts, "capacity_tbit_s", capacity, gigabits / 1000, .002, "the capacity is the sum of the ports");
    const int directions = facts.flag("vendor_throughput_counts_both_directions") ? 2 : 1;
    report.expectNear(facts, "vendor_throughput_tbit_s", facts.number("vendor_throughput_tbit_s"), capacity * directions, .01,
                      "the advertised throughput is that of the ports");
    report.expect(device.radix == ports, facts, "radix_count", "the radix is the number of ports");
    report.expectAtLeast(facts, "max_radix_breakout_count", device.maxRadixBreakout, device.radix - 4,
                         "splitting ports does not cost ports");
}

void checkSwitchPower(const Facts& facts, CheckReport& report) {
    const auto& device = facts.part<Switch>();
    const double most = facts.number("power_max_w");
    report.expectAtMost(facts, "power_typical_w", facts.number("power_typical_w"), most, "typical is not above the maximum");
    report.expectWithin(facts, "power_max_w", most / facts.number("capacity_tbit_s"), 12, 230, "W per Tb/s");
    if (device.psuCount > 0 && si(device.psuRating) > 0)
        report.expectAtLeast(facts, "psu_rating_w", device.psuCount * si(device.psuRating), most,
                             "the supplies cover the maximum");
}

void checkTechnology(const Facts& facts, CheckReport& report) {
    const auto& device = facts.part<Switch>();
    const auto speaks = [&](std::string_view word) { return device.technology.find(word) != device.technology.npos; };
    const double latency = facts.number("latency_ns");
    report.expectWithin(facts, "latency_ns", latency, 80, 6000, "ns from port to port");
    if (speaks("InfiniBand"))
        report.expectAtMost(facts, "latency_ns", latency, 250, "an InfiniBand switch is cut-through");
    static constexpr std::array<std::pair<std::string_view, double>, 3> rates{{{"HDR", 200}, {"NDR", 400}, {"XDR", 800}}};
    for (const auto& [word, rate] : rates) {
        if (speaks(word))
            report.expectNear(facts, "ports", si(device.ports.front().speed) * 8 / 1e9, rate, 1e-6,
                              "Gb/s of a port of this generation");
    }
}

void checkMedium(const Facts& facts, CheckReport& report) {
    const double raw = facts.number("raw_gb_s");
    const double achievable = facts.number("achievable_gb_s");
    report.expectNear(facts, "bidir_gb_s", facts.number("bidir_gb_s"), 2 * raw, 1e-3, "both directions are twice one direction");
    report.expectAtMost(facts, "achievable_gb_s", achievable, raw, "what is achieved is not above the line rate");
    report.expectNear(facts, "efficiency_fraction", facts.number("efficiency_fraction"), achievable / raw, .01,
                      "the efficiency is achievable over raw");
    report.expect(!(facts.number("latency_port_us") >= facts.number("latency_end_to_end_us")), facts, "latency_port_us",
                  "one hop is faster than end to end");
    if (facts.id().starts_with("eth_"))
        report.expectNear(facts, "raw_gb_s", raw, std::atof(facts.id().c_str() + 4) / 8, 1e-6,
                          "Ethernet carries Gb/s / 8 in GB/s");
    for (const Cable& cable : facts.part<Medium>().cables) {
        const double power = si(cable.powerPerEnd);
        report.expectAtMost(facts, "cables", power, 25, "W of one cable end");
        if (cable.type.starts_with("DAC"))
            report.expect(si(cable.maxLength) <= 7 && power <= .5, facts, "cables", "passive copper is short and takes no power");
    }
}

/// Raw speeds of two links that belong together.
void expectMultiple(const CheckedCatalog& catalog, CheckReport& report, std::string_view slow, std::string_view fast,
                    double factor) {
    const Facts* a = catalog.findOf<Medium>(slow);
    const Facts* b = catalog.findOf<Medium>(fast);
    if (a && b)
        report.expectNear(*b, "raw_gb_s", b->number("raw_gb_s"), factor * a->number("raw_gb_s"), .01,
                          "each generation doubles the last");
}

void checkLinksOfGpus(const CheckedCatalog& catalog, CheckReport& report) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> pairs{{{"a100_80gb_sxm", "nvlink3"},
                                                                                         {"h100_sxm", "nvlink4"},
                                                                                         {"h200_sxm", "nvlink4"},
                                                                                         {"b200_sxm", "nvlink5"},
                                                                                         {"gb200", "nvlink5"},
                                                                                         {"mi300x", "infinity_fabric_mi300x"}}};
    for (const auto& [gpu, link] : pairs) {
        const Facts* a = catalog.findOf<Gpu>(gpu);
        const Facts* b = catalog.findOf<Medium>(link);
        if (a && b)
            report.expectNear(*b, "raw_gb_s", b->number("raw_gb_s"), a->number("scale_up_per_direction_gb_s"), .001,
                              "the link is as fast as the GPUs that use it");
    }
    for (const Facts& gpu : catalog.of<Gpu>()) {
        if (!gpu.has("pcie_gen"))
            continue;
        const Facts* bus = catalog.findOf<Medium>("pcie" + std::to_string(static_cast<int>(gpu.number("pcie_gen"))) + "_x16");
        if (bus)
            report.expectNear(gpu, "pcie_per_direction_gb_s", gpu.number("pcie_per_direction_gb_s"),
                              bus->number("raw_gb_s") * gpu.number("pcie_lanes_count") / 16, .01,
                              "PCIe has a fixed speed per lane");
    }
}

} // namespace

void checkSwitches(const CheckedCatalog& catalog, CheckReport& report) {
    for (const Facts& facts : catalog.of<Switch>()) {
        checkCapacity(facts, report);
        checkSwitchPower(facts, report);
        checkTechnology(facts, report);
    }
    if (const Facts* tray = catalog.findOf<Switch>("nvlink5_tray"))
        report.expectNear(*tray, "capacity_tbit_s", 9 * tray->number("capacity_tbit_s") * 2 / 8, 129.6, .01,
                          "TB/s of the nine trays of an NVL72 rack");
}

void checkLinks(const CheckedCatalog& catalog, CheckReport& report) {
    for (const Facts& facts : catalog.of<Medium>())
        checkMedium(facts, report);
    for (const Facts& facts : catalog.of<Protocol>())
        report.expect(facts.part<Protocol>().efficiency > 0, facts, "efficiency_fraction", "a protocol carries something");
    for (const auto& [slow, fast] :
         {std::pair{"ib_hdr", "ib_ndr"}, std::pair{"ib_ndr", "ib_xdr"}, std::pair{"nvlink4", "nvlink5"},
          std::pair{"pcie3_x16", "pcie4_x16"}, std::pair{"pcie4_x16", "pcie5_x16"}})
        expectMultiple(catalog, report, slow, fast, 2);
    checkLinksOfGpus(catalog, report);
}

} // namespace cw
