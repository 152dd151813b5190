// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run_program.h"

#include "model/version.h"

#include <cstdio>

namespace cw {

int runProgram(int, char**) {
    const std::string version(programVersion());
    std::printf("clusterwright %s\n", version.c_str());
    return 0;
}

} // namespace cw
