// SPDX-License-Identifier: GPL-3.0-or-later
//
// The map of heat: one tile a rack with inlet and outlet temperature and the margin of its power limit, as number, colour and hatching.
// Racks that are alike stand together; a click selects what stands in them, a click on
// the legend colours by the other of both.
#pragma once

#include "views/racks/facility_view.h"
#include "views/theme/theme.h"

namespace cw {

/// What the tiles are coloured by.
enum class HeatColour : quint8 { outlet, margin };

class HeatView : public FacilityView {
    Q_OBJECT
public:
    HeatView(Document& document, Catalog catalog, QWidget* parent = nullptr);
    void setColour(HeatColour colour);
    HeatColour colour() const { return m_colour; }

protected:
    QSizeF layOut(double width) override;
    void paintContent(QPainter& painter) override;
    QString emptyText() const override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Tile {
        int rack = -1;
        QRectF rect;
        std::int64_t more = 0; ///< racks that this one tile stands for besides itself
    };
    QRectF legendArea() const;
    const Tile* tileAt(const QPointF& content) const;
    std::vector<Tile> m_tiles;
    std::vector<QPointF> m_titles; ///< by elevation
    HeatColour m_colour = HeatColour::outlet;
};

/// The same map for documents. Returns how much of the height of `target` it took.
double renderHeat(QPainter& painter, const std::vector<Elevation>& racks, const QRectF& target, const Theme& theme,
                  HeatColour colour);

} // namespace cw
