// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/network/collectives.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cw {

namespace {

constexpr double micro = 1e-6;

/// Constants of one device's collectives, in seconds and bytes/s; see docs/equations.md, "Collectives".
struct Curve {
    double a0 = 0, a1 = 0, bandwidth = 0, ramp = 0, pair = 1; ///< ramp: c of c·sqrt(x), x in µs
};

struct NetworkCurve {
    double levelLatency = 20e-6; ///< a tree level: proxy thread, two switch hops
    double ringLatency = 8e-6;   ///< a ring step
    double ramp = 16;
};

/// Measured curves of a device, and its own link over the one they were measured on.
struct Curves {
    const Constants* set = nullptr; ///< null: unmeasured
    double scale = 1;
};

Curves curvesOf(const Catalog& catalog, const Gpu* gpu, const FabricTier& inside) {
    if (!gpu)
        return {};
    const bool pcie = std::string_view(inside.name) == "PCIe";
    Curves curves;
    curves.set = catalog.constants("collectives", pcie ? std::string_view("pcie") : std::string_view(gpu->id.value));
    if (!curves.set && !pcie)
        curves.set = catalog.constants("collectives", gpu->architecture);
    const double link = pcie ? si(gpu->pcieBandwidth) : gpu->scaleUpBandwidth ? si(*gpu->scaleUpBandwidth) : 0;
    if (curves.set && link > 0)
        curves.scale = link / ((*curves.set)["link_gb_s"] * 1e9);
    return curves;
}

Curve curveOf(Collective op, const Curves& curves, const FabricTier& inside) {
    if (!curves.set) // unmeasured device: its link at the efficiency of its kind
        return {3 * micro, 4.5 * micro, inside.bandwidthPerDevice, 4, .85};
    const auto value = [&](const char* key) { return (*curves.set)[key]; };
    const auto curve = [&](const char* start, const char* level, const char* rate, const char* ramp, const char* pair) {
        return Curve{value(start) * micro, value(level) * micro, value(rate) * 1e9 * curves.scale, value(ramp), value(pair)};
    };
    switch (op) {
    case Collective::allReduce:
        return curve("ar_a0_us", "ar_a1_us", "ar_gb_s", "ramp", "pair_factor");
    case Collective::reduceScatter:
        return curve("rs_a0_us", "rs_a1_us", "ag_gb_s", "ramp", "pair_factor");
    case Collective::allToAll:
        return curve("a2a_a0_us", "a2a_a1_us", "a2a_gb_s", "a2a_ramp", "a2a_pair_factor");
    case Collective::allGather:
    case Collective::broadcast:
    case Collective::pointToPoint:
        return curve("ag_a0_us", "ag_a1_us", "ag_gb_s", "ramp", "pair_factor");
    }
    return {};
}

/// What every link has to carry of a buffer of S bytes.
double busFactor(Collective op, double ranks) {
    switch (op) {
    case Collective::allReduce:
        return 2 * (ranks - 1) / ranks;
    case Collective::allGather:
    case Collective::reduceScatter:
    case Collective::allToAll:
        return (ranks - 1) / ranks;
    case Collective::broadcast:
    case Collective::pointToPoint:
        return 1;
    }
    return 1;
}

double rampSeconds(double seconds, double c) { return c * std::sqrt(seconds / micro) * micro; }

double flatSeconds(Collective op, double bytes, int ranks, const Curve& curve) {
    if (ranks < 2)
        return 0;
    const double bandwidth = ranks == 2 ? curve.pair * curve.bandwidth : curve.bandwidth;
    const double x = busFactor(op, ranks) * bytes / bandwidth;
    const double levels = op == Collective::pointToPoint ? 1 : std::log2(ranks);
    return curve.a0 + curve.a1 * levels + x + rampSeconds(x, curve.ramp);
}

bool moves(Collective op) { return op == Collective::allToAll || op == Collective::pointToPoint; }

/// The ways of one stage and the fastest of them, which the libraries take.
struct Stage {
    CollectiveTime& time;
    double best = std::numeric_limits<double>::infinity();

