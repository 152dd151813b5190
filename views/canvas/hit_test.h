// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is under a point of a picture. Pure.
#pragma once

#include "model/edit/edit.h"
#include "views/canvas/picture.h"

namespace cw {

struct CanvasHit {
    enum class Kind : quint8 { nothing, node, handle, rack, link, frame, frameEdge };
    Kind kind = Kind::nothing;
    int index = -1;  ///< into the picture's list of that kind
    Qt::Edges edges; ///< of a frame
    QPointF point;   ///< centre of a handle
    bool operator==(const CanvasHit&) const = default;
};

/// `scale` is screen pixels per scene unit: how exactly a hand can point. `hovered` is the node whose port handles show, or −1.
CanvasHit hitTest(const TopologyPicture& picture, const QPointF& point, double scale, int hovered = -1);

/// The innermost frame around a point, among those for which `skip` does not hold (by index); −1: none.
int frameAt(const TopologyPicture& picture, const QPointF& point, const std::vector<char>* skip = nullptr);

ElementRef refOf(const TopologyPicture& picture, const AlternativeId& alternative, const CanvasHit& hit);

} // namespace cw
