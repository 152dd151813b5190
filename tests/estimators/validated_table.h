// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables written in a test, validated as a file would be, and what came out for one of their rows. Header-only.
#pragma once

#include "estimators/validation/validation.h"

#include <QtGlobal>

#include <cmath>
#include <string>

namespace cw::test {

inline ValidationReport validated(const std::string& text, std::string_view file) {
    ValidationReport report;
    const auto table = parseCsv(text, file);
    if (table)
        if (const auto added = addValidation(report, *table, shippedCatalog()); !added)
            qWarning("%s", added.error().text().c_str());
    addStatistics(report);
    return report;
}

inline const ValidatedRow* find(const ValidationReport& report, std::string_view id, std::string_view quantity = {}) {
    for (const ValidatedRow& row : report.rows)
        if (row.id == id && (quantity.empty() || row.prediction.quantity == quantity))
            return &row;
    return nullptr;
}

inline double predicted(const ValidationReport& report, std::string_view id, std::string_view quantity = {}) {
    const ValidatedRow* row = find(report, id, quantity);
    if (row && !row->prediction.known())
        qWarning("%s: %s", row->id.c_str(), row->prediction.reason.c_str());
    return row ? row->prediction.predicted : std::numeric_limits<double>::quiet_NaN();
}

inline bool refused(const ValidationReport& report, std::string_view id, std::string_view because) {
    const ValidatedRow* row = find(report, id);
    if (!row || row->prediction.known() || row->prediction.reason.find(because) == std::string::npos) {
        qWarning("%s: %s", std::string(id).c_str(), row ? row->prediction.reason.c_str() : "no row");
        return false;
    }
    return true;
}

} // namespace cw::test
