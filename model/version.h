// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which program this is. The version of the project file is in model/io/project_file.h.
#pragma once

#include <string_view>

namespace cw {

// "0.1.0", the version in the top CMakeLists.txt.
[[nodiscard]] std::string_view programVersion();

} // namespace cw
