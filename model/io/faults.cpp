// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/faults.h"

#include "model/io/json_text.h"

#include <fmt/format.h>

namespace cw::io {

std::string Faults::pointer() const {
    std::string result;
    for (const Segment& segment : m_path)
        appendPointer(result, segment.key.data() ? std::string(segment.key) : std::to_string(segment.index));
    return result.empty() ? "/" : result;
}

void Faults::add(std::string expected, std::string found, std::string message) {
    if (++m_count > most)
        return;
    std::string where = m_where.empty() ? pointer() : m_where + ": " + pointer();
    m_errors.push_back({std::move(where), std::move(expected), std::move(found), std::move(message)});
}

std::vector<Error> Faults::take() {
    if (m_count > most)
        m_errors.push_back({m_where, "", "", fmt::format("{} more faults are not listed.", m_count - most)});
    m_count = 0;
    return std::move(m_errors);
}

} // namespace cw::io
