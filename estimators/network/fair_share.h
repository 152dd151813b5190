// SPDX-License-Identifier: GPL-3.0-or-later
//
// Workloads that meet on the same links: what each achieves there by max-min fair sharing among flows (Bertsekas and Gallager 1992, 6.5). Pure.
#pragma once

#include "estimators/network/fabric.h"

namespace cw {

/// ResourceUse::resource of what others take of a workload's network: its elements name the link, its utilisation is 1 − share.
constexpr const char* sharedNetwork = "network.shared";

/// One workload's traffic and the shares that it was estimated with (1: alone), of its collectives and of its links to storage.
struct Contender {
    std::span<const Traffic> traffic;
    double network = 1, storage = 1;
};

struct FairShare {
    double network = 1, storage = 1;   ///< of the rate that it would reach alone, the mean over the time in which it sends
    std::optional<std::uint32_t> link; ///< where it is least; empty: nobody is in the way
};

/// Bursts (Traffic::activeTime) want the rate they would have alone, while the others take their mean rates, which is what their bytes need in
/// the long run. What flows all the time wants its own rate, and its share never rises from one round to the next. On each link and
/// direction the rates are filled up evenly, flow by flow. In the order of the contenders.
std::vector<FairShare> fairShares(const Fabric& fabric, std::span<const Contender> contenders);

/// What each traffic gets on each link of the rate it would have alone there: fills LinkLoad::Share::granted.
void grantShares(const Fabric& fabric, std::span<const Contender> contenders, std::vector<LinkLoad>& loads);

} // namespace cw
