// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/hit_test.h"

#include "views/canvas/link_geometry.h"
#include "views/canvas/picture_painter.h"

#include <cmath>

namespace cw {

namespace {

/// The edges of a frame near a point; none when it is elsewhere.
Qt::Edges edgesNear(const QRectF& rect, const QPointF& point, double reach) {
    if (!rect.adjusted(-reach, -reach, reach, reach).contains(point))
        return {};
    Qt::Edges edges;
    if (std::abs(point.x() - rect.left()) <= reach)
        edges |= Qt::LeftEdge;
    else if (std::abs(point.x() - rect.right()) <= reach)
        edges |= Qt::RightEdge;
    if (std::abs(point.y() - rect.top()) <= reach)
        edges |= Qt::TopEdge;
    else if (std::abs(point.y() - rect.bottom()) <= reach)
        edges |= Qt::BottomEdge;
    return edges;
}

} // namespace

CanvasHit hitTest(const TopologyPicture& picture, const QPointF& point, double scale, int hovered) {
    using Kind = CanvasHit::Kind;
    const double reach = 7 / scale;
    if (hovered >= 0 && hovered < int(picture.nodes.size()) && detailAt(scale) >= Detail::near) {
        for (const QPointF& handle : handlePoints(picture.nodes[size_t(hovered)].rect)) {
            if (QLineF(handle, point).length() <= handleRadius + 4 / scale)
                return {Kind::handle, hovered, {}, handle};
        }
    }
    for (int i = int(picture.nodes.size()) - 1; i >= 0; --i) {
        if (picture.nodes[size_t(i)].rect.contains(point))
            return {Kind::node, i, {}, {}};
    }
    for (int i = int(picture.racks.size()) - 1; i >= 0; --i) {
        if (picture.racks[size_t(i)].rect.contains(point))
            return {Kind::rack, i, {}, {}};
    }
    if (const int link = linkAt(picture, point, reach); link >= 0)
        return {Kind::link, link, {}, {}};
    for (int i = int(picture.frames.size()) - 1; i >= 0; --i) {
        const QRectF& rect = picture.frames[size_t(i)].rect;
        if (const Qt::Edges edges = edgesNear(rect, point, reach))
            return {Kind::frameEdge, i, edges, {}};
        const double title = frameTitle + 6 * std::max(0., .8 / scale - 1);
        if (QRectF(rect.topLeft(), QSizeF(rect.width(), title)).contains(point))
            return {Kind::frame, i, {}, {}};
    }
    return {};
}

int frameAt(const TopologyPicture& picture, const QPointF& point, const std::vector<char>* skip) {
    for (int i = int(picture.frames.size()) - 1; i >= 0; --i) {
        if (!(skip && (*skip)[size_t(i)]) && picture.frames[size_t(i)].rect.contains(point))
            return i;
    }
    return -1;
}

ElementRef refOf(const TopologyPicture& picture, const AlternativeId& alternative, const CanvasHit& hit) {
    const auto i = size_t(hit.index);
    switch (hit.kind) {
    case CanvasHit::Kind::node:
    case CanvasHit::Kind::handle:
        return {ElementKind::node, alternative, picture.nodes[i].id.value};
    case CanvasHit::Kind::rack:
        return {ElementKind::rack, alternative, picture.racks[i].id.value};
    case CanvasHit::Kind::link:
        return {ElementKind::link, alternative, picture.links[i].id.value};
    case CanvasHit::Kind::frame:
    case CanvasHit::Kind::frameEdge:
        return {ElementKind::frame, alternative, picture.frames[i].id.value};
    case CanvasHit::Kind::nothing:
        break;
    }
    return {};
}

} // namespace cw
