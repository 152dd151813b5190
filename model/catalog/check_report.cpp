// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/catalog/check_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace cw {

Facts::Facts(const Catalog::Entry& entry, const nlohmann::json& values)
    : m_entry(&entry)
    , m_values(&values) {}

double Facts::number(const char* key) const {
    const auto found = m_values->find(key);
    return found != m_values->end() && found->is_number() ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::string Facts::text(const char* key) const {
    const auto found = m_values->find(key);
    return found != m_values->end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool Facts::flag(const char* key) const {
    const auto found = m_values->find(key);
    return found != m_values->end() && found->is_boolean() && found->get<bool>();
}

bool Facts::has(const char* key) const {
    const auto found = m_values->find(key);
    return found != m_values->end() && !found->is_null();
}

CheckedCatalog::CheckedCatalog(const Catalog& catalog) {
    const auto entries = catalog.entries();
    m_json.reserve(entries.size());
    m_all.reserve(entries.size());
    for (const Catalog::Entry* entry : entries) {
        nlohmann::json values = nlohmann::json::parse(info(entry->part).json, nullptr, false);
        if (!values.is_object())
            values = nlohmann::json::object(); // a part that was made in the program rather than read
        m_json.push_back(std::move(values));
        m_all.emplace_back(*entry, m_json.back());
        m_byId.emplace(m_all.back().id(), &m_all.back());
    }
}

CheckedCatalog::~CheckedCatalog() = default;

const Facts* CheckedCatalog::find(std::string_view id) const {
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? nullptr : found->second;
}

bool near(double a, double b, double tolerance) {
    return std::isnan(a) || std::isnan(b) || std::abs(a - b) <= tolerance * std::max({std::abs(a), std::abs(b), 1e-12});
}

void CheckReport::add(const Facts& facts, std::string_view field, std::string expected, std::string found, std::string_view why) {
    std::string message = fmt::format("\"{}\" of {} is doubtful: {}.", field, facts.id(), why);
    errors.push_back({fmt::format("{}: /{}", facts.id(), field), std::move(expected), std::move(found), std::move(message)});
}

void CheckReport::expect(bool holds, const Facts& facts, std::string_view field, std::string_view why) {
    if (!holds)
        add(facts, field, {}, {}, why);
}

void CheckReport::expectNear(const Facts& facts, std::string_view field, double found, double expected, double tolerance,
                             std::string_view why) {
    if (!near(found, expected, tolerance))
        add(facts, field, fmt::format("{:.6g} within {:g} %", expected, tolerance * 100), fmt::format("{:.6g}", found), why);
}

void CheckReport::expectAtMost(const Facts& facts, std::string_view field, double found, double most, std::string_view why) {
    if (found > most)
        add(facts, field, fmt::format("at most {:.6g}", most), fmt::format("{:.6g}", found), why);
}

void CheckReport::expectAtLeast(const Facts& facts, std::string_view field, double found, double least, std::string_view why) {
    if (found < least)
        add(facts, field, fmt::format("at least {:.6g}", least), fmt::format("{:.6g}", found), why);
}

void CheckReport::expectWithin(const Facts& facts, std::string_view field, double found, double least, double most,
                               std::string_view why) {
    if (found < least || found > most)
        add(facts, field, fmt::format("{:g} to {:g}", least, most), fmt::format("{:.6g}", found), why);
}

std::vector<Error> checkCatalog(const Catalog& catalog) {
    const CheckedCatalog checked(catalog);
    CheckReport report;
    for (const auto check : {checkCommonRules, checkGpus, checkCpus, checkServers, checkCloudInstances, checkSwitches, checkLinks,
                             checkModels, checkFacilities})
        check(checked, report);
    return std::move(report.errors);
}

} // namespace cw
