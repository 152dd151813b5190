// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/connect_gesture.h"

#include "model/checks/checks.h"
#include "views/canvas/canvas_scene.h"
#include "views/canvas/canvas_text.h"
#include "views/canvas/link_geometry.h"
#include "views/text/names.h"

#include <algorithm>

namespace cw {

namespace {

/// Above this, targets are only judged when the pointer is over them.
constexpr size_t lightUpLimit = 300;

} // namespace

ConnectGesture::ConnectGesture(CanvasScene& canvas, int fromNode, const QPointF& start)
    : Gesture(canvas)
    , m_from(canvas.picture().nodes[size_t(fromNode)].id)
    , m_start(start)
    , m_now(start)
    , m_status(CanvasText::tr("Connect %1 with …").arg(canvas.picture().nodes[size_t(fromNode)].name)) {}

/// The link that would be made, against the project without the preview.
const ConnectGesture::Offer& ConnectGesture::offerFor(const NodeId& to) const {
    auto [entry, fresh] = m_offers.try_emplace(to.value);
    Offer& offer = entry->second;
    if (!fresh)
        return offer;
    const Project& project = m_canvas.document().project();
    const Alternative* alternative = project.findAlternative(m_canvas.alternativeId());
    const Node* a = alternative ? alternative->findNode(m_from) : nullptr;
    const Node* b = alternative ? alternative->findNode(to) : nullptr;
    if (!a || !b)
        return offer;
    const Expected<PartId> medium = proposeMedium(*alternative, *a, *b, m_canvas.catalog());
    if (!medium) {
        const auto has = [&](const Node& node) {
            const Part* part = m_canvas.catalog().findPart(node.part);
            const QString ports = part ? QString::fromStdString(portsText(*part)) : QString();
            const QString name = QString::fromStdString(node.name);
            return ports.isEmpty() ? CanvasText::tr("%1 names no ports").arg(name) : CanvasText::tr("%1 has %2").arg(name, ports);
        };
        offer.reason = CanvasText::tr("No cable fits: %1; %2").arg(has(*a), has(*b));
        return offer;
    }
    for (const Node* end : {a, b}) {
        const std::vector<PortUse> ports = portUse(*alternative, *end, m_canvas.catalog());
        const bool full = std::all_of(ports.begin(), ports.end(), [](const PortUse& use) { return use.used >= use.group.count; });
        if (full && !ports.empty()) {
            offer.reason = CanvasText::tr("All ports of %1 are taken").arg(QString::fromStdString(end->name));
            return offer;
        }
    }
    Link link = proposeLink(*alternative, *a, *b, m_canvas.catalog());
    link.id = LinkId(freeId(project, m_canvas.alternativeId(), "link"));
    if (link.medium.empty())
        link.medium = *medium;
    offer.link = std::move(link);
    return offer;
}

void ConnectGesture::target(const NodeId& node) {
    if (node == m_to)
        return;
    m_to = node;
    m_canvas.document().clearPreview();
    const int index = m_to ? m_canvas.picture().nodeIndex(m_to) : -1;
    if (index < 0) {
        m_status = CanvasText::tr("Connect with … (Esc cancels)");
        return;
    }
    const QString name = m_canvas.picture().nodes[size_t(index)].name;
    const Offer& offer = offerFor(m_to);
    if (!offer.link) {
        m_status = offer.reason.isEmpty() ? CanvasText::tr("%1 cannot be connected").arg(name) : offer.reason;
        return;
    }
    const Part* medium = m_canvas.catalog().findPart(offer.link->medium);
    const QString mediumName = QString::fromStdString(medium ? info(*medium).name : offer.link->medium.value);
    m_status = CanvasText::tr("%1: %2, %3, %4 per connection")
                   .arg(name, mediumName, patternName(offer.link->pattern))
                   .arg(offer.link->lanes);
    m_canvas.document().setPreview(
        edits::insertLink(m_canvas.document().project(), m_canvas.alternativeId(), *offer.link, "preview"));
}

void ConnectGesture::move(const GestureEvent& event) {
    const int from = m_canvas.picture().nodeIndex(m_from);
    if (from < 0)
        return; // taken away under the gesture
    m_moved = m_moved || QLineF(event.scene, m_start).length() * event.scale > 6;
    m_now = event.scene;
    NodeId over;
    for (const NodeFigure& node : m_canvas.picture().nodes) {
        if (node.rect.adjusted(-4, -4, 4, 4).contains(event.scene))
            over = node.id;
    }
    // The own card counts as a target only after leaving its border: direct networks (rings) connect a stack with itself.
    if (over == m_from && !m_canvas.picture().nodes[size_t(from)].rect.adjusted(14, 14, -14, -14).contains(event.scene))
        over = {};
    target(over);
}

bool ConnectGesture::finish(const GestureEvent& event) {
    move(event);
    if (!m_moved)
        return false; // a click on a handle: the next click ends it
    if (m_to && offerFor(m_to).link)
        commit();
    else {
        if (m_to)
            m_refusal = m_status;
        cancel();
    }
    return true;
}

void ConnectGesture::commit() {
    const Offer& offer = offerFor(m_to);
    Document& document = m_canvas.document();
    document.clearPreview();
    const Edit edit =
        edits::insertLink(document.project(), m_canvas.alternativeId(), *offer.link, CanvasText::tr("Connect").toStdString());
    const ElementRef ref{ElementKind::link, m_canvas.alternativeId(), offer.link->id.value};
    m_done = true;
    if (document.push(edit))
        m_canvas.select({ref});
}

void ConnectGesture::cancel() {
    m_canvas.document().clearPreview();
    m_canvas.update();
}

bool ConnectGesture::key(int key, Qt::KeyboardModifiers modifiers) {
    const TopologyPicture& picture = m_canvas.picture();
    if (key == Qt::Key_Tab || key == Qt::Key_Backtab) {
        const int count = int(picture.nodes.size());
        const int step = key == Qt::Key_Backtab || (modifiers & Qt::ShiftModifier) ? count - 1 : 1;
        int index = m_to ? picture.nodeIndex(m_to) : picture.nodeIndex(m_from);
        for (int tries = 0; tries < count; ++tries) {
            index = (index + step) % count;
            const NodeId id = picture.nodes[size_t(index)].id;
            if (offerFor(id).link) {
                m_now = picture.nodes[size_t(index)].rect.center();
                target(id);
                break;
            }
        }
        return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        if (m_to && offerFor(m_to).link)
            commit();
        return true;
    }
    return false;
}

void ConnectGesture::pictureRemade() { m_canvas.update(); }

void ConnectGesture::paint(QPainter& painter, double scale) const {
    const TopologyPicture& picture = m_canvas.picture();
    const int from = picture.nodeIndex(m_from);
    if (from < 0)
        return;
    painter.setBrush(Qt::NoBrush);
    if (picture.nodes.size() <= lightUpLimit) {
        for (const NodeFigure& node : picture.nodes) {
            const bool fits = node.id != m_from && offerFor(node.id).link;
            if (!fits)
                continue;
            painter.setPen(QPen(theme().good, (node.id == m_to ? 3 : 1.6) / scale));
            painter.drawRoundedRect(node.rect.adjusted(-5, -5, 5, 5), 11, 11);
        }
    }
    const int to = m_to ? picture.nodeIndex(m_to) : -1;
    const bool fits = to >= 0 && offerFor(m_to).link;
    if (to >= 0 && !fits) {
        painter.setPen(QPen(theme().bad, 2 / scale, Qt::DashLine));
        painter.drawRoundedRect(picture.nodes[size_t(to)].rect.adjusted(-5, -5, 5, 5), 11, 11);
    }
    if (!fits) {
        QPen pen(theme().accent, 2 / scale);
        pen.setDashPattern({4, 3});
        painter.setPen(pen);
        painter.drawLine(m_start, m_now);
        painter.setBrush(theme().accent);
        painter.drawEllipse(m_now, 4 / scale, 4 / scale);
    }
}

} // namespace cw
