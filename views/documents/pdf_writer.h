// SPDX-License-Identifier: GPL-3.0-or-later
//
// A report as PDF, A4: title page, running header and page numbers, tables that repeat their header on every page, vector pictures.
// The bytes depend on the content only: dates come from the file, identifiers from a hash.
#pragma once

#include "views/documents/report_content.h"

#include <QByteArray>

namespace cw {

QByteArray reportPdf(const ReportContent& content);

/// Replaces creation date, identifiers and producer noise of a PDF that Qt wrote by values made from `date` (ISO 8601) and the content.
QByteArray withoutChance(QByteArray pdf, const QString& date);

} // namespace cw
