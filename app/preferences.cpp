// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/preferences.h"

#include <QFileInfo>

namespace cw::preferences {

namespace {
const Setting<QStringList> stored{"files/recent", {}};
constexpr qsizetype most = 12;
} // namespace

QStringList recentFiles()
{
    QStringList files;
    for (const QString& path : stored.get())
        if (QFileInfo::exists(path))
            files << path;
    return files;
}

void addRecentFile(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = stored.get();
    files.removeAll(absolute);
    files.prepend(absolute);
    stored.set(files.mid(0, most));
}

} // namespace cw::preferences
