// SPDX-License-Identifier: GPL-3.0-or-later
//
// The data files of resources/ (catalog, examples, schema) as they were when the program was built: they are part of the
// program, so that it needs no folder at run time. Read-only, available from any thread, without Qt.
#pragma once

#include <string_view>
#include <vector>

namespace cw::resources {

// The bytes of one file, by its path below resources/ ("catalog/gpus.json"). They live as long as the program and are
// followed by a zero. An unknown path gives a view whose data() is null.
[[nodiscard]] std::string_view file(std::string_view path);

// The paths of all files below a folder ("catalog" or "examples"; "" for all), sorted; each fits file().
[[nodiscard]] std::vector<std::string_view> list(std::string_view folder);

} // namespace cw::resources
