// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which ports of a machine the drawn links take. Ports of one speed and use form a group; a link takes ports that are fast enough,
// of its purpose, and of its technology; a fast switch port may be broken out into slower ones as far as the switch allows.
#pragma once

#include "model/checks/checks.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace cw {

/// One link at one stack: what it wants of the fullest member, and what it gets.
struct LinkEnd {
    const Link* link = nullptr;
    const Medium* medium = nullptr; ///< null: not in the catalog
    bool atFrom = true;             ///< this stack is the link's `from`
    std::int64_t wanted = 0;        ///< cables on the fullest member
    std::int64_t got = 0;
    bool typeFits = true; ///< some port has this speed and technology
};

struct PortPlan {
    bool known = false; ///< the part says its ports (servers and switches)
    std::vector<PortUse> groups;
    std::vector<LinkEnd> ends;
};

/// The ports of a part, or null when it does not say.
const std::vector<PortGroup>* portsOf(const Part* part);

/// Fits the ends, in the order of the drawing but those with a purpose first, to the ports of the part.
PortPlan planPorts(const Part* part, std::vector<LinkEnd> ends);

/// The links that end at each stack. Links to nowhere and patterns that do not fit take nothing.
class LinkEnds {
public:
    LinkEnds(const Alternative& alternative, const Catalog& catalog);
    const std::vector<LinkEnd>& of(const NodeId& node) const;

private:
    std::unordered_map<NodeId, std::vector<LinkEnd>> m_ends;
};

/// "InfiniBand", "Ethernet", "NVLink": the first word of a technology or of a medium's name, without digits.
std::string_view technologyFamily(std::string_view name);
/// Whether a machine of this part can have a cable of this medium at all.
bool takesMedium(const Part* part, const Medium& medium);
/// How many cables of this speed one port of the group serves; 0: too slow.
int cablesPerPort(const Part* part, const PortGroup& group, BytesPerSecond speed);

} // namespace cw
