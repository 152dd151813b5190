// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/load_profile_edit.h"

#include "views/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr int hours = 24;
constexpr int axisHeight = 13;

} // namespace

LoadProfileEdit::LoadProfileEdit(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setToolTip(tr("Share of the peak in every hour of the day. Draw with the mouse."));
    setAccessibleName(tr("Load over the day"));
    setCursor(Qt::CrossCursor);
}

void LoadProfileEdit::setHourly(const std::vector<double>& hourly) {
    if (m_drawing || m_hourly == hourly)
        return;
    m_hourly = hourly;
    update();
}

QRectF LoadProfileEdit::bars() const { return QRectF(rect()).adjusted(1, 2, -1, -axisHeight); }

void LoadProfileEdit::setHour(int hour, double share) {
    if (m_hourly.size() != hours)
        m_hourly.assign(hours, 1.0);
    m_hourly[static_cast<std::size_t>(std::clamp(hour, 0, hours - 1))] = std::clamp(std::round(share * 20) / 20, 0.0, 1.0);
    update();
}

void LoadProfileEdit::draw(const QPointF& at) {
    const QRectF area = bars();
    m_hour = std::clamp(static_cast<int>((at.x() - area.left()) / area.width() * hours), 0, hours - 1);
    setHour(m_hour, 1 - (at.y() - area.top()) / area.height());
    emit previewed(m_hourly);
}

void LoadProfileEdit::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    m_drawing = true;
    draw(event->position());
}

void LoadProfileEdit::mouseMoveEvent(QMouseEvent* event) {
    if (m_drawing)
        draw(event->position());
}

void LoadProfileEdit::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_drawing || event->button() != Qt::LeftButton)
        return QWidget::mouseReleaseEvent(event);
    m_drawing = false;
    emit committed(m_hourly);
}

void LoadProfileEdit::keyPressEvent(QKeyEvent* event) {
    const double share = m_hourly.size() == hours ? m_hourly[static_cast<std::size_t>(m_hour)] : 1;
    switch (event->key()) {
    case Qt::Key_Left:
        m_hour = std::max(0, m_hour - 1);
        return update();
    case Qt::Key_Right:
        m_hour = std::min(hours - 1, m_hour + 1);
        return update();
    case Qt::Key_Up:
        setHour(m_hour, share + .05);
        break;
    case Qt::Key_Down:
        setHour(m_hour, share - .05);
        break;
    default:
        return QWidget::keyPressEvent(event);
    }
    emit committed(m_hourly);
}

void LoadProfileEdit::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& colours = theme();
    const QRectF area = bars();
    painter.fillRect(area, colours.field);
    const double width = area.width() / hours;
    for (int hour = 0; hour < hours; ++hour) {
        const double share = m_hourly.size() == hours ? m_hourly[static_cast<std::size_t>(hour)] : 1;
        const double height = area.height() * share;
        const bool chosen = hasFocus() && hour == m_hour;
        painter.fillRect(QRectF(area.left() + hour * width + .5, area.bottom() - height, width - 1, height),
                         chosen ? colours.text : colours.accent);
    }
    painter.setPen(hasFocus() ? colours.accent : colours.border);
    painter.drawRect(area.adjusted(0, 0, -1, 0));
    painter.setFont(textFont(TextRole::tiny));
    painter.setPen(colours.textMuted);
    for (const int hour : {0, 6, 12, 18, 24}) {
        const QRectF label(area.left() + hour * width - 20, area.bottom() + 1, 40, axisHeight);
        const auto align = hour == 0 ? Qt::AlignLeft : hour == 24 ? Qt::AlignRight : Qt::AlignHCenter;
        const QRectF fitted = hour == 0 ? label.translated(20, 0) : hour == 24 ? label.translated(-20, 0) : label;
        painter.drawText(fitted, static_cast<int>(align | Qt::AlignTop), QString::number(hour));
    }
}

} // namespace cw
