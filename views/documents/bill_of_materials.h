// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bill of materials of one alternative: what is bought, how many, at what price, with the source and trust of the price.
// Columns as users of other tools import them; an unknown price is "?" in tables and empty in CSV, never 0.
#pragma once

#include "estimators/estimate.h"
#include "model/design/project.h"
#include "views/documents/report_content.h"

#include <QByteArray>

namespace cw {

struct BillLine {
    int line = 0;
    QString partNumber, manufacturer, description, category;
    double quantity = 0;
    double spares = std::numeric_limits<double>::quiet_NaN(); ///< pieces to keep in store; NaN: not said by piece
    QString unit;
    double unitPrice = 0, unitPriceLow = 0, unitPriceHigh = 0, total = 0; ///< USD, NaN unknown
    QString priceSource, priceDate, usedBy;
};

struct Bill {
    std::vector<BillLine> lines;
    double total = 0; ///< NaN when a price is unknown
    int unknownPrices = 0;
    QString currency;
};

Bill billOfMaterials(const Project& project, const AlternativeEstimate& estimate);

QByteArray billCsv(const Bill& bill);
/// An .xlsx workbook; `created` (ISO 8601) is stored as its date. Empty on failure with a reason.
QByteArray billXlsx(const Bill& bill, const QString& title, const QString& created, QString* reason);

} // namespace cw
