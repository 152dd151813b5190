// SPDX-License-Identifier: GPL-3.0-or-later
//
// Estimates as the JSON of `clusterwright estimate --format json`. A figure that does not apply is absent, one that is not known is null;
// numbers are SI or in the unit that stands beside them. Pure function; the same estimates give the same bytes.
#pragma once

#include "estimators/estimate.h"

#include <functional>
#include <optional>
#include <span>
#include <string>

namespace cw {

struct ReportOptions {
    std::optional<WorkloadId> workload; ///< only this one; empty: all
    /// Sentences for people; without them a finding has its code and arguments only.
    std::function<std::string(const Finding&)> message;
    std::function<std::string(const Finding&)> change;
    int indent = 2; ///< -1: one line
};

/// UTF-8, ends with a newline.
std::string estimateJson(const Project& project, std::span<const AlternativeEstimate* const> estimates,
                         const ReportOptions& options = {});

} // namespace cw
