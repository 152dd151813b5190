// SPDX-License-Identifier: GPL-3.0-or-later
//
// The facts of a catalog part as people read them: name, value with its unit, and how far it can be trusted. Read from the entry's own JSON,
// so that every fact shows, also those no estimator uses. Any thread.
#pragma once

#include "model/catalog/part.h"

#include <QString>

#include <vector>

class QJsonValue;

namespace cw {

struct FactText {
    std::string key; ///< JSON key; of the first one where several make one fact (price_usd_low and _high)
    QString name;
    QString value;
    Provenance provenance = Provenance::read;
};

/// Known facts in a sensible order, then the others by name. Identity, notes and sources are left out, and what is null.
std::vector<FactText> factTexts(const PartInfo& part);
/// One member of a JSON object whose key ends in its unit: {"arrival_rate_per_s", 120} gives "Arrival rate" and "120 req/s".
FactText factText(const std::string& key, const QJsonValue& value);

} // namespace cw
