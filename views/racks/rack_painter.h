// SPDX-License-Identifier: GPL-3.0-or-later
//
// Paints front elevations, for the screen and for documents. Deterministic.
#pragma once

#include "views/racks/elevation.h"
#include "views/theme/theme.h"

#include <QRectF>
#include <QSizeF>

#include <set>
#include <string>

class QPainter;

namespace cw {

/// Sizes at 100 %.
struct RackMetrics {
    static constexpr double unit = 10; ///< height of one U
    static constexpr double width = 168;
    static constexpr double rail = 18; ///< at either side, the left one carries the U numbers
    static constexpr double header = 34, footer = 52;
    static constexpr double gap = 22;
};

QSizeF elevationSize(const Elevation& rack);
/// Where the units are, within an elevation at `corner`.
QRectF unitsArea(const Elevation& rack, const QPointF& corner);
/// Where a block at `u` of this height is.
QRectF blockRect(const Elevation& rack, const QPointF& corner, double u, double height);

struct ElevationPaint {
    const Theme* theme = &Theme::light();
    const std::set<std::string>* selectedNodes = nullptr;
    bool selected = false; ///< the rack itself
    bool stale = false;
};

void paintElevation(QPainter& painter, const Elevation& rack, const QPointF& corner, const ElevationPaint& paint);

/// Elevations beside one another, row under row.
struct RackRows {
    std::vector<QPointF> corners; ///< of those that have room, from `first` on
    QSizeF size;
};
RackRows inRows(const std::vector<Elevation>& racks, size_t first, double scale, const QSizeF& room);

/// What all racks of an alternative take at 100 %, in rows of at most `width`.
QSizeF racksSize(const Project& project, const AlternativeId& alternative, const Catalog& catalog, const AlternativeEstimate* estimate, double width);

/// Racks of an alternative from `first` on, in rows, as large as all of them fit into `target` between 100 % and 50 %. Returns how many
/// elevations were drawn; a document goes on with the next one on its next page.
int renderRacks(QPainter& painter, const Project& project, const AlternativeId& alternative, const Catalog& catalog,
                const AlternativeEstimate* estimate, const QRectF& target, ThemeKind theme = ThemeKind::light, int first = 0);

} // namespace cw
