// SPDX-License-Identifier: GPL-3.0-or-later
//
// Dragging an edge or a corner of a frame. What the new box encloses belongs to it afterwards, what it left behind does not.
#pragma once

#include "model/base/id.h"
#include "views/canvas/gesture.h"

#include <QRectF>

namespace cw {

class ResizeGesture : public Gesture {
public:
    ResizeGesture(CanvasScene& canvas, int frame, Qt::Edges edges, const GestureEvent& press);
    void move(const GestureEvent& event) override;
    bool finish(const GestureEvent& event) override;
    void cancel() override;
    void pictureRemade() override;
    Qt::CursorShape cursor() const override { return cursorFor(m_edges); }
    QString status() const override;

    static Qt::CursorShape cursorFor(Qt::Edges edges);

private:
    FrameId m_frame;
    Qt::Edges m_edges;
    QPointF m_press;
    QRectF m_before, m_now;
};

} // namespace cw
