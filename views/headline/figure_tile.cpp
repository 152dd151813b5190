// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/headline/figure_tile.h"

#include "views/theme/icons.h"
#include "views/theme/theme.h"

#include <QPainter>

namespace cw {

namespace {

constexpr double staleOpacity = .45;

QColor colourOf(Judgement judgement, const Theme& colours) {
    switch (judgement) {
    case Judgement::good:
        return colours.good;
    case Judgement::bad:
        return colours.bad;
    case Judgement::none:
        break;
    }
    return colours.textMuted;
}

void paintFocus(QPainter& painter, const QWidget& widget) {
    if (!widget.hasFocus() && !widget.underMouse())
        return;
    painter.setPen(QPen(widget.hasFocus() ? theme().accent : theme().border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(widget.rect()).adjusted(.5, .5, -.5, -.5), 5, 5);
}

/// The largest of the sizes in which the text fits.
QFont fittingFont(const QString& text, double width) {
    QFont font = textFont(TextRole::figure);
    while (font.pixelSize() > 12 && QFontMetricsF(font).horizontalAdvance(text) > width)
        font.setPixelSize(font.pixelSize() - 1);
    return font;
}

void drawElided(QPainter& painter, const QRectF& line, const QString& text) {
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, int(line.width())));
}

} // namespace

FigureTile::FigureTile(QWidget* parent)
    : QAbstractButton(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
}

void FigureTile::set(const HeadlineFigure& figure) {
    m_figure = figure;
    setToolTip(figure.help);
    setCursor(figure.figure ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setAccessibleName(
        QStringList{figure.caption + QStringLiteral(": ") + figure.value, figure.change, figure.note, figure.targetText}
            .join(u' ')
            .simplified());
    setAccessibleDescription(figure.help);
    update();
}

void FigureTile::setStale(bool stale) {
    if (m_stale == stale)
        return;
    m_stale = stale;
    update();
}

void FigureTile::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintFocus(painter, *this);
    if (m_stale)
        painter.setOpacity(staleOpacity);
    const Theme& colours = theme();
    const QRectF area = QRectF(rect()).adjusted(8, 5, -4, -4);
    painter.setFont(textFont(TextRole::small));
    painter.setPen(colours.textMuted);
    drawElided(painter, {area.left(), area.top(), area.width(), 15}, m_figure.caption);
    painter.setFont(fittingFont(m_figure.value, area.width()));
    painter.setPen(m_figure.target == TargetState::missed ? colours.bad : colours.text);
    drawElided(painter, {area.left(), area.top() + 14, area.width(), 24}, m_figure.value);
    paintFoot(painter, {area.left(), area.bottom() - 14, area.width(), 15});
}

void FigureTile::paintFoot(QPainter& painter, const QRectF& line) const {
    const Theme& colours = theme();
    QFont font = textFont(TextRole::small);
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    double x = line.left();
    const auto write = [&](const QString& text, const QColor& colour) {
        if (text.isEmpty() || x >= line.right())
            return;
        painter.setPen(colour);
        drawElided(painter, {x, line.top(), line.right() - x, line.height()}, text);
        x += painter.fontMetrics().horizontalAdvance(text) + 7;
    };
    if (m_figure.target != TargetState::none) {
        const bool met = m_figure.target == TargetState::met;
        paintIcon(painter, QRectF(x, line.center().y() - 6, 12, 12), met ? Icon::ok : Icon::error,
                  met ? colours.good : colours.bad);
        x += 15;
    }
    write(m_figure.change, colourOf(m_figure.changeIs, colours));
    if (m_figure.target == TargetState::missed || m_figure.change.isEmpty())
        write(m_figure.targetText, m_figure.target == TargetState::missed ? colours.bad : colours.textMuted);
    write(m_figure.note, colourOf(m_figure.noteIs, colours));
}

BottleneckCard::BottleneckCard(QWidget* parent)
    : QAbstractButton(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
}

void BottleneckCard::set(const HeadlineBottleneck& bottleneck) {
    m_bottleneck = bottleneck;
    setToolTip(bottleneck.title + u'\n' + bottleneck.detail +
               (bottleneck.elements.empty() ? QString() : u'\n' + tr("Click to go there.")));
    setAccessibleName(tr("Bottleneck: %1").arg(bottleneck.title));
    setAccessibleDescription(bottleneck.detail);
    setCursor(bottleneck.elements.empty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
    update();
}

void BottleneckCard::setStale(bool stale) {
    if (m_stale == stale)
        return;
    m_stale = stale;
    update();
}

void BottleneckCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& colours = theme();
    const bool bad = !m_bottleneck.feasible;
    const bool plain = !bad && !m_bottleneck.binds;
    const QColor line = bad ? colours.bad : plain ? colours.border : colours.warnBorder;
    painter.setPen(QPen(hasFocus() ? colours.accent : line, 1));
    painter.setBrush(bad ? colours.badSoft : plain ? colours.card : colours.warnSoft);
    painter.drawRoundedRect(QRectF(rect()).adjusted(.5, .5, -.5, -.5), 6, 6);
    if (m_stale)
        painter.setOpacity(staleOpacity);
    const QRectF area = QRectF(rect()).adjusted(12, 6, -8, -5);
    QFont caption = textFont(TextRole::tiny);
    caption.setWeight(QFont::Bold);
    painter.setFont(caption);
    painter.setPen(bad ? colours.bad : plain ? colours.textMuted : colours.warn);
    const QString word = bad ? tr("DOES NOT WORK") : tr("BOTTLENECK");
    drawElided(painter, {area.left(), area.top(), area.width(), 13}, word);
    painter.setFont(textFont(TextRole::strong));
    painter.setPen(colours.text);
    drawElided(painter, {area.left(), area.top() + 13, area.width(), 19}, m_bottleneck.title);
    painter.setFont(textFont(TextRole::small));
    painter.setPen(colours.textMuted);
    drawElided(painter, {area.left(), area.bottom() - 14, area.width(), 15}, m_bottleneck.detail);
}

} // namespace cw
