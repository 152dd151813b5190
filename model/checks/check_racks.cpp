// SPDX-License-Identifier: GPL-3.0-or-later
//
// Racks: what stands in them exists, fits their height, does not overlap, and is not there more often than there are machines. Power, heat
// and weight are the estimators' to tell.
#include "model/checks/report.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>

namespace cw {
namespace {

/// Rack units of one machine; 0: not known.
double heightOf(const Report& report, const NodeId& id) {
    const Node* node = report.node(id);
    const Part* part = node ? report.catalog.findPart(node->part) : nullptr;
    if (part)
        if (const auto* server = std::get_if<Server>(part))
            return server->heightU;
    if (part)
        if (const auto* box = std::get_if<Switch>(part))
            return box->heightU;
    return 0;
}

void unknownItems(Report& report, const Rack& rack) {
    for (const RackItem& item : rack.items) {
        if (report.node(item.node))
            continue;
        Finding& finding = report.add(Severity::error, "rack.unknown_node", {report.ref(rack)},
                                      {{"rack", rack.name}, {"node", item.node.value}});
        Rack after = rack;
        std::erase_if(after.items, [&item](const RackItem& other) { return other.node == item.node; });
        report.offer(finding, "rack.drop_item", report.ref(rack), rack, after);
        return; // one fix takes all of them; the next check tells of the rest
    }
}

/// One kind of machine in the rack: fewer of it, and more racks.
void offerFewer(const Report& report, Finding& finding, const Rack& rack, double height) {
    const double each = rack.items.size() == 1 ? heightOf(report, rack.items.front().node) : 0;
    const int fit = each > 0 ? static_cast<int>(height / each) : 0;
    if (fit < 1 || fit >= rack.items.front().perRack)
        return;
    Rack after = rack;
    const std::int64_t machines = rack.count * rack.items.front().perRack;
    after.items.front().perRack = fit;
    after.items.front().u = 0;
    after.count = (machines + fit - 1) / fit;
    finding.arguments["fewer"] = std::to_string(fit);
    finding.arguments["racks"] = std::to_string(after.count);
    report.offer(finding, "rack.fewer_machines", report.ref(rack), rack, after);
}

void heights(Report& report, const Rack& rack) {
    const RackType* type = report.catalog.find<RackType>(rack.part);
    const double height = type ? type->heightU : 0;
    struct Span {
        double from, to;
        const RackItem* item;
    };
    double used = 0;
    std::vector<Span> fixed;
    for (const RackItem& item : rack.items) {
        const double size = heightOf(report, item.node) * item.perRack;
        used += size;
        if (item.u > 0 && size > 0)
            fixed.push_back({static_cast<double>(item.u), item.u + size, &item});
    }
    std::sort(fixed.begin(), fixed.end(), [](const Span& a, const Span& b) { return a.from < b.from; });
    const double top = fixed.empty()
        ? 0
        : std::max_element(fixed.begin(), fixed.end(), [](const Span& a, const Span& b) { return a.to < b.to; })->to - 1;
    if (height > 0 && (used > height + 1e-9 || top > height + 1e-9)) {
        Finding& finding = report.add(
            Severity::error, "rack.overfull", {report.ref(rack)},
            {{"rack", rack.name}, {"used", fmt::format("{:g}", std::max(used, top))}, {"height", fmt::format("{:g}", height)}},
            1 - height / std::max(used, top));
        offerFewer(report, finding, rack, height);
    }
    for (std::size_t at = 1; at < fixed.size(); ++at) {
        if (fixed[at].from >= fixed[at - 1].to - 1e-9)
            continue;
        Finding& finding = report.add(Severity::error, "rack.overlap", {report.ref(rack)},
                                      {{"rack", rack.name},
                                       {"node", report.nameOf(fixed[at].item->node)},
                                       {"other", report.nameOf(fixed[at - 1].item->node)},
                                       {"u", std::to_string(fixed[at].item->u)}});
        Rack after = rack;
        after.items[static_cast<std::size_t>(fixed[at].item - rack.items.data())].u = 0;
        report.offer(finding, "rack.place_automatically", report.ref(rack), rack, after);
    }
}

void placedTooOften(Report& report) {
    std::map<NodeId, std::int64_t> placed;
    std::map<NodeId, std::vector<ElementRef>> where;
    for (const Rack& rack : report.alternative.racks)
        for (const RackItem& item : rack.items) {
            placed[item.node] += rack.count * item.perRack;
            where[item.node].push_back(report.ref(rack));
        }
    for (const auto& [id, count] : placed) {
        const Node* node = report.node(id);
        // The last rack of a stack of racks may stay partly empty.
        std::int64_t lastRack = 0;
        for (const Rack& rack : report.alternative.racks)
            for (const RackItem& item : rack.items)
                if (item.node == id)
                    lastRack = rack.count > 1 ? std::max<std::int64_t>(lastRack, item.perRack - 1) : lastRack;
        if (!node || count <= node->count + lastRack)
            continue;
        std::vector<ElementRef> elements = where[id];
        elements.insert(elements.begin(), report.ref(*node));
        Finding& finding =
            report.add(Severity::warning, "rack.placed_twice", std::move(elements),
                       {{"node", node->name}, {"placed", std::to_string(count)}, {"count", std::to_string(node->count)}});
        Node after = *node;
        after.count = std::min(count, maxStackCount);
        report.offer(finding, "node.as_many_as_placed", report.ref(*node), *node, after);
    }
}

} // namespace

void checkRacks(Report& report) {
    for (const Rack& rack : report.alternative.racks) {
        unknownItems(report, rack);
        heights(report, rack);
    }
    if (!report.alternative.racks.empty())
        placedTooOften(report);
}

} // namespace cw
