// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/picture_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <map>

namespace cw {

namespace {

constexpr double cornerRadius = 8;
constexpr double sideBar = 6;
constexpr double textLeft = 16;

QFont sized(int pixels, QFont::Weight weight) {
    QFont font = textFont(TextRole::body);
    font.setPixelSize(pixels);
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting); // letters keep their places while zooming
    return font;
}

QColor mixed(const QColor& a, const QColor& b, double share) {
    return QColor::fromRgbF(float(a.redF() + (b.redF() - a.redF()) * share),
                            float(a.greenF() + (b.greenF() - a.greenF()) * share),
                            float(a.blueF() + (b.blueF() - a.blueF()) * share));
}

/// Paints `text` into a line of this width, cut with an ellipsis.
void drawElided(QPainter& painter, const QPointF& baseline, double width, const QString& text) {
    const QFontMetricsF metrics(painter.font(), painter.device());
    painter.drawText(baseline, metrics.horizontalAdvance(text) <= width ? text : metrics.elidedText(text, Qt::ElideRight, width));
}

/// The count at the right top; returns its width.
double paintCount(QPainter& painter, const QRectF& card, const QString& count, const QColor& colour, double scale) {
    if (count.isEmpty())
        return 0;
    painter.setFont(sized(int(11 * scale), QFont::Bold));
    const double width =
        std::max(38 * scale, QFontMetricsF(painter.font(), painter.device()).horizontalAdvance(count) + 16 * scale);
    const QRectF pill(card.right() - 8 * scale - width, card.top() + 8 * scale, width, 18 * scale);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(pill, 9 * scale, 9 * scale);
    painter.setPen(Theme::readableOn(colour));
    painter.drawText(pill, Qt::AlignCenter, count);
    return width + 8 * scale;
}

void paintBody(QPainter& painter, const QRectF& card, bool stack, const QColor& fill, const QColor& line, const Theme& theme) {
    if (stack) {
        painter.setPen(QPen(theme.border, 1));
        painter.setBrush(theme.card);
        painter.drawRoundedRect(card.translated(8, -8), cornerRadius, cornerRadius);
        painter.drawRoundedRect(card.translated(4, -4), cornerRadius, cornerRadius);
    }
    painter.setPen(QPen(line, 1.8));
    painter.setBrush(fill);
    painter.drawRoundedRect(card, cornerRadius, cornerRadius);
    QPainterPath bar;
    bar.moveTo(card.left() + sideBar, card.top());
    bar.lineTo(card.left() + cornerRadius, card.top());
    bar.arcTo(card.left(), card.top(), 2 * cornerRadius, 2 * cornerRadius, 90, 90);
    bar.arcTo(card.left(), card.bottom() - 2 * cornerRadius, 2 * cornerRadius, 2 * cornerRadius, 180, 90);
    bar.lineTo(card.left() + sideBar, card.bottom());
    bar.closeSubpath();
    painter.fillPath(bar, line);
}

void paintBar(QPainter& painter, const QRectF& track, double share, const QColor& colour, LoadBand band, const Theme& theme) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.loadTrack);
    painter.drawRoundedRect(track, 2.5, 2.5);
    if (std::isnan(share) || share <= 0)
        return;
    QRectF filled = track;
    filled.setWidth(std::max(track.height(), track.width() * std::min(share, 1.)));
    painter.setBrush(colour);
    painter.drawRoundedRect(filled, 2.5, 2.5);
    // Above 90 % a notch marks where the bar became critical: the same news without colour.
    if (band == LoadBand::full)
        painter.fillRect(QRectF(track.left() + track.width() * .9, track.top(), 1.4, track.height()), theme.card);
}

void paintPorts(QPainter& painter, const NodeFigure& node, const Theme& theme) {
    if (node.ports.empty())
        return;
    painter.setFont(sized(8, QFont::Normal));
    const QFontMetricsF metrics(painter.font(), painter.device());
    double x = node.rect.left() + 4;
    const double y = node.rect.bottom() + 4;
    for (const PortFigure& port : node.ports) {
        const QString label = QStringLiteral("%1/%2 × %3").arg(port.used).arg(port.count).arg(port.label);
        const double width = metrics.horizontalAdvance(label) + 8;
        const QRectF chip(x, y, width, 12);
        const bool over = port.used > port.count;
        painter.setPen(QPen(over ? theme.bad : theme.border, .8));
        painter.setBrush(over ? theme.badSoft : theme.field);
        painter.drawRoundedRect(chip, 3, 3);
        painter.setPen(over ? theme.bad : theme.textMuted);
        painter.drawText(chip, Qt::AlignCenter, label);
        x += width + 4;
    }
}

