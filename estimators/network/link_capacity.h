// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the cables of a drawn link carry: medium, protocol, ports and frame borders. Used by Fabric only. Pure functions.
#pragma once

#include "estimators/network/fabric.h"

namespace cw {

/// Cables of a link between stacks of these sizes, closed form of what model/design/expand.h lists one by one.
std::int64_t cableTotal(const Link& link, std::int64_t fromCount, std::int64_t toCount);

/// Capacities of all links of a design, by link index; frames that limit what crosses their border are shared out by capacity.
std::vector<Fabric::LinkCapacity> linkCapacities(const ResolvedDesign& design);

} // namespace cw
