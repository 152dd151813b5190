// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/render_topology.h"

#include "views/canvas/picture_painter.h"

#include <QPainter>

#include <algorithm>

namespace cw {

namespace {

constexpr double margin = 24;
constexpr double mostScale = 1.3;      // larger looks coarse
constexpr size_t alwaysReadable = 200; // nodes up to which names are printed however small: paper can be read closely

} // namespace

QSizeF topologySize(const Project& project, const AlternativeId& alternative, const Catalog& catalog) {
    const Alternative* shown = project.findAlternative(alternative);
    if (!shown)
        return {};
    return makePicture(project, *shown, catalog).bounds().adjusted(-margin, -margin, margin, margin).size();
}

void renderTopology(QPainter& painter, const Project& project, const AlternativeId& alternative, const Catalog& catalog,
                    const AlternativeEstimate* estimate, const QRectF& target, ThemeKind kind, Overlay overlay) {
    const Alternative* shown = project.findAlternative(alternative);
    if (!shown || target.isEmpty())
        return;
    TopologyPicture picture = makePicture(project, *shown, catalog);
    applyEstimate(picture, estimate, overlay);
    const QRectF area = picture.bounds().adjusted(-margin, -margin, margin, margin);
    const double dots = painter.device() ? painter.device()->logicalDpiX() / 96. : 1;
    const double scale = std::min({target.width() / area.width(), target.height() / area.height(), mostScale * dots});

    painter.save();
    if (kind == ThemeKind::dark)
        painter.fillRect(target, Theme::of(kind).canvas);
    painter.setClipRect(target, Qt::IntersectClip);
    painter.translate(target.center());
    painter.scale(scale, scale);
    painter.translate(-area.center());
    PaintContext context;
    context.theme = &Theme::of(kind);
    context.scale = scale / dots;
    if (picture.nodes.size() <= alwaysReadable)
        context.scale = std::clamp(context.scale, .67, 1.3);
    context.exposed = area;
    paintPicture(painter, picture, context);
    painter.restore();
}

} // namespace cw
