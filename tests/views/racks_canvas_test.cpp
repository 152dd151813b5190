// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rack elevations: what stands where, and moving it with the mouse.
#include "model/io/project_file.h"
#include "views/canvas/drop_gesture.h"
#include "views/racks/heat_view.h"
#include "views/racks/racks_view.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>

using namespace cw;

namespace {

const AlternativeId a{"a"};

Project sample() {
    Project project;
    Alternative alternative;
    alternative.id = a;
    const auto add = [&alternative](const char* id, const char* part, std::int64_t count) {
        Node node;
        node.id = NodeId(id);
        node.name = id;
        node.part = PartId(part);
        node.count = count;
        alternative.nodes.push_back(node);
    };
    add("dgx", "dgx_h100", 8);
    add("leaf", "qm9700", 4);
    const auto rack = [&alternative](const char* id, std::int64_t count, std::vector<RackItem> items) {
        Rack r;
        r.id = RackId(id);
        r.name = id;
        r.part = PartId("rack_42u");
        r.count = count;
        r.items = std::move(items);
        alternative.racks.push_back(r);
    };
    rack("one", 2, {{NodeId("dgx"), 4, 1}, {NodeId("leaf"), 2, 0}});
    rack("two", 1, {});
    project.alternatives.push_back(alternative);
    return project;
}

} // namespace

class RacksCanvasTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Document> m_document;
    std::unique_ptr<RacksView> m_view;
    std::string m_before;

    const Rack& rack(const char* id) const { return *m_document->project().findAlternative(a)->findRack(RackId(id)); }
    std::string file() const { return writeProject(m_document->project()); }
    void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers = {}) {
        QWidget* port = m_view->viewport();
        QTest::mousePress(port, Qt::LeftButton, modifiers, from);
        for (int i = 1; i <= 6; ++i) {
            const QPoint at = from + (to - from) * i / 6;
            QMouseEvent event(QEvent::MouseMove, at, port->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, modifiers);
            QCoreApplication::sendEvent(port, &event);
        }
        QTest::mouseRelease(port, Qt::LeftButton, modifiers, to);
    }
    QPoint unit(int rackIndex, int u) const { return m_view->unitRect(rackIndex, u).center().toPoint(); }
    void verifyUndo() {
        while (m_document->undoStack().canUndo())
            m_document->undoStack().undo();
        QCOMPARE(file(), m_before);
    }

