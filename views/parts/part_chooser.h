// SPDX-License-Identifier: GPL-3.0-or-later
//
// A popup list of parts of some kinds with a search line: how a field that holds a part is edited. Deletes itself when closed. GUI thread.
#pragma once

#include "model/catalog/catalog.h"

#include <QFrame>

class QLineEdit;
class QListView;

namespace cw {

class PartsModel;

class PartChooser : public QFrame {
    Q_OBJECT
public:
    /// `unset` is the text of the choice "none of them" ("as the site"); empty: a part must be chosen.
    PartChooser(const Catalog& catalog, const std::vector<std::string>& kinds, const PartId& current, const QString& unset,
                QWidget* parent);

    /// Beneath (or above) this widget, within the screen.
    void popUp(const QWidget* below);

signals:
    void chosen(const cw::PartId& part); ///< empty: unset

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void choose(const QModelIndex& index);
    void moveCurrent(int rows);
    PartsModel* m_model;
    QLineEdit* m_search;
    QListView* m_list;
};

} // namespace cw
