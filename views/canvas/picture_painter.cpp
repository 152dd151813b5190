// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/picture_painter.h"

#include "views/canvas/link_geometry.h"
#include "views/canvas/thin_lines.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

namespace cw {

namespace {

QFont pillFont(QFont::Weight weight) {
    QFont font = textFont(TextRole::body);
    font.setPixelSize(11);
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

bool left(const std::vector<char>* mask, size_t i) { return mask && !(*mask)[i]; }

/// Lines of one colour and width, painted in one call: an order of magnitude faster than one by one.
struct Batch {
    std::vector<QLineF> lines;
    std::vector<const LinkFigure*> loops;
};

constexpr int widthSteps = 8;
constexpr size_t manyLinks = 1500;
constexpr size_t fewNodes = 300; // up to which numbers make way for cards

/// Lists by load band and width; opaque pens, because the raster engine is slow with translucent ones.
using Batches = std::array<std::array<Batch, widthSteps>, 4>;

Batches batchesOf(const TopologyPicture& picture, const PaintContext& context) {
    Batches batches;
    const QRectF exposed = context.exposed.adjusted(-10, -10, 10, 10);
    for (size_t i = 0; i < picture.links.size(); ++i) {
        const LinkFigure& link = picture.links[i];
        if (left(context.links, i))
            continue;
        const double u = link.utilisation;
        const auto band = picture.overlay == Overlay::load ? size_t(loadBand(u)) : size_t(LoadBand::unknown);
        const auto step = std::isnan(u) || context.quick ? size_t(0) : size_t(std::clamp(u, 0., 1.) * (widthSteps - 1) + .5);
        Batch& batch = batches[band][step];
        if (link.loop) {
            batch.loops.push_back(&link);
            continue;
        }
        const QLineF line = linkLine(picture, link);
        if (QRectF(line.p1(), line.p2()).normalized().adjusted(-1, -1, 1, 1).intersects(exposed))
            batch.lines.push_back(line);
    }
    return batches;
}

void paintBatch(QPainter& painter, const Batch& batch, size_t band, size_t step, const TopologyPicture& picture,
                const PaintContext& context) {
    const bool unknown = band == size_t(LoadBand::unknown);
    const double width = unknown ? linkWidth(unknownFigure) : linkWidth(double(step) / (widthSteps - 1));
    QPen pen(context.theme->load(LoadBand(band)), width);
    pen.setCapStyle(Qt::RoundCap);
    if (context.quick || width * context.scale < 1.2) {
        pen.setWidthF(context.quick ? 1 : 1.2);
        pen.setCosmetic(true);
        pen.setCapStyle(Qt::FlatCap);
    }
    if (unknown && picture.overlay == Overlay::load && batch.lines.size() < 300 && !context.quick)
        pen.setDashPattern({5, 3});
    painter.setPen(pen);
    painter.drawLines(batch.lines.data(), int(batch.lines.size()));
    for (const LinkFigure* loop : batch.loops)
        painter.drawPath(linkLoop(picture.nodes[size_t(loop->from)].rect, loop->lane));
}

/// On a raster device: all lines one pixel wide, through an image of our own.
void paintThin(QPainter& painter, const Batches& batches, const TopologyPicture& picture, const PaintContext& context) {
    const double ratio = painter.device()->devicePixelRatioF();
    const QTransform toPixels = painter.worldTransform() * QTransform::fromScale(ratio, ratio);
    const QRect shown = toPixels.mapRect(context.exposed).toAlignedRect() &
        QRect(0, 0, int(painter.device()->width() * ratio), int(painter.device()->height() * ratio));
    if (shown.isEmpty())
        return;
    const QTransform toImage = toPixels * QTransform::fromTranslate(-shown.x(), -shown.y());
    QImage image(shown.size(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    std::vector<QLineF> lines;
    for (size_t band = 0; band < batches.size(); ++band) {
        lines.clear();
        for (const Batch& batch : batches[band])
            std::transform(batch.lines.begin(), batch.lines.end(), std::back_inserter(lines),
                           [&toImage](const QLineF& line) { return toImage.map(line); });
        drawThinLines(image, lines, context.theme->load(LoadBand(band)).rgb() | 0xff000000u);
    }
    painter.save();
    painter.resetTransform();
    image.setDevicePixelRatio(ratio);
    painter.drawImage(QPointF(shown.topLeft()) / ratio, image);
    painter.restore();
    for (size_t band = 0; band < batches.size(); ++band) {
        for (const Batch& batch : batches[band]) {
            painter.setPen(QPen(context.theme->load(LoadBand(band)), 2));
            for (const LinkFigure* loop : batch.loops)
                painter.drawPath(linkLoop(picture.nodes[size_t(loop->from)].rect, loop->lane));
        }
    }
}

void paintBatches(QPainter& painter, const TopologyPicture& picture, const PaintContext& context) {
    const Batches batches = batchesOf(picture, context);
    const bool raster = painter.paintEngine() && painter.paintEngine()->type() == QPaintEngine::Raster;
    const bool thin = context.quick || (picture.links.size() > manyLinks && linkWidth(1) * context.scale < 1.5);
    if (raster && thin) {
        paintThin(painter, batches, picture, context);
        return;
    }
    for (size_t band = 0; band < batches.size(); ++band) {
        for (size_t step = 0; step < widthSteps; ++step) {
            if (!batches[band][step].lines.empty() || !batches[band][step].loops.empty())
                paintBatch(painter, batches[band][step], band, step, picture, context);
        }
    }
}

/// Selected and hovered links glow, below all others.
void paintHighlights(QPainter& painter, const TopologyPicture& picture, const PaintContext& context) {
    for (size_t i = 0; i < picture.links.size(); ++i) {
        const LinkFigure& link = picture.links[i];
        if ((!link.selected && int(i) != context.hoveredLink) || left(context.links, i))
            continue;
        QPen pen(link.selected ? context.theme->selection : context.theme->chip, linkWidth(link.utilisation) + 6 / context.scale);
        pen.setCapStyle(Qt::RoundCap);
        painter.setPen(pen);
        if (link.loop)
            painter.drawPath(linkLoop(picture.nodes[size_t(link.from)].rect, link.lane));
        else
            painter.drawLine(linkLine(picture, link));
        if (link.selected) {
            pen.setColor(context.theme->canvas);
            pen.setWidthF(linkWidth(link.utilisation) + 3 / context.scale);
            painter.setPen(pen);
            if (link.loop)
                painter.drawPath(linkLoop(picture.nodes[size_t(link.from)].rect, link.lane));
            else
                painter.drawLine(linkLine(picture, link));
        }
    }
}

/// Which places numbers have taken, in cells about as large as a small number.
class TakenSpace {
public:
    bool take(const QPointF& centre, double halfWidth, double halfHeight) {
        const int left = cell(centre.x() - halfWidth, 22), right = cell(centre.x() + halfWidth, 22);
        const int top = cell(centre.y() - halfHeight, 10), bottom = cell(centre.y() + halfHeight, 10);
        for (int x = left; x <= right; ++x) {
            for (int y = top; y <= bottom; ++y) {
                if (m_cells.contains(key(x, y)))
                    return false;
            }
        }
        for (int x = left; x <= right; ++x) {
            for (int y = top; y <= bottom; ++y)
                m_cells.insert(key(x, y));
        }
        return true;
    }

private:
    static int cell(double at, double size) { return int(std::floor(at / size)); }
    static std::uint64_t key(int x, int y) { return std::uint64_t(std::uint32_t(x)) << 32 | std::uint32_t(y); }
    std::unordered_set<std::uint64_t> m_cells;
};

/// From near, what a link is made of, below its number.
void paintCables(QPainter& painter, const LinkFigure& link, const Theme& theme) {
    painter.setFont(pillFont(QFont::Normal));
    QFont font = painter.font();
    font.setPixelSize(8);
    painter.setFont(font);
    const QString text = QStringLiteral("%1 × %2").arg(link.cables).arg(link.medium);
    const double width = QFontMetricsF(font, painter.device()).horizontalAdvance(text) + 8;
    const QRectF plate(-width / 2, link.label.isEmpty() ? -6 : 11, width, 12);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.canvas);
    painter.drawRoundedRect(plate, 3, 3);
    painter.setPen(theme.textMuted);
    painter.drawText(plate, Qt::AlignCenter, text);
}

/// Numbers of the links, each where it hides no other one, the fullest first. Places do not depend on what is exposed, so that partial
/// repaints fit together.
void paintLabels(QPainter& painter, const TopologyPicture& picture, const PaintContext& context) {
    if (context.scale < .4 || (picture.links.size() > manyLinks && context.scale < .66))
        return;
    const bool close = detailAt(context.scale) == Detail::close;
    const double zoom = std::clamp(.75 / context.scale, 1., 1.8);
    TakenSpace taken;
    const auto hidden = [&picture](const QPointF& centre, double half, double high) {
        const QRectF space(centre.x() - half, centre.y() - high, 2 * half, 2 * high);
        return picture.nodes.size() <= fewNodes &&
            std::any_of(picture.nodes.begin(), picture.nodes.end(),
                        [&space](const NodeFigure& node) { return node.rect.adjusted(0, -8, 8, 0).intersects(space); });
    };
    for (const bool urgent : {true, false}) {
        for (size_t i = 0; i < picture.links.size(); ++i) {
            const LinkFigure& link = picture.links[i];
            const LoadBand band = loadBand(link.utilisation);
            if (left(context.links, i) || urgent != (band == LoadBand::full || band == LoadBand::high))
                continue;
            const bool cables = close && link.cables > 0;
            const QLineF line = linkLine(picture, link);
            if ((link.label.isEmpty() && !cables) || (!link.loop && line.length() < 34 * zoom))
                continue;
            const double half = std::max(23., cables ? 2.4 * double(link.medium.size() + 7) : 0.) * zoom;
            const double high = cables ? 17 : 9 * zoom;
            // Where the middle is taken or behind a card, some other point of the line may be free.
            QPointF centre = linkLabelPoint(picture, link);
            bool found = link.loop && taken.take(centre, half, high);
            for (const double share : {.5, .36, .64, .24, .76}) {
                if (found || link.loop)
                    break;
                centre = line.pointAt(share);
                found = !hidden(centre, half, high) && taken.take(centre, half, high);
            }
            if (!found || !context.exposed.intersects(QRectF(centre.x() - half, centre.y() - 12, 2 * half, 24)))
                continue;
            const QColor& colour = picture.stale ? context.theme->loadUnknown : context.theme->load(link.utilisation);
            painter.save();
            painter.translate(centre);
            painter.scale(zoom, zoom);
            if (cables)
                paintCables(painter, link, *context.theme);
            if (!link.label.isEmpty())
                paintPill(painter, {}, link.label, colour, *context.theme, picture.stale);
            painter.restore();
        }
    }
}

} // namespace

QRectF paintPill(QPainter& painter, const QPointF& centre, const QString& text, const QColor& colour, const Theme& theme,
                 bool dashed) {
    painter.setFont(pillFont(QFont::Bold));
    const double width = std::max(44., QFontMetricsF(painter.font(), painter.device()).horizontalAdvance(text) + 18);
    const QRectF pill(centre.x() - width / 2, centre.y() - 9.5, width, 19);
    QPen pen(colour, 1.4);
    if (dashed)
        pen.setDashPattern({2, 2});
    painter.setPen(pen);
    painter.setBrush(theme.canvas);
    painter.drawRoundedRect(pill, 9.5, 9.5);
    painter.setPen(Theme::contrast(colour, theme.canvas) >= 3 ? colour : theme.text);
    painter.drawText(pill, Qt::AlignCenter, text);
    return pill;
}

void paintFrames(QPainter& painter, const TopologyPicture& picture, const PaintContext& context) {
    painter.setRenderHint(QPainter::Antialiasing, !context.quick);
    const Theme& theme = *context.theme;
    for (size_t i = 0; i < picture.frames.size(); ++i) {
        const FrameFigure& frame = picture.frames[i];
        if (left(context.frames, i) || !context.exposed.intersects(frame.rect.adjusted(-10, -10, 10, 10)))
            continue;
        QPen pen(frame.selected ? theme.selection : theme.frameLine(frame.hue),
                 (frame.selected ? 2 : 1.4) / std::min(1., context.scale));
        pen.setDashPattern({6, 4});
        painter.setPen(pen);
        painter.setBrush(theme.frameFill(frame.hue));
        painter.drawRoundedRect(frame.rect, 10, 10);
        // Titles stay readable from afar as long as they fit into their frame.
        const double zoom = std::clamp(.8 / context.scale, 1., 4.);
        QFont font = pillFont(QFont::DemiBold);
        font.setPixelSize(int(std::lround(12 * zoom)));
        const QFontMetricsF metrics(font, painter.device());
        const double width = frame.rect.width() - 28;
        if (width < 20)
            continue;
        painter.setFont(font);
        const QColor ink = Theme::contrast(theme.frameLine(frame.hue), theme.frameFill(frame.hue)) >= 4.5
            ? theme.frameLine(frame.hue)
            : theme.isDark() ? theme.frameLine(frame.hue).lighter(150)
                             : theme.frameLine(frame.hue).darker(190);
        painter.setPen(ink);
        const QPointF baseline = frame.rect.topLeft() + QPointF(14, 8 + 12 * zoom);
        painter.drawText(baseline, metrics.elidedText(frame.title, Qt::ElideRight, width));
        const double used = metrics.horizontalAdvance(frame.title);
        font.setWeight(QFont::Normal);
        font.setPixelSize(int(std::lround(11 * zoom)));
        painter.setFont(font);
        const double kindWidth = QFontMetricsF(font, painter.device()).horizontalAdvance(frame.kind);
        if (used + kindWidth + 16 < width && !frame.title.contains(frame.kind, Qt::CaseInsensitive)) {
            painter.setPen(theme.textMuted);
            painter.drawText(QPointF(baseline.x() + used + 8 * zoom, baseline.y()), frame.kind);
        }
    }
}

void paintLinks(QPainter& painter, const TopologyPicture& picture, const PaintContext& context) {
    // Smoothing ten thousand lines takes longer than a frame; far away nobody sees it.
    const bool smooth = !context.quick && (picture.links.size() < 3000 || context.scale > .3);
    painter.setRenderHint(QPainter::Antialiasing, smooth);
    if (!context.quick)
        paintHighlights(painter, picture, context);
    paintBatches(painter, picture, context);
    if (!context.quick) {
        painter.setRenderHint(QPainter::Antialiasing, true);
        paintLabels(painter, picture, context);
    }
}

void paintPicture(QPainter& painter, const TopologyPicture& picture, const PaintContext& context) {
    paintFrames(painter, picture, context);
    paintLinks(painter, picture, context);
    paintCards(painter, picture, context);
}

} // namespace cw
