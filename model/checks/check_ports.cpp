// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ports of every machine against the cables that are drawn to it, with the smallest change that makes them fit.
#include "model/checks/port_plan.h"
#include "model/checks/report.h"

#include <fmt/format.h>
#include <algorithm>

namespace cw {

std::string portsText(const Part& part) {
    const auto* box = std::get_if<Switch>(&part);
    std::string text;
    const std::vector<PortGroup>* groups = portsOf(&part);
    for (const PortGroup& group : groups ? *groups : std::vector<PortGroup>())
        text += fmt::format("{}{} × {} Gb/s", text.empty() ? "" : ", ", group.count, si(group.speed) * 8 / 1e9);
    return box ? box->technology + ": " + text : text;
}

namespace {

std::int64_t wantedAt(const LinkEnd& end, const Link& link, std::int64_t fromCount, std::int64_t toCount) {
    const CableCount count = cableCount(link, fromCount, toCount);
    return end.atFrom ? count.perFrom : count.perTo;
}

/// More machines at the far side of a spread link take fewer cables each.
bool offerMoreMembers(const Report& report, Finding& finding, const Node& node, const LinkEnd& end) {
    const Link& link = *end.link;
    const bool spread = link.pattern == Pattern::each || link.pattern == Pattern::rail || link.pattern == Pattern::plane;
    if (end.atFrom || !spread || end.got < 1 || !report.catalog.find<Switch>(node.part))
        return false;
    const std::int64_t cables = report.node(link.from)->count * link.lanes;
    const std::int64_t step =
        link.pattern == Pattern::each && (link.lanes >= node.count || node.count % link.lanes) ? 1 : link.lanes;
    Node after = node;
    after.count = ((cables + end.got - 1) / end.got + step - 1) / step * step;
    if (after.count <= node.count || after.count > maxStackCount)
        return false;
    finding.arguments["members"] = std::to_string(after.count);
    report.offer(finding, "ports.more_members", report.ref(node), node, after);
    return true;
}

bool offerFewerLanes(const Report& report, Finding& finding, const LinkEnd& end) {
    Link after = *end.link;
    const Node& from = *report.node(after.from);
    const Node& to = *report.node(after.to);
    for (--after.lanes; after.lanes >= 1; --after.lanes) {
        const std::int64_t wanted = wantedAt(end, after, from.count, to.count);
        if (wanted < 1 || wanted > end.got)
            continue;
        finding.arguments["lanes"] = std::to_string(after.lanes);
        report.offer(finding, "ports.fewer_lanes", report.ref(after), *end.link, after);
        return true;
    }
    return false;
}

void wrongType(Report& report, const Node& node, const Part& part, const LinkEnd& end) {
    Finding& finding = report.add(Severity::error, "ports.type", {report.ref(*end.link), report.ref(node)},
                                  {{"link", report.nameOf(*end.link)},
                                   {"node", node.name},
                                   {"medium", end.medium ? end.medium->name : end.link->medium.value},
                                   {"ports", portsText(part)}});
    const auto proposed =
        proposeMedium(report.alternative, *report.node(end.link->from), *report.node(end.link->to), report.catalog);
    if (!proposed || *proposed == end.link->medium)
        return;
    Link after = *end.link;
    after.medium = *proposed;
    finding.arguments["proposed"] = info(*report.catalog.findPart(*proposed)).name;
    report.offer(finding, "link.fitting_medium", report.ref(*end.link), *end.link, after);
}

void tooFew(Report& report, const Node& node, const PortPlan& plan) {
    std::int64_t used = 0, available = 0, missing = 0;
    std::vector<ElementRef> elements{report.ref(node)};
    std::string links;
    const LinkEnd* worst = nullptr;
    for (const LinkEnd& end : plan.ends) {
        if (!end.typeFits)
            continue;
        used += end.wanted;
        if (end.got >= end.wanted)
            continue;
        missing += end.wanted - end.got;
        elements.push_back(report.ref(*end.link));
        links += (links.empty() ? "" : ", ") + report.nameOf(*end.link);
        if (!worst || end.wanted - end.got > worst->wanted - worst->got)
            worst = &end;
    }
    if (!worst)
        return;
    available = used - missing;
    Finding& finding = report.add(Severity::error, "ports.exceeded", std::move(elements),
                                  {{"node", node.name},
                                   {"used", std::to_string(used)},
                                   {"available", std::to_string(available)},
                                   {"missing", std::to_string(missing)},
                                   {"links", links}},
                                  static_cast<double>(missing) / static_cast<double>(used));
    if (!offerMoreMembers(report, finding, node, *worst))
        offerFewerLanes(report, finding, *worst);
}

} // namespace

void checkPorts(Report& report) {
    const LinkEnds ends(report.alternative, report.catalog);
    for (const Node& node : report.alternative.nodes) {
        const std::vector<LinkEnd>& here = ends.of(node.id);
        const Part* part = report.catalog.findPart(node.part);
        if (here.empty() || !part)
            continue;
        const PortPlan plan = planPorts(part, here);
        if (!plan.known)
            continue;
        for (const LinkEnd& end : plan.ends)
            if (!end.typeFits && end.wanted > 0)
                wrongType(report, node, *part, end);
        tooFew(report, node, plan);
    }
}

} // namespace cw
