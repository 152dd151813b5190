// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/network/link_capacity.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cw {

namespace {

constexpr double secondsPerMetre = 5e-9;           // light in glass
constexpr double defaultCableMetres = 10;          // between racks of a row
constexpr double defaultPortLatency = .6e-6;       // Ethernet switch, store of a header and lookup
constexpr double defaultEndLatency = 2e-6;         // RDMA between buffers
constexpr double roomLatency = 1e-6;               // another 200 m of fibre
constexpr double defaultCollectiveEfficiency = .8; // bus efficiency where neither medium nor protocol says better
constexpr double bypassCoresPer100G = .5;          // a protocol below this leaves the host's cores alone: RDMA

struct LinkFacts {
    const Medium* medium = nullptr;
    const Protocol* protocol = nullptr; ///< explicit or the medium's usual one
    bool explicitProtocol = false;
};

bool mediumHasRdma(const Medium& medium) {
    if (medium.kind == "wan")
        return false;
    return !medium.tcpLatency || !medium.endToEndLatency || *medium.endToEndLatency < *medium.tcpLatency;
}

LinkFacts facts(const Link& link, const Catalog& catalog) {
    LinkFacts result;
    result.medium = catalog.find<Medium>(link.medium);
    result.protocol = catalog.find<Protocol>(link.protocol);
    result.explicitProtocol = result.protocol != nullptr;
    if (!result.protocol && result.medium) {
        const Medium& medium = *result.medium;
        const char* usual = !mediumHasRdma(medium) ? "proto_tcp_kernel" : medium.tcpLatency ? "proto_roce_v2" : "proto_ib_rdma";
        result.protocol = catalog.find<Protocol>(PartId(usual));
    }
    return result;
}

double portSpeed(const Machine& machine, std::string_view purpose) {
    const std::vector<PortGroup>* ports = machine.server ? &machine.server->ports
        : machine.switchBox                              ? &machine.switchBox->ports
                                                         : nullptr;
    double speed = 0;
    if (ports)
        for (const PortGroup& group : *ports)
            if (purpose == "any" || group.purpose == "any" || group.purpose == purpose)
                speed = std::max(speed, si(group.speed));
    return speed;
}

/// Line rate of one cable where the drawing names no medium: the slower port of both ends.
double rateOfPorts(const Machine& from, const Machine& to, std::string_view purpose) {
    const double a = portSpeed(from, purpose), b = portSpeed(to, purpose);
    return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
}

void setRates(Fabric::LinkCapacity& capacity, const LinkFacts& link, double raw) {
    double efficiency = 1;
    if (link.medium && !link.explicitProtocol)
        efficiency = raw > 0 ? si(link.medium->achievableBandwidth) / raw : link.medium->efficiency;
    else if (link.protocol)
        efficiency = link.protocol->efficiency;
    const double best = link.medium && raw > 0 ? si(link.medium->achievableBandwidth) / raw : efficiency;
    const auto cables = static_cast<double>(capacity.cables);
    capacity.perCable = raw * efficiency;
    capacity.bytesPerSecond = cables * capacity.perCable;
    capacity.line = cables * raw;
    capacity.nominal = cables * raw * (best > 0 ? std::min(1.0, efficiency / best) : 1);
}

void setProtocol(Fabric::LinkCapacity& capacity, const LinkFacts& link) {
    const Medium* medium = link.medium;
    const Protocol* protocol = link.protocol;
    capacity.rdma = protocol ? protocol->cpuCoresPer100G < bypassCoresPer100G : medium && mediumHasRdma(*medium);
    capacity.staticHashing = !capacity.rdma || (protocol && protocol->name.find("ECMP") != std::string::npos);
    if (link.explicitProtocol)
        capacity.collectiveEfficiency = protocol->collectiveEfficiency.value_or(defaultCollectiveEfficiency);
    else if (medium && medium->collectiveEfficiency)
        capacity.collectiveEfficiency = *medium->collectiveEfficiency;
    else
        capacity.collectiveEfficiency =
            protocol && protocol->collectiveEfficiency ? *protocol->collectiveEfficiency : defaultCollectiveEfficiency;
}

void setLatency(Fabric::LinkCapacity& capacity, const LinkFacts& facts, const Link& link) {
    const double length = link.length ? si(*link.length) : defaultCableMetres;
    const Medium* medium = facts.medium;
    const double port = medium && medium->portLatency ? si(*medium->portLatency) : defaultPortLatency;
    capacity.latency = port + length * secondsPerMetre;
    capacity.endLatency = medium && medium->endToEndLatency ? si(*medium->endToEndLatency) : defaultEndLatency;
    if (medium && medium->kind == "wan")
        capacity.latency = std::max(capacity.latency, capacity.endLatency);
    if (!capacity.rdma && medium && medium->tcpLatency)
        capacity.endLatency = si(*medium->tcpLatency);
    if (facts.explicitProtocol) {
        const double added = (si(facts.protocol->addedLatency.low) + si(facts.protocol->addedLatency.high)) / 2;
        capacity.endLatency = std::max(capacity.endLatency, port + added);
    }
}

/// Frames from a node up to the outermost one. Broken parents (unknown, cycles) end the chain.
constexpr int maxFrameDepth = 16;
struct FrameChain {
    std::array<const Frame*, maxFrameDepth> frames{};
    int size = 0;
    bool has(const Frame* frame) const {
        return std::find(frames.begin(), frames.begin() + size, frame) != frames.begin() + size;
    }
};

FrameChain framesOf(const Node& node, const Alternative& alternative) {
    FrameChain chain;
    for (const Frame* frame = alternative.findFrame(node.frame); frame && chain.size < maxFrameDepth && !chain.has(frame);
         frame = alternative.findFrame(frame->parent))
        chain.frames[static_cast<std::size_t>(chain.size++)] = frame;
    return chain;
}

double defaultBorderLatency(FrameKind kind, const Catalog& catalog) {
    const auto latencyOf = [&](const char* medium, double otherwise) {
        const Medium* found = catalog.find<Medium>(PartId(medium));
        return found && found->endToEndLatency ? si(*found->endToEndLatency) : otherwise;
    };
    switch (kind) {
    case FrameKind::pod:
        return 0;
    case FrameKind::room:
        return roomLatency;
    case FrameKind::zone:
        return latencyOf("cross_az", 800e-6);
    case FrameKind::region:
        return latencyOf("wan_us_coast", 32e-3);
    case FrameKind::cloud:
        return latencyOf("wan_metro", 450e-6);
    }
    return 0;
}

/// A link that leaves one frame and enters another crosses one border: the slowest of the frames left and entered counts.
void crossBorders(Fabric::LinkCapacity& capacity, LinkFacts& facts, const Machine& from, const Machine& to,
                  const ResolvedDesign& design, std::vector<std::pair<const Frame*, std::uint32_t>>& crossings,
                  std::uint32_t link) {
    if (design.alternative->frames.empty() || from.node == to.node || from.node->frame == to.node->frame)
        return;
    const FrameChain a = framesOf(*from.node, *design.alternative), b = framesOf(*to.node, *design.alternative);
    bool farAway = false;
    const auto cross = [&](const FrameChain& chain, const FrameChain& other) {
        for (int i = 0; i < chain.size; ++i) {
            const Frame* frame = chain.frames[static_cast<std::size_t>(i)];
            if (other.has(frame))
                continue;
            const double latency = frame->latency ? si(*frame->latency) : defaultBorderLatency(frame->kind, *design.catalog);
            capacity.borderLatency = std::max(capacity.borderLatency, latency);
            farAway |= frame->kind == FrameKind::zone || frame->kind == FrameKind::region || frame->kind == FrameKind::cloud;
            if (frame->bandwidth)
                crossings.emplace_back(frame, link);
        }
    };
    cross(a, b);
    cross(b, a);
    // RDMA does not leave a zone unless the drawing says so.
    if (farAway && !facts.explicitProtocol) {
        if (const Protocol* tcp = design.catalog->find<Protocol>(PartId("proto_tcp_kernel"))) {
            facts.protocol = tcp;
            facts.explicitProtocol = true;
        }
    }
    if (facts.medium && facts.medium->kind == "wan" && facts.medium->endToEndLatency)
        capacity.borderLatency = std::max(0.0, capacity.borderLatency - si(*facts.medium->endToEndLatency));
}

void shareBorders(std::vector<Fabric::LinkCapacity>& capacities, std::vector<std::pair<const Frame*, std::uint32_t>> crossings) {
    std::sort(crossings.begin(), crossings.end());
    for (auto begin = crossings.begin(); begin != crossings.end();) {
        const auto end = std::find_if(begin, crossings.end(), [&](const auto& c) { return c.first != begin->first; });
        double all = 0;
        for (auto at = begin; at != end; ++at)
            all += capacities[at->second].bytesPerSecond;
        const double limit = std::max(0.0, si(*begin->first->bandwidth));
        if (all > limit)
            for (auto at = begin; at != end; ++at) {
                Fabric::LinkCapacity& capacity = capacities[at->second];
                const double share = limit / all;
                capacity.bytesPerSecond *= share;
                capacity.perCable *= share;
                capacity.nominal = std::min(capacity.nominal, capacity.bytesPerSecond);
                capacity.line = std::min(capacity.line, capacity.bytesPerSecond);
            }
        begin = end;
    }
}

} // namespace

