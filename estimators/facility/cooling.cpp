// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/cooling.h"

#include <algorithm>

namespace cw {

double airflow(double watts, double deltaK) { return watts / (airDensity * airHeatCapacity * deltaK); }

double airTemperatureRise(double watts, double flow) { return watts / (airDensity * airHeatCapacity * flow); }

double waterFlow(double watts, double deltaK) { return 60 * watts / (waterDensity * waterHeatCapacity * deltaK); }

double glycolFlow(double watts, double deltaK) { return 60 * watts / (glycolDensity * glycolHeatCapacity * deltaK); }

CoolingKind kindOf(const Cooling& cooling) {
    const std::string_view id = cooling.id.value;
    const auto has = [&](std::string_view word) { return id.find(word) != std::string_view::npos; };
    if (has("immersion"))
        return CoolingKind::immersion;
    if (has("rdhx"))
        return CoolingKind::rearDoor;
    if (has("dlc"))
        return CoolingKind::coldPlate;
    if (cooling.liquidHeatFraction >= .995)
        return CoolingKind::rearDoor;
    return cooling.liquidHeatFraction > 0 ? CoolingKind::coldPlate : CoolingKind::air;
}

HeatSplit heatSplit(double watts, const Server* server, const Cooling* cooling) {
    const double plates = server ? std::clamp(server->liquidHeatFraction, 0.0, 1.0) : 0;
    if (!cooling)
        return {watts * (1 - plates), watts * plates};
    switch (kindOf(*cooling)) {
    case CoolingKind::air:
        return {watts, 0};
    case CoolingKind::rearDoor:
        return {watts, watts * cooling->liquidHeatFraction};
    case CoolingKind::coldPlate:
        return {watts * (1 - plates), watts * plates};
    case CoolingKind::immersion:
        return {0, watts};
    }
    return {watts, 0};
}

const Cooling* coolingOf(const ResolvedDesign& design, const Rack* rack, bool liquidMachines) {
    const Catalog& catalog = *design.catalog;
    if (rack && rack->cooling)
        return catalog.find<Cooling>(rack->cooling);
    if (design.project->site.cooling)
        return catalog.find<Cooling>(design.project->site.cooling);
    return catalog.find<Cooling>(PartId{liquidMachines ? "cooling_dlc_hybrid" : "cooling_air_contained"});
}

bool needsLiquid(const Machine& machine) { return machine.server && machine.server->liquidHeatFraction >= .5; }

} // namespace cw
