// SPDX-License-Identifier: GPL-3.0-or-later
//
// Front elevations as plain values: every rack of an alternative, drawn or packed by the estimator, with what stands at which U and how
// much power, height and weight is left. Identical racks are one elevation with a count. Pure; any thread.
#pragma once

#include "estimators/estimate.h"
#include "model/catalog/catalog.h"
#include "model/design/project.h"
#include "views/theme/part_look.h"

#include <QString>

#include <cstdint>
#include <limits>
#include <vector>

namespace cw {

/// One machine in a rack.
struct RackDevice {
    NodeId node;
    int item = -1;     ///< index into the rack's items
    double u = 1;      ///< lowest unit, from 1
    double height = 1; ///< units
    QString name;
    PartLook look;
    bool outside = false; ///< does not fit: drawn above the top
};

struct Elevation {
    RackId rack; ///< empty for automatic ones
    PartId type;
    QString name;
    std::int64_t count = 1;
    bool automatic = false;
    int units = 42;
    std::vector<RackItem> items;
    std::vector<RackDevice> devices;
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    double power = unknown, limit = unknown, typical = unknown; ///< W of one rack, at its peak, allowed, expected
    double weight = unknown;                                    ///< kg
    double unitsUsed = 0;
    double inlet = unknown, outlet = unknown; ///< °C
    double airflow = unknown;                 ///< m³/s
    bool ok = true;

    double share() const { return power / limit; } ///< of the power limit, NaN when unknown
};

/// Height of a node's machine in units: 1 for what has none in the catalog.
double heightOf(const PartId& part, const Catalog& catalog);

/// In the order of the estimate (drawn racks first); without an estimate the drawn racks only.
std::vector<Elevation> makeElevations(const Project& project, const Alternative& alternative, const Catalog& catalog,
                                      const AlternativeEstimate* estimate);

/// Whether a block of this height may stand at `u`, not counting what belongs to item `except`.
bool isFree(const Elevation& rack, double u, double height, int except = -1);

} // namespace cw
