// SPDX-License-Identifier: GPL-3.0-or-later
//
// docs/accuracy.md out of a validation: errors per family against their targets, what is missing where one is missed, and the constants
// with what they were fitted on. Same report and catalog, same bytes.
#pragma once

#include "estimators/validation/validation.h"

namespace cw::cli {

std::string accuracyPage(const ValidationReport& report, const Catalog& catalog);

} // namespace cw::cli
