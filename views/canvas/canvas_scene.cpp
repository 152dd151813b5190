// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/canvas_scene.h"

#include "views/canvas/link_geometry.h"

#include <QGraphicsItem>
#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include <algorithm>
#include <cmath>

namespace cw {

/// The only item of the scene.
class CanvasScene::PictureItem : public QGraphicsItem {
public:
    explicit PictureItem(const CanvasScene& scene)
        : m_scene(scene) {
        setFlag(ItemUsesExtendedStyleOption); // exposedRect
    }
    QRectF boundingRect() const override { return m_scene.sceneRect(); }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override {
        const double scale = option->levelOfDetailFromTransform(painter->worldTransform());
        paintPicture(*painter, m_scene.picture(), m_scene.paintContext(scale, option->exposedRect));
    }

private:
    const CanvasScene& m_scene;
};

CanvasScene::CanvasScene(Document& document, Catalog catalog, QObject* parent)
    : QGraphicsScene(parent)
    , m_document(document)
    , m_catalog(std::move(catalog))
    , m_item(new PictureItem(*this)) {
    setItemIndexMethod(NoIndex);
    setSceneRect(-1e5, -1e5, 2e5, 2e5);
    addItem(m_item);
    connect(&document, &Document::changed, this, &CanvasScene::onChanged);
    connect(&document, &Document::previewChanged, this, &CanvasScene::onChanged);
    connect(&document, &Document::resetDone, this, [this] {
        m_estimate.reset();
        onChanged();
    });
    connect(&ThemeSource::instance(), &ThemeSource::changed, this, [this] { update(); });
}

CanvasScene::~CanvasScene() = default;

void CanvasScene::setCatalog(Catalog catalog) {
    m_catalog = std::move(catalog);
    rebuild();
}

void CanvasScene::setAlternative(const AlternativeId& id) {
    if (id == m_alternative)
        return;
    m_alternative = id;
    m_estimate.reset();
    m_hover = {};
    rebuild();
    if (!m_selection.empty())
        select({});
}

const Alternative* CanvasScene::alternative() const { return m_document.effective().findAlternative(m_alternative); }

void CanvasScene::setEstimate(std::shared_ptr<const AlternativeEstimate> estimate, bool stale) {
    if (estimate && estimate->id != m_alternative)
        return;
    if (estimate == m_estimate && stale == m_stale)
        return;
    m_estimate = std::move(estimate);
    m_stale = stale;
    applyEstimate(m_picture, m_estimate.get(), m_overlay);
    m_picture.stale = m_stale;
    update();
    emit pictureChanged();
}

void CanvasScene::setOverlay(Overlay overlay) {
    if (overlay == m_overlay)
        return;
    m_overlay = overlay;
    applyEstimate(m_picture, m_estimate.get(), m_overlay);
    update();
    emit pictureChanged();
}

void CanvasScene::onChanged() {
    rebuild();
    dropVanished();
}

void CanvasScene::rebuild() {
    const Alternative* shown = alternative();
    m_picture = shown ? makePicture(m_document.effective(), *shown, m_catalog) : TopologyPicture();
    applyEstimate(m_picture, m_estimate.get(), m_overlay);
    m_picture.stale = m_stale;
    m_hover = {};
    markSelection();
    update();
    emit pictureChanged();
}

/// Elements that are gone leave the selection.
void CanvasScene::dropVanished() {
    std::vector<ElementRef> left;
    for (const ElementRef& ref : m_selection) {
        if (ref.alternative == m_alternative && !std::holds_alternative<std::monostate>(elementAt(m_document.effective(), ref)))
            left.push_back(ref);
    }
    if (left.size() != m_selection.size())
        select(std::move(left));
}

void CanvasScene::markSelection() {
    for (NodeFigure& node : m_picture.nodes)
        node.selected = false;
    for (LinkFigure& link : m_picture.links)
        link.selected = false;
    for (FrameFigure& frame : m_picture.frames)
        frame.selected = false;
    for (RackFigure& rack : m_picture.racks)
        rack.selected = false;
    const auto mark = [](auto& list, int index) {
        if (index >= 0)
            list[size_t(index)].selected = true;
    };
    for (const ElementRef& ref : m_selection) {
        switch (ref.kind) {
        case ElementKind::node:
            mark(m_picture.nodes, m_picture.nodeIndex(NodeId(ref.id)));
            break;
        case ElementKind::link:
            mark(m_picture.links, m_picture.linkIndex(LinkId(ref.id)));
            break;
        case ElementKind::frame:
            mark(m_picture.frames, m_picture.frameIndex(FrameId(ref.id)));
            break;
        case ElementKind::rack:
            mark(m_picture.racks, m_picture.rackIndex(RackId(ref.id)));
            break;
        default:
            break;
        }
    }
}

void CanvasScene::select(std::vector<ElementRef> elements) {
    std::erase_if(elements, [this](const ElementRef& ref) { return ref.alternative != m_alternative; });
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    if (elements == m_selection)
        return;
    m_selection = std::move(elements);
    markSelection();
    update();
    emit selectionChanged(m_selection);
}

void CanvasScene::toggle(const ElementRef& element) {
    std::vector<ElementRef> elements = m_selection;
    if (std::erase(elements, element) == 0)
        elements.push_back(element);
    select(std::move(elements));
}

bool CanvasScene::isSelected(const ElementRef& element) const {
    return std::binary_search(m_selection.begin(), m_selection.end(), element);
}

std::vector<int> CanvasScene::selectedNodes() const {
    std::vector<int> indices;
    for (size_t i = 0; i < m_picture.nodes.size(); ++i) {
        if (m_picture.nodes[i].selected)
            indices.push_back(int(i));
    }
    return indices;
}

QRectF CanvasScene::boundsOf(const std::vector<ElementRef>& elements) const {
    QRectF area;
    for (const ElementRef& ref : elements) {
        if (ref.kind == ElementKind::node) {
            if (const int i = m_picture.nodeIndex(NodeId(ref.id)); i >= 0)
                area |= m_picture.nodes[size_t(i)].rect;
        } else if (ref.kind == ElementKind::link) {
            if (const int i = m_picture.linkIndex(LinkId(ref.id)); i >= 0) {
                const LinkFigure& link = m_picture.links[size_t(i)];
                area |= m_picture.nodes[size_t(link.from)].rect | m_picture.nodes[size_t(link.to)].rect;
            }
        } else if (ref.kind == ElementKind::frame) {
            if (const int i = m_picture.frameIndex(FrameId(ref.id)); i >= 0)
                area |= m_picture.frames[size_t(i)].rect;
        } else if (ref.kind == ElementKind::rack) {
            if (const int i = m_picture.rackIndex(RackId(ref.id)); i >= 0)
                area |= m_picture.racks[size_t(i)].rect;
            else if (const auto nodes = m_picture.nodesOfRack.find(ref.id); nodes != m_picture.nodesOfRack.end()) {
                for (const std::string& node : nodes->second) {
                    if (const int n = m_picture.nodeIndex(NodeId(node)); n >= 0)
                        area |= m_picture.nodes[size_t(n)].rect;
                }
            }
        }
    }
    return area;
}

CanvasHit CanvasScene::hitAt(const QPointF& point, double scale) const {
    const bool onNode = m_hover.kind == CanvasHit::Kind::node || m_hover.kind == CanvasHit::Kind::handle;
    return hitTest(m_picture, point, scale, onNode ? m_hover.index : -1);
}

void CanvasScene::setHover(const CanvasHit& hit) {
    if (hit == m_hover)
        return;
    const auto area = [this](const CanvasHit& h) {
        if (h.kind == CanvasHit::Kind::node || h.kind == CanvasHit::Kind::handle)
            return m_picture.nodes[size_t(h.index)].rect.adjusted(-12, -12, 12, 12);
        if (h.kind == CanvasHit::Kind::link) {
            const QLineF line = linkLine(m_picture, m_picture.links[size_t(h.index)]);
            return QRectF(line.p1(), line.p2()).normalized().adjusted(-60, -20, 60, 20);
        }
        return QRectF();
    };
    const QRectF before = area(m_hover), after = area(hit);
    m_hover = hit;
    if (!before.isEmpty())
        update(before);
    if (!after.isEmpty())
        update(after);
}

PaintContext CanvasScene::paintContext(double scale, const QRectF& exposed) const {
    PaintContext context;
    context.theme = &theme();
    context.scale = scale;
    context.exposed = exposed;
    context.quick = m_quick;
    if (m_hover.kind == CanvasHit::Kind::node || m_hover.kind == CanvasHit::Kind::handle)
        context.hoveredNode = m_hover.index;
    else if (m_hover.kind == CanvasHit::Kind::link)
        context.hoveredLink = m_hover.index;
    return context;
}

void CanvasScene::setQuick(bool quick) {
    if (quick == m_quick)
        return;
    m_quick = quick;
    update();
}

} // namespace cw
