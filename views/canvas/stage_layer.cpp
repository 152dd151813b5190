// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/stage_layer.h"

#include "views/canvas/canvas_scene.h"
#include "views/canvas/canvas_text.h"
#include "views/theme/theme.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <map>

namespace cw {

namespace {

constexpr double tagHeight = 20, tagGap = 4, tagPadding = 9, bend = .16;

const Pipeline* pipelineOf(const Project& project, const WorkloadId& id) {
    const Workload* workload = project.findWorkload(id);
    return workload ? std::get_if<Pipeline>(&workload->spec) : nullptr;
}

/// The card that runs a stage: of its own workload, or of its part of the pipeline's placements; −1: none is drawn.
int cardOf(const Pipeline::Stage& stage, const WorkloadId& pipeline, const Alternative& alternative, const TopologyPicture& picture) {
    for (const Placement& placement : alternative.placements) {
        const bool own = stage.workload.empty() ? placement.workload == pipeline && placement.stage == stage.id
                                                : placement.workload == stage.workload && placement.stage != "decode";
        if (!own)
            continue;
        for (const NodeId& node : placement.nodes)
            if (const int index = picture.nodeIndex(node); index >= 0)
                return index;
    }
    return -1;
}

/// Where the line to `towards` leaves a tag.
QPointF borderPoint(const QRectF& rect, const QPointF& towards) {
    const QPointF centre = rect.center(), way = towards - centre;
    const double x = std::abs(way.x()) > 1e-9 ? rect.width() / 2 / std::abs(way.x()) : 1e9;
    const double y = std::abs(way.y()) > 1e-9 ? rect.height() / 2 / std::abs(way.y()) : 1e9;
    return centre + way * std::min({x, y, 1.});
}

QString shareText(double share) { return CanvasText::tr("%1 %").arg(QString::number(share * 100, 'g', 3)); }

void shapeArrow(StageArrow& arrow, const StagePicture& stages, bool both) {
    const QRectF &from = stages.tags[size_t(arrow.from)].rect, &to = stages.tags[size_t(arrow.to)].rect;
    const QFontMetricsF metrics(textFont(TextRole::small));
    QPointF middle;
    if (arrow.from == arrow.to) { // asks itself again
        const QPointF right(from.right(), from.center().y());
        arrow.path.moveTo(right);
        arrow.path.cubicTo(right + QPointF(46, -30), right + QPointF(46, 30), right + QPointF(0, 4));
        arrow.tip = right + QPointF(0, 4);
        arrow.angle = 200;
        middle = right + QPointF(40, 0);
    } else {
        const QPointF way = to.center() - from.center();
        // Routes there and back bend to their own sides, others upwards, away from the cards.
        QPointF aside(-way.y(), way.x());
        if (!both && aside.y() > 0)
            aside = -aside;
        const QPointF control = (from.center() + to.center()) / 2 + aside * bend * (both ? 1 : 2);
        const QPointF start = borderPoint(from, control);
        arrow.tip = borderPoint(to, control);
        arrow.path.moveTo(start);
        arrow.path.quadTo(control, arrow.tip);
        const QPointF last = arrow.tip - control;
        arrow.angle = std::atan2(last.y(), last.x()) * 57.29577951308232;
        middle = arrow.path.pointAtPercent(.5);
    }
    const double width = metrics.horizontalAdvance(arrow.label) + 10;
    arrow.labelRect = QRectF(middle.x() - width / 2, middle.y() - 9, width, 18);
}

/// A change of the pipeline as an edit.
template <class Change> Edit changed(const Project& project, const WorkloadId& id, const QString& name, Change change) {
    const Workload* before = project.findWorkload(id);
    if (!before || !std::holds_alternative<Pipeline>(before->spec))
        return {};
    Workload after = *before;
    change(std::get<Pipeline>(after.spec));
    if (after == *before)
        return {};
    return edits::set(project, {ElementKind::workload, {}, id.value}, after, name.toStdString());
}

} // namespace

int StagePicture::tagAt(const QPointF& point) const {
    for (size_t i = tags.size(); i-- > 0;)
        if (tags[i].rect.contains(point))
            return int(i);
    return -1;
}

int StagePicture::arrowAt(const QPointF& point, double reach) const {
    for (size_t i = arrows.size(); i-- > 0;)
        if (arrows[i].labelRect.contains(point))
            return int(i);
    QPainterPathStroker stroker;
    stroker.setWidth(2 * reach);
    for (size_t i = arrows.size(); i-- > 0;)
        if (stroker.createStroke(arrows[i].path).contains(point))
            return int(i);
    return -1;
}

StagePicture stagePicture(const Project& project, const Alternative& alternative, const TopologyPicture& picture, const WorkloadId& workload) {
    StagePicture stages;
    const Pipeline* pipeline = pipelineOf(project, workload);
    if (!pipeline)
        return stages;
    stages.workload = workload;
    const QFontMetricsF metrics(textFont(TextRole::small));
    std::map<int, double> along; // how far the tags of a card reach
    for (const Pipeline::Stage& stage : pipeline->stages) {
        StageTag tag;
        tag.stage = stage.id;
        tag.name = QString::fromStdString(stage.name.empty() ? stage.id : stage.name);
        const int card = cardOf(stage, workload, alternative, picture);
        tag.placed = card >= 0;
        const double width = std::min(180., metrics.horizontalAdvance(tag.name)) + 2 * tagPadding;
        const QRectF bounds = picture.bounds();
        const QPointF corner = card >= 0 ? picture.nodes[size_t(card)].rect.topLeft() + QPointF(8, -tagHeight * .7)
                                         : bounds.topLeft() - QPointF(0, 3 * tagHeight);
        double& used = along[card];
        tag.rect = QRectF(corner.x() + used, corner.y(), width, tagHeight);
        used += width + tagGap + (card < 0 ? 60 : 0);
        stages.tags.push_back(std::move(tag));
    }
    const auto index = [&](const std::string& id) {
        for (size_t i = 0; i < stages.tags.size(); ++i)
            if (stages.tags[i].stage == id)
                return int(i);
        return -1;
    };
    for (size_t i = 0; i < pipeline->edges.size(); ++i) {
        const Pipeline::Edge& edge = pipeline->edges[i];
        StageArrow arrow;
        arrow.from = index(edge.from);
        arrow.to = index(edge.to);
        arrow.route = int(i);
        arrow.label = shareText(edge.share);
        if (arrow.from < 0 || arrow.to < 0)
            continue;
        const bool both = std::any_of(pipeline->edges.begin(), pipeline->edges.end(),
                                      [&](const Pipeline::Edge& other) { return other.from == edge.to && other.to == edge.from; });
        shapeArrow(arrow, stages, both);
        stages.arrows.push_back(std::move(arrow));
    }
    return stages;
}

void paintStages(QPainter& painter, const StagePicture& stages, int selected) {
    const QColor line = theme().model;
    painter.setFont(textFont(TextRole::small));
    for (size_t i = 0; i < stages.arrows.size(); ++i) {
        const StageArrow& arrow = stages.arrows[i];
        const QColor colour = int(i) == selected ? theme().selection : line;
        painter.setPen(QPen(colour, int(i) == selected ? 3 : 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(arrow.path);
        painter.save();
        painter.translate(arrow.tip);
        painter.rotate(arrow.angle);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawPolygon(QPolygonF{{0, 0}, {-10, -5}, {-10, 5}});
        painter.restore();
        painter.setPen(QPen(colour, 1));
        painter.setBrush(theme().panel);
        painter.drawRoundedRect(arrow.labelRect, 5, 5);
        painter.setPen(theme().text);
        painter.drawText(arrow.labelRect, Qt::AlignCenter, arrow.label);
    }
    const QFontMetricsF metrics(painter.font());
    for (const StageTag& tag : stages.tags) {
        painter.setPen(QPen(line, 1.2, tag.placed ? Qt::SolidLine : Qt::DashLine));
        painter.setBrush(tag.placed ? line : theme().panel);
        painter.drawRoundedRect(tag.rect, tagHeight / 2, tagHeight / 2);
        painter.setPen(tag.placed ? Theme::readableOn(line) : theme().text);
        painter.drawText(tag.rect, Qt::AlignCenter, metrics.elidedText(tag.name, Qt::ElideRight, tag.rect.width() - tagPadding));
    }
}

Edit addRoute(const Project& project, const WorkloadId& workload, const std::string& from, const std::string& to) {
    return changed(project, workload, CanvasText::tr("Add route"), [&](Pipeline& pipeline) {
        const bool there = std::any_of(pipeline.edges.begin(), pipeline.edges.end(),
                                       [&](const Pipeline::Edge& edge) { return edge.from == from && edge.to == to; });
        if (there)
            return;
        // What other routes leave over; where they take all, it is called besides.
        double left = 1;
        for (const Pipeline::Edge& edge : pipeline.edges)
            left -= edge.from == from ? edge.share : 0;
        pipeline.edges.push_back({from, to, left > 1e-9 ? left : 1, Bytes{}});
    });
}

Edit setRouteShare(const Project& project, const WorkloadId& workload, int route, double share) {
    return changed(project, workload, CanvasText::tr("Share of a route"), [&](Pipeline& pipeline) {
        if (route >= 0 && size_t(route) < pipeline.edges.size())
            pipeline.edges[size_t(route)].share = share;
    });
}

Edit removeRoute(const Project& project, const WorkloadId& workload, int route) {
    return changed(project, workload, CanvasText::tr("Remove route"), [&](Pipeline& pipeline) {
        if (route >= 0 && size_t(route) < pipeline.edges.size())
            pipeline.edges.erase(pipeline.edges.begin() + route);
    });
}

std::optional<double> shareFromText(const QString& text) {
    QString number = text.trimmed();
    const bool percent = number.endsWith(u'%');
    if (percent)
        number.chop(1);
    bool read = false;
    const double value = number.trimmed().replace(u',', u'.').toDouble(&read);
    // Without a sign, numbers up to 1 are shares and larger ones per cent.
    const double share = percent || value > 1 ? value / 100 : value;
    return read && share >= 0 && share <= 100 ? std::optional(share) : std::nullopt;
}

StageGesture::StageGesture(CanvasScene& canvas, const StagePicture& stages, int from)
    : Gesture(canvas)
    , m_stages(stages)
    , m_from(from)
    , m_now(stages.tags[size_t(from)].rect.center()) {}

void StageGesture::move(const GestureEvent& event) {
    m_now = event.scene;
    m_to = m_stages.tagAt(event.scene);
    m_canvas.update();
}

bool StageGesture::finish(const GestureEvent& event) {
    move(event);
    if (m_to < 0 || size_t(m_from) >= m_stages.tags.size() || m_to == m_from)
        return true; // let go over nothing
    const Edit edit = addRoute(m_canvas.document().project(), m_stages.workload, m_stages.tags[size_t(m_from)].stage, m_stages.tags[size_t(m_to)].stage);
    if (edit.empty())
        m_refusal = CanvasText::tr("There is a route between these stages already");
    else
        m_canvas.document().push(edit, &m_refusal);
    return true;
}

void StageGesture::paint(QPainter& painter, double scale) const {
    if (size_t(m_from) >= m_stages.tags.size())
        return;
    painter.setPen(QPen(theme().accent, 2 / scale, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawLine(m_stages.tags[size_t(m_from)].rect.center(), m_now);
    if (m_to >= 0 && m_to != m_from)
        painter.drawRoundedRect(m_stages.tags[size_t(m_to)].rect.adjusted(-3, -3, 3, 3), tagHeight / 2, tagHeight / 2);
}

QString StageGesture::status() const {
    if (size_t(m_from) >= m_stages.tags.size())
        return {};
    const QString from = m_stages.tags[size_t(m_from)].name;
    return m_to >= 0 && m_to != m_from ? CanvasText::tr("Route from %1 to %2").arg(from, m_stages.tags[size_t(m_to)].name)
                                       : CanvasText::tr("Route from %1 to …").arg(from);
}

} // namespace cw
