// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/failures.h"

#include "estimators/facility/facility_constants.h"
#include "estimators/facility/site_terms.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double daysPerYear = 365;

/// Share of the counted interruptions that confirmed or suspected hardware caused: the low end of the band (software can be mended).
constexpr double hardwareShare = .78; // The Llama 3 Herd of Models, section 3.3.4

Quantity ratePerGpu(EstimateContext& context) {
    const Constants& counted = constantsOf(context.catalog, "failure_rate", "job_any");
    const Constants& rsc = constantsOf(context.catalog, "failure_rate", "node_rsc1");
    const double value = counted["afr_fraction"];
    const double high = rsc["per_node_day"] * daysPerYear / std::max(1.0, rsc["gpus_per_node_count"]);
    Derivation& d = context.derivation;
    const Quantity inputs[] = {d.calibrated("interruptions of a GPU a year, all causes", counted, "afr_fraction", Unit::one),
                               d.calibrated("failures of an 8-GPU node a day", rsc, "per_node_day", Unit::one)};
    return d.computed("interruptions per GPU and year",
                      "counted on 16,384 GPUs in 54 days; low: hardware causes only, high: 6.5 per 1000 node-days", value,
                      std::min(value, value * hardwareShare), std::max(value, high), Unit::one, inputs,
                      "The Llama 3 Herd of Models, table 5; Kokolis et al. 2024");
}

} // namespace

Quantity interruptionsPerYear(EstimateContext& context, std::span<const std::uint32_t> nodes, double mtbfNodeHours) {
    Derivation& d = context.derivation;
    double gpus = 0, servers = 0, machines = 0;
    for (const std::uint32_t node : nodes) {
        const Machine& machine = context.design.machines[node];
        const auto count = static_cast<double>(machine.count);
        machines += machine.kind == MachineKind::switchBox ? 0 : count;
        if (machine.kind == MachineKind::gpu)
            gpus += count * std::max(machine.gpus, 1);
        else if (machine.kind != MachineKind::switchBox)
            servers += count;
    }
    if (mtbfNodeHours > 0) {
        const double rate = machines * hoursPerYear / mtbfNodeHours;
        return d.computed("interruptions a year", "machines · 8760 h / MTBF of a machine", rate, rate, rate, Unit::count,
                          {d.input("machines", machines, Unit::count, "placement"),
                           d.input("MTBF of a machine", mtbfNodeHours, Unit::hours, "workload")});
    }
    const Quantity server = d.calibrated("failures of a CPU server a year", constantsOf(context.catalog, "repair", "cluster"),
                                         "cpu_server_afr_fraction", Unit::one);
    const Quantity parts[] = {d.product("interruptions by GPU machines", "GPUs · interruptions per GPU and year",
                                        {d.input("GPUs", gpus, Unit::count, "design"), ratePerGpu(context)}, Unit::count),
                              d.product("interruptions by other machines", "machines · failures a year",
                                        {d.input("machines without GPUs", servers, Unit::count, "design"), server}, Unit::count)};
    return d.sum("interruptions a year", parts, Unit::count);
}

double goodputWithInterval(double mtbf, double checkpointSeconds, double restartSeconds, double interval) {
    if (!(mtbf > 0) || !(interval > 0))
        return 0;
    const double wall = mtbf * std::exp(restartSeconds / mtbf) * std::expm1((interval + checkpointSeconds) / mtbf);
    return std::isfinite(wall) ? interval / wall : 0;
}

Checkpointing bestCheckpointing(double mtbf, double checkpointSeconds, double restartSeconds) {
    Checkpointing best;
    if (!(mtbf > 0))
        return best;
    const double d = std::max(checkpointSeconds, 1e-3);
    if (d >= 2 * mtbf) {
        best.interval = mtbf;
    } else {
        const double x = std::sqrt(d / (2 * mtbf));
        best.interval = std::max(d, std::sqrt(2 * d * mtbf) * (1 + x / 3 + x * x / 9) - d);
    }
    best.goodput = goodputWithInterval(mtbf, d, restartSeconds, best.interval);
    return best;
}

Quantity restartTime(EstimateContext& context) {
    return context.derivation.calibrated("time to detect, replace and reload", constantsOf(context.catalog, "repair", "cluster"),
                                         "restart_s", Unit::seconds);
}

} // namespace cw
