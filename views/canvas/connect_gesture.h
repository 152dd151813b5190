// SPDX-License-Identifier: GPL-3.0-or-later
//
// Drawing a link: from a port handle by dragging, or click and click, or by keys (Tab walks what fits, Enter connects). Stacks that fit
// light up; over one of them the link is previewed in the document, so the estimate shows what it would do; where nothing fits, the
// reason is said.
#pragma once

#include "model/base/error.h"
#include "model/design/design.h"
#include "views/canvas/gesture.h"

#include <optional>
#include <unordered_map>

namespace cw {

class ConnectGesture : public Gesture {
public:
    ConnectGesture(CanvasScene& canvas, int fromNode, const QPointF& start);
    void move(const GestureEvent& event) override;
    bool finish(const GestureEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter, double scale) const override;
    void pictureRemade() override;
    bool key(int key, Qt::KeyboardModifiers modifiers) override;
    Qt::CursorShape cursor() const override { return Qt::CrossCursor; }
    QString refusal() const override { return m_refusal; }
    QString status() const override { return m_status; }

    bool isDone() const { return m_done; }

private:
    struct Offer {
        std::optional<Link> link;
        QString reason;
    };
    const Offer& offerFor(const NodeId& to) const;
    void target(const NodeId& node);
    void commit();

    NodeId m_from, m_to;
    QPointF m_start, m_now;
    QString m_status, m_refusal;
    bool m_moved = false;
    bool m_done = false;
    mutable std::unordered_map<std::string, Offer> m_offers;
};

} // namespace cw
