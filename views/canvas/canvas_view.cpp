// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/canvas_view.h"

#include "views/canvas/canvas_overlays.h"
#include "views/canvas/canvas_text.h"
#include "views/canvas/connect_gesture.h"
#include "views/canvas/drop_gesture.h"

#include <QAccessible>
#include <QLineEdit>
#include <QPaintEvent>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double leastZoom = .02, mostZoom = 4;
constexpr double mostFit = 1.25; // small drawings are not blown up
constexpr int restDelay = 140;   // ms after the last zoom step
constexpr int overlayMargin = 12;
constexpr size_t heavyPicture = 400; // figures, from which on a gesture keeps what stands still as a pixmap

} // namespace

CanvasView::CanvasView(Document& document, Catalog catalog, QWidget* parent)
    : QGraphicsView(parent)
    , m_canvas(new CanvasScene(document, std::move(catalog), this))
    , m_commands(new CanvasCommands(*m_canvas))
    , m_minimap(new CanvasMinimap(*this))
    , m_legend(new CanvasLegend(*this)) {
    setScene(m_canvas);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    setAcceptDrops(true);
    setFocusPolicy(Qt::StrongFocus);
    setViewportUpdateMode(QGraphicsView::MinimalViewportUpdate);
    setTransformationAnchor(QGraphicsView::NoAnchor);
    setResizeAnchor(QGraphicsView::AnchorViewCenter);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // minimap and panning do it; bars would only take room
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Canvas"));
    connect(m_canvas, &CanvasScene::selectionChanged, this, [this](const std::vector<ElementRef>& selection) {
        describeSelection();
        m_minimap->refresh();
        emit selectionChanged(selection);
    });
    connect(m_canvas, &CanvasScene::pictureChanged, this, [this] {
        remakeStages();
        if (m_gesture && !m_gestureEnds)
            m_gesture->pictureRemade();
        m_still = {};
        updateSceneRect();
        refreshMinimap();
    });
    connect(m_commands, &CanvasCommands::said, this, &CanvasView::statusChanged);
    connect(&ThemeSource::instance(), &ThemeSource::changed, this, [this] {
        m_still = {};
        resetCachedContent();
        viewport()->update();
    });
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this, [this] { m_canvas->setQuick(false); });
    m_edgeScroll.setInterval(30);
    connect(&m_edgeScroll, &QTimer::timeout, this, &CanvasView::scrollAtEdge);
    updateSceneRect();
}

CanvasView::~CanvasView() {
    m_gesture.reset();
    disconnect(m_canvas, nullptr, this, nullptr);
}

void CanvasView::setAlternative(const AlternativeId& id) {
    if (id == m_canvas->alternativeId())
        return;
    cancelGesture();
    finishEditing(false);
    const bool first = m_canvas->alternativeId().empty();
    m_canvas->setAlternative(id);
    updateSceneRect();
    // Alternatives are compared: the place that is looked at stays, unless it is empty there.
    if (first || !m_canvas->picture().bounds().intersects(visibleScene()))
        zoomToFit();
}

/// A map of what is in sight anyway would only cover it.
void CanvasView::refreshMinimap() {
    const QRectF all = m_canvas->picture().bounds();
    m_minimap->setVisible(!all.isEmpty() && !visibleScene().contains(all));
    m_minimap->update();
}

void CanvasView::select(const std::vector<ElementRef>& elements, bool zoomTo) {
    m_canvas->select(elements);
    if (zoomTo)
        zoomToSelection();
}

int CanvasView::find(const QString& words) {
    const int count = m_commands->find(words);
    if (count > 0)
        zoomToSelection();
    return count;
}

void CanvasView::tidy() {
    m_commands->tidy();
    if (m_canvas->selectedNodes().size() < 2)
        zoomToFit();
}

void CanvasView::insertPart(const PartId& part) {
    m_commands->insertPart(part, visibleScene().center());
    if (!selection().empty())
        ensureVisible(m_canvas->boundsOf(selection()), 60, 60);
}

void CanvasView::startConnecting() {
    const std::vector<int> nodes = m_canvas->selectedNodes();
    if (nodes.size() != 1) {
        emit statusChanged(tr("Select the stack to connect from"));
        return;
    }
    const int node = nodes.front();
    beginGesture(std::make_unique<ConnectGesture>(*m_canvas, node, m_canvas->picture().nodes[size_t(node)].rect.center()));
    setFocus();
}

// Zoom ------------------------------------------------------------------------------------------

QRectF CanvasView::visibleScene() const { return mapToScene(viewport()->rect()).boundingRect(); }

void CanvasView::setZoom(double wanted, const QPoint& anchor) {
    const double next = std::clamp(wanted, leastZoom, mostZoom);
    const QPointF fixed = mapToScene(anchor);
    m_canvas->setQuick(isHeavy());
    setTransform(QTransform::fromScale(next, next));
    updateSceneRect();
    scrollTo(fixed, anchor);
    restAfterZoom();
}

