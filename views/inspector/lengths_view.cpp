// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/lengths_view.h"

#include "views/text/quantity_text.h"
#include "views/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double axisHeight = 13, far = 3, p99 = 2.326348;

/// Standard deviation of the logarithm.
double spread(const Lengths& lengths) { return std::sqrt(std::log1p(lengths.cv > 0 ? lengths.cv * lengths.cv : 0)); }

} // namespace

LengthsView::LengthsView(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Lengths of prompts and answers"));
}

double LengthsView::quantile(const Lengths& lengths, double deviations) {
    const double sigma = spread(lengths), mean = std::max(1., lengths.mean);
    return mean * std::exp(sigma * deviations - sigma * sigma / 2);
}

void LengthsView::setLengths(const Lengths& prompt, const Lengths& output) {
    m_prompt = prompt;
    m_output = output;
    const auto line = [](const QString& what, const Lengths& lengths) {
        return tr("%1: median %2, 99 % below %3").arg(what, quantityText(quantile(lengths, 0), Unit::tokens), quantityText(quantile(lengths, p99), Unit::tokens));
    };
    setToolTip(line(tr("Prompts"), prompt) + u'\n' + line(tr("Answers"), output));
    update();
}

void LengthsView::paintOne(QPainter& painter, const QRectF& area, const Lengths& lengths, double most, const QColor& colour, bool dashed) const {
    const auto xOf = [&](double tokens) { return area.left() + area.width() * std::log(std::max(1., tokens)) / std::log(most); };
    QPen pen(colour, 1.6, dashed ? Qt::DashLine : Qt::SolidLine);
    painter.setPen(pen);
    const double sigma = spread(lengths);
    if (!(sigma > .01)) { // all of one length
        const double x = xOf(lengths.mean);
        painter.drawLine(QPointF(x, area.top() + 4), QPointF(x, area.bottom()));
        return;
    }
    QPainterPath path;
    constexpr int steps = 80;
    for (int i = 0; i <= steps; ++i) {
        const double z = -far + 2 * far * i / steps;
        const QPointF at(xOf(quantile(lengths, z)), area.bottom() - (area.height() - 6) * std::exp(-z * z / 2));
        i == 0 ? path.moveTo(at) : path.lineTo(at);
    }
    painter.drawPath(path);
    QPainterPath filled = path;
    filled.lineTo(path.currentPosition().x(), area.bottom());
    filled.lineTo(xOf(quantile(lengths, -far)), area.bottom());
    QColor faint = colour;
    faint.setAlpha(40);
    painter.fillPath(filled, faint);
}

void LengthsView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& colours = theme();
    const QRectF area = QRectF(rect()).adjusted(1, 2, -1, -axisHeight);
    painter.fillRect(area, colours.field);
    const double longest = std::max(quantile(m_prompt, p99), quantile(m_output, p99));
    const double most = std::pow(10, std::ceil(std::log10(std::max(100., longest))));
    painter.setFont(textFont(TextRole::tiny));
    for (double tokens = 1; tokens <= most * 1.01; tokens *= 10) {
        const double x = area.left() + area.width() * std::log(tokens) / std::log(most);
        painter.setPen(colours.border);
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(colours.textMuted);
        const QRectF label(x - 24, area.bottom() + 1, 48, axisHeight);
        const bool first = tokens < 2, last = tokens > most / 2;
        const QRectF fitted = first ? label.translated(24, 0) : last ? label.translated(-24, 0) : label;
        painter.drawText(fitted, static_cast<int>((first ? Qt::AlignLeft : last ? Qt::AlignRight : Qt::AlignHCenter) | Qt::AlignTop),
                         tokens >= 1e6 ? tr("%1M").arg(tokens / 1e6) : tokens >= 1e3 ? tr("%1k").arg(tokens / 1e3) : QString::number(tokens));
    }
    painter.setClipRect(area);
    paintOne(painter, area, m_prompt, most, colours.accent, false);
    paintOne(painter, area, m_output, most, colours.text, true);
    painter.setClipping(false);
    painter.setPen(colours.accent);
    const QFontMetricsF metrics(painter.font());
    painter.drawText(area.adjusted(4, 1, -4, 0), Qt::AlignLeft | Qt::AlignTop, tr("prompt"));
    painter.setPen(colours.text);
    painter.drawText(area.adjusted(4, 1 + metrics.height(), -4, 0), Qt::AlignLeft | Qt::AlignTop, tr("answer ┄"));
    painter.setPen(colours.border);
    painter.drawRect(area.adjusted(0, 0, -1, 0));
}

} // namespace cw
