// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/paths.h"

#include <QDir>
#include <QFileInfo>

#include <cstdlib>
#include <unistd.h>

namespace {

const bool startedInSourceFolder = [] {
    if (chdir(CW_SOURCE_PATH) == 0)
        return true;
    std::perror("cannot enter " CW_SOURCE_PATH);
    std::exit(2);
}();

} // namespace

namespace cw::test {

QString sourcePath(const QString& path) { return QStringLiteral(CW_SOURCE_PATH "/") + path; }

QString sharedPath(const QString& path) {
    const QString folder = qEnvironmentVariable("CW_SHARED_DIR", QDir::cleanPath(QStringLiteral(CW_SOURCE_PATH "/../shared")));
    const QString found = folder + QLatin1Char('/') + path;
    return QFileInfo::exists(found) ? found : QString();
}

QString programPath() { return qEnvironmentVariable("CW_PROGRAM", QStringLiteral(CW_PROGRAM_PATH)); }

} // namespace cw::test
