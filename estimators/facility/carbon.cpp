// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/facility.h"
#include "estimators/facility/site_terms.h"

namespace cw {

/// Operation only: no part of the catalog states what making it emitted, and an assumed figure would be as large as the rest.
CarbonEstimate estimateCarbon(EstimateContext& context, const PowerEstimate& power) {
    CarbonEstimate carbon;
    carbon.operationPerYear =
        context.derivation.product("carbon of operation", "energy a year · carbon intensity of the grid",
                                   {power.energyPerYear, carbonIntensity(context)}, Unit::kilogramsPerYear, 1e-3);
    return carbon;
}

} // namespace cw
