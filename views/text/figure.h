// SPDX-License-Identifier: GPL-3.0-or-later
//
// A figure by name: which number of an estimate is meant, independent of one run, so that an open explanation follows the design and the
// command line can ask for the same ("--explain QUANTITY"). Any thread.
#pragma once

#include "estimators/estimate.h"

#include <QString>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cw {

/// One figure of one alternative. `find` looks it up in any estimate of it; empty when it does not apply there.
struct Figure {
    AlternativeId alternative;
    QString name;
    std::function<std::optional<Quantity>(const AlternativeEstimate&)> find;
};

/// Figures of a workload by stable key: "throughput", "capacity", "mfu", "goodput", "days", "per_unit", "energy_per_unit", "memory",
/// "memory_capacity", every latency ("p99", "ttft_p99", "step", …), memory part and further figure; and of the whole design: "it",
/// "facility", "peak", "facility_peak", "pue", "energy_year", "capex", "opex_year", "tco", "per_hour", "rent_per_hour", "buy_per_hour",
/// "bisection", "oversubscription", "mtbf_hours", "failures_per_day", "goodput_all", "checkpoint_interval", "carbon_year", "embodied".
std::optional<Quantity> figureNamed(const AlternativeEstimate& estimate, const WorkloadId& workload, std::string_view key);
/// The keys that have an answer in this estimate, in a sensible order.
std::vector<std::string> figureKeys(const AlternativeEstimate& estimate, const WorkloadId& workload);
Figure figureOf(const AlternativeId& alternative, const WorkloadId& workload, std::string_view key);

} // namespace cw
