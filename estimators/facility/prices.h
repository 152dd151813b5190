// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one machine costs to buy and what it costs to rent. Bands become low, middle and high; a price nobody states is unknown, never
// zero. Rents of machines that are no cloud instance are those of the instances with the same devices. Pure functions.
#pragma once

#include "estimators/base/context.h"

namespace cw {

/// How a node is paid for after inheriting: a cloud instance that would be bought is rented on demand.
Procurement procurementOf(const Alternative& alternative, const Machine& machine);
bool isRent(Procurement procurement);

/// Purchase price of one machine, USD. Unknown for cloud instances and unknown parts.
Quantity purchasePrice(EstimateContext&, const Machine& machine);

/// Rent of one machine, USD/h, for onDemand, reserved (one year) or spot. From, in this order: the price book the node names (also a seed
/// row), its own cloud instance, market instances with the same GPU (per GPU) or CPU (per core). Unknown when nothing matches.
Quantity rentPerHour(EstimateContext&, const Machine& machine, Procurement procurement);

/// USD low, middle, high of a band, as a fact of the part.
Quantity priceFact(Derivation&, const char* name, const PartInfo& part, const std::optional<Band<Dollars>>& price);

} // namespace cw
