// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ids must differ within their list (edits and links go by them), and between what is drawn (its place on the canvas goes by them).
// Names should differ, because people go by them.
#include "model/checks/report.h"

#include <unordered_map>
#include <unordered_set>

namespace cw {
namespace {

template <class List> void repeatedIds(Report& report, const List& list, ElementKind kind, const AlternativeId& alternative) {
    std::unordered_set<std::string_view> seen;
    seen.reserve(list.size());
    for (const auto& element : list) {
        const std::string& id = element.id.value;
        if (id.empty() || !seen.insert(id).second)
            report.add(Severity::error, "id.repeated", {{kind, alternative, id}},
                       {{"id", id}, {"kind", std::string(name(kind))}});
    }
}

/// Nodes, racks and frames share the keys of the view.
void sharedIds(Report& report) {
    std::unordered_map<std::string_view, ElementRef> seen;
    const auto visit = [&](const auto& list, ElementKind kind) {
        for (const auto& element : list) {
            const ElementRef ref{kind, report.alternative.id, element.id.value};
            const auto [other, fresh] = seen.emplace(element.id.value, ref);
            if (!fresh && other->second.kind != kind)
                report.add(Severity::warning, "id.shared", {other->second, ref}, {{"id", element.id.value}});
        }
    };
    visit(report.alternative.frames, ElementKind::frame);
    visit(report.alternative.racks, ElementKind::rack);
    visit(report.alternative.nodes, ElementKind::node);
}

void repeatedNames(Report& report) {
    std::unordered_map<std::string_view, const Node*> seen;
    for (const Node& node : report.alternative.nodes) {
        const auto [other, fresh] = seen.emplace(node.name, &node);
        if (fresh || node.name.empty())
            continue;
        Finding& finding =
            report.add(Severity::advice, "name.repeated", {report.ref(*other->second), report.ref(node)}, {{"name", node.name}});
        Node renamed = node;
        renamed.name = freeName(report.alternative, node.name);
        report.offer(finding, "name.make_unique", report.ref(node), node, renamed);
    }
    std::unordered_map<std::string_view, const Alternative*> alternatives;
    for (const Alternative& alternative : report.project.alternatives)
        if (!alternatives.emplace(alternative.name, &alternative).second)
            report.add(Severity::advice, "name.repeated", {{ElementKind::alternative, {}, alternative.id.value}},
                       {{"name", alternative.name}});
}

} // namespace

void checkNames(Report& report) {
    const Alternative& alternative = report.alternative;
    repeatedIds(report, report.project.workloads, ElementKind::workload, {});
    repeatedIds(report, report.project.parts, ElementKind::part, {});
    repeatedIds(report, report.project.alternatives, ElementKind::alternative, {});
    repeatedIds(report, alternative.nodes, ElementKind::node, alternative.id);
    repeatedIds(report, alternative.links, ElementKind::link, alternative.id);
    repeatedIds(report, alternative.racks, ElementKind::rack, alternative.id);
    repeatedIds(report, alternative.frames, ElementKind::frame, alternative.id);
    repeatedIds(report, alternative.placements, ElementKind::placement, alternative.id);
    sharedIds(report);
    repeatedNames(report);
}

} // namespace cw
