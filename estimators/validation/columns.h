// SPDX-License-Identifier: GPL-3.0-or-later
//
// Columns of a table of measurements under whatever names a source gives them. A Field has a key, a dimension and its usual names; a
// unit at the end of a column's name ("_ms", "_gib", "_gbps", "_pct") converts. Columns matches a header once; Row reads cells through it,
// in SI units. Values and references; a Row lives as long as its table and Columns.
#pragma once

#include "estimators/validation/csv.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cw {

enum class Dimension : std::uint8_t { text, number, time, bytes, rate, fraction, operations, power }; ///< rate: bytes/s

struct Field {
    std::string_view key;
    Dimension dimension = Dimension::text;
    double factor = 1;          ///< to SI where a column's name has no unit
    std::string_view names = {}; ///< besides the key, lower case, parted by |
};

/// What any table may have: who, what, on what, how many.
std::span<const Field> commonFields();

/// Lower case with every run of other characters as one underscore: "Iter time (s)" → "iter_time_s".
std::string normalisedColumn(std::string_view name);

class Columns {
public:
    /// Fields of later spans are matched after those of earlier ones; a column belongs to one field of each span.
    Columns(const std::vector<std::string>& header, std::span<const std::span<const Field>> fields);

    struct Match {
        std::size_t column = 0;
        double factor = 1;
        Dimension dimension = Dimension::text;
        std::string_view name; ///< as the header has it
    };
    const Match* find(std::string_view key) const;
    bool has(std::string_view key) const { return find(key) != nullptr; }
    /// Column of this exact name (normalised), matched to a field or not.
    std::optional<std::size_t> columnNamed(std::string_view normalised) const;

private:
    std::map<std::string_view, Match, std::less<>> m_matches;
    std::vector<std::string> m_names;
};

class Row {
public:
    Row(const CsvTable& table, const Columns& columns, const CsvRecord& record)
        : m_table(table)
        , m_columns(columns)
        , m_record(record) {}

    const CsvTable& table() const { return m_table; }
    int line() const { return m_record.line; }
    std::string id() const;     ///< its own, else "line N"
    std::string family() const; ///< its own, else the name of the file

    /// Trimmed text of a field's cell; empty where there is no such column or nothing in it ("-", "n/a", "?" are nothing).
    std::string_view text(std::string_view key) const;
    bool has(std::string_view key) const { return !text(key).empty(); }
    /// Number in SI units ("4k" is 4096, "50 %" is .5); empty where missing or not a number (then `unreadable` says so).
    std::optional<double> number(std::string_view key) const;
    double number(std::string_view key, double otherwise) const { return number(key).value_or(otherwise); }
    /// A whole number of at least 1.
    std::optional<int> count(std::string_view key) const;
    int count(std::string_view key, int otherwise) const { return count(key).value_or(otherwise); }
    /// "true", "yes", "1", "on" and the like; empty where missing.
    std::optional<bool> flag(std::string_view key) const;
    /// Text of the column of this exact name.
    std::string_view cell(std::string_view normalisedName) const;
    /// All cells in one lower-case line, for words such as "lora" that sources put anywhere.
    std::string words() const;

    /// A measured value as the file has it, and what turns it into SI.
    struct Measured {
        std::string column;
        double value = 0;  ///< in the column's own unit
        double factor = 1; ///< SI value = value · factor
    };
    std::optional<Measured> measured(std::string_view key) const;

    /// Cells that should have been numbers, for the reason of a row that could not be predicted.
    const std::vector<std::string>& unreadable() const { return m_unreadable; }

private:
    const CsvTable& m_table;
    const Columns& m_columns;
    const CsvRecord& m_record;
    mutable std::vector<std::string> m_unreadable;
};

/// A number with an optional thousands separator, "%", "k", "M" or "G" (powers of 1024), "x"; empty when the text is none.
std::optional<double> parseCellNumber(std::string_view text);

/// "a.b/training.csv" → "training".
std::string fileStem(std::string_view file);

} // namespace cw
