// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/canvas_commands.h"

#include "views/canvas/canvas_text.h"
#include "views/canvas/edit_steps.h"
#include "views/canvas/insert_part.h"
#include "views/canvas/snap.h"

#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double copyOffset = 20;

/// What an edit brought into the alternative, to select it.
std::vector<ElementRef> inserted(const Edit& edit) {
    std::vector<ElementRef> fresh;
    for (const Change& change : edit.changes) {
        const bool drawn =
            change.ref.kind == ElementKind::node || change.ref.kind == ElementKind::frame || change.ref.kind == ElementKind::rack;
        if (drawn && std::holds_alternative<std::monostate>(change.before))
            fresh.push_back(change.ref);
    }
    return fresh;
}

} // namespace

CanvasCommands::CanvasCommands(CanvasScene& canvas)
    : QObject(&canvas)
    , m_canvas(canvas) {}

bool CanvasCommands::push(const Edit& edit) {
    QString reason;
    if (m_canvas.document().push(edit, &reason))
        return true;
    if (!reason.isEmpty())
        emit said(reason);
    return false;
}

void CanvasCommands::deleteSelection() {
    const std::vector<ElementRef> selection = m_canvas.selection();
    if (selection.empty())
        return;
    const Project& project = m_canvas.document().project();
    push(edits::remove(project, selection, CanvasText::tr("Delete %1").arg(CanvasText::items(project, selection)).toStdString()));
}

std::optional<Edit> CanvasCommands::pasteAt(const std::string& text, const QPointF& offset, const QString& name) {
    const Expected<Edit> edit =
        pasteEdit(m_canvas.document().project(), m_canvas.alternativeId(), text, offset.x(), offset.y(), name.toStdString());
    if (!edit) {
        emit said(QString::fromStdString(edit.error().message));
        return std::nullopt;
    }
    if (!push(*edit))
        return std::nullopt;
    m_canvas.select(inserted(*edit));
    return *edit;
}

void CanvasCommands::duplicateSelection() {
    if (m_canvas.selection().empty())
        return;
    const Project& project = m_canvas.document().project();
    const QString name = CanvasText::tr("Duplicate %1").arg(CanvasText::items(project, m_canvas.selection()));
    pasteAt(clipboardText(project, m_canvas.alternativeId(), m_canvas.selection()), {copyOffset, copyOffset}, name);
}

bool CanvasCommands::copy() const {
    if (m_canvas.selection().empty())
        return false;
    const std::string text = clipboardText(m_canvas.document().project(), m_canvas.alternativeId(), m_canvas.selection());
    QGuiApplication::clipboard()->setText(QString::fromStdString(text));
    return true;
}

void CanvasCommands::cut() {
    if (!copy())
        return;
    const std::vector<ElementRef> selection = m_canvas.selection();
    const Project& project = m_canvas.document().project();
    push(edits::remove(project, selection, CanvasText::tr("Cut %1").arg(CanvasText::items(project, selection)).toStdString()));
    m_pasteCount = -1; // what was cut goes back to where it was first
}

void CanvasCommands::paste(const QRectF& visible) {
    const QString text = QGuiApplication::clipboard()->text();
    if (text.trimmed().isEmpty())
        return;
    if (text != m_lastPasted) {
        m_lastPasted = text;
        m_pasteCount = std::min(m_pasteCount, 0);
    }
    ++m_pasteCount;
    QPointF offset = QPointF(copyOffset, copyOffset) * m_pasteCount;
    // Look where it would land before it does.
    const std::string name = CanvasText::tr("Paste").toStdString();
    const Expected<Edit> trial =
        pasteEdit(m_canvas.document().project(), m_canvas.alternativeId(), text.toStdString(), offset.x(), offset.y(), name);
    if (!trial) {
        emit said(QString::fromStdString(trial.error().message));
        return;
    }
    QRectF landing;
    for (const Change& change : trial->changes) {
        if (const ItemView* view = std::get_if<ItemView>(&change.after))
            landing |=
                QRectF(view->x, view->y, std::max(view->width, nodeSize.width()), std::max(view->height, nodeSize.height()));
    }
    if (!landing.isEmpty() && !visible.isEmpty() && !visible.intersects(landing))
        offset += snapped(visible.center() - landing.center());
    pasteAt(text.toStdString(), offset, CanvasText::tr("Paste"));
}

