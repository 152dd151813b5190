// SPDX-License-Identifier: GPL-3.0-or-later
//
// Order and pairing of fact keys. Private to views/text.
#pragma once

#include <string>
#include <string_view>

namespace cw::text {

/// Place in the list of facts; unknown keys come last.
int factRank(std::string_view key);
/// The key of a band without its low or high; other keys as they are.
std::string withoutBandSuffix(const std::string& key);

} // namespace cw::text
