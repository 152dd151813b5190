// SPDX-License-Identifier: GPL-3.0-or-later
//
// The canvas under the pointer: mouse, wheel, drags from the palette.
#include "views/canvas/canvas_view.h"

#include "views/canvas/band_gesture.h"
#include "views/canvas/connect_gesture.h"
#include "views/canvas/drop_gesture.h"
#include "views/canvas/move_gesture.h"
#include "views/canvas/resize_gesture.h"
#include "views/text/quantity_text.h"
#include "views/widgets/toast.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QScrollBar>
#include <QToolTip>

#include <cmath>

namespace cw {

using Kind = CanvasHit::Kind;

GestureEvent CanvasView::gestureEvent(const QPoint& position, Qt::KeyboardModifiers modifiers) const {
    // Finer than mapToScene(QPoint): the middle of the pixel at any zoom.
    const QPointF scene = viewportTransform().inverted().map(QPointF(position));
    return {scene, position, modifiers, zoom()};
}

void CanvasView::beginGesture(std::unique_ptr<Gesture> gesture) {
    cancelGesture();
    m_gesture = std::move(gesture);
    m_still = {};
    m_canvas->setHover({});
    viewport()->setCursor(m_gesture->cursor());
    m_edgeScroll.start();
    showStatus();
}

void CanvasView::endGesture() {
    m_gesture.reset();
    m_edgeScroll.stop();
    m_still = {};
    viewport()->unsetCursor();
    viewport()->update();
    updateSceneRect();
    emit statusChanged({});
}

void CanvasView::cancelGesture() {
    m_pressPending = false;
    if (!m_gesture)
        return;
    m_gestureEnds = true;
    m_gesture->cancel();
    m_gestureEnds = false;
    endGesture();
}

bool CanvasView::finishGesture(const GestureEvent& event) {
    m_gestureEnds = true;
    const bool done = m_gesture->finish(event);
    m_gestureEnds = false;
    return done;
}

void CanvasView::showStatus() { emit statusChanged(m_gesture ? m_gesture->status() : QString()); }

// Mouse -----------------------------------------------------------------------------------------

void CanvasView::mousePressEvent(QMouseEvent* event) {
    finishEditing(true);
    const QPoint position = event->position().toPoint();
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_spaceDown)) {
        m_panning = true;
        m_panLast = position;
        viewport()->setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() == Qt::RightButton && m_gesture) {
        cancelGesture();
        return;
    }
    if (event->button() != Qt::LeftButton || m_gesture)
        return; // a gesture without a button ends on the release
    const GestureEvent press = gestureEvent(position, event->modifiers());
    if (pressOnStages(press))
        return;
    pressOn(m_canvas->hitAt(press.scene, press.scale), press);
}

/// The layer of stages lies over everything: a tag begins a route, an arrow is chosen.
bool CanvasView::pressOnStages(const GestureEvent& press) {
    if (m_stages.workload.empty())
        return false;
    constexpr double reach = 6;
    const int tag = m_stages.tagAt(press.scene), arrow = tag < 0 ? m_stages.arrowAt(press.scene, reach / press.scale) : -1;
    chooseRoute(arrow);
    if (tag >= 0 && !m_canvas->document().readOnly())
        beginGesture(std::make_unique<StageGesture>(*m_canvas, m_stages, tag));
    if (arrow >= 0)
        m_canvas->select({});
    return tag >= 0 || arrow >= 0;
}

