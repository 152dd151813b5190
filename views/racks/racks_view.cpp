// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/racks/racks_view.h"

#include "views/canvas/drop_gesture.h"
#include "views/racks/rack_painter.h"
#include "views/text/quantity_text.h"
#include "views/theme/icons.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cw {

namespace {

constexpr double margin = 24;
using M = RackMetrics;

} // namespace

RacksView::RacksView(Document& document, Catalog catalog, QWidget* parent)
    : FacilityView(document, std::move(catalog), parent) {
    setAcceptDrops(true);
    setAccessibleName(tr("Rack elevations"));
}

QString RacksView::emptyText() const {
    return tr("No racks yet. Machines are packed into racks as soon as there are some; drop a rack type here to draw your own.");
}

double RacksView::openingZoom() const {
    double highest = 0;
    for (const Elevation& rack : m_elevations)
        highest = std::max(highest, elevationSize(rack).height());
    return highest > 0 ? std::clamp(viewport()->height() / (highest + 2 * margin), .45, 1.) : 1;
}

QSizeF RacksView::layOut(double width) {
    RackRows rows = inRows(m_elevations, 0, 1, {width - 2 * margin, std::numeric_limits<double>::infinity()});
    m_corners = std::move(rows.corners);
    for (QPointF& corner : m_corners)
        corner += QPointF(margin, margin);
    return rows.size.grownBy({margin, margin, margin, margin});
}

void RacksView::paintContent(QPainter& painter) {
    ElevationPaint paint;
    paint.theme = &theme();
    paint.selectedNodes = &m_selectedNodes;
    paint.stale = m_stale;
    const QRectF shown(toContent({}), toContent(QPointF(viewport()->width(), viewport()->height())));
    for (size_t i = 0; i < m_elevations.size(); ++i) {
        if (!shown.intersects(QRectF(m_corners[i], elevationSize(m_elevations[i])).adjusted(-10, -10, 10, 10)))
            continue;
        paint.selected = isSelected(ElementKind::rack, m_elevations[i].rack.value) && !m_elevations[i].automatic;
        paintElevation(painter, m_elevations[i], m_corners[i], paint);
    }
    if (m_target && m_target->rack >= 0 && m_target->u > 0) {
        const Elevation& rack = m_elevations[size_t(m_target->rack)];
        const QColor colour = m_target->reason.isEmpty() ? theme().accent : theme().bad;
        painter.setPen(QPen(colour, 2, m_target->reason.isEmpty() ? Qt::SolidLine : Qt::DashLine));
        QColor fill = colour;
        fill.setAlphaF(.15f);
        painter.setBrush(fill);
        painter.drawRoundedRect(blockRect(rack, m_corners[size_t(m_target->rack)], m_target->u, m_target->height), 2, 2);
    }
}

QRectF RacksView::elevationRect(int rack) const {
    const QPointF scroll(horizontalScrollBar()->value(), verticalScrollBar()->value());
    return QRectF(m_corners[size_t(rack)] * zoom() - scroll, elevationSize(m_elevations[size_t(rack)]) * zoom());
}

QRectF RacksView::unitRect(int rack, int u) const {
    const QPointF scroll(horizontalScrollBar()->value(), verticalScrollBar()->value());
    const QRectF block = blockRect(m_elevations[size_t(rack)], m_corners[size_t(rack)], u, 1);
    return QRectF(block.topLeft() * zoom() - scroll, block.size() * zoom());
}

RacksView::Place RacksView::placeAt(const QPointF& content) const {
    Place place;
    for (size_t i = 0; i < m_elevations.size(); ++i) {
        const Elevation& rack = m_elevations[i];
        if (!QRectF(m_corners[i], elevationSize(rack)).contains(content))
            continue;
        place.rack = int(i);
        const QRectF area = unitsArea(rack, m_corners[i]);
        if (content.y() < area.top() || content.y() > area.bottom()) {
            place.header = true;
            return place;
        }
        place.u = std::clamp(int((area.bottom() - content.y()) / M::unit) + 1, 1, rack.units);
        for (size_t d = 0; d < rack.devices.size(); ++d) {
            const RackDevice& device = rack.devices[d];
            if (blockRect(rack, m_corners[i], device.u, device.height).contains(content))
                place.device = int(d);
        }
    }
    return place;
}

