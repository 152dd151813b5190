// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/racks/rack_edits.h"

#include "views/canvas/canvas_text.h"
#include "views/canvas/edit_steps.h"
#include "views/canvas/insert_part.h"

#include <algorithm>

namespace cw {

namespace {

ElementRef rackRef(const RackScene& scene, const RackId& id) { return {ElementKind::rack, scene.alternative, id.value}; }

QString nodeName(const RackScene& scene, const NodeId& node) {
    return elementName(scene.project, {ElementKind::node, scene.alternative, node.value});
}

/// The rack as the steps so far left it; an automatic one is drawn first. Empty when that is not possible.
std::optional<Rack> drawnRack(EditSteps& steps, const RackScene& scene, int index, QString& reason) {
    const Elevation& elevation = scene.racks[size_t(index)];
    if (!elevation.automatic) {
        Element now = elementAt(steps.project(), rackRef(scene, elevation.rack));
        if (Rack* rack = std::get_if<Rack>(&now))
            return std::move(*rack);
        reason = CanvasText::tr("The rack is gone");
        return std::nullopt;
    }
    if (!scene.catalog.find<RackType>(elevation.type)) {
        reason = CanvasText::tr("%1 brings its own rack").arg(elevation.name);
        return std::nullopt;
    }
    Rack rack;
    rack.id = RackId(freeId(steps.project(), scene.alternative, "rack"));
    rack.name = elevation.name.toStdString();
    rack.part = elevation.type;
    rack.items = elevation.items;
    rack.count = elevation.count;
    // Alike machines of several stacks are packed together; drawn, each stack can only fill what it has.
    for (const RackItem& item : rack.items) {
        const Node* node = steps.alternative(scene.alternative)->findNode(item.node);
        if (node && item.perRack > 0)
            rack.count = std::max<std::int64_t>(1, std::min(rack.count, node->count / item.perRack));
    }
    ItemView place;
    const Alternative* alternative = steps.alternative(scene.alternative);
    const TopologyPicture picture = makePicture(steps.project(), *alternative, scene.catalog);
    const QRectF bounds = picture.bounds();
    const QPointF corner = freePlace(picture, QPointF(bounds.left(), bounds.bottom() + 40), rackSize);
    place.x = corner.x();
    place.y = corner.y();
    steps.add(edits::insertRack(steps.project(), scene.alternative, rack, place, {}));
    return rack;
}

bool put(EditSteps& steps, const RackScene& scene, Rack rack) {
    const ElementRef ref = rackRef(scene, rack.id);
    return steps.add(edits::set(steps.project(), ref, std::move(rack), {}));
}

/// Room for a block, or the reason why there is none. `except` is an item of the rack that leaves its place.
QString noRoom(const Elevation& rack, int u, double height, int except) {
    if (u == 0 || isFree(rack, u, height, except))
        return {};
    return u + height - 1 > rack.units ? CanvasText::tr("Too high: %1U at U%2 of %3U").arg(height).arg(u).arg(rack.units)
                                       : CanvasText::tr("U%1 to U%2 are not free").arg(u).arg(u + height - 1);
}

RackEdit finished(EditSteps& steps, const QString& name) {
    if (!steps.isValid())
        return tl::unexpected(steps.reason());
    return steps.take(name);
}

} // namespace

RackEdit adoptRack(const RackScene& scene, int rack) {
    EditSteps steps(scene.project);
    QString reason;
    if (!drawnRack(steps, scene, rack, reason))
        return tl::unexpected(reason);
    return finished(steps, CanvasText::tr("Draw rack %1").arg(scene.racks[size_t(rack)].name));
}

RackEdit moveDevice(const RackScene& scene, const DeviceMove& move) {
    const Elevation& from = scene.racks[size_t(move.fromRack)];
    const Elevation& to = scene.racks[size_t(move.toRack)];
    const RackItem item = from.items[size_t(move.item)];
    const Node* node = scene.project.findAlternative(scene.alternative)->findNode(item.node);
    if (!node)
        return tl::unexpected(CanvasText::tr("The stack is gone"));
    const int members = move.single ? 1 : item.perRack;
    const bool whole = members >= item.perRack;
    const double height = heightOf(node->part, scene.catalog) * members;
    const bool sameRack = move.fromRack == move.toRack;
    if (const QString reason = noRoom(to, move.u, height, sameRack && whole ? move.item : -1); !reason.isEmpty())
        return tl::unexpected(reason);

    EditSteps steps(scene.project);
    QString reason;
    std::optional<Rack> source = drawnRack(steps, scene, move.fromRack, reason);
    if (!source)
        return tl::unexpected(reason);
    if (whole)
        source->items.erase(source->items.begin() + move.item);
    else
        source->items[size_t(move.item)].perRack -= members;
    RackItem moved{item.node, members, move.u};
    if (sameRack) {
        source->items.insert(source->items.begin() + std::min<std::ptrdiff_t>(move.item, std::ptrdiff_t(source->items.size())),
                             moved);
        put(steps, scene, *source);
    } else {
        put(steps, scene, *source);
        std::optional<Rack> target = drawnRack(steps, scene, move.toRack, reason);
        if (!target)
            return tl::unexpected(reason);
        target->items.push_back(moved);
        put(steps, scene, *target);
    }
    return finished(steps, CanvasText::tr("Move %1 in its rack").arg(nodeName(scene, item.node)));
}

PartDrop dropIntoRack(const RackScene& scene, const PartId& partId, int rackIndex, int u) {
    PartDrop drop;
    const Part* part = scene.catalog.findPart(partId);
    const Alternative* alternative = scene.project.findAlternative(scene.alternative);
    if (!part || !alternative)
        return drop;
    EditSteps steps(scene.project);
    const TopologyPicture picture = makePicture(scene.project, *alternative, scene.catalog);
    const QRectF bounds = picture.bounds();
    if (std::holds_alternative<RackType>(*part)) {
        InsertPlace place;
        place.point = QPointF(bounds.left() + rackSize.width() / 2, bounds.bottom() + 40 + rackSize.height() / 2);
        const auto plan = planInsert(scene.project, scene.alternative, scene.catalog, picture, partId, place);
        if (!plan) {
            drop.edit = tl::unexpected(plan.error());
            return drop;
        }
        drop.created = plan->concerned.front();
        drop.edit = plan->edit;
        return drop;
    }
    if (rackIndex < 0) {
        drop.edit = tl::unexpected(CanvasText::tr("Drop it into a rack"));
        return drop;
    }
    if (!std::holds_alternative<Server>(*part) && !std::holds_alternative<Switch>(*part)) {
        drop.edit = tl::unexpected(CanvasText::tr("%1 does not stand in a rack").arg(shortName(*part)));
        return drop;
    }
    if (const QString reason = noRoom(scene.racks[size_t(rackIndex)], u, heightOf(partId, scene.catalog), -1);
        !reason.isEmpty()) {
        drop.edit = tl::unexpected(reason);
        return drop;
    }
    QString reason;
    std::optional<Rack> rack = drawnRack(steps, scene, rackIndex, reason);
    if (!rack) {
        drop.edit = tl::unexpected(reason);
        return drop;
    }
    Node node;
    node.id = NodeId(freeId(steps.project(), scene.alternative, partId.value));
    node.name = freeName(*alternative, shortName(*part).toStdString());
    node.part = partId;
    node.count = std::max<std::int64_t>(1, rack->count);
    node.frame = rack->frame;
    const QPointF corner = freePlace(picture, QPointF(bounds.right() - nodeSize.width(), bounds.bottom() + 40), nodeSize);
    ItemView place;
    place.x = corner.x();
    place.y = corner.y();
    steps.add(edits::insertNode(steps.project(), scene.alternative, node, place, {}));
    rack->items.push_back({node.id, 1, u});
    put(steps, scene, *rack);
    drop.created = {ElementKind::node, scene.alternative, node.id.value};
    drop.edit = finished(steps, CanvasText::tr("Put %1 into %2").arg(shortName(*part), scene.racks[size_t(rackIndex)].name));
    return drop;
}

RackEdit takeOut(const RackScene& scene, int rackIndex, int item) {
    const Elevation& elevation = scene.racks[size_t(rackIndex)];
    if (elevation.automatic)
        return tl::unexpected(CanvasText::tr("This rack is packed automatically"));
    EditSteps steps(scene.project);
    QString reason;
    std::optional<Rack> rack = drawnRack(steps, scene, rackIndex, reason);
    if (!rack)
        return tl::unexpected(reason);
    const QString name = nodeName(scene, rack->items[size_t(item)].node);
    rack->items.erase(rack->items.begin() + item);
    put(steps, scene, *rack);
    return finished(steps, CanvasText::tr("Take %1 out of its rack").arg(name));
}

} // namespace cw