private slots:
    void init() {
        m_document = std::make_unique<Document>();
        m_document->reset(sample());
        m_before = file();
        m_view = std::make_unique<RacksView>(*m_document, shippedCatalog());
        m_view->resize(900, 700);
        m_view->show();
        m_view->setAlternative(a);
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }

    void fixedPlacesFirstThenUpward() {
        const Elevation& one = m_view->elevations().front();
        QCOMPARE(one.devices.size(), size_t(6));
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(one.devices[size_t(i)].u, 1. + 8 * i); // a DGX is 8U high
            QCOMPARE(one.devices[size_t(i)].height, 8.);
        }
        QCOMPARE(one.devices[4].u, 33.);
        QCOMPARE(one.devices[5].u, 34.);
        QCOMPARE(one.unitsUsed, 34.);
        QCOMPARE(one.count, 2);
    }

    void whatDoesNotFitIsOutside() {
        Project project = sample();
        project.alternatives[0].racks[0].items[0].perRack = 6; // 48U in 42
        m_document->reset(project);
        const Elevation& one = m_view->elevations().front();
        QCOMPARE(std::count_if(one.devices.begin(), one.devices.end(), [](const RackDevice& d) { return d.outside; }),
                 std::ptrdiff_t(1));
        QCOMPARE(one.unitsUsed, 50.);
    }

    void freeUnits() {
        const Elevation& one = m_view->elevations().front();
        QVERIFY(isFree(one, 35, 8));
        QVERIFY(!isFree(one, 36, 8)); // above the top
        QVERIFY(!isFree(one, 30, 4));
        QVERIFY(!isFree(one, 0, 1));
        QVERIFY(isFree(one, 1, 8, 0)); // its own place does not count
    }

    void clickSelectsStackOrRack() {
        QSignalSpy spy(m_view.get(), &RacksView::selectionChanged);
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, unit(0, 5));
        QCOMPARE(m_view->selection(), (std::vector<ElementRef>{{ElementKind::node, a, "dgx"}}));
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, m_view->elevationRect(1).topLeft().toPoint() + QPoint(20, 8));
        QCOMPARE(m_view->selection(), (std::vector<ElementRef>{{ElementKind::rack, a, "two"}}));
        QCOMPARE(spy.count(), 2);
    }

    void dragToAnotherUnit() {
        drag(unit(0, 33), unit(0, 40));
        QCOMPARE(rack("one").items.size(), size_t(2));
        QCOMPARE(rack("one").items[1].node, NodeId("leaf"));
        QCOMPARE(rack("one").items[1].u, 40);
        QCOMPARE(m_document->undoStack().index(), 1);
        verifyUndo();
    }

    void dragToAnotherRack() {
        drag(unit(0, 33), unit(1, 10));
        QCOMPARE(rack("one").items.size(), size_t(1));
        QCOMPARE(rack("two").items.size(), size_t(1));
        QCOMPARE(rack("two").items[0].perRack, 2);
        QCOMPARE(rack("two").items[0].u, 10);
        verifyUndo();
    }

    void shiftMovesOneMachine() {
        drag(unit(0, 34), unit(1, 3), Qt::ShiftModifier);
        QCOMPARE(rack("one").items[1].perRack, 1);
        QCOMPARE(rack("two").items[0].perRack, 1);
        QCOMPARE(rack("two").items[0].u, 3);
        verifyUndo();
    }

    void dragOntoSomethingElseIsRefused() {
        QSignalSpy said(m_view.get(), &RacksView::statusChanged);
        drag(unit(0, 33), unit(0, 5));
        QCOMPARE(m_document->undoStack().index(), 0);
        QCOMPARE(file(), m_before);
        QVERIFY(said.count() > 0);
    }

    void dropFromThePalette() {
        QMimeData mime;
        mime.setData(QLatin1String(partMimeType), "dgx_h200");
        const QPoint at = unit(1, 5);
        QDragEnterEvent enter(at, Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_view->viewport(), &enter);
        QDragMoveEvent move(at, Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_view->viewport(), &move);
        QVERIFY(m_document->hasPreview());
        QDropEvent drop(at, Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_view->viewport(), &drop);
        QVERIFY(!m_document->hasPreview());
        const Alternative& alternative = *m_document->project().findAlternative(a);
        QCOMPARE(alternative.nodes.size(), size_t(3));
        QCOMPARE(alternative.nodes.back().part, PartId("dgx_h200"));
        QCOMPARE(rack("two").items.size(), size_t(1));
        QCOMPARE(rack("two").items[0].u, 5);
        QCOMPARE(m_document->undoStack().index(), 1);
        verifyUndo();
    }

    void automaticRacksBecomeDrawn() {
        Project project = sample();
        project.alternatives[0].racks.clear();
        m_document->reset(project);
        m_before = file();
        auto estimate = std::make_shared<AlternativeEstimate>();
        estimate->id = a;
        RackEstimate load;
        load.automatic = true;
        load.name = "DGX H100";
        load.count = 2;
        load.type = PartId("rack_42u");
        load.units = 42;
        load.items = {{NodeId("dgx"), 4, 0}};
        estimate->racks.push_back(load);
        m_view->setEstimate(estimate, false);
        QCOMPARE(m_view->elevations().size(), size_t(1));
        QVERIFY(m_view->elevations().front().automatic);
        QTest::mouseDClick(m_view->viewport(), Qt::LeftButton, {}, m_view->elevationRect(0).topLeft().toPoint() + QPoint(20, 8));
        const Alternative& alternative = *m_document->project().findAlternative(a);
        QCOMPARE(alternative.racks.size(), size_t(1));
        QCOMPARE(alternative.racks[0].count, 2);
        QCOMPARE(alternative.racks[0].items, load.items);
        verifyUndo();
    }

    void heatSelectsWhatStandsInARack() {
        HeatView heat(*m_document, shippedCatalog());
        heat.resize(800, 500);
        heat.show();
        heat.setAlternative(a);
        QSignalSpy spy(&heat, &HeatView::selectionChanged);
        QTest::mouseClick(heat.viewport(), Qt::LeftButton, {}, QPoint(60, 80));
        QCOMPARE(spy.count(), 1);
        QCOMPARE(heat.selection(),
                 (std::vector<ElementRef>{
                     {ElementKind::rack, a, "one"}, {ElementKind::node, a, "dgx"}, {ElementKind::node, a, "leaf"}}));
    }
};

QTEST_MAIN(RacksCanvasTest)
#include "racks_canvas_test.moc"
