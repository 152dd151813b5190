// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/accuracy_page.h"
#include "app/cli/error_tables.h"
#include "estimators/validation/validation.h"
#include "views/explain/explain_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace cw::cli {

namespace {

constexpr std::size_t largestTable = 256u << 20;

std::optional<std::string> contents(const std::string& file)
{
    if (file == "-")
        return std::string(std::istreambuf_iterator<char>(std::cin), {});
    std::ifstream stream(file, std::ios::binary);
    if (!stream || std::filesystem::is_directory(file)) {
        message(file + ": cannot be opened");
        return std::nullopt;
    }
    std::string text(std::istreambuf_iterator<char>(stream), {});
    if (text.size() > largestTable) {
        message(file + ": larger than a table of measurements can be (256 MB)");
        return std::nullopt;
    }
    return text;
}

std::string shown(double value, const char* format = "%.4g")
{
    if (!std::isfinite(value))
        return "";
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, format, value);
    return buffer;
}

nlohmann::ordered_json finite(double value) { return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(); }

std::string asJson(const ValidationReport& report)
{
    nlohmann::ordered_json families = nlohmann::ordered_json::array(), rows = nlohmann::ordered_json::array();
    for (const FamilyStatistics& f : report.families)
        families.push_back({{"file", f.file}, {"family", f.family}, {"quantity", f.quantity}, {"n", f.n}, {"predicted", f.predicted},
                            {"median_abs_pct", finite(f.median)}, {"mean_abs_pct", finite(f.mean)}, {"p90_abs_pct", finite(f.p90)},
                            {"max_abs_pct", finite(f.max)}, {"left_out_model_mean_abs_pct", finite(f.model.mean)},
                            {"left_out_device_mean_abs_pct", finite(f.device.mean)}});
    for (const ValidatedRow& row : report.rows) {
        const Prediction& p = row.prediction;
        nlohmann::ordered_json out{{"id", row.id}, {"file", row.file}, {"family", row.family}, {"quantity", p.quantity}};
        out["measured"] = finite(p.measured);
        out["predicted"] = finite(p.predicted);
        out["error_pct"] = finite(p.errorPercent());
        out["reason"] = p.reason;
        out["note"] = p.note;
        rows.push_back(std::move(out));
    }
    nlohmann::ordered_json notUnderstood = nlohmann::ordered_json::object();
    for (const NotUnderstood& table : report.notUnderstood)
        notUnderstood[table.file] = table.columns;
    const nlohmann::ordered_json all{{"families", std::move(families)}, {"rows", std::move(rows)}, {"not_understood", std::move(notUnderstood)}};
    return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Table rowTable(const ValidationReport& report)
{
    Table table({"id", "file", "family", "quantity", "measured", "predicted", "error_pct", "reason", "note"});
    for (const ValidatedRow& row : report.rows) {
        const Prediction& p = row.prediction;
        table.add({text(row.id), text(row.file), text(row.family), text(p.quantity), number(p.measured, shown(p.measured)),
                   number(p.predicted, shown(p.predicted)), number(p.errorPercent(), shown(p.errorPercent(), "%+.1f")), text(p.reason),
                   text(p.note)});
    }
    return table;
}

Table familyTable(const ValidationReport& report)
{
    Table table({"file", "family", "quantity", "n", "predicted", "median %", "mean %", "p90 %", "max %"});
    for (const FamilyStatistics& f : report.families)
        table.add({text(f.file), text(f.family), text(f.quantity), number(f.n, std::to_string(f.n)),
                   number(f.predicted, std::to_string(f.predicted)), number(f.median, shown(f.median, "%.1f")),
                   number(f.mean, shown(f.mean, "%.1f")), number(f.p90, shown(f.p90, "%.1f")), number(f.max, shown(f.max, "%.1f"))});
    return table;
}

int explainRow(const ValidationReport& report, const std::string& id)
{
    bool found = false;
    for (const ValidatedRow& row : report.rows) {
        if (row.id != id && "line " + std::to_string(row.line) != id)
            continue;
        found = true;
        const Prediction& p = row.prediction;
        print(row.file + " · " + row.family + " · " + row.id + " · " + p.quantity + ": measured " + shown(p.measured, "%.6g") +
              (p.known() ? ", predicted " + shown(p.predicted, "%.6g") + " (" + shown(p.errorPercent(), "%+.1f") + " %)" : ", not predicted: " + p.reason) + "\n");
        if (!p.note.empty())
            print("chosen: " + p.note + "\n");
        if (p.explanation && p.term != noTerm)
            print(explainText(p.explanation->derivation, p.term).toStdString() + "\n");
    }
    if (found)
        return exitOk;
    message("there is no row \"" + id + "\"; rows are named by their id, or \"line N\"");
    return exitUsage;
}

void nameNotUnderstood(const ValidationReport& report)
{
    for (const NotUnderstood& table : report.notUnderstood) {
        std::string names;
        for (const std::string& column : table.columns)
            names += (names.empty() ? "" : ", ") + (column.empty() ? std::string("(no name)") : column);
        if (!names.empty())
            message(table.file + ": not understood: " + names);
    }
}

/// False when a family that was asked for is in none of the tables.
bool haveFamilies(const ValidationReport& report, const std::set<std::string, std::less<>>& wanted)
{
    bool all = true;
    for (const std::string& family : wanted)
        if (std::none_of(report.rows.begin(), report.rows.end(), [&](const ValidatedRow& row) { return row.family == family; })) {
            message("no row is of the family \"" + family + "\"");
            all = false;
        }
    return all;
}

bool written(const std::string& file, const std::string& text)
{
    std::ofstream out(file, std::ios::binary);
    out << text;
    if (out.flush())
        return true;
    message(file + ": cannot be written");
    return false;
}

} // namespace

int validateVerb(const ValidateArguments& arguments)
{
    const Catalog catalog = userCatalog();
    ValidationOptions options;
    options.families.insert(arguments.families.begin(), arguments.families.end());
    options.explanations = !arguments.explain.empty();
    ValidationReport report;
    bool readable = true;
    for (const std::string& file : arguments.files) {
        const auto text = contents(file);
        if (!text) {
            readable = false;
            continue;
        }
        const auto table = parseCsv(*text, file);
        const Expected<int> added = table ? addValidation(report, *table, catalog, options) : fail(table.error());
        if (!added) {
            message(added.error().text());
            readable = false;
        }
    }
    nameNotUnderstood(report);
    readable = haveFamilies(report, options.families) && readable;
    if (!readable && report.rows.empty())
        return exitUsage;
    addStatistics(report);
    if (!arguments.explain.empty())
        return readable ? explainRow(report, arguments.explain) : exitUsage;
    if (!arguments.page.empty() || !arguments.tables.empty()) {
        const bool page = arguments.page.empty() || written(arguments.page, accuracyPage(report, catalog));
        const bool tables = arguments.tables.empty() || written(arguments.tables, errorTables(report));
        return readable && page && tables ? exitOk : exitUsage;
    }
    switch (arguments.format) {
    case Format::json: print(asJson(report)); break;
    case Format::csv: print(rowTable(report).text(Format::csv)); break;
    case Format::table:
        print(rowTable(report).text(Format::table) + "\n" + familyTable(report).text(Format::table));
        break;
    }
    return readable ? exitOk : exitUsage;
}

} // namespace cw::cli
