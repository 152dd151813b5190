// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/racks/facility_view.h"

#include "views/theme/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace cw {

FacilityView::FacilityView(Document& document, Catalog catalog, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_document(document)
    , m_catalog(std::move(catalog)) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    connect(&document, &Document::changed, this, &FacilityView::rebuild);
    connect(&document, &Document::previewChanged, this, &FacilityView::rebuild);
    connect(&document, &Document::resetDone, this, [this] {
        m_estimate.reset();
        rebuild();
    });
    connect(&ThemeSource::instance(), &ThemeSource::changed, viewport(), qOverload<>(&QWidget::update));
}

void FacilityView::setCatalog(Catalog catalog) {
    m_catalog = std::move(catalog);
    rebuild();
}

void FacilityView::setAlternative(const AlternativeId& id) {
    if (id == m_alternative)
        return;
    m_alternative = id;
    m_estimate.reset();
    m_selection.clear();
    m_selectedNodes.clear();
    rebuild();
}

void FacilityView::setEstimate(std::shared_ptr<const AlternativeEstimate> estimate, bool stale) {
    if (estimate && estimate->id != m_alternative)
        return;
    if (estimate == m_estimate && stale == m_stale)
        return;
    m_estimate = std::move(estimate);
    m_stale = stale;
    rebuild();
}

const Alternative* FacilityView::alternative() const { return m_document.effective().findAlternative(m_alternative); }

void FacilityView::rebuild() {
    const Alternative* shown = alternative();
    m_elevations = shown ? makeElevations(m_document.effective(), *shown, m_catalog, m_estimate.get()) : std::vector<Elevation>();
    refreshLayout();
}

void FacilityView::refreshLayout() {
    if (!m_zoomed)
        m_zoom = openingZoom();
    m_size = layOut(viewport()->width() / m_zoom) * m_zoom;
    horizontalScrollBar()->setRange(0, std::max(0, int(std::ceil(m_size.width())) - viewport()->width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(30);
    verticalScrollBar()->setRange(0, std::max(0, int(std::ceil(m_size.height())) - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(30);
    viewport()->update();
}

void FacilityView::select(const std::vector<ElementRef>& elements) {
    m_selection = elements;
    m_selectedNodes.clear();
    for (const ElementRef& ref : elements) {
        if (ref.kind == ElementKind::node && ref.alternative == m_alternative)
            m_selectedNodes.insert(ref.id);
    }
    viewport()->update();
}

void FacilityView::choose(std::vector<ElementRef> elements) {
    if (elements == m_selection)
        return;
    select(elements);
    emit selectionChanged(std::move(elements));
}

bool FacilityView::isSelected(ElementKind kind, const std::string& id) const {
    return std::find(m_selection.begin(), m_selection.end(), ElementRef{kind, m_alternative, id}) != m_selection.end();
}

QPointF FacilityView::toContent(const QPointF& position) const {
    return (position + QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value())) / m_zoom;
}

void FacilityView::zoomBy(double factor) {
    m_zoomed = true;
    m_zoom = std::clamp(m_zoom * factor, .3, 3.);
    refreshLayout();
}

void FacilityView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme().canvas);
    if (m_elevations.empty()) {
        painter.setPen(theme().textMuted);
        painter.setFont(textFont(TextRole::title));
        painter.drawText(viewport()->rect().adjusted(40, 0, -40, 0), Qt::AlignCenter | Qt::TextWordWrap, emptyText());
    }
    painter.translate(-horizontalScrollBar()->value(), -verticalScrollBar()->value());
    painter.scale(m_zoom, m_zoom);
    paintContent(painter);
}

void FacilityView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    refreshLayout();
}

void FacilityView::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    const QPointF fixed = toContent(event->position());
    zoomBy(std::pow(1.2, event->angleDelta().y() / 120.));
    const QPointF moved = fixed * m_zoom - event->position();
    horizontalScrollBar()->setValue(int(std::lround(moved.x())));
    verticalScrollBar()->setValue(int(std::lround(moved.y())));
    event->accept();
}

void FacilityView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::ZoomIn))
        zoomBy(1.2);
    else if (event->matches(QKeySequence::ZoomOut))
        zoomBy(1 / 1.2);
    else if (event->key() == Qt::Key_Escape)
        choose({});
    else
        QAbstractScrollArea::keyPressEvent(event);
}

} // namespace cw
