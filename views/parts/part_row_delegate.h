// SPDX-License-Identifier: GPL-3.0-or-later
//
// Paints the rows of PartsModel: a card with badge, name, key figures, price, "est." and star; headings with a chevron. GUI thread.
#pragma once

#include <QStyledItemDelegate>

namespace cw {

class PartRowDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    /// Where the star of a row is, for clicks.
    static QRect starRect(const QRect& row);
    /// Stars are shown where they can be set.
    void setStars(bool stars) { m_stars = stars; }
    /// The row whose star shows although it is not a favourite.
    void setHovered(const QModelIndex& index) { m_hovered = index; }

private:
    void paintHeading(QPainter& painter, const QRect& rect, const QModelIndex& index) const;
    void paintPart(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    bool m_stars = true;
    QPersistentModelIndex m_hovered;
};

} // namespace cw
