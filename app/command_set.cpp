// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_set.h"

#include <QMenu>
#include <QMenuBar>
#include <QWidget>

namespace cw {

CommandSet::CommandSet(QWidget* window) : QObject(window), m_window(window) {}

QAction* CommandSet::add(const QString& menu, const QString& id, const QString& text, const QList<QKeySequence>& keys,
                         std::function<void()> run)
{
    auto* action = new QAction(text, this);
    action->setShortcuts(keys);
    connect(action, &QAction::triggered, this, std::move(run));
    adopt(menu, id, action);
    return action;
}

QAction* CommandSet::add(const QString& menu, const QString& id, const QString& text, QKeySequence::StandardKey key,
                         std::function<void()> run)
{
    return add(menu, id, text, QKeySequence::keyBindings(key), std::move(run));
}

void CommandSet::adopt(const QString& menu, const QString& id, QAction* action)
{
    action->setObjectName(id);
    action->setShortcutContext(Qt::WindowShortcut);
    m_window->addAction(action);
    m_entries.push_back({menu, id, action});
    if (!m_menus.contains(menu))
        m_menus << menu;
}

void CommandSet::separator(const QString& menu) { m_entries.push_back({menu, {}, nullptr}); }

void CommandSet::fill(QMenuBar& bar)
{
    for (const QString& title : m_menus) {
        QMenu* menu = bar.addMenu(title);
        menu->setToolTipsVisible(true);
        for (const Entry& entry : m_entries) {
            if (entry.menu != title)
                continue;
            if (entry.action)
                menu->addAction(entry.action);
            else
                menu->addSeparator();
        }
    }
}

QAction* CommandSet::action(const QString& id) const
{
    for (const Entry& entry : m_entries)
        if (entry.id == id)
            return entry.action;
    return nullptr;
}

} // namespace cw
