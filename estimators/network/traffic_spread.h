// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a traffic puts on the drawn links, in each direction: the one place where it is routed. Keeps the routes it found; lives for one pass
// over the traffic of an alternative.
#pragma once

#include "estimators/network/fabric.h"

#include <map>
#include <tuple>

namespace cw {

class TrafficSpread {
public:
    struct Bytes {
        std::uint32_t link;
        double forward = 0, backward = 0; ///< a period
    };

    explicit TrafficSpread(const Fabric& fabric);

    /// Of one traffic; valid until the next call.
    std::span<const Bytes> of(const Traffic& traffic);

private:
    void addGroup(const GroupFabric& group, const std::vector<double>& bytes);
    void addRoute(const Traffic& traffic);
    void put(std::uint32_t link, bool forward, double bytes);

    const Fabric& m_fabric;
    std::vector<int> m_place; ///< by link: index into m_bytes; −1: none yet
    std::vector<Bytes> m_bytes;
    std::map<std::tuple<int, int, bool>, std::optional<Route>> m_routes;
};

/// Samples and checkpoints flow beside a job's own collectives, which take turns among themselves.
bool isStorageTraffic(std::string_view kind);

} // namespace cw
