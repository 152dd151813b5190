// SPDX-License-Identifier: GPL-3.0-or-later
//
// Front elevations side by side. A click selects a stack or a rack; dragging moves an item to another unit or rack (with Shift one machine
// of it), parts from the palette drop into a unit. Editing an automatically packed rack makes it part of the drawing. Ctrl+wheel zooms.
#pragma once

#include "views/racks/facility_view.h"
#include "views/racks/rack_edits.h"

#include <QPointF>

#include <optional>

namespace cw {

class RacksView : public FacilityView {
    Q_OBJECT
public:
    RacksView(Document& document, Catalog catalog, QWidget* parent = nullptr);

    /// Where an elevation is drawn in viewport coordinates, and where a unit of it is; for tests and tours.
    QRectF elevationRect(int rack) const;
    QRectF unitRect(int rack, int u) const;

protected:
    QSizeF layOut(double width) override;
    void paintContent(QPainter& painter) override;
    QString emptyText() const override;
    double openingZoom() const override; ///< whole racks are in sight, not only their empty upper half
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Place {
        int rack = -1, device = -1;
        int u = 0;           ///< unit under the pointer; 0: not among the units
        bool header = false; ///< of the rack, or its footer
    };
    /// What a drag would do here.
    struct Target {
        int rack = -1, u = 0;
        double height = 1;
        QString reason; ///< empty: fits
    };

    Place placeAt(const QPointF& content) const;
    RackScene scene() const { return {m_document.project(), m_alternative, m_catalog, m_elevations}; }
    void targetMove(const QPointF& content, bool single);
    void push(const RackEdit& edit);
    void endDrag();

    std::vector<QPointF> m_corners; ///< of the elevations
    std::optional<DeviceMove> m_drag;
    std::optional<Target> m_target;
    Place m_pressed;
    QPointF m_pressedAt;
    PartId m_dropped;
};

} // namespace cw
