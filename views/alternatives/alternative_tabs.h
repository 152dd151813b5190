// SPDX-License-Identifier: GPL-3.0-or-later
//
// The alternatives as tabs over the canvas: choose, add, duplicate, rename, reorder, set as baseline, delete. Mirrors the Document; every
// change is an Edit. GUI thread.
#pragma once

#include "model/document/document.h"

#include <QWidget>

class QLineEdit;
class QTabBar;
class QToolButton;

namespace cw {

class AlternativeTabs : public QWidget {
    Q_OBJECT
  public:
    explicit AlternativeTabs(Document& document, QWidget* parent = nullptr);

    AlternativeId current() const;
    void setCurrent(const AlternativeId& id);

    void addAlternative();
    void duplicateCurrent();
    void renameCurrent();
    void makeCurrentBaseline();
    void removeCurrent();

  signals:
    void currentChanged(const cw::AlternativeId& id);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void refresh();
    void finishRename(bool keep);
    void showMenu(const QPoint& at);
    QString freeAlternativeName(const QString& wish) const;

    Document& m_document;
    QTabBar* m_bar;
    QToolButton* m_add;
    QLineEdit* m_editor = nullptr;
    AlternativeId m_current;
    bool m_refreshing = false;
};

} // namespace cw
