// SPDX-License-Identifier: GPL-3.0-or-later
//
// Paints a finding as a card: coloured bar, icon and word of its severity, title, detail, and the button of the proposed change.
// GUI thread.
#pragma once

#include <QStyledItemDelegate>

namespace cw {

class FindingDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    /// Where the button of a row is (in the coordinates of `row`'s); empty when it has none.
    QRect fixRect(const QRect& row, const QModelIndex& index) const;
    /// Width of the rows, for the wrapping of text.
    void setWidth(int width) { m_width = width; }
    /// The button under the pointer.
    void setHot(const QModelIndex& index) { m_hot = index; }

private:
    struct Layout {
        QRect severity, title, detail, fix;
        int height = 0;
    };
    Layout layoutOf(const QRect& row, const QModelIndex& index) const;
    int m_width = 260;
    QPersistentModelIndex m_hot;
};

} // namespace cw
