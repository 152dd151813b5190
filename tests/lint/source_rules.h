// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rules about sources that a compiler does not check: the order of the layers, which headers may be included where,
// licence lines, include guards, paths of one particular machine. Pure functions of paths and texts, so that the rules can
// themselves be tested with planted violations.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cw::lint {

struct Violation {
    std::string file; ///< path from the source folder
    int line = 1;     ///< from 1
    std::string message;

    /// "model/a.h:3: message", as compilers print it.
    [[nodiscard]] std::string text() const;
};

/// What is wrong with one file. `path` is relative to the source folder and decides which rules hold: all of them for
/// C++ sources, only the one about machine paths for other texts.
[[nodiscard]] std::vector<Violation> checkFile(std::string_view path, std::string_view text);

/// What is wrong with all files together (path → text): includes in quotes that do not start at the source folder or name
/// no file, and sources that no CMakeLists.txt lists.
[[nodiscard]] std::vector<Violation> checkTree(const std::map<std::string, std::string>& files);

} // namespace cw::lint
