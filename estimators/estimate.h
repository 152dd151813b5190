// SPDX-License-Identifier: GPL-3.0-or-later
//
// What comes back: for one alternative every figure of model.md's "Estimate". Values only; safe to pass between threads. A figure that
// does not apply is an empty optional; a figure that applies but is not known is a Quantity with NaN.
#pragma once

#include "estimators/base/derivation.h"
#include "model/catalog/catalog.h"
#include "model/checks/checks.h"
#include "model/design/project.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cw {

/// Where the time goes (chart 4). Order is the order of the stack of bars.
enum class TimePart : std::uint8_t { compute, memory, host, scaleUp, network, storage, bubble, queueing, idle };
constexpr int timePartCount = 9;
std::string_view name(TimePart part);

/// A resource that can bind. `elements` are what to zoom to.
struct ResourceUse {
    std::string resource; ///< stable code: "gpu.compute", "gpu.memory_bandwidth", "gpu.memory_capacity", "network.link", "cpu.cores", "storage.read", "host.launch", "pipeline.bubble", "power.rack", …
    std::string label;    ///< which one, e.g. the names of the ends of a link ("Leaf → Spine")
    std::vector<ElementRef> elements;
    double utilisation = 0; ///< 0 to 1 (above 1: overloaded); share of the step for time-like resources
};

struct Bottleneck {
    ResourceUse binding;
    std::optional<ResourceUse> next;
    double gainIfRelieved = 0; ///< relative gain of throughput when the resource were twice as fast (by re-estimating)
};

/// Latency percentiles at one arrival rate.
struct LoadPoint {
    double rate = 0; ///< requests (items, events) per second
    double p50 = 0, p95 = 0, p99 = 0; ///< seconds
};

struct NamedQuantity {
    std::string name; ///< stable key as in cli.md: "p50", "p95", "p99", "ttft_p99", "tpot_p99", "step", "weights", "activations", …
    Quantity quantity;
};

/// The plan an `auto` placement chose, and what was turned down.
struct ChosenPlan {
    Parallelism parallelism;
    int zeroStage = 0, microBatch = 1, interleave = 1, replicas = 1;
    Recompute recompute = Recompute::none;
    bool chosenByEstimator = false;
    bool offload = false;          ///< optimizer state in host memory
    bool sequenceParallel = false; ///< norms and dropout split over the tensor ranks (where the software stack does that)
    std::int64_t tried = 0;        ///< plans looked at, the chosen one included
    std::int64_t tooLarge = 0;     ///< of them, what no recomputation makes fit
    struct Rejected {
        Parallelism parallelism;
        std::string code; ///< "memory", "divisibility", "slower"
        double figure = 0; ///< bytes needed or step time
        int zeroStage = -1, microBatch = 0, interleave = 0; ///< -1, 0: does not apply
        Recompute recompute = Recompute::automatic;
        bool offload = false;
    };
    std::vector<Rejected> rejected;
};

/// One collective operation of a workload on the drawn network: what each algorithm would take, alone and before anything hides it.
struct CollectiveUse {
    const char* purpose = "";   ///< traffic kind: "gradients", "tensor", "experts", …
    const char* operation = ""; ///< "all-reduce", "all-to-all", …
    double bytes = 0;      ///< of the buffer of one rank
    std::int64_t ranks = 1, perDomain = 1;
    const char* tier = "";      ///< highest tier that it crosses
    const char* algorithm = ""; ///< the fastest: what a library takes
    Quantity seconds;
    double leastSeconds = 0; ///< at the line rate of cables and links, without any latency
    struct Candidate {
        const char* algorithm = "";
        double seconds = 0;       ///< NaN: not possible
        const char* because = ""; ///< code of what rules it out: "switches", "switched_off"; empty: possible
    };
    std::vector<Candidate> candidates;
};