    void consider(const char* algorithm, double seconds) {
        time.list[time.count++] = {algorithm, seconds, ""};
        if (seconds < best) {
            best = seconds;
            time.algorithm = algorithm;
        }
    }
    void ruleOut(const char* algorithm, const char* because) {
        time.list[time.count++] = {algorithm, std::numeric_limits<double>::quiet_NaN(), because};
    }
};

/// Inside one scale-up domain. What was measured of an all-reduce there is with the switches that sum, where they can; without them a
/// ring moves what an all-gather moves twice.
double domainStage(Collective op, double bytes, const RankGroup& ranks, const Curves& set, CollectiveTime& time) {
    const FabricTier& inside = ranks.fabric->tiers.front();
    const Curve curve = curveOf(op, set, inside);
    Stage stage{time};
    if (op != Collective::allReduce || !inside.inNetworkReduction) {
        stage.consider(moves(op) ? "direct" : "ring", flatSeconds(op, bytes, ranks.inner, curve));
        return stage.best;
    }
    Curve ring = curve;
    ring.bandwidth = std::min(ring.bandwidth, curveOf(Collective::allGather, set, inside).bandwidth);
    stage.consider("ring", flatSeconds(op, bytes, ranks.inner, ring));
    if (ranks.inScaleUpSwitch)
        stage.consider("NVLS", flatSeconds(op, bytes, ranks.inner, curve));
    else
        stage.ruleOut("NVLS", "switched_off");
    return stage.best;
}

/// The stage between scale-up domains: `bytes` of the buffer belong to one device.
double networkStage(Collective op, double bytes, const RankGroup& ranks, const NetworkCurve& curve, CollectiveTime& time) {
    const FabricTier& top = ranks.topTier();
    const double n = ranks.outer, levels = std::log2(n);
    const double hop = top.latency - top.borderLatency;
    // A message passes each border twice on its way round, whatever the algorithm.
    const double passes = op == Collective::allReduce ? 2 : 1;
    const double border = passes * 2 * top.borderLatency;
    const Neighbours who = op == Collective::allToAll ? Neighbours::everybody : Neighbours::ring;
    const double wire = networkSeconds(busFactor(op, n) * bytes, ranks, who) * ranks.concurrent;
    const double ramped = wire + rampSeconds(wire, curve.ramp);
    Stage stage{time};
    if (op == Collective::pointToPoint) {
        stage.consider("direct", curve.ringLatency + hop + ramped + top.borderLatency);
        return stage.best;
    }
    if (op == Collective::allToAll) {
        stage.consider("direct", curve.levelLatency + levels * hop + ramped + border);
        return stage.best;
    }
    const double tree = op == Collective::allReduce || op == Collective::broadcast ? wire * n / std::max(n - 1, 1.0) : wire;
    stage.consider("tree", passes * levels * (curve.levelLatency + hop) + border + tree + rampSeconds(tree, curve.ramp));
    stage.consider("ring", passes * (n - 1) * (curve.ringLatency + hop) + border + ramped);
    if (op != Collective::allReduce)
        return stage.best;
    if (!top.inNetworkReduction)
        stage.ruleOut("in-switch", "switches");
    else if (!ranks.inSwitch)
        stage.ruleOut("in-switch", "switched_off");
    else {
        const double up = networkSeconds(bytes, ranks, who) * ranks.concurrent;
        stage.consider("in-switch", 2 * top.hops * (curve.ringLatency / 4 + hop) + border + up + rampSeconds(up, curve.ramp));
    }
    return stage.best;
}

NetworkCurve networkCurve(const Catalog& catalog, const Gpu* gpu) {
    NetworkCurve curve;
    if (!gpu) // message passing straight from host memory: no proxy thread, no staging
        return {1e-6, 1e-6, 2};
    if (const Constants* set = catalog.constants("collectives", "network")) {
        curve.levelLatency = (*set)["level_latency_us"] * micro;
        curve.ringLatency = (*set)["ring_latency_us"] * micro;
        curve.ramp = (*set)["ramp"];
    }
    return curve;
}

} // namespace

std::string_view name(Collective op) {
    switch (op) {
    case Collective::allReduce:
        return "all-reduce";
    case Collective::allGather:
        return "all-gather";
    case Collective::reduceScatter:
        return "reduce-scatter";
    case Collective::allToAll:
        return "all-to-all";
    case Collective::broadcast:
        return "broadcast";
    case Collective::pointToPoint:
        return "point to point";
    }
    return {};
}

RankGroup rankGroup(const GroupFabric& fabric, int scaleUpDomain, int ranks, std::int64_t stride, int concurrent) {
    RankGroup group;
    group.fabric = &fabric;
    group.stride = std::max<std::int64_t>(stride, 1);
    group.concurrent = std::max(concurrent, 1);
    const int all = std::max(ranks, 1);
    const int fits = static_cast<int>(std::clamp<std::int64_t>(scaleUpDomain / group.stride, 1, all));
    group.outer = (all + fits - 1) / fits;
    group.inner = (all + group.outer - 1) / group.outer;
    group.span = (static_cast<std::int64_t>(all) - 1) * group.stride + 1;
    return group;
}

double crossingShare(const RankGroup& ranks, Neighbours neighbours, std::size_t tier) {
    const std::vector<FabricTier>& tiers = ranks.fabric->tiers;
    if (ranks.outer < 2 || tier >= tiers.size() || !tiers[tier].network())
        return 0;
    const double below = tier > 0 ? tiers[tier - 1].devicesPerBlock : 1;
    const double unit = static_cast<double>(ranks.stride) * ranks.inner; // devices from one domain's ranks to the next one's
    const double inside =
        tier > 0 && tiers[tier - 1].network() ? std::max(1.0, below / unit) : 1; // domains of the group in one lower block
    if (inside >= ranks.outer)
        return 0;
    if (neighbours == Neighbours::everybody)
        return (ranks.outer - inside) / (ranks.outer - 1);
    return std::min(1.0, std::ceil(ranks.outer / inside - 1e-9) / ranks.outer);
}

