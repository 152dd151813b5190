// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a test finds files. Every test starts in the source folder, also when it is run by hand from elsewhere, because
// linking cw_test_support goes there before main(). The macros CW_SOURCE_DIR and CW_SHARED_DIR are string literals
// relative to it; sharedPath() below also honours the environment.
#pragma once

#include <QString>
#include <QTest>

namespace cw::test {

// A file of the project, by its path from the source folder. Absolute.
[[nodiscard]] QString sourcePath(const QString& path);

// A file of the folder of samples beside the source folder ("../shared", or the environment variable CW_SHARED_DIR).
// Empty where it does not exist: the test must then skip, with CW_REQUIRE_SHARED.
[[nodiscard]] QString sharedPath(const QString& path);

// The built program, for tests of the command line.
[[nodiscard]] QString programPath();

} // namespace cw::test

// Declares a QString `name` with the path of a sample, or skips the test function with a message that says what is missing.
#define CW_REQUIRE_SHARED(name, path)                                                                                            \
    const QString name = ::cw::test::sharedPath(QStringLiteral(path));                                                           \
    if (name.isEmpty())                                                                                                          \
    QSKIP("sample " path " is missing: it is looked for in ../shared or $CW_SHARED_DIR")
