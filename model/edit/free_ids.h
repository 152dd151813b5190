// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ids and names that are free, for edits that need many at once. Owned by one maker of an edit; what it gives out counts as taken.
#pragma once

#include "model/design/project.h"

#include <string>
#include <string_view>
#include <unordered_set>

namespace cw {

class FreeIds {
public:
    /// Takes count of the elements of the alternative, or, with an empty id, of alternatives, workloads and own parts.
    FreeIds(const Project& project, const AlternativeId& alternative);
    /// `wish` made fit for an id, with "-2", "-3", … where it is taken.
    std::string take(std::string_view wish);

private:
    std::unordered_set<std::string> m_taken;
};

class FreeNames {
public:
    explicit FreeNames(const Alternative& alternative);
    explicit FreeNames(const std::vector<Alternative>& alternatives);
    /// `wish` with " 2", " 3", … where it is taken.
    std::string take(std::string_view wish);

private:
    std::unordered_set<std::string> m_taken;
};

} // namespace cw
