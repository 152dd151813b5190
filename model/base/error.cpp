// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/error.h"

namespace cw {

std::string Error::text() const {
    std::string text = where;
    const auto join = [&text](const char* separator, const std::string& more) {
        if (more.empty())
            return;
        if (!text.empty())
            text += separator;
        text += more;
    };
    join(": ", message);
    std::string detail;
    if (!expected.empty())
        detail = "expected " + expected;
    if (!found.empty())
        detail += (detail.empty() ? "found " : ", found ") + found;
    if (!detail.empty())
        join(message.empty() ? ": " : " ", message.empty() ? detail : "(" + detail + ")");
    return text;
}

} // namespace cw
