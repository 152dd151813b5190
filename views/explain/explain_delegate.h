// SPDX-License-Identifier: GPL-3.0-or-later
//
// Paints a term of ExplainModel: name and value, beneath them equation or source and band, and a badge that says what it rests on.
// GUI thread.
#pragma once

#include <QStyledItemDelegate>

namespace cw {

class ExplainDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace cw
