// SPDX-License-Identifier: GPL-3.0-or-later
//
// Columns of a table of measurements under whatever names a source gives them. A Field has a key, a dimension and its usual names; a
// unit at the end of a column's name ("_ms", "_gib", "_gbps", "_pct") converts. Columns matches a header once; Row reads cells through it,
// in SI units. Values and references; a Row lives as long as its table and Columns.
#pragma once

#include "estimators/validation/csv.h"
#include "model/catalog/part.h"

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
    bool positive = false;       ///< 0 is a mistake, not "none"
};

/// What any table may have: who, what, on what, how many.
std::span<const Field> commonFields();

/// Lower case with every run of other characters as one underscore: "Iter time (s)" → "iter_time_s", "# of GPUs" → "num_of_gpus". Bits and
/// bytes, which only their case tells apart, keep apart: "Gb/s" → "gbps", "GB/s" → "gb_s".
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
        bool positive = false;
    };
    const Match* find(std::string_view key) const;
    bool has(std::string_view key) const { return find(key) != nullptr; }
    /// Column of this exact name (normalised), matched to a field or not.
    std::optional<std::size_t> columnNamed(std::string_view normalised) const;
    /// Names of columns that belong to no field: unknown, or a second column of one that is taken.
    std::vector<std::string> notUnderstood() const;
    /// How many columns belong to fields of these.
    std::size_t matchedBy(std::span<const Field> fields) const;

private:
    std::map<std::string_view, Match, std::less<>> m_matches;
    std::vector<std::string> m_names, m_header;
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
    /// A field's column as the header names it; empty: there is none.
    std::string_view column(std::string_view key) const {
        const Columns::Match* match = m_columns.find(key);
        return match ? match->name : std::string_view();
    }
    /// The field's column as the header has it; empty: none.
    std::string_view columnName(std::string_view key) const;
    /// A number format; empty where missing, and where the text is none (then `unreadable` says so).
    std::optional<Precision> precision(std::string_view key = "precision") const;
    /// Number in SI units ("4k" is 4096, "50 %" is .5); empty where missing or not a number, or 0 where that cannot be (then `unreadable`
    /// says so).
    std::optional<double> number(std::string_view key) const;
    double number(std::string_view key, double otherwise) const { return number(key).value_or(otherwise); }
    /// A whole number of at least 1; empty for 0 ("none"). Others are unreadable.
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
    /// Empty where missing and where it is no figure to compare with (then `notMeasured` says so).
    std::optional<Measured> measured(std::string_view key) const;

    /// What was asked of the row and cannot be used as it stands: with one of these there is no prediction.
    const std::vector<std::string>& unreadable() const { return m_unreadable; }
    /// A measured cell that is no figure to compare with.
    struct NotMeasured {
        std::string column;
        double value = 0; ///< NaN: not a number
        std::string reason;
    };
    const std::vector<NotMeasured>& notMeasured() const { return m_notMeasured; }

private:
    std::optional<Measured> read(std::string_view key) const;
    void refuse(std::string_view key, std::string_view why) const;

    const CsvTable& m_table;
    const Columns& m_columns;
    const CsvRecord& m_record;
    mutable std::vector<std::string> m_unreadable;
    mutable std::vector<NotMeasured> m_notMeasured;
};

/// A number with an optional thousands separator, "%", "k", "M" or "G" (powers of 1024), "x"; empty when the text is none.
std::optional<double> parseCellNumber(std::string_view text);

/// "a.b/training.csv" → "training".
std::string fileStem(std::string_view file);

} // namespace cw
