// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the facility models find their named numbers (kind "power_model", "cooling_design", "failure_rate", …). The catalog of the
// estimate comes first, so that a user's own set counts; a catalog without the set falls back on the shipped one.
#pragma once

#include "model/catalog/catalog.h"

#include <string_view>

namespace cw {

/// The set of a kind and subject. One that ships nowhere is a bug and asserts.
const Constants& constantsOf(const Catalog& catalog, std::string_view kind, std::string_view subject);

} // namespace cw
