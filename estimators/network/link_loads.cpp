// SPDX-License-Identifier: GPL-3.0-or-later
//
// Loads of all drawn links from the traffic of all workloads. Exact where every member of a stack is used alike.
#include "estimators/network/traffic_spread.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

/// One large flow per device and direction, as RDMA collectives keep them.
constexpr double flowsPerDevice = 1;
constexpr double manyFlows = 100; ///< on a cable: the leading terms are within two per cent

class LoadSum {
public:
    LoadSum(const Fabric& fabric, std::vector<LinkLoad>& loads)
        : m_spread(fabric)
        , m_loads(loads) {}

    void add(const Traffic& traffic) {
        if (!(traffic.period > 0))
            return;
        for (const TrafficSpread::Bytes& bytes : m_spread.of(traffic))
            account(bytes, traffic);
    }

    /// Peaks: what flows while one kind of traffic is active, beside the mean of all other workloads. A workload's collectives take
    /// turns; its samples and checkpoints come beside them.
    void finish() {
        for (const Burst& burst : m_bursts) {
            LinkLoad& load = m_loads[burst.link];
            if (!(load.capacity > 0))
                continue;
            double forward = load.forward, backward = load.backward;
            for (const LinkLoad::Share& share : load.shares)
                if (share.workload == burst.traffic->workload &&
                    isStorageTraffic(share.traffic) == isStorageTraffic(burst.traffic->kind)) {
                    forward -= share.forward;
                    backward -= share.backward;
                }
            load.peakUtilisation =
                std::max({load.peakUtilisation, (std::max(forward, 0.0) + burst.active.forward) / load.capacity,
                          (std::max(backward, 0.0) + burst.active.backward) / load.capacity});
        }
    }

private:
    struct Directions {
        double forward = 0, backward = 0;
    };
    struct Burst {
        std::uint32_t link;
        const Traffic* traffic;
        Directions active; ///< bytes/s while it flows
    };

    /// Books what one traffic puts on one link.
    void account(const TrafficSpread::Bytes& bytes, const Traffic& traffic) {
        LinkLoad& load = m_loads[bytes.link];
        auto share = std::find_if(load.shares.begin(), load.shares.end(), [&](const LinkLoad::Share& s) {
            return s.workload == traffic.workload && std::string_view(s.traffic) == traffic.kind;
        });
        if (share == load.shares.end())
            share = load.shares.insert(share, LinkLoad::Share{traffic.workload, traffic.kind, 0, 0, 0});
        const double active = traffic.activeTime > 0 ? std::min(traffic.activeTime, traffic.period) : traffic.period;
        share->active = std::min(1.0, share->active + active / traffic.period);
        const Directions mean{bytes.forward / traffic.period, bytes.backward / traffic.period};
        load.forward += mean.forward;
        load.backward += mean.backward;
        share->forward += mean.forward;
        share->backward += mean.backward;
        m_bursts.push_back({bytes.link, &traffic, {bytes.forward / active, bytes.backward / active}});
    }

    TrafficSpread m_spread;
    std::vector<LinkLoad>& m_loads;
    std::vector<Burst> m_bursts;
};

/// Balls into bins: the expected number of flows on the fullest of k cables over the mean F/k, when F flows are hashed on them. Loads are
/// taken as independent Poisson variables (Mitzenmacher and Upfal 2005, 5.4): E[max] = Σ (1 − P(X ≤ t)^k); of many flows the leading terms
/// F/k + sqrt(2 (F/k) ln k) (Raab and Steger 1998).
double hashingFactor(double flows, double cables) {
    if (!(cables > 1) || !(flows > 0))
        return 1;
    const double mean = flows / cables;
    if (mean > manyFlows)
        return 1 + std::sqrt(2 * std::log(cables) / mean);
    double most = 0, exactly = std::exp(-mean), upTo = exactly;
    for (double t = 0;; upTo += exactly) {
        const double beyond = 1 - std::pow(upTo, cables);
        most += beyond;
        if (t > mean && beyond < 1e-9)
            break;
        exactly *= mean / ++t;
    }
    return std::clamp(most, std::max(1.0, mean), std::max(flows, 1.0)) / mean;
}

/// Devices drawn directly below each node: whose flows a switch has to place on its uplinks.
std::vector<double> devicesBelow(const ResolvedDesign& design) {
    std::vector<double> below(design.machines.size(), 0.0);
    for (const Link& link : design.alternative->links) {
        const int from = design.indexOf(link.from), to = design.indexOf(link.to);
        if (from < 0 || to < 0)
            continue;
        const auto count = [&](int lower, int upper) {
            const Machine& machine = design.machines[static_cast<std::size_t>(lower)];
            if (machine.kind != MachineKind::switchBox && machine.kind != MachineKind::unknown)
                below[static_cast<std::size_t>(upper)] += static_cast<double>(machine.count) * std::max(machine.gpus, 1);
        };
        count(from, to);
        count(to, from);
    }
    return below;
}

/// The first cable is chosen by the sender, so only links between switches hash; each member of the lower end on its own uplinks.
double hashingFactorOf(const Fabric& fabric, std::uint32_t index, const std::vector<double>& below) {
    const ResolvedDesign& design = fabric.design();
    const Link& link = design.alternative->links[index];
    const int from = design.indexOf(link.from), to = design.indexOf(link.to);
    if (from < 0 || to < 0 || from == to)
        return 1;
    const Machine& lower = design.machines[static_cast<std::size_t>(from)];
    if (lower.kind != MachineKind::switchBox || design.machines[static_cast<std::size_t>(to)].kind != MachineKind::switchBox)
        return 1;
    const double members = std::max<double>(1, static_cast<double>(lower.count));
    const double cables = static_cast<double>(fabric.capacity(index).cables) / members;
    const double devices = below[static_cast<std::size_t>(from)] / members;
    return hashingFactor(devices > 0 ? devices * flowsPerDevice : cables, cables);
}

} // namespace

std::vector<LinkLoad> linkLoads(const Fabric& fabric, std::span<const Traffic> traffic) {
    const std::vector<Link>& links = fabric.design().alternative->links;
    std::vector<LinkLoad> loads(links.size());
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        loads[i].link = links[i].id;
        loads[i].cables = fabric.capacity(i).cables;
        loads[i].capacity = fabric.capacity(i).bytesPerSecond;
    }
    LoadSum sum(fabric, loads);
    for (const Traffic& one : traffic)
        sum.add(one);
    sum.finish();
    const std::vector<double> below = devicesBelow(fabric.design());
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        LinkLoad& load = loads[i];
        if (!(load.capacity > 0))
            continue;
        load.utilisation = std::max(load.forward, load.backward) / load.capacity;
        load.peakUtilisation = std::max(load.peakUtilisation, load.utilisation);
        load.hashedHigh = load.utilisation > 0 && fabric.capacity(i).staticHashing
            ? load.utilisation * hashingFactorOf(fabric, i, below)
            : load.utilisation;
    }
    return loads;
}

} // namespace cw
