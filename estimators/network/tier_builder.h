// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the network tiers of a group of stacks on the quotient graph: level by level away from the machines. A component of the quotient
// whose links have block counts with greatest common divisor g stands for g separate networks, each with 1/g of every stack in it
// (members are numbered so that every link divides its ends into contiguous blocks; see model/design/expand.h). Lives for one call.
#pragma once

#include "estimators/network/fabric.h"

namespace cw {

class TierBuilder {
public:
    TierBuilder(const Fabric& fabric, std::span<const std::uint32_t> nodes, std::span<const double> devices);

    /// Appends the network tiers up to the first that holds all devices, and one more above rails; false when none does.
    bool build(std::string_view purpose, Fabric::Choice choice, std::vector<FabricTier>& tiers);

private:
    struct TierLink {
        std::uint32_t link, low, high; ///< nodes; equal for rings and tori
        bool forward;                  ///< low → high is from → to of the drawn link
        bool rising;                   ///< to the next level; otherwise both ends are of one level
    };

    void reset();
    std::uint32_t root(std::uint32_t node);
    void unite(std::uint32_t a, std::uint32_t b, std::int64_t blocks);
    /// Links between members of one and the same stack of `frontier`: nearer than any other.
    std::vector<TierLink> findLinksInside(const std::vector<std::uint32_t>& frontier);
    /// Links from `frontier` (level k−1); new switches go to `next`.
    std::vector<TierLink> findLinks(int k, const std::vector<std::uint32_t>& frontier, std::vector<std::uint32_t>& next);
    double devicesPerBlock();
    bool allTogether();
    void fillClimb(FabricTier& tier);
    /// Where stacks of one level are linked directly (the groups of a dragonfly) the ways between them may pass others.
    bool fillClimbByRoutes(FabricTier& tier) const;
    void addClimb(FabricTier& tier, const TierLink& link, double fraction) const;
    void describe(FabricTier& tier, const std::vector<FabricTier>& below) const;
    bool everySwitchReduces() const;

    const Fabric& m_fabric;
    std::span<const std::uint32_t> m_nodes;
    std::span<const double> m_devices; ///< of each node of the group
    double m_total = 0;
    std::string_view m_purpose;
    Fabric::Choice m_choice{};
    double m_fastest = 0;
    std::vector<int> m_level; ///< by node; −1: not reached
    std::vector<std::uint32_t> m_parent;
    std::vector<std::int64_t> m_blocks; ///< of the component of a root; 0: a node alone
    std::vector<char> m_seen;           ///< by link
    std::vector<std::vector<TierLink>> m_tiers;
    int m_rises = 0; ///< tiers that go up to another level
    std::vector<double> m_flow; ///< by node: scratch of one pass over the tiers
    std::vector<char> m_leads;  ///< by node: reaches the tier in question
};

} // namespace cw
