// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/network/traffic_spread.h"

#include <algorithm>

namespace cw {

TrafficSpread::TrafficSpread(const Fabric& fabric)
    : m_fabric(fabric)
    , m_place(fabric.design().alternative->links.size(), -1) {}

std::span<const TrafficSpread::Bytes> TrafficSpread::of(const Traffic& traffic) {
    for (const Bytes& bytes : m_bytes)
        m_place[bytes.link] = -1;
    m_bytes.clear();
    if (traffic.group)
        addGroup(*traffic.group, traffic.bytesPerDevice);
    else if (traffic.from >= 0 && traffic.to >= 0 && traffic.bytes > 0)
        addRoute(traffic);
    return m_bytes;
}

void TrafficSpread::addGroup(const GroupFabric& group, const std::vector<double>& bytes) {
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

void TrafficSpread::addRoute(const Traffic& traffic) {
    const bool storage = isStorageTraffic(traffic.kind);
    const auto key = std::make_tuple(traffic.from, traffic.to, storage);
    auto found = m_routes.find(key);
    if (found == m_routes.end()) {
        const auto from = static_cast<std::uint32_t>(traffic.from), to = static_cast<std::uint32_t>(traffic.to);
        found = m_routes.emplace(key, m_fabric.route(from, to, storage ? "storage" : "any")).first;
    }
    if (found->second)
        for (const Route::Hop& hop : found->second->hops)
            put(hop.link, hop.forward, traffic.bytes * hop.fraction);
}

void TrafficSpread::put(std::uint32_t link, bool forward, double bytes) {
    if (m_place[link] < 0) {
        m_place[link] = static_cast<int>(m_bytes.size());
        m_bytes.push_back({link});
    }
    Bytes& here = m_bytes[static_cast<std::size_t>(m_place[link])];
    (forward ? here.forward : here.backward) += bytes;
}

bool isStorageTraffic(std::string_view kind) { return kind == "storage" || kind == "checkpoint"; }

} // namespace cw
