// SPDX-License-Identifier: GPL-3.0-or-later
//
// The label of a number that can be dragged left and right ("scrubbed"). It reports steps from where the drag began; who owns the number
// decides what a step is. Escape while dragging cancels. A click without a drag moves the focus to the buddy. GUI thread.
#pragma once

#include "views/widgets/elided_label.h"

namespace cw {

class ScrubLabel : public ElidedLabel {
    Q_OBJECT
public:
    explicit ScrubLabel(const QString& text, QWidget* parent = nullptr);

    void setScrubbable(bool scrubbable);
    bool isScrubbing() const { return m_scrubbing; }

    static constexpr int pixelsPerStep = 5;

signals:
    void scrubbed(double steps); ///< since the press; Shift makes a tenth of a step a step, Ctrl ten
    void scrubFinished();
    void scrubCancelled();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void finish(bool keep);
    bool m_scrubbable = false;
    bool m_scrubbing = false;
    bool m_pressed = false;
    QPoint m_origin;
};

} // namespace cw
