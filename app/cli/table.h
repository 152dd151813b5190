// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a verb prints as a table: aligned text for people, JSON (an array of objects) or CSV for programs.
#pragma once

#include <string>
#include <vector>

namespace cw::cli {

enum class Format { table, json, csv };

struct Cell {
    std::string text;  ///< for people
    std::string json;  ///< JSON text of the value; empty: the text as a JSON string
};

class Table {
  public:
    explicit Table(std::vector<std::string> columns) : m_columns(std::move(columns)) {}
    void add(std::vector<Cell> row) { m_rows.push_back(std::move(row)); }
    bool empty() const { return m_rows.empty(); }
    std::string text(Format format) const;

  private:
    std::string aligned() const;
    std::string json() const;
    std::string csv() const;
    std::vector<std::string> m_columns;
    std::vector<std::vector<Cell>> m_rows;
};

Cell text(std::string value);
/// Shown as `shown`, in JSON a number, null when not finite.
Cell number(double value, std::string shown);
Cell boolean(bool value);

std::string jsonString(std::string_view text);
/// Quoted for CSV; text that a spreadsheet would run as a formula gets an apostrophe.
std::string csvField(std::string_view text);

} // namespace cw::cli
