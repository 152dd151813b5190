// SPDX-License-Identifier: GPL-3.0-or-later
//
// One alternative of a project: stacks of machines, links between stacks, racks, frames and placements. Plain values: copy, compare.
// `extra` holds the keys of the file that this program does not know, as canonical JSON object text (empty: none); they are written back.
#pragma once

#include "model/base/id.h"
#include "model/catalog/part.h"
#include "model/units/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cw {

constexpr std::int64_t maxStackCount = 10'000'000;
constexpr int maxLanes = 1024;

/// How a machine is paid for. `inherit` takes the alternative's.
enum class Procurement : std::uint8_t { inherit, buy, onDemand, reserved, spot };
/// As in files: "inherit", "buy", "on_demand", "reserved", "spot".
std::string_view name(Procurement procurement);
std::optional<Procurement> procurementFrom(std::string_view name);

/// `count` identical machines drawn as one item.
struct Node {
    NodeId id;
    std::string name;
    PartId part; ///< server, switch, cloud_instance (or gpu/cpu as a bare device)
    std::int64_t count = 1;
    std::string role; ///< free label shown on the canvas, e.g. "training", "spine"
    FrameId frame;    ///< box it stands in; empty: none
    std::optional<Watts> gpuPowerCap; ///< per GPU
    Procurement procurement = Procurement::inherit;
    PartId priceBook; ///< cloud instance whose price is paid when rented; empty: the part itself or the nearest match
    std::string extra;
    bool operator==(const Node&) const = default;
};

/// How n members of `from` are cabled to m members of `to` (L = lanes):
/// each   every member of `from` has L cables. L ≥ m: they go round robin over all of `to`, member i starting where i−1 ended. L < m: they
///        go to neighbouring members of `to`, and members of `from` that follow each other share them, so that no member of `to` has more
///        than one cable more than another. n·L cables.
/// mesh   every member of `from` to every member of `to` with L cables. n·m·L cables. Within one stack (`to` = `from`): every two
///        members with L cables, n·(n−1)/2·L.
/// rail   L is the number of ports of every member of `from` that take part. Port r goes to rail switch r: member b·L + r of `to`, where b is
///        the block of `from` it belongs to. m is a multiple of L; there are m/L blocks of n·L/m neighbouring members. n·L cables.
/// pair   member i to member i with L cables; n = m. n·L cables.
/// ring   member i to member i+1, the last to the first, L cables each; `to` = `from`. n·L cables (n = 2: L, n = 1: none).
/// torus  a ring of L cables along every axis of the grid `dimensions`, whose product is n; the last axis runs fastest.
/// plane  as rail, but strided: member i of `from` goes to plane i mod m/L of `to`, one cable to each of its L members. It is how pods meet
///        in the core of a three-tier fabric: every pod has members in every plane, so all pods reach each other. m is a multiple of L and n
///        of m/L. n·L cables.
/// memberPairs() in expand.h is the exact rule; docs/file-format.md draws it.
enum class Pattern : std::uint8_t { each, mesh, rail, pair, ring, torus, plane };
std::string_view name(Pattern pattern);
std::optional<Pattern> patternFrom(std::string_view name);

struct Link {
    LinkId id;
    std::string name;
    NodeId from;
    NodeId to; ///< equals `from` for ring, torus and a mesh within one stack
    PartId medium;
    int lanes = 1; ///< each: cables per member of `from`; rail, plane: ports per member of `from`; else parallel cables per connected pair
    Pattern pattern = Pattern::each;
    std::vector<int> dimensions; ///< torus; product equals the stack's count
    std::string purpose = "any"; ///< "compute", "storage", "management", "any": which ports it takes and which traffic it carries
    PartId protocol; ///< proto_…; empty: the medium's usual one (RDMA on InfiniBand, RoCE on Ethernet from 25G, else TCP)
    std::optional<Metres> length; ///< of one cable; empty: estimated from racks
    std::string extra;
    bool operator==(const Link&) const = default;
};

/// What stands in a rack: `perRack` members of a stack, bottom unit `u` (0: placed automatically, stacked upward).
struct RackItem {
    NodeId node;
    int perRack = 1;
    int u = 0;
    std::string extra{};
    bool operator==(const RackItem&) const = default;
};

