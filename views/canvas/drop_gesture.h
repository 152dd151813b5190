// SPDX-License-Identifier: GPL-3.0-or-later
//
// A part dragged in from the palette. On the ground it becomes a new stack (or rack), on a stack of the same part a further member, with
// Shift on another stack it takes the place of its part; on a rack it goes into the rack; a device on a link is put between its ends, a
// cable on a link becomes its medium. While it hovers the document previews the result, so every figure shows what the drop would do.
#pragma once

#include "views/canvas/canvas_scene.h"
#include "views/canvas/gesture.h"
#include "views/canvas/insert_part.h"

namespace cw {

/// Mime type of a part dragged from the palette: its id as UTF-8.
constexpr const char* partMimeType = "application/x-clusterwright-part";

class DropGesture : public Gesture {
public:
    DropGesture(CanvasScene& canvas, PartId part);
    void move(const GestureEvent& event) override;
    bool finish(const GestureEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter, double scale) const override;
    void pictureRemade() override { placeGhost(); }
    QString status() const override { return m_plan ? m_plan->status : m_plan.error(); }

    /// Something would happen if it were dropped here.
    bool fits() const { return m_plan.has_value(); }

private:
    void plan(const InsertPlace& place);
    void placeGhost();

    PartId m_part;
    TopologyPicture m_before; ///< without the preview: hit testing must not find the ghost
    InsertPlace m_place;
    tl::expected<InsertPlan, QString> m_plan = tl::unexpected(QString());
};

} // namespace cw
