// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table between embedded.cpp and the source that the build generates. For these two only.
#pragma once

#include <string_view>
#include <vector>

namespace cw::resources {

struct Entry {
    std::string_view path;
    const char* begin;
    const char* end;
};

// Sorted by path.
const std::vector<Entry>& entries();

} // namespace cw::resources
