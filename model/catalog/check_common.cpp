// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rules for every entry that is shipped: it says where it comes from, and its keys say their units. Users' own parts need not.
#include "model/catalog/check_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

namespace cw {
namespace {

using nlohmann::json;

/// Lower-case words and digits between single underscores, a letter first.
bool isSnakeCase(std::string_view key) {
    const auto inWord = [](char c) {
        return std::islower(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c));
    };
    if (key.empty() || !std::islower(static_cast<unsigned char>(key.front())) || key.back() == '_' || key.find("__") != key.npos)
        return false;
    return std::all_of(key.begin(), key.end(), [&](char c) { return c == '_' || inWord(c); });
}

/// The last word of a key is a unit or says that there is none, or the key is a quotient or a point of a curve.
bool saysItsUnit(std::string_view key) {
    static const std::set<std::string_view> units{
        "w",       "kw",    "kg",   "c",      "gb",   "mb",     "tb",     "s",    "ms",    "ns",    "us",       "usd",     "b",
        "tflops",  "tops",  "ghz",  "gflops", "gops", "gmacs",  "count",  "year", "gen",   "cfm",   "fraction", "m",       "mm",
        "v",       "a",     "pct",  "hours",  "kpa",  "tokens", "bits",   "days", "low",   "high",  "hour",     "month",   "kwh",
        "core",    "k",     "f",    "dim",    "size", "rank",   "height", "gpus", "years", "nodes", "100g",     "request", "mw",
        "typical", "water", "pg25", "pixels", "gpu",  "sample", "kelvin", "pue",  "bidir", "id",    "g"};
    if (key.starts_with("per_") || key.find("_per_") != key.npos || key.find("_at_") != key.npos)
        return true;
    const auto underscore = key.rfind('_');
    return units.contains(underscore == key.npos ? key : key.substr(underscore + 1));
}

/// A path of some machine, which means nothing to a reader.
bool namesLocalPath(std::string_view text) {
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        const bool starts = i == 0 || text[i - 1] == ' ' || text[i - 1] == '(';
        const bool letter = std::isalpha(static_cast<unsigned char>(text[i + 1]));
        if (starts && text[i] == '/' && letter)
            return true;
        if (starts && i + 2 < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) && text[i + 1] == ':' &&
            text[i + 2] == '\\')
            return true;
    }
    return false;
}

void checkSources(const Facts& facts, CheckReport& report) {
    const PartInfo& part = facts.info();
    report.expect(facts.has("confidence") && part.confidence != Provenance::user, facts, "confidence",
                  "a shipped entry is read, recalled or estimated");
    report.expect(!part.sources.empty(), facts, "sources", "a shipped entry names its sources");
    for (const Source& source : part.sources) {
        report.expect(!source.title.empty() && !source.section.empty(), facts, "sources", "a source has a title and a section");
        report.expect(!namesLocalPath(source.title) && !namesLocalPath(source.section), facts, "sources",
                      "a source is no local path");
    }
    const bool onlyRecalled =
        std::all_of(part.sources.begin(), part.sources.end(), [](const Source& source) { return source.recalled; });
    report.expect(part.confidence != Provenance::read || !onlyRecalled, facts, "confidence",
                  "it is called read, but all its sources are recalled");
}

void checkFieldLists(const Facts& facts, CheckReport& report) {
    const json& entry = facts.json();
    const auto exists = [&](const std::string& field) {
        const std::string first = field.substr(0, field.find('.'));
        return entry.contains(first) || (entry.contains("values") && entry["values"].contains(first));
    };
    for (const auto* list : {&facts.info().recalledFields, &facts.info().estimatedFields}) {
        for (const std::string& field : *list)
            report.expect(exists(field), facts, field, "it is listed as recalled or estimated, but the entry has no such field");
    }
}

/// Whether the values of constants are quantities of the world, with units, rather than coefficients of an estimator.
bool hasCoefficients(const Facts& facts) {
    const auto* constants = std::get_if<Constants>(&facts.entry().part);
    static const std::set<std::string_view> quantities{
        "air_class",    "liquid_class",   "cooling_limit",  "cooling_rule", "pue",         "pdu_limit",
        "pdu_rule",     "psu_efficiency", "ups_efficiency", "floor",        "rack_weight", "colo_price",
        "failure_rate", "failure_mix",    "opex_rule",      "capex_rule",   "cable"};
    return constants && !quantities.contains(constants->kind);
}

void checkKeys(const Facts& facts, const json& value, const std::string& path, CheckReport& report) {
    if (value.is_array()) {
        for (const json& item : value)
            checkKeys(facts, item, path, report);
        return;
    }
    if (!value.is_object())
        return;
    for (const auto& [key, item] : value.items()) {
        const std::string field = path.empty() ? key : path + "/" + key;
        if (field == "values" && hasCoefficients(facts))
            continue;
        report.expect(isSnakeCase(key), facts, field, "keys are snake_case");
        if (item.is_number()) {
            const double number = item.get<double>();
            report.expect(std::isfinite(number) && number >= 0, facts, field, "facts are finite and not negative");
            const bool ofBand = path.starts_with("values/");
            report.expect(ofBand || saysItsUnit(key), facts, field, "the key of a number ends with its unit");
        }
        checkKeys(facts, item, field, report);
    }
}

} // namespace

void checkCommonRules(const CheckedCatalog& catalog, CheckReport& report) {
    std::set<std::pair<std::string, std::string>> constantsSeen;
    for (const Facts& facts : catalog.all()) {
        if (facts.entry().layer != CatalogLayer::shipped)
            continue;
        report.expect(isSnakeCase(facts.id()), facts, "id", "ids are snake_case");
        checkSources(facts, report);
        checkFieldLists(facts, report);
        checkKeys(facts, facts.json(), {}, report);
        if (const auto* constants = std::get_if<Constants>(&facts.entry().part))
            report.expect(constantsSeen.emplace(constants->kind, constants->subject).second || constants->subject.empty(), facts,
                          "subject", "there are other constants of this kind and subject");
    }
}

} // namespace cw
