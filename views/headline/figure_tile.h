// SPDX-License-Identifier: GPL-3.0-or-later
//
// One figure of the headline: caption, big value, change, target. A button, so that keys and screen readers reach it. GUI thread.
#pragma once

#include "views/headline/headline_figures.h"

#include <QAbstractButton>

namespace cw {

class FigureTile : public QAbstractButton {
    Q_OBJECT
public:
    explicit FigureTile(QWidget* parent = nullptr);

    void set(const HeadlineFigure& figure);
    const HeadlineFigure& figure() const { return m_figure; }
    void setStale(bool stale);

    QSize sizeHint() const override { return {150, 62}; }
    QSize minimumSizeHint() const override { return {96, 62}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintFoot(QPainter& painter, const QRectF& line) const;
    HeadlineFigure m_figure;
    bool m_stale = false;
};

/// What binds, and what relieving it is worth. A click goes there.
class BottleneckCard : public QAbstractButton {
    Q_OBJECT
public:
    explicit BottleneckCard(QWidget* parent = nullptr);

    void set(const HeadlineBottleneck& bottleneck);
    const HeadlineBottleneck& bottleneck() const { return m_bottleneck; }
    void setStale(bool stale);

    QSize sizeHint() const override { return {330, 58}; }
    QSize minimumSizeHint() const override { return {230, 58}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    HeadlineBottleneck m_bottleneck;
    bool m_stale = false;
};

} // namespace cw
