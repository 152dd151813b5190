// SPDX-License-Identifier: GPL-3.0-or-later
//
// The charts' style as the theme has it.
#pragma once

#include "views/plots/plot_style.h"
#include "views/theme/theme.h"

namespace cw {

PlotStyle plotStyle(const Theme& theme);

} // namespace cw
