// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/occupancy_data.h"

#include "views/plots/plot_parts.h"

#include <QCoreApplication>

#include <array>
#include <span>

namespace cw {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Charts)
};

bool ofCache(SpreadAspect aspect) { return aspect == SpreadAspect::cache || aspect == SpreadAspect::cacheOverTime; }

/// The first of what was recorded that the aspect can show: a replica's batch before the requests of the whole.
const SimulatedRun::Occupancy* occupancyOf(const SimulatedRun& run, SpreadAspect aspect) {
    static constexpr std::array<std::string_view, 3> requests{"batch", "in_flight", "in_flight_part"};
    static constexpr std::array<std::string_view, 1> cache{"kv"};
    const std::span<const std::string_view> wanted = ofCache(aspect) ? std::span<const std::string_view>(cache) : std::span<const std::string_view>(requests);
    for (const std::string_view name : wanted)
        for (const SimulatedRun::Occupancy& found : run.occupancy)
            if (found.name == name)
                return &found;
    return nullptr;
}

} // namespace

QString aspectName(SpreadAspect aspect) {
    switch (aspect) {
    case SpreadAspect::latency: return Text::tr("Latency");
    case SpreadAspect::batch: return Text::tr("Requests in flight");
    case SpreadAspect::batchOverTime: return Text::tr("Requests in flight over time");
    case SpreadAspect::cache: return Text::tr("KV cache");
    case SpreadAspect::cacheOverTime: return Text::tr("KV cache over time");
    }
    return {};
}

OccupancyData occupancyData(const ChartInput& input, SpreadAspect aspect) {
    OccupancyData data;
    if (!input.estimates || aspect == SpreadAspect::latency)
        return data;
    const Project& project = input.estimates->project;
    const Workload* workload = project.findWorkload(input.workload);
    if (!workload && !project.workloads.empty())
        workload = &project.workloads.front();
    data.batches = workload && std::holds_alternative<BatchInference>(workload->spec);
    const bool overTime = aspect == SpreadAspect::batchOverTime || aspect == SpreadAspect::cacheOverTime;
    int index = -1;
    for (const auto& estimate : input.estimates->alternatives) {
        ++index;
        const WorkloadEstimate* of = estimate && workload ? estimate->workload(workload->id) : nullptr;
        if (!of || !of->simulated)
            continue;
        data.simulated = true;
        if (const SimulatedRun::Occupancy* found = occupancyOf(*of->simulated, aspect)) {
            data.what = found->name;
            data.curves.push_back({estimate->id, alternativeLetter(index), QString::fromStdString(estimate->name), overTime ? found->series : found->below,
                                   found->mean, found->closedForm});
        }
    }
    return data;
}

QString occupancyCsv(const ChartInput& input) {
    QString text;
    const auto quoted = [](QString name) { return u'"' + name.replace(u'"', QStringLiteral("\"\"")) + u'"'; };
    for (const SpreadAspect aspect : spreadAspects) {
        const OccupancyData data = occupancyData(input, aspect);
        const bool overTime = aspect == SpreadAspect::batchOverTime || aspect == SpreadAspect::cacheOverTime;
        for (const OccupancyData::Curve& curve : data.curves)
            for (const auto& [x, y] : curve.points)
                text += QStringLiteral("%1,%2,%3,%4,%5\n")
                            .arg(curve.letter, quoted(curve.name), QString::fromStdString(data.what) + (overTime ? QStringLiteral("_over_time") : QString()))
                            .arg(x, 0, 'g', 9)
                            .arg(y, 0, 'g', 9);
    }
    return text;
}

} // namespace cw
