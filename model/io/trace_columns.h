// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lines of a request trace: which column is what, by the names that public traces use, and one line as numbers. Times may be dates
// (ISO 8601, a space instead of the T, with or without zone) or numbers of seconds, milli-, micro- or nanoseconds. Pure functions.
#pragma once

#include "model/base/error.h"

#include <string>
#include <string_view>

namespace cw {

struct TraceColumns {
    char separator = ',';
    double timeUnit = 0; ///< s, by the name of the column ("time_ms"); 0: seconds or the size says
    int time = -1, prompt = -1, output = -1; ///< -1: the trace has none
};
Expected<TraceColumns> traceColumns(std::string_view header, const std::string& name);

struct TraceLine {
    double seconds = 0; ///< since 1970, or of the trace's own clock
    bool absolute = false;
    double prompt = 0, output = 0;
    std::string expected, found; ///< set when the line cannot be read
};
TraceLine readTraceLine(std::string_view line, const TraceColumns& columns);

} // namespace cw
