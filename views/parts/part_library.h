// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the user likes and used: favourites, recently used parts and closed groups of the palette, kept in the settings of the program
// across sessions. One per window, GUI thread.
#pragma once

#include "model/base/id.h"
#include "views/parts/part_summary.h"

#include <QObject>
#include <QSet>
#include <QStringList>

namespace cw {

class PartLibrary : public QObject {
    Q_OBJECT
public:
    explicit PartLibrary(QObject* parent = nullptr);

    bool isFavourite(const PartId& part) const;
    void setFavourite(const PartId& part, bool favourite);
    const QStringList& favourites() const { return m_favourites; }

    /// Newest first, a handful.
    const QStringList& recent() const { return m_recent; }
    void noteUsed(const PartId& part);

    bool isOpen(PartGroup group) const { return !m_closed.contains(static_cast<int>(group)); }
    void setOpen(PartGroup group, bool open);

    static constexpr int recentCount = 5;

signals:
    void changed();

private:
    void store();
    QStringList m_favourites, m_recent;
    QSet<int> m_closed;
};

} // namespace cw
