// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/version.h"
#include "resources/embedded.h"
#include "tests/support/paths.h"

#include <QFile>
#include <QTest>

class ResourcesTest : public QObject {
    Q_OBJECT

private slots:
    void programHasAVersion() { QVERIFY(!cw::programVersion().empty()); }

    void unknownFileIsNull() { QVERIFY(cw::resources::file("catalog/no such file").data() == nullptr); }

    void listIsLimitedToTheFolder() {
        for (const std::string_view path : cw::resources::list("catalog"))
            QVERIFY(path.starts_with("catalog/"));
        QVERIFY(cw::resources::list("cata").empty());
    }

    void embeddedBytesEqualTheFiles() {
        for (const std::string_view path : cw::resources::list("")) {
            const QString name = QString::fromUtf8(path.data(), static_cast<qsizetype>(path.size()));
            const bool measured = name.startsWith(QStringLiteral("measured/")); // the tables of the accuracy test
            QFile file(cw::test::sourcePath(measured ? "tests/data/published/" + name.section(u'/', 1) : "resources/" + name));
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(name));
            const std::string_view bytes = cw::resources::file(path);
            QVERIFY2(file.readAll() == QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())), qPrintable(name));
            QCOMPARE(bytes.data()[bytes.size()], '\0');
        }
    }
};

QTEST_GUILESS_MAIN(ResourcesTest)
#include "resources_test.moc"
