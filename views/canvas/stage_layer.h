// SPDX-License-Identifier: GPL-3.0-or-later
//
// A pipeline as a layer over the drawn machines: a tag for every stage on the card that runs it, an arrow for every route with its share.
// Geometry, painting and the edits that the canvas makes of it; nothing points back into the project. Routes are drawn with a StageGesture.
#pragma once

#include "model/edit/edit.h"
#include "views/canvas/gesture.h"
#include "views/canvas/picture.h"

#include <QPainterPath>

#include <optional>

namespace cw {

struct StageTag {
    std::string stage;
    QString name;
    QRectF rect;
    bool placed = false; ///< on the card that runs it; else above the drawing
};

struct StageArrow {
    int from = -1, to = -1; ///< indices of tags
    int route = -1;         ///< index into the pipeline's edges
    QPainterPath path;
    QPointF tip;
    double angle = 0; ///< of the arrow's head, degrees
    QString label;
    QRectF labelRect;
};

struct StagePicture {
    WorkloadId workload; ///< empty: no layer
    std::vector<StageTag> tags;
    std::vector<StageArrow> arrows;

    int tagAt(const QPointF& point) const; ///< −1: none
    int arrowAt(const QPointF& point, double reach) const;
};

/// Empty where the workload is no pipeline.
StagePicture stagePicture(const Project& project, const Alternative& alternative, const TopologyPicture& picture, const WorkloadId& workload);
/// `selected`: index of an arrow that is shown as chosen, or −1.
void paintStages(QPainter& painter, const StagePicture& stages, int selected);

/// Edits of the pipeline; empty where there is nothing to change.
Edit addRoute(const Project& project, const WorkloadId& workload, const std::string& from, const std::string& to);
Edit setRouteShare(const Project& project, const WorkloadId& workload, int route, double share);
Edit removeRoute(const Project& project, const WorkloadId& workload, int route);
/// "30 %", "30", ".3": a share as a person types it.
std::optional<double> shareFromText(const QString& text);

/// Drawing a route from one stage's tag to another's.
class StageGesture : public Gesture {
public:
    StageGesture(CanvasScene& canvas, const StagePicture& stages, int from);
    void move(const GestureEvent& event) override;
    bool finish(const GestureEvent& event) override;
    void cancel() override {}
    void paint(QPainter& painter, double scale) const override;
    Qt::CursorShape cursor() const override { return Qt::CrossCursor; }
    QString status() const override;
    QString refusal() const override { return m_refusal; }

private:
    const StagePicture& m_stages;
    int m_from, m_to = -1;
    QPointF m_now;
    QString m_refusal;
};

} // namespace cw
