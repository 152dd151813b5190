// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/facility.h"
#include "estimators/facility/facility_constants.h"
#include "estimators/facility/failures.h"
#include "estimators/facility/redundancy.h"
#include "estimators/facility/site_terms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cw {

double probabilityAtMost(double mean, double most) {
    if (mean <= 0 || most >= mean + 8 * std::sqrt(mean) + 20)
        return 1;
    constexpr double normalFrom = 500; // the sum would lose digits and time
    if (mean > normalFrom)
        return .5 * std::erfc(-(most + .5 - mean) / std::sqrt(2 * mean));
    double term = std::exp(-mean), sum = term;
    for (int k = 1; k <= most; ++k) {
        term *= mean / k;
        sum += term;
    }
    return std::min(1.0, sum);
}

double tierAvailability(double memberAvailability, std::int64_t members, std::int64_t spares) {
    const double down = 1 - memberAvailability;
    if (members <= 0)
        return 0;
    if (members > 64)
        return probabilityAtMost(static_cast<double>(members) * down, static_cast<double>(spares));
    double term = std::pow(memberAvailability, static_cast<double>(members)), sum = term;
    for (std::int64_t k = 1; k <= spares && k <= members; ++k) {
        term *= static_cast<double>(members - k + 1) / static_cast<double>(k) * down / memberAvailability;
        sum += term;
    }
    return std::clamp(sum, 0.0, 1.0);
}

namespace {

/// Share of the time that one machine is not out for repair.
double memberAvailability(const EstimateContext& context, const Machine& machine) {
    const Constants& repair = constantsOf(context.catalog, "repair", "cluster");
    if (machine.kind == MachineKind::switchBox) {
        const double afr = constantsOf(context.catalog, "failure_rate", "switch")["afr_fraction"];
        return 1 / (1 + afr * repair["switch_hours"] / hoursPerYear);
    }
    double afr = repair["cpu_server_afr_fraction"];
    if (machine.kind == MachineKind::gpu)
        afr += std::max(machine.gpus, 1) * constantsOf(context.catalog, "failure_rate", "gpu_permanent")["afr_fraction"];
    return 1 / (1 + afr * repair["machine_hours"] / hoursPerYear);
}

void addTiers(const EstimateContext& context, ReliabilityEstimate& estimate) {
    const double spareShare = std::clamp(context.design.project->site.spareFraction, 0.0, 1.0);
    for (const Machine& machine : context.design.machines) {
        if (machine.count <= 0 || machine.kind == MachineKind::unknown)
            continue;
        const auto members = static_cast<double>(machine.count);
        const std::int64_t spares =
            machine.count == 1 ? 0 : std::max<std::int64_t>(1, static_cast<std::int64_t>(spareShare * members));
        ReliabilityEstimate::TierAvailability tier;
        tier.name = machine.node->name;
        tier.node = machine.node->id;
        tier.availability = tierAvailability(memberAvailability(context, machine), machine.count, spares);
        tier.capacityWithOneDown = (members - 1) / members;
        estimate.tiers.push_back(std::move(tier));
    }
}

const WorkloadEstimate* longestJob(const EstimateContext& context, std::span<const WorkloadEstimate> workloads) {
    const WorkloadEstimate* job = nullptr;
    for (const WorkloadEstimate& w : workloads) {
        const Workload* workload = context.design.project->findWorkload(w.id);
        const bool longRunning =
            workload && (std::holds_alternative<LlmTraining>(workload->spec) || std::holds_alternative<Hpc>(workload->spec));
        if (!longRunning || !w.placed)
            continue;
        if (!job || (w.goodput && (!job->goodput || w.goodput->value < job->goodput->value)))
            job = &w;
    }
    return job;
}

const NamedQuantity* moreNamed(const WorkloadEstimate& workload, std::string_view name) {
    for (const NamedQuantity& q : workload.more) {
        if (q.name == name)
            return &q;
    }
    return nullptr;
}

/// Goodput of a job over all machines with Daly's interval, when the job's own estimator has not said.
void addCheckpoints(EstimateContext& context, ReliabilityEstimate& estimate) {
    Derivation& d = context.derivation;
    const Quantity write = d.calibrated("time to write a checkpoint", constantsOf(context.catalog, "repair", "cluster"),
                                        "checkpoint_s", Unit::seconds);
    const Quantity restart = restartTime(context);
    const auto at = [](const Quantity& q, double Quantity::* end, double Quantity::* otherEnd, const Quantity& write_,
                       const Quantity& restart_) {
        return bestCheckpointing(q.*end * 3600, write_.*otherEnd, restart_.*otherEnd);
    };
    const Checkpointing likely = at(estimate.mtbfHours, &Quantity::value, &Quantity::value, write, restart);
    const Checkpointing worst = at(estimate.mtbfHours, &Quantity::low, &Quantity::high, write, restart);
    const Checkpointing best = at(estimate.mtbfHours, &Quantity::high, &Quantity::low, write, restart);
    estimate.checkpointInterval = d.computed("checkpoint interval", "√(2 d M) (1 + √(d/2M)/3 + (d/2M)/9) − d", likely.interval,
                                             std::min(best.interval, worst.interval), std::max(best.interval, worst.interval),
                                             Unit::seconds, {write, estimate.mtbfHours}, "Daly 2006");
    estimate.goodput =
        d.computed("goodput", "interval e^(−R/M) / (M (e^((interval + d)/M) − 1))", likely.goodput, worst.goodput, best.goodput,
                   Unit::fraction, {*estimate.checkpointInterval, write, restart, estimate.mtbfHours}, "Daly 2006");
}

} // namespace

ReliabilityEstimate estimateReliability(EstimateContext& context, std::span<const WorkloadEstimate> workloads) {
    ReliabilityEstimate estimate;
    Derivation& d = context.derivation;
    std::vector<std::uint32_t> all(context.design.machines.size());
    std::iota(all.begin(), all.end(), 0u);
    const Quantity perYear = interruptionsPerYear(context, all);
    const Quantity year = d.assumption("hours a year", hoursPerYear, hoursPerYear, hoursPerYear, Unit::hours, "365 · 24");
    estimate.mtbfHours = d.quotient("mean time between failures", "8760 h / interruptions a year", year, perYear, Unit::hours);
    estimate.failuresPerDay =
        d.product("failures a day", "interruptions a year / 365", {perYear}, Unit::count, 24 / hoursPerYear);
    addTiers(context, estimate);
    const WorkloadEstimate* job = longestJob(context, workloads);
    if (job && job->goodput) {
        estimate.goodput = *job->goodput;
        if (const NamedQuantity* interval = moreNamed(*job, "checkpoint_interval"))
            estimate.checkpointInterval = interval->quantity;
    } else if (job && estimate.mtbfHours.known()) {
        addCheckpoints(context, estimate);
    } else {
        double up = 0, machines = 0;
        for (const Machine& machine : context.design.machines) {
            up += memberAvailability(context, machine) * static_cast<double>(machine.count);
            machines += static_cast<double>(machine.count);
        }
        estimate.goodput = machines > 0
            ? d.computed("machines in service", "1 / (1 + failures a year · repair time), mean of all machines", up / machines,
                         1 - 3 * (1 - up / machines), 1, Unit::fraction, {perYear})
            : d.unknown("machines in service", Unit::fraction, "no machines are drawn");
    }
    return estimate;
}

} // namespace cw
