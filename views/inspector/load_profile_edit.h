// SPDX-License-Identifier: GPL-3.0-or-later
//
// Load over the day as 24 bars that are drawn with the mouse: every drag previews, letting go commits. Left and Right choose an hour, Up and
// Down change it. GUI thread.
#pragma once

#include <QWidget>

#include <vector>

namespace cw {

class LoadProfileEdit : public QWidget {
    Q_OBJECT
public:
    explicit LoadProfileEdit(QWidget* parent = nullptr);

    /// Shares of the peak, 24 of them or none (constant). Held back while the user is drawing.
    void setHourly(const std::vector<double>& hourly);
    const std::vector<double>& hourly() const { return m_hourly; }

    QSize sizeHint() const override { return {170, 66}; }
    QSize minimumSizeHint() const override { return {96, 66}; }

signals:
    void previewed(const std::vector<double>& hourly);
    void committed(const std::vector<double>& hourly);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF bars() const;
    void draw(const QPointF& at);
    void setHour(int hour, double share);
    std::vector<double> m_hourly;
    bool m_drawing = false;
    int m_hour = 12; ///< for the keyboard
};

} // namespace cw
