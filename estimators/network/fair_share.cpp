// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/network/fair_share.h"

#include "estimators/network/traffic_spread.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

/// One traffic on one direction of one link.
struct Demand {
    std::uint32_t traffic; ///< index into the list of all
    double rate = 0;       ///< bytes/s
    double perFlow = 0;    ///< of it, one flow
};

struct Stream {
    const Traffic* traffic;
    std::size_t contender;
    bool storage;       ///< beside its own workload's collectives
    double active;      ///< seconds of a period, alone
    double stretch = 1; ///< rate alone over the mean rate
    double share = 1;   ///< result
    std::optional<std::uint32_t> link;
};

/// Flows that a device has open at once: one in a ring, one to each peer where all send to all. Experts are spread over few devices.
double flowsOfDevice(std::string_view kind, double devices) {
    constexpr double expertPeers = 63;
    const double peers = std::max(devices - 1, 1.0);
    if (kind == "shuffle" || kind == "replication")
        return peers;
    return kind == "experts" ? std::min(peers, expertPeers) : 1;
}

class Sharing {
public:
    Sharing(const Fabric& fabric, std::span<const Contender> contenders)
        : m_fabric(fabric)
        , m_demands(2 * fabric.design().alternative->links.size()) {
        TrafficSpread spread(fabric);
        for (std::size_t i = 0; i < contenders.size(); ++i)
            for (const Traffic& traffic : contenders[i].traffic)
                add(spread, traffic, i, isStorageTraffic(traffic.kind) ? contenders[i].storage : contenders[i].network);
    }

    void grant(std::vector<LinkLoad>& loads) {
        m_loads = &loads;
        shareAll();
    }

    std::vector<FairShare> result(std::size_t contenders) {
        shareAll();
        std::vector<FairShare> shares(contenders);
        for (std::size_t i = 0; i < contenders; ++i) {
            FairShare& own = shares[i];
            double least = 1;
            for (const bool storage : {false, true}) {
                double alone = 0, beside = 0;
                for (const Stream& stream : m_streams) {
                    if (stream.contender != i || stream.storage != storage)
                        continue;
                    alone += stream.active;
                    beside += stream.active / stream.share;
                    if (stream.link && stream.share < least) {
                        least = stream.share;
                        own.link = stream.link;
                    }
                }
                (storage ? own.storage : own.network) = beside > 0 ? alone / beside : 1;
            }
        }
        return shares;
    }

private:
    void add(TrafficSpread& spread, const Traffic& traffic, std::size_t contender, double relief) {
        if (!(traffic.period > 0))
            return;
        const std::span<const TrafficSpread::Bytes> bytes = spread.of(traffic);
        if (bytes.empty())
            return;
        const bool bursts = traffic.activeTime > 0;
        Stream stream{&traffic, contender, isStorageTraffic(traffic.kind), traffic.period, 1, 1, {}};
        if (bursts)
            stream.active = std::min(traffic.activeTime, traffic.period) * relief;
        else
            stream.share = relief;
        double most = 0;
        for (const TrafficSpread::Bytes& on : bytes)
            if (const double capacity = m_fabric.capacity(on.link).bytesPerSecond; capacity > 0)
                most = std::max(most, std::max(on.forward, on.backward) / capacity);
        if (bursts) // nothing sends faster than its narrowest link
            stream.active = std::min(std::max(stream.active, most), traffic.period);
        if (!(stream.active > 0))
            return;
        stream.stretch = traffic.period / stream.active;
        const auto index = static_cast<std::uint32_t>(m_streams.size());
        m_streams.push_back(stream);
        const double perFlow = flowRate(traffic);
        if (!(perFlow > 0) || !std::isfinite(perFlow) || !std::isfinite(stream.stretch)) // unknown: nobody's share can be told
            return;
        for (const TrafficSpread::Bytes& on : bytes) {
            if (on.forward > 0)
                m_demands[2 * on.link].push_back({index, on.forward / traffic.period, perFlow});
            if (on.backward > 0)
                m_demands[2 * on.link + 1].push_back({index, on.backward / traffic.period, perFlow});
        }
    }