void CanvasCommands::selectAll() {
    std::vector<ElementRef> all;
    const TopologyPicture& picture = m_canvas.picture();
    for (const NodeFigure& node : picture.nodes)
        all.push_back({ElementKind::node, m_canvas.alternativeId(), node.id.value});
    for (const RackFigure& rack : picture.racks)
        all.push_back({ElementKind::rack, m_canvas.alternativeId(), rack.id.value});
    for (const FrameFigure& frame : picture.frames)
        all.push_back({ElementKind::frame, m_canvas.alternativeId(), frame.id.value});
    for (const LinkFigure& link : picture.links)
        all.push_back({ElementKind::link, m_canvas.alternativeId(), link.id.value});
    m_canvas.select(std::move(all));
}

void CanvasCommands::nudge(const QPointF& delta) {
    std::map<std::string, QPointF> corners;
    for (const int i : m_canvas.selectedNodes()) {
        const NodeFigure& node = m_canvas.picture().nodes[size_t(i)];
        corners[node.id.value] = node.rect.topLeft() + delta;
    }
    std::string key = "nudge";
    for (const ElementRef& ref : m_canvas.selection())
        key += " " + ref.id;
    for (const RackFigure& rack : m_canvas.picture().racks) {
        if (rack.selected)
            corners[rack.id.value] = rack.rect.topLeft() + delta;
    }
    for (const FrameFigure& frame : m_canvas.picture().frames) {
        if (!frame.selected)
            continue;
        corners[frame.id.value] = frame.rect.topLeft() + delta;
        for (const NodeFigure& node : m_canvas.picture().nodes) {
            if (node.frame == frame.id)
                corners[node.id.value] = node.rect.topLeft() + delta;
        }
    }
    moveNodes(corners, CanvasText::tr("Move %1").arg(CanvasText::items(m_canvas.document().project(), m_canvas.selection())),
              key);
}

/// Moves nodes, racks and frames by id to these top left corners.
void CanvasCommands::moveNodes(const std::map<std::string, QPointF>& corners, const QString& name, std::string mergeKey) {
    if (corners.empty())
        return;
    std::map<std::string, ItemView> views;
    for (const auto& [id, corner] : corners) {
        ItemView view;
        view.x = corner.x();
        view.y = corner.y();
        if (const int frame = m_canvas.picture().frameIndex(FrameId(id)); frame >= 0) {
            view.width = m_canvas.picture().frames[size_t(frame)].rect.width();
            view.height = m_canvas.picture().frames[size_t(frame)].rect.height();
        }
        views[id] = view;
    }
    push(edits::move(m_canvas.document().project(), m_canvas.alternativeId(), views, name.toStdString(), std::move(mergeKey)));
}

void CanvasCommands::changeCount(int by) {
    EditSteps steps(m_canvas.document().project());
    std::string key = "count";
    std::vector<ElementRef> changed;
    for (const ElementRef& ref : m_canvas.selection()) {
        Element now = elementAt(steps.project(), ref);
        const auto step = [by](std::int64_t count) { return std::clamp<std::int64_t>(count + by, 1, maxStackCount); };
        if (Node* node = std::get_if<Node>(&now))
            node->count = step(node->count);
        else if (Rack* rack = std::get_if<Rack>(&now))
            rack->count = step(rack->count);
        else
            continue;
        key += " " + ref.id;
        changed.push_back(ref);
        steps.add(edits::set(steps.project(), ref, std::move(now), {}));
    }
    if (!changed.empty())
        push(steps.take(CanvasText::tr("Count of %1").arg(CanvasText::items(m_canvas.document().project(), changed)), key));
}

