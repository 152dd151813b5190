// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads a recorded trace in the background, with a progress dialog that can stop it, and hands the summary back in the GUI thread. Nothing
// is handed back after the parent is gone or the user stopped it.
#pragma once

#include "model/io/request_trace.h"

#include <QWidget>

#include <functional>

namespace cw {

void loadTrace(QWidget* parent, const QString& path, std::function<void(const Expected<TraceSummary>&)> done);

/// What a trace says, in a few lines for a person.
QString traceText(const TraceSummary& trace);

} // namespace cw
