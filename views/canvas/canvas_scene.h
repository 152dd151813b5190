// SPDX-License-Identifier: GPL-3.0-or-later
//
// Mirrors one alternative of the document: after every change it makes a new TopologyPicture and lays the newest estimate over it; it
// never changes the document. Owns selection, hover and hit testing. One item paints everything: with an item per node, Qt's
// bookkeeping alone takes a frame at 2 000 nodes. GUI thread.
#pragma once

#include "model/document/document.h"
#include "views/canvas/hit_test.h"
#include "views/canvas/picture.h"
#include "views/canvas/picture_painter.h"

#include <QGraphicsScene>

#include <memory>
#include <set>
#include <vector>

namespace cw {

class CanvasScene : public QGraphicsScene {
    Q_OBJECT
public:
    CanvasScene(Document& document, Catalog catalog, QObject* parent = nullptr);
    ~CanvasScene() override;

    Document& document() const { return m_document; }
    const Catalog& catalog() const { return m_catalog; }
    void setCatalog(Catalog catalog);

    void setAlternative(const AlternativeId& id);
    const AlternativeId& alternativeId() const { return m_alternative; }
    /// As shown, previews included; null when it is gone.
    const Alternative* alternative() const;

    void setEstimate(std::shared_ptr<const AlternativeEstimate> estimate, bool stale);
    void setOverlay(Overlay overlay);
    Overlay overlay() const { return m_overlay; }

    const TopologyPicture& picture() const { return m_picture; }
    /// For gestures, which move figures before the document knows; whatever they do is gone with the next rebuild().
    TopologyPicture& draftPicture() { return m_picture; }
    void rebuild();

    const std::vector<ElementRef>& selection() const { return m_selection; }
    void select(std::vector<ElementRef> elements);
    void toggle(const ElementRef& element);
    bool isSelected(const ElementRef& element) const;
    /// Selected nodes by index into the picture.
    std::vector<int> selectedNodes() const;

    ElementRef refOf(const CanvasHit& hit) const { return cw::refOf(m_picture, m_alternative, hit); }
    QRectF boundsOf(const std::vector<ElementRef>& elements) const;
    CanvasHit hitAt(const QPointF& point, double scale) const;

    void setHover(const CanvasHit& hit);
    const CanvasHit& hover() const { return m_hover; }
    /// The context to paint the picture with, hover included.
    PaintContext paintContext(double scale, const QRectF& exposed) const;
    /// While set, painting is thin and quick (zooming).
    void setQuick(bool quick);

signals:
    void pictureChanged(); ///< structure or figures
    void selectionChanged(std::vector<cw::ElementRef> selection);

private:
    class PictureItem;
    void onChanged();
    void markSelection();
    void dropVanished();

    Document& m_document;
    Catalog m_catalog;
    AlternativeId m_alternative;
    std::shared_ptr<const AlternativeEstimate> m_estimate;
    Overlay m_overlay = Overlay::load;
    bool m_stale = false;
    bool m_quick = false;
    TopologyPicture m_picture;
    std::vector<ElementRef> m_selection;
    CanvasHit m_hover;
    PictureItem* m_item = nullptr;
};

} // namespace cw
