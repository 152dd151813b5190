// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes a document to a file: the one road for File → Export and the command line. The format follows the ending of the name; a file is
// replaced only when the new one is whole. Same input, same bytes.
#pragma once

#include "estimators/live/live_estimator.h"
#include "model/base/error.h"
#include "views/theme/theme.h"

#include <QString>
#include <QStringList>

#include <functional>

namespace cw {

enum class DocumentKind { report, bill, diagram, racks, charts, simgrid };

struct ExportRequest {
    DocumentKind kind = DocumentKind::report;
    AlternativeId alternative; ///< empty: the baseline
    WorkloadId workload;       ///< charts: of this workload; empty: the first
    ThemeKind theme = ThemeKind::light;
    QString path;
};

/// The kind a name asks for ("report", "bom", "diagram", "racks", "charts", "simgrid"); empty follows the ending of the path.
Expected<DocumentKind> documentKind(const QString& what, const QString& path);

/// Endings that fit a kind, without dot.
QStringList endingsOf(DocumentKind kind);

Expected<void> exportDocument(const EstimateSet& estimates, const ExportRequest& request);

/// Replaces `path` by `bytes`, atomically.
Expected<void> writeFile(const QString& path, const QByteArray& bytes);

} // namespace cw
