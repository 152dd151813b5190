// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the checks of the catalog look at and write to. `Facts` reads the numbers of an entry as its JSON says them, NaN where they are not
// known; every expectation holds when one of its numbers is NaN, because what is not known cannot be wrong. For the checks only.
#pragma once

#include "model/catalog/catalog.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cw {

class Facts {
public:
    Facts(const Catalog::Entry& entry, const nlohmann::json& values);

    const std::string& id() const { return info().id.value; }
    const PartInfo& info() const { return cw::info(m_entry->part); }
    const Catalog::Entry& entry() const { return *m_entry; }
    const nlohmann::json& json() const { return *m_values; }
    template <class T> const T& part() const { return std::get<T>(m_entry->part); }

    double number(const char* key) const;
    std::string text(const char* key) const;
    bool flag(const char* key) const;
    bool has(const char* key) const;

private:
    const Catalog::Entry* m_entry;
    const nlohmann::json* m_values;
};

/// All entries of a catalog, by kind in the order of the catalog, and by id.
class CheckedCatalog {
public:
    explicit CheckedCatalog(const Catalog& catalog);
    ~CheckedCatalog();
    CheckedCatalog(const CheckedCatalog&) = delete;
    CheckedCatalog& operator=(const CheckedCatalog&) = delete;

    const std::vector<Facts>& all() const { return m_all; }
    const Facts* find(std::string_view id) const;
    /// Of one type of part.
    template <class T> std::vector<Facts> of() const {
        std::vector<Facts> result;
        for (const Facts& facts : m_all) {
            if (std::holds_alternative<T>(facts.entry().part))
                result.push_back(facts);
        }
        return result;
    }
    template <class T> const Facts* findOf(std::string_view id) const {
        const Facts* facts = find(id);
        return facts && std::holds_alternative<T>(facts->entry().part) ? facts : nullptr;
    }

private:
    std::vector<nlohmann::json> m_json;
    std::vector<Facts> m_all;
    std::map<std::string_view, const Facts*> m_byId;
};

/// Collects what does not hold. `why` is the rule in words: "fp8 is twice bf16".
class CheckReport {
public:
    void expect(bool holds, const Facts& facts, std::string_view field, std::string_view why);
    void expectNear(const Facts& facts, std::string_view field, double found, double expected, double tolerance,
                    std::string_view why);
    void expectAtMost(const Facts& facts, std::string_view field, double found, double most, std::string_view why);
    void expectAtLeast(const Facts& facts, std::string_view field, double found, double least, std::string_view why);
    void expectWithin(const Facts& facts, std::string_view field, double found, double least, double most, std::string_view why);

    std::vector<Error> errors;

private:
    void add(const Facts& facts, std::string_view field, std::string expected, std::string found, std::string_view why);
};

/// Equal within a share of the larger; true when one is not known.
bool near(double a, double b, double tolerance);

void checkCommonRules(const CheckedCatalog& catalog, CheckReport& report);
void checkGpus(const CheckedCatalog& catalog, CheckReport& report);
void checkCpus(const CheckedCatalog& catalog, CheckReport& report);
void checkServers(const CheckedCatalog& catalog, CheckReport& report);
void checkCloudInstances(const CheckedCatalog& catalog, CheckReport& report);
void checkSwitches(const CheckedCatalog& catalog, CheckReport& report);
void checkLinks(const CheckedCatalog& catalog, CheckReport& report);
void checkModels(const CheckedCatalog& catalog, CheckReport& report);
void checkFacilities(const CheckedCatalog& catalog, CheckReport& report);

} // namespace cw
