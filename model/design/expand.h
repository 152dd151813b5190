// SPDX-License-Identifier: GPL-3.0-or-later
//
// The full graph behind the stacks: every member, every cable. For cable schedules, port maps, elevations, and to hold the lumped
// estimates against. Members are numbered 0…count-1 within their stack.
#pragma once

#include "model/base/error.h"
#include "model/design/design.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace cw {

struct ExpandedGraph {
    struct Member {
        std::uint32_t node; ///< index into Alternative::nodes
        std::uint32_t index;
    };
    struct Cable {
        std::uint32_t from, to; ///< indices into members
        std::uint32_t link;     ///< index into Alternative::links
        std::uint16_t fromPort, toPort; ///< running port number within the member
    };
    std::vector<Member> members;
    std::vector<std::uint32_t> firstMember; ///< by node index
    std::vector<Cable> cables;
};

/// Whether the pattern of a link can be cabled between so many members; the Error names the link, what would do and what is there.
Expected<void> checkPattern(const Link& link, std::int64_t fromCount, std::int64_t toCount);

/// Fails with the link named when a pattern does not fit its counts, or when the graph would exceed `maxCables`.
Expected<ExpandedGraph> expand(const Alternative& alternative, std::size_t maxCables = 20'000'000);

/// Member index pairs of one link (i of `from`, j of `to`), each pair once with its number of parallel cables, ordered by `from` (torus: by
/// axis, then `from`); the single source of truth of what a pattern means. With n, m counts, L lanes, indices from 0:
///   each, L ≥ m             i → (i·L + k) mod m, k = 0 … L−1
///   each, L < m, L divides m, and rail    B = m/L blocks, b = ⌊i·B/n⌋: i → b·L + k, k = 0 … L−1 (rail: k is the port)
///   each, L < m otherwise   i → (⌊i·m/n⌋ + k) mod m, k = 0 … L−1: neighbours overlap, and every member of `to` has ⌊n·L/m⌋ or ⌈n·L/m⌉ cables
///   mesh                    i → all j; within one stack every pair i < j once
///   plane                   i → (i mod m/L)·L + k, k = 0 … L−1
///   pair, ring, torus       as in design.h
struct MemberPair {
    std::uint32_t from, to;
    std::uint32_t lanes;
};
Expected<std::vector<MemberPair>> memberPairs(const Link& link, std::int64_t fromCount, std::int64_t toCount, std::size_t limit = 20'000'000);

/// Into how many blocks a link divides its ends: members of one block reach each other through the other end's block
/// (mesh, ring, torus, plane 1; pair n; each and rail ⌊m/L⌋, at least 1 and at most n). 1 block: everybody.
std::int64_t blockCount(const Link& link, std::int64_t fromCount, std::int64_t toCount);

} // namespace cw
