// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/resize_gesture.h"

#include "views/canvas/canvas_scene.h"
#include "views/canvas/canvas_text.h"
#include "views/canvas/edit_steps.h"
#include "views/canvas/snap.h"

namespace cw {

namespace {

constexpr double leastWidth = 120, leastHeight = 80;

} // namespace

ResizeGesture::ResizeGesture(CanvasScene& canvas, int frame, Qt::Edges edges, const GestureEvent& press)
    : Gesture(canvas)
    , m_frame(canvas.picture().frames[size_t(frame)].id)
    , m_edges(edges)
    , m_press(press.scene)
    , m_before(canvas.picture().frames[size_t(frame)].rect)
    , m_now(m_before) {}

Qt::CursorShape ResizeGesture::cursorFor(Qt::Edges edges) {
    if (edges == (Qt::LeftEdge | Qt::TopEdge) || edges == (Qt::RightEdge | Qt::BottomEdge))
        return Qt::SizeFDiagCursor;
    if (edges == (Qt::RightEdge | Qt::TopEdge) || edges == (Qt::LeftEdge | Qt::BottomEdge))
        return Qt::SizeBDiagCursor;
    return edges & (Qt::LeftEdge | Qt::RightEdge) ? Qt::SizeHorCursor : Qt::SizeVerCursor;
}

void ResizeGesture::move(const GestureEvent& event) {
    const QPointF delta = event.scene - m_press;
    const bool free = event.modifiers & Qt::AltModifier;
    const auto placed = [free](double value) { return free ? value : snapped(value); };
    m_now = m_before;
    if (m_edges & Qt::LeftEdge)
        m_now.setLeft(std::min(placed(m_before.left() + delta.x()), m_before.right() - leastWidth));
    if (m_edges & Qt::RightEdge)
        m_now.setRight(std::max(placed(m_before.right() + delta.x()), m_before.left() + leastWidth));
    if (m_edges & Qt::TopEdge)
        m_now.setTop(std::min(placed(m_before.top() + delta.y()), m_before.bottom() - leastHeight));
    if (m_edges & Qt::BottomEdge)
        m_now.setBottom(std::max(placed(m_before.bottom() + delta.y()), m_before.top() + leastHeight));
    pictureRemade();
    m_canvas.update();
}

void ResizeGesture::pictureRemade() {
    TopologyPicture& picture = m_canvas.draftPicture();
    if (const int index = picture.frameIndex(m_frame); index >= 0)
        picture.frames[size_t(index)].rect = m_now;
}

bool ResizeGesture::finish(const GestureEvent& event) {
    move(event);
    if (m_now == m_before) {
        m_canvas.rebuild();
        return true;
    }
    const AlternativeId& alternative = m_canvas.alternativeId();
    EditSteps steps(m_canvas.document().project());
    ItemView view;
    view.x = m_now.x();
    view.y = m_now.y();
    view.width = m_now.width();
    view.height = m_now.height();
    steps.add(edits::move(steps.project(), alternative, {{m_frame.value, view}}, {}));
    for (const NodeFigure& node : m_canvas.picture().nodes) {
        const int innermost = frameAt(m_canvas.picture(), node.rect.center());
        const FrameId home = innermost >= 0 ? m_canvas.picture().frames[size_t(innermost)].id : FrameId();
        const bool concerned = (node.frame == m_frame) != (home == m_frame);
        if (!concerned)
            continue;
        const ElementRef ref{ElementKind::node, alternative, node.id.value};
        Element now = elementAt(steps.project(), ref);
        if (Node* value = std::get_if<Node>(&now)) {
            value->frame = home;
            steps.add(edits::set(steps.project(), ref, std::move(now), {}));
        }
    }
    if (!m_canvas.document().push(steps.take(CanvasText::tr("Resize frame"))))
        m_canvas.rebuild();
    return true;
}

void ResizeGesture::cancel() { m_canvas.rebuild(); }

QString ResizeGesture::status() const { return QStringLiteral("%1 × %2").arg(m_now.width()).arg(m_now.height()); }

} // namespace cw
