// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/part_library.h"

#include <QSettings>

namespace cw {

namespace {

const QString favouritesKey = QStringLiteral("parts/favourites");
const QString recentKey = QStringLiteral("parts/recent");
const QString closedKey = QStringLiteral("parts/closed");

QString textOf(const PartId& part) { return QString::fromStdString(part.value); }

} // namespace

PartLibrary::PartLibrary(QObject* parent)
    : QObject(parent) {
    const QSettings settings;
    m_favourites = settings.value(favouritesKey).toStringList();
    m_recent = settings.value(recentKey).toStringList().mid(0, recentCount);
    if (!settings.contains(closedKey)) {
        // Looked up now and then, not dragged: closed until asked for.
        for (const PartGroup group : {PartGroup::devices, PartGroup::links, PartGroup::facility, PartGroup::models})
            m_closed.insert(static_cast<int>(group));
        return;
    }
    for (const QString& group : settings.value(closedKey).toStringList())
        m_closed.insert(group.toInt());
}

bool PartLibrary::isFavourite(const PartId& part) const { return m_favourites.contains(textOf(part)); }

void PartLibrary::setFavourite(const PartId& part, bool favourite) {
    if (isFavourite(part) == favourite)
        return;
    if (favourite)
        m_favourites.append(textOf(part));
    else
        m_favourites.removeAll(textOf(part));
    store();
}

void PartLibrary::noteUsed(const PartId& part) {
    const QString id = textOf(part);
    if (!m_recent.isEmpty() && m_recent.front() == id)
        return;
    m_recent.removeAll(id);
    m_recent.prepend(id);
    m_recent = m_recent.mid(0, recentCount);
    store();
}

void PartLibrary::setOpen(PartGroup group, bool open) {
    if (isOpen(group) == open)
        return;
    if (open)
        m_closed.remove(static_cast<int>(group));
    else
        m_closed.insert(static_cast<int>(group));
    store();
}

void PartLibrary::store() {
    QSettings settings;
    settings.setValue(favouritesKey, m_favourites);
    settings.setValue(recentKey, m_recent);
    QStringList closed;
    for (const int group : m_closed)
        closed += QString::number(group);
    closed.sort();
    settings.setValue(closedKey, closed);
    emit changed();
}

} // namespace cw
