// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/facility.h"
#include "estimators/facility/finding_list.h"

#include <algorithm>

namespace cw {

FindingList::FindingList(EstimateContext& context, const AlternativeEstimate& estimate)
    : m_context(context)
    , m_estimate(estimate)
    , m_powers(context.design.machines.size(), nullptr)
    , m_placed(context.design.machines.size(), false) {
    for (const NodePower& power : estimate.power.nodes) {
        if (const int node = context.design.indexOf(power.node); node >= 0)
            m_powers[static_cast<std::size_t>(node)] = &power;
    }
    for (const Placement& placement : alternative().placements) {
        for (const NodeId& id : placement.nodes) {
            if (const int node = context.design.indexOf(id); node >= 0)
                m_placed[static_cast<std::size_t>(node)] = true;
        }
    }
}

Finding& FindingList::add(Severity severity, std::string code, std::vector<ElementRef> elements, double weight,
                          std::map<std::string, std::string> arguments) {
    Finding finding;
    finding.severity = severity;
    finding.code = std::move(code);
    finding.elements = std::move(elements);
    finding.weight = weight == weight ? std::clamp(weight, 0.0, 1.0) : 0;
    finding.arguments = std::move(arguments);
    m_list.push_back(std::move(finding));
    return m_list.back();
}

void FindingList::offer(Finding& finding, std::string fixCode, std::string name, std::vector<Change> changes) const {
    std::erase_if(changes, [](const Change& c) { return c.before == c.after; });
    if (changes.empty())
        return;
    finding.fix = Edit{std::move(name), {}, std::move(changes)};
    finding.fixCode = std::move(fixCode);
}

void FindingList::offerProcurement(Finding& finding, std::string fixCode, std::string name, Procurement procurement) const {
    const AlternativeHead before{alternative().name, alternative().notes, alternative().procurement};
    AlternativeHead after = before;
    after.procurement = procurement;
    offer(finding, std::move(fixCode), std::move(name),
          {change({ElementKind::alternative, {}, alternative().id.value}, before, after)});
}

std::string FindingList::nameOf(const NodeId& id) const {
    const Machine* machine = m_context.design.machine(id);
    return machine && !machine->node->name.empty() ? machine->node->name : id.value;
}

std::string FindingList::nameOf(const Link& link) const { return nameOf(link.from) + " → " + nameOf(link.to); }

const NodePower* FindingList::powerOf(const NodeId& id) const {
    const int node = m_context.design.indexOf(id);
    return node < 0 ? nullptr : m_powers[static_cast<std::size_t>(node)];
}

std::vector<Finding> estimatedFindings(EstimateContext& context, const AlternativeEstimate& estimate) {
    FindingList list(context, estimate);
    findRacks(list);
    findNetwork(list);
    findWork(list);
    findMoney(list);
    return list.take();
}

} // namespace cw
