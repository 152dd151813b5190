// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/assert.h"

#include <cstdio>
#include <cstdlib>

namespace cw {

void assertionFailed(const char* condition, const char* file, int line) noexcept {
    std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    std::abort();
}

} // namespace cw