std::int64_t cableTotal(const Link& link, std::int64_t fromCount, std::int64_t toCount) {
    const std::int64_t lanes = std::clamp(link.lanes, 0, maxLanes);
    const std::int64_t n = std::clamp<std::int64_t>(fromCount, 0, maxStackCount),
                       m = std::clamp<std::int64_t>(toCount, 0, maxStackCount);
    switch (link.pattern) {
    case Pattern::each:
    case Pattern::rail:
    case Pattern::plane:
        return m > 0 ? n * lanes : 0;
    case Pattern::pair:
        return std::min(n, m) * lanes;
    case Pattern::mesh:
        return (link.from == link.to ? n * (n - 1) / 2 : n * m) * lanes;
    case Pattern::ring:
        return (n > 2 ? n : std::max<std::int64_t>(n - 1, 0)) * lanes;
    case Pattern::torus: {
        std::int64_t cables = 0;
        for (const int size : link.dimensions)
            cables += size > 2 ? n : size == 2 ? n / 2 : 0;
        return cables * lanes;
    }
    }
    return 0;
}

std::vector<Fabric::LinkCapacity> linkCapacities(const ResolvedDesign& design) {
    const std::vector<Link>& links = design.alternative->links;
    std::vector<Fabric::LinkCapacity> capacities(links.size());
    std::vector<std::pair<const Frame*, std::uint32_t>> crossings;
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        const Link& link = links[i];
        Fabric::LinkCapacity& capacity = capacities[i];
        const Machine* from = design.machine(link.from);
        const Machine* to = design.machine(link.to);
        if (!from || !to) {
            capacity.known = false;
            continue;
        }
        LinkFacts what = facts(link, *design.catalog);
        crossBorders(capacity, what, *from, *to, design, crossings, i);
        const double raw = what.medium ? si(what.medium->rawBandwidth) : rateOfPorts(*from, *to, link.purpose);
        capacity.cables = cableTotal(link, from->count, to->count);
        capacity.known = raw > 0;
        setProtocol(capacity, what);
        setRates(capacity, what, raw);
        setLatency(capacity, what, link);
    }
    shareBorders(capacities, std::move(crossings));
    return capacities;
}

} // namespace cw
