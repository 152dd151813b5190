// SPDX-License-Identifier: GPL-3.0-or-later
//
// Dragging the selection: snaps to grid and neighbours (Alt: not), one axis with Shift, into and out of frames, onto racks. A frame
// takes along what stands in it. Started with Ctrl or Alt it drags a copy. One undo step at the end.
#pragma once

#include "views/canvas/gesture.h"
#include "views/canvas/picture.h"
#include "views/canvas/snap.h"

#include <QRectF>

#include <map>
#include <string>

namespace cw {

struct CanvasHit;
class EditSteps;

class MoveGesture : public Gesture {
public:
    MoveGesture(CanvasScene& canvas, const CanvasHit& grabbed, const GestureEvent& press);

    void move(const GestureEvent& event) override;
    bool finish(const GestureEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter, double scale) const override;
    void pictureRemade() override;
    const MovingSet* moving() const override { return m_copying ? nullptr : &m_moving; }
    Qt::CursorShape cursor() const override { return m_copying ? Qt::DragCopyCursor : Qt::ClosedHandCursor; }
    QString status() const override;

    /// Moves by this much without a mouse (tests, benchmark).
    void moveBy(const QPointF& delta);

private:
    void collect(const CanvasHit& grabbed);
    void takeFrame(int frame);
    void shiftPicture(const QPointF& delta);
    void findTarget();
    bool fitsPicture() const;
    std::map<std::string, ItemView> places() const;
    void joinFrame(EditSteps& steps) const;
    void putIntoRack(EditSteps& steps) const;
    void commitMove();
    void commitCopy();

    MovingSet m_moving;
    std::vector<char> m_withFrame; ///< nodes that move because their frame does
    std::vector<QRectF> m_neighbours;
    QRectF m_grabbed;                  ///< the grabbed figure before the move
    QPointF m_press, m_delta, m_shown; ///< m_shown: what the picture has been shifted by
    Snap m_snap;
    bool m_copying = false;
    bool m_copyByAlt = false;
    int m_frame = -1, m_rack = -1; ///< where it would land
    FrameId m_frameId;
};

} // namespace cw
