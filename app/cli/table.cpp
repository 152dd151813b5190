// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cw::cli {

namespace {

/// Columns a terminal needs for UTF-8 text; all our text is of single-width characters.
std::size_t width(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string joined(const std::vector<std::string>& fields, std::string_view separator)
{
    std::string out;
    for (const auto& field : fields) {
        if (!out.empty())
            out += separator;
        out += field;
    }
    return out;
}

} // namespace

Cell text(std::string value) { return {std::move(value), {}}; }

Cell number(double value, std::string shown)
{
    if (!std::isfinite(value))
        return {std::move(shown), "null"};
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {std::move(shown), std::string(buffer, end)};
}

Cell boolean(bool value) { return {value ? "yes" : "no", value ? "true" : "false"}; }

std::string jsonString(std::string_view text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string csvField(std::string_view text)
{
    std::string field(text);
    const bool isNumber = !field.empty() && field.find_first_not_of("0123456789.eE+-") == std::string::npos;
    if (!field.empty() && !isNumber && std::string_view("=+-@\t\r").find(field.front()) != std::string_view::npos)
        field.insert(field.begin(), '\'');
    if (field.find_first_of(",\"\n\r") == std::string::npos)
        return field;
    std::string quoted = "\"";
    for (char c : field) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string Table::text(Format format) const
{
    switch (format) {
    case Format::json: return json();
    case Format::csv: return csv();
    case Format::table: break;
    }
    return aligned();
}

std::string Table::aligned() const
{
    std::vector<std::size_t> widths;
    for (const auto& column : m_columns)
        widths.push_back(width(column));
    for (const auto& row : m_rows)
        for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i)
            widths[i] = std::max(widths[i], width(row[i].text));
    std::string out;
    const auto line = [&](auto cellAt) {
        std::string text;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const std::string cell = cellAt(i);
            text += cell;
            if (i + 1 < widths.size())
                text.append(widths[i] - std::min(widths[i], width(cell)) + 2, ' ');
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + '\n';
    };
    line([&](std::size_t i) { return m_columns[i]; });
    line([&](std::size_t i) { return std::string(widths[i], '-'); });
    for (const auto& row : m_rows)
        line([&](std::size_t i) { return i < row.size() ? row[i].text : std::string(); });
    return out;
}

std::string Table::json() const
{
    std::vector<std::string> rows;
    for (const auto& row : m_rows) {
        std::vector<std::string> fields;
        for (std::size_t i = 0; i < row.size() && i < m_columns.size(); ++i)
            fields.push_back(jsonString(m_columns[i]) + ": " + (row[i].json.empty() ? jsonString(row[i].text) : row[i].json));
        rows.push_back("  {" + joined(fields, ", ") + "}");
    }
    return rows.empty() ? "[]\n" : "[\n" + joined(rows, ",\n") + "\n]\n";
}

std::string Table::csv() const
{
    std::vector<std::string> header;
    for (const auto& column : m_columns)
        header.push_back(csvField(column));
    std::string out = joined(header, ",") + '\n';
    for (const auto& row : m_rows) {
        std::vector<std::string> fields;
        for (const auto& cell : row) // a bare JSON number is what a spreadsheet wants; other JSON is not
            fields.push_back(csvField(cell.json.empty() || cell.json == "true" || cell.json == "false" ? cell.text
                                      : cell.json == "null"                                            ? std::string()
                                                                                                       : cell.json));
        out += joined(fields, ",") + '\n';
    }
    return out;
}

} // namespace cw::cli
