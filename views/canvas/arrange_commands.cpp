// SPDX-License-Identifier: GPL-3.0-or-later
//
// Commands that arrange: align, distribute, tidy, group, explode, merge.
#include "views/canvas/canvas_commands.h"

#include "views/canvas/canvas_text.h"
#include "views/canvas/edit_steps.h"
#include "views/canvas/snap.h"
#include "views/canvas/tidy_layout.h"

#include <algorithm>

namespace cw {

void CanvasCommands::align(Qt::Alignment edge) {
    const std::vector<int> nodes = m_canvas.selectedNodes();
    if (nodes.size() < 2)
        return;
    QRectF all;
    for (const int i : nodes)
        all |= m_canvas.picture().nodes[size_t(i)].rect;
    std::map<std::string, QPointF> corners;
    for (const int i : nodes) {
        QRectF rect = m_canvas.picture().nodes[size_t(i)].rect;
        if (edge & Qt::AlignLeft)
            rect.moveLeft(all.left());
        else if (edge & Qt::AlignRight)
            rect.moveRight(all.right());
        else if (edge & Qt::AlignHCenter)
            rect.moveLeft(snapped(all.center().x() - rect.width() / 2));
        if (edge & Qt::AlignTop)
            rect.moveTop(all.top());
        else if (edge & Qt::AlignBottom)
            rect.moveBottom(all.bottom());
        else if (edge & Qt::AlignVCenter)
            rect.moveTop(snapped(all.center().y() - rect.height() / 2));
        corners[m_canvas.picture().nodes[size_t(i)].id.value] = rect.topLeft();
    }
    moveNodes(corners, CanvasText::tr("Align %1 items").arg(nodes.size()));
}

void CanvasCommands::distribute(Qt::Orientation along) {
    std::vector<int> nodes = m_canvas.selectedNodes();
    if (nodes.size() < 3)
        return;
    const auto& figures = m_canvas.picture().nodes;
    const bool horizontal = along == Qt::Horizontal;
    const auto start = [&](int i) { return horizontal ? figures[size_t(i)].rect.left() : figures[size_t(i)].rect.top(); };
    std::sort(nodes.begin(), nodes.end(), [&](int a, int b) { return start(a) < start(b); });
    const double first = start(nodes.front()), step = (start(nodes.back()) - first) / double(nodes.size() - 1);
    std::map<std::string, QPointF> corners;
    for (size_t i = 0; i < nodes.size(); ++i) {
        QPointF corner = figures[size_t(nodes[i])].rect.topLeft();
        (horizontal ? corner.rx() : corner.ry()) = first + double(i) * step;
        corners[figures[size_t(nodes[i])].id.value] = corner;
    }
    moveNodes(corners, CanvasText::tr("Distribute %1 items").arg(nodes.size()));
}

void CanvasCommands::tidy() {
    const Alternative* alternative = m_canvas.alternative();
    if (!alternative || alternative->nodes.empty())
        return;
    const TopologyPicture& picture = m_canvas.picture();
    std::vector<int> chosen = m_canvas.selectedNodes();
    const bool all = chosen.size() < 2;
    if (all) {
        chosen.resize(picture.nodes.size());
        for (size_t i = 0; i < chosen.size(); ++i)
            chosen[i] = int(i);
    }
    std::vector<int> place(picture.nodes.size(), -1);
    const std::vector<TidyNode> everyone = tidyNodes(picture, *alternative);
    std::vector<TidyNode> nodes;
    QRectF before;
    for (const int i : chosen) {
        place[size_t(i)] = int(nodes.size());
        nodes.push_back(everyone[size_t(i)]);
        before |= picture.nodes[size_t(i)].rect;
    }
    std::vector<std::pair<int, int>> links;
    for (const auto& [a, b] : tidyLinks(picture)) {
        if (place[size_t(a)] >= 0 && place[size_t(b)] >= 0)
            links.emplace_back(place[size_t(a)], place[size_t(b)]);
    }
    const std::vector<QPointF> corners = tidyLayout(nodes, links);
    QRectF after;
    for (const QPointF& corner : corners)
        after |= QRectF(corner, nodeSize);
    const QPointF shift = all ? QPointF() : snapped(before.center() - after.center());

    TopologyPicture tidied = picture;
    for (size_t i = 0; i < chosen.size(); ++i)
        tidied.nodes[size_t(chosen[i])].rect.moveTopLeft(corners[i] + shift);
    std::map<std::string, ItemView> views;
    for (const int i : chosen) {
        const QRectF& rect = tidied.nodes[size_t(i)].rect;
        ItemView view;
        view.x = rect.x();
        view.y = rect.y();
        views[picture.nodes[size_t(i)].id.value] = view;
    }
    // Frames close around their content again, inner ones first.
    for (auto frame = tidied.frames.rbegin(); frame != tidied.frames.rend(); ++frame) {
        const QRectF around = frameAround(tidied, frame->id);
        if (around.isEmpty())
            continue;
        frame->rect = around;
        ItemView view;
        view.x = around.x();
        view.y = around.y();
        view.width = around.width();
        view.height = around.height();
        views[frame->id.value] = view;
    }
    push(edits::move(m_canvas.document().project(), m_canvas.alternativeId(), views, CanvasText::tr("Tidy").toStdString()));
}

void CanvasCommands::groupIntoFrame() {
    std::vector<ElementRef> members;
    for (const ElementRef& ref : m_canvas.selection()) {
        if (ref.kind != ElementKind::link)
            members.push_back(ref);
    }
    const QRectF content = m_canvas.boundsOf(members);
    if (members.empty() || content.isEmpty())
        return;
    const AlternativeId& alternative = m_canvas.alternativeId();
    EditSteps steps(m_canvas.document().project());
    Frame frame;
    frame.id = FrameId(freeId(steps.project(), alternative, "frame"));
    frame.name = CanvasText::tr("Group").toStdString();
    const int outer = frameAt(m_canvas.picture(), content.center());
    // Grouping frames together must not put the new frame into one of them.
    if (outer >= 0 && !m_canvas.picture().frames[size_t(outer)].selected)
        frame.parent = m_canvas.picture().frames[size_t(outer)].id;
    const QRectF around = content.adjusted(-framePadding, -framePadding - frameTitle, framePadding, framePadding);
    ItemView view;
    view.x = around.x();
    view.y = around.y();
    view.width = around.width();
    view.height = around.height();
    steps.add(edits::insertFrame(steps.project(), alternative, frame, view, {}));
    for (const ElementRef& ref : members) {
        Element now = elementAt(steps.project(), ref);
        if (Node* node = std::get_if<Node>(&now))
            node->frame = frame.id;
        else if (Rack* rack = std::get_if<Rack>(&now))
            rack->frame = frame.id;
        else if (Frame* inner = std::get_if<Frame>(&now))
            inner->parent = frame.id;
        steps.add(edits::set(steps.project(), ref, std::move(now), {}));
    }
    if (push(steps.take(CanvasText::tr("Group %1").arg(CanvasText::items(m_canvas.document().project(), members)))))
        m_canvas.select({{ElementKind::frame, alternative, frame.id.value}});
}

void CanvasCommands::explode() {
    const std::vector<int> nodes = m_canvas.selectedNodes();
    if (nodes.size() != 1) {
        emit said(CanvasText::tr("Select one stack to explode"));
        return;
    }
    const NodeFigure& node = m_canvas.picture().nodes[size_t(nodes.front())];
    const Expected<Edit> edit = edits::explode(m_canvas.document().project(), m_canvas.alternativeId(), node.id,
                                               CanvasText::tr("Explode %1").arg(node.name).toStdString());
    if (!edit)
        emit said(QString::fromStdString(edit.error().message));
    else
        push(*edit);
}

void CanvasCommands::merge() {
    std::vector<NodeId> ids;
    for (const int i : m_canvas.selectedNodes())
        ids.push_back(m_canvas.picture().nodes[size_t(i)].id);
    if (ids.size() < 2) {
        emit said(CanvasText::tr("Select the stacks to merge"));
        return;
    }
    const Expected<Edit> edit = edits::merge(m_canvas.document().project(), m_canvas.alternativeId(), ids,
                                             CanvasText::tr("Merge %1 stacks").arg(ids.size()).toStdString());
    if (!edit)
        emit said(QString::fromStdString(edit.error().message));
    else
        push(*edit);
}

} // namespace cw
