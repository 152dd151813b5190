// SPDX-License-Identifier: GPL-3.0-or-later
//
// A report as one HTML file: no script, no network, pictures inline as SVG, readable on screen (light and dark) and on paper.
#pragma once

#include "views/documents/report_content.h"

#include <QByteArray>

namespace cw {

QByteArray reportHtml(const ReportContent& content);

/// A picture as SVG text.
QByteArray pictureSvg(const QPicture& picture, QSize size, const QString& title);

} // namespace cw
