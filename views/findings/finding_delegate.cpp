// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/findings/finding_delegate.h"

#include "views/findings/findings_model.h"
#include "views/text/finding_text.h"
#include "views/theme/icons.h"
#include "views/theme/theme.h"

#include <QPainter>

namespace cw {

namespace {

constexpr int gap = 3;     ///< around a card
constexpr int padding = 8; ///< within
constexpr int barWidth = 4;
constexpr int buttonHeight = 22;
constexpr int severityHeight = 15;

struct Look {
    QColor colour;
    Icon icon;
};

Look lookOf(Severity severity, const Theme& colours) {
    switch (severity) {
    case Severity::error:
        return {colours.bad, Icon::error};
    case Severity::warning:
        return {colours.warn, Icon::warning};
    case Severity::advice:
        break;
    }
    return {colours.info, Icon::advice};
}

int wrappedHeight(const QFont& font, int width, const QString& text) {
    if (text.isEmpty())
        return 0;
    return QFontMetrics(font).boundingRect(QRect(0, 0, width, 2000), Qt::TextWordWrap, text).height();
}

Severity severityOf(const QModelIndex& index) { return static_cast<Severity>(index.data(FindingsModel::SeverityRole).toInt()); }

} // namespace

FindingDelegate::Layout FindingDelegate::layoutOf(const QRect& row, const QModelIndex& index) const {
    Layout layout;
    const int left = row.left() + gap + barWidth + padding;
    const int width = std::max(40, row.right() - gap - padding - left);
    int y = row.top() + gap + padding - 2;
    layout.severity = {left, y, width, severityHeight};
    y += severityHeight + 1;
    const int titleHeight = wrappedHeight(textFont(TextRole::strong), width, index.data(FindingsModel::TitleRole).toString());
    layout.title = {left, y, width, titleHeight};
    y += titleHeight + 2;
    const int detailHeight = wrappedHeight(textFont(TextRole::small), width, index.data(FindingsModel::DetailRole).toString());
    layout.detail = {left, y, width, detailHeight};
    y += detailHeight;
    if (const QString fix = index.data(FindingsModel::FixRole).toString(); !fix.isEmpty()) {
        const int text = QFontMetrics(textFont(TextRole::strong)).horizontalAdvance(fix) + 20;
        layout.fix = {left, y + 5, std::min(text, width), buttonHeight};
        y += buttonHeight + 5;
    }
    layout.height = y + padding - 1 + gap - row.top();
    return layout;
}

QRect FindingDelegate::fixRect(const QRect& row, const QModelIndex& index) const { return layoutOf(row, index).fix; }

QSize FindingDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    return {m_width, layoutOf({0, 0, m_width, 10}, index).height};
}

void FindingDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const Theme& colours = theme();
    const Look look = lookOf(severityOf(index), colours);
    const Layout layout = layoutOf(option.rect, index);
    const QRectF card = QRectF(option.rect).adjusted(gap + .5, gap + .5, -gap - .5, -gap + .5);
    const bool selected = option.state & QStyle::State_Selected;
    const bool hovered = option.state & QStyle::State_MouseOver;
    painter->setPen(QPen(selected ? colours.accent : hovered ? colours.borderStrong : colours.border, 1));
    painter->setBrush(selected ? colours.selectionSoft : colours.card);
    painter->drawRoundedRect(card, 4, 4);
    painter->setPen(Qt::NoPen);
    painter->setBrush(look.colour);
    painter->drawRoundedRect(QRectF(card.left(), card.top(), barWidth, card.height()), 2, 2);

    paintIcon(*painter, QRectF(layout.severity.left(), layout.severity.top() + 1, 13, 13), look.icon, look.colour);
    QFont small = textFont(TextRole::tiny);
    small.setWeight(QFont::DemiBold);
    painter->setFont(small);
    painter->setPen(look.colour);
    painter->drawText(layout.severity.adjusted(17, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, severityName(severityOf(index)));
    painter->setFont(textFont(TextRole::strong));
    painter->setPen(colours.text);
    painter->drawText(layout.title, Qt::TextWordWrap, index.data(FindingsModel::TitleRole).toString());
    painter->setFont(textFont(TextRole::small));
    painter->setPen(colours.textMuted);
    painter->drawText(layout.detail, Qt::TextWordWrap, index.data(FindingsModel::DetailRole).toString());
    if (!layout.fix.isEmpty()) {
        painter->setPen(m_hot == index ? QPen(colours.accent, 1) : QPen(Qt::NoPen));
        painter->setBrush(colours.accentSoft);
        painter->drawRoundedRect(QRectF(layout.fix).adjusted(.5, .5, -.5, -.5), 10, 10);
        painter->setFont(textFont(TextRole::strong));
        painter->setPen(colours.isDark() ? colours.text : colours.accent);
        painter->drawText(layout.fix.adjusted(9, 0, -9, 0), Qt::AlignVCenter | Qt::AlignLeft,
                          painter->fontMetrics().elidedText(index.data(FindingsModel::FixRole).toString(), Qt::ElideRight,
                                                            layout.fix.width() - 18));
    }
    painter->restore();
}

} // namespace cw
