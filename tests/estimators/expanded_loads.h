// SPDX-License-Identifier: GPL-3.0-or-later
//
// Loads on the full graph by explicit shortest-path ECMP, packet by packet in spirit: what the lumped loads are held against.
#pragma once

#include "estimators/network/fabric.h"
#include "model/design/expand.h"

#include <utility>
#include <vector>

namespace cw::test {

/// Bytes on each drawn link, from → to and back, when `flows` (member, member, bytes) take all shortest paths in equal parts a cable.
/// Only switches forward.
struct Flow {
    std::uint32_t from, to;
    double bytes;
};
std::vector<std::pair<double, double>> expandedLoads(const ExpandedGraph& graph, const ResolvedDesign& design,
                                                     const std::vector<Flow>& flows);

} // namespace cw::test
