// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/parts_panel.h"

#include "model/document/document.h"
#include "views/parts/own_part_dialog.h"
#include "views/parts/part_row_delegate.h"
#include "views/parts/parts_model.h"
#include "views/theme/icons.h"
#include "views/widgets/style_class.h"
#include "views/widgets/toast.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMouseEvent>
#include <QVBoxLayout>

namespace cw {

namespace {

PartId idOf(const QModelIndex& index) { return PartId(index.data(PartsModel::PartIdRole).toString().toStdString()); }

} // namespace

PartsPanel::PartsPanel(Document& document, Catalog catalog, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_library(new PartLibrary(this))
    , m_model(new PartsModel(m_library, this))
    , m_delegate(new PartRowDelegate(this))
    , m_search(new QLineEdit(this))
    , m_list(new QListView(this))
    , m_nothing(new QLabel(this)) {
    m_search->setPlaceholderText(QStringLiteral("gpu>=80GB 400G"));
    m_search->setToolTip(tr("Words of name or maker, and properties: gpu>=80GB, memory>=80GB, cores>=96, power<2kW, 400G"));
    m_search->setAccessibleName(tr("Search parts"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_list->setModel(m_model);
    m_list->setItemDelegate(m_delegate);
    m_list->setAccessibleName(tr("Parts"));
    m_list->setDragEnabled(true);
    m_list->setDragDropMode(QAbstractItemView::DragOnly);
    m_list->setMouseTracking(true);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    setStyleClass(m_list, "flat");
    m_list->viewport()->installEventFilter(this);
    m_nothing->setWordWrap(true);
    m_nothing->setAlignment(Qt::AlignTop | Qt::AlignHCenter);
    m_nothing->setMargin(16);
    setStyleClass(m_nothing, "muted");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 4, 4);
    layout->setSpacing(6);
    layout->addWidget(m_search);
    layout->addWidget(m_nothing, 1);
    layout->addWidget(m_list, 1);

    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model->setQuery(text);
        if (!text.trimmed().isEmpty())
            m_list->setCurrentIndex(m_model->firstPart());
    });
    connect(m_model, &PartsModel::modelReset, this, &PartsPanel::updateEmptyText);
    connect(m_list, &QListView::activated, this, &PartsPanel::activate);
    connect(m_list, &QListView::customContextMenuRequested, this, &PartsPanel::showMenu);
    m_model->setCatalog(std::move(catalog));
}

void PartsPanel::setCatalog(Catalog catalog) {
    const PartId current = idOf(m_list->currentIndex());
    m_model->setCatalog(std::move(catalog));
    m_list->setCurrentIndex(m_model->indexOf(current));
}

void PartsPanel::noteUsed(const PartId& part) { m_library->noteUsed(part); }

void PartsPanel::focusSearch() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void PartsPanel::updateEmptyText() {
    const bool empty = m_model->rowCount() == 0;
    m_nothing->setVisible(empty);
    m_list->setVisible(!empty);
    m_nothing->setText(tr("No part fits “%1”.").arg(m_model->query()));
}

void PartsPanel::activate(const QModelIndex& index) {
    if (const std::optional<PartGroup> group = m_model->headingAt(index))
        return m_library->setOpen(*group, !m_library->isOpen(*group));
    const Part* part = m_model->partAt(index);
    if (part && !isPlaceable(*part)) {
        Toast::post(this, tr("%1 is not placed by itself: choose it in the inspector.").arg(partShortName(info(*part))));
        return;
    }
    const PartId id = idOf(index);
    if (!id.empty())
        emit partActivated(id);
}

void PartsPanel::toggleFavourite(const QModelIndex& index) {
    if (m_model->partAt(index))
        m_library->setFavourite(idOf(index), !m_library->isFavourite(idOf(index)));
}

bool PartsPanel::handleListMouse(QEvent* event) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const QModelIndex index = m_list->indexAt(mouse->pos());
    if (event->type() == QEvent::MouseMove) {
        m_delegate->setHovered(index);
        m_list->viewport()->update();
        return false;
    }
    if (event->type() != QEvent::MouseButtonPress || mouse->button() != Qt::LeftButton || !index.isValid())
        return false;
    if (const std::optional<PartGroup> group = m_model->headingAt(index)) {
        m_library->setOpen(*group, !m_library->isOpen(*group));
        return true;
    }
    if (PartRowDelegate::starRect(m_list->visualRect(index)).adjusted(-3, -3, 3, 3).contains(mouse->pos())) {
        toggleFavourite(index);
        return true;
    }
    return false;
}

