// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/section_header.h"

#include "views/theme/icons.h"
#include "views/theme/theme.h"

#include <QHBoxLayout>
#include <QPainter>

namespace cw {

SectionHeader::SectionHeader(const QString& title, QWidget* parent)
    : QAbstractButton(parent)
    , m_buttons(new QHBoxLayout(this)) {
    setText(title);
    setAccessibleName(title);
    setCheckable(true);
    setChecked(true);
    setFont(textFont(TextRole::strong));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    m_buttons->setContentsMargins(0, 0, 0, 0);
    m_buttons->addStretch();
}

void SectionHeader::setCollapsible(bool collapsible) {
    m_collapsible = collapsible;
    setCheckable(collapsible);
    setFocusPolicy(collapsible ? Qt::TabFocus : Qt::NoFocus);
    update();
}

void SectionHeader::setNote(const QString& note) {
    m_note = note;
    update();
}

void SectionHeader::addButton(QWidget* button) { m_buttons->addWidget(button); }

QSize SectionHeader::sizeHint() const { return {120, std::max(fontMetrics().height() + 8, layout()->sizeHint().height())}; }
QSize SectionHeader::minimumSizeHint() const { return {40, sizeHint().height()}; }

void SectionHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& colours = theme();
    QRectF area(rect());
    if (hasFocus()) {
        painter.setPen(QPen(colours.accent, 1));
        painter.drawRoundedRect(area.adjusted(.5, .5, -.5, -.5), 4, 4);
    }
    if (m_collapsible) {
        const QRectF chevron(area.left() + 1, area.center().y() - 6, 12, 12);
        paintIcon(painter, chevron, isChecked() ? Icon::down : Icon::right, colours.textMuted);
        area.setLeft(chevron.right() + 4);
    }
    painter.setFont(font());
    painter.setPen(colours.text);
    int reserved = 0;
    for (const QWidget* button : findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
        reserved += button->isVisible() ? button->width() + 4 : 0;
    const QFont noteFont = textFont(TextRole::small);
    const int noteWidth = m_note.isEmpty() ? 0 : QFontMetrics(noteFont).horizontalAdvance(m_note) + 6;
    const QRectF words = area.adjusted(0, 0, -reserved, 0);
    const QString title = fontMetrics().elidedText(text(), Qt::ElideRight, static_cast<int>(words.width()) - noteWidth);
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft, title);
    painter.setFont(noteFont);
    painter.setPen(colours.textMuted);
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignRight, m_note);
}

} // namespace cw
