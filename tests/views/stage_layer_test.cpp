// SPDX-License-Identifier: GPL-3.0-or-later
//
// A pipeline as arrows over the machines that run its stages: drawn, routed and edited by mouse.
#include "views/canvas/stage_layer.h"
#include "tests/views/canvas_fixture.h"

#include <QLineEdit>

#include <tuple>

using namespace cw;
using namespace cw::test;

class StageLayerTest : public CanvasFixture {
    Q_OBJECT

    /// Three stages: two on cards, one that no machine runs; one route.
    void pipelineOnTheCards() {
        Workload chain;
        chain.id = WorkloadId("chain");
        chain.name = "Chain";
        Pipeline pipeline;
        pipeline.stages = {{"front", "Front", {}, milliseconds(1), 1}, {"model", "Model", {}, milliseconds(5), 1}, {"log", "Log", {}, milliseconds(1), 1}};
        pipeline.edges = {{"front", "model", .3, {}}};
        chain.spec = pipeline;
        Project project = canvasProject();
        project.workloads.push_back(chain);
        for (const auto& [id, node, stage] : {std::tuple{"p1", "dgx", "front"}, {"p2", "dgx2", "model"}}) {
            Placement placement;
            placement.id = PlacementId(id);
            placement.workload = chain.id;
            placement.nodes = {NodeId(node)};
            placement.stage = stage;
            project.alternatives[0].placements.push_back(placement);
        }
        m_document->reset(project);
        m_before = file();
        QVERIFY(m_view->stages().tags.empty());
        m_view->showStages(chain.id);
        m_view->zoomToFit();
    }
    std::vector<Pipeline::Edge> routes() const { return std::get<Pipeline>(m_document->project().workloads[0].spec).edges; }
    QPoint tag(int index) const { return pixel(m_view->stages().tags[size_t(index)].rect.center()); }

private slots:
    void stagesLieOverTheirMachines() {
        pipelineOnTheCards();
        const StagePicture& stages = m_view->stages();
        QCOMPARE(stages.tags.size(), size_t(3));
        QCOMPARE(stages.arrows.size(), size_t(1));
        QVERIFY(stages.tags[0].placed && stages.tags[1].placed && !stages.tags[2].placed);
        QVERIFY(stages.tags[0].rect.intersects(rect("dgx")) && stages.tags[1].rect.intersects(rect("dgx2")));
        QVERIFY(stages.tags[2].rect.bottom() < rect("leaf").top());
        QCOMPARE(stages.arrows[0].label, QStringLiteral("30 %"));
        QVERIFY(!m_view->grab().isNull());
        m_view->showStages({});
        QVERIFY(m_view->stages().tags.empty());
    }

    void aRouteIsDrawnFromStageToStage() {
        pipelineOnTheCards();
        drag(tag(0), tag(2));
        QCOMPARE(routes().size(), size_t(2));
        QCOMPARE(routes()[1].to, std::string("log"));
        QCOMPARE(routes()[1].share, .7); // what the first route leaves
        QCOMPARE(steps(), 1);
        QCOMPARE(m_view->stages().arrows.size(), size_t(2));
        drag(tag(0), tag(2)); // is there already
        drag(tag(0), pixel(rect("spine").center())); // leads nowhere
        QCOMPARE(steps(), 1);
        verifyUndo();
    }

    void theShareOfARouteIsEditedInPlace() {
        pipelineOnTheCards();
        const QPoint label = pixel(m_view->stages().arrows[0].labelRect.center());
        QTest::mouseDClick(m_view->viewport(), Qt::LeftButton, {}, label);
        auto* editor = m_view->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor);
        QCOMPARE(editor->text(), QStringLiteral("30 %"));
        editor->selectAll();
        QTest::keyClicks(editor, "45 %");
        QTest::keyClick(editor, Qt::Key_Return);
        QCOMPARE(routes()[0].share, .45);
        QCOMPARE(steps(), 1);
        verifyUndo();
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, label);
        m_view->deleteSelection();
        QVERIFY(routes().empty());
        m_view->deleteSelection(); // nothing is chosen any more
        QCOMPARE(steps(), 1);
        verifyUndo();
    }

    void sharesAsPeopleTypeThem() {
        QCOMPARE(shareFromText(QStringLiteral(" 30 % ")), .3);
        QCOMPARE(shareFromText(QStringLiteral("0,25")), .25);
        QCOMPARE(shareFromText(QStringLiteral("40")), .4);
        QCOMPARE(shareFromText(QStringLiteral("250 %")), 2.5);
        QVERIFY(!shareFromText(QStringLiteral("many")) && !shareFromText(QString()) && !shareFromText(QStringLiteral("-3")));
    }
};

QTEST_MAIN(StageLayerTest)
#include "stage_layer_test.moc"
