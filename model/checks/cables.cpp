// SPDX-License-Identifier: GPL-3.0-or-later
//
// Closed forms of what memberPairs() counts out; a test holds them against each other.
#include "model/checks/checks.h"

#include "model/design/expand.h"

#include <algorithm>

namespace cw {

CableCount cableCount(const Link& link, std::int64_t n, std::int64_t m) {
    if (!checkPattern(link, n, m))
        return {};
    const std::int64_t lanes = link.lanes;
    switch (link.pattern) {
    case Pattern::each:
    case Pattern::rail:
    case Pattern::plane:
        return {n * lanes, lanes, (n * lanes + m - 1) / m};
    case Pattern::mesh:
        if (link.from == link.to)
            return {n * (n - 1) / 2 * lanes, (n - 1) * lanes, (n - 1) * lanes};
        return {n * m * lanes, m * lanes, n * lanes};
    case Pattern::pair:
        return {n * lanes, lanes, lanes};
    case Pattern::ring: {
        const std::int64_t ports = std::min<std::int64_t>(n - 1, 2) * lanes;
        return {n * ports / 2, ports, ports};
    }
    case Pattern::torus:
        break;
    }
    std::int64_t ports = 0;
    for (const int size : link.dimensions)
        ports += std::min(size - 1, 2) * lanes;
    return {n * ports / 2, ports, ports};
}

CableCount cableCount(const Alternative& alternative, const Link& link) {
    const Node* from = alternative.findNode(link.from);
    const Node* to = alternative.findNode(link.to);
    return from && to ? cableCount(link, from->count, to->count) : CableCount{};
}

} // namespace cw
