// SPDX-License-Identifier: GPL-3.0-or-later
//
// A figure by name: which number of an estimate is meant, independent of one run, so that an open explanation follows the design and the
// command line can ask for the same ("--explain QUANTITY"). Any thread.
#pragma once

#include "estimators/figures.h"

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

Figure figureOf(const AlternativeId& alternative, const WorkloadId& workload, std::string_view key);

} // namespace cw
