// SPDX-License-Identifier: GPL-3.0-or-later
//
// Icons of the application as vectors, in the colours of the theme at the moment they are painted: an icon made once is right in every
// theme, size and scaling. GUI thread only.
#pragma once

#include "views/theme/theme.h"

#include <QIcon>

namespace cw {

enum class Icon : quint8 {
    newDocument,
    open,
    save,
    saveAs,
    exportDocument,
    print,
    recent,
    undo,
    redo,
    cut,
    copy,
    paste,
    duplicate,
    remove,
    rename,
    selectAll,
    add,
    minus,
    close,
    more,
    menu,
    check,
    search,
    commands,
    preferences,
    help,
    info,
    zoomIn,
    zoomOut,
    zoomFit,
    zoomActual,
    zoomSelection,
    minimap,
    alignLeft,
    alignRight,
    alignTop,
    alignBottom,
    alignCentreX,
    alignCentreY,
    distributeX,
    distributeY,
    tidy,
    group,
    explode,
    merge,
    link,
    frame,
    rack,
    snap,
    topology,
    racks,
    heat,
    document,
    chart,
    table,
    alternatives,
    compare,
    baseline,
    baselineOff,
    power,
    cost,
    temperature,
    carbon,
    time,
    throughput,
    error,
    warning,
    advice,
    ok,
    explain,
    source,
    apply,
    play,
    stop,
    present,
    theme,
    pin,
    detach,
    left,
    right,
    up,
    down,
    eye,
    lock,
};

/// Painted in the theme's text colour (muted when disabled, accent when on); judgement icons in their own colour.
QIcon icon(Icon which);

/// For painters of our own.
void paintIcon(QPainter& painter, const QRectF& target, Icon which, const QColor& colour);

} // namespace cw
