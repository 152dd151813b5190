// SPDX-License-Identifier: GPL-3.0-or-later
//
// The second, slower answer: every workload of an alternative that answers requests, simulated, and its latencies put in place of the
// closed form's, with a mark. A pure function of its arguments, bit-equal on any number of threads; long enough to want cancelling.
#pragma once

#include "estimators/estimate.h"
#include "estimators/simulation/run.h"

namespace cw {

struct SimulationOptions {
    std::uint64_t seed = 1;
    double precision = .05;               ///< relative half width of the p99s at 95 %
    std::uint64_t mostEvents = 3'000'000; ///< a workload
    int threads = 1;
    std::function<bool()> interrupted;    ///< asked now and then, from any of the threads
};

/// Is there a workload in it that can be simulated?
bool canSimulate(const AlternativeEstimate& closedForm);

/// `closedForm` (of this alternative of this project with this catalog) with simulated latencies, targets judged by them; empty when
/// interrupted.
std::optional<AlternativeEstimate> simulate(const Project& project, const Alternative& alternative, const Catalog& catalog,
                                            const AlternativeEstimate& closedForm, const SimulationOptions& options = {});

} // namespace cw