namespace {

/// Seconds on the slowest tier at the rate that `rateOf` gives each.
template <class Rate>
double slowestTier(double bytes, const RankGroup& ranks, Neighbours neighbours, Rate rateOf) {
    double slowest = 0;
    for (std::size_t k = 0; k < ranks.fabric->tiers.size(); ++k) {
        const double share = crossingShare(ranks, neighbours, k);
        if (share <= 0)
            continue;
        const FabricTier& tier = ranks.fabric->tiers[k];
        const double hops = neighbours == Neighbours::everybody ? tier.meanHops : 1;
        slowest = std::max(slowest, share * hops * bytes / rateOf(tier));
    }
    return slowest;
}

} // namespace

double networkSeconds(double bytes, const RankGroup& ranks, Neighbours neighbours, double efficiency) {
    if (efficiency > 0)
        return slowestTier(bytes, ranks, neighbours, [&](const FabricTier& tier) { return efficiency * tier.nominalPerDevice; });
    return slowestTier(bytes, ranks, neighbours,
                       [](const FabricTier& tier) { return tier.collectiveEfficiency * tier.bandwidthPerDevice; });
}

double leastSeconds(Collective op, double bytes, const RankGroup& ranks) {
    if (ranks.ranks() < 2 || !(bytes > 0))
        return 0;
    const FabricTier& inside = ranks.fabric->tiers.front();
    const bool whole = ranks.outer == 1 && op == Collective::allReduce && inside.inNetworkReduction && ranks.inScaleUpSwitch;
    const double sent = whole ? bytes : busFactor(op, ranks.inner) * bytes;
    const double scaleUp = ranks.inner > 1 && inside.linePerDevice > 0 ? sent / inside.linePerDevice : 0;
    const Neighbours who = op == Collective::allToAll ? Neighbours::everybody : Neighbours::ring;
    const double network = slowestTier(networkBytes(op, bytes, ranks), ranks, who, [](const FabricTier& tier) { return tier.linePerDevice; });
    return std::max(moves(op) && ranks.outer > 1 ? 0 : scaleUp, network);
}

void addTierBytes(std::vector<double>& bytesByTier, double bytes, const RankGroup& ranks, Neighbours neighbours) {
    bytesByTier.resize(ranks.fabric->tiers.size(), 0.0);
    for (std::size_t k = 0; k < bytesByTier.size(); ++k) {
        const double hops = neighbours == Neighbours::everybody ? ranks.fabric->tiers[k].meanHops : 1;
        bytesByTier[k] += crossingShare(ranks, neighbours, k) * hops * bytes;
    }
}

double networkBytes(Collective op, double bytes, const RankGroup& ranks) {
    if (ranks.outer < 2)
        return 0;
    if (op == Collective::allToAll) // a rank sends each peer its own part
        return bytes * (ranks.ranks() - ranks.inner) / ranks.ranks();
    if (op == Collective::allReduce && ranks.reducesInNetwork())
        return bytes / ranks.inner;
    return busFactor(op, ranks.outer) * bytes / ranks.inner;
}

CollectiveTime collectiveTime(Collective op, double bytes, const RankGroup& ranks, const Catalog& catalog, const Gpu* gpu) {
    CollectiveTime time;
    time.algorithm = "none";
    if (!(bytes > 0) || ranks.ranks() < 2)
        return time;
    const FabricTier& inside = ranks.fabric->tiers.front();
    const Curves set = curvesOf(catalog, gpu, inside);
    if (ranks.outer == 1) {
        time.scaleUpSeconds = domainStage(op, bytes, ranks, set, time);
        time.seconds = time.scaleUpSeconds;
        return time;
    }
    time.networkBytesPerDevice = networkBytes(op, bytes, ranks);
    time.tier = static_cast<int>(&ranks.topTier() - ranks.fabric->tiers.data());
    const bool pairwise = moves(op);
    if (ranks.inner > 1 && op == Collective::allToAll) {
        time.scaleUpSeconds = flatSeconds(op, bytes * ranks.inner / ranks.ranks(), ranks.inner, curveOf(op, set, inside));
    } else if (ranks.inner > 1 && !pairwise) {
        // Reduction up and copies down run chunk after chunk, so the domain works as in an all-reduce of its own.
        const Collective within = op == Collective::broadcast ? Collective::allGather : op;
        time.scaleUpSeconds = flatSeconds(within, bytes, ranks.inner, curveOf(within, set, inside));
    }
    // Chunks are pipelined through the stages, so the slower one counts.
    time.networkSeconds = networkStage(op, pairwise ? bytes : bytes / ranks.inner, ranks, networkCurve(catalog, gpu), time);
    time.seconds = std::max(time.scaleUpSeconds, time.networkSeconds);
    for (CollectiveWay& way : std::span(time.list).first(time.count))
        way.seconds = std::max(way.seconds, time.scaleUpSeconds); // NaN stays
    time.hierarchical = ranks.inner > 1 && !pairwise;
    return time;
}

} // namespace cw
