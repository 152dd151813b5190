// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reading and writing *.cluster.json. The reader is strict and reports every fault with a JSON pointer (or line and column when the
// text does not parse); unknown keys are kept; a newer schema opens read-only. The writer is stable: same project, same bytes.
// See docs/file-format.md for the keys.
#pragma once

#include "model/base/error.h"
#include "model/design/project.h"

#include <string>
#include <string_view>
#include <vector>

namespace cw {

constexpr int currentSchema = 1;
/// The oldest schema whose programs can still read what is written here.
constexpr int minReader = 1;

struct ReadResult {
    Project project;
    bool ok = false;             ///< project is usable
    bool readOnly = false;       ///< written by a newer version
    bool migrated = false;       ///< came from an older schema
    std::vector<Error> errors;   ///< why it is not ok
    std::vector<Error> warnings; ///< unknown newer schema, dropped nothing, …
};

/// At most `maxFileBytes` are accepted; more is a clear error.
constexpr std::size_t maxFileBytes = 64u << 20;

ReadResult readProject(std::string_view text, std::string_view where);
ReadResult readProjectFile(const std::string& path);
std::string writeProject(const Project& project);

/// The current form as a JSON Schema (draft 7); resources/schema/cluster.schema.json is this text, and a test keeps it so.
std::string projectSchema();

/// JSON text in the one form in which own parts and unknown keys are held, so that equal values are equal text.
Expected<std::string> canonicalJson(std::string_view text);

/// Parts of the project as catalog parts (faulty ones are reported and left out).
struct OwnParts {
    std::vector<Part> parts;
    std::vector<Error> errors;
};
OwnParts ownParts(const Project& project);

} // namespace cw