/// Scrolls so that this point of the drawing lies there in the window.
void CanvasView::scrollTo(const QPointF& scene, const QPoint& anchor) {
    const QPointF moved = mapFromScene(scene) - QPointF(anchor);
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() + int(std::lround(moved.x())));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + int(std::lround(moved.y())));
}

bool CanvasView::isHeavy() const { return m_canvas->picture().nodes.size() + m_canvas->picture().links.size() > heavyPicture; }

void CanvasView::restAfterZoom() {
    m_still = {};
    m_rest.start(restDelay);
    m_showsAll = false;
    refreshMinimap();
    emit zoomChanged(zoom());
}

void CanvasView::zoomBy(double factor) { setZoom(zoom() * factor, viewport()->rect().center()); }

void CanvasView::zoomToActualSize() { setZoom(1, viewport()->rect().center()); }

void CanvasView::fitRect(const QRectF& rect, double most) {
    const QSizeF room = QSizeF(viewport()->size()) - QSizeF(60, 80);
    if (room.width() < 10 || room.height() < 10 || rect.isEmpty())
        return;
    const double wanted = std::min({room.width() / rect.width(), room.height() / rect.height(), most});
    setTransform(QTransform::fromScale(std::clamp(wanted, leastZoom, mostZoom), std::clamp(wanted, leastZoom, mostZoom)));
    updateSceneRect();
    centerOn(rect.center());
    restAfterZoom();
}

void CanvasView::zoomToFit() {
    fitRect(m_canvas->picture().bounds(), mostFit);
    m_showsAll = true;
}

void CanvasView::zoomToSelection() {
    const QRectF area = m_canvas->boundsOf(selection());
    if (!area.isEmpty())
        fitRect(area.adjusted(-60, -60, 60, 60), mostFit);
}

/// Room to pan: everything drawn plus most of a window on every side.
void CanvasView::updateSceneRect() {
    const QScopedValueRollback showsAll(m_showsAll); // more room is no move
    const QSizeF room = QSizeF(viewport()->size()) / zoom() * .9;
    const QRectF wanted = m_canvas->picture().bounds().adjusted(-room.width(), -room.height(), room.width(), room.height());
    if (sceneRect().contains(wanted) && sceneRect().width() < wanted.width() * 1.2 &&
        sceneRect().height() < wanted.height() * 1.2)
        return;
    const QRectF now = visibleScene();
    const QPoint centre = viewport()->rect().center();
    const QPointF fixed = mapToScene(centre);
    setSceneRect(m_gesture ? sceneRect() | wanted : wanted | now);
    scrollTo(fixed, centre); // what is looked at stays where it is
}

void CanvasView::placeOverlays() {
    m_minimap->resize(m_minimap->sizeHint());
    m_minimap->move(width() - m_minimap->width() - overlayMargin, overlayMargin);
    m_legend->resize(m_legend->sizeHint());
    m_legend->move(overlayMargin, height() - m_legend->height() - overlayMargin);
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    const bool showsAll = m_showsAll; // scrolling on the way would forget it
    QGraphicsView::resizeEvent(event);
    m_still = {};
    placeOverlays();
    updateSceneRect();
    if (showsAll)
        zoomToFit();
    refreshMinimap();
}

void CanvasView::scrollContentsBy(int dx, int dy) {
    m_still = {};
    // Thin lines while a large drawing moves; what is scrolled into view must not look different from the rest.
    if (isHeavy() && !m_gesture && isVisible()) {
        m_canvas->setQuick(true);
        m_rest.start(restDelay);
    }
    QGraphicsView::scrollContentsBy(dx, dy);
    m_showsAll = false;
    refreshMinimap();
}

// Painting --------------------------------------------------------------------------------------

void CanvasView::drawBackground(QPainter* painter, const QRectF& rect) {
    painter->fillRect(rect, theme().canvas);
    // Dots at every second or fourth grid line, as long as they are apart enough to be of use.
    const double scale = zoom();
    if (scale < .45)
        return;
    const double step = scale < .9 ? 40 : 20;
    std::vector<QPointF> dots;
    for (double x = std::floor(rect.left() / step) * step; x <= rect.right(); x += step) {
        for (double y = std::floor(rect.top() / step) * step; y <= rect.bottom(); y += step)
            dots.emplace_back(x, y);
    }
    QPen pen(theme().gridDot, scale > 1.4 ? 2 : 1.5);
    pen.setCosmetic(true);
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(pen);
    painter->drawPoints(dots.data(), int(dots.size()));
}

void CanvasView::showStages(const WorkloadId& pipeline) {
    if (pipeline == m_stagesOf)
        return;
    m_stagesOf = pipeline;
    m_route = -1;
    remakeStages();
}

