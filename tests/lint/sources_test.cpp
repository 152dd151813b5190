// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lint/source_rules.h"
#include "tests/support/paths.h"

#include <QDirIterator>
#include <QFile>
#include <QTest>

using cw::lint::checkFile;
using cw::lint::checkTree;
using cw::lint::Violation;

namespace {

const std::string licence = "// SPDX-License-Identifier: GPL-3.0-or-later\n";

QString lines(const std::vector<Violation>& violations) {
    QStringList all;
    for (const Violation& violation : violations)
        all << QString::fromStdString(violation.text());
    return all.join(QLatin1Char('\n'));
}

// Every text of the project that a person writes, by its path from the source folder.
std::map<std::string, std::string> projectFiles() {
    std::map<std::string, std::string> files;
    const auto read = [&files](const QString& path) {
        QFile file(cw::test::sourcePath(path));
        if (file.open(QIODevice::ReadOnly))
            files[path.toStdString()] = file.readAll().toStdString();
    };
    const QString root = cw::test::sourcePath(QString());
    for (const char* folder : {"model", "estimators", "views", "app", "resources", "tests", "cmake", "docs", ".ci"}) {
        QDirIterator each(root + folder, {"*.h", "*.cpp", "*.txt", "*.cmake", "*.md", "*.json", "*.qrc", "*.supp", "run"},
                          QDir::Files, QDirIterator::Subdirectories);
        while (each.hasNext())
            read(each.next().mid(root.size()));
    }
    const QStringList top = QDir(root).entryList(QDir::Files | QDir::Hidden);
    for (const QString& name : top) {
        // A work tree's .git is a file that holds an absolute path; what Git ignores is not ours.
        if (name != ".git" && name != "compile_commands.json" && name != "CMakeUserPresets.json" && !name.endsWith(".swp"))
            read(name);
    }
    return files;
}

} // namespace

class SourcesTest : public QObject {
    Q_OBJECT

private slots:
    void plantedViolationsAreFound_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("word");