/// A stack of identical racks.
struct Rack {
    RackId id;
    std::string name;
    PartId part; ///< rack type
    std::int64_t count = 1;
    FrameId frame;
    PartId cooling; ///< empty: the site's
    std::optional<Watts> powerLimit; ///< empty: from cooling, PDU and site
    PartId pdu;
    int pduCount = 2; ///< feeds; A/B redundant: usable power is that of half of them (rounded up)
    std::vector<RackItem> items;
    std::string extra;
    bool operator==(const Rack&) const = default;
};

enum class FrameKind : std::uint8_t { pod, room, zone, region, cloud };
std::string_view name(FrameKind kind);
std::optional<FrameKind> frameKindFrom(std::string_view name);

/// A named box; its kind sets latency and bandwidth of links that cross its border, unless given.
struct Frame {
    FrameId id;
    std::string name;
    FrameKind kind = FrameKind::pod;
    FrameId parent;
    std::optional<Seconds> latency; ///< added one way when a link crosses
    std::optional<BytesPerSecond> bandwidth; ///< of all traffic that crosses, each direction
    std::string extra;
    bool operator==(const Frame&) const = default;
};

/// Parallel sizes of a plan; 0 is `auto`: the estimator chooses and reports.
struct Parallelism {
    int tensor = 0, pipeline = 0, data = 0, context = 0, expert = 0;
    bool operator==(const Parallelism&) const = default;
};

enum class Recompute : std::uint8_t { automatic, none, selective, full };
/// As in files: "auto", "none", "selective", "full".
std::string_view name(Recompute recompute);
std::optional<Recompute> recomputeFrom(std::string_view name);

/// How many of the machines run while the load changes over the day. `whileUsed`: all of them in the hours in which the work is there;
/// `fixed`: all, always; `autoscaled`: as many as the load of the hour needs, at least one; `toZero`: the same, and none without load.
enum class Scaling : std::uint8_t { whileUsed, fixed, autoscaled, toZero };
/// As in files: "while_used", "fixed", "autoscaled", "to_zero".
std::string_view name(Scaling scaling);
std::optional<Scaling> scalingFrom(std::string_view name);

/// Which workload runs on which stacks, and how.
struct Placement {
    PlacementId id;
    WorkloadId workload;
    std::vector<NodeId> nodes;
    std::string stage; ///< pipeline workloads: the stage that runs here; llm_serving: "prefill", "decode" or empty (both)
    double share = 1;  ///< of the workload's arrivals that this placement takes, when several take the same
    Parallelism parallelism;
    int zeroStage = -1;    ///< 0 to 3; -1: automatic
    int microBatch = 0;    ///< sequences; 0: automatic
    int interleave = 0;    ///< virtual pipeline chunks; 0: automatic
    int replicas = 0;      ///< serving; 0: as many as fit
    bool offload = false;  ///< optimizer state in host memory
    bool inNetworkReduction = true; ///< collectives may sum in the switches, where those can
    Recompute recompute = Recompute::automatic;
    std::optional<Precision> precision; ///< of arithmetic and weights; empty: the workload's
    PartId stack; ///< software stack constants; empty: the default of the device
    Scaling scaling = Scaling::whileUsed;
    Seconds startup = seconds(120); ///< from asking for a machine to its first answer: boot, image, loading weights
    std::string extra;
    bool operator==(const Placement&) const = default;
};

struct Alternative {
    AlternativeId id;
    std::string name;
    std::string notes;
    Procurement procurement = Procurement::buy;
    std::vector<Node> nodes;
    std::vector<Link> links;
    std::vector<Rack> racks;
    std::vector<Frame> frames;
    std::vector<Placement> placements;
    std::string extra;
    bool operator==(const Alternative&) const = default;

    const Node* findNode(const NodeId& id) const;
    const Link* findLink(const LinkId& id) const;
    const Rack* findRack(const RackId& id) const;
    const Frame* findFrame(const FrameId& id) const;
    const Placement* findPlacement(const PlacementId& id) const;
};

} // namespace cw
