// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which program this is, and which version of the project file it writes.
#pragma once

#include <string_view>

namespace cw {

// "0.1.0", the version in the top CMakeLists.txt.
[[nodiscard]] std::string_view programVersion();

// The version of the project file's schema that this program writes; it reads this one and all older ones.
[[nodiscard]] int fileSchemaVersion();

} // namespace cw