void RacksView::push(const RackEdit& edit) {
    QString reason;
    if (!edit)
        emit statusChanged(edit.error());
    else if (!m_document.push(*edit, &reason) && !reason.isEmpty())
        emit statusChanged(reason);
}

// Mouse -----------------------------------------------------------------------------------------

void RacksView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_pressedAt = toContent(event->position());
    m_pressed = placeAt(m_pressedAt);
    const bool adds = event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier);
    std::vector<ElementRef> chosen = adds ? m_selection : std::vector<ElementRef>();
    if (m_pressed.rack >= 0) {
        const Elevation& rack = m_elevations[size_t(m_pressed.rack)];
        if (m_pressed.device >= 0)
            chosen.push_back({ElementKind::node, m_alternative, rack.devices[size_t(m_pressed.device)].node.value});
        else if (!rack.automatic)
            chosen.push_back({ElementKind::rack, m_alternative, rack.rack.value});
    }
    choose(std::move(chosen));
}

void RacksView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF content = toContent(event->position());
    if (!(event->buttons() & Qt::LeftButton) || m_pressed.device < 0)
        return;
    if (!m_drag && (content - m_pressedAt).manhattanLength() * zoom() < QApplication::startDragDistance())
        return;
    targetMove(content, event->modifiers() & Qt::ShiftModifier);
}

/// Works out what the drag would do at this point, for painting and for the drop.
void RacksView::targetMove(const QPointF& content, bool single) {
    const Elevation& from = m_elevations[size_t(m_pressed.rack)];
    const RackDevice& grabbed = from.devices[size_t(m_pressed.device)];
    const int members = single ? 1 : from.items[size_t(grabbed.item)].perRack;
    // The block keeps its place under the pointer.
    double lowest = grabbed.u;
    if (!single) {
        for (const RackDevice& device : from.devices) {
            if (device.item == grabbed.item)
                lowest = std::min(lowest, device.u);
        }
    }
    const Place place = placeAt(content);
    m_drag = DeviceMove{m_pressed.rack, grabbed.item, single, place.rack, 0};
    m_target = Target{place.rack, 0, grabbed.height * members, {}};
    if (place.rack >= 0 && place.u > 0) {
        const int offset = m_pressed.u - int(lowest);
        const int highest = std::max(1, m_elevations[size_t(place.rack)].units - int(std::ceil(m_target->height)) + 1);
        m_drag->u = std::clamp(place.u - offset, 1, highest);
        m_target->u = m_drag->u;
        const RackEdit trial = moveDevice(scene(), *m_drag);
        m_target->reason = trial ? QString() : trial.error();
    } else {
        m_target->reason = tr("Drop it into a rack");
    }
    viewport()->setCursor(m_target->reason.isEmpty() ? Qt::ClosedHandCursor : Qt::ForbiddenCursor);
    emit statusChanged(!m_target->reason.isEmpty() ? m_target->reason
                           : single                ? tr("One %1 to U%2").arg(grabbed.name).arg(m_target->u)
                                                   : tr("%1 to U%2 (Shift: only one)").arg(grabbed.name).arg(m_target->u));
    viewport()->update();
}

void RacksView::endDrag() {
    m_drag.reset();
    m_target.reset();
    m_pressed = {};
    m_dropped = {};
    viewport()->unsetCursor();
    viewport()->update();
    emit statusChanged({});
}

void RacksView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    if (m_drag && m_target && m_target->reason.isEmpty()) {
        const RackEdit edit = moveDevice(scene(), *m_drag);
        endDrag();
        push(edit);
        return;
    }
    endDrag();
}

void RacksView::mouseDoubleClickEvent(QMouseEvent* event) {
    const Place place = placeAt(toContent(event->position()));
    endDrag();
    if (place.rack >= 0 && m_elevations[size_t(place.rack)].automatic && place.device < 0)
        push(adoptRack(scene(), place.rack));
}

