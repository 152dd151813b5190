// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/documents/themed_plots.h"

namespace cw {

PlotStyle plotStyle(const Theme& theme)
{
    PlotStyle style;
    style.background = theme.card;
    style.text = theme.text;
    style.subtle = theme.textMuted;
    style.grid = theme.gridLine;
    style.good = theme.loadLow;
    style.warning = theme.loadHigh;
    style.bad = theme.loadFull;
    style.target = theme.goodSoft;
    style.series.assign(theme.series.begin(), theme.series.end());
    style.stack.assign(theme.timeParts.begin(), theme.timeParts.end());
    style.font = textFont(TextRole::small);
    return style;
}

} // namespace cw
