// SPDX-License-Identifier: GPL-3.0-or-later
//
// Loads of all drawn links from the traffic of all workloads. Exact where every member of a stack is used alike.
#include "estimators/network/fabric.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace cw {

namespace {

/// One large flow per device and direction, as RDMA collectives keep them.
constexpr double flowsPerDevice = 1;

class LoadSum {
public:
    LoadSum(const Fabric& fabric, std::vector<LinkLoad>& loads)
        : m_fabric(fabric)
        , m_loads(loads)
        , m_now(loads.size()) {}

    void add(const Traffic& traffic) {
        if (!(traffic.period > 0))
            return;
        if (traffic.group)
            addGroup(*traffic.group, traffic.bytesPerDevice);
        else if (traffic.from >= 0 && traffic.to >= 0 && traffic.bytes > 0)
            addRoute(traffic);
        for (const std::uint32_t link : m_touched)
            account(link, traffic);
        m_touched.clear();
    }

    /// Peaks: what flows while one kind of traffic is active, beside the mean of all other workloads. A workload's own phases take turns.
    void finish() {
        for (const Burst& burst : m_bursts) {
            LinkLoad& load = m_loads[burst.link];
            if (!(load.capacity > 0))
                continue;
            double forward = load.forward, backward = load.backward;
            for (const LinkLoad::Share& share : load.shares)
                if (share.workload == burst.traffic->workload) {
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

    void addGroup(const GroupFabric& group, const std::vector<double>& bytes) {
        const auto devices = static_cast<double>(group.devices);
        for (std::size_t k = 0; k < group.tiers.size() && k < bytes.size(); ++k) {
            const double above = k + 1 < bytes.size() && k + 1 < group.tiers.size() ? bytes[k + 1] : 0;
            const double peaking = std::max(0.0, bytes[k] - above) * devices;
            if (peaking <= 0)
                continue;
            for (const Climb& step : group.tiers[k].climb) {
                put(step.link, step.forward, peaking * step.fraction);
                if (step.mirrored)
                    put(step.link, !step.forward, peaking * step.fraction);
            }
        }
    }

    void addRoute(const Traffic& traffic) {
        const bool storage = std::string_view(traffic.kind) == "storage" || std::string_view(traffic.kind) == "checkpoint";
        const auto key = std::make_tuple(traffic.from, traffic.to, storage);
        auto found = m_routes.find(key);
        if (found == m_routes.end())
            found = m_routes
                        .emplace(key,
                                 m_fabric.route(static_cast<std::uint32_t>(traffic.from), static_cast<std::uint32_t>(traffic.to),
                                                storage ? "storage" : "any"))
                        .first;
        if (found->second)
            for (const Route::Hop& hop : found->second->hops)
                put(hop.link, hop.forward, traffic.bytes * hop.fraction);
    }

    void put(std::uint32_t link, bool forward, double bytes) {
        Directions& now = m_now[link];
        if (now.forward == 0 && now.backward == 0)
            m_touched.push_back(link);
        (forward ? now.forward : now.backward) += bytes;
    }

    /// Books what one traffic puts on one link.
    void account(std::uint32_t link, const Traffic& traffic) {
        const Directions bytes = std::exchange(m_now[link], {});
        LinkLoad& load = m_loads[link];
        auto share = std::find_if(load.shares.begin(), load.shares.end(), [&](const LinkLoad::Share& s) {
            return s.workload == traffic.workload && std::string_view(s.traffic) == traffic.kind;
        });
        if (share == load.shares.end())
            share = load.shares.insert(share, LinkLoad::Share{traffic.workload, traffic.kind, 0, 0});
        const double active = traffic.activeTime > 0 ? std::min(traffic.activeTime, traffic.period) : traffic.period;
        const Directions mean{bytes.forward / traffic.period, bytes.backward / traffic.period};
        load.forward += mean.forward;
        load.backward += mean.backward;
        share->forward += mean.forward;
        share->backward += mean.backward;
        m_bursts.push_back({link, &traffic, {bytes.forward / active, bytes.backward / active}});
    }

    const Fabric& m_fabric;
    std::vector<LinkLoad>& m_loads;
    std::vector<Directions> m_now; ///< by link: bytes of the traffic that is being added
    std::vector<std::uint32_t> m_touched;
    std::vector<Burst> m_bursts;
    std::map<std::tuple<int, int, bool>, std::optional<Route>> m_routes;
};

/// Balls into bins: F flows hashed on k cables put F/k + sqrt(2 (F/k) ln k) on the fullest one (Raab and Steger 1998, leading terms).
double hashingFactor(double flows, double cables) {
    if (!(cables > 1) || !(flows > 0))
        return 1;
    const double mean = flows / cables;
    return 1 + std::sqrt(2 * std::log(cables) / mean);
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
