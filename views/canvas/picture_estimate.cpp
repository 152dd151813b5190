// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/picture.h"

#include "model/units/unit.h"
#include "views/text/names.h"
#include "views/text/quantity_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

/// A load as the pill of a link says it: no more digits than the eye can use, and nothing where there is next to none.
QString loadLabel(double utilisation) {
    const double percent = utilisation * 100;
    if (percent < .5)
        return {};
    if (percent >= 10)
        return QStringLiteral("%1 %").arg(percent, 0, 'f', 0);
    return std::isnan(percent) ? quantityText(utilisation, Unit::fraction) : QStringLiteral("%1 %").arg(percent, 0, 'f', 1);
}

/// Fullest resource that names the element; NaN: none does.
class Fullest {
public:
    explicit Fullest(const AlternativeEstimate& estimate) {
        for (const WorkloadEstimate& workload : estimate.workloads) {
            for (const ResourceUse& use : workload.resources) {
                // A link is the business of the link layer; naming its ends there does not make them busy.
                if (use.resource.starts_with("network."))
                    continue;
                for (const ElementRef& ref : use.elements) {
                    if (ref.kind == ElementKind::node)
                        raise(ref.id, use.utilisation);
                }
            }
        }
        for (const NodePower& node : estimate.power.nodes) {
            if (!m_uses.contains(node.node.value))
                raise(node.node.value, node.busy);
        }
    }
    void raise(const std::string& id, double utilisation) {
        auto [entry, fresh] = m_uses.try_emplace(id, utilisation);
        if (!fresh && !(utilisation <= entry->second))
            entry->second = utilisation;
    }
    double of(const std::string& id) const {
        const auto it = m_uses.find(id);
        return it == m_uses.end() ? unknownFigure : it->second;
    }

private:
    std::unordered_map<std::string, double> m_uses;
};

void applyLinks(TopologyPicture& picture, const AlternativeEstimate& estimate, Overlay overlay) {
    for (const LinkLoad& load : estimate.links) {
        const int index = picture.linkIndex(load.link);
        if (index < 0)
            continue;
        LinkFigure& link = picture.links[size_t(index)];
        link.utilisation = load.capacity > 0 ? load.utilisation : unknownFigure;
        link.peak = load.capacity > 0 ? load.peakUtilisation : unknownFigure;
        link.label = overlay == Overlay::load ? loadLabel(link.utilisation) : QString();
        link.cables = load.cables;
        link.traffic.clear();
        for (const LinkLoad::Share& share : load.shares)
            link.traffic += QCoreApplication::translate("CanvasView", "%1: → %2 · ← %3 · %4")
                                .arg(trafficName(share.traffic), quantityText(share.forward, Unit::bytesPerSecond),
                                     quantityText(share.backward, Unit::bytesPerSecond),
                                     quantityText(load.capacity > 0 ? std::max(share.forward, share.backward) / load.capacity : unknownFigure, Unit::fraction));
    }
}

/// Switches do no work of their own: their fullest link is what fills them.
void applyNodeLoads(TopologyPicture& picture, const AlternativeEstimate& estimate) {
    const Fullest fullest(estimate);
    for (NodeFigure& node : picture.nodes)
        node.utilisation = node.look.family == PartFamily::network ? unknownFigure : fullest.of(node.id.value);
    for (const LinkFigure& link : picture.links) {
        for (const int end : {link.from, link.to}) {
            NodeFigure& node = picture.nodes[size_t(end)];
            if (node.look.family == PartFamily::network && !(node.utilisation >= link.utilisation))
                node.utilisation = std::isnan(link.utilisation) ? node.utilisation : link.utilisation;
        }
    }
}

/// The figure that an overlay tints cards by, in its unit; NaN where the estimate has none.
std::unordered_map<std::string, double> overlayFigures(const AlternativeEstimate& estimate, const TopologyPicture& picture,
                                                       Overlay overlay) {
    std::unordered_map<std::string, double> figures;
    if (overlay == Overlay::power) {
        for (const NodePower& node : estimate.power.nodes)
            figures[node.node.value] = node.expected.value;
    } else if (overlay == Overlay::cost) {
        for (const CostLine& line : estimate.cost.lines) {
            if (line.node)
                figures[line.node.value] += line.total.value;
        }
    } else if (overlay == Overlay::temperature) {
        // Alike machines of several stacks are packed together, under the name of the first: go by the part.
        std::unordered_map<std::string, double> byPart;
        for (const RackEstimate& rack : estimate.racks) {
            for (const RackItem& item : rack.items) {
                const int node = picture.nodeIndex(item.node);
                if (node < 0)
                    continue;
                const std::string& part = picture.nodes[size_t(node)].part.value;
                auto [entry, fresh] = byPart.try_emplace(part, rack.outlet.value);
                if (!fresh && !(rack.outlet.value <= entry->second))
                    entry->second = rack.outlet.value;
            }
        }
        for (const NodeFigure& node : picture.nodes) {
            if (const auto found = byPart.find(node.part.value); found != byPart.end())
                figures[node.id.value] = found->second;
        }
    }
    return figures;
}

void applyOverlay(TopologyPicture& picture, const AlternativeEstimate& estimate, Overlay overlay) {
    picture.overlayUnit = overlay == Overlay::power ? Unit::watts : overlay == Overlay::cost ? Unit::dollars : Unit::celsius;
    const auto figures = overlayFigures(estimate, picture, overlay);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const auto& [id, value] : figures) {
        if (!std::isnan(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    if (!(low <= high))
        return;
    if (overlay != Overlay::temperature)
        low = 0;
    picture.overlayLow = low;
    picture.overlayHigh = high;
    for (NodeFigure& node : picture.nodes) {
        const auto it = figures.find(node.id.value);
        const double value = it == figures.end() ? unknownFigure : it->second;
        node.overlayShare = high > low ? (value - low) / (high - low) : value - low;
        node.overlayText = quantityText(value, picture.overlayUnit);
    }
}

} // namespace

void applyEstimate(TopologyPicture& picture, const AlternativeEstimate* estimate, Overlay overlay) {
    picture.overlay = overlay;
    picture.overlayLow = picture.overlayHigh = unknownFigure;
    for (NodeFigure& node : picture.nodes) {
        node.utilisation = node.overlayShare = unknownFigure;
        node.overlayText.clear();
    }
    for (LinkFigure& link : picture.links) {
        link.utilisation = link.peak = unknownFigure;
        link.label.clear();
    }
    for (RackFigure& rack : picture.racks)
        rack.utilisation = unknownFigure;
    if (!estimate)
        return;
    applyLinks(picture, *estimate, overlay);
    applyNodeLoads(picture, *estimate);
    for (const RackEstimate& load : estimate->racks) {
        const int index = load.automatic ? -1 : picture.rackIndex(load.rack);
        if (index >= 0)
            picture.racks[size_t(index)].utilisation = load.power.value / load.limit.value;
    }
    if (overlay != Overlay::load)
        applyOverlay(picture, *estimate, overlay);
}

} // namespace cw
