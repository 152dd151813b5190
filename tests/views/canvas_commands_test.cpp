// SPDX-License-Identifier: GPL-3.0-or-later
//
// The canvas by keys and commands, and what it shows: zoom, finding, estimates, pictures.
#include "tests/views/canvas_fixture.h"
#include "views/canvas/render_topology.h"

#include <QBuffer>
#include <QClipboard>
#include <QLineEdit>
#include <QPainter>
#include <QSvgGenerator>

using namespace cw;
using namespace cw::test;

class CanvasCommandsTest : public CanvasFixture {
    Q_OBJECT

private slots:
    void countKeysMerge() {
        select({"dgx"});
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(m_view.get(), Qt::Key_BracketRight);
        QCOMPARE(alternative().findNode(NodeId("dgx"))->count, 7);
        QCOMPARE(steps(), 1);
        for (int i = 0; i < 20; ++i)
            QTest::keyClick(m_view.get(), Qt::Key_BracketLeft);
        QCOMPARE(alternative().findNode(NodeId("dgx"))->count, 1);
        verifyUndo();
    }

    void nudgeMerges() {
        select({"dgx", "leaf"});
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(m_view.get(), Qt::Key_Right);
        QTest::keyClick(m_view.get(), Qt::Key_Up, Qt::ShiftModifier);
        QCOMPARE(rect("dgx").topLeft(), QPointF(40, 299));
        QCOMPARE(rect("leaf").topLeft(), QPointF(40, -1));
        QCOMPARE(steps(), 1);
        verifyUndo();
    }

