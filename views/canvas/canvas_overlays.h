// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small widgets over the canvas: a map of everything, to move around in, and the legend of the colours. Children of the view. GUI thread.
#pragma once

#include <QPixmap>
#include <QTransform>
#include <QWidget>

namespace cw {

class CanvasView;

class CanvasMinimap : public QWidget {
    Q_OBJECT
public:
    explicit CanvasMinimap(CanvasView& view);
    QSize sizeHint() const override { return {164, 104}; }
    void refresh(); ///< the picture changed

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void centreOn(const QPointF& position);
    CanvasView& m_view;
    QPixmap m_map;
    QTransform m_toMap; ///< scene to widget
    bool m_outdated = true;
};

class CanvasLegend : public QWidget {
    Q_OBJECT
public:
    explicit CanvasLegend(CanvasView& view);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintLoad(QPainter& painter);
    void paintRamp(QPainter& painter);
    CanvasView& m_view;
};

} // namespace cw
