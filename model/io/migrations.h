// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ledger of file versions and the steps between them. A step takes raw JSON of one schema to the next; what it does not
// understand it leaves for the reader to report. Steps are never changed once released: files of every version are read for ever.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>

namespace cw::io {

struct SchemaVersion {
    int schema;
    std::string_view since;  ///< first program version that wrote it
    std::string_view change; ///< what differs from the one before
};

/// All versions, oldest first; the last is currentSchema.
std::span<const SchemaVersion> schemaLedger();

/// From schema `from` to the current one, step by step. Never throws, whatever the JSON holds.
void migrate(nlohmann::json& root, int from);

} // namespace cw::io
