// SPDX-License-Identifier: GPL-3.0-or-later
//
// The canvas under the keyboard: keys, editing in place, the context menu.
#include "views/canvas/canvas_view.h"

#include "views/canvas/connect_gesture.h"
#include "views/canvas/snap.h"
#include "views/theme/icons.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>

#include <utility>

namespace cw {

using Kind = CanvasHit::Kind;

void CanvasView::keyPressEvent(QKeyEvent* event) {
    if (m_gesture && m_gesture->key(event->key(), event->modifiers())) {
        if (const auto* connecting = dynamic_cast<ConnectGesture*>(m_gesture.get()); connecting && connecting->isDone())
            endGesture();
        else
            showStatus();
        viewport()->update();
        return;
    }
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_spaceDown = true;
        if (!m_gesture)
            viewport()->setCursor(Qt::OpenHandCursor);
        return;
    }
    if (event->key() == Qt::Key_Escape) {
        if (m_gesture || m_pressPending) {
            cancelGesture();
        } else {
            m_canvas->select({});
            chooseRoute(-1);
        }
        return;
    }
    if (!m_gesture && (moveKey(event) || commandKey(event)))
        return;
    event->ignore();
}

bool CanvasView::moveKey(QKeyEvent* event) {
    QPointF step;
    switch (event->key()) {
    case Qt::Key_Left:
        step = {-1, 0};
        break;
    case Qt::Key_Right:
        step = {1, 0};
        break;
    case Qt::Key_Up:
        step = {0, -1};
        break;
    case Qt::Key_Down:
        step = {0, 1};
        break;
    default:
        return false;
    }
    if (selection().empty()) {
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() + int(step.x() * 60));
        verticalScrollBar()->setValue(verticalScrollBar()->value() + int(step.y() * 60));
    } else {
        m_commands->nudge(step * (event->modifiers() & Qt::ShiftModifier ? 1 : gridStep));
    }
    return true;
}

bool CanvasView::commandKey(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        copy();
    else if (event->matches(QKeySequence::Cut))
        cut();
    else if (event->matches(QKeySequence::Paste))
        paste();
    else if (event->matches(QKeySequence::SelectAll))
        selectAll();
    else if (event->matches(QKeySequence::ZoomIn))
        zoomBy(1.2);
    else if (event->matches(QKeySequence::ZoomOut))
        zoomBy(1 / 1.2);
    else if (event->modifiers() & Qt::ControlModifier) {
        switch (event->key()) {
        case Qt::Key_D:
            duplicateSelection();
            break;
        case Qt::Key_0:
            zoomToFit();
            break;
        case Qt::Key_1:
            zoomToActualSize();
            break;
        case Qt::Key_2:
            zoomToSelection();
            break;
        default:
            return false;
        }
    } else {
        switch (event->key()) {
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            deleteSelection();
            break;
        case Qt::Key_F2:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            renameSelection();
            break;
        case Qt::Key_BracketLeft:
            changeCount(-1);
            break;
        case Qt::Key_BracketRight:
            changeCount(1);
            break;
        case Qt::Key_G:
            groupIntoFrame();
            break;
        case Qt::Key_L:
            startConnecting();
            break;
        default:
            return false;
        }
    }
    return true;
}

void CanvasView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_spaceDown = false;
        if (!m_gesture && !m_panning)
            viewport()->unsetCursor();
        return;
    }
    QGraphicsView::keyReleaseEvent(event);
}

void CanvasView::focusOutEvent(QFocusEvent* event) {
    m_spaceDown = false;
    QGraphicsView::focusOutEvent(event);
}

/// Tab walks the stacks and leaves the canvas behind the last one, so that the keyboard is not trapped.
bool CanvasView::focusNextPrevChild(bool next) {
    if (m_gesture) {
        m_gesture->key(next ? Qt::Key_Tab : Qt::Key_Backtab, {});
        showStatus();
        viewport()->update();
        return true;
    }
    if (m_editor)
        return QGraphicsView::focusNextPrevChild(next);
    if (m_commands->selectNext(!next)) {
        ensureVisible(m_canvas->boundsOf(selection()), 60, 60);
        return true;
    }
    return QGraphicsView::focusNextPrevChild(next);
}

// Editing in place ------------------------------------------------------------------------------

void CanvasView::renameSelection() {
    if (m_route >= 0) {
        editShare(m_route);
        return;
    }
    if (selection().size() == 1 && selection().front().kind != ElementKind::link)
        editName(selection().front());
}

void CanvasView::editName(const ElementRef& element) {
    finishEditing(true);
    const TopologyPicture& picture = m_canvas->picture();
    QRectF area;
    QString name;
    if (m_canvas->boundsOf({element}).isEmpty())
        return; // not on the canvas
    if (element.kind == ElementKind::node) {
        const NodeFigure& node = picture.nodes[size_t(picture.nodeIndex(NodeId(element.id)))];
        area = QRectF(node.rect.left() + 8, node.rect.top() + 4, node.rect.width() - (node.count.isEmpty() ? 16 : 58), 26);
        name = node.name;
    } else if (element.kind == ElementKind::rack && picture.rackIndex(RackId(element.id)) >= 0) {
        const RackFigure& rack = picture.racks[size_t(picture.rackIndex(RackId(element.id)))];
        area = QRectF(rack.rect.left() + 6, rack.rect.top() + 2, rack.rect.width() - 12, 24);
        name = rack.name;
    } else if (element.kind == ElementKind::frame) {
        const FrameFigure& frame = picture.frames[size_t(picture.frameIndex(FrameId(element.id)))];
        area = QRectF(frame.rect.left() + 8, frame.rect.top() + 3, std::min(240., frame.rect.width() - 16), 26);
        name = frame.title;
    } else {
        return;
    }
    m_edited = element;
    startEditor(area, name, tr("Name"));
}

