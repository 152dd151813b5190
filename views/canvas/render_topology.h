// SPDX-License-Identifier: GPL-3.0-or-later
//
// The canvas as a picture for reports, slides and exports: what the screen shows, without a window. Deterministic: same input, same
// drawing. GUI thread or any thread that may use fonts.
#pragma once

#include "estimators/estimate.h"
#include "model/catalog/catalog.h"
#include "model/design/project.h"
#include "views/canvas/picture.h"
#include "views/theme/theme.h"

#include <QRectF>
#include <QSizeF>

class QPainter;

namespace cw {

/// Size of the drawing at 100 %, margins included; choose a target of this shape to use it fully.
QSizeF topologySize(const Project& project, const AlternativeId& alternative, const Catalog& catalog);

/// Paints the alternative, as large as it fits, into the middle of `target`. A null estimate leaves loads out; an unknown alternative
/// paints nothing. The painter comes back as it was.
void renderTopology(QPainter& painter, const Project& project, const AlternativeId& alternative, const Catalog& catalog,
                    const AlternativeEstimate* estimate, const QRectF& target, ThemeKind theme = ThemeKind::light,
                    Overlay overlay = Overlay::load);

} // namespace cw