bool PartsPanel::handleSearchKey(int key) {
    if (key == Qt::Key_Down) {
        m_list->setFocus(Qt::TabFocusReason);
        if (!m_list->currentIndex().isValid())
            m_list->setCurrentIndex(m_model->firstPart());
        return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        activate(m_list->currentIndex().isValid() ? m_list->currentIndex() : m_model->firstPart());
        return true;
    }
    if (key == Qt::Key_Escape && !m_search->text().isEmpty()) {
        m_search->clear();
        return true;
    }
    return false;
}

bool PartsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_search && event->type() == QEvent::KeyPress)
        return handleSearchKey(static_cast<QKeyEvent*>(event)->key());
    if (watched == m_list->viewport()) {
        if (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonPress)
            return handleListMouse(event);
        if (event->type() == QEvent::Leave)
            m_delegate->setHovered({});
    }
    return QWidget::eventFilter(watched, event);
}

void PartsPanel::showMenu(const QPoint& at) {
    const QModelIndex index = m_list->indexAt(at);
    QMenu menu(this);
    const PartId id = idOf(index);
    if (const Part* part = m_model->partAt(index)) {
        if (isPlaceable(*part))
            menu.addAction(icon(Icon::add), tr("Place on the canvas"), this, [this, id] { emit partActivated(id); });
        menu.addAction(icon(Icon::pin), m_library->isFavourite(id) ? tr("Remove from favourites") : tr("Add to favourites"), this,
                       [this, id] { m_library->setFavourite(id, !m_library->isFavourite(id)); });
        menu.addSeparator();
        menu.addAction(icon(Icon::duplicate), tr("New own part from this…"), this, [this, id] { newOwnPartFrom(id); });
        if (m_document.project().findPart(id)) {
            menu.addAction(icon(Icon::rename), tr("Edit own part…"), this, [this, id] { editOwnPart(id); });
            menu.addAction(icon(Icon::remove), tr("Remove own part"), this, [this, id] { removeOwnPart(id); });
        }
        menu.addSeparator();
        menu.addAction(icon(Icon::copy), tr("Copy id"), this,
                       [id] { QGuiApplication::clipboard()->setText(QString::fromStdString(id.value)); });
    } else if (!id.empty()) {
        menu.addAction(icon(Icon::add), tr("Place on the canvas"), this, [this, id] { emit partActivated(id); });
    }
    menu.addAction(icon(Icon::newDocument), tr("New own part…"), this, &PartsPanel::newOwnPart);
    menu.exec(m_list->viewport()->mapToGlobal(at));
}

void PartsPanel::newOwnPart() { OwnPartDialog::create(m_document, m_model->catalog(), PartId(), this); }
void PartsPanel::newOwnPartFrom(const PartId& part) { OwnPartDialog::create(m_document, m_model->catalog(), part, this); }
void PartsPanel::editOwnPart(const PartId& part) { OwnPartDialog::edit(m_document, m_model->catalog(), part, this); }

void PartsPanel::removeOwnPart(const PartId& part) {
    const OwnPart* own = m_document.project().findPart(part);
    if (!own)
        return;
    const QString name = tr("Remove part %1").arg(QString::fromStdString(part.value));
    Edit edit{name.toStdString(), {}, {{{ElementKind::part, {}, part.value}, *own, {}, -1, -1}}};
    QString reason;
    if (m_document.push(edit, &reason))
        Toast::post(this, tr("Own part %1 removed.").arg(QString::fromStdString(part.value)), tr("Undo"),
                    [document = &m_document] { document->undoStack().undo(); });
    else
        Toast::post(this, reason);
}

} // namespace cw
