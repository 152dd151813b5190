// SPDX-License-Identifier: GPL-3.0-or-later
//
// One object per running gesture (move, rubber band, connect, resize, pan, drop): the view makes it on a press, forwards events, and
// deletes it when it is done or cancelled. While it runs a gesture touches only the picture and previews; finish() makes at most one
// edit, cancel() leaves no trace. GUI thread.
#pragma once

#include <QObject>
#include <QPainter>
#include <QPoint>
#include <QPointF>
#include <QString>

#include <vector>

namespace cw {

class CanvasScene;

struct GestureEvent {
    QPointF scene; ///< scene coordinates
    QPoint screen; ///< viewport coordinates
    Qt::KeyboardModifiers modifiers;
    double scale = 1;
};

/// What a gesture moves, by index into the picture: all else can be painted once and kept as a pixmap.
struct MovingSet {
    std::vector<char> nodes, links, frames, racks;
};

class Gesture {
public:
    explicit Gesture(CanvasScene& canvas)
        : m_canvas(canvas) {}
    virtual ~Gesture() = default;
    Gesture(const Gesture&) = delete;
    Gesture& operator=(const Gesture&) = delete;

    virtual void move(const GestureEvent& event) = 0;
    /// The button went up. False: the gesture goes on without a button (click, click).
    virtual bool finish(const GestureEvent& event) = 0;
    virtual void cancel() = 0;
    /// Over everything else, in scene coordinates.
    virtual void paint(QPainter&, double /*scale*/) const {}
    /// The picture was made anew (a preview, an estimate): what the gesture changed in it is gone.
    virtual void pictureRemade() {}
    virtual bool key(int /*key*/, Qt::KeyboardModifiers) { return false; }
    virtual const MovingSet* moving() const { return nullptr; }
    virtual Qt::CursorShape cursor() const { return Qt::ArrowCursor; }
    /// After finish(): why nothing came of it, where that needs saying.
    virtual QString refusal() const { return {}; }
    /// What would happen now, or why nothing would; for the status bar.
    virtual QString status() const { return {}; }

protected:
    CanvasScene& m_canvas;
};

} // namespace cw
