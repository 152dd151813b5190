// SPDX-License-Identifier: GPL-3.0-or-later
//
// The whole program behind main(), in a library so that tests can call it.
#pragma once

namespace cw {

// Returns the exit status: 0 success, 1 the answer is "no", 2 wrong usage or unreadable input.
[[nodiscard]] int runProgram(int argc, char** argv);

} // namespace cw