/// Selects at once where that is what a click means; what a drag would do is decided when the mouse moves.
void CanvasView::pressOn(const CanvasHit& hit, const GestureEvent& press) {
    m_press = press;
    m_pressHit = hit;
    m_pressPending = true;
    const bool adds = press.modifiers & Qt::ShiftModifier, toggles = press.modifiers & Qt::ControlModifier;
    if (hit.kind == Kind::handle) {
        m_pressPending = false;
        beginGesture(std::make_unique<ConnectGesture>(*m_canvas, hit.index, hit.point));
        return;
    }
    if (hit.kind == Kind::nothing) {
        if (!adds && !toggles)
            m_canvas->select({});
        return;
    }
    const ElementRef ref = m_canvas->refOf(hit);
    if (toggles)
        return; // decided on release: Ctrl+drag copies
    if (adds) {
        std::vector<ElementRef> more = selection();
        more.push_back(ref);
        m_canvas->select(std::move(more));
    } else if (!m_canvas->isSelected(ref)) {
        m_canvas->select({ref});
    }
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint position = event->position().toPoint();
    if (m_panning) {
        const QPoint step = position - m_panLast;
        m_panLast = position;
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - step.x());
        verticalScrollBar()->setValue(verticalScrollBar()->value() - step.y());
        return;
    }
    if (m_gesture) {
        m_gesture->move(gestureEvent(position, event->modifiers()));
        viewport()->setCursor(m_gesture->cursor());
        viewport()->update();
        showStatus();
        return;
    }
    if (m_pressPending && (position - m_press.screen).manhattanLength() >= QApplication::startDragDistance()) {
        m_pressPending = false;
        m_pressHit = m_canvas->hitAt(m_press.scene, m_press.scale); // the picture may be another one since the press
        if (m_pressHit.kind == Kind::nothing || m_pressHit.kind == Kind::link) {
            beginGesture(std::make_unique<BandGesture>(*m_canvas, m_press));
        } else if (m_pressHit.kind == Kind::frameEdge) {
            beginGesture(std::make_unique<ResizeGesture>(*m_canvas, m_pressHit.index, m_pressHit.edges, m_press));
        } else {
            const ElementRef ref = m_canvas->refOf(m_pressHit);
            if (!m_canvas->isSelected(ref))
                m_canvas->select({ref});
            beginGesture(std::make_unique<MoveGesture>(*m_canvas, m_pressHit, m_press));
        }
        m_gesture->move(gestureEvent(position, event->modifiers()));
        viewport()->update();
        showStatus();
        return;
    }
    if (event->buttons() == Qt::NoButton)
        showHover(position);
}

void CanvasView::showHover(const QPoint& position) {
    const GestureEvent now = gestureEvent(position, {});
    CanvasHit hit = m_canvas->hitAt(now.scene, now.scale);
    m_canvas->setHover(hit);
    if (m_spaceDown)
        viewport()->setCursor(Qt::OpenHandCursor);
    else if (hit.kind == Kind::handle)
        viewport()->setCursor(Qt::CrossCursor);
    else if (hit.kind == Kind::frameEdge)
        viewport()->setCursor(ResizeGesture::cursorFor(hit.edges));
    else
        viewport()->unsetCursor();
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
    if (m_panning && (event->button() == Qt::MiddleButton || event->button() == Qt::LeftButton)) {
        m_panning = false;
        viewport()->unsetCursor();
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    const QPoint position = event->position().toPoint();
    if (m_gesture) {
        if (finishGesture(gestureEvent(position, event->modifiers()))) {
            if (const QString refusal = m_gesture->refusal(); !refusal.isEmpty())
                Toast::post(this, refusal);
            endGesture();
        } else
            showStatus();
        showHover(position);
        return;
    }
    if (m_pressPending) {
        m_pressPending = false;
        m_pressHit = m_canvas->hitAt(m_press.scene, m_press.scale);
        if (m_pressHit.kind != Kind::nothing) {
            const ElementRef ref = m_canvas->refOf(m_pressHit);
            if (m_press.modifiers & Qt::ControlModifier)
                m_canvas->toggle(ref);
            else if (!(m_press.modifiers & Qt::ShiftModifier))
                m_canvas->select({ref});
        }
    }
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_pressPending = false;
    cancelGesture();
    const GestureEvent now = gestureEvent(event->position().toPoint(), {});
    if (const int arrow = m_stages.tagAt(now.scene) < 0 ? m_stages.arrowAt(now.scene, 6 / now.scale) : -1; arrow >= 0) {
        chooseRoute(arrow);
        editShare(arrow);
        return;
    }
    const CanvasHit hit = m_canvas->hitAt(now.scene, now.scale);
    if (hit.kind == Kind::nothing)
        return;
    const ElementRef ref = m_canvas->refOf(hit);
    m_canvas->select({ref});
    if (hit.kind == Kind::link)
        emit activated(ref);
    else
        editName(ref);
}

void CanvasView::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() & Qt::ControlModifier) {
        const double steps = event->angleDelta().y() / 120.;
        setZoom(zoom() * std::pow(1.2, steps), event->position().toPoint());
        event->accept();
        return;
    }
    QPoint step = event->pixelDelta();
    if (step.isNull())
        step = event->angleDelta() / 2;
    if (event->modifiers() & Qt::ShiftModifier && step.x() == 0)
        step = step.transposed();
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - step.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - step.y());
    event->accept();
}

