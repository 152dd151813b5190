// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/canvas_benchmark.h"

#include "model/document/document.h"
#include "views/canvas/canvas_view.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <random>

namespace cw {

namespace {

constexpr int width = 1600, height = 900;
constexpr qint64 measured = 1500; // ms

/// A grid of servers and switches with links between random ones, and a load for every link.
class Drawing {
public:
    Drawing(int nodes, int links)
        : m_view(m_document, shippedCatalog()) {
        Project project;
        Alternative alternative;
        alternative.id = AlternativeId("a");
        const int columns = std::max(1, int(std::lround(std::sqrt(nodes * .55))));
        for (int i = 0; i < nodes; ++i) {
            Node node;
            node.id = NodeId("n" + std::to_string(i));
            node.name = "Node " + std::to_string(i);
            node.part = PartId(i % 5 ? "dgx_h100" : "qm9700");
            ItemView place;
            place.x = i % columns * 240.;
            place.y = i / columns * 130.;
            project.view.items[viewKey(alternative.id, node.id.value)] = place;
            alternative.nodes.push_back(std::move(node));
        }
        auto estimate = std::make_shared<AlternativeEstimate>();
        estimate->id = alternative.id;
        std::mt19937 random(1); // its sequence is the same everywhere, unlike that of distributions
        for (int i = 0; i < links && nodes > 1; ++i) {
            Link link;
            link.id = LinkId("l" + std::to_string(i));
            link.from = alternative.nodes[random() % size_t(nodes)].id;
            link.to = alternative.nodes[random() % size_t(nodes)].id;
            link.medium = PartId("ib_ndr");
            LinkLoad load;
            load.link = link.id;
            load.capacity = 1;
            load.utilisation = double(random() % 1000) / 1000;
            estimate->links.push_back(load);
            alternative.links.push_back(std::move(link));
        }
        project.alternatives.push_back(std::move(alternative));
        m_document.reset(std::move(project));
        m_view.resize(width, height);
        m_view.setAlternative(AlternativeId("a"));
        m_view.setEstimate(estimate, false);
        m_view.show();
        m_view.zoomToFit();
        QCoreApplication::processEvents();
    }

    CanvasView& view() { return m_view; }

    /// A mouse event as the window system would send it.
    void mouse(QEvent::Type type, const QPoint& at, Qt::MouseButton button, Qt::MouseButtons buttons) {
        QMouseEvent event(type, QPointF(at), QPointF(m_view.viewport()->mapToGlobal(at)), button, buttons, Qt::NoModifier);
        QCoreApplication::sendEvent(m_view.viewport(), &event);
    }

    /// Frames per second of what `step` does, each frame painted in full.
    template <class Step> double rate(Step step) {
        step(0);
        m_view.viewport()->repaint();
        QElapsedTimer timer;
        timer.start();
        int frames = 0;
        while (timer.elapsed() < measured) {
            step(++frames);
            m_view.viewport()->repaint();
        }
        return frames * 1e3 / double(std::max<qint64>(1, timer.elapsed()));
    }

private:
    Document m_document;
    CanvasView m_view;
};

} // namespace

double benchmarkDrag(int nodes, int links, int dragged) {
    Drawing drawing(nodes, links);
    CanvasView& view = drawing.view();
    if (nodes < 1)
        return 0;
    std::vector<ElementRef> chosen;
    for (int i = 0; i < std::min(dragged, nodes); ++i)
        chosen.push_back({ElementKind::node, AlternativeId("a"), "n" + std::to_string(nodes / 2 - dragged / 2 + i)});
    view.select(chosen);
    const int grabbed = view.canvas().selectedNodes().front();
    const QPoint start = view.mapFromScene(view.canvas().picture().nodes[size_t(grabbed)].rect.center());
    drawing.mouse(QEvent::MouseButtonPress, start, Qt::LeftButton, Qt::LeftButton);
    const double rate = drawing.rate([&](int frame) {
        const double angle = frame * .05;
        const QPoint at = start + QPoint(int(90 * std::sin(angle)) + 20, int(60 * std::sin(angle * 1.7)));
        drawing.mouse(QEvent::MouseMove, at, Qt::NoButton, Qt::LeftButton);
    });
    drawing.mouse(QEvent::MouseButtonRelease, start, Qt::LeftButton, Qt::NoButton);
    return rate;
}

double benchmarkPan(int nodes, int links) {
    Drawing drawing(nodes, links);
    CanvasView& view = drawing.view();
    const QPoint middle(width / 2, height / 2);
    view.zoomBy(2);
    const double pan = drawing.rate([&](int frame) {
        const QPoint at = middle + QPoint(int(300 * std::sin(frame * .03)), int(150 * std::sin(frame * .05)));
        if (frame == 0)
            drawing.mouse(QEvent::MouseButtonPress, at, Qt::MiddleButton, Qt::MiddleButton);
        drawing.mouse(QEvent::MouseMove, at, Qt::NoButton, Qt::MiddleButton);
    });
    drawing.mouse(QEvent::MouseButtonRelease, middle, Qt::MiddleButton, Qt::NoButton);
    view.zoomToFit();
    const double zoom = drawing.rate([&](int frame) { view.zoomBy(std::sin(frame * .04) > 0 ? 1.02 : 1 / 1.02); });
    return std::min(pan, zoom);
}

} // namespace cw
