// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time of collective operations over the drawn network: ring, tree, in-switch, hierarchical and rail-aligned; the minimum, as the
// libraries choose. Equations: docs/equations.md, "Collectives". Pure functions; nothing is kept.
#pragma once

#include "estimators/network/fabric.h"

#include <array>

namespace cw {

enum class Collective : std::uint8_t { allReduce, allGather, reduceScatter, allToAll, broadcast, pointToPoint };
std::string_view name(Collective op);

/// Ranks of one communicator: `inner` of them share a scale-up domain (adjacent), `outer` domains take part; stride says how far apart
/// in devices neighbouring ranks are (tensor parallel inside, data parallel outside).
struct RankGroup {
    const GroupFabric* fabric = nullptr;
    int inner = 1;
    int outer = 1;
    std::int64_t span = 1;   ///< contiguous devices from the first to the last rank: picks the network tier
    int concurrent = 1;      ///< such groups that share one device's network port at the same time
    std::int64_t stride = 1; ///< devices from one rank to the next
    bool inSwitch = false;   ///< the library may let the switches of the network sum, where they can
    bool inScaleUpSwitch = true; ///< the same for those of the scale-up domain: the libraries do so by themselves

    int ranks() const { return inner * outer; }
    const FabricTier& topTier() const { return fabric->tierFor(static_cast<double>(span)); }
    /// The network sums on the way: every rank sends its buffer once, whatever their number.
    bool reducesInNetwork() const { return inSwitch && outer > 1 && topTier().inNetworkReduction; }
};

/// One way to do an operation.
struct CollectiveWay {
    const char* algorithm = ""; ///< "ring", "tree", "in-switch", "NVLS", "direct"
    double seconds = 0;         ///< of the whole operation; NaN: not possible
    const char* because = "";   ///< what rules it out: "switches" (some cannot sum), "switched_off"
};

struct CollectiveTime {
    double seconds = 0;
    double scaleUpSeconds = 0, networkSeconds = 0; ///< stages, before overlap of one with the other
    double networkBytesPerDevice = 0;              ///< bytes a device sends over the first network tier
    int tier = 0;                                  ///< highest tier used
    const char* algorithm = ""; ///< the fastest of `ways`; "none": nothing to do
    bool hierarchical = false;  ///< reduced and gathered inside the domains, the algorithm between them
    std::array<CollectiveWay, 3> list{};
    std::size_t count = 0;

    std::span<const CollectiveWay> ways() const { return {list.data(), count}; }
};

/// bytes: size of the full buffer (all-reduce: per rank; all-gather: gathered result; all-to-all: what one rank sends in total).
/// `gpu` null: message passing between machines, no scale-up stage.
CollectiveTime collectiveTime(Collective op, double bytes, const RankGroup& ranks, const Catalog& catalog, const Gpu* gpu);

/// How the ranks of a group lie on the machines of a fabric, contiguous ranks first.
RankGroup rankGroup(const GroupFabric& fabric, int scaleUpDomain, int ranks, std::int64_t stride, int concurrent = 1);

/// Who talks to whom, for how much of the traffic crosses each tier.
enum class Neighbours : std::uint8_t {
    ring,      ///< the next domain, contiguous order: only the last of a block crosses
    everybody, ///< all other ranks alike
};

/// Share of the bytes that leave a scale-up domain which must cross tier k (index into fabric->tiers) or a higher one.
double crossingShare(const RankGroup& ranks, Neighbours neighbours, std::size_t tier);

/// Seconds on the slowest tier when every device sends `bytes` out of its domain; `efficiency` 0: the tiers' collective efficiency at
/// achievable bandwidth, else that share of their line rate.
double networkSeconds(double bytes, const RankGroup& ranks, Neighbours neighbours, double efficiency = 0);

/// Seconds of an operation at the line rate of cables and scale-up links, no latency, nothing lost: no library is faster.
double leastSeconds(Collective op, double bytes, const RankGroup& ranks);

/// Adds what a device sends across each tier (cumulative upward, as Traffic wants it) for `bytes` that leave its domain.
void addTierBytes(std::vector<double>& bytesByTier, double bytes, const RankGroup& ranks, Neighbours neighbours);

/// Bytes that one device sends out of its scale-up domain in an operation.
double networkBytes(Collective op, double bytes, const RankGroup& ranks);

} // namespace cw
