// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/racks/rack_painter.h"

#include "views/canvas/canvas_text.h"
#include "views/text/quantity_text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cw {

namespace {

using M = RackMetrics;

QFont sized(int pixels, QFont::Weight weight) {
    QFont font = textFont(TextRole::body);
    font.setPixelSize(pixels);
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

void drawElided(QPainter& painter, const QRectF& area, int flags, const QString& text) {
    const QFontMetricsF metrics(painter.font(), painter.device());
    painter.drawText(area, flags, metrics.elidedText(text, Qt::ElideRight, area.width()));
}

void paintHeader(QPainter& painter, const Elevation& rack, const QPointF& corner, const Theme& theme) {
    const QRectF area(corner, QSizeF(M::width, M::header));
    painter.setFont(sized(12, QFont::DemiBold));
    const QString count = rack.count == 1 ? QString() : QStringLiteral("×%1").arg(rack.count);
    const double countWidth = count.isEmpty() ? 0 : QFontMetricsF(painter.font(), painter.device()).horizontalAdvance(count) + 14;
    painter.setPen(theme.text);
    drawElided(painter, area.adjusted(2, 0, -countWidth - 4, -14), Qt::AlignLeft | Qt::AlignVCenter, rack.name);
    if (!count.isEmpty()) {
        const QRectF pill(area.right() - countWidth, area.top() + 2, countWidth, 17);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.rack);
        painter.drawRoundedRect(pill, 8.5, 8.5);
        painter.setPen(Theme::readableOn(theme.rack));
        painter.setFont(sized(11, QFont::Bold));
        painter.drawText(pill, Qt::AlignCenter, count);
    }
    painter.setFont(sized(10, QFont::Normal));
    painter.setPen(theme.textMuted);
    drawElided(painter, area.adjusted(2, 19, -2, 0), Qt::AlignLeft | Qt::AlignTop,
               rack.automatic ? CanvasText::tr("packed automatically") : CanvasText::tr("%1U").arg(rack.units));
}

void paintDevice(QPainter& painter, const RackDevice& device, const QRectF& block, bool selected, const Theme& theme) {
    const QRectF box = block.adjusted(.5, .5, -.5, -.5);
    const QColor& colour = theme.family(device.look.family);
    painter.setPen(QPen(device.outside ? theme.bad : selected ? theme.selection : colour, selected || device.outside ? 2 : 1));
    painter.setBrush(selected ? theme.selectionSoft : theme.card);
    painter.drawRoundedRect(box, 2, 2);
    painter.fillRect(QRectF(box.left(), box.top(), 4, box.height()), colour);
    if (device.look.family == PartFamily::unknown)
        painter.fillRect(box.adjusted(4, 0, 0, 0), QBrush(theme.border, Qt::BDiagPattern));
    const double letters = std::min(10., block.height() - 2);
    if (letters < 5)
        return;
    // Vents say "front" and fill the void of tall boxes.
    if (block.height() >= 36) {
        painter.setPen(QPen(theme.border, 1));
        for (double y = box.top() + 22; y < box.bottom() - 5; y += 5)
            painter.drawLine(QPointF(box.left() + 12, y), QPointF(box.right() - 8, y));
    }
    painter.setPen(theme.text);
    painter.setFont(sized(int(letters), QFont::Normal));
    const QRectF line(box.left() + 9, block.height() >= 36 ? box.top() + 4 : box.top(), box.width() - 14,
                      block.height() >= 36 ? 14 : box.height());
    drawElided(painter, line, Qt::AlignLeft | Qt::AlignVCenter, device.name);
}

void paintUnits(QPainter& painter, const Elevation& rack, const QPointF& corner, const Theme& theme) {
    const QRectF area = unitsArea(rack, corner);
    const QRectF body = area.adjusted(-M::rail, -4, M::rail, 4);
    painter.setPen(QPen(theme.rack, 1.4));
    painter.setBrush(theme.field);
    painter.drawRoundedRect(body, 4, 4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.panel);
    painter.drawRect(area);
    std::vector<QLineF> lines;
    for (int u = 1; u < rack.units; ++u) {
        const double y = area.bottom() - u * M::unit;
        lines.emplace_back(area.left(), y, area.right(), y);
    }
    painter.setPen(QPen(theme.gridLine, 1));
    painter.drawLines(lines.data(), int(lines.size()));
    painter.setFont(sized(7, QFont::Normal));
    painter.setPen(theme.textMuted);
    for (int u = 1; u <= rack.units; ++u) {
        if (u == 1 || u % 5 == 0 || u == rack.units)
            painter.drawText(QRectF(body.left() + 1, area.bottom() - u * M::unit, M::rail - 4, M::unit),
                             Qt::AlignRight | Qt::AlignVCenter, QString::number(u));
    }
}

/// Power against its limit with a bar, then height, weight and outlet.
void paintFooter(QPainter& painter, const Elevation& rack, const QPointF& corner, const ElevationPaint& paint) {
    const Theme& theme = *paint.theme;
    const double top = corner.y() + elevationSize(rack).height() - M::footer + 6;
    const double share = rack.share();
    const LoadBand band = loadBand(share);
    const QRectF line(corner.x() + 2, top, M::width - 4, 14);
    painter.setFont(sized(11, QFont::DemiBold));
    painter.setPen(paint.stale ? theme.textMuted : !rack.ok ? theme.bad : theme.text);
    const QString limit = std::isnan(rack.limit) ? QString() : QStringLiteral(" / ") + quantityText(rack.limit, Unit::watts);
    drawElided(painter, line, Qt::AlignLeft | Qt::AlignVCenter, quantityText(rack.power, Unit::watts) + limit);
    if (!std::isnan(share)) {
        painter.setPen(Theme::contrast(theme.load(band), theme.canvas) >= 4.5 ? theme.load(band) : theme.text);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("%1 %").arg(std::lround(share * 100)));
    }
    const QRectF track(corner.x() + 2, top + 17, M::width - 4, 5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.loadTrack);
    painter.drawRoundedRect(track, 2.5, 2.5);
    if (share > 0) {
        QRectF filled = track;
        filled.setWidth(std::max(5., track.width() * std::min(1., share)));
        painter.setBrush(theme.load(band));
        painter.drawRoundedRect(filled, 2.5, 2.5);
        if (loadHatch(band) != Qt::NoBrush && !rack.ok) {
            painter.setBrush(QBrush(theme.card, loadHatch(band)));
            painter.drawRoundedRect(filled, 2.5, 2.5);
        }
    }
    QStringList facts{QStringLiteral("%1/%2U").arg(rack.unitsUsed).arg(rack.units)};
    if (!std::isnan(rack.weight))
        facts << quantityText(rack.weight, Unit::kilograms);
    if (!std::isnan(rack.outlet))
        facts << QStringLiteral("%1 → %2 °C").arg(std::lround(rack.inlet)).arg(std::lround(rack.outlet));
    painter.setFont(sized(10, QFont::Normal));
    painter.setPen(theme.textMuted);
    drawElided(painter, QRectF(line.left(), top + 25, line.width(), 14), Qt::AlignLeft | Qt::AlignVCenter,
               facts.join(QStringLiteral(" · ")));
}

} // namespace