void RacksView::contextMenuEvent(QContextMenuEvent* event) {
    const Place place = placeAt(toContent(event->pos()));
    if (place.rack < 0)
        return;
    const Elevation& rack = m_elevations[size_t(place.rack)];
    QMenu menu(this);
    if (rack.automatic)
        menu.addAction(icon(Icon::rack), tr("Make this rack part of the drawing"), this,
                       [&] { push(adoptRack(scene(), place.rack)); });
    if (!rack.automatic && place.device >= 0) {
        const int item = rack.devices[size_t(place.device)].item;
        menu.addAction(icon(Icon::up), tr("Place automatically"), this,
                       [&] { push(moveDevice(scene(), {place.rack, item, false, place.rack, 0})); });
        menu.addAction(icon(Icon::remove), tr("Take out of the rack"), this, [&] { push(takeOut(scene(), place.rack, item)); });
    }
    if (!menu.isEmpty())
        menu.exec(event->globalPos());
}

void RacksView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_drag) {
        endDrag();
        return;
    }
    if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace) {
        std::vector<ElementRef> racks;
        for (const ElementRef& ref : m_selection) {
            if (ref.kind == ElementKind::rack)
                racks.push_back(ref);
        }
        if (!racks.empty())
            push(edits::remove(m_document.project(), racks, tr("Delete rack").toStdString()));
        return;
    }
    FacilityView::keyPressEvent(event);
}

bool RacksView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const Place place = placeAt(toContent(viewport()->mapFrom(this, help->pos())));
        QString text;
        if (place.rack >= 0) {
            const Elevation& rack = m_elevations[size_t(place.rack)];
            if (place.device >= 0) {
                const RackDevice& device = rack.devices[size_t(place.device)];
                text = tr("%1 · U%2, %3U").arg(device.name).arg(device.u).arg(device.height);
            } else {
                text = rack.name + QStringLiteral(" · ") + quantityText(rack.power, Unit::watts) + QStringLiteral(" / ") +
                    quantityText(rack.limit, Unit::watts);
            }
        }
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return FacilityView::event(event);
}

// Parts from the palette ------------------------------------------------------------------------

void RacksView::dragEnterEvent(QDragEnterEvent* event) {
    if (!event->mimeData()->hasFormat(QLatin1String(partMimeType)) || m_document.readOnly()) {
        event->ignore();
        return;
    }
    m_dropped = PartId(event->mimeData()->data(QLatin1String(partMimeType)).toStdString());
    event->setDropAction(Qt::CopyAction);
    event->accept();
}

void RacksView::dragMoveEvent(QDragMoveEvent* event) {
    const Place place = placeAt(toContent(event->position()));
    Target target{place.rack, place.u, heightOf(m_dropped, m_catalog), {}};
    if (place.rack >= 0)
        target.u =
            std::clamp(place.u, 0, std::max(1, m_elevations[size_t(place.rack)].units - int(std::ceil(target.height)) + 1));
    const PartDrop drop = dropIntoRack(scene(), m_dropped, target.rack, target.u);
    target.reason = drop.edit ? QString() : drop.edit.error();
    // The figures show what the drop would do.
    if (!m_target || m_target->rack != target.rack || m_target->reason != target.reason) {
        if (drop.edit)
            m_document.setPreview(*drop.edit);
        else
            m_document.clearPreview();
    }
    m_target = target;
    emit statusChanged(target.reason.isEmpty() && drop.edit ? QString::fromStdString(drop.edit->name) : target.reason);
    viewport()->update();
    event->setDropAction(Qt::CopyAction);
    if (drop.edit)
        event->accept();
    else
        event->ignore();
}

void RacksView::dragLeaveEvent(QDragLeaveEvent*) {
    m_document.clearPreview();
    endDrag();
}

void RacksView::dropEvent(QDropEvent* event) {
    const std::optional<Target> target = m_target;
    const PartId part = m_dropped;
    m_document.clearPreview();
    endDrag();
    if (!target)
        return;
    const PartDrop drop = dropIntoRack(scene(), part, target->rack, target->u);
    push(drop.edit);
    if (drop.edit)
        choose({drop.created});
    event->setDropAction(Qt::CopyAction);
    event->accept();
}

} // namespace cw
