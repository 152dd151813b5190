// SPDX-License-Identifier: GPL-3.0-or-later
//
// Collects the findings that need figures, and makes the one-click changes that go with them. A change holds the element as the project
// has it and as it should be, so it applies or is refused as a whole. Part of estimatedFindings.
#pragma once

#include "estimators/base/context.h"

#include <map>
#include <string>
#include <vector>

namespace cw {

class FindingList {
public:
    FindingList(EstimateContext& context, const AlternativeEstimate& estimate);

    EstimateContext& context() const { return m_context; }
    const AlternativeEstimate& estimate() const { return m_estimate; }
    const Project& project() const { return *m_context.design.project; }
    const Alternative& alternative() const { return *m_context.design.alternative; }
    const Catalog& catalog() const { return m_context.catalog; }

    Finding& add(Severity severity, std::string code, std::vector<ElementRef> elements, double weight,
                 std::map<std::string, std::string> arguments);

    ElementRef ref(const NodeId& id) const { return {ElementKind::node, alternative().id, id.value}; }
    ElementRef ref(const LinkId& id) const { return {ElementKind::link, alternative().id, id.value}; }
    ElementRef ref(const RackId& id) const { return {ElementKind::rack, alternative().id, id.value}; }
    ElementRef ref(const WorkloadId& id) const { return {ElementKind::workload, {}, id.value}; }
    ElementRef siteRef() const { return {ElementKind::site, {}, {}}; }

    /// One element replaced by its successor.
    Change change(const ElementRef& ref, Element before, Element after) const {
        return {ref, std::move(before), std::move(after), -1, -1};
    }
    void offer(Finding& finding, std::string fixCode, std::string name, std::vector<Change> changes) const;
    void offerProcurement(Finding& finding, std::string fixCode, std::string name, Procurement procurement) const;

    std::string nameOf(const NodeId& id) const;
    std::string nameOf(const Link& link) const; ///< "Leaf → Spine"
    const NodePower* powerOf(const NodeId& id) const;
    bool isPlaced(std::size_t node) const { return m_placed[node]; } ///< some workload runs on it

    std::vector<Finding> take() { return std::move(m_list); }

private:
    EstimateContext& m_context;
    const AlternativeEstimate& m_estimate;
    std::vector<const NodePower*> m_powers; ///< by node
    std::vector<bool> m_placed;             ///< by node
    std::vector<Finding> m_list;
};

void findRacks(
    FindingList&); ///< racks over their limits, liquid missing, weight, inlet, facility limit, ratings below their parts
void findNetwork(FindingList&); ///< full links, collisions, oversubscription, cables that do not reach
void findWork(FindingList&);  ///< targets missed, nothing placed, idle and oversized stacks, single points of failure, power caps
void findMoney(FindingList&); ///< prices missing, buying against renting, a wasteful PUE

} // namespace cw
