// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prices of rented machines: market rows are in plausible bands, and the numbers that field reports gave are kept apart from them.
#include "model/catalog/check_report.h"

namespace cw {
namespace {

void checkMarketPrice(const Facts& facts, CheckReport& report) {
    const auto& instance = facts.part<CloudInstance>();
    const double onDemand = facts.number("on_demand_usd_per_hour");
    report.expectAtMost(facts, "spot_low_usd_per_hour", facts.number("spot_low_usd_per_hour"), onDemand,
                        "spot is not above on demand");
    if (instance.gpuCount > 0) {
        const double perGpu = onDemand / instance.gpuCount;
        report.expectNear(facts, "usd_per_gpu_hour", facts.number("usd_per_gpu_hour"), perGpu, .001,
                          "it is the price divided by the GPUs");
        report.expectWithin(facts, "on_demand_usd_per_hour", perGpu, .2, 20, "USD per GPU and hour");
    } else if (instance.vcpus > 0) {
        report.expectWithin(facts, "on_demand_usd_per_hour", onDemand / instance.vcpus, .01, .12, "USD per vCPU and hour");
    }
}

} // namespace

void checkCloudInstances(const CheckedCatalog& catalog, CheckReport& report) {
    for (const Facts& facts : catalog.of<CloudInstance>()) {
        const auto& instance = facts.part<CloudInstance>();
        const bool seed = instance.origin == "seed";
        report.expect(seed == facts.id().starts_with("seed_") && seed == (instance.provider == "seed"), facts, "origin",
                      "numbers of field reports are marked in origin, id and provider alike");
        report.expect(instance.gpu.empty() || catalog.findOf<Gpu>(instance.gpu.value), facts, "gpu_id", "there is no such GPU");
        report.expect(instance.cpu.empty() || catalog.findOf<Cpu>(instance.cpu.value), facts, "cpu_id", "there is no such CPU");
        const double onDemand = facts.number("on_demand_usd_per_hour");
        const double oneYear = facts.number("reserved_1y_usd_per_hour");
        report.expectWithin(facts, "reserved_1y_usd_per_hour", oneYear, .3 * onDemand, onDemand,
                            "one year reserved against on demand");
        report.expectAtMost(facts, "reserved_3y_usd_per_hour", facts.number("reserved_3y_usd_per_hour"), oneYear,
                            "three years are not dearer than one");
        report.expectWithin(facts, "on_demand_usd_per_hour", onDemand, facts.number("on_demand_low_usd_per_hour"),
                            facts.number("on_demand_high_usd_per_hour"), "the price lies in its own band");
        if (!seed)
            checkMarketPrice(facts, report);
    }
}

} // namespace cw
