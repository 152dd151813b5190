// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bandwidth between two halves of the machines, tier by tier. Pure.
#pragma once

#include "estimators/estimate.h"

namespace cw {

/// Bytes/s, one direction, if only this tier limits: half of all devices send into it. 0: the halves do not meet there.
inline double tierBisection(const NetworkEstimate& network, const NetworkEstimate::Tier& tier) {
    const bool meets = !tier.links.empty() || network.tiers.size() == 1;
    if (!meets || !(network.bisection.value > 0))
        return 0;
    return static_cast<double>(network.tiers.back().devices) / 2 * tier.bandwidthPerDevice;
}

} // namespace cw
