// SPDX-License-Identifier: GPL-3.0-or-later
//
// estimators/validation/family_errors_table.cpp out of a validation: the figures of the accuracy page in a form that the
// window reads without predicting anything. Same report, same bytes.
#pragma once

#include "estimators/validation/validation.h"

namespace cw::cli {

std::string errorTables(const ValidationReport& report);

} // namespace cw::cli
