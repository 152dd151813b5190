// SPDX-License-Identifier: GPL-3.0-or-later
//
// Projects for tests: one in which every key of the file is used, and random ones from a seed.
#pragma once

#include "model/design/project.h"

#include <random>
#include <string>

namespace cw::test {

/// No member has its default value; every workload kind, element kind and pattern occurs.
Project fullProject();

/// A plausible project of so many stacks: leaf and spine, racks, frames, placements. The same seed gives the same project.
Project randomProject(std::mt19937& random, int stacks);

/// Uniform from 0 to bound − 1, the same on every platform.
inline int below(std::mt19937& random, int bound) { return int(random() % unsigned(bound)); }

/// The id of any of them; "none" of nothing.
template <class List> std::string anyId(std::mt19937& random, const List& list) {
    return list.empty() ? "none" : list[std::size_t(below(random, int(list.size())))].id.value;
}

/// Twelve servers on two rails of four leaves, two spines, six stores on a ring; a rack, a placement, views. The alternative is "alt0".
Project leafSpineProject();

} // namespace cw::test