void CanvasView::remakeStages() {
    const bool shown = !m_stages.workload.empty();
    const Alternative* alternative = m_canvas->alternative();
    m_stages = alternative && !m_stagesOf.empty() ? stagePicture(m_canvas->document().effective(), *alternative, m_canvas->picture(), m_stagesOf)
                                                  : StagePicture();
    if (m_route >= int(m_stages.arrows.size()))
        m_route = -1;
    if (shown || !m_stages.workload.empty())
        viewport()->update();
}

void CanvasView::chooseRoute(int arrow) {
    m_route = arrow;
    viewport()->update();
}

void CanvasView::deleteSelection() {
    if (m_route < 0) {
        m_commands->deleteSelection();
        return;
    }
    const Edit edit = removeRoute(m_canvas->document().project(), m_stages.workload, m_stages.arrows[size_t(m_route)].route);
    chooseRoute(-1);
    m_canvas->document().push(edit);
}

void CanvasView::drawForeground(QPainter* painter, const QRectF&) {
    if (!m_stages.workload.empty()) {
        painter->setRenderHint(QPainter::Antialiasing);
        paintStages(*painter, m_stages, m_route);
    }
    if (m_gesture) {
        painter->setRenderHint(QPainter::Antialiasing);
        m_gesture->paint(*painter, zoom());
    }
    if (m_canvas->picture().nodes.empty() && m_canvas->picture().frames.empty() && !m_gesture) {
        painter->save();
        painter->resetTransform();
        painter->setPen(theme().textMuted);
        painter->setFont(textFont(TextRole::title));
        painter->drawText(viewport()->rect(), Qt::AlignCenter, tr("Drag a part from the palette to here"));
        painter->restore();
    }
}

/// Everything but what moves, as it looks right now.
const QPixmap& CanvasView::stillPicture(const MovingSet& moving) {
    if (!m_still.isNull())
        return m_still;
    const auto inverse = [](const std::vector<char>& mask) {
        std::vector<char> rest(mask.size());
        std::transform(mask.begin(), mask.end(), rest.begin(), [](char c) { return char(!c); });
        return rest;
    };
    const std::vector<char> nodes = inverse(moving.nodes), links = inverse(moving.links);
    const std::vector<char> frames = inverse(moving.frames), racks = inverse(moving.racks);
    const double ratio = viewport()->devicePixelRatioF();
    m_still = QPixmap(viewport()->size() * ratio);
    m_still.setDevicePixelRatio(ratio);
    QPainter painter(&m_still);
    painter.setWorldTransform(viewportTransform());
    const QRectF exposed = visibleScene();
    drawBackground(&painter, exposed);
    PaintContext context = m_canvas->paintContext(zoom(), exposed);
    context.nodes = &nodes;
    context.links = &links;
    context.frames = &frames;
    context.racks = &racks;
    paintPicture(painter, m_canvas->picture(), context);
    return m_still;
}

void CanvasView::paintEvent(QPaintEvent* event) {
    const MovingSet* moving = m_gesture ? m_gesture->moving() : nullptr;
    const TopologyPicture& picture = m_canvas->picture();
    const bool fits = moving && moving->nodes.size() == picture.nodes.size() && moving->links.size() == picture.links.size() &&
        moving->frames.size() == picture.frames.size() && moving->racks.size() == picture.racks.size();
    if (!fits || !isHeavy()) {
        QGraphicsView::paintEvent(event);
        return;
    }
    QPainter painter(viewport());
    painter.drawPixmap(0, 0, stillPicture(*moving));
    painter.setWorldTransform(viewportTransform());
    PaintContext context = m_canvas->paintContext(zoom(), visibleScene());
    context.nodes = &moving->nodes;
    context.links = &moving->links;
    context.frames = &moving->frames;
    context.racks = &moving->racks;
    paintPicture(painter, picture, context);
    drawForeground(&painter, context.exposed);
}

// Accessibility ---------------------------------------------------------------------------------

void CanvasView::describeSelection() {
    const Project& project = m_canvas->document().effective();
    const std::vector<ElementRef>& selected = selection();
    QString text = tr("Nothing is selected");
    if (selected.size() == 1) {
        text = elementName(project, selected.front());
        if (selected.front().kind == ElementKind::node) {
            if (const int i = m_canvas->picture().nodeIndex(NodeId(selected.front().id)); i >= 0) {
                const NodeFigure& node = m_canvas->picture().nodes[size_t(i)];
                text += QStringLiteral(", ") + (node.count.isEmpty() ? tr("one machine") : node.count) + QStringLiteral(", ") +
                    node.caption;
            }
        }
    } else if (selected.size() > 1) {
        text = tr("%1 elements selected").arg(selected.size());
    }
    setAccessibleDescription(text);
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

} // namespace cw
