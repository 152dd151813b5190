// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time of collective operations over the drawn network: ring, tree, in-switch, hierarchical and rail-aligned; the minimum, as the
// libraries choose. Equations: docs/equations.md, "Collectives".
#pragma once

#include "estimators/network/fabric.h"

namespace cw {

enum class Collective : std::uint8_t { allReduce, allGather, reduceScatter, allToAll, broadcast, pointToPoint };

/// Ranks of one communicator: `inner` of them share a scale-up domain (adjacent), `outer` domains take part; stride says how far apart
/// in devices neighbouring ranks are (tensor parallel inside, data parallel outside).
struct RankGroup {
    const GroupFabric* fabric = nullptr;
    int inner = 1;
    int outer = 1;
    std::int64_t span = 1; ///< contiguous devices from the first to the last rank: picks the network tier
    int concurrent = 1;    ///< such groups that share one device's network port at the same time
};

struct CollectiveTime {
    double seconds = 0;
    double scaleUpSeconds = 0, networkSeconds = 0; ///< stages, before overlap of one with the other
    double networkBytesPerDevice = 0;              ///< bytes a device sends over the network tier
    int tier = 0;                                  ///< highest tier used
    const char* algorithm = "";
};

/// bytes: size of the full buffer (all-reduce: per rank; all-gather: gathered result; all-to-all: what one rank sends in total).
CollectiveTime collectiveTime(Collective op, double bytes, const RankGroup& ranks, const Catalog& catalog, const Gpu* gpu);

/// How the ranks of a group lie on the machines of a fabric, contiguous ranks first.
RankGroup rankGroup(const GroupFabric& fabric, int scaleUpDomain, int ranks, std::int64_t stride, int concurrent = 1);

} // namespace cw
