// SPDX-License-Identifier: GPL-3.0-or-later
//
// A canvas on a small design, with the gestures of a hand: what the tests of the canvas have in common.
#pragma once

#include "model/io/project_file.h"
#include "views/canvas/canvas_view.h"
#include "views/canvas/drop_gesture.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>

#include <memory>

namespace cw::test {

inline const AlternativeId a{"a"};

Node node(const char* id, const char* name, const char* part, std::int64_t count = 1);
/// Two GPU stacks and two switches; one link; a frame around the right half.
Project canvasProject();

class CanvasFixture : public QObject {
    Q_OBJECT

protected:
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

private slots:
    void init() {
        m_document = std::make_unique<Document>();
        m_document->reset(canvasProject());
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
};

} // namespace cw::test