/// What a discrete-event run of a workload gave. Its percentiles stand in `latency` instead of the closed form's; those are kept here.
struct SimulatedRun {
    std::uint64_t seed = 0, requests = 0;
    bool precise = false; ///< the wanted precision was reached within the effort allowed
    struct Figure {
        std::string name;       ///< key of the latency figure: "p99", "ttft_p50", …
        double closedForm = 0;  ///< NaN: unknown
        double value = 0, low = 0, high = 0; ///< of the run, with its 95 % interval
        double halfWidth() const { return value > 0 ? (high - low) / (2 * value) : 0; } ///< relative
        double disagreement() const { return closedForm / value - 1; } ///< of the closed form with the run
    };
    std::vector<Figure> figures;
    struct Distribution {
        std::string name; ///< "latency", "ttft", "tpot"
        std::vector<std::pair<double, double>> below; ///< seconds, and the share of requests that stay at or below them; rising
    };
    std::vector<Distribution> distributions;
    /// How full something was: shares of the time, and how it went over one stretch of it.
    struct Occupancy {
        std::string name; ///< "in_flight" (requests in the system), "batch" (of one replica), "kv" (share of its cache)
        double mean = 0, closedForm = 0;               ///< NaN: unknown
        std::vector<std::pair<double, double>> below;  ///< level, and the share of the time at or below it; rising
        std::vector<std::pair<double, double>> series; ///< seconds, level
    };
    std::vector<Occupancy> occupancy;
    std::optional<double> growth; ///< requests/s by which the number in the system grows: it is unstable
    double inFlight = 0;          ///< requests in the system, mean over time
    double batch = 0, kvUse = 0;  ///< of one replica, mean over time; 0 for kinds without
    double refused = 0;           ///< share of the requests that no replica could ever hold
    double preempted = 0;         ///< times that a request lost its place, mean
    double failed = 0;            ///< share of the requests that were given up, after all retries
    bool recorded = false;        ///< arrivals and lengths are those of a recorded trace

    const Figure* figure(std::string_view name) const;
};

struct WorkloadEstimate {
    WorkloadId id;
    std::string name;
    std::string kind;
    bool placed = false;   ///< some placement runs it
    bool feasible = false; ///< fits and is stable; otherwise findings say why
    std::optional<Quantity> throughput;
    std::optional<Quantity> capacity;  ///< largest throughput (serving: within its targets)
    std::vector<NamedQuantity> latency; ///< seconds
    std::optional<Quantity> mfu;
    std::optional<Quantity> daysToFinish;
    std::optional<Quantity> goodput; ///< share of time that does useful work with failures
    struct Memory {
        Quantity used, capacity; ///< per device, bytes
        bool fits = true;
        std::vector<NamedQuantity> parts;
    };
    std::optional<Memory> memory;
    std::array<double, timePartCount> timeParts{}; ///< seconds of a step or request
    std::vector<ResourceUse> resources; ///< fullest first
    std::optional<Bottleneck> bottleneck;
    std::optional<ChosenPlan> plan;
    std::vector<LoadPoint> curve; ///< chart 2, rising rate up to capacity
    std::optional<Quantity> costPerUnit; ///< per million tokens, per million requests, per job or run
    std::optional<Quantity> energyPerUnit; ///< joules per token, request, …
    std::vector<NamedQuantity> more; ///< anything else worth showing: batch in flight, KV use, efficiency, speedup, …
    std::vector<NamedQuantity> bounds; ///< what physics allows at best on these machines, by the keys of the figures it bounds
    std::vector<CollectiveUse> collectives;
    std::optional<bool> meetsTargets;
    struct TargetResult {
        std::string target; ///< "throughput", "p99", "ttft_p99", "tpot_p99", "step", "days", "dollars_per_hour", …
        double wanted = 0, got = 0;
        Unit unit = Unit::one;
        bool met = false;
    };
    std::vector<TargetResult> targets;
    std::optional<SimulatedRun> simulated; ///< latency comes from it

    const Quantity* latencyNamed(std::string_view name) const;
};

/// Load of one drawn link, in both directions; capacity and loads are sums over all its cables.
struct LinkLoad {
    LinkId link;
    std::int64_t cables = 0;
    double capacity = 0;         ///< bytes/s, one direction, achievable by the medium and protocol
    double forward = 0;          ///< bytes/s from → to, mean over a step or second
    double backward = 0;
    double peakUtilisation = 0;  ///< while the phase that uses it most runs
    double utilisation = 0;      ///< max(forward, backward)/capacity
    double hashedHigh = 0;       ///< expected utilisation of its fullest cable under static hashing
    struct Share {
        WorkloadId workload;
        const char* traffic = ""; ///< "gradients", "pipeline", "tensor", "experts", "requests", "shuffle", "checkpoint", …
        double forward = 0, backward = 0; ///< bytes/s, mean
        double active = 1;  ///< share of the time in which it flows: then at its mean rate / active
        double granted = 1; ///< of the rate that it would have alone here, max-min fair
    };
    std::vector<Share> shares;
    Quantity quantity; ///< utilisation with derivation
};

/// Power of one stack, all members.
struct NodePower {
    NodeId node;
    Quantity idle, expected, peak; ///< W, all members, at the wall of the machine
    double perMemberExpected = 0, perMemberPeak = 0, busy = 0;
    double perMemberYear = 0; ///< W, mean over the year with load profiles and utilisation
};

struct PowerEstimate {
    Quantity it;       ///< expected mean, W
    Quantity idle, peak; ///< IT, W
    Quantity facility; ///< expected, W
    Quantity facilityPeak;
    Quantity pue;
    std::vector<NodePower> nodes;
    std::vector<NamedQuantity> byPart; ///< adds up to `facility`: "gpu", "cpu", "switches", "optics", "fans", "storage", "other", "cooling", "distribution" (supplies included)
    Quantity energyPerYear;
};

