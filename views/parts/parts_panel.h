// SPDX-License-Identifier: GPL-3.0-or-later
//
// The palette: search as you type over name, maker and property, groups, favourites and recently used parts, drag to the canvas. Parts are
// read from the catalog; the user's own are made and changed through the document. GUI thread.
#pragma once

#include "model/catalog/catalog.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QListView;

namespace cw {

class Document;
class PartLibrary;
class PartRowDelegate;
class PartsModel;

class PartsPanel : public QWidget {
    Q_OBJECT
public:
    PartsPanel(Document& document, Catalog catalog, QWidget* parent = nullptr);

    /// The effective catalog: shipped, user's and project's parts.
    void setCatalog(Catalog catalog);
    /// A part was placed, by whatever way: it becomes the newest of the recent ones.
    void noteUsed(const PartId& part);
    PartLibrary& library() { return *m_library; }
    void focusSearch();

public slots:
    void newOwnPart();                           ///< from nothing
    void newOwnPartFrom(const cw::PartId& part); ///< a copy to be changed
    void editOwnPart(const cw::PartId& part);    ///< an own part of the project

signals:
    /// Enter or double click: place it where the view is. Also "frame:pod" and so on.
    void partActivated(const cw::PartId& part);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void activate(const QModelIndex& index);
    void showMenu(const QPoint& at);
    void toggleFavourite(const QModelIndex& index);
    bool handleListMouse(QEvent* event);
    bool handleSearchKey(int key);
    void removeOwnPart(const PartId& part);
    void updateEmptyText();

    Document& m_document;
    PartLibrary* m_library;
    PartsModel* m_model;
    PartRowDelegate* m_delegate;
    QLineEdit* m_search;
    QListView* m_list;
    QLabel* m_nothing;
};

} // namespace cw
