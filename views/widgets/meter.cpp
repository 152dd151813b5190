// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/meter.h"

#include "views/theme/theme.h"

#include <QPainter>

#include <cmath>

namespace cw {

namespace {

constexpr int barHeight = 7;

} // namespace

Meter::Meter(QWidget* parent)
    : QWidget(parent) {
    setFont(textFont(TextRole::small));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void Meter::set(double share, const QString& words, bool bad) {
    if (m_words == words && m_bad == bad && (m_share == share || (std::isnan(m_share) && std::isnan(share))))
        return;
    m_share = share;
    m_words = words;
    m_bad = bad;
    setAccessibleName(words);
    setToolTip(words);
    update();
}

QSize Meter::sizeHint() const { return {160, barHeight + 5 + fontMetrics().height()}; }
QSize Meter::minimumSizeHint() const { return {60, sizeHint().height()}; }

void Meter::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& colours = theme();
    const QRectF track(0, 1, width(), barHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.loadTrack);
    painter.drawRoundedRect(track, 3, 3);
    if (!std::isnan(m_share)) {
        QRectF fill = track;
        fill.setWidth(track.width() * std::clamp(m_share, 0.0, 1.0));
        const LoadBand band = m_bad ? LoadBand::full : loadBand(m_share);
        painter.setBrush(m_bad ? colours.bad : colours.load(band));
        painter.drawRoundedRect(fill, 3, 3);
        if (const Qt::BrushStyle hatch = loadHatch(band); hatch != Qt::NoBrush) {
            painter.setBrush(QBrush(colours.panel, hatch));
            painter.drawRoundedRect(fill, 3, 3);
        }
    }
    painter.setPen(m_bad ? colours.bad : colours.textMuted);
    const QRectF words(0, track.bottom() + 2, width(), height() - track.bottom() - 2);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(m_words, Qt::ElideRight, width()));
}

} // namespace cw
