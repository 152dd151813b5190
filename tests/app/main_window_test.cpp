// SPDX-License-Identifier: GPL-3.0-or-later
//
// The whole window under mouse and keyboard: what the main job asks of it, end to end.
#include "app/command_palette.h"
#include "app/main_window.h"
#include "app/user_files.h"
#include "views/alternatives/alternative_tabs.h"
#include "views/canvas/canvas_view.h"
#include "views/findings/findings_panel.h"
#include "views/headline/headline_strip.h"
#include "views/parts/parts_panel.h"
#include "views/plots/chart_view.h"

#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QTabBar>
#include <QtTest>

using namespace cw;

class MainWindowTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void everyExampleOpensAndIsEstimated_data()
    {
        QTest::addColumn<QString>("name");
        for (const Example& example : shippedExamples())
            QTest::newRow(qPrintable(example.name)) << example.name;
    }
    void everyExampleOpensAndIsEstimated()
    {
        QFETCH(QString, name);
        MainWindow window(shippedCatalog());
        window.resize(1280, 720);
        window.show();
        QVERIFY(window.openExample(name));
        QVERIFY(window.waitForEstimate(30'000));
        QVERIFY(window.canvas().isVisible());
        QVERIFY(!window.grab().isNull());
    }

    void editsFollowAndUndoGivesTheIdenticalFile()
    {
        MainWindow window(shippedCatalog());
        window.resize(1440, 900);
        window.show();
        QVERIFY(window.openExample(QStringLiteral("fabric-512")));
        QVERIFY(window.waitForEstimate(30'000));
        Document& document = window.document();
        const std::string before = writeProject(document.project());
        auto* tabs = window.findChild<AlternativeTabs*>();

        tabs->duplicateCurrent();
        QCOMPARE(document.project().alternatives.size(), std::size_t(4));
        window.canvas().insertPart(PartId("dgx_h100"));
        window.canvas().setFocus();
        QTest::keyClick(window.canvas().viewport(), Qt::Key_BracketRight);
        window.canvas().selectAll();
        window.canvas().duplicateSelection();
        window.canvas().deleteSelection();
        QVERIFY(window.waitForEstimate(30'000));
        QVERIFY(writeProject(document.project()) != before);
        QVERIFY(document.isModified());
        for (int steps = 0; document.undoStack().canUndo() && steps < 100; ++steps)
            document.undoStack().undo();
        QCOMPARE(QByteArray::fromStdString(writeProject(document.project())), QByteArray::fromStdString(before));
        QVERIFY(!document.isModified());
    }

    void alternativesAreTabs()
    {
        MainWindow window(shippedCatalog());
        window.show();
        QVERIFY(window.openExample(QStringLiteral("fabric-512")));
        auto* tabs = window.findChild<AlternativeTabs*>();
        auto* bar = window.findChild<QTabBar*>(QStringLiteral("alternativeTabs"));
        QCOMPARE(bar->count(), 3);
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(1).center());
        QCOMPARE(tabs->current(), window.document().project().alternatives[1].id);
        tabs->makeCurrentBaseline();
        QCOMPARE(window.document().project().baselineAlternative()->id, tabs->current());
        tabs->removeCurrent();
        QCOMPARE(bar->count(), 2);
        window.document().undoStack().undo();
        QCOMPARE(bar->count(), 3);
        tabs->renameCurrent();
        auto* editor = window.findChild<QLineEdit*>(QStringLiteral("alternativeName"));
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("Other name"));
        QTest::keyClick(editor, Qt::Key_Return);
        QCOMPARE(window.document().project().findAlternative(tabs->current())->name, std::string("Other name"));
    }

    void chartsFollowAPreview()
    {
        MainWindow window(shippedCatalog());
        window.show();
        QVERIFY(window.openExample(QStringLiteral("fabric-512")));
        QVERIFY(window.waitForEstimate(30'000));
        ChartView* chart = nullptr;
        for (auto* candidate : window.findChildren<ChartView*>())
            if (candidate->kind() == ChartKind::costLatency)
                chart = candidate;
        QVERIFY(chart);
        const QString before = chart->csv();
        Document& document = window.document();
        const Alternative& alternative = document.project().alternatives.front();
        Node changed = alternative.nodes.front();
        changed.count /= 2;
        document.setPreview(edits::set(document.project(), {ElementKind::node, alternative.id, changed.id.value}, changed, "preview"));
        QVERIFY(window.waitForEstimate(30'000));
        QVERIFY(chart->csv() != before);
        document.clearPreview();
        QVERIFY(window.waitForEstimate(30'000));
        QCOMPARE(chart->csv(), before);
        QVERIFY(!document.isModified());
    }

    void docksComeBackWithResetLayout()
    {
        MainWindow window(shippedCatalog());
        window.show();
        QVERIFY(window.openExample(QStringLiteral("bert-small")));
        auto* dock = window.findChild<QDockWidget*>(QStringLiteral("partsDock"));
        QVERIFY(dock->isVisible());
        dock->hide();
        window.findChild<QAction*>(QStringLiteral("view.resetLayout"))->trigger();
        QVERIFY(dock->isVisible());
    }

    void paletteFindsByWordsInAnyOrder()
    {
        QVERIFY(CommandPalette::score("", "Anything") > 0);
        QVERIFY(CommandPalette::score("report exp", "Export design report") > 0);
        QCOMPARE(CommandPalette::score("xyz", "Export design report"), 0);
        QVERIFY(CommandPalette::score("exp", "Export") > CommandPalette::score("exp", "Unexpected"));
    }

    void everyCommandHasTextAndUniqueKeys()
    {
        MainWindow window(shippedCatalog());
        QHash<QString, QString> keys;
        for (const QAction* action : window.findChildren<QAction*>()) {
            if (action->objectName().isEmpty() || !action->objectName().contains(u'.'))
                continue;
            QVERIFY2(!action->text().isEmpty(), qPrintable(action->objectName()));
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(!keys.contains(key.toString()), qPrintable(key.toString() + u' ' + action->objectName() + u' ' + keys.value(key.toString())));
                keys.insert(key.toString(), action->objectName());
            }
        }
        QVERIFY(keys.size() > 15);
    }
};

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
