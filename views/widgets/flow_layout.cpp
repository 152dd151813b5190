// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/flow_layout.h"

#include <QWidget>

namespace cw {

FlowLayout::FlowLayout(QWidget* parent, int spacing)
    : QLayout(parent) {
    setContentsMargins(0, 0, 0, 0);
    setSpacing(spacing);
}

FlowLayout::~FlowLayout() { qDeleteAll(m_items); }

void FlowLayout::addItem(QLayoutItem* item) { m_items.append(item); }
int FlowLayout::heightForWidth(int width) const { return arrange({0, 0, width, 0}, false); }

QLayoutItem* FlowLayout::takeAt(int index) { return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr; }

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem* item : m_items)
        size = size.expandedTo(item->minimumSize());
    return size.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool move) const {
    const QRect area = rect.marginsRemoved(contentsMargins());
    int x = area.left(), y = area.top(), line = 0;
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty())
            continue;
        const int width = std::min(item->sizeHint().width(), area.width());
        if (x > area.left() && x + width > area.right() + 1) {
            x = area.left();
            y += line + spacing();
            line = 0;
        }
        if (move)
            item->setGeometry({x, y, width, item->sizeHint().height()});
        x += width + spacing();
        line = std::max(line, item->sizeHint().height());
    }
    return y + line - rect.top() + contentsMargins().bottom();
}

} // namespace cw
