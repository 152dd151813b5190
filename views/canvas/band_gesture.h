// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rubber band. Drawn to the right it takes what it encloses, to the left what it touches. Shift adds to the selection, Ctrl toggles.
#pragma once

#include "model/edit/edit.h"
#include "views/canvas/gesture.h"

#include <QRectF>

namespace cw {

class BandGesture : public Gesture {
public:
    BandGesture(CanvasScene& canvas, const GestureEvent& press);
    void move(const GestureEvent& event) override;
    bool finish(const GestureEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter, double scale) const override;
    QString status() const override;

private:
    std::vector<ElementRef> caught() const;

    QPointF m_press, m_now;
    Qt::KeyboardModifiers m_modifiers;
    std::vector<ElementRef> m_before;
};

} // namespace cw
