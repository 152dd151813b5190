// SPDX-License-Identifier: GPL-3.0-or-later
//
// The network as drawn, seen by the machines that compute. Works on stacks (the quotient of the full graph) so that its cost does not
// depend on counts. Tiers follow from the drawing: a link divides the members of a stack into blocks that reach each other through it
// (model/design/expand.h: blockCount); going one link further up reaches larger blocks over what bandwidth those links have.
#pragma once

#include "estimators/base/resolved.h"
#include "estimators/estimate.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace cw {

/// A drawn link that carries part of what a group sends through a tier.
struct Climb {
    std::uint32_t link = 0;
    bool forward = true;  ///< on the way up: from → to of the drawn link
    bool mirrored = true; ///< what goes up on one side comes down on the other: the reverse direction carries as much
    double fraction = 0;  ///< of all bytes of the group whose way peaks at the tier
};

/// One step up from the machines. Tier 0 is the scale-up domain of the devices (NVLink, Infinity Fabric, or PCIe inside one machine).
struct FabricTier {
    /// "scale-up", "PCIe", "machine", "leaf", "spine", "core", "super-core", "frame", "direct", "ring", "torus".
    const char* name = "";
    std::vector<std::uint32_t> links; ///< drawn links added by this tier; empty for tiers inside a machine
    /// All links of a flow that peaks here, lower tiers included, with their shares (equal-hop paths by capacity).
    std::vector<Climb> climb;
    double devicesPerBlock = 1; ///< devices (GPUs, or machines without GPUs) that reach each other without going above this tier
    /// Bytes/s, one direction, achievable, of one device into this tier when all devices of the group use it.
    double bandwidthPerDevice = 0;
    /// The same at line rate: what tuned RDMA would start from; worse protocols keep their disadvantage.
    double nominalPerDevice = 0;
    double linePerDevice = 0; ///< what the cables could carry, whatever the protocol
    double wireLatency = 0;   ///< seconds, one way: cables, switches and borders, without the ends
    double latency = 0;              ///< seconds, one way, between two devices that meet at this tier, borders included
    double borderLatency = 0;        ///< part of it that is due to frame borders (zones, regions)
    double collectiveEfficiency = 1; ///< share of bandwidthPerDevice that collectives reach (protocol, ECMP)
    double oversubscription = 1;     ///< bandwidth of the first network tier over this one's
    double meanHops = 1; ///< links of this tier that a uniform flow takes one way (rings and tori: a quarter of each dimension)
    bool rdma = true;
    bool rail = false;               ///< machines' devices of equal index meet at this tier without crossing others
    bool inNetworkReduction = false; ///< all switches passed can sum (InfiniBand SHARP; NVLS inside)
    int hops = 0;                    ///< switches passed

    bool network() const { return !links.empty(); }
};

/// The devices of one or several stacks as one pool of ranks, contiguous within machine, then stack.
struct GroupFabric {
    std::vector<std::uint32_t> nodes; ///< node indices
    std::int64_t devices = 0;
    std::int64_t machines = 0;
    int devicesPerMachine = 1;
    /// Rising; the last holds all devices unless `connected` is false; above rails that do, one more follows.
    std::vector<FabricTier> tiers;
    bool connected = true;                                     ///< every device reaches every other one over drawn links
    const FabricTier& tierFor(double contiguousDevices) const; ///< the lowest tier whose blocks hold so many devices
};

/// How one stack reaches another: loads split over equal-hop paths by capacity.
struct Route {
    struct Hop {
        std::uint32_t link = 0;
        bool forward = true; ///< from → to of the drawn link
        double fraction = 1; ///< of the flow that takes it
    };
    std::vector<Hop> hops;
    double bandwidth = 0; ///< bytes/s, all members of the source together, one direction
    double latency = 0;   ///< seconds, one way
    int switches = 0;
    bool rdma = true;
};

/// Immutable after construction.
class Fabric {
public:
    explicit Fabric(const ResolvedDesign& design);

    const ResolvedDesign& design() const { return *m_design; }
    /// Capacity of a link as drawn: cables, bytes/s one direction of all of them together (achievable by medium and protocol).
    struct LinkCapacity {
        std::int64_t cables = 0;
        double bytesPerSecond = 0; ///< sum, one direction
        double perCable = 0;
        double latency = 0; ///< one hop: switch port + cable (5 ns/m); borders apart
        double collectiveEfficiency = 1;
        double line = 0;       ///< sum at line rate
        double nominal = 0;    ///< sum at line rate, lowered only where the protocol is worse than the medium's best
        double endLatency = 0; ///< small message between application buffers over one such cable, borders apart
        double borderLatency = 0;
        bool rdma = true;
        bool staticHashing = false; ///< plain ECMP: flows may collide
        bool known = true;          ///< medium and both ends known
    };
    const LinkCapacity& capacity(std::uint32_t link) const { return m_capacities[link]; }

    /// The same network with these links `factor` times as fast.
    Fabric relieved(std::span<const std::uint32_t> links, double factor) const;

    /// `purpose` picks links of that purpose and "any"; falls back to all links when none fits.
    GroupFabric group(std::span<const std::uint32_t> nodes, std::string_view purpose = "compute") const;
    std::optional<Route> route(std::uint32_t from, std::uint32_t to, std::string_view purpose = "any") const;

private:
    const ResolvedDesign* m_design;
    std::vector<LinkCapacity> m_capacities;
    struct Adjacent {
        std::uint32_t node, link;
        bool forward;
    };
    friend class TierBuilder;
    friend class RouteFinder;
    std::span<const Adjacent> adjacent(std::uint32_t node) const { return m_adjacent[node]; }
    /// Links that `purpose` may use, and of those only the fast ones (a management network is not a detour for bulk traffic).
    enum class Choice : std::uint8_t { fastOfPurpose, ofPurpose, all };
    bool usable(std::uint32_t link, std::string_view purpose, Choice choice, double fastest) const;
    double fastestCable(std::span<const std::uint32_t> nodes, std::string_view purpose) const;

    std::vector<std::vector<Adjacent>> m_adjacent;
    std::vector<std::int64_t> m_blocks; ///< by link
};

/// Bytes that a workload moves, for the link-load solver. Either within a group (collectives: `group`, bytes leaving each device at each
/// tier) or between two stacks.
struct Traffic {
    WorkloadId workload;
    /// "gradients", "pipeline", "tensor", "experts", "context", "requests", "kv", "shuffle", "replication", "checkpoint",
    /// "parameters", "storage", "halo", …
    const char* kind = "";
    // within a group:
    const GroupFabric* group = nullptr;
    /// By tier of the group: bytes a device sends that must cross up through this tier, per period.
    std::vector<double> bytesPerDevice;
    // or between stacks:
    int from = -1, to = -1; ///< node indices
    double bytes = 0;       ///< total, from → to, per period
    double period = 1;      ///< seconds (a step, or 1 for rates): mean load = bytes/period
    double activeTime = 0;  ///< seconds of the period in which it flows (0: all of it): peak load = bytes/activeTime
};

/// Loads of all drawn links in both directions, by the order of the alternative. Fills everything of LinkLoad but `quantity`.
/// Ideal spraying gives the mean; where a link hashes statically, `hashedHigh` is the expected fullest cable,
/// F/k + sqrt(2 (F/k) ln k) of F flows on k cables.
std::vector<LinkLoad> linkLoads(const Fabric& fabric, std::span<const Traffic> traffic);

} // namespace cw
