// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of MLPerf Inference without accelerators: servers of CPUs, one serving program on each NUMA node. Pure.
#pragma once

#include "estimators/validation/columns.h"
#include "estimators/validation/row_cluster.h"

namespace cw {

/// Machines of the row, each standing for one NUMA node; empty: no CPU that is known here.
std::optional<RowCluster> hostCluster(const Row& row, const Catalog& catalog);

} // namespace cw
