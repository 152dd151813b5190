// SPDX-License-Identifier: GPL-3.0-or-later
//
// What dropping a part somewhere means, as one edit. Pure: changes nothing.
#pragma once

#include "model/catalog/catalog.h"
#include "model/edit/edit.h"
#include "views/canvas/hit_test.h"

#include <QString>

#include <tl/expected.hpp>

namespace cw {

/// Where a part is dropped.
struct InsertPlace {
    CanvasHit hit;
    QPointF point;        ///< centre of the new card
    bool replace = false; ///< on a stack of another part: take the place of that part
};

struct InsertPlan {
    Edit edit;
    std::vector<ElementRef> concerned; ///< what to select afterwards
    std::string created;               ///< id of the new node or rack; empty: none
    QRectF target;                     ///< what it acts on; empty: the ground
    QString status;                    ///< what it does, for people
};

/// The plan, or why the part has no business there.
tl::expected<InsertPlan, QString> planInsert(const Project& project, const AlternativeId& alternative, const Catalog& catalog,
                                             const TopologyPicture& picture, const PartId& part, const InsertPlace& place);

/// A place near `wish` (a top left corner) where a card overlaps no other one.
QPointF freePlace(const TopologyPicture& picture, const QPointF& wish, const QSizeF& size);

} // namespace cw
