// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/checks/report.h"

#include <algorithm>

namespace cw {

Report::Report(const Project& wholeProject, const Alternative& design, const Catalog& parts)
    : project(wholeProject)
    , alternative(design)
    , catalog(parts) {
    for (const Node& node : alternative.nodes)
        m_nodes.emplace(node.id, &node);
}

Finding& Report::add(Severity severity, std::string code, std::vector<ElementRef> elements, Arguments arguments, double weight) {
    Finding finding;
    finding.severity = severity;
    finding.code = std::move(code);
    finding.elements = std::move(elements);
    finding.arguments = std::move(arguments);
    finding.weight = weight;
    return m_findings.emplace_back(std::move(finding));
}

void Report::offer(Finding& finding, std::string fixCode, const ElementRef& ref, Element before, Element after) const {
    Edit edit;
    edit.name = fixCode; // the button that applies it gives the words
    edit.changes.push_back({ref, std::move(before), std::move(after), -1, -1});
    finding.fix = std::move(edit);
    finding.fixCode = std::move(fixCode);
}

const Node* Report::node(const NodeId& id) const {
    const auto found = m_nodes.find(id);
    return found == m_nodes.end() ? nullptr : found->second;
}

std::string Report::nameOf(const NodeId& id) const {
    const Node* found = node(id);
    return found && !found->name.empty() ? found->name : id.value;
}

std::string Report::nameOf(const Link& link) const {
    return link.name.empty() ? nameOf(link.from) + " → " + nameOf(link.to) : link.name;
}

std::vector<Finding> Report::take() {
    std::stable_sort(m_findings.begin(), m_findings.end(), [](const Finding& a, const Finding& b) {
        return a.severity != b.severity ? a.severity < b.severity : a.weight > b.weight;
    });
    return std::move(m_findings);
}

std::vector<Finding> checkDesign(const Project& project, const Alternative& alternative, const Catalog& catalog) {
    Report report(project, alternative, catalog);
    checkParts(report);
    checkNumbers(report);
    checkNames(report);
    checkLinks(report);
    checkPorts(report);
    checkRacks(report);
    checkFrames(report);
    checkWorkloads(report);
    checkPlacements(report);
    return report.take();
}

} // namespace cw
