// SPDX-License-Identifier: GPL-3.0-or-later
//
// Structural findings: what is wrong with a design before anything is estimated (unknown parts, ports, ranges, cycles, racks).
// Codes and arguments only; views/text makes sentences of them.
#pragma once

#include "model/catalog/catalog.h"
#include "model/design/project.h"
#include "model/edit/edit.h"

#include <map>
#include <string>
#include <vector>

namespace cw {

enum class Severity : std::uint8_t { error, warning, advice };

/// One remark. `code` is stable ("ports.exceeded"); `arguments` are named values for the sentence, numbers already formatted with units.
/// `weight` orders findings of one severity (share of the quantity concerned, 0 to 1). `fix` is a change that can be applied with one click.
struct Finding {
    Severity severity = Severity::warning;
    std::string code;
    std::vector<ElementRef> elements;
    std::map<std::string, std::string> arguments;
    double weight = 0;
    std::optional<Edit> fix;
    std::string fixCode; ///< what the fix does, for the button text
};

/// Everything wrong with one alternative (and with the project's shared parts), most severe first. `catalog` has the project's own parts
/// laid over it. Cost, power, heat, weight and cable lengths are the estimators' to judge. model/README.md lists the codes.
std::vector<Finding> checkDesign(const Project& project, const Alternative& alternative, const Catalog& catalog);

/// Ports of a node: taken and free per group, as drawn links use them.
/// The network ports of a part: "InfiniBand: 64 × 400 Gb/s". Empty when it names none.
std::string portsText(const Part& part);

struct PortUse {
    PortGroup group;
    std::int64_t used = 0; ///< per member (the fullest member)
};
std::vector<PortUse> portUse(const Alternative& alternative, const Node& node, const Catalog& catalog);

/// Cables between two stacks for a link: total, and per member of each end (fullest member). A link within one stack has one end: perFrom
/// and perTo are then the same ports, not to be added. All zero where the pattern does not fit or an end is missing.
struct CableCount {
    std::int64_t total = 0, perFrom = 0, perTo = 0;
};
CableCount cableCount(const Alternative& alternative, const Link& link);
/// The same from the counts of both ends.
CableCount cableCount(const Link& link, std::int64_t fromCount, std::int64_t toCount);

/// The medium that fits both ends best (most free bandwidth, same technology), or why none fits.
Expected<PartId> proposeMedium(const Alternative& alternative, const Node& from, const Node& to, const Catalog& catalog);

/// Pattern and lanes an architect would expect between two stacks (servers to leaves: each or rail; leaves to spines: mesh with as many
/// lanes as ports allow, …).
/// The link goes from the lower tier (servers) to the upper, whichever way it was drawn; its id and name are empty, and so is its medium when
/// none fits. A server's storage or management ports are taken, with that purpose, once those before them are in use.
Link proposeLink(const Alternative& alternative, const Node& from, const Node& to, const Catalog& catalog);

} // namespace cw
