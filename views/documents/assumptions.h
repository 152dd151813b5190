// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the figures of an estimate rest on, gathered from its derivation: assumptions, calibrated constants, facts of parts, sources; and
// a workload's requirements as a table.
#pragma once

#include "estimators/estimate.h"
#include "views/documents/report_content.h"

namespace cw {

ReportTable workloadTable(const Workload& workload, const Catalog& catalog);
ReportTable assumptionTable(const AlternativeEstimate& estimate);
ReportTable factTable(const AlternativeEstimate& estimate);
QStringList sourceList(const AlternativeEstimate& estimate);

/// "TP 8 · PP 8 · DP 16 · micro-batch 1 · ZeRO 1 (chosen by the estimator)".
QString planText(const ChosenPlan& plan);

/// Published runs most like the workloads of this alternative, what was measured there, and how far the same estimator is off. Without rows where
/// none is near.
ReportTable measuredTable(const Project& project, const Alternative& alternative, const AlternativeEstimate& estimate);

} // namespace cw
