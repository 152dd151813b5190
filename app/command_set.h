// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every command of the program once: id, text, keys, menu. Menus, the command palette and the key reference are made from it, so a command
// that exists can always be found. Owned by the main window; GUI thread.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QMenuBar;
class QWidget;

namespace cw {

class CommandSet : public QObject {
    Q_OBJECT
  public:
    explicit CommandSet(QWidget* window);

    /// Adds a command to the menu of this title. `id` is stable ("edit.undo"); the action belongs to the set and works window-wide.
    QAction* add(const QString& menu, const QString& id, const QString& text, const QList<QKeySequence>& keys, std::function<void()> run);
    QAction* add(const QString& menu, const QString& id, const QString& text, QKeySequence::StandardKey key, std::function<void()> run);
    /// An action made elsewhere (undo, dock toggles) joins menus and palette.
    void adopt(const QString& menu, const QString& id, QAction* action);
    /// A line between what was and what will be added to the menu.
    void separator(const QString& menu);

    void fill(QMenuBar& bar);
    QAction* action(const QString& id) const;

    struct Entry {
        QString menu, id;
        QAction* action = nullptr; ///< null: separator
    };
    const std::vector<Entry>& entries() const { return m_entries; }

  private:
    QWidget* m_window;
    std::vector<Entry> m_entries;
    QStringList m_menus;
};

} // namespace cw
