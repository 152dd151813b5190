// SPDX-License-Identifier: GPL-3.0-or-later
//
// Comma-separated values as RFC 4180 has them, read strictly: quotes only around whole fields, doubled inside, line breaks kept. A record
// that breaks the rules costs that record, not the table; only a table without a usable header is an error. Pure; nothing is kept.
#pragma once

#include "model/base/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace cw {

struct CsvRecord {
    int line = 0; ///< of the file, counting from 1, where it begins
    std::vector<std::string> fields;
    std::string fault; ///< why it cannot be used; empty: as many fields as the header
};

struct CsvTable {
    std::string file; ///< as errors and reports name it
    std::vector<std::string> header;
    std::vector<CsvRecord> records;
};

/// Reads a table with a header; its separator is the comma, or the semicolon or tab where the header has no comma. Lines that are empty or start with # are passed over.
Expected<CsvTable> parseCsv(std::string_view text, std::string_view file);

/// A field as it stands in a file: quoted where it must be.
std::string csvQuoted(std::string_view text);

} // namespace cw