QSizeF elevationSize(const Elevation& rack) { return {M::width, M::header + 8 + rack.units * M::unit + M::footer}; }

QRectF unitsArea(const Elevation& rack, const QPointF& corner) {
    return {corner.x() + M::rail, corner.y() + M::header + 4, M::width - 2 * M::rail, rack.units * M::unit};
}

QRectF blockRect(const Elevation& rack, const QPointF& corner, double u, double height) {
    const QRectF area = unitsArea(rack, corner);
    return {area.left(), area.bottom() - (u - 1 + height) * M::unit, area.width(), height * M::unit};
}

void paintElevation(QPainter& painter, const Elevation& rack, const QPointF& corner, const ElevationPaint& paint) {
    const Theme& theme = *paint.theme;
    painter.setRenderHint(QPainter::Antialiasing);
    paintHeader(painter, rack, corner, theme);
    paintUnits(painter, rack, corner, theme);
    for (const RackDevice& device : rack.devices) {
        // What does not fit lies over the top edge, in red, at most two units of it.
        const double u = device.outside ? rack.units : device.u;
        const bool selected = paint.selectedNodes && paint.selectedNodes->contains(device.node.value);
        paintDevice(painter, device, blockRect(rack, corner, u, device.outside ? std::min(2., device.height) : device.height),
                    selected, theme);
    }
    paintFooter(painter, rack, corner, paint);
    if (paint.selected) {
        QPen pen(theme.selection, 1.6);
        pen.setDashPattern({4, 3});
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(corner, elevationSize(rack)).adjusted(-8, -6, 8, 4), 8, 8);
    }
}

RackRows inRows(const std::vector<Elevation>& racks, size_t first, double scale, const QSizeF& room) {
    RackRows rows;
    double x = 0, y = 0, rowHeight = 0;
    for (size_t i = first; i < racks.size(); ++i) {
        const QSizeF size = elevationSize(racks[i]) * scale;
        if (x > 0 && x + size.width() > room.width()) {
            x = 0;
            y += rowHeight + M::gap * scale;
            rowHeight = 0;
        }
        if (y + size.height() > room.height())
            break;
        rows.corners.push_back({x, y});
        rowHeight = std::max(rowHeight, size.height());
        rows.size = rows.size.expandedTo({x + size.width(), y + rowHeight});
        x += size.width() + M::gap * scale;
    }
    return rows;
}

QSizeF racksSize(const Project& project, const AlternativeId& alternativeId, const Catalog& catalog, const AlternativeEstimate* estimate, double width) {
    const Alternative* alternative = project.findAlternative(alternativeId);
    return alternative ? inRows(makeElevations(project, *alternative, catalog, estimate), 0, 1, {width, std::numeric_limits<double>::infinity()}).size
                       : QSizeF();
}

int renderRacks(QPainter& painter, const Project& project, const AlternativeId& alternativeId, const Catalog& catalog,
                const AlternativeEstimate* estimate, const QRectF& target, ThemeKind kind, int first) {
    const Alternative* alternative = project.findAlternative(alternativeId);
    if (!alternative)
        return 0;
    const std::vector<Elevation> racks = makeElevations(project, *alternative, catalog, estimate);
    const double dots = painter.device() ? painter.device()->logicalDpiX() / 96. : 1;
    const size_t from = size_t(std::max(0, first));
    if (from >= racks.size())
        return 0;
    // The largest scale at which all fit; no smaller than what can still be read.
    double scale = dots;
    while (scale > .5 * dots && inRows(racks, from, scale, target.size()).corners.size() < racks.size() - from)
        scale -= .05 * dots;
    RackRows rows = inRows(racks, from, scale, target.size());
    if (rows.corners.empty())
        rows.corners.push_back({}); // one at least: documents go on with the next
    for (size_t i = 0; i < rows.corners.size(); ++i) {
        painter.save();
        painter.translate(target.topLeft() + rows.corners[i]);
        painter.scale(scale, scale);
        ElevationPaint paint;
        paint.theme = &Theme::of(kind);
        paintElevation(painter, racks[from + i], {}, paint);
        painter.restore();
    }
    return int(rows.corners.size());
}

} // namespace cw
