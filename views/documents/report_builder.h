// SPDX-License-Identifier: GPL-3.0-or-later
//
// The design report: title, summary, requirements, alternatives compared with charts, diagram, network, power and cooling per rack, bill of
// materials, cost, reliability, findings, assumptions and sources. Same input, same content: nothing is read from clock or screen.
#pragma once

#include "estimators/live/live_estimator.h"
#include "views/documents/report_content.h"

namespace cw {

/// All alternatives are compared; `chosen` is documented in full (empty: the baseline).
ReportContent buildReport(const EstimateSet& estimates, const AlternativeId& chosen);

} // namespace cw