/// Icon and name in letters that can still be read.
void paintMiddle(QPainter& painter, const NodeFigure& node, const PaintContext& context) {
    const Theme& theme = *context.theme;
    const QColor& colour = theme.family(node.look.family);
    const bool tinted = !std::isnan(node.overlayShare);
    paintBody(painter, node.rect, !node.count.isEmpty(),
              tinted ? mixed(theme.card, theme.ramp(node.overlayShare), .6) : theme.card, colour, theme);
    const QRectF badge(node.rect.left() + 12, node.rect.center().y() - 17, 34, 34);
    paintBadge(painter, badge, node.look, theme);
    painter.setPen(theme.text);
    const bool counted = !node.count.isEmpty();
    const double left = badge.right() + 8, width = node.rect.right() - 6 - left;
    painter.setFont(sized(17, QFont::DemiBold));
    drawElided(painter, {left, node.rect.center().y() + (counted ? -2 : 7)}, width, node.name);
    if (counted) {
        painter.setFont(sized(16, QFont::Bold));
        painter.setPen(theme.isDark() ? mixed(colour, Qt::white, .35) : colour);
        painter.drawText(QPointF(left, node.rect.center().y() + 19), node.count);
    }
    if (!std::isnan(node.utilisation) && context.theme) {
        const QRectF track(node.rect.left() + 2, node.rect.bottom() - 6, node.rect.width() - 4, 5);
        QRectF filled = track;
        filled.setWidth(track.width() * std::clamp(node.utilisation, 0., 1.));
        painter.fillRect(filled, theme.load(node.utilisation));
    }
}

void paintNear(QPainter& painter, const NodeFigure& node, const PaintContext& context, Detail detail, Overlay overlay,
               bool stale) {
    const Theme& theme = *context.theme;
    const QColor& colour = theme.family(node.look.family);
    const QRectF& card = node.rect;
    const bool tinted = overlay != Overlay::load && !std::isnan(node.overlayShare);
    paintBody(painter, card, !node.count.isEmpty(), tinted ? mixed(theme.card, theme.ramp(node.overlayShare), .4) : theme.card,
              colour, theme);
    if (node.look.family == PartFamily::unknown) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(QBrush(theme.border, Qt::BDiagPattern));
        painter.drawRoundedRect(card.adjusted(sideBar, 1, -1, -1), cornerRadius - 1, cornerRadius - 1);
    }
    const double pill = paintCount(painter, card, node.count, colour, 1);
    double left = card.left() + textLeft;
    if (node.look.family == PartFamily::unknown) {
        paintBadge(painter, QRectF(left, card.top() + 8, 20, 20), node.look, theme);
        left += 26;
    }
    painter.setPen(theme.text);
    painter.setFont(sized(13, QFont::DemiBold));
    drawElided(painter, {left, card.top() + 22}, card.right() - pill - 10 - left, node.name);

    const double share = tinted ? node.overlayShare : overlay == Overlay::load ? node.utilisation : unknownFigure;
    QString figure = tinted ? node.overlayText
        : overlay == Overlay::load && detail == Detail::close && !std::isnan(share)
        ? QStringLiteral("%1 %").arg(std::lround(share * 100))
        : QString();
    double figureWidth = 0;
    if (!figure.isEmpty()) {
        painter.setFont(sized(11, QFont::DemiBold));
        painter.setPen(stale ? theme.textMuted : theme.text);
        figureWidth = QFontMetricsF(painter.font(), painter.device()).horizontalAdvance(figure);
        painter.drawText(QPointF(card.right() - 14 - figureWidth, card.top() + 39), figure);
        figureWidth += 8;
    }
    painter.setFont(sized(11, QFont::Normal));
    painter.setPen(tinted ? theme.text : theme.textMuted);
    drawElided(painter, {card.left() + textLeft, card.top() + 39}, card.width() - textLeft - 14 - figureWidth, node.caption);

    const QRectF track(card.left() + textLeft, card.top() + 46, card.width() - 2 * textLeft, 5);
    const LoadBand band = tinted ? LoadBand::low : loadBand(share);
    const QColor barColour = tinted ? theme.ramp(share) : stale ? mixed(theme.load(band), theme.loadTrack, .4) : theme.load(band);
    paintBar(painter, track, share, barColour, band, theme);
    if (detail == Detail::close)
        paintPorts(painter, node, theme);
}

