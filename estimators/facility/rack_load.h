// SPDX-License-Identifier: GPL-3.0-or-later
//
// One kind of rack with what stands in it: power, air, water, weight and limit. Part of estimateRacks.
#pragma once

#include "estimators/base/context.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace cw {

/// Power figures by node id.
class NodePowers {
public:
    explicit NodePowers(const PowerEstimate& power);
    const NodePower* find(const NodeId& node) const; ///< null: not counted

private:
    std::unordered_map<std::string_view, const NodePower*> m_byNode;
};

/// What stands in one rack of a kind.
struct RackLoad {
    const Rack* rack = nullptr;     ///< null: packed automatically
    const RackType* type = nullptr; ///< null: unknown, or the machine is its own rack
    std::int64_t count = 1;
    std::vector<RackItem> items;
};

/// Height, weight and so on of one machine; what its part does not say is assumed from its height.
struct MachineBody {
    double units = 0;
    double weight = 0; ///< kg
    bool weightKnown = false;
    bool ownRack = false; ///< a rack-scale system
};
MachineBody bodyOf(const Machine& machine, const Catalog& catalog);

RackEstimate rackEstimate(EstimateContext&, const RackLoad& load, const NodePowers& powers);

/// W that every rack of a design may draw for this cooling: the cooling's maximum and the site's limit. NaN: no limit known.
double siteRackLimit(const EstimateContext&, const Cooling* cooling);

} // namespace cw
