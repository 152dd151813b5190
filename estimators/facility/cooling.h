// SPDX-License-Identifier: GPL-3.0-or-later
//
// Heat carried away by air and water, and which cooling a rack or machine gets. Pure functions.
// Equations: docs/equations-facility.md, "Cooling".
#pragma once

#include "estimators/base/resolved.h"

namespace cw {

/// Air at 20 °C and sea level.
constexpr double airDensity = 1.204;        ///< kg/m3
constexpr double airHeatCapacity = 1006;    ///< J/(kg K)
constexpr double waterDensity = .9982;      ///< kg/l
constexpr double waterHeatCapacity = 4186;  ///< J/(kg K)
constexpr double glycolDensity = 1.02;      ///< PG25, kg/l
constexpr double glycolHeatCapacity = 3900; ///< PG25, J/(kg K)

/// m3/s of air that takes `watts` away while it warms by `deltaK`.
double airflow(double watts, double deltaK);
/// K by which `watts` warm a flow of `flow` m3/s.
double airTemperatureRise(double watts, double flow);
/// Litres per minute of water, or of PG25, for `watts` at a rise of `deltaK`.
double waterFlow(double watts, double deltaK);
double glycolFlow(double watts, double deltaK);

enum class CoolingKind : std::uint8_t { air, rearDoor, coldPlate, immersion };
/// By the id of the shipped ways to cool; own parts by how much heat they bring into water.
CoolingKind kindOf(const Cooling& cooling);

/// Heat of one machine split by what carries it out of the machine, and what reaches the facility's water.
struct HeatSplit {
    double air = 0;   ///< W through the machine's fans
    double water = 0; ///< W into the coolant loop: cold plates, rear door or tank
};
HeatSplit heatSplit(double watts, const Server* server, const Cooling* cooling);

/// The cooling of a rack: its own, else the site's, else what its machines need (liquid for machines with cold plates, contained air
/// for the rest). Null only when the catalog does not have it.
const Cooling* coolingOf(const ResolvedDesign& design, const Rack* rack, bool liquidMachines);

/// The machine brings most of its heat to cold plates.
bool needsLiquid(const Machine& machine);

} // namespace cw
