// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the views of racks have in common: the elevations of one alternative, kept up to date with document and estimate, the shared
// selection, scrolling and zooming of what a subclass lays out and paints. GUI thread.
#pragma once

#include "model/document/document.h"
#include "views/racks/elevation.h"

#include <QAbstractScrollArea>

#include <memory>
#include <set>
#include <vector>

namespace cw {

class FacilityView : public QAbstractScrollArea {
    Q_OBJECT
public:
    FacilityView(Document& document, Catalog catalog, QWidget* parent = nullptr);

    void setCatalog(Catalog catalog);
    void setAlternative(const AlternativeId& id);
    void setEstimate(std::shared_ptr<const AlternativeEstimate> estimate, bool stale);
    /// Shows the selection of the other views.
    void select(const std::vector<ElementRef>& elements);
    const std::vector<ElementRef>& selection() const { return m_selection; }
    const std::vector<Elevation>& elevations() const { return m_elevations; }
    void zoomBy(double factor);
    double zoom() const { return m_zoom; }

signals:
    void selectionChanged(std::vector<cw::ElementRef> selection);
    void statusChanged(const QString& text);

protected:
    /// Places everything for a viewport of this width (in unzoomed pixels) and says how large it is.
    virtual QSizeF layOut(double width) = 0;
    virtual void paintContent(QPainter& painter) = 0;
    virtual QString emptyText() const = 0;
    /// Until the user zooms.
    virtual double openingZoom() const { return 1; }

    void choose(std::vector<ElementRef> elements); ///< by the user: tells the others
    QPointF toContent(const QPointF& viewportPosition) const;
    void refreshLayout();
    const Alternative* alternative() const;
    bool isSelected(ElementKind kind, const std::string& id) const;

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

    Document& m_document;
    Catalog m_catalog;
    AlternativeId m_alternative;
    std::shared_ptr<const AlternativeEstimate> m_estimate;
    bool m_stale = false;
    std::vector<Elevation> m_elevations;
    std::vector<ElementRef> m_selection;
    std::set<std::string> m_selectedNodes;

private:
    void rebuild();
    double m_zoom = 1;
    bool m_zoomed = false; ///< by the user
    QSizeF m_size;
};

} // namespace cw
