// SPDX-License-Identifier: GPL-3.0-or-later
//
// The command line: one program, many verbs, no display. Results go to standard output, progress and messages to standard error.
// Exit status: 0 success, 1 the answer is "no", 2 wrong usage or unreadable input.
#pragma once

#include <string>
#include <vector>

namespace cw::cli {

/// True when the first argument is a verb, --help or --version, so that no window is wanted.
bool isCommand(int argc, char** argv);

int run(int argc, char** argv);

} // namespace cw::cli