bool CanvasView::event(QEvent* event) {
    if (event->type() == QEvent::NativeGesture) {
        auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            setZoom(zoom() * (1 + gesture->value()), viewport()->mapFrom(this, gesture->position().toPoint()));
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const GestureEvent now = gestureEvent(viewport()->mapFrom(this, help->pos()), {});
        QToolTip::showText(help->globalPos(), m_gesture ? QString() : toolTipFor(m_canvas->hitAt(now.scene, now.scale)), this);
        return true;
    }
    return QGraphicsView::event(event);
}

QString CanvasView::toolTipFor(const CanvasHit& hit) const {
    const TopologyPicture& picture = m_canvas->picture();
    if (hit.kind == Kind::node || hit.kind == Kind::handle) {
        const NodeFigure& node = picture.nodes[size_t(hit.index)];
        QString text =
            QStringLiteral("<b>%1</b> %2<br>%3").arg(node.name.toHtmlEscaped(), node.count, node.caption.toHtmlEscaped());
        if (!std::isnan(node.utilisation))
            text += QStringLiteral("<br>") + tr("%1 % busy").arg(std::lround(node.utilisation * 100));
        for (const PortFigure& port : node.ports)
            text += QStringLiteral("<br>") + tr("%1 of %2 ports %3 used").arg(port.used).arg(port.count).arg(port.label);
        return text;
    }
    if (hit.kind == Kind::link) {
        const LinkFigure& link = picture.links[size_t(hit.index)];
        QString text = QStringLiteral("<b>%1 → %2</b><br>%3")
                           .arg(picture.nodes[size_t(link.from)].name.toHtmlEscaped(),
                                picture.nodes[size_t(link.to)].name.toHtmlEscaped(), link.medium.toHtmlEscaped());
        if (link.cables > 0)
            text += QStringLiteral("<br>") + tr("%1 cables").arg(link.cables);
        if (!std::isnan(link.utilisation))
            text += QStringLiteral("<br>") + tr("%1 loaded on average").arg(quantityText(link.utilisation, Unit::fraction));
        if (link.peak > link.utilisation * 1.05)
            text += QStringLiteral("<br>") + tr("%1 in its busiest phase").arg(quantityText(link.peak, Unit::fraction));
        for (const QString& line : link.traffic)
            text += QStringLiteral("<br>") + line.toHtmlEscaped();
        return text;
    }
    return {};
}

void CanvasView::scrollAtEdge() {
    if (!m_gesture || QApplication::mouseButtons() == Qt::NoButton)
        return;
    const QPoint position = viewport()->mapFromGlobal(QCursor::pos());
    const QRect inner = viewport()->rect().adjusted(20, 20, -20, -20);
    if (inner.contains(position) || !viewport()->rect().adjusted(-60, -60, 60, 60).contains(position))
        return;
    const auto step = [](int value, int low, int high) { return value < low ? -14 : value > high ? 14 : 0; };
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() + step(position.x(), inner.left(), inner.right()));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + step(position.y(), inner.top(), inner.bottom()));
    m_gesture->move(gestureEvent(position, QApplication::keyboardModifiers()));
    viewport()->update();
}

void CanvasView::leaveEvent(QEvent* event) {
    m_canvas->setHover({});
    QGraphicsView::leaveEvent(event);
}

// Drag and drop ---------------------------------------------------------------------------------

void CanvasView::dragEnterEvent(QDragEnterEvent* event) {
    if (!event->mimeData()->hasFormat(QLatin1String(partMimeType)) || m_canvas->document().readOnly()) {
        event->ignore();
        return;
    }
    const PartId part(event->mimeData()->data(QLatin1String(partMimeType)).toStdString());
    beginGesture(std::make_unique<DropGesture>(*m_canvas, part));
    event->setDropAction(Qt::CopyAction);
    event->accept();
}

void CanvasView::dragMoveEvent(QDragMoveEvent* event) {
    auto* drop = dynamic_cast<DropGesture*>(m_gesture.get());
    if (!drop) {
        event->ignore();
        return;
    }
    drop->move(gestureEvent(event->position().toPoint(), event->modifiers()));
    viewport()->update();
    showStatus();
    event->setDropAction(Qt::CopyAction);
    if (drop->fits())
        event->accept();
    else
        event->ignore();
}

void CanvasView::dragLeaveEvent(QDragLeaveEvent*) { cancelGesture(); }

void CanvasView::dropEvent(QDropEvent* event) {
    if (!m_gesture) {
        event->ignore();
        return;
    }
    finishGesture(gestureEvent(event->position().toPoint(), event->modifiers()));
    endGesture();
    setFocus();
    event->setDropAction(Qt::CopyAction);
    event->accept();
}

} // namespace cw
