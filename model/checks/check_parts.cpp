// SPDX-License-Identifier: GPL-3.0-or-later
//
// Part ids: known, and of a kind that can stand where they stand.
#include "model/checks/report.h"

namespace cw {
namespace {

template <class... Kinds> bool isOneOf(const Part& part) { return (std::holds_alternative<Kinds>(part) || ...); }

/// What may stand in a field. `expected` says it for people.
struct Wanted {
    const char* field;
    const char* expected;
    Severity severity;
    bool optional; ///< an empty id is fine
};

template <class... Kinds, class Element>
void checkPart(Report& report, const Element& element, const PartId& id, const std::string& name, const Wanted& wanted) {
    if (id.empty()) {
        if (!wanted.optional)
            report.add(wanted.severity, "part.missing", {report.ref(element)}, {{"name", name}, {"expected", wanted.expected}});
        return;
    }
    const Part* part = report.catalog.findPart(id);
    if (part && isOneOf<Kinds...>(*part))
        return;
    Finding& finding = report.add(wanted.severity, part ? "part.wrong_kind" : "part.unknown", {report.ref(element)},
                                  {{"name", name}, {"part", id.value}, {"field", wanted.field}, {"expected", wanted.expected}});
    if (part)
        finding.arguments["kind"] = std::string(kindName(*part));
}

constexpr Wanted machine{"part", "server, switch, cloud instance, GPU or CPU", Severity::error, false};
constexpr Wanted priceBook{"price_book", "cloud instance", Severity::warning, true};
constexpr Wanted rackType{"part", "rack", Severity::warning, true};
constexpr Wanted cooling{"cooling", "cooling", Severity::warning, true};
constexpr Wanted pdu{"pdu", "pdu", Severity::warning, true};
constexpr Wanted region{"region", "region", Severity::warning, true};
constexpr Wanted stack{"stack", "software stack", Severity::warning, true};

} // namespace

void checkParts(Report& report) {
    for (const OwnPart& own : report.project.parts) {
        const Catalog::Entry* entry = report.catalog.findEntry(own.id);
        if (!entry || entry->layer != CatalogLayer::project)
            report.add(Severity::error, "part.faulty", {{ElementKind::part, {}, own.id.value}},
                       {{"part", own.id.value}, {"kind", own.kind}});
    }
    const Site& site = report.project.site;
    checkPart<Region>(report, site, site.region, site.name, region);
    checkPart<Cooling>(report, site, site.cooling, site.name, cooling);
    for (const Node& node : report.alternative.nodes) {
        checkPart<Server, Switch, CloudInstance, Gpu, Cpu>(report, node, node.part, node.name, machine);
        checkPart<CloudInstance>(report, node, node.priceBook, node.name, priceBook);
    }
    for (const Rack& rack : report.alternative.racks) {
        checkPart<RackType>(report, rack, rack.part, rack.name, rackType);
        checkPart<Cooling>(report, rack, rack.cooling, rack.name, cooling);
        checkPart<Pdu>(report, rack, rack.pdu, rack.name, pdu);
    }
    for (const Placement& placement : report.alternative.placements)
        checkPart<Constants>(report, placement, placement.stack, placement.id.value, stack);
}

} // namespace cw