void paintFar(QPainter& painter, const TopologyPicture& picture, const PaintContext& context) {
    const Theme& theme = *context.theme;
    std::map<QRgb, std::vector<QRectF>> blocks;
    std::vector<QRectF> selected;
    // Blocks keep a size that can be seen, however far away.
    const double least = 4 / context.scale;
    for (size_t i = 0; i < picture.nodes.size(); ++i) {
        const NodeFigure& node = picture.nodes[i];
        if ((context.nodes && !(*context.nodes)[i]) || !context.exposed.intersects(node.rect))
            continue;
        const QColor colour = std::isnan(node.overlayShare) ? theme.family(node.look.family) : theme.ramp(node.overlayShare);
        QRectF block = node.rect;
        if (block.height() < least)
            block.setHeight(least);
        blocks[colour.rgb()].push_back(block);
        if (node.selected)
            selected.push_back(block.adjusted(-2 / context.scale, -2 / context.scale, 2 / context.scale, 2 / context.scale));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    for (const auto& [colour, rects] : blocks) {
        painter.setBrush(QColor(colour));
        painter.drawRects(rects.data(), int(rects.size()));
    }
    QPen pen(theme.selection, 2);
    pen.setCosmetic(true);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRects(selected.data(), int(selected.size()));
}

void paintRack(QPainter& painter, const RackFigure& rack, const PaintContext& context) {
    const Theme& theme = *context.theme;
    paintBody(painter, rack.rect, !rack.count.isEmpty(), theme.card, theme.rack, theme);
    const double pill = paintCount(painter, rack.rect, rack.count, theme.rack, 1);
    painter.setPen(theme.text);
    painter.setFont(sized(12, QFont::DemiBold));
    drawElided(painter, rack.rect.topLeft() + QPointF(14, 18), rack.rect.width() - pill - 22, rack.name);
    painter.setPen(theme.textMuted);
    painter.setFont(sized(10, QFont::Normal));
    drawElided(painter, rack.rect.topLeft() + QPointF(14, 31), rack.rect.width() - 24, rack.caption);
    paintBar(painter, QRectF(rack.rect.left() + 14, rack.rect.bottom() - 8, rack.rect.width() - 28, 4), rack.utilisation,
             theme.load(rack.utilisation), loadBand(rack.utilisation), theme);
    if (rack.selected)
        paintSelection(painter, rack.rect, theme, context.scale);
}

} // namespace

Detail detailAt(double scale) {
    return scale < .32 ? Detail::far : scale < .66 ? Detail::middle : scale < 1.35 ? Detail::near : Detail::close;
}

std::vector<QPointF> handlePoints(const QRectF& card) {
    const QPointF c = card.center();
    return {{c.x(), card.top()}, {card.right(), c.y()}, {c.x(), card.bottom()}, {card.left(), c.y()}};
}

void paintSelection(QPainter& painter, const QRectF& around, const Theme& theme, double scale) {
    QPen pen(theme.selection, 1.6 / std::min(1., scale));
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(around.adjusted(-8, -8, 8, 8), 10, 10);
}

void paintCards(QPainter& painter, const TopologyPicture& picture, const PaintContext& context) {
    const Detail detail = detailAt(context.scale);
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (size_t i = 0; i < picture.racks.size(); ++i) {
        if (!(context.racks && !(*context.racks)[i]) &&
            context.exposed.intersects(picture.racks[i].rect.adjusted(-10, -10, 10, 10)))
            paintRack(painter, picture.racks[i], context);
    }
    if (detail == Detail::far || (context.quick && detail == Detail::middle)) {
        paintFar(painter, picture, context);
        return;
    }
    for (size_t i = 0; i < picture.nodes.size(); ++i) {
        const NodeFigure& node = picture.nodes[i];
        if ((context.nodes && !(*context.nodes)[i]) || !context.exposed.intersects(node.rect.adjusted(-10, -10, 10, 18)))
            continue;
        if (detail == Detail::middle)
            paintMiddle(painter, node, context);
        else
            paintNear(painter, node, context, detail, picture.overlay, picture.stale);
        if (node.selected) {
            const double stack = node.count.isEmpty() ? 0 : 8, ports = detail == Detail::close && !node.ports.empty() ? 12 : 0;
            paintSelection(painter, node.rect.adjusted(0, -stack, stack, ports), *context.theme, context.scale);
        }
        if (int(i) == context.hoveredNode) {
            painter.setPen(QPen(context.theme->accent, 1.6));
            painter.setBrush(context.theme->card);
            for (const QPointF& handle : handlePoints(node.rect))
                painter.drawEllipse(handle, handleRadius, handleRadius);
        }
    }
}

} // namespace cw