        QTest::newRow("model knows estimators") << "model/a.h" << "#include \"estimators/estimate.h\"" << 3 << "estimators";
        QTest::newRow("model knows views") << "model/design/a.h" << "#include \"views/a.h\"" << 3 << "views";
        QTest::newRow("model knows app") << "model/document/a.h" << "  #  include \"app/a.h\"" << 3 << "app";
        QTest::newRow("estimators know views") << "estimators/a.h" << "\n#include \"views/a.h\"" << 4 << "views";
        QTest::newRow("estimators know app") << "estimators/live/a.h" << "#include \"app/a.h\"" << 3 << "app";
        QTest::newRow("views know app") << "views/canvas/a.h" << "#include \"app/main_window.h\"" << 3 << "app";
        QTest::newRow("app knows tests") << "app/a.h" << "#include \"tests/support/paths.h\"" << 3 << "tests";
        QTest::newRow("resources know model") << "resources/a.h" << "#include \"model/version.h\"" << 3 << "model";
        QTest::newRow("Qt in model") << "model/design/a.h" << "#include <QString>" << 3 << "QString";
        QTest::newRow("Qt module in model") << "model/a.h" << "#include <QtCore/QString>" << 3 << "QtCore";
        QTest::newRow("old Qt header in model") << "model/a.h" << "#include <qobject.h>" << 3 << "qobject.h";
        QTest::newRow("Qt in estimators") << "estimators/network/a.h" << "#include <QtCore>" << 3 << "QtCore";
        QTest::newRow("model knows document") << "model/io/a.h" << "#include \"model/document/document.h\"" << 3 << "document";
        QTest::newRow("estimators know live") << "estimators/a.h" << "#include \"estimators/live/live.h\"" << 3 << "live";
        QTest::newRow("plot outside plots") << "views/charts/a.h" << "#include <qcustomplot.h>" << 3 << "views/plots";
        QTest::newRow("plot in app") << "app/a.h" << "#include \"qcustomplot.h\"" << 3 << "views/plots";
        QTest::newRow("plot in a header") << "views/plots/a.h" << "#include <qcustomplot.h>" << 3 << "heavy";
        QTest::newRow("json in a header") << "model/io/a.h" << "#include <nlohmann/json.hpp>" << 3 << "heavy";
        QTest::newRow("Eigen in a header") << "estimators/a.h" << "#include <Eigen/Dense>" << 3 << "heavy";
        QTest::newRow("graph in a header") << "estimators/a.h" << "#include <boost/graph/adjacency_list.hpp>" << 3 << "heavy";
        QTest::newRow("machine path") << "app/a.h"
                                      << "const char* path = \"/ho"
                                         "me/someone/file\";"
                                      << 3 << "machine";
        QTest::newRow("machine path in a document") << "docs/a.md"
                                                    << "see /wo"
                                                       "rk/notes"
                                                    << 3 << "machine";
    }

    void plantedViolationsAreFound() {
        QFETCH(QString, path);
        QFETCH(QString, code);
        QFETCH(int, line);
        QFETCH(QString, word);
        const auto found = checkFile(path.toStdString(), licence + "#pragma once\n" + code.toStdString() + "\n");
        QVERIFY2(found.size() == 1, qPrintable(lines(found)));
        const QString text = QString::fromStdString(found.front().text());
        QVERIFY2(text.startsWith(QStringLiteral("%1:%2: ").arg(path).arg(line)), qPrintable(text));
        QVERIFY2(text.contains(word), qPrintable(text));
    }

    void allowedIsSilent_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("code");

        QTest::newRow("model") << "model/a.cpp" << "#include <nlohmann/json.hpp>\n#include \"model/b.h\"\n#include <queue>";
        QTest::newRow("forward declared json") << "model/a.h" << "#include <nlohmann/json_fwd.hpp>";
        QTest::newRow("embedded data") << "model/a.cpp" << "#include \"resources/embedded.h\"";
        QTest::newRow("document") << "model/document/a.h" << "#include <QUndoStack>";
        QTest::newRow("live") << "estimators/live/a.h" << "#include <QObject>\n#include \"model/document/document.h\"";
        QTest::newRow("estimators") << "estimators/a.cpp" << "#include <Eigen/Dense>\n#include \"model/b.h\"";
        QTest::newRow("plots") << "views/plots/a.cpp" << "#include <qcustomplot.h>";
        QTest::newRow("views") << "views/a.cpp" << "#include \"estimators/b.h\"\n#include \"model/b.h\"\n#include <QWidget>";
        QTest::newRow("app") << "app/a.cpp" << "#include \"views/b.h\"";
        QTest::newRow("tests") << "tests/app/a.cpp" << "#include \"app/b.h\"\n#include <QTest>";
        QTest::newRow("addresses") << "app/a.cpp"
                                   << "// https://example.org/ho"
                                      "me/x and ../wo"
                                      "rk/y";
    }

    void allowedIsSilent() {
        QFETCH(QString, path);
        QFETCH(QString, code);
        const auto found = checkFile(path.toStdString(), licence + "#pragma once\n" + code.toStdString() + "\n");
        QVERIFY2(found.empty(), qPrintable(lines(found)));
    }

    void licenceAndGuardAreRequired() {
        QCOMPARE(lines(checkFile("model/a.cpp", "int a;\n")),
                 QStringLiteral("model/a.cpp:1: lacks the line // SPDX-License-Identifier: GPL-3.0-or-later"));
        QCOMPARE(lines(checkFile("model/a.h", licence + "int a;\n")), QStringLiteral("model/a.h:1: lacks #pragma once"));
        QVERIFY(checkFile("docs/a.md", "words\n").empty());
    }

    void includesStartAtTheSourceFolder() {
        const auto found = checkTree({{"model/a.h", "#include \"b.h\"\n#include \"model/b.h\"\n#include \"a.moc\"\n"},
                                      {"model/b.h", "\n#include \"model/gone.h\"\n"}});
        QCOMPARE(found.size(), std::size_t(2));
        QCOMPARE(found[0].file + std::to_string(found[0].line), std::string("model/a.h1"));
        QCOMPARE(found[1].file + std::to_string(found[1].line), std::string("model/b.h2"));
    }

    void everySourceIsListed() {
        const auto found = checkTree({{"model/CMakeLists.txt", "design/a.cpp"},
                                      {"model/design/a.cpp", ""},
                                      {"model/design/b.cpp", ""},
                                      {"tests/model/CMakeLists.txt", "cw_test(NAME a LINK cw_model)"},
                                      {"tests/model/a_test.cpp", ""}});
        QCOMPARE(lines(found), QStringLiteral("model/design/b.cpp:1: no CMakeLists.txt lists this source"));
    }

    void projectKeepsTheRules() {
        const auto files = projectFiles();
        QVERIFY2(files.contains("CMakeLists.txt") && files.contains("model/version.h"), "the project's files were not found");
        std::vector<Violation> found = checkTree(files);
        for (const auto& [path, text] : files) {
            const auto more = checkFile(path, text);
            found.insert(found.end(), more.begin(), more.end());
        }
        // One message each: Qt Test cuts a long one.
        for (const Violation& violation : found)
            qInfo("%s", violation.text().c_str());
        QVERIFY2(found.empty(), qPrintable(QStringLiteral("%1 violations, listed above").arg(found.size())));
    }
};

QTEST_GUILESS_MAIN(SourcesTest)
#include "sources_test.moc"