void CanvasCommands::setCount(const NodeId& id, std::int64_t count) {
    const ElementRef ref{ElementKind::node, m_canvas.alternativeId(), id.value};
    Element now = elementAt(m_canvas.document().project(), ref);
    if (Node* node = std::get_if<Node>(&now)) {
        node->count = std::clamp<std::int64_t>(count, 1, maxStackCount);
        const QString name = CanvasText::tr("Count of %1").arg(elementName(m_canvas.document().project(), ref));
        push(edits::set(m_canvas.document().project(), ref, std::move(now), name.toStdString()));
    }
}

void CanvasCommands::rename(const ElementRef& ref, const QString& name) {
    const Project& project = m_canvas.document().project();
    Element now = elementAt(project, ref);
    const std::string text = name.trimmed().toStdString();
    bool known = false;
    std::visit(
        [&](auto& element) {
            if constexpr (requires {
                              element.id;
                              element.name;
                          }) {
                element.name = text;
                known = true;
            }
        },
        now);
    if (known)
        push(edits::set(project, ref, std::move(now), CanvasText::tr("Rename %1").arg(elementName(project, ref)).toStdString()));
}

bool CanvasCommands::insertPart(const PartId& part, const QPointF& centre) {
    InsertPlace place;
    place.point = centre;
    const auto plan =
        planInsert(m_canvas.document().project(), m_canvas.alternativeId(), m_canvas.catalog(), m_canvas.picture(), part, place);
    if (!plan) {
        emit said(plan.error());
        return false;
    }
    if (!push(plan->edit))
        return false;
    m_canvas.select(plan->concerned);
    return true;
}

int CanvasCommands::find(const QString& words) {
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const auto matches = [&wanted](const QString& text) {
        return std::all_of(wanted.begin(), wanted.end(),
                           [&text](const QString& w) { return text.contains(w, Qt::CaseInsensitive); });
    };
    std::vector<ElementRef> found;
    const Alternative* alternative = m_canvas.alternative();
    if (wanted.isEmpty() || !alternative)
        return 0;
    const auto consider = [&](ElementKind kind, const std::string& id, const std::string& name, const PartId& partId,
                              const std::string& more) {
        const Part* part = m_canvas.catalog().findPart(partId);
        const std::string text =
            name + " " + id + " " + partId.value + " " + (part ? info(*part).name : std::string()) + " " + more;
        if (matches(QString::fromStdString(text)))
            found.push_back({kind, m_canvas.alternativeId(), id});
    };
    for (const Node& node : alternative->nodes)
        consider(ElementKind::node, node.id.value, node.name, node.part, node.role);
    for (const Rack& rack : alternative->racks)
        consider(ElementKind::rack, rack.id.value, rack.name, rack.part, {});
    for (const Frame& frame : alternative->frames)
        consider(ElementKind::frame, frame.id.value, frame.name, {}, std::string(name(frame.kind)));
    for (const Link& link : alternative->links)
        consider(ElementKind::link, link.id.value, link.name, link.medium, link.purpose);
    const int count = int(found.size());
    m_canvas.select(std::move(found));
    return count;
}

bool CanvasCommands::selectNext(bool backwards) {
    // Reading order: rows of cards from the top, within a row from the left.
    std::vector<std::pair<std::pair<double, double>, ElementRef>> order;
    for (const NodeFigure& node : m_canvas.picture().nodes)
        order.push_back(
            {{std::round(node.rect.top() / 40), node.rect.left()}, {ElementKind::node, m_canvas.alternativeId(), node.id.value}});
    for (const RackFigure& rack : m_canvas.picture().racks)
        order.push_back(
            {{std::round(rack.rect.top() / 40), rack.rect.left()}, {ElementKind::rack, m_canvas.alternativeId(), rack.id.value}});
    std::sort(order.begin(), order.end());
    if (backwards)
        std::reverse(order.begin(), order.end());
    const auto current =
        std::find_if(order.begin(), order.end(), [this](const auto& entry) { return m_canvas.isSelected(entry.second); });
    const auto next = current == order.end() ? order.begin() : current + 1;
    if (next == order.end())
        return false;
    m_canvas.select({next->second});
    return true;
}

} // namespace cw
