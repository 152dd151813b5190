// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/part_chooser.h"

#include "views/parts/part_row_delegate.h"
#include "views/parts/parts_model.h"
#include "views/widgets/style_class.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>

namespace cw {

PartChooser::PartChooser(const Catalog& catalog, const std::vector<std::string>& kinds, const PartId& current,
                         const QString& unset, QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_model(new PartsModel(nullptr, this))
    , m_search(new QLineEdit(this))
    , m_list(new QListView(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setStyleClass(this, "card");
    m_model->setKinds(kinds);
    m_model->setCatalog(catalog);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(5);
    m_search->setPlaceholderText(tr("Search by name or property"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    layout->addWidget(m_search);
    if (!unset.isEmpty()) {
        auto* none = new QPushButton(unset, this);
        setStyleClass(none, "chip");
        connect(none, &QPushButton::clicked, this, [this] {
            emit chosen(PartId());
            close();
        });
        layout->addWidget(none);
    }
    auto* delegate = new PartRowDelegate(m_list);
    delegate->setStars(false);
    m_list->setItemDelegate(delegate);
    m_list->setModel(m_model);
    m_list->setMouseTracking(true);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setStyleClass(m_list, "flat");
    layout->addWidget(m_list, 1);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model->setQuery(text);
        m_list->setCurrentIndex(m_model->firstPart());
    });
    connect(m_list, &QListView::clicked, this, &PartChooser::choose);
    connect(m_list, &QListView::activated, this, &PartChooser::choose);
    m_list->setCurrentIndex(m_model->indexOf(current));
}

void PartChooser::popUp(const QWidget* below) {
    const QRect screen = below->screen()->availableGeometry();
    resize(std::min(330, screen.width()), std::min(420, screen.height()));
    QPoint at = below->mapToGlobal(QPoint(below->width() - width(), below->height() + 2));
    if (at.y() + height() > screen.bottom())
        at.setY(std::max(screen.top(), screen.bottom() - height()));
    at.setX(std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - width())));
    move(at);
    show();
    m_search->setFocus(Qt::PopupFocusReason);
    m_list->scrollTo(m_list->currentIndex(), QAbstractItemView::PositionAtCenter);
}

void PartChooser::choose(const QModelIndex& index) {
    if (const Part* part = m_model->partAt(index)) {
        const PartId id = info(*part).id;
        close();
        emit chosen(id);
    }
}

void PartChooser::moveCurrent(int rows) {
    int row = m_list->currentIndex().isValid() ? m_list->currentIndex().row() : -1;
    const int step = rows < 0 ? -1 : 1;
    for (row += step; row >= 0 && row < m_model->rowCount(); row += step) {
        if (m_model->partAt(m_model->index(row))) {
            m_list->setCurrentIndex(m_model->index(row));
            return;
        }
    }
}

bool PartChooser::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_search || event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
        moveCurrent(1);
        return true;
    case Qt::Key_Up:
        moveCurrent(-1);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose(m_list->currentIndex());
        return true;
    default:
        return QFrame::eventFilter(watched, event);
    }
}

} // namespace cw