struct RackEstimate {
    RackId rack;
    std::string name;
    std::int64_t count = 1; ///< identical racks
    Quantity power;   ///< one rack, expected peak load, W
    Quantity typical; ///< one rack, W
    Quantity limit;   ///< W
    Quantity airflow; ///< m3/s
    std::optional<Quantity> coolant; ///< l/min
    Quantity outlet; ///< °C
    double inletC = 0, unitsUsed = 0, units = 0;
    Quantity weight; ///< kg
    bool automatic = false; ///< not drawn: machines without a rack, packed by the estimator
    bool ok = true;         ///< power, height, weight and the kind of cooling fit
    PartId type;                 ///< rack type
    std::vector<RackItem> items; ///< of one rack; in automatic ones the node is the first of its kind of machine
    double waterWatts = 0;       ///< of `power`, into the coolant loop
    bool needsLiquid = false;    ///< holds machines with cold plates where the cooling has no liquid
};

struct NetworkEstimate {
    Quantity bisection; ///< bytes/s, narrowest tier, one direction
    Quantity oversubscription; ///< down/up of the worst tier, ≥ 1
    std::int64_t switches = 0, cables = 0, hops = 0;
    struct Tier {
        std::string name; ///< "scale-up", "leaf", "spine", "core", …
        std::vector<LinkId> links;
        double bandwidthPerDevice = 0; ///< bytes/s, one direction
        double oversubscription = 1;
        std::int64_t devices = 0; ///< that reach each other without leaving the tier
        Quantity latency;   ///< seconds, one way, a small message between two devices that meet here
        Quantity leastLatency; ///< of the wire and the switches alone
        bool inNetworkReduction = false; ///< all switches on the way can sum
    };
    std::vector<Tier> tiers; ///< of the largest placed stack
};

struct CostLine {
    NodeId node;         ///< or
    LinkId link;         ///< or
    RackId rack;
    PartId part;
    std::string category; ///< "servers", "switches", "cables", "racks", "power", "cooling", "installation", "spares"
    std::int64_t quantity = 0;
    Quantity unitPrice, total;
};

struct CostEstimate {
    Quantity capex, opexPerYear, tco, perHour;
    std::vector<CostLine> lines;       ///< purchase
    std::vector<NamedQuantity> yearly; ///< adds up to a year: "capital", "energy", "support", "space", "staff", "rent", "transfer"
    std::vector<NamedQuantity> byCategory;
    std::optional<Quantity> rentPerHour, buyPerHour; ///< of the same machines, the year round
    std::optional<Quantity> onDemandPerHour;         ///< the same rented by the hour, while it runs; of bought designs
    std::vector<double> directPerYear;  ///< USD a year that each node causes by itself, by the order of the alternative: how workloads share
    std::vector<NodeId> rentUnknown;    ///< rented, and no price is known
};

struct ReliabilityEstimate {
    Quantity mtbfHours; ///< of the whole
    Quantity failuresPerDay;
    Quantity goodput;
    std::optional<Quantity> checkpointInterval;
    struct TierAvailability {
        std::string name;
        NodeId node;
        double availability = 1;
        double capacityWithOneDown = 1; ///< share left
    };
    std::vector<TierAvailability> tiers;
};

struct CarbonEstimate {
    Quantity operationPerYear; ///< kg
    std::optional<Quantity> embodied;
};

struct AlternativeEstimate {
    AlternativeId id;
    std::string name;
    std::vector<WorkloadEstimate> workloads; ///< in the order of the project
    PowerEstimate power;
    std::vector<RackEstimate> racks;
    std::vector<LinkLoad> links; ///< in the order of the alternative
    NetworkEstimate network;
    CostEstimate cost;
    ReliabilityEstimate reliability;
    CarbonEstimate carbon;
    std::vector<Finding> findings; ///< structural and estimated, heaviest first
    Derivation derivation;
    Catalog catalog; ///< keeps the parts that terms point to

    const WorkloadEstimate* workload(const WorkloadId& id) const;
};

struct EstimateOptions {
    bool curves = true;      ///< latency against load
    bool bottleneckGain = true; ///< re-estimate with the binding resource relieved
    bool findings = true;
};

/// The whole estimate of one alternative: a pure function, no clock, no globals, bit-equal on any number of threads. Never throws; an
/// infeasible design is a result with findings.
AlternativeEstimate estimate(const Project& project, const Alternative& alternative, const Catalog& catalog,
                             const EstimateOptions& options = {});

/// The catalog an estimate of this project uses: shipped and user parts with the project's own laid over.
Catalog effectiveCatalog(const Project& project, const Catalog& base);

} // namespace cw
