// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pieces of a cost estimate: purchase lines by what is bought, rents, hours paid, traffic that is billed. Part of estimateCost.
#pragma once

#include "estimators/base/context.h"
#include "estimators/facility/cabling.h"

#include <functional>
#include <span>
#include <vector>

namespace cw {

/// r/(1 − (1 + r)^−n): what a loan of 1 over n years costs each year.
double capitalRecovery(double rate, double years);

/// Prices of one estimate; equal machines are looked up once.
class PriceList {
public:
    explicit PriceList(EstimateContext& context);

    CostLine purchaseLine(const Machine& machine);
    Quantity rent(const Machine& machine, Procurement procurement); ///< USD/h of one machine

    using Owned = std::function<bool(const NodeId&)>;
    /// Cables with at least one end at a machine that is bought.
    void addCables(std::vector<CostLine>& lines, const Owned& owned);
    /// Racks that hold a bought machine, their feeds, and coolant units for what cold plates bring into water.
    void addRacks(std::vector<CostLine>& lines, std::span<const RackEstimate> racks, const Owned& owned);

private:
    struct Known {
        const PartInfo* part;
        Procurement procurement; ///< buy: purchase price
        const PartId* book;
        Quantity quantity;
    };
    /// Of one cable, modules at both ends included; cables of the same kind and length are priced once.
    Quantity cablePrice(const Cabling::Run& run);
    const Quantity* known(const PartInfo* part, Procurement procurement, const PartId& book) const;
    CostLine line(std::string category, PartId part, std::int64_t quantity, const Quantity& unitPrice) const;
    void addCoolantUnits(std::vector<CostLine>& lines, double watts);

    EstimateContext& m_context;
    Cabling m_cabling;
    std::vector<Known> m_known;
    std::vector<std::pair<Cabling::Run, Quantity>> m_cables;
};

/// Share of the year's hours that a node is paid for by the hour, by node: of the workload that needs it longest, as its placement
/// scales; 1 where nothing is placed.
std::vector<double> paidHours(const EstimateContext& context);

/// Traffic over links that bill it (zones, regions), USD a year.
Quantity transferPerYear(EstimateContext& context, std::span<const LinkLoad> links);

std::vector<NamedQuantity> sumByCategory(Derivation& derivation, std::span<const CostLine> lines);

} // namespace cw
