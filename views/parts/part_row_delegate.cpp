// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/part_row_delegate.h"

#include "views/parts/parts_model.h"
#include "views/theme/icons.h"
#include "views/theme/part_look.h"
#include "views/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace cw {

namespace {

constexpr int headingHeight = 24;
constexpr int partHeight = 42;
constexpr int badgeSize = 25;

void paintStar(QPainter& painter, const QRectF& rect, bool filled, const QColor& colour) {
    QPainterPath path;
    const QPointF centre = rect.center();
    for (int i = 0; i < 10; ++i) {
        const double radius = rect.width() / 2 * (i % 2 ? .45 : 1);
        const double angle = -M_PI / 2 + i * M_PI / 5;
        const QPointF point = centre + QPointF(std::cos(angle), std::sin(angle)) * radius;
        if (i == 0)
            path.moveTo(point);
        else
            path.lineTo(point);
    }
    path.closeSubpath();
    painter.setPen(QPen(colour, 1.1));
    painter.setBrush(filled ? QBrush(colour) : Qt::NoBrush);
    painter.drawPath(path);
}

PartLook lookOf(const QModelIndex& index) {
    const auto* model = qobject_cast<const PartsModel*>(index.model());
    const Part* part = model ? model->partAt(index) : nullptr;
    if (part)
        return partLook(part);
    return {PartFamily::rack, QStringLiteral("▢")};
}

} // namespace

QRect PartRowDelegate::starRect(const QRect& row) { return {row.right() - 22, row.top() + 6, 14, 14}; }

QSize PartRowDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    return {120, index.data(PartsModel::HeadingRole).toBool() ? headingHeight : partHeight};
}

void PartRowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (index.data(PartsModel::HeadingRole).toBool())
        paintHeading(*painter, option.rect, index);
    else
        paintPart(*painter, option, index);
    painter->restore();
}

void PartRowDelegate::paintHeading(QPainter& painter, const QRect& rect, const QModelIndex& index) const {
    const Theme& colours = theme();
    QFont font = textFont(TextRole::tiny);
    font.setWeight(QFont::DemiBold);
    font.setLetterSpacing(QFont::PercentageSpacing, 104);
    painter.setFont(font);
    painter.setPen(colours.textMuted);
    const bool open = index.data(PartsModel::OpenRole).toBool();
    paintIcon(painter, QRectF(rect.left() + 2, rect.bottom() - 15, 11, 11), open ? Icon::down : Icon::right, colours.textMuted);
    painter.drawText(rect.adjusted(17, 0, -4, -3), Qt::AlignLeft | Qt::AlignBottom,
                     index.data(Qt::DisplayRole).toString().toUpper());
}

void PartRowDelegate::paintPart(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& colours = theme();
    const QRectF card = QRectF(option.rect).adjusted(1.5, 2.5, -1.5, -1.5);
    const bool selected = option.state & QStyle::State_Selected;
    const bool hovered = option.state & QStyle::State_MouseOver;
    painter.setPen(QPen(selected ? colours.accent : hovered ? colours.borderStrong : colours.border, 1));
    painter.setBrush(selected ? colours.selectionSoft : colours.card);
    painter.drawRoundedRect(card, 5, 5);
    paintBadge(painter, QRectF(card.left() + 6, card.center().y() - badgeSize / 2.0, badgeSize, badgeSize), lookOf(index),
               colours);

    const bool favourite = index.data(PartsModel::FavouriteRole).toBool();
    const bool star = m_stars && (favourite || m_hovered == index);
    QRectF words = card.adjusted(badgeSize + 13, 3, -6, -3);
    const QRectF first(words.left(), words.top(), words.width() - (star ? 18 : 0), words.height() / 2);
    QRectF second(words.left(), words.center().y(), words.width(), words.height() / 2);
    if (star)
        paintStar(painter, QRectF(starRect(option.rect)).adjusted(1, 1, -1, -1), favourite,
                  favourite ? colours.warn : colours.textMuted);
    if (index.data(PartsModel::EstimatedRole).toBool()) {
        painter.setFont(textFont(TextRole::tiny));
        const QString word = tr("est.");
        const double width = painter.fontMetrics().horizontalAdvance(word) + 8;
        const QRectF badge(second.right() - width, second.top() + 2, width, second.height() - 3);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours.warnSoft);
        painter.drawRoundedRect(badge, 3, 3);
        painter.setPen(colours.warn);
        painter.drawText(badge, Qt::AlignCenter, word);
        second.setRight(badge.left() - 4); // the name needs its line for itself
    }
    painter.setFont(textFont(TextRole::strong));
    painter.setPen(colours.text);
    painter.drawText(
        first, Qt::AlignVCenter | Qt::AlignLeft,
        painter.fontMetrics().elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, int(first.width())));
    painter.setFont(textFont(TextRole::small));
    painter.setPen(colours.textMuted);
    QString figures = index.data(PartsModel::FiguresRole).toString();
    const QString price = index.data(PartsModel::PriceRole).toString();
    if (!price.isEmpty() && !figures.contains(price))
        figures += QStringLiteral(" · ") + price;
    painter.drawText(second, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(figures, Qt::ElideRight, int(second.width())));
}

} // namespace cw