    /// Mean bytes/s of one flow: of one device to one of the peers it talks to at once.
    double flowRate(const Traffic& traffic) const {
        double perDevice = 0;
        if (traffic.group)
            for (const double bytes : traffic.bytesPerDevice)
                perDevice = std::max(perDevice, bytes);
        else
            perDevice = traffic.bytes /
                std::max<double>(1, static_cast<double>(m_fabric.design().machines[static_cast<std::size_t>(traffic.from)].count));
        return perDevice / traffic.period / (traffic.group ? flowsOfDevice(traffic.kind, static_cast<double>(traffic.group->devices)) : 1);
    }

    void shareAll() {
        for (std::size_t slot = 0; slot < m_demands.size(); ++slot)
            if (m_demands[slot].size() > 1)
                share(m_demands[slot], static_cast<std::uint32_t>(slot / 2));
    }

    /// Gives each stream on this direction of a link what is left to it there.
    void share(const std::vector<Demand>& demands, std::uint32_t link) {
        const double capacity = m_fabric.capacity(link).bytesPerSecond;
        if (!(capacity > 0))
            return;
        for (const Demand& own : demands) {
            Stream& stream = m_streams[own.traffic];
            double others = 0;
            for (const Demand& other : demands)
                if (competes(m_streams[other.traffic], stream))
                    others += other.rate;
            const double wanted = own.rate * stream.stretch;
            if (others <= 0 || others + wanted <= capacity * (1 + 1e-12))
                continue;
            const double got = fill(demands, own, capacity) / wanted;
            if (m_loads)
                note((*m_loads)[link], *stream.traffic, got);
            if (got < stream.share) {
                stream.share = got;
                stream.link = link;
            }
        }
    }

    static void note(LinkLoad& load, const Traffic& traffic, double got) {
        for (LinkLoad::Share& share : load.shares)
            if (share.workload == traffic.workload && std::string_view(share.traffic) == traffic.kind)
                share.granted = std::min(share.granted, got);
    }

    static bool competes(const Stream& other, const Stream& stream) {
        return other.contender != stream.contender || other.storage != stream.storage;
    }

    /// Water-filling: the level of a flow at which the link is full.
    double fill(const std::vector<Demand>& demands, const Demand& own, double capacity) {
        m_fill.clear();
        const Stream& stream = m_streams[own.traffic];
        m_fill.push_back({own.perFlow * stream.stretch, own.rate * stream.stretch});
        for (const Demand& other : demands)
            if (competes(m_streams[other.traffic], stream))
                m_fill.push_back({other.perFlow, other.rate});
        const auto [ownLevel, ownRate] = m_fill.front();
        std::sort(m_fill.begin(), m_fill.end());
        double flows = 0, left = capacity;
        for (const auto& [level, rate] : m_fill)
            flows += rate / level;
        for (const auto& [level, rate] : m_fill) {
            const double now = left / flows;
            if (now <= level)
                return ownRate * std::min(1.0, now / ownLevel);
            left -= rate;
            flows -= rate / level;
        }
        return ownRate;
    }

    const Fabric& m_fabric;
    std::vector<LinkLoad>* m_loads = nullptr;
    std::vector<std::vector<Demand>> m_demands; ///< by link, forward and backward
    std::vector<Stream> m_streams;
    std::vector<std::pair<double, double>> m_fill; ///< a flow's rate and that of all such flows
};

/// A single workload whose collectives take turns, and no storage beside them, is in nobody's way.
bool anyoneMeets(std::span<const Contender> contenders) {
    const auto kinds = [](const Contender& contender) {
        bool storage = false, other = false;
        for (const Traffic& traffic : contender.traffic)
            (isStorageTraffic(traffic.kind) ? storage : other) = true;
        return storage + other;
    };
    int all = 0;
    for (const Contender& contender : contenders)
        all += kinds(contender);
    return all > 1;
}

} // namespace

std::vector<FairShare> fairShares(const Fabric& fabric, std::span<const Contender> contenders) {
    if (!anyoneMeets(contenders))
        return std::vector<FairShare>(contenders.size());
    return Sharing(fabric, contenders).result(contenders.size());
}

void grantShares(const Fabric& fabric, std::span<const Contender> contenders, std::vector<LinkLoad>& loads) {
    if (anyoneMeets(contenders))
        Sharing(fabric, contenders).grant(loads);
}

} // namespace cw
