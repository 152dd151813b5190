// SPDX-License-Identifier: GPL-3.0-or-later
//
// The canvas a person draws on: shows a CanvasScene, turns mouse, keys and drags into gestures and commands, zooms and pans. Wheel
// scrolls, Ctrl+wheel zooms at the pointer, middle drag or Space+drag pans. While a gesture moves things, what stands still is painted
// once and kept as a pixmap. The application's actions call the public functions. GUI thread.
#pragma once

#include "views/canvas/canvas_commands.h"
#include "views/canvas/canvas_scene.h"
#include "views/canvas/gesture.h"
#include "views/canvas/stage_layer.h"

#include <QGraphicsView>
#include <QPixmap>
#include <QTimer>

#include <memory>

class QLineEdit;
class QMenu;

namespace cw {

class CanvasLegend;
class CanvasMinimap;

class CanvasView : public QGraphicsView {
    Q_OBJECT
public:
    CanvasView(Document& document, Catalog catalog, QWidget* parent = nullptr);
    ~CanvasView() override;

    CanvasScene& canvas() { return *m_canvas; }
    CanvasCommands& commands() { return *m_commands; }

    // What is shown.
    void setCatalog(Catalog catalog) { m_canvas->setCatalog(std::move(catalog)); }
    void setAlternative(const AlternativeId& id);
    void setEstimate(std::shared_ptr<const AlternativeEstimate> estimate, bool stale) {
        m_canvas->setEstimate(std::move(estimate), stale);
    }
    void setOverlay(Overlay overlay) { m_canvas->setOverlay(overlay); }
    Overlay overlay() const { return m_canvas->overlay(); }
    /// A pipeline as a layer over the machines that run its stages: routes are drawn from tag to tag, a double click edits a share, Delete
    /// removes the chosen one. Other work, or none, takes the layer away.
    void showStages(const WorkloadId& pipeline);
    const StagePicture& stages() const { return m_stages; }

    // Selection.
    const std::vector<ElementRef>& selection() const { return m_canvas->selection(); }
    void select(const std::vector<ElementRef>& elements, bool zoomTo = false);
    int find(const QString& words);

    // Commands on the selection; see CanvasCommands.
    void deleteSelection();
    void duplicateSelection() { m_commands->duplicateSelection(); }
    void copy() { m_commands->copy(); }
    void cut() { m_commands->cut(); }
    void paste() { m_commands->paste(visibleScene()); }
    void selectAll() { m_commands->selectAll(); }
    void align(Qt::Alignment edge) { m_commands->align(edge); }
    void distribute(Qt::Orientation along) { m_commands->distribute(along); }
    void tidy();
    void groupIntoFrame() { m_commands->groupIntoFrame(); }
    void explode() { m_commands->explode(); }
    void merge() { m_commands->merge(); }
    void changeCount(int by) { m_commands->changeCount(by); }
    void insertPart(const PartId& part);
    void renameSelection();
    void startConnecting(); ///< from the one selected stack

    // Zoom.
    void zoomToFit();
    void zoomToSelection();
    void zoomToActualSize();
    void zoomBy(double factor);
    double zoom() const { return transform().m11(); }
    QRectF visibleScene() const;

signals:
    void selectionChanged(std::vector<cw::ElementRef> selection);
    void statusChanged(const QString& text); ///< what a gesture would do, or why something could not be done
    void zoomChanged(double zoom);
    void activated(const cw::ElementRef& element); ///< double click on what cannot be edited in place
    /// Before the context menu of the selection opens, so that others can add to it.
    void contextMenuAboutToShow(QMenu* menu);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void scrollContentsBy(int dx, int dy) override;
    bool event(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    GestureEvent gestureEvent(const QPoint& position, Qt::KeyboardModifiers modifiers) const;
    void beginGesture(std::unique_ptr<Gesture> gesture);
    bool finishGesture(const GestureEvent& event);
    void endGesture();
    void cancelGesture();
    void pressOn(const CanvasHit& hit, const GestureEvent& event);
    void showHover(const QPoint& position);
    void showStatus();
    void updateSceneRect();
    void placeOverlays();
    void refreshMinimap();
    void scrollTo(const QPointF& scene, const QPoint& anchor);
    void setZoom(double zoom, const QPoint& anchor);
    void restAfterZoom();
    bool isHeavy() const; ///< too much to paint anew, smoothly, in every frame
    void fitRect(const QRectF& rect, double most);
    void editName(const ElementRef& element);
    void editShare(int arrow);
    void startEditor(const QRectF& area, const QString& text, const QString& name);
    void remakeStages();
    void chooseRoute(int arrow);
    bool pressOnStages(const GestureEvent& press);
    void finishEditing(bool accept);
    bool commandKey(QKeyEvent* event);
    bool moveKey(QKeyEvent* event);
    void describeSelection();
    const QPixmap& stillPicture(const MovingSet& moving);
    void scrollAtEdge();
    QString toolTipFor(const CanvasHit& hit) const;

    CanvasScene* m_canvas;
    CanvasCommands* m_commands;
    CanvasMinimap* m_minimap;
    CanvasLegend* m_legend;
    std::unique_ptr<Gesture> m_gesture;
    GestureEvent m_press; ///< where the running press began
    CanvasHit m_pressHit;
    bool m_pressPending = false; ///< a button is down on something and has not moved yet
    bool m_gestureEnds = false;  ///< it makes its edit: pictures from now on are final
    bool m_panning = false;
    bool m_spaceDown = false;
    bool m_showsAll = true; ///< fitted, and not moved since: stays fitted when the window changes
    QPoint m_panLast;
    QPixmap m_still;
    QTimer m_rest; ///< ends the quick painting after zooming
    QTimer m_edgeScroll;
    QLineEdit* m_editor = nullptr;
    ElementRef m_edited;
    StagePicture m_stages;
    WorkloadId m_stagesOf;
    int m_route = -1;       ///< chosen arrow
    int m_editedRoute = -1; ///< of the pipeline, whose share is being edited
};

} // namespace cw
