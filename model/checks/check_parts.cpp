// SPDX-License-Identifier: GPL-3.0-or-later
//
// Part ids: known, and of a kind that can stand where they stand.
#include "model/checks/report.h"

namespace cw {
namespace {

template <class... Kinds> bool isOneOf(const Part& part) { return (std::holds_alternative<Kinds>(part) || ...); }

/// `expected` names the kinds that would do. An empty id is fine where `optional`.
template <class... Kinds>
void checkPart(Report& report, const PartId& id, const ElementRef& where, const std::string& name, const char* field,
               const char* expected, Severity severity, bool optional) {
    const Part* part = report.catalog.findPart(id);
    if (part && isOneOf<Kinds...>(*part))
        return;
    if (id.empty()) {
        if (!optional)
            report.add(severity, "part.missing", {where}, {{"name", name}, {"expected", expected}});
        return;
    }
    const Report::Arguments common{{"name", name}, {"part", id.value}, {"field", field}, {"expected", expected}};
    Finding& finding = report.add(severity, part ? "part.wrong_kind" : "part.unknown", {where}, common);
    if (part)
        finding.arguments["kind"] = std::string(kindName(*part));
}

} // namespace

void checkParts(Report& report) {
    constexpr Severity error = Severity::error, warning = Severity::warning;
    for (const OwnPart& own : report.project.parts) {
        const Catalog::Entry* entry = report.catalog.findEntry(own.id);
        if (!entry || entry->layer != CatalogLayer::project)
            report.add(error, "part.faulty", {{ElementKind::part, {}, own.id.value}},
                       {{"part", own.id.value}, {"kind", own.kind}});
    }
    const Site& site = report.project.site;
    const ElementRef siteRef{ElementKind::site, {}, {}};
    checkPart<Region>(report, site.region, siteRef, site.name, "region", "region", warning, true);
    checkPart<Cooling>(report, site.cooling, siteRef, site.name, "cooling", "cooling", warning, true);
    for (const Node& node : report.alternative.nodes) {
        checkPart<Server, Switch, CloudInstance, Gpu, Cpu>(report, node.part, report.ref(node), node.name, "part",
                                                           "server, switch, cloud instance, GPU or CPU", error, false);
        checkPart<CloudInstance>(report, node.priceBook, report.ref(node), node.name, "price_book", "cloud instance", warning,
                                 true);
    }
    for (const Rack& rack : report.alternative.racks) {
        checkPart<RackType>(report, rack.part, report.ref(rack), rack.name, "part", "rack", warning, true);
        checkPart<Cooling>(report, rack.cooling, report.ref(rack), rack.name, "cooling", "cooling", warning, true);
        checkPart<Pdu>(report, rack.pdu, report.ref(rack), rack.name, "pdu", "pdu", warning, true);
    }
    for (const Placement& placement : report.alternative.placements)
        checkPart<Constants>(report, placement.stack, report.ref(placement), placement.id.value, "stack", "software stack",
                             warning, true);
}

} // namespace cw
