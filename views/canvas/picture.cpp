// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/picture.h"

#include "model/checks/checks.h"
#include "views/canvas/canvas_text.h"
#include "views/canvas/tidy_layout.h"
#include "views/text/names.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace cw {

namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

QString countText(std::int64_t count) {
    if (count == 1)
        return {};
    QString digits = QString::number(count);
    for (qsizetype i = digits.size() - 3; i > 0 && digits.size() > 4; i -= 3)
        digits.insert(i, QChar(0x202f)); // narrow no-break space
    return QStringLiteral("×") + digits;
}

QString planText(const Parallelism& plan) {
    QStringList parts;
    const auto add = [&parts](const char* name, int size) {
        if (size > 0)
            parts << QStringLiteral("%1 %2").arg(QLatin1String(name)).arg(size);
    };
    add("TP", plan.tensor);
    add("PP", plan.pipeline);
    add("DP", plan.data);
    add("CP", plan.context);
    add("EP", plan.expert);
    return parts.join(QStringLiteral(" · "));
}

QString placementText(const Project& project, const Placement& placement) {
    const Workload* workload = project.findWorkload(placement.workload);
    QString name = text(workload ? workload->name : placement.workload.value);
    if (!placement.stage.empty())
        name += QStringLiteral(" · ") + text(placement.stage);
    const QString plan = planText(placement.parallelism);
    return plan.isEmpty() ? name : plan + QStringLiteral(" · ") + name;
}

/// Views of one alternative, looked up without building a key string for every map node twice.
class Places {
public:
    Places(const Project& project, const AlternativeId& alternative)
        : m_items(project.view.items)
        , m_prefix(viewKey(alternative, "")) {}
    const ItemView* find(const std::string& id) {
        m_key.assign(m_prefix).append(id);
        const auto it = m_items.find(m_key);
        return it == m_items.end() ? nullptr : &it->second;
    }

private:
    const std::map<std::string, ItemView>& m_items;
    std::string m_prefix, m_key;
};

/// What runs on each node, by node id.
std::unordered_map<std::string, QString> plansByNode(const Project& project, const Alternative& alternative) {
    std::unordered_map<std::string, QString> plans;
    for (const Placement& placement : alternative.placements) {
        const QString plan = placementText(project, placement);
        for (const NodeId& node : placement.nodes) {
            QString& all = plans[node.value];
            all += all.isEmpty() ? plan : QStringLiteral(" + ") + plan;
        }
    }
    return plans;
}

/// The second line of a card without a plan: role and part, or key figures where the name says the part already.
QString aboutNode(const Node& node, const Part* part, const Catalog& catalog) {
    if (!part)
        return CanvasText::tr("unknown part %1").arg(text(node.part.value));
    const QString partName = shortName(*part);
    const bool named = text(node.name).contains(partName, Qt::CaseInsensitive);
    if (!node.role.empty())
        return text(node.role) + QStringLiteral(" · ") + (named ? partFacts(*part, catalog) : partName);
    return named ? partFacts(*part, catalog) : partName;
}

void addNodes(TopologyPicture& picture, const Project& project, const Alternative& alternative, const Catalog& catalog,
              Places& places) {
    std::unordered_map<std::string, std::pair<const Part*, PartLook>> looks;
    const std::unordered_map<std::string, QString> plans = plansByNode(project, alternative);
    picture.nodes.reserve(alternative.nodes.size());
    for (const Node& node : alternative.nodes) {
        auto [entry, fresh] = looks.try_emplace(node.part.value);
        if (fresh) {
            const Part* part = catalog.findPart(node.part);
            entry->second = {part, partLook(part)};
        }
        NodeFigure figure;
        figure.id = node.id;
        figure.part = node.part;
        figure.look = entry->second.second;
        figure.name = text(node.name.empty() ? node.part.value : node.name);
        const auto plan = plans.find(node.id.value);
        figure.caption = plan != plans.end() ? plan->second : aboutNode(node, entry->second.first, catalog);
        figure.count = countText(node.count);
        figure.frame = node.frame;
        figure.rect = QRectF(QPointF(), nodeSize);
        if (const ItemView* place = places.find(node.id.value)) {
            figure.rect.moveTo(place->x, place->y);
            figure.placed = true;
        }
        picture.nodeIndices.emplace(node.id.value, int(picture.nodes.size()));
        picture.nodes.push_back(std::move(figure));
    }
}

void addLinks(TopologyPicture& picture, const Alternative& alternative, const Catalog& catalog) {
    std::map<std::pair<int, int>, std::vector<int>> sharing;
    picture.links.reserve(alternative.links.size());
    for (const Link& link : alternative.links) {
        LinkFigure figure;
        figure.id = link.id;
        figure.from = picture.nodeIndex(link.from);
        figure.to = picture.nodeIndex(link.to);
        if (figure.from < 0 || figure.to < 0)
            continue;
        figure.loop = figure.from == figure.to;
        const Part* medium = catalog.findPart(link.medium);
        figure.medium = medium ? shortName(*medium) : text(link.medium.value);
        sharing[std::minmax(figure.from, figure.to)].push_back(int(picture.links.size()));
        picture.linkIndices.emplace(link.id.value, int(picture.links.size()));
        picture.links.push_back(std::move(figure));
    }
    for (const auto& [ends, indices] : sharing) {
        for (size_t i = 0; i < indices.size(); ++i) {
            picture.links[size_t(indices[i])].lane = int(i);
            picture.links[size_t(indices[i])].laneCount = int(indices.size());
        }
    }
}

