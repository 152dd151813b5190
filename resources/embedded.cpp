// SPDX-License-Identifier: GPL-3.0-or-later
#include "resources/embedded.h"

#include "resources/embedded_table.h"

namespace cw::resources {

std::string_view file(std::string_view path) {
    for (const Entry& entry : entries()) {
        if (entry.path == path)
            return {entry.begin, static_cast<std::size_t>(entry.end - entry.begin)};
    }
    return {};
}

std::vector<std::string_view> list(std::string_view folder) {
    std::vector<std::string_view> found;
    for (const Entry& entry : entries()) {
        const bool below = folder.empty() ||
            (entry.path.size() > folder.size() && entry.path.starts_with(folder) && entry.path[folder.size()] == '/');
        if (below)
            found.push_back(entry.path);
    }
    return found;
}

} // namespace cw::resources
