// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/figures.h"

#include <algorithm>

namespace cw {

namespace {

using Listed = std::vector<std::pair<std::string, Quantity>>;

constexpr std::string_view latencyOfTier = "latency_";

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
    for (const NetworkEstimate::Tier& tier : estimate.network.tiers)
        list.emplace_back(std::string(latencyOfTier) + tier.name, tier.latency);
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

/// Both errors are those of one model, so the ratio is taken of the values.
std::optional<Quantity> ratio(const std::optional<Quantity>& over, const std::optional<Quantity>& under) {
    if (!over || !under || !(over->value > 0) || !(under->value > 0))
        return std::nullopt;
    const double share = over->value / under->value;
    return Quantity{share, share, share, Unit::fraction};
}

std::optional<ReportedFigure::Of> estimateOf(const AlternativeEstimate& estimate, const AlternativeEstimate* baseline,
                                             const WorkloadId& workload, std::string_view key) {
    const bool relative = key == relativeThroughput;
    const std::optional<Quantity> base = relative && baseline ? figureNamed(*baseline, workload, "throughput") : std::nullopt;
    const auto value = [&](auto find) { return relative ? ratio(find(estimate, workload, "throughput"), base) : find(estimate, workload, key); };
    const std::optional<Quantity> estimated = value(figureNamed);
    if (!estimated)
        return std::nullopt;
    return ReportedFigure::Of{estimate.id, *estimated, value(boundNamed)};
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

std::optional<Quantity> boundNamed(const AlternativeEstimate& estimate, const WorkloadId& workload, std::string_view key) {
    if (const WorkloadEstimate* found = estimate.workload(workload))
        for (const NamedQuantity& bound : found->bounds)
            if (bound.name == key)
                return bound.quantity;
    if (key.starts_with(latencyOfTier))
        for (const NetworkEstimate::Tier& tier : estimate.network.tiers)
            if (tier.name == key.substr(latencyOfTier.size()) && tier.leastLatency.known())
                return tier.leastLatency;
    return std::nullopt;
}

std::vector<ReportedFigure> reportedFigures(const Project& project, std::span<const AlternativeEstimate* const> estimates) {
    const Alternative* chosen = project.baselineAlternative();
    const auto found = std::find_if(estimates.begin(), estimates.end(),
                                    [&](const AlternativeEstimate* estimate) { return estimate && chosen && estimate->id == chosen->id; });
    const AlternativeEstimate* baseline = found == estimates.end() ? nullptr : *found;
    std::vector<ReportedFigure> figures;
    for (const Workload& workload : project.workloads)
        for (const Reported& reported : workload.reported) {
            ReportedFigure figure{&workload, &reported, {}};
            for (const AlternativeEstimate* estimate : estimates) {
                if (!estimate || !(reported.alternative.empty() || reported.alternative == estimate->id))
                    continue;
                if (const auto of = estimateOf(*estimate, baseline, workload.id, reported.quantity))
                    figure.of.push_back(*of);
            }
            figures.push_back(std::move(figure));
        }
    return figures;
}

} // namespace cw