    void renameInPlace() {
        select({"dgx"});
        QTest::keyClick(m_view.get(), Qt::Key_F2);
        auto* editor = m_view->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor);
        QCOMPARE(editor->text(), QStringLiteral("DGX one"));
        QTest::keyClicks(editor, "Trainers");
        QTest::keyClick(editor, Qt::Key_Return);
        QCOMPARE(alternative().findNode(NodeId("dgx"))->name, std::string("Trainers"));
        QCOMPARE(steps(), 1);
        verifyUndo();
    }

    void renameIsCancelledByEscape() {
        QTest::mouseDClick(m_view->viewport(), Qt::LeftButton, {}, centre("leaf"));
        auto* editor = m_view->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClicks(editor, "xyz");
        QTest::keyClick(editor, Qt::Key_Escape);
        QCOMPARE(alternative().findNode(NodeId("leaf"))->name, std::string("Leaf"));
        QCOMPARE(steps(), 0);
    }

    void renameToTheSameNameLeavesNothing() {
        select({"leaf"});
        QTest::keyClick(m_view.get(), Qt::Key_F2);
        QTest::keyClick(m_view->viewport()->findChild<QLineEdit*>(), Qt::Key_Return);
        QCOMPARE(steps(), 0);
    }

    void duplicate() {
        select({"dgx", "leaf"});
        QTest::keyClick(m_view.get(), Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(alternative().nodes.size(), size_t(6));
        QCOMPARE(alternative().links.size(), size_t(2)); // the inner link comes along
        QCOMPARE(m_view->selection().size(), size_t(2));
        QCOMPARE(steps(), 1);
        verifyUndo();
    }

    void deleteTakesLinksAlong() {
        select({"leaf"});
        QTest::keyClick(m_view.get(), Qt::Key_Delete);
        QCOMPARE(alternative().nodes.size(), size_t(3));
        QVERIFY(alternative().links.empty());
        QVERIFY(m_view->selection().empty());
        QVERIFY(!m_document->project().view.items.contains(viewKey(a, "leaf")));
        QCOMPARE(steps(), 1);
        verifyUndo();
    }

    void copyAndPaste() {
        select({"dgx", "leaf"});
        QTest::keyClick(m_view.get(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(steps(), 0);
        QTest::keyClick(m_view.get(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(alternative().nodes.size(), size_t(6));
        QCOMPARE(alternative().links.size(), size_t(2));
        const QPointF first = rect(m_view->selection().front().id.c_str()).topLeft();
        QTest::keyClick(m_view.get(), Qt::Key_V, Qt::ControlModifier);
        QVERIFY(rect(m_view->selection().front().id.c_str()).topLeft() != first); // not on top of the last ones
        QCOMPARE(alternative().nodes.size(), size_t(8));
        verifyUndo();
    }

    void cutAndPaste() {
        select({"spine"});
        QTest::keyClick(m_view.get(), Qt::Key_X, Qt::ControlModifier);
        QCOMPARE(alternative().nodes.size(), size_t(3));
        QTest::keyClick(m_view.get(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(alternative().nodes.size(), size_t(4));
        QCOMPARE(rect(m_view->selection().front().id.c_str()).topLeft(), QPointF(400, 0));
        verifyUndo();
    }

    void pastingNonsenseSaysSo() {
        QSignalSpy said(m_view.get(), &CanvasView::statusChanged);
        QGuiApplication::clipboard()->setText(QStringLiteral("once upon a time {\"nodes\": 3"));
        QTest::keyClick(m_view.get(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(steps(), 0);
        QVERIFY(said.count() > 0);
    }

    void groupIntoAFrame() {
        select({"dgx", "leaf"});
        QTest::keyClick(m_view.get(), Qt::Key_G);
        QCOMPARE(alternative().frames.size(), size_t(2));
        const FrameId group = alternative().frames.back().id;
        QCOMPARE(alternative().findNode(NodeId("dgx"))->frame, group);
        QCOMPARE(alternative().findNode(NodeId("leaf"))->frame, group);
        QVERIFY(m_view->canvas().boundsOf({{ElementKind::frame, a, group.value}}).contains(rect("dgx") | rect("leaf")));
        QCOMPARE(steps(), 1);
        verifyUndo();
    }

    void tabWalks() {
        QStringList order;
        m_view->setFocus();
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(m_view.get(), Qt::Key_Tab);
            order << QString::fromStdString(m_view->selection().front().id);
        }
        QCOMPARE(order, (QStringList{"leaf", "spine", "dgx", "dgx2"}));
        QTest::keyClick(m_view.get(), Qt::Key_Backtab);
        QCOMPARE(m_view->selection().front().id, std::string("dgx"));
    }

    void alignAndDistribute() {
        select({"dgx", "leaf", "spine"});
        m_view->align(Qt::AlignLeft);
        QCOMPARE(rect("spine").left(), 0.);
        QCOMPARE(steps(), 1);
        m_document->undoStack().undo();
        m_view->align(Qt::AlignBottom);
        QCOMPARE(rect("leaf").bottom(), rect("dgx").bottom());
        verifyUndo();
    }

    void tidyIsOneStep() {
        m_view->tidy();
        QCOMPARE(steps(), 1);
        QVERIFY(rect("leaf").bottom() < rect("dgx").top());
        verifyUndo();
    }

    void explodeAndMergeBack() {
        select({"dgx"});
        m_view->explode();
        QVERIFY(alternative().nodes.size() >= size_t(7)); // the leaves it is cabled to may have to become single, too
        QVERIFY(std::all_of(alternative().nodes.begin(), alternative().nodes.end(), [](const Node& n) {
            return n.part != PartId("dgx_h100") || n.count == 1 || n.id == NodeId("dgx2");
        }));
        QCOMPARE(steps(), 1);
        verifyUndo();
    }

    void zoomKeepsThePointUnderThePointer() {
        const QPoint at(300, 500);
        const QPointF before = m_view->mapToScene(at);
        for (int i = 0; i < 5; ++i) {
            QWheelEvent event(QPointF(at), m_view->viewport()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier,
                              Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(m_view->viewport(), &event);
        }
        QVERIFY(m_view->zoom() > 2);
        const QPointF after = m_view->mapToScene(at);
        QVERIFY(QLineF(before, after).length() * m_view->zoom() < 4);
        QTest::keyClick(m_view.get(), Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(m_view->zoom(), 1.);
        QTest::keyClick(m_view.get(), Qt::Key_0, Qt::ControlModifier);
        QVERIFY(m_view->visibleScene().contains(m_view->canvas().picture().bounds()));
        select({"leaf"});
        QTest::keyClick(m_view.get(), Qt::Key_2, Qt::ControlModifier);
        QVERIFY(m_view->visibleScene().contains(rect("leaf")));
    }

    void middleDragPans() {
        const QPointF before = m_view->mapToScene(QPoint(0, 0));
        QTest::mousePress(m_view->viewport(), Qt::MiddleButton, {}, QPoint(500, 300));
        QMouseEvent move(QEvent::MouseMove, QPoint(440, 250), m_view->viewport()->mapToGlobal(QPoint(440, 250)), Qt::NoButton,
                         Qt::MiddleButton, {});
        QCoreApplication::sendEvent(m_view->viewport(), &move);
        QTest::mouseRelease(m_view->viewport(), Qt::MiddleButton, {}, QPoint(440, 250));
        QCOMPARE(m_view->mapToScene(QPoint(0, 0)) - before, QPointF(60, 50));
        QCOMPARE(steps(), 0);
    }

    void findSelectsAndShows() {
        QCOMPARE(m_view->find(QStringLiteral("dgx two")), 1);
        QCOMPARE(m_view->selection(), (std::vector<ElementRef>{{ElementKind::node, a, "dgx2"}}));
        QCOMPARE(m_view->find(QStringLiteral("qm9700")), 2);
        QCOMPARE(m_view->find(QStringLiteral("no such thing")), 0);
    }

    void unknownPartsAreDrawnAsUnknown() {
        Project project = canvasProject();
        project.alternatives[0].nodes[0].part = PartId("gone");
        m_document->reset(project);
        const NodeFigure& figure = m_view->canvas().picture().nodes.front();
        QCOMPARE(figure.look.family, PartFamily::unknown);
        QVERIFY(figure.caption.contains("gone"));
    }

    void estimatesColourAndGoStale() {
        auto estimate = std::make_shared<AlternativeEstimate>();
        estimate->id = a;
        LinkLoad load;
        load.link = LinkId("l");
        load.capacity = 1;
        load.utilisation = .93;
        load.cables = 8;
        estimate->links.push_back(load);
        NodePower power;
        power.node = NodeId("dgx");
        power.busy = .5;
        estimate->power.nodes.push_back(power);
        m_view->setEstimate(estimate, false);
        const TopologyPicture& picture = m_view->canvas().picture();
        QCOMPARE(picture.links.front().utilisation, .93);
        QCOMPARE(picture.links.front().label, QStringLiteral("93 %"));
        QCOMPARE(picture.nodes[0].utilisation, .5);
        QCOMPARE(picture.nodes[2].utilisation, .93); // a switch is as full as its fullest link
        QVERIFY(std::isnan(picture.nodes[3].utilisation));
        m_view->setEstimate(estimate, true);
        QVERIFY(m_view->canvas().picture().stale);
        // An estimate of another alternative is not shown here.
        auto other = std::make_shared<AlternativeEstimate>();
        other->id = AlternativeId("b");
        m_view->setEstimate(other, false);
        QCOMPARE(m_view->canvas().picture().links.front().label, QStringLiteral("93 %"));
    }

    void picturesAreTheSameEveryTime() {
        const auto svg = [this] {
            QByteArray bytes;
            QBuffer buffer(&bytes);
            QSvgGenerator generator;
            generator.setOutputDevice(&buffer);
            generator.setSize({800, 600});
            generator.setViewBox(QRect(0, 0, 800, 600));
            QPainter painter(&generator);
            renderTopology(painter, m_document->project(), a, shippedCatalog(), nullptr, QRectF(0, 0, 800, 600));
            painter.end();
            return bytes;
        };
        const QByteArray first = svg();
        QVERIFY(first.contains("DGX one"));
        m_view->zoomBy(2);
        select({"leaf"});
        QCOMPARE(svg(), first); // neither zoom nor selection of a window shows in a document
    }
};

QTEST_MAIN(CanvasCommandsTest)
#include "canvas_commands_test.moc"
