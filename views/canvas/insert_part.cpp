// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/insert_part.h"

#include "model/checks/checks.h"
#include "views/canvas/canvas_text.h"
#include "views/canvas/edit_steps.h"
#include "views/canvas/snap.h"
#include "views/parts/set_part.h"

#include <algorithm>

namespace cw {

namespace {

using Result = tl::expected<InsertPlan, QString>;

struct Insertion {
    const Project& project;
    const AlternativeId& alternativeId;
    const Alternative& alternative;
    const Catalog& catalog;
    const TopologyPicture& picture;
    const PartId& partId;
    const Part& part;
    const InsertPlace& place;

    QString partName() const { return shortName(part); }
    ElementRef ref(ElementKind kind, const std::string& id) const { return {kind, alternativeId, id}; }

    Node newNode() const;
    ItemView viewAt(const QPointF& corner) const;
    FrameId frameAround(const QPointF& point) const;

    Result onGround() const;
    Result newRack() const;
    Result onNode() const;
    Result onRack() const;
    Result between() const;
    Result asMedium() const;
    Result asProtocol() const;
    Result equipRack() const;
};

Node Insertion::newNode() const {
    Node node;
    node.id = NodeId(freeId(project, alternativeId, partId.value));
    node.name = freeName(alternative, shortName(part).toStdString());
    node.part = partId;
    return node;
}

ItemView Insertion::viewAt(const QPointF& corner) const {
    ItemView view;
    view.x = corner.x();
    view.y = corner.y();
    return view;
}

FrameId Insertion::frameAround(const QPointF& point) const {
    const int frame = frameAt(picture, point);
    return frame < 0 ? FrameId() : picture.frames[size_t(frame)].id;
}

Result Insertion::onGround() const {
    InsertPlan plan;
    Node node = newNode();
    const QPointF wish = snapped(place.point - QPointF(nodeSize.width() / 2, nodeSize.height() / 2));
    const QPointF corner = freePlace(picture, wish, nodeSize);
    node.frame = frameAround(corner + QPointF(nodeSize.width() / 2, nodeSize.height() / 2));
    plan.created = node.id.value;
    plan.concerned = {ref(ElementKind::node, node.id.value)};
    plan.edit =
        edits::insertNode(project, alternativeId, node, viewAt(corner), CanvasText::tr("Add %1").arg(partName()).toStdString());
    const int frame = picture.frameIndex(node.frame);
    plan.status = frame < 0 ? CanvasText::tr("Add %1").arg(partName())
                            : CanvasText::tr("Add %1 to %2").arg(partName(), picture.frames[size_t(frame)].title);
    return plan;
}

Result Insertion::newRack() const {
    InsertPlan plan;
    Rack rack;
    rack.id = RackId(freeId(project, alternativeId, "rack"));
    rack.name = info(part).name;
    rack.part = partId;
    const QPointF corner =
        freePlace(picture, snapped(place.point - QPointF(rackSize.width() / 2, rackSize.height() / 2)), rackSize);
    rack.frame = frameAround(place.point);
    plan.created = rack.id.value;
    plan.concerned = {ref(ElementKind::rack, rack.id.value)};
    plan.status = CanvasText::tr("Add %1").arg(partName());
    plan.edit = edits::insertRack(project, alternativeId, rack, viewAt(corner), plan.status.toStdString());
    return plan;
}

Result Insertion::onNode() const {
    const NodeFigure& figure = picture.nodes[size_t(place.hit.index)];
    const Node* node = alternative.findNode(figure.id);
    if (!node)
        return onGround();
    const bool same = node->part == partId;
    if (!same && !place.replace) {
        Result plan = onGround();
        if (plan)
            plan->status += QStringLiteral(" · ") + CanvasText::tr("Shift: replace %1").arg(figure.name);
        return plan;
    }
    InsertPlan plan;
    Node changed = *node;
    if (same) {
        if (changed.count >= maxStackCount)
            return tl::unexpected(CanvasText::tr("%1 is as large as a stack can be").arg(figure.name));
        ++changed.count;
        plan.status = CanvasText::tr("Add one more to %1 (%2)").arg(figure.name).arg(changed.count);
    } else {
        setPart(changed, partId, alternative, catalog);
        plan.status = CanvasText::tr("Replace %1 by %2").arg(figure.name, partName());
    }
    plan.concerned = {ref(ElementKind::node, node->id.value)};
    plan.target = figure.rect;
    plan.edit = edits::set(project, plan.concerned.front(), changed, plan.status.toStdString());
    return plan;
}

/// One in each rack of the stack of racks; its card stands below the rack's.
Result Insertion::onRack() const {
    const RackFigure& figure = picture.racks[size_t(place.hit.index)];
    const Rack* rack = alternative.findRack(figure.id);
    if (!rack)
        return onGround();
    EditSteps steps(project);
    Node node = newNode();
    node.count = std::max<std::int64_t>(1, rack->count);
    node.frame = rack->frame;
    const QPointF corner = freePlace(picture, snapped(figure.rect.bottomLeft() + QPointF(0, 30)), nodeSize);
    steps.add(edits::insertNode(steps.project(), alternativeId, node, viewAt(corner), {}));
    Rack changed = *rack;
    changed.items.push_back({node.id, 1, 0});
    steps.add(edits::set(steps.project(), ref(ElementKind::rack, rack->id.value), changed, {}));
    InsertPlan plan;
    plan.target = figure.rect;
    plan.created = node.id.value;
    plan.concerned = {ref(ElementKind::node, node.id.value)};
    plan.status = CanvasText::tr("Put %1 into %2").arg(partName(), figure.name);
    plan.edit = steps.take(plan.status);
    if (!steps.isValid())
        return tl::unexpected(steps.reason());
    return plan;
}

/// A device on a link: the link becomes two, each as an architect would draw it.
Result Insertion::between() const {
    const LinkFigure& figure = picture.links[size_t(place.hit.index)];
    const Link* link = alternative.findLink(figure.id);
    if (!link || link->from == link->to)
        return onGround();
    EditSteps steps(project);
    Node node = newNode();
    const QPointF corner =
        freePlace(picture, snapped(place.point - QPointF(nodeSize.width() / 2, nodeSize.height() / 2)), nodeSize);
    node.frame = frameAround(place.point);
    steps.add(edits::remove(steps.project(), {ref(ElementKind::link, link->id.value)}, {}));
    steps.add(edits::insertNode(steps.project(), alternativeId, node, viewAt(corner), {}));
    const auto join = [&](const NodeId& a, const NodeId& b) -> QString {
        const Alternative* now = steps.alternative(alternativeId);
        const Node* from = now->findNode(a);
        const Node* to = now->findNode(b);
        if (const Expected<PartId> medium = proposeMedium(*now, *from, *to, catalog); !medium)
            return QString::fromStdString(medium.error().message);
        Link half = proposeLink(*now, *from, *to, catalog);
        half.id = LinkId(freeId(steps.project(), alternativeId, "link"));
        half.purpose = link->purpose;
        steps.add(edits::insertLink(steps.project(), alternativeId, half, {}));
        return {};
    };
    for (const auto& [a, b] : {std::pair(link->from, node.id), std::pair(node.id, link->to)}) {
        if (const QString reason = join(a, b); !reason.isEmpty())
            return tl::unexpected(reason);
    }
    InsertPlan plan;
    plan.created = node.id.value;
    plan.concerned = {ref(ElementKind::node, node.id.value)};
    plan.status = CanvasText::tr("Insert %1 into the link").arg(partName());
    plan.edit = steps.take(plan.status);
    if (!steps.isValid())
        return tl::unexpected(steps.reason());
    return plan;
}

Result Insertion::asMedium() const {
    if (place.hit.kind != CanvasHit::Kind::link)
        return tl::unexpected(CanvasText::tr("Drop a cable on the link that shall be made of it"));
    const LinkFigure& figure = picture.links[size_t(place.hit.index)];
    Link changed = *alternative.findLink(figure.id);
    changed.medium = partId;
    InsertPlan plan;
    plan.concerned = {ref(ElementKind::link, changed.id.value)};
    plan.status = CanvasText::tr("Make the link of %1").arg(partName());
    plan.edit = edits::set(project, plan.concerned.front(), changed, plan.status.toStdString());
    return plan;
}

Result Insertion::asProtocol() const {
    if (place.hit.kind != CanvasHit::Kind::link)
        return tl::unexpected(CanvasText::tr("Drop a protocol on the link that shall use it"));
    Link changed = *alternative.findLink(picture.links[size_t(place.hit.index)].id);
    changed.protocol = partId;
    InsertPlan plan;
    plan.concerned = {ref(ElementKind::link, changed.id.value)};
    plan.status = CanvasText::tr("Use %1 on the link").arg(partName());
    plan.edit = edits::set(project, plan.concerned.front(), changed, plan.status.toStdString());
    return plan;
}

Result Insertion::equipRack() const {
    if (place.hit.kind != CanvasHit::Kind::rack)
        return tl::unexpected(CanvasText::tr("Drop %1 on a rack").arg(partName()));
    const RackFigure& figure = picture.racks[size_t(place.hit.index)];
    Rack changed = *alternative.findRack(figure.id);
    if (std::holds_alternative<Pdu>(part))
        changed.pdu = partId;
    else
        changed.cooling = partId;
    InsertPlan plan;
    plan.target = figure.rect;
    plan.concerned = {ref(ElementKind::rack, changed.id.value)};
    plan.status = CanvasText::tr("Equip %1 with %2").arg(figure.name, partName());
    plan.edit = edits::set(project, plan.concerned.front(), changed, plan.status.toStdString());
    return plan;
}

bool isDevice(const Part& part) {
    return std::holds_alternative<Server>(part) || std::holds_alternative<Switch>(part) ||
        std::holds_alternative<CloudInstance>(part) || std::holds_alternative<Gpu>(part) || std::holds_alternative<Cpu>(part);
}

} // namespace

QPointF freePlace(const TopologyPicture& picture, const QPointF& wish, const QSizeF& size) {
    const auto isFree = [&](const QPointF& corner) {
        const QRectF space = QRectF(corner, size).adjusted(-10, -10, 10, 10);
        return std::none_of(picture.nodes.begin(), picture.nodes.end(),
                            [&](const NodeFigure& n) { return n.rect.intersects(space); }) &&
            std::none_of(picture.racks.begin(), picture.racks.end(),
                         [&](const RackFigure& r) { return r.rect.intersects(space); });
    };
    // Rings of growing distance around the wish; far enough out something is free.
    for (int ring = 0; ring < 60; ++ring) {
        const double reach = ring * 2 * gridStep;
        for (const QPointF& step :
             {QPointF(0, reach), QPointF(reach, 0), QPointF(0, -reach), QPointF(-reach, 0), QPointF(reach, reach),
              QPointF(-reach, reach), QPointF(reach, -reach), QPointF(-reach, -reach)}) {
            if (isFree(wish + step))
                return wish + step;
        }
    }
    return wish;
}

tl::expected<InsertPlan, QString> planInsert(const Project& project, const AlternativeId& alternativeId, const Catalog& catalog,
                                             const TopologyPicture& picture, const PartId& partId, const InsertPlace& asked) {
    const Alternative* alternative = project.findAlternative(alternativeId);
    const Part* part = catalog.findPart(partId);
    if (!alternative)
        return tl::unexpected(CanvasText::tr("There is no alternative to draw in"));
    if (!part)
        return tl::unexpected(CanvasText::tr("The catalog has no part %1").arg(QString::fromStdString(partId.value)));
    // What was under the pointer may be gone by now.
    const CanvasHit& hit = asked.hit;
    const bool gone = (hit.kind == CanvasHit::Kind::link && !alternative->findLink(picture.links[size_t(hit.index)].id)) ||
        (hit.kind == CanvasHit::Kind::rack && !alternative->findRack(picture.racks[size_t(hit.index)].id));
    InsertPlace place = asked;
    if (gone)
        place.hit = {};
    const Insertion insertion{project, alternativeId, *alternative, catalog, picture, partId, *part, place};
    if (std::holds_alternative<RackType>(*part))
        return insertion.newRack();
    if (std::holds_alternative<Medium>(*part))
        return insertion.asMedium();
    if (std::holds_alternative<Protocol>(*part))
        return insertion.asProtocol();
    if (std::holds_alternative<Pdu>(*part) || std::holds_alternative<Cooling>(*part))
        return insertion.equipRack();
    if (!isDevice(*part))
        return tl::unexpected(CanvasText::tr("%1 is nothing to draw; workloads and the site refer to it")
                                  .arg(QString::fromStdString(info(*part).name)));
    switch (place.hit.kind) {
    case CanvasHit::Kind::node:
    case CanvasHit::Kind::handle:
        return insertion.onNode();
    case CanvasHit::Kind::rack:
        return insertion.onRack();
    case CanvasHit::Kind::link:
        return insertion.between();
    default:
        return insertion.onGround();
    }
}

} // namespace cw
