// SPDX-License-Identifier: GPL-3.0-or-later
//
// The way back from single cables to a pattern: what explode and merge rest on. A pattern fits when it makes exactly the cables given.
#pragma once

#include "model/design/expand.h"

#include <optional>
#include <vector>

namespace cw {

/// `like` with the pattern, lanes and dimensions that make exactly `pairs` (numbered from 0 on both ends; within one stack where from
/// equals to), its own pattern first. Empty: there is none.
std::optional<Link> fitPattern(const Link& like, std::vector<MemberPair> pairs, std::int64_t fromCount, std::int64_t toCount);

} // namespace cw
