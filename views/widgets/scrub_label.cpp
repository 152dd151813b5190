// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/scrub_label.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

namespace cw {

ScrubLabel::ScrubLabel(const QString& text, QWidget* parent)
    : ElidedLabel(text, parent) {}

void ScrubLabel::setScrubbable(bool scrubbable) {
    m_scrubbable = scrubbable;
    if (scrubbable)
        setCursor(Qt::SizeHorCursor);
    else
        unsetCursor();
}

void ScrubLabel::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return ElidedLabel::mousePressEvent(event);
    m_pressed = true;
    m_origin = event->globalPosition().toPoint();
    event->accept();
}

void ScrubLabel::mouseMoveEvent(QMouseEvent* event) {
    if (!m_pressed || !m_scrubbable)
        return ElidedLabel::mouseMoveEvent(event);
    const int moved = event->globalPosition().toPoint().x() - m_origin.x();
    if (!m_scrubbing) {
        if (std::abs(moved) < QApplication::startDragDistance() / 2)
            return;
        m_scrubbing = true;
        grabKeyboard(); // Escape must reach us wherever the focus is
    }
    double steps = static_cast<double>(moved) / pixelsPerStep;
    if (event->modifiers() & Qt::ShiftModifier)
        steps /= 10;
    if (event->modifiers() & Qt::ControlModifier)
        steps *= 10;
    emit scrubbed(steps);
}

void ScrubLabel::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_pressed || event->button() != Qt::LeftButton)
        return ElidedLabel::mouseReleaseEvent(event);
    m_pressed = false;
    if (m_scrubbing)
        finish(true);
    else if (buddy())
        buddy()->setFocus(Qt::MouseFocusReason);
}

void ScrubLabel::keyPressEvent(QKeyEvent* event) {
    if (m_scrubbing && event->key() == Qt::Key_Escape) {
        m_pressed = false;
        return finish(false);
    }
    ElidedLabel::keyPressEvent(event);
}

void ScrubLabel::finish(bool keep) {
    m_scrubbing = false;
    releaseKeyboard();
    if (keep)
        emit scrubFinished();
    else
        emit scrubCancelled();
}

} // namespace cw
