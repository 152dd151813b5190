// SPDX-License-Identifier: GPL-3.0-or-later
//
// The canvas by what a person does: mouse, keys and drags in, the project file out.
#include "model/io/project_file.h"
#include "views/canvas/canvas_view.h"
#include "views/canvas/drop_gesture.h"
#include "views/canvas/render_topology.h"
#include "views/canvas/stage_layer.h"

#include <QBuffer>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTest>

#include <tuple>

using namespace cw;

namespace {

const AlternativeId a{"a"};

Node node(const char* id, const char* name, const char* part, std::int64_t count = 1) {
    Node n;
    n.id = NodeId(id);
    n.name = name;
    n.part = PartId(part);
    n.count = count;
    return n;
}

/// Two GPU stacks and two switches; one link; a frame around the right half.
Project sample() {
    Project project;
    Alternative alternative;
    alternative.id = a;
    alternative.name = "A";
    const auto add = [&](Node n, double x, double y) {
        ItemView view;
        view.x = x;
        view.y = y;
        project.view.items[viewKey(a, n.id.value)] = view;
        alternative.nodes.push_back(std::move(n));
    };
    add(node("dgx", "DGX one", "dgx_h100", 4), 0, 300);
    add(node("dgx2", "DGX two", "dgx_h100", 4), 400, 300);
    add(node("leaf", "Leaf", "qm9700", 2), 0, 0);
    add(node("spine", "Spine", "qm9700", 2), 400, 0);
    Link link;
    link.id = LinkId("l");
    link.from = NodeId("dgx");
    link.to = NodeId("leaf");
    link.medium = PartId("ib_ndr");
    alternative.links.push_back(link);
    Frame frame;
    frame.id = FrameId("pod");
    frame.name = "Pod";
    alternative.frames.push_back(frame);
    ItemView view;
    view.x = 370;
    view.y = 250;
    view.width = 260;
    view.height = 150;
    project.view.items[viewKey(a, "pod")] = view;
    alternative.nodes[1].frame = frame.id;
    project.alternatives.push_back(std::move(alternative));
    return project;
}

} // namespace

class CanvasTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Document> m_document;
    std::unique_ptr<CanvasView> m_view;
    std::string m_before; ///< the file when the test began

    const Alternative& alternative() const { return *m_document->project().findAlternative(a); }
    std::string file() const { return writeProject(m_document->project()); }
    QRectF rect(const char* id) const {
        const TopologyPicture& picture = m_view->canvas().picture();
        return picture.nodes[size_t(picture.nodeIndex(NodeId(id)))].rect;
    }
    QPoint pixel(const QPointF& scene) const { return m_view->mapFromScene(scene); }
    QPoint centre(const char* id) const { return pixel(rect(id).center()); }
    void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers = {}, bool release = true) {
        QWidget* port = m_view->viewport();
        QTest::mousePress(port, Qt::LeftButton, modifiers, from);
        const auto moveTo = [&](const QPoint& at) {
            QMouseEvent event(QEvent::MouseMove, at, port->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, modifiers);
            QCoreApplication::sendEvent(port, &event);
        };
        for (int i = 1; i <= 8; ++i)
            moveTo(from + (to - from) * i / 8);
        if (release)
            QTest::mouseRelease(port, Qt::LeftButton, modifiers, to);
    }
    void select(std::initializer_list<const char*> ids) {
        std::vector<ElementRef> refs;
        for (const char* id : ids)
            refs.push_back({ElementKind::node, a, id});
        m_view->select(refs);
    }
    void dropPart(const char* part, const QPoint& at, Qt::KeyboardModifiers modifiers = {}, bool drop = true) {
        QMimeData mime;
        mime.setData(QLatin1String(partMimeType), part);
        QDragEnterEvent enter(at, Qt::CopyAction, &mime, Qt::LeftButton, modifiers);
        QCoreApplication::sendEvent(m_view->viewport(), &enter);
        QVERIFY(enter.isAccepted());
        QDragMoveEvent move(at, Qt::CopyAction, &mime, Qt::LeftButton, modifiers);
        QCoreApplication::sendEvent(m_view->viewport(), &move);
        if (drop) {
            QDropEvent event(at, Qt::CopyAction, &mime, Qt::LeftButton, modifiers);
            QCoreApplication::sendEvent(m_view->viewport(), &event);
        } else {
            QDragLeaveEvent leave;
            QCoreApplication::sendEvent(m_view->viewport(), &leave);
        }
    }
    int steps() const { return m_document->undoStack().index(); }
    /// Undoing everything gives the file as it was, byte for byte.
    void verifyUndo() {
        while (m_document->undoStack().canUndo())
            m_document->undoStack().undo();
        QCOMPARE(file(), m_before);
    }

    /// Three stages: two on cards, one that no machine runs; one route.
    void pipelineOnTheCards() {
        Workload chain;
        chain.id = WorkloadId("chain");
        chain.name = "Chain";
        Pipeline pipeline;
        pipeline.stages = {{"front", "Front", {}, milliseconds(1), 1}, {"model", "Model", {}, milliseconds(5), 1}, {"log", "Log", {}, milliseconds(1), 1}};
        pipeline.edges = {{"front", "model", .3, {}}};
        chain.spec = pipeline;
        Project project = sample();
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
    void init() {
        m_document = std::make_unique<Document>();
        m_document->reset(sample());
        m_before = file();
        m_view = std::make_unique<CanvasView>(*m_document, shippedCatalog());
        m_view->resize(1000, 700);
        m_view->show();
        m_view->setAlternative(a);
        m_view->zoomToFit();
        m_view->zoomToActualSize();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }
    void cleanup() {
        m_view.reset();
        m_document.reset();
    }

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
        Project project = sample();
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

QTEST_MAIN(CanvasTest)
#include "canvas_test.moc"
