// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/explain/explain_delegate.h"

#include "views/explain/explain_model.h"
#include "views/theme/theme.h"

#include <QPainter>

namespace cw {

namespace {

constexpr int lineHeight = 17;
constexpr int margin = 4;

QString secondLine(const QModelIndex& index) {
    if (index.column() == ExplainModel::ValueColumn)
        return index.data(ExplainModel::RangeRole).toString();
    const QString equation = index.data(ExplainModel::EquationRole).toString();
    return equation.isEmpty() ? index.data(ExplainModel::SourceRole).toString() : equation;
}

/// Colours back the word, they do not replace it.
QColor trustColour(const QModelIndex& index, const Theme& colours) {
    switch (static_cast<TermOrigin>(index.data(ExplainModel::OriginRole).toInt())) {
    case TermOrigin::assumption:
        return colours.warn;
    case TermOrigin::input:
        return colours.accent;
    case TermOrigin::simulated:
    case TermOrigin::calibrated:
        return colours.info;
    default:
        break;
    }
    const auto provenance = static_cast<Provenance>(index.data(ExplainModel::ProvenanceRole).toInt());
    return provenance == Provenance::estimated || provenance == Provenance::recalled ? colours.warn : colours.good;
}

/// The badge at the end of the first line; gives back the room that is left before it.
QRectF paintTrust(QPainter& painter, const QRectF& line, const QModelIndex& index, const Theme& colours) {
    const QString trust = index.data(ExplainModel::TrustRole).toString();
    if (trust.isEmpty())
        return line;
    painter.setFont(textFont(TextRole::tiny));
    const double width = std::min<double>(painter.fontMetrics().horizontalAdvance(trust) + 10, line.width() * .55);
    const QRectF badge(line.right() - width, line.top() + 2, width, line.height() - 4);
    painter.setPen(QPen(trustColour(index, colours), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(badge.adjusted(.5, .5, -.5, -.5), 4, 4);
    painter.drawText(badge, Qt::AlignCenter, painter.fontMetrics().elidedText(trust, Qt::ElideRight, int(width) - 6));
    return line.adjusted(0, 0, -width - 6, 0);
}

} // namespace

QSize ExplainDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    const QModelIndex name = index.siblingAtColumn(ExplainModel::NameColumn);
    const QModelIndex value = index.siblingAtColumn(ExplainModel::ValueColumn);
    const bool two = !secondLine(name).isEmpty() || !secondLine(value).isEmpty();
    return {index.column() == ExplainModel::ValueColumn ? 130 : 220, lineHeight * (two ? 2 : 1) + margin * 2};
}

void ExplainDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const Theme& colours = theme();
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, colours.selectionSoft);
    const bool value = index.column() == ExplainModel::ValueColumn;
    const Qt::Alignment align = Qt::AlignVCenter | (value ? Qt::AlignRight : Qt::AlignLeft);
    const QRectF area = QRectF(option.rect).adjusted(3, margin, -5, -margin);
    QRectF first(area.left(), area.top(), area.width(), lineHeight);
    const QRectF second(area.left(), area.top() + lineHeight, area.width(), lineHeight);
    if (!value)
        first = paintTrust(*painter, first, index, colours);
    const auto write = [&](const QRectF& line, const QString& text, TextRole role, const QColor& colour) {
        painter->setFont(textFont(role));
        painter->setPen(colour);
        painter->drawText(line, static_cast<int>(align),
                          painter->fontMetrics().elidedText(text, Qt::ElideRight, int(line.width())));
    };
    write(first, index.data().toString(), value ? TextRole::strong : TextRole::body, colours.text);
    write(second, secondLine(index), TextRole::small, colours.textMuted);
    painter->restore();
}

} // namespace cw
