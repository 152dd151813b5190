// SPDX-License-Identifier: GPL-3.0-or-later
//
// The findings of one check of one alternative, as they are collected. Owned by checkDesign(); one file a subject adds to it.
#pragma once

#include "model/checks/checks.h"

#include <initializer_list>
#include <string>
#include <unordered_map>
#include <utility>

namespace cw {

class Report {
public:
    using Arguments = std::map<std::string, std::string>;

    Report(const Project& wholeProject, const Alternative& design, const Catalog& parts);

    const Project& project;
    const Alternative& alternative;
    const Catalog& catalog;

    Finding& add(Severity severity, std::string code, std::vector<ElementRef> elements, Arguments arguments, double weight = 0);
    /// A one-click change of one element of the project.
    void offer(Finding& finding, std::string fixCode, const ElementRef& ref, Element before, Element after) const;

    ElementRef ref(const Site&) const { return {ElementKind::site, {}, {}}; }
    ElementRef ref(const Node& node) const { return {ElementKind::node, alternative.id, node.id.value}; }
    ElementRef ref(const Link& link) const { return {ElementKind::link, alternative.id, link.id.value}; }
    ElementRef ref(const Rack& rack) const { return {ElementKind::rack, alternative.id, rack.id.value}; }
    ElementRef ref(const Frame& frame) const { return {ElementKind::frame, alternative.id, frame.id.value}; }
    ElementRef ref(const Placement& placement) const { return {ElementKind::placement, alternative.id, placement.id.value}; }
    ElementRef ref(const Workload& workload) const { return {ElementKind::workload, {}, workload.id.value}; }

    const Node* node(const NodeId& id) const;
    /// Name for people; of nodes that are not there, the id.
    std::string nameOf(const NodeId& id) const;
    std::string nameOf(const Link& link) const;

    std::vector<Finding> take();

private:
    std::unordered_map<NodeId, const Node*> m_nodes;
    std::vector<Finding> m_findings;
};

void checkParts(Report& report);
void checkNumbers(Report& report);
void checkNames(Report& report);
void checkLinks(Report& report);
void checkPorts(Report& report);
void checkRacks(Report& report);
void checkFrames(Report& report);
void checkWorkloads(Report& report);
void checkPlacements(Report& report);

} // namespace cw