int depthOf(const Alternative& alternative, const Frame& frame) {
    int depth = 0;
    // The bound keeps a cycle of frames (a finding, see checks) from hanging the picture.
    for (const Frame* f = alternative.findFrame(frame.parent); f && depth < 64; f = alternative.findFrame(f->parent))
        ++depth;
    return depth;
}

void addFrames(TopologyPicture& picture, const Alternative& alternative, Places& places) {
    std::vector<FrameFigure> figures;
    int hue = 0;
    for (const Frame& frame : alternative.frames) {
        FrameFigure figure;
        figure.id = frame.id;
        figure.parent = frame.parent;
        figure.title = text(frame.name);
        figure.kind = frameKindName(frame.kind);
        figure.hue = hue++;
        figure.depth = depthOf(alternative, frame);
        if (const ItemView* place = places.find(frame.id.value); place && place->width > 0 && place->height > 0) {
            figure.rect = QRectF(place->x, place->y, place->width, place->height);
            figure.placed = true;
        }
        figures.push_back(std::move(figure));
    }
    // Inner frames first, so that an automatic outer one encloses them; painted the other way round.
    std::stable_sort(figures.begin(), figures.end(), [](const auto& a, const auto& b) { return a.depth > b.depth; });
    for (FrameFigure& figure : figures) {
        if (!figure.placed) {
            const QRectF around = frameAround(picture, figure.id);
            figure.rect = around.isEmpty() ? QRectF(0, 0, 320, 180) : around;
        }
        picture.frames.push_back(std::move(figure));
    }
    std::reverse(picture.frames.begin(), picture.frames.end());
}

void addRacks(TopologyPicture& picture, const Alternative& alternative, const Catalog& catalog, Places& places) {
    for (const Rack& rack : alternative.racks) {
        for (const RackItem& item : rack.items)
            picture.nodesOfRack[rack.id.value].push_back(item.node.value);
        const ItemView* place = places.find(rack.id.value);
        if (!place)
            continue;
        RackFigure figure;
        figure.id = rack.id;
        figure.rect = QRectF(QPointF(place->x, place->y), rackSize);
        figure.frame = rack.frame;
        const Part* part = catalog.findPart(rack.part);
        figure.name = text(!rack.name.empty() ? rack.name : part ? info(*part).name : rack.part.value);
        figure.caption = part ? partFacts(*part, catalog) : CanvasText::tr("unknown rack type");
        figure.count = countText(rack.count);
        picture.racks.push_back(std::move(figure));
    }
}

void addPorts(TopologyPicture& picture, const Alternative& alternative, const Catalog& catalog) {
    // Counting the ports of one node looks at all links; large drawings do without and stay quick.
    if (alternative.nodes.size() * (alternative.links.size() + 1) > 20'000)
        return;
    for (size_t i = 0; i < alternative.nodes.size(); ++i) {
        for (const PortUse& use : portUse(alternative, alternative.nodes[i], catalog)) {
            PortFigure port{use.used, use.group.count, QStringLiteral("%1G").arg(si(use.group.speed) * 8e-9, 0, 'g', 4)};
            if (use.group.purpose == "management")
                port.label += QLatin1Char(' ') + CanvasText::tr("mgmt");
            picture.nodes[i].ports.push_back(std::move(port));
        }
    }
}

} // namespace

int TopologyPicture::nodeIndex(const NodeId& id) const {
    const auto it = nodeIndices.find(id.value);
    return it == nodeIndices.end() ? -1 : it->second;
}

int TopologyPicture::linkIndex(const LinkId& id) const {
    const auto it = linkIndices.find(id.value);
    return it == linkIndices.end() ? -1 : it->second;
}

int TopologyPicture::frameIndex(const FrameId& id) const {
    const auto it = std::find_if(frames.begin(), frames.end(), [&id](const FrameFigure& f) { return f.id == id; });
    return it == frames.end() ? -1 : int(it - frames.begin());
}

int TopologyPicture::rackIndex(const RackId& id) const {
    const auto it = std::find_if(racks.begin(), racks.end(), [&id](const RackFigure& r) { return r.id == id; });
    return it == racks.end() ? -1 : int(it - racks.begin());
}

QRectF TopologyPicture::bounds() const {
    QRectF area;
    for (const NodeFigure& node : nodes)
        area |= node.rect.adjusted(-2, node.count.isEmpty() ? -2 : -8, node.count.isEmpty() ? 2 : 8, 2);
    for (const FrameFigure& frame : frames)
        area |= frame.rect;
    for (const RackFigure& rack : racks)
        area |= rack.rect;
    return area.isEmpty() ? QRectF(-100, -60, 200, 120) : area;
}

QRectF frameAround(const TopologyPicture& picture, const FrameId& frame) {
    QRectF content;
    for (const NodeFigure& node : picture.nodes) {
        if (node.frame == frame)
            content |= node.rect;
    }
    for (const RackFigure& rack : picture.racks) {
        if (rack.frame == frame)
            content |= rack.rect;
    }
    for (const FrameFigure& inner : picture.frames) {
        if (inner.parent == frame)
            content |= inner.rect;
    }
    return content.isEmpty() ? content : content.adjusted(-framePadding, -framePadding - frameTitle, framePadding, framePadding);
}

TopologyPicture makePicture(const Project& project, const Alternative& alternative, const Catalog& catalog) {
    TopologyPicture picture;
    Places places(project, alternative.id);
    addNodes(picture, project, alternative, catalog, places);
    addLinks(picture, alternative, catalog);
    placeMissing(picture, alternative);
    addRacks(picture, alternative, catalog, places);
    addFrames(picture, alternative, places);
    addPorts(picture, alternative, catalog);
    return picture;
}

} // namespace cw
