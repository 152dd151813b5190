// SPDX-License-Identifier: GPL-3.0-or-later
//
// JSON as text: a parser that survives anything (depth, size, doubled keys, overflow: each an Error with line and column) and the one
// layout in which this program writes JSON. Same value, same bytes. Any thread.
#pragma once

#include "model/base/error.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace cw::io {

constexpr int maxJsonDepth = 64;
constexpr std::size_t maxJsonValues = 10'000'000;

Expected<nlohmann::json> parseJson(std::string_view text, std::string_view where);

/// On one line, numbers in their shortest form; keys in the order of the value.
std::string compactText(const nlohmann::json& value);

/// For people and diffs: whatever fits a line of `width` stands on one, the rest is opened up, two spaces a level.
std::string layoutText(const nlohmann::ordered_json& value, std::size_t width = 160);

/// A short form of a value for an error message.
std::string foundText(const nlohmann::json& value);

/// One step of a JSON pointer, escaped.
void appendPointer(std::string& pointer, std::string_view key);

} // namespace cw::io
