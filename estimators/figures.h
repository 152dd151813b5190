// SPDX-License-Identifier: GPL-3.0-or-later
//
// Figures of an estimate by stable key, what physics allows for them, and what a published report says of them beside both. Pure.
#pragma once

#include "estimators/estimate.h"

#include <span>
#include <string_view>

namespace cw {

/// Figures of a workload by stable key: "throughput", "capacity", "mfu", "goodput", "days", "per_unit", "energy_per_unit", "memory",
/// "memory_capacity", every latency ("p99", "ttft_p99", "step", …), memory part and further figure; and of the whole design: "it",
/// "facility", "peak", "facility_peak", "pue", "energy_year", "capex", "opex_year", "tco", "per_hour", "rent_per_hour", "buy_per_hour",
/// "bisection", "oversubscription", "latency_" and a tier, "mtbf_hours", "failures_per_day", "goodput_all", "checkpoint_interval",
/// "carbon_year", "embodied".
std::optional<Quantity> figureNamed(const AlternativeEstimate& estimate, const WorkloadId& workload, std::string_view key);
/// The keys that have an answer in this estimate, in a sensible order.
std::vector<std::string> figureKeys(const AlternativeEstimate& estimate, const WorkloadId& workload);
/// What physics allows at best for the figure of this key; empty: no bound is known.
std::optional<Quantity> boundNamed(const AlternativeEstimate& estimate, const WorkloadId& workload, std::string_view key);

/// Throughput over that of the project's baseline: the key of a figure that needs both.
constexpr std::string_view relativeThroughput = "relative_throughput";

/// One figure of a report with what is estimated for it.
struct ReportedFigure {
    const Workload* workload;
    const Reported* reported;
    struct Of {
        AlternativeId alternative;
        Quantity estimated;
        std::optional<Quantity> bound;
    };
    std::vector<Of> of; ///< the alternatives that it is about; empty: no figure of the estimates has this key
};

/// Points into the project. Estimates may be missing (null).
std::vector<ReportedFigure> reportedFigures(const Project& project, std::span<const AlternativeEstimate* const> estimates);

} // namespace cw
