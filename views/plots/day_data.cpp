// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/day_data.h"

#include "estimators/facility/day_use.h"
#include "estimators/facility/site_terms.h"
#include "views/text/names.h"

#include <QCoreApplication>

#include <cmath>

namespace cw {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Charts)
};

const Workload* workloadOf(const ChartInput& input) {
    if (!input.estimates)
        return nullptr;
    const Project& project = input.estimates->project;
    if (const Workload* found = project.findWorkload(input.workload))
        return found;
    return project.workloads.empty() ? nullptr : &project.workloads.front();
}

int indexOf(const ChartInput& input, const AlternativeId& id) {
    const auto& all = input.estimates->project.alternatives;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].id == id)
            return static_cast<int>(i);
    return 0;
}

const Placement* largestPlacement(const Alternative& alternative, const WorkloadId& workload) {
    const Placement* found = nullptr;
    for (const Placement& placement : alternative.placements)
        if (placement.workload == workload && (!found || placement.share > found->share))
            found = &placement;
    return found;
}

} // namespace

QString aspectName(DayAspect aspect) {
    switch (aspect) {
    case DayAspect::hours: return Text::tr("hour by hour");
    case DayAspect::duty: return Text::tr("cost by duty cycle");
    case DayAspect::rate: return Text::tr("cost by rate");
    }
    return {};
}

std::optional<DayData> dayData(const ChartInput& input) {
    const Workload* workload = workloadOf(input);
    const AlternativeEstimate* estimate = workload ? input.estimates->find(input.current) : nullptr;
    const Alternative* alternative = estimate ? input.estimates->project.findAlternative(input.current) : nullptr;
    const WorkloadEstimate* own = alternative ? estimate->workload(workload->id) : nullptr;
    const Placement* placement = own ? largestPlacement(*alternative, workload->id) : nullptr;
    if (!placement || !own->throughput || !own->throughput->known() || !own->capacity || !(own->capacity->value > 0))
        return std::nullopt;
    DayData data;
    data.letter = alternativeLetter(indexOf(input, input.current));
    data.name = QString::fromStdString(estimate->name);
    data.peak = own->throughput->value;
    data.capacity = own->capacity->value;
    data.unit = own->throughput->unit;
    const Fleet fleet = fleetOf(*alternative, *placement, *own);
    data.machines = fleet.units;
    const double duty = hoursOfYear(*workload, input.estimates->project.site);
    for (const Scaling scaling : {Scaling::fixed, Scaling::whileUsed, Scaling::autoscaled, Scaling::toZero}) {
        const bool drawn = placement->scaling == scaling;
        if (drawn || scaling != Scaling::whileUsed)
            data.policies.push_back({scaling, drawn, dayPlan(workload->load, duty, scaling, fleet)});
    }
    return data;
}

LoadStudy studyOf(const ChartInput& input, DayAspect aspect) {
    const Workload* workload = workloadOf(input);
    if (!workload || aspect == DayAspect::hours)
        return {};
    const Catalog* catalog = nullptr;
    for (const auto& estimate : input.estimates->alternatives)
        if (estimate && !catalog)
            catalog = &estimate->catalog;
    if (!catalog)
        return {};
    return aspect == DayAspect::duty ? dutyStudy(input.estimates->project, workload->id, *catalog, input.current)
                                     : rateStudy(input.estimates->project, workload->id, *catalog);
}

QString lineName(const ChartInput& input, const StudyLine& line) {
    const QString letter = alternativeLetter(indexOf(input, line.alternative));
    return line.paid ? QStringLiteral("%1 · %2").arg(letter, procurementName(*line.paid)) : letter;
}

QString dayCsv(const ChartInput& input) {
    QString text = QStringLiteral("hour,load_per_s");
    const std::optional<DayData> data = dayData(input);
    if (data) {
        for (const DayData::Policy& policy : data->policies)
            text += QStringLiteral(",machines_") + QString::fromUtf8(name(policy.scaling).data(), static_cast<qsizetype>(name(policy.scaling).size()));
        text += u'\n';
        for (std::size_t hour = 0; hour < static_cast<std::size_t>(hoursPerDay); ++hour) {
            text += QStringLiteral("%1,%2").arg(hour).arg(data->peak * data->policies.front().plan.load[hour], 0, 'g', 9);
            for (const DayData::Policy& policy : data->policies)
                text += QStringLiteral(",%1").arg(policy.plan.running[hour] * data->machines, 0, 'g', 9);
            text += u'\n';
        }
    }
    for (const DayAspect aspect : {DayAspect::duty, DayAspect::rate}) {
        const LoadStudy study = studyOf(input, aspect);
        if (study.lines.empty())
            continue;
        text += QStringLiteral("\nline,%1,machines,usd_per_hour,facility_w\n").arg(aspect == DayAspect::duty ? QStringLiteral("duty") : QStringLiteral("rate_per_s"));
        for (const StudyLine& line : study.lines)
            for (const StudyPoint& p : line.points)
                text += QStringLiteral("%1,%2,%3,%4,%5\n").arg(lineName(input, line)).arg(p.x, 0, 'g', 9).arg(p.machines).arg(p.dollarsPerHour, 0, 'g', 9).arg(p.watts, 0, 'g', 9);
    }
    return text;
}

} // namespace cw
