// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/band_gesture.h"

#include "views/canvas/canvas_scene.h"
#include "views/canvas/canvas_text.h"

#include <algorithm>

namespace cw {

BandGesture::BandGesture(CanvasScene& canvas, const GestureEvent& press)
    : Gesture(canvas)
    , m_press(press.scene)
    , m_now(press.scene)
    , m_modifiers(press.modifiers)
    , m_before(canvas.selection()) {}

std::vector<ElementRef> BandGesture::caught() const {
    const QRectF band = QRectF(m_press, m_now).normalized();
    const bool touching = m_now.x() < m_press.x();
    const auto isIn = [&](const QRectF& rect) { return touching ? band.intersects(rect) : band.contains(rect); };
    const TopologyPicture& picture = m_canvas.picture();
    const AlternativeId& alternative = m_canvas.alternativeId();
    std::vector<ElementRef> found;
    for (const NodeFigure& node : picture.nodes) {
        if (isIn(node.rect))
            found.push_back({ElementKind::node, alternative, node.id.value});
    }
    for (const RackFigure& rack : picture.racks) {
        if (isIn(rack.rect))
            found.push_back({ElementKind::rack, alternative, rack.id.value});
    }
    for (const FrameFigure& frame : picture.frames) {
        if (band.contains(frame.rect))
            found.push_back({ElementKind::frame, alternative, frame.id.value});
    }
    return found;
}

void BandGesture::move(const GestureEvent& event) {
    m_now = event.scene;
    std::vector<ElementRef> found = caught();
    if (m_modifiers & Qt::ControlModifier) {
        std::vector<ElementRef> toggled;
        std::sort(found.begin(), found.end());
        std::set_symmetric_difference(m_before.begin(), m_before.end(), found.begin(), found.end(), std::back_inserter(toggled));
        found = std::move(toggled);
    } else if (m_modifiers & Qt::ShiftModifier) {
        found.insert(found.end(), m_before.begin(), m_before.end());
    }
    m_canvas.select(std::move(found));
}

bool BandGesture::finish(const GestureEvent& event) {
    move(event);
    return true;
}

void BandGesture::cancel() { m_canvas.select(m_before); }

void BandGesture::paint(QPainter& painter, double scale) const {
    QPen pen(theme().accent, 1 / scale);
    if (m_now.x() < m_press.x())
        pen.setDashPattern({4, 3});
    QColor fill = theme().accent;
    fill.setAlphaF(.1f);
    painter.setPen(pen);
    painter.setBrush(fill);
    painter.drawRect(QRectF(m_press, m_now).normalized());
}

QString BandGesture::status() const {
    return m_now.x() < m_press.x() ? CanvasText::tr("Select what is touched") : CanvasText::tr("Select what is enclosed");
}

} // namespace cw
