// SPDX-License-Identifier: GPL-3.0-or-later
//
// How full replicas were in a simulated run, as chart data: requests in flight or batches, and the KV cache, as shares of the time and as
// they went. Plain values, like chart_data.h.
#pragma once

#include "views/plots/chart_data.h"

namespace cw {

/// What the chart of the distribution shows.
enum class SpreadAspect { latency, batch, batchOverTime, cache, cacheOverTime };
inline constexpr SpreadAspect spreadAspects[] = {SpreadAspect::latency, SpreadAspect::batch, SpreadAspect::batchOverTime, SpreadAspect::cache,
                                                 SpreadAspect::cacheOverTime};
QString aspectName(SpreadAspect aspect);

struct OccupancyData {
    struct Curve {
        AlternativeId alternative;
        QString letter, name;
        std::vector<std::pair<double, double>> points; ///< level and share of the time at or below it; or seconds and level
        double mean = 0, closedForm = 0;               ///< NaN: unknown
    };
    std::vector<Curve> curves;
    std::string what; ///< as SimulatedRun::Occupancy: "batch", "in_flight", "in_flight_part", "kv"
    bool batches = false; ///< shares are of batches, not of the time
    bool simulated = false; ///< something was, even if not this
};

/// Served models and batch servers by the batch of one replica, others by the requests in the system; the cache of served models only.
OccupancyData occupancyData(const ChartInput& input, SpreadAspect aspect);

QString occupancyCsv(const ChartInput& input);

} // namespace cw
