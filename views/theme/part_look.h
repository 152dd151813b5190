// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a catalog part looks everywhere: its family colour, the letters on its badge, its line of key figures and its icon. GUI thread only.
#pragma once

#include "model/catalog/catalog.h"
#include "views/theme/theme.h"

#include <QIcon>
#include <QRectF>
#include <QString>

class QPainter;

namespace cw {

struct PartLook {
    PartFamily family = PartFamily::unknown;
    QString badge = QStringLiteral("?"); ///< one to three characters: "G8", "C", "S", "LB"
    bool operator==(const PartLook&) const = default;
};

/// Null is an unknown part.
PartLook partLook(const Part* part);

/// The name without its maker and without what stands in brackets: "QM9700" of "NVIDIA QM9700 (NDR, managed)".
QString shortName(const Part& part);

/// What an architect wants to know at a glance, e.g. "8 GPU · 640 GB · 10.2 kW · 8U". Facts the catalog does not have are left out.
QString partFacts(const Part& part, const Catalog& catalog);

/// The rounded square with the letters; unknown parts are hatched.
void paintBadge(QPainter& painter, const QRectF& target, const PartLook& look, const Theme& theme);
QIcon partIcon(const PartLook& look);

} // namespace cw
