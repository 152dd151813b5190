// SPDX-License-Identifier: GPL-3.0-or-later
//
// Links: both ends there, a pattern that fits the counts, a medium that is known; and machines that nothing connects.
#include "model/checks/report.h"
#include "model/design/expand.h"

#include <unordered_set>

namespace cw {
namespace {

bool isNowhere(const Report& report, const Link& link) { return !report.node(link.from) || !report.node(link.to); }

void nowhere(Report& report, const Link& link) {
    Finding& finding =
        report.add(Severity::error, "link.to_nowhere", {report.ref(link)},
                   {{"link", report.nameOf(link)}, {"end", report.node(link.from) ? link.to.value : link.from.value}});
    report.offer(finding, "link.remove", report.ref(link), link, std::monostate{});
}

/// The pattern that is nearest to what was drawn and can be cabled.
std::optional<Link> possiblePattern(const Link& link, const Node& from, const Node& to) {
    Link after = link;
    after.dimensions.clear();
    const bool within = link.from == link.to;
    const bool direct = link.pattern == Pattern::ring || link.pattern == Pattern::torus;
    after.pattern = within ? Pattern::ring : direct ? Pattern::mesh : Pattern::each;
    return checkPattern(after, from.count, to.count) ? std::optional<Link>(after) : std::nullopt;
}

const char* fixCode(Pattern pattern) {
    return pattern == Pattern::each ? "link.use_each" : pattern == Pattern::mesh ? "link.use_mesh" : "link.use_ring";
}

void pattern(Report& report, const Link& link) {
    const Node& from = *report.node(link.from);
    const Node& to = *report.node(link.to);
    const bool numbersFit = from.count >= 1 && to.count >= 1 && link.lanes >= 1 && link.lanes <= maxLanes;
    const auto fits = checkPattern(link, from.count, to.count);
    if (fits || !numbersFit)
        return; // numbers out of range are told elsewhere
    const bool self = link.from == link.to && link.pattern != Pattern::torus;
    Finding& finding = report.add(Severity::error, self ? "link.self" : "link.pattern", {report.ref(link)},
                                  {{"link", report.nameOf(link)},
                                   {"pattern", std::string(name(link.pattern))},
                                   {"expected", fits.error().expected},
                                   {"found", fits.error().found}});
    if (const auto after = possiblePattern(link, from, to))
        report.offer(finding, fixCode(after->pattern), report.ref(link), link, *after);
}

void medium(Report& report, const Link& link) {
    if (report.catalog.find<Medium>(link.medium))
        return;
    Finding& finding = report.add(Severity::error, link.medium.empty() ? "link.medium_missing" : "link.medium_unknown",
                                  {report.ref(link)}, {{"link", report.nameOf(link)}, {"medium", link.medium.value}});
    const auto proposed = proposeMedium(report.alternative, *report.node(link.from), *report.node(link.to), report.catalog);
    if (!proposed)
        return;
    Link after = link;
    after.medium = *proposed;
    finding.arguments["proposed"] = info(*report.catalog.findPart(*proposed)).name;
    report.offer(finding, "link.fitting_medium", report.ref(link), link, after);
}

void protocol(Report& report, const Link& link) {
    if (link.protocol.empty() || report.catalog.find<Protocol>(link.protocol))
        return;
    Finding& finding = report.add(Severity::warning, "link.protocol_unknown", {report.ref(link)},
                                  {{"link", report.nameOf(link)}, {"protocol", link.protocol.value}});
    Link after = link;
    after.protocol = PartId();
    report.offer(finding, "link.usual_protocol", report.ref(link), link, after);
}

/// Several machines that should work together and have no cable. Rented ones have the provider's network.
void disconnected(Report& report) {
    std::unordered_set<NodeId> connected;
    for (const Link& link : report.alternative.links) {
        connected.insert(link.from);
        connected.insert(link.to);
    }
    for (const Node& node : report.alternative.nodes)
        if (node.count > 1 && !connected.count(node.id) && report.catalog.find<Server>(node.part))
            report.add(Severity::warning, "node.disconnected", {report.ref(node)},
                       {{"node", node.name}, {"count", std::to_string(node.count)}});
}

} // namespace

void checkLinks(Report& report) {
    for (const Link& link : report.alternative.links) {
        if (isNowhere(report, link)) {
            nowhere(report, link);
            continue;
        }
        pattern(report, link);
        medium(report, link);
        protocol(report, link);
    }
    disconnected(report);
}

} // namespace cw
