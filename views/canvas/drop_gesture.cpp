// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/drop_gesture.h"

#include "views/canvas/snap.h"

#include <algorithm>

namespace cw {

DropGesture::DropGesture(CanvasScene& canvas, PartId part)
    : Gesture(canvas)
    , m_part(std::move(part))
    , m_before(canvas.picture()) {}

void DropGesture::move(const GestureEvent& event) {
    InsertPlace place;
    place.hit = hitTest(m_before, event.scene, event.scale);
    place.point = event.scene;
    place.replace = event.modifiers & Qt::ShiftModifier;
    const bool sameTarget = m_plan && place.hit == m_place.hit && place.replace == m_place.replace &&
        frameAt(m_before, place.point) == frameAt(m_before, m_place.point);
    m_place = place;
    if (sameTarget)
        placeGhost(); // same effect at another place: estimates need not run again
    else
        plan(place);
}

void DropGesture::plan(const InsertPlace& place) {
    Document& document = m_canvas.document();
    m_plan = planInsert(document.project(), m_canvas.alternativeId(), m_canvas.catalog(), m_before, m_part, place);
    if (m_plan)
        document.setPreview(m_plan->edit);
    else
        document.clearPreview();
    placeGhost();
}

/// Moves the previewed card under the pointer without a new preview.
void DropGesture::placeGhost() {
    if (!m_plan || m_plan->created.empty() || !m_plan->target.isEmpty())
        return;
    TopologyPicture& picture = m_canvas.draftPicture();
    const auto put = [this](QRectF& rect) {
        rect.moveTopLeft(snapped(m_place.point - QPointF(rect.width() / 2, rect.height() / 2)));
    };
    if (const int node = picture.nodeIndex(NodeId(m_plan->created)); node >= 0)
        put(picture.nodes[size_t(node)].rect);
    else if (const int rack = picture.rackIndex(RackId(m_plan->created)); rack >= 0)
        put(picture.racks[size_t(rack)].rect);
    m_canvas.update();
}

bool DropGesture::finish(const GestureEvent& event) {
    Document& document = m_canvas.document();
    InsertPlace place;
    place.hit = hitTest(m_before, event.scene, event.scale);
    place.point = event.scene;
    place.replace = event.modifiers & Qt::ShiftModifier;
    document.clearPreview();
    m_plan = planInsert(document.project(), m_canvas.alternativeId(), m_canvas.catalog(), m_before, m_part, place);
    if (m_plan && document.push(m_plan->edit))
        m_canvas.select(m_plan->concerned);
    return true;
}

void DropGesture::cancel() {
    m_canvas.document().clearPreview();
    m_canvas.rebuild();
}

void DropGesture::paint(QPainter& painter, double scale) const {
    painter.setBrush(Qt::NoBrush);
    if (!m_plan) {
        painter.setPen(QPen(theme().bad, 2 / scale, Qt::DashLine));
        painter.drawRoundedRect(QRectF(m_place.point - QPointF(nodeSize.width() / 2, nodeSize.height() / 2), nodeSize), 8, 8);
    } else if (!m_plan->target.isEmpty()) {
        painter.setPen(QPen(theme().accent, 2.4 / scale));
        painter.drawRoundedRect(m_plan->target.adjusted(-5, -5, 5, 5), 11, 11);
    } else if (!m_plan->created.empty()) {
        const TopologyPicture& picture = m_canvas.picture();
        const int node = picture.nodeIndex(NodeId(m_plan->created));
        if (node >= 0) {
            QPen pen(theme().accent, 1.6 / scale);
            pen.setDashPattern({4, 3});
            painter.setPen(pen);
            painter.drawRoundedRect(picture.nodes[size_t(node)].rect.adjusted(-5, -5, 5, 5), 11, 11);
        }
    }
}

} // namespace cw
