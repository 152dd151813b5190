// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/move_gesture.h"

#include "views/canvas/canvas_scene.h"
#include "views/canvas/canvas_text.h"
#include "views/canvas/edit_steps.h"

#include <cmath>

namespace cw {

namespace {

constexpr size_t neighbourLimit = 400;

} // namespace

MoveGesture::MoveGesture(CanvasScene& canvas, const CanvasHit& grabbed, const GestureEvent& press)
    : Gesture(canvas)
    , m_press(press.scene)
    , m_copying(press.modifiers & (Qt::ControlModifier | Qt::AltModifier))
    , m_copyByAlt(press.modifiers & Qt::AltModifier) {
    collect(grabbed);
}

/// Marks what moves: the selection, what stands in moving frames, and the links of moving nodes.
void MoveGesture::collect(const CanvasHit& grabbed) {
    const TopologyPicture& picture = m_canvas.picture();
    m_moving.nodes.assign(picture.nodes.size(), 0);
    m_moving.links.assign(picture.links.size(), 0);
    m_moving.frames.assign(picture.frames.size(), 0);
    m_moving.racks.assign(picture.racks.size(), 0);
    m_withFrame.assign(picture.nodes.size(), 0);
    for (size_t i = 0; i < picture.nodes.size(); ++i)
        m_moving.nodes[i] = picture.nodes[i].selected;
    for (size_t i = 0; i < picture.racks.size(); ++i)
        m_moving.racks[i] = picture.racks[i].selected;
    for (size_t i = 0; i < picture.frames.size(); ++i) {
        if (picture.frames[i].selected)
            takeFrame(int(i));
    }
    for (size_t i = 0; i < picture.links.size(); ++i)
        m_moving.links[i] = m_moving.nodes[size_t(picture.links[i].from)] || m_moving.nodes[size_t(picture.links[i].to)];

    const auto index = size_t(grabbed.index);
    m_grabbed = grabbed.kind == CanvasHit::Kind::node                                          ? picture.nodes[index].rect
        : grabbed.kind == CanvasHit::Kind::rack                                                ? picture.racks[index].rect
        : grabbed.kind == CanvasHit::Kind::frame || grabbed.kind == CanvasHit::Kind::frameEdge ? picture.frames[index].rect
                                                                                               : QRectF(m_press, QSizeF(1, 1));
    m_neighbours.clear();
    const QRectF near = m_grabbed.adjusted(-1500, -1500, 1500, 1500);
    for (size_t i = 0; i < picture.nodes.size() && m_neighbours.size() < neighbourLimit; ++i) {
        if (!m_moving.nodes[i] && near.intersects(picture.nodes[i].rect))
            m_neighbours.push_back(picture.nodes[i].rect);
    }
}

void MoveGesture::takeFrame(int frame) {
    const TopologyPicture& picture = m_canvas.picture();
    if (m_moving.frames[size_t(frame)])
        return;
    m_moving.frames[size_t(frame)] = 1;
    const FrameId& id = picture.frames[size_t(frame)].id;
    for (size_t i = 0; i < picture.nodes.size(); ++i) {
        if (picture.nodes[i].frame == id) {
            m_moving.nodes[i] = 1;
            m_withFrame[i] = 1;
        }
    }
    for (size_t i = 0; i < picture.racks.size(); ++i) {
        if (picture.racks[i].frame == id)
            m_moving.racks[i] = 1;
    }
    for (size_t i = 0; i < picture.frames.size(); ++i) {
        if (picture.frames[i].parent == id)
            takeFrame(int(i));
    }
}

void MoveGesture::shiftPicture(const QPointF& delta) {
    if (m_copying)
        return;
    TopologyPicture& picture = m_canvas.draftPicture();
    const QPointF step = delta - m_shown;
    for (size_t i = 0; i < picture.nodes.size(); ++i) {
        if (m_moving.nodes[i])
            picture.nodes[i].rect.translate(step);
    }
    for (size_t i = 0; i < picture.racks.size(); ++i) {
        if (m_moving.racks[i])
            picture.racks[i].rect.translate(step);
    }
    for (size_t i = 0; i < picture.frames.size(); ++i) {
        if (m_moving.frames[i])
            picture.frames[i].rect.translate(step);
    }
    m_shown = delta;
}

void MoveGesture::move(const GestureEvent& event) {
    QPointF delta = event.scene - m_press;
    if (event.modifiers & Qt::ShiftModifier) {
        if (std::abs(delta.x()) >= std::abs(delta.y()))
            delta.setY(0);
        else
            delta.setX(0);
    }
    if (m_copyByAlt && !(event.modifiers & Qt::AltModifier))
        m_copyByAlt = false; // Alt has said "copy"; pressed again it says "do not snap"
    const bool free = (event.modifiers & Qt::AltModifier) && !m_copyByAlt;
    m_snap = free ? Snap{delta, {}} : snapMove(m_grabbed, delta, m_neighbours, 5 / event.scale);
    if (!free && (event.modifiers & Qt::ShiftModifier)) {
        if (delta.y() == 0)
            m_snap.delta.setY(0);
        else
            m_snap.delta.setX(0);
    }
    moveBy(m_snap.delta);
}

void MoveGesture::moveBy(const QPointF& delta) {
    if (!fitsPicture())
        return;
    m_delta = delta;
    shiftPicture(delta);
    findTarget();
}

/// The frame or rack that the grabbed figure would land in.
void MoveGesture::findTarget() {
    const TopologyPicture& picture = m_canvas.picture();
    const QPointF centre = m_grabbed.center() + m_delta;
    m_frame = frameAt(m_canvas.picture(), centre, &m_moving.frames);
    m_frameId = m_frame >= 0 ? picture.frames[size_t(m_frame)].id : FrameId();
    m_rack = -1;
    const bool nodesOnly = std::find(m_moving.frames.begin(), m_moving.frames.end(), 1) == m_moving.frames.end() &&
        std::find(m_moving.racks.begin(), m_moving.racks.end(), 1) == m_moving.racks.end();
    for (size_t i = 0; i < picture.racks.size() && nodesOnly && !m_copying; ++i) {
        if (picture.racks[i].rect.contains(centre))
            m_rack = int(i);
    }
}

/// Somebody may change the design under the drag (an undo by key): what has been collected is then about another picture.
bool MoveGesture::fitsPicture() const {
    const TopologyPicture& picture = m_canvas.picture();
    return picture.nodes.size() == m_moving.nodes.size() && picture.links.size() == m_moving.links.size() &&
        picture.frames.size() == m_moving.frames.size() && picture.racks.size() == m_moving.racks.size();
}

void MoveGesture::pictureRemade() {
    if (!fitsPicture())
        return;
    m_shown = {};
    shiftPicture(m_delta);
}

bool MoveGesture::finish(const GestureEvent& event) {
    move(event);
    if (!fitsPicture() || (m_delta.isNull() && m_rack < 0))
        m_canvas.rebuild();
    else if (m_copying)
        commitCopy();
    else
        commitMove();
    return true;
}

void MoveGesture::cancel() { m_canvas.rebuild(); }

/// Where everything that moved stands now, by element id.
std::map<std::string, ItemView> MoveGesture::places() const {
    const TopologyPicture& picture = m_canvas.picture();
    std::map<std::string, ItemView> places;
    for (size_t i = 0; i < picture.nodes.size(); ++i) {
        if (m_moving.nodes[i])
            places[picture.nodes[i].id.value] = {picture.nodes[i].rect.x(), picture.nodes[i].rect.y(), 0, 0, {}};
    }
    for (size_t i = 0; i < picture.racks.size(); ++i) {
        if (m_moving.racks[i])
            places[picture.racks[i].id.value] = {picture.racks[i].rect.x(), picture.racks[i].rect.y(), 0, 0, {}};
    }
    for (size_t i = 0; i < picture.frames.size(); ++i) {
        const QRectF& rect = picture.frames[i].rect;
        if (m_moving.frames[i])
            places[picture.frames[i].id.value] = {rect.x(), rect.y(), rect.width(), rect.height(), {}};
    }
    return places;
}

/// What was moved by itself, not with its frame, now belongs to the frame it lies in.
void MoveGesture::joinFrame(EditSteps& steps) const {
    const TopologyPicture& picture = m_canvas.picture();
    const auto join = [this, &steps](ElementKind kind, const std::string& id) {
        const ElementRef ref{kind, m_canvas.alternativeId(), id};
        Element now = elementAt(steps.project(), ref);
        if (Node* node = std::get_if<Node>(&now))
            node->frame = m_frameId;
        else if (Rack* rack = std::get_if<Rack>(&now))
            rack->frame = m_frameId;
        else if (Frame* frame = std::get_if<Frame>(&now))
            frame->parent = m_frameId;
        steps.add(edits::set(steps.project(), ref, std::move(now), {}));
    };
    for (size_t i = 0; i < picture.nodes.size(); ++i) {
        if (m_moving.nodes[i] && !m_withFrame[i] && picture.nodes[i].frame != m_frameId)
            join(ElementKind::node, picture.nodes[i].id.value);
    }
    for (const RackFigure& rack : picture.racks) {
        if (rack.selected && rack.frame != m_frameId)
            join(ElementKind::rack, rack.id.value);
    }
    for (const FrameFigure& frame : picture.frames) {
        if (frame.selected && frame.parent != m_frameId)
            join(ElementKind::frame, frame.id.value);
    }
}

/// Dropped on a rack: the stacks stand in it, and their cards stay where they were.
void MoveGesture::putIntoRack(EditSteps& steps) const {
    const TopologyPicture& picture = m_canvas.picture();
    const ElementRef ref{ElementKind::rack, m_canvas.alternativeId(), picture.racks[size_t(m_rack)].id.value};
    Element now = elementAt(steps.project(), ref);
    Rack* rack = std::get_if<Rack>(&now);
    if (!rack)
        return;
    for (size_t i = 0; i < picture.nodes.size(); ++i) {
        const bool there = std::any_of(rack->items.begin(), rack->items.end(),
                                       [&](const RackItem& item) { return item.node == picture.nodes[i].id; });
        if (m_moving.nodes[i] && !there)
            rack->items.push_back({picture.nodes[i].id, 1, 0});
    }
    steps.add(edits::set(steps.project(), ref, std::move(now), {}));
}

void MoveGesture::commitMove() {
    EditSteps steps(m_canvas.document().project());
    if (m_rack >= 0) {
        putIntoRack(steps);
    } else {
        joinFrame(steps);
        steps.add(edits::move(steps.project(), m_canvas.alternativeId(), places(), {}));
    }
    const QString what = CanvasText::items(m_canvas.document().project(), m_canvas.selection());
    const QString name = (m_rack >= 0 ? CanvasText::tr("Put %1 into rack") : CanvasText::tr("Move %1")).arg(what);
    if (!m_canvas.document().push(steps.take(name)))
        m_canvas.rebuild();
}

void MoveGesture::commitCopy() {
    const Project& project = m_canvas.document().project();
    const std::string copied = clipboardText(project, m_canvas.alternativeId(), m_canvas.selection());
    const QString name = CanvasText::tr("Duplicate %1").arg(CanvasText::items(project, m_canvas.selection()));
    const Expected<Edit> edit =
        pasteEdit(project, m_canvas.alternativeId(), copied, m_delta.x(), m_delta.y(), name.toStdString());
    if (!edit || !m_canvas.document().push(*edit)) {
        m_canvas.rebuild();
        return;
    }
    std::vector<ElementRef> fresh;
    for (const Change& change : edit->changes) {
        if (std::holds_alternative<std::monostate>(change.before) && change.ref.kind != ElementKind::view &&
            change.ref.kind != ElementKind::placement && change.ref.kind != ElementKind::link)
            fresh.push_back(change.ref);
    }
    m_canvas.select(std::move(fresh));
}

void MoveGesture::paint(QPainter& painter, double scale) const {
    const TopologyPicture& picture = m_canvas.picture();
    if (!fitsPicture())
        return;
    QPen guide(theme().accent, 1 / scale);
    if (m_copying) {
        guide.setDashPattern({4, 3});
        painter.setPen(guide);
        painter.setBrush(Qt::NoBrush);
        for (size_t i = 0; i < picture.nodes.size(); ++i) {
            if (m_moving.nodes[i])
                painter.drawRoundedRect(picture.nodes[i].rect.translated(m_delta), 8, 8);
        }
        for (size_t i = 0; i < picture.frames.size(); ++i) {
            if (m_moving.frames[i])
                painter.drawRoundedRect(picture.frames[i].rect.translated(m_delta), 10, 10);
        }
        guide.setStyle(Qt::SolidLine);
    }
    painter.setPen(guide);
    for (const QLineF& line : m_snap.guides)
        painter.drawLine(line);
    QPen target(theme().accent, 2 / scale);
    painter.setPen(target);
    painter.setBrush(Qt::NoBrush);
    if (m_rack >= 0)
        painter.drawRoundedRect(picture.racks[size_t(m_rack)].rect.adjusted(-4, -4, 4, 4), 8, 8);
    else if (m_frame >= 0 && m_frame < int(picture.frames.size()))
        painter.drawRoundedRect(picture.frames[size_t(m_frame)].rect, 10, 10);
}

QString MoveGesture::status() const {
    const TopologyPicture& picture = m_canvas.picture();
    if (!fitsPicture())
        return {};
    QString text = QStringLiteral("Δ %1, %2").arg(m_delta.x()).arg(m_delta.y());
    if (m_rack >= 0)
        text += QStringLiteral(" · ") + CanvasText::tr("into rack %1").arg(picture.racks[size_t(m_rack)].name);
    else if (m_frame >= 0 && m_frame < int(picture.frames.size()))
        text += QStringLiteral(" · ") + CanvasText::tr("in %1").arg(picture.frames[size_t(m_frame)].title);
    return text;
}

} // namespace cw
