// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/version.h"

namespace cw {

std::string_view programVersion() { return CW_VERSION; }

} // namespace cw
