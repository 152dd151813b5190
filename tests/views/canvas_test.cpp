// SPDX-License-Identifier: GPL-3.0-or-later
//
// The canvas by what the mouse does: presses, drags and drops in, the project file out.
#include "tests/views/canvas_fixture.h"

using namespace cw;
using namespace cw::test;

class CanvasTest : public CanvasFixture {
    Q_OBJECT

private slots:
    void clickSelects() {
        QSignalSpy spy(m_view.get(), &CanvasView::selectionChanged);
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, centre("dgx"));
        QCOMPARE(m_view->selection(), (std::vector<ElementRef>{{ElementKind::node, a, "dgx"}}));
        QCOMPARE(spy.count(), 1);
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, Qt::ShiftModifier, centre("leaf"));
        QCOMPARE(m_view->selection().size(), size_t(2));
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, Qt::ControlModifier, centre("dgx"));
        QCOMPARE(m_view->selection(), (std::vector<ElementRef>{{ElementKind::node, a, "leaf"}}));
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, pixel({100, 180}));
        QCOMPARE(m_view->selection(), (std::vector<ElementRef>{{ElementKind::link, a, "l"}}));
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, pixel({300, 200}));
        QVERIFY(m_view->selection().empty());
        QCOMPARE(steps(), 0);
    }

    void dragMovesOnTheGridAsOneStep() {
        drag(centre("dgx"), centre("dgx") + QPoint(-53, 88));
        QCOMPARE(rect("dgx").topLeft(), QPointF(-50, 390));
        QCOMPARE(m_document->project().view.items.at(viewKey(a, "dgx")).x, -50.);
        QCOMPARE(steps(), 1);
        verifyUndo();
        m_document->undoStack().redo();
        QCOMPARE(rect("dgx").topLeft(), QPointF(-50, 390));
    }

    void dragMovesTheWholeSelection() {
        select({"leaf", "spine"});
        drag(centre("leaf"), centre("leaf") + QPoint(-40, -60));
        QCOMPARE(rect("leaf").topLeft(), QPointF(-40, -60));
        QCOMPARE(rect("spine").topLeft(), QPointF(360, -60));
        QCOMPARE(steps(), 1);
        verifyUndo();
    }

    void shiftKeepsOneAxis() {
        select({"leaf"});
        drag(centre("leaf"), centre("leaf") + QPoint(-80, -30), Qt::ShiftModifier);
        QCOMPARE(rect("leaf").topLeft(), QPointF(-80, 0));
    }

    void escapeCancelsADrag() {
        drag(centre("dgx"), centre("dgx") + QPoint(100, -70), {}, false);
        QVERIFY(rect("dgx").topLeft() != QPointF(0, 300));
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QCOMPARE(rect("dgx").topLeft(), QPointF(0, 300));
        QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, centre("dgx") + QPoint(100, -70));
        QCOMPARE(steps(), 0);
        QCOMPARE(file(), m_before);
    }

    void aDragThatReturnsLeavesNothing() {
        const QPoint from = centre("dgx");
        drag(from, from + QPoint(60, 60), {}, false);
        QMouseEvent back(QEvent::MouseMove, from, m_view->viewport()->mapToGlobal(from), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_view->viewport(), &back);
        QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, from);
        QCOMPARE(steps(), 0);
        QCOMPARE(file(), m_before);
    }

    void undoUnderADragIsHarmless() {
        dropPart("dgx_h100", pixel({200, 450}));
        const std::string added = alternative().nodes.back().id.value;
        const QPoint from = centre(added.c_str());
        drag(from, from + QPoint(40, 40), {}, false);
        m_document->undoStack().undo(); // the dragged stack is gone
        QMouseEvent move(QEvent::MouseMove, from, m_view->viewport()->mapToGlobal(from), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_view->viewport(), &move);
        m_view->viewport()->repaint();
        QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, from + QPoint(20, 20));
        QCOMPARE(file(), m_before);
    }

    void undoUnderAConnectionIsHarmless() {
        dropPart("dgx_h100", pixel({200, 450}));
        QTest::keyClick(m_view.get(), Qt::Key_L);
        m_document->undoStack().undo();
        QTest::mouseMove(m_view->viewport(), centre("leaf"));
        QTest::keyClick(m_view.get(), Qt::Key_Tab);
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        m_view->viewport()->repaint();
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QCOMPARE(file(), m_before);
    }

    void ctrlDragCopies() {
        drag(centre("dgx"), centre("dgx") + QPoint(0, 120), Qt::ControlModifier);
        QCOMPARE(alternative().nodes.size(), size_t(5));
        QCOMPARE(rect("dgx").topLeft(), QPointF(0, 300));
        QCOMPARE(m_view->selection().size(), size_t(1));
        QVERIFY(m_view->selection().front().id != "dgx");
        QCOMPARE(rect(m_view->selection().front().id.c_str()).topLeft(), QPointF(0, 420));
        verifyUndo();
    }

    void dragIntoAndOutOfAFrame() {
        drag(centre("dgx"), pixel({500, 380})); // over the frame
        QCOMPARE(alternative().findNode(NodeId("dgx"))->frame, FrameId("pod"));
        QCOMPARE(steps(), 1);
        drag(centre("dgx2"), pixel({500, 550}));
        QVERIFY(alternative().findNode(NodeId("dgx2"))->frame.empty());
        verifyUndo();
    }

    void aFrameTakesItsContentAlong() {
        drag(pixel({600, 262}), pixel({640, 322})); // by its title
        QCOMPARE(rect("dgx2").topLeft(), QPointF(440, 360));
        QCOMPARE(rect("dgx").topLeft(), QPointF(0, 300));
        QCOMPARE(alternative().findNode(NodeId("dgx2"))->frame, FrameId("pod"));
        QCOMPARE(steps(), 1);
        verifyUndo();
    }

    void aFrameIsResizedByItsEdge() {
        drag(pixel({370, 330}), pixel({-40, 330})); // the left edge, over the other stack
        const ItemView& view = m_document->project().view.items.at(viewKey(a, "pod"));
        QCOMPARE(view.x, -40.);
        QCOMPARE(view.width, 670.);
        QCOMPARE(alternative().findNode(NodeId("dgx"))->frame, FrameId("pod"));
        QCOMPARE(steps(), 1);
        verifyUndo();
    }

    void rubberBand() {
        // To the right: what is enclosed. The second stack is only touched.
        drag(pixel({-30, 200}), pixel({450, 420}));
        QCOMPARE(m_view->selection(), (std::vector<ElementRef>{{ElementKind::node, a, "dgx"}}));
        // To the left: what is touched. Shift adds.
        drag(pixel({450, 100}), pixel({360, -30}), Qt::ShiftModifier);
        QCOMPARE(m_view->selection(), (std::vector<ElementRef>{{ElementKind::node, a, "dgx"}, {ElementKind::node, a, "spine"}}));
        QCOMPARE(steps(), 0);
    }

    void escapeRestoresTheSelection() {
        select({"leaf"});
        drag(pixel({-30, 200}), pixel({450, 420}), Qt::ShiftModifier, false);
        QCOMPARE(m_view->selection().size(), size_t(2));
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QCOMPARE(m_view->selection(), (std::vector<ElementRef>{{ElementKind::node, a, "leaf"}}));
        QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, pixel({450, 420}));
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QVERIFY(m_view->selection().empty());
    }

    void connectByDragging() {
        const QPoint leafMiddle = centre("spine");
        QTest::mouseMove(m_view->viewport(), centre("dgx2") + QPoint(5, 5));
        QTest::mouseMove(m_view->viewport(), centre("dgx2"));
        drag(pixel({500, 300}), leafMiddle); // the upper handle
        QCOMPARE(alternative().links.size(), size_t(2));
        const Link& link = alternative().links.back();
        QVERIFY((link.from == NodeId("dgx2") && link.to == NodeId("spine")) ||
                (link.from == NodeId("spine") && link.to == NodeId("dgx2")));
        QVERIFY(!link.medium.empty());
        QCOMPARE(m_view->selection(), (std::vector<ElementRef>{{ElementKind::link, a, link.id.value}}));
        QCOMPARE(steps(), 1);
        verifyUndo();
    }

    void connectingShowsTheLinkBeforeItIsMade() {
        QTest::mouseMove(m_view->viewport(), centre("dgx2") + QPoint(5, 5));
        QTest::mouseMove(m_view->viewport(), centre("dgx2"));
        drag(pixel({500, 300}), centre("spine"), {}, false);
        QVERIFY(m_document->hasPreview());
        QCOMPARE(m_view->canvas().picture().links.size(), size_t(2));
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QVERIFY(!m_document->hasPreview());
        QCOMPARE(m_view->canvas().picture().links.size(), size_t(1));
        QCOMPARE(steps(), 0);
        QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, centre("spine"));
        QCOMPARE(file(), m_before);
    }

    void connectByKeys() {
        select({"leaf"});
        QTest::keyClick(m_view.get(), Qt::Key_L);
        QTest::keyClick(m_view.get(), Qt::Key_Tab);
        QVERIFY(m_document->hasPreview());
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        QCOMPARE(alternative().links.size(), size_t(2));
        QVERIFY(!m_document->hasPreview());
        verifyUndo();
    }

    void dropOnTheGroundAddsAStack() {
        dropPart("qm9700", pixel({200, 150}));
        QCOMPARE(alternative().nodes.size(), size_t(5));
        const Node& added = alternative().nodes.back();
        QCOMPARE(added.part, PartId("qm9700"));
        QCOMPARE(added.count, 1);
        QVERIFY(!added.name.empty());
        QCOMPARE(m_view->selection(), (std::vector<ElementRef>{{ElementKind::node, a, added.id.value}}));
        QCOMPARE(steps(), 1);
        verifyUndo();
    }

    void dropInAFrameBelongsToIt() {
        dropPart("dgx_h100", pixel({500, 380}));
        QCOMPARE(alternative().nodes.back().frame, FrameId("pod"));
        verifyUndo();
    }

    void aHoveringPartIsPreviewedAndLeavesNoTrace() {
        QSignalSpy previews(m_document.get(), &Document::previewChanged);
        dropPart("dgx_h100", pixel({200, 150}), {}, false);
        QVERIFY(previews.count() >= 2); // shown and taken back
        QVERIFY(!m_document->hasPreview());
        QCOMPARE(m_view->canvas().picture().nodes.size(), size_t(4));
        QCOMPARE(steps(), 0);
        QCOMPARE(file(), m_before);
    }

    void dropOnAStackOfThePartAddsAMember() {
        dropPart("dgx_h100", centre("dgx"));
        QCOMPARE(alternative().nodes.size(), size_t(4));
        QCOMPARE(alternative().findNode(NodeId("dgx"))->count, 5);
        verifyUndo();
    }

    void dropWithShiftReplacesThePart() {
        dropPart("dgx_h200", centre("dgx"), Qt::ShiftModifier);
        QCOMPARE(alternative().findNode(NodeId("dgx"))->part, PartId("dgx_h200"));
        QCOMPARE(alternative().findNode(NodeId("dgx"))->name, std::string("DGX one"));
        verifyUndo();
    }

    void dropOnALinkInsertsTheDevice() {
        dropPart("qm9700", pixel({100, 180}));
        QCOMPARE(alternative().nodes.size(), size_t(5));
        QCOMPARE(alternative().links.size(), size_t(2));
        const NodeId added = alternative().nodes.back().id;
        for (const Link& link : alternative().links)
            QVERIFY(link.from == added || link.to == added);
        QCOMPARE(steps(), 1);
        verifyUndo();
    }

    void aCableOnALinkBecomesItsMedium() {
        dropPart("ib_xdr", pixel({100, 180}));
        QCOMPARE(alternative().links.front().medium, PartId("ib_xdr"));
        verifyUndo();
        dropPart("ib_xdr", pixel({250, 180})); // on the ground it is refused
        QCOMPARE(steps(), 0);
    }
};

QTEST_MAIN(CanvasTest)
#include "canvas_test.moc"
