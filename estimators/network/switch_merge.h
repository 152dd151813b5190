// SPDX-License-Identifier: GPL-3.0-or-later
//
// The full graph with switches that are alike made one: those of a stack that stand above the same machines, and those with the same
// neighbours over the same cables. What several equal paths carry together, one then does; a Clos network becomes a tree. For programs that
// know one route a pair. Pure functions.
#pragma once

#include "estimators/network/fabric.h"
#include "model/design/expand.h"

namespace cw {

struct MergedNetwork {
    struct Edge {
        std::uint32_t from, to;             ///< members that are routers
        std::vector<std::uint32_t> links;   ///< drawn links it stands for
        double bandwidth = 0, latency = 0;  ///< bytes/s one direction, of all cables together; seconds, borders included
        bool detour = false;                ///< no way for bulk traffic: another purpose, or much slower than what the machine has besides
    };
    std::vector<std::uint32_t> routerOf;  ///< by member: the member that stands for it
    std::vector<Edge> edges;
    std::vector<double> bandwidthOf;      ///< by member: of its cables together
    std::vector<double> endLatencyOf;     ///< by member: seconds that a machine's port and its software add at one end
};

/// Everything that is no switch (what is not in the catalog counts as one: it carries transit).
bool sendsAndReceives(const Machine& machine);

MergedNetwork mergeSwitches(const Fabric& fabric, const ExpandedGraph& graph);

} // namespace cw
