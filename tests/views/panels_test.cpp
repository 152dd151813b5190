// SPDX-License-Identifier: GPL-3.0-or-later
//
// Palette, findings and headline as a person uses them.
#include "model/document/document.h"
#include "tests/views/panel_scene.h"
#include "views/findings/findings_panel.h"
#include "views/headline/headline_strip.h"
#include "views/parts/own_part_dialog.h"
#include "views/parts/part_library.h"
#include "views/parts/parts_model.h"
#include "views/parts/parts_panel.h"
#include "views/widgets/toast.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

using namespace cw;

namespace {

QStringList rowsOf(const QListView& list) {
    QStringList rows;
    for (int row = 0; row < list.model()->rowCount(); ++row)
        if (!list.model()->index(row, 0).data(PartsModel::HeadingRole).toBool())
            rows += list.model()->index(row, 0).data(PartsModel::PartIdRole).toString();
    return rows;
}

QModelIndex rowNamed(const QListView& list, const QString& id) {
    for (int row = 0; row < list.model()->rowCount(); ++row)
        if (list.model()->index(row, 0).data(PartsModel::PartIdRole).toString() == id)
            return list.model()->index(row, 0);
    return {};
}

} // namespace

class PanelsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QCoreApplication::setOrganizationName(QStringLiteral("cw-test"));
        QCoreApplication::setApplicationName(QStringLiteral("panels"));
        qRegisterMetaType<std::vector<ElementRef>>();
    }
    void init() {
        QSettings().clear();
        m_document = std::make_unique<Document>();
        m_document->reset(test::panelProject());
    }

    void typingFindsByNameAndProperty() {
        PartsPanel panel(*m_document, shippedCatalog());
        panel.resize(230, 600);
        panel.show();
        auto* search = panel.findChild<QLineEdit*>();
        auto* list = panel.findChild<QListView*>();
        const int all = int(rowsOf(*list).size());
        QVERIFY(all > 100);
        QTest::keyClicks(search, QStringLiteral("dgx h100"));
        QVERIFY(rowsOf(*list).contains(QStringLiteral("dgx_h100")));
        QVERIFY(rowsOf(*list).size() < all / 4);
        search->clear();
        QTest::keyClicks(search, QStringLiteral("gpu>=80GB 400G"));
        QVERIFY(rowsOf(*list).contains(QStringLiteral("dgx_h100")));
        QVERIFY(!rowsOf(*list).contains(QStringLiteral("qm9700")));
        search->clear();
        QTest::keyClicks(search, QStringLiteral("no such thing at all"));
        QVERIFY(rowsOf(*list).isEmpty());
        QTest::keyClick(search, Qt::Key_Escape);
        QCOMPARE(rowsOf(*list).size(), all);
    }

    void enterInTheSearchPlacesTheBestHit() {
        PartsPanel panel(*m_document, shippedCatalog());
        panel.show();
        QSignalSpy activated(&panel, &PartsPanel::partActivated);
        auto* search = panel.findChild<QLineEdit*>();
        QTest::keyClicks(search, QStringLiteral("qm9700"));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0][0].value<PartId>().value, std::string("qm9700"));
    }

    void rowsAreDraggedWithTheIdOfTheirPart() {
        PartLibrary library;
        PartsModel model(&library);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setCatalog(shippedCatalog());
        const QModelIndex part = model.indexOf(PartId("dgx_h100"));
        QVERIFY(part.flags() & Qt::ItemIsDragEnabled);
        const std::unique_ptr<QMimeData> mime(model.mimeData({part}));
        QCOMPARE(mime->data(QStringLiteral("application/x-clusterwright-part")), QByteArray("dgx_h100"));
        model.setQuery(QStringLiteral("zone"));
        QModelIndex zone;
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.index(row).data(PartsModel::PartIdRole).toString() == QStringLiteral("frame:zone"))
                zone = model.index(row);
        QVERIFY(zone.isValid());
        const std::unique_ptr<QMimeData> frame(model.mimeData({zone}));
        QCOMPARE(frame->data(partMimeType), QByteArray("frame:zone"));
        model.setQuery(QStringLiteral("llama3_70b")); // a neural network is looked up, not dropped
        QVERIFY(!(model.indexOf(PartId("llama3_70b")).flags() & Qt::ItemIsDragEnabled));
    }

    void favouritesAndRecentPartsLastAcrossSessions() {
        {
            PartsPanel panel(*m_document, shippedCatalog());
            panel.resize(230, 900);
            panel.show();
            auto* list = panel.findChild<QListView*>();
            const QModelIndex row = rowNamed(*list, QStringLiteral("dgx_h100"));
            const QRect rect = list->visualRect(row);
            QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, QPoint(rect.right() - 15, rect.top() + 13));
            QVERIFY(panel.library().isFavourite(PartId("dgx_h100")));
            panel.noteUsed(PartId("qm9700"));
        }
        PartsPanel panel(*m_document, shippedCatalog());
        auto* list = panel.findChild<QListView*>();
        const QStringList rows = rowsOf(*list);
        QCOMPARE(rows.value(0), QStringLiteral("dgx_h100"));
        QCOMPARE(rows.value(1), QStringLiteral("qm9700"));
    }

    void ownPartIsCheckedWhileTypingAndSavedAsOneStep() {
        PartsPanel panel(*m_document, shippedCatalog());
        panel.show();
        auto* dialog = OwnPartDialog::create(*m_document, shippedCatalog(), PartId("dgx_h100"), &panel);
        auto* save = dialog->findChild<QPushButton*>(QString(), Qt::FindChildrenRecursively);
        for (QPushButton* button : dialog->findChildren<QPushButton*>())
            if (button->text().contains(QStringLiteral("Save")))
                save = button;
        QVERIFY(save->isEnabled());
        QString text = dialog->editor()->toPlainText();
        dialog->editor()->setPlainText(
            QString(text).replace(QStringLiteral("\"gpu_count\": 8"), QStringLiteral("\"gpu_count\": \"many\"")));
        QTRY_VERIFY(!save->isEnabled());
        QVERIFY(dialog->problems().contains(QStringLiteral("gpu_count")));
        dialog->editor()->setPlainText(text.replace(QStringLiteral("10200"), QStringLiteral("9800")));
        QTRY_VERIFY(save->isEnabled());
        save->click();
        QCOMPARE(m_document->project().parts.size(), std::size_t(1));
        QCOMPARE(m_document->project().parts[0].id.value, std::string("dgx_h100_own"));
        QCOMPARE(m_document->undoStack().count(), 1);
        m_document->undoStack().undo();
        QVERIFY(m_document->project().parts.empty());
    }

    void findingsComeWorstFirstAndCount() {
        FindingsPanel panel(*m_document);
        panel.resize(270, 500);
        panel.setAlternative(AlternativeId("base"));
        QCOMPARE(panel.summary(), QStringLiteral("Nothing to report"));
        panel.setEstimates(test::panelEstimates(m_document->project(), 1));
        QCOMPARE(panel.list()->model()->rowCount(), 3);
        QVERIFY(panel.list()->model()->index(0, 0).data().toString().contains(QStringLiteral("more than its limit")));
        QCOMPARE(panel.summary(), QStringLiteral("1 error · 1 warning · 1 advice"));
    }

    void clickOnACardGoesThere() {
        FindingsPanel panel(*m_document);
        panel.resize(270, 500);
        panel.setAlternative(AlternativeId("base"));
        panel.setEstimates(test::panelEstimates(m_document->project(), 1));
        panel.show();
        QSignalSpy activated(&panel, &FindingsPanel::elementsActivated);
        QTest::mouseClick(panel.list()->viewport(), Qt::LeftButton, {},
                          panel.list()->visualRect(panel.list()->model()->index(0, 0)).center());
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0][0].value<std::vector<ElementRef>>().front().id, std::string("row"));
        QCOMPARE(m_document->undoStack().count(), 0);
    }

    void theButtonAppliesTheProposalAndTheNoticeTakesItBack() {
        QWidget window;
        window.resize(300, 600);
        FindingsPanel panel(*m_document, &window);
        panel.resize(270, 500);
        panel.setAlternative(AlternativeId("base"));
        panel.setEstimates(test::panelEstimates(m_document->project(), 1));
        window.show();
        QVERIFY(panel.fixRect(0).isEmpty());
        QSignalSpy activated(&panel, &FindingsPanel::elementsActivated);
        QTest::mouseClick(panel.list()->viewport(), Qt::LeftButton, {}, panel.fixRect(1).center());
        QVERIFY(activated.isEmpty());
        QCOMPARE(m_document->project().alternatives[0].links[1].lanes, 8);
        QCOMPARE(m_document->undoStack().count(), 1);
        auto* toast = window.findChild<Toast*>();
        QVERIFY(toast);
        toast->findChild<QPushButton*>()->click();
        QCOMPARE(m_document->project().alternatives[0].links[1].lanes, 4);
        // The same proposal again, now that it no longer fits: told, nothing changes.
        Edit other = edits::set(
            m_document->project(), {ElementKind::link, AlternativeId("base"), "uplinks"},
            [&] {
                Link link = m_document->project().alternatives[0].links[1];
                link.lanes = 2;
                return link;
            }(),
            "x");
        QVERIFY(m_document->push(other));
        panel.applyFix(1);
        QCOMPARE(m_document->project().alternatives[0].links[1].lanes, 2);
        QVERIFY(window.findChild<Toast*>());
    }

    void headlineShowsFiguresTargetsAndTheBottleneck() {
        HeadlineStrip strip(*m_document);
        strip.setAlternative(AlternativeId("base"));
        strip.setEstimates(test::panelEstimates(m_document->project(), m_document->revision()));
        QCOMPARE(strip.workload().value, std::string("train"));
        QCOMPARE(strip.tile("power")->figure().value, QStringLiteral("742 / 868 kW"));
        QCOMPARE(strip.tile("racks")->figure().value, QStringLiteral("16"));
        QCOMPARE(strip.tile("latency")->figure().caption, QStringLiteral("Step time"));
        QVERIFY(strip.tile("latency")->figure().target != TargetState::none);
        QCOMPARE(strip.bottleneckCard()->bottleneck().title, QStringLiteral("Leaf → Spine, 93 % busy"));
        QVERIFY(strip.tile("throughput")->figure().help.contains(QStringLiteral("Range")));
    }

    void headlineTellsTheChangeAgainstTheBaseline() {
        HeadlineStrip strip(*m_document);
        strip.setAlternative(AlternativeId("other"));
        strip.setEstimates(test::panelEstimates(m_document->project(), m_document->revision(), 1.5));
        const HeadlineFigure& rate = strip.tile("throughput")->figure();
        QCOMPARE(rate.change, QStringLiteral("▲ 50 %"));
        QVERIFY(rate.changeIs == Judgement::good);
        const HeadlineFigure& step = strip.tile("latency")->figure();
        QVERIFY(step.change.startsWith(u'▼'));
        QVERIFY(step.changeIs == Judgement::good); // shorter is better
        QVERIFY(strip.tile("power")->figure().change.isEmpty());
    }

    void headlineIsHonestAboutWhatIsNotKnown() {
        HeadlineStrip strip(*m_document);
        strip.setAlternative(AlternativeId("base"));
        QCOMPARE(strip.tile("throughput")->figure().value, QStringLiteral("–")); // no estimate yet
        auto set = std::make_shared<EstimateSet>(*test::panelEstimates(m_document->project(), 1));
        auto estimate = std::make_shared<AlternativeEstimate>(*set->alternatives[0]);
        estimate->cost.perHour = Quantity{};
        estimate->workloads[0].throughput.reset();
        set->alternatives[0] = estimate;
        strip.setEstimates(set);
        QCOMPARE(strip.tile("per_hour")->figure().value, QStringLiteral("?"));
        QCOMPARE(strip.tile("throughput")->figure().value, QStringLiteral("–"));
    }

    void clicksExplainAndGoToTheBottleneck() {
        HeadlineStrip strip(*m_document);
        strip.resize(1280, 64);
        strip.setAlternative(AlternativeId("base"));
        const auto set = test::panelEstimates(m_document->project(), m_document->revision());
        strip.setEstimates(set);
        strip.show();
        QSignalSpy explained(&strip, &HeadlineStrip::explainRequested);
        QTest::mouseClick(strip.tile("throughput"), Qt::LeftButton);
        QCOMPARE(explained.size(), 1);
        const auto figure = explained[0][0].value<Figure>();
        QVERIFY(figure.find(*set->alternatives[0])->known());
        QSignalSpy went(&strip, &HeadlineStrip::elementsActivated);
        QTest::keyClick(strip.bottleneckCard(), Qt::Key_Space);
        QCOMPARE(went[0][0].value<std::vector<ElementRef>>().front().id, std::string("uplinks"));
    }

    void headlineFitsASmallScreen() {
        HeadlineStrip strip(*m_document);
        strip.setAlternative(AlternativeId("base"));
        strip.setEstimates(test::panelEstimates(m_document->project(), 1));
        QVERIFY(strip.minimumSizeHint().width() <= 1280);
    }

    void otherWorkloadOtherFigures() {
        HeadlineStrip strip(*m_document);
        strip.setAlternative(AlternativeId("base"));
        strip.setEstimates(test::panelEstimates(m_document->project(), 1));
        strip.show();
        QSignalSpy changed(&strip, &HeadlineStrip::workloadChanged);
        auto* box = strip.findChild<QComboBox*>();
        QCOMPARE(box->count(), 2);
        QTest::keyClick(box, Qt::Key_Down);
        QCOMPARE(strip.workload().value, std::string("chat"));
        QCOMPARE(changed.size(), 1);
        QCOMPARE(strip.tile("latency")->figure().caption, QStringLiteral("TTFT p99"));
    }

private:
    std::unique_ptr<Document> m_document;
};

QTEST_MAIN(PanelsTest)
#include "panels_test.moc"
