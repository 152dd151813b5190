// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/figure.h"

#include "views/text/quantity_text.h"

namespace cw {

namespace {

using Listed = std::vector<std::pair<std::string, Quantity>>;

void add(Listed& list, const char* key, const std::optional<Quantity>& quantity) {
    if (quantity)
        list.emplace_back(key, *quantity);
}

void add(Listed& list, const std::vector<NamedQuantity>& named) {
    for (const NamedQuantity& entry : named)
        list.emplace_back(entry.name, entry.quantity);
}

void addWorkload(Listed& list, const WorkloadEstimate& workload) {
    add(list, "throughput", workload.throughput);
    add(list, "capacity", workload.capacity);
    add(list, workload.latency);
    add(list, "mfu", workload.mfu);
    add(list, "days", workload.daysToFinish);
    add(list, "goodput", workload.goodput);
    if (workload.memory) {
        add(list, "memory", workload.memory->used);
        add(list, "memory_capacity", workload.memory->capacity);
        add(list, workload.memory->parts);
    }
    add(list, "per_unit", workload.costPerUnit);
    add(list, "energy_per_unit", workload.energyPerUnit);
    add(list, workload.more);
}

void addDesign(Listed& list, const AlternativeEstimate& estimate) {
    add(list, "it", estimate.power.it);
    add(list, "facility", estimate.power.facility);
    add(list, "peak", estimate.power.peak);
    add(list, "facility_peak", estimate.power.facilityPeak);
    add(list, "pue", estimate.power.pue);
    add(list, "energy_year", estimate.power.energyPerYear);
    add(list, "capex", estimate.cost.capex);
    add(list, "opex_year", estimate.cost.opexPerYear);
    add(list, "tco", estimate.cost.tco);
    add(list, "per_hour", estimate.cost.perHour);
    add(list, "rent_per_hour", estimate.cost.rentPerHour);
    add(list, "buy_per_hour", estimate.cost.buyPerHour);
    add(list, "bisection", estimate.network.bisection);
    add(list, "oversubscription", estimate.network.oversubscription);
    add(list, "mtbf_hours", estimate.reliability.mtbfHours);
    add(list, "failures_per_day", estimate.reliability.failuresPerDay);
    add(list, "goodput_all", estimate.reliability.goodput);
    add(list, "checkpoint_interval", estimate.reliability.checkpointInterval);
    add(list, "carbon_year", estimate.carbon.operationPerYear);
    add(list, "embodied", estimate.carbon.embodied);
}

Listed listed(const AlternativeEstimate& estimate, const WorkloadId& workload) {
    Listed list;
    if (const WorkloadEstimate* found = estimate.workload(workload))
        addWorkload(list, *found);
    addDesign(list, estimate);
    return list;
}

} // namespace

std::optional<Quantity> figureNamed(const AlternativeEstimate& estimate, const WorkloadId& workload, std::string_view key) {
    for (const auto& [name, quantity] : listed(estimate, workload))
        if (name == key)
            return quantity;
    return std::nullopt;
}

std::vector<std::string> figureKeys(const AlternativeEstimate& estimate, const WorkloadId& workload) {
    std::vector<std::string> keys;
    for (auto& [name, quantity] : listed(estimate, workload))
        keys.push_back(name);
    return keys;
}

Figure figureOf(const AlternativeId& alternative, const WorkloadId& workload, std::string_view key) {
    return {alternative, quantityName(key), [workload, name = std::string(key)](const AlternativeEstimate& estimate) {
                return figureNamed(estimate, workload, name);
            }};
}

} // namespace cw