/// The share of a route, in place.
void CanvasView::editShare(int arrow) {
    finishEditing(true);
    if (m_canvas->document().readOnly())
        return;
    m_editedRoute = m_stages.arrows[size_t(arrow)].route;
    startEditor(m_stages.arrows[size_t(arrow)].labelRect, m_stages.arrows[size_t(arrow)].label, tr("Share of a route"));
}

void CanvasView::startEditor(const QRectF& area, const QString& text, const QString& name) {
    ensureVisible(area, 20, 20);
    m_editor = new QLineEdit(text, viewport());
    m_editor->setFont(textFont(TextRole::title));
    m_editor->setAccessibleName(name);
    QRect place = mapFromScene(area).boundingRect();
    place.setHeight(std::max(place.height(), 26));
    place.setWidth(std::max(place.width(), 140));
    m_editor->setGeometry(place);
    m_editor->selectAll();
    m_editor->show();
    m_editor->setFocus();
    m_editor->installEventFilter(this);
    connect(m_editor, &QLineEdit::editingFinished, this, [this] { finishEditing(true); });
}

bool CanvasView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_editor && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter) {
            finishEditing(key != Qt::Key_Escape);
            return true; // else the canvas would take it for the key that begins to edit
        }
    }
    return QGraphicsView::eventFilter(watched, event);
}

void CanvasView::finishEditing(bool accept) {
    if (!m_editor)
        return;
    QLineEdit* editor = m_editor;
    m_editor = nullptr; // hiding it takes the focus away, which says "editing finished" once more
    const QString name = editor->text();
    const int route = std::exchange(m_editedRoute, -1);
    editor->hide();
    editor->deleteLater();
    setFocus();
    if (!accept)
        return;
    if (route < 0) {
        m_commands->rename(m_edited, name);
    } else if (const std::optional<double> share = shareFromText(name)) {
        m_canvas->document().push(setRouteShare(m_canvas->document().project(), m_stages.workload, route, *share));
    } else {
        emit statusChanged(tr("A share is a number like 30 % or 0.3"));
    }
}

// Context menu ----------------------------------------------------------------------------------

void CanvasView::contextMenuEvent(QContextMenuEvent* event) {
    if (m_gesture)
        return;
    const bool byMouse = event->reason() == QContextMenuEvent::Mouse;
    if (byMouse) {
        const GestureEvent now = gestureEvent(event->pos(), {});
        const CanvasHit hit = m_canvas->hitAt(now.scene, now.scale);
        const ElementRef ref = m_canvas->refOf(hit);
        if (hit.kind == Kind::nothing)
            m_canvas->select({});
        else if (!m_canvas->isSelected(ref))
            m_canvas->select({ref});
    }
    const size_t nodes = m_canvas->selectedNodes().size();
    const bool any = !selection().empty();
    QMenu menu(this);
    const auto add = [&menu](Icon which, const QString& text, const QKeySequence& key, bool enabled, auto action) {
        QAction* entry = menu.addAction(icon(which), text, action);
        entry->setShortcut(key);
        entry->setEnabled(enabled);
    };
    add(Icon::cut, tr("Cut"), QKeySequence::Cut, any, [this] { cut(); });
    add(Icon::copy, tr("Copy"), QKeySequence::Copy, any, [this] { copy(); });
    add(Icon::paste, tr("Paste"), QKeySequence::Paste, true, [this] { paste(); });
    add(Icon::duplicate, tr("Duplicate"), QKeySequence(Qt::CTRL | Qt::Key_D), any, [this] { duplicateSelection(); });
    add(Icon::remove, tr("Delete"), QKeySequence::Delete, any, [this] { deleteSelection(); });
    menu.addSeparator();
    add(Icon::rename, tr("Rename"), QKeySequence(Qt::Key_F2), selection().size() == 1, [this] { renameSelection(); });
    add(Icon::link, tr("Connect …"), QKeySequence(Qt::Key_L), nodes == 1, [this] { startConnecting(); });
    add(Icon::add, tr("One more"), QKeySequence(Qt::Key_BracketRight), nodes > 0, [this] { changeCount(1); });
    add(Icon::minus, tr("One less"), QKeySequence(Qt::Key_BracketLeft), nodes > 0, [this] { changeCount(-1); });
    add(Icon::explode, tr("Explode stack"), {}, nodes == 1, [this] { explode(); });
    add(Icon::merge, tr("Merge stacks"), {}, nodes > 1, [this] { merge(); });
    menu.addSeparator();
    add(Icon::group, tr("Group into frame"), QKeySequence(Qt::Key_G), any, [this] { groupIntoFrame(); });
    add(Icon::tidy, tr("Tidy"), {}, !m_canvas->picture().nodes.empty(), [this] { tidy(); });
    add(Icon::selectAll, tr("Select all"), QKeySequence::SelectAll, true, [this] { selectAll(); });
    add(Icon::zoomFit, tr("Fit all"), QKeySequence(Qt::CTRL | Qt::Key_0), true, [this] { zoomToFit(); });
    emit contextMenuAboutToShow(&menu);
    const QPoint at = byMouse
        ? event->globalPos()
        : viewport()->mapToGlobal(any ? mapFromScene(m_canvas->boundsOf(selection()).center()) : viewport()->rect().center());
    menu.exec(at);
}

} // namespace cw
