// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/racks/heat_view.h"

#include "views/text/quantity_text.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double tileWidth = 84, tileHeight = 58, tileGap = 6, margin = 24, titleHeight = 26, groupGap = 18;
constexpr std::int64_t mostTiles = 48;  // of one kind; the last one then stands for the rest
constexpr double coolC = 20, hotC = 60; // ends of the colour scale: the same in every design, so that two can be compared

struct HeatText {
    Q_DECLARE_TR_FUNCTIONS(HeatView)
};

struct Group {
    QPointF title;
    std::vector<QRectF> tiles;
    std::int64_t more = 0;
};

/// Tiles of all kinds of racks, in rows of a given width.
std::vector<Group> groupsOf(const std::vector<Elevation>& racks, double width, double& bottom) {
    std::vector<Group> groups;
    double y = margin;
    const int perRow = std::max(1, int((width - 2 * margin + tileGap) / (tileWidth + tileGap)));
    for (const Elevation& rack : racks) {
        Group group;
        group.title = {margin, y};
        const std::int64_t tiles = std::clamp<std::int64_t>(rack.count, 1, mostTiles);
        group.more = std::max<std::int64_t>(0, rack.count - tiles);
        for (std::int64_t i = 0; i < tiles; ++i) {
            group.tiles.emplace_back(margin + double(i % perRow) * (tileWidth + tileGap),
                                     y + titleHeight + double(i / perRow) * (tileHeight + tileGap), tileWidth, tileHeight);
        }
        y = group.tiles.back().bottom() + groupGap;
        groups.push_back(std::move(group));
    }
    bottom = y;
    return groups;
}

QColor tileColour(const Elevation& rack, const Theme& theme, HeatColour colour) {
    if (colour == HeatColour::margin) {
        const QColor& load = theme.load(rack.share());
        return QColor::fromRgbF(load.redF() * .45f + theme.canvas.redF() * .55f,
                                load.greenF() * .45f + theme.canvas.greenF() * .55f,
                                load.blueF() * .45f + theme.canvas.blueF() * .55f);
    }
    return std::isnan(rack.outlet) ? theme.field : theme.ramp((rack.outlet - coolC) / (hotC - coolC));
}

/// Along the lower edge only: numbers stay readable. Single lines say "nearly full", crossed ones "full".
void paintHatch(QPainter& painter, const QRectF& strip, const QColor& ink, bool crossed) {
    painter.save();
    painter.setClipRect(strip);
    painter.setPen(QPen(ink, 1.2));
    for (double x = strip.left() - strip.height(); x < strip.right(); x += 6) {
        painter.drawLine(QPointF(x, strip.bottom()), QPointF(x + strip.height(), strip.top()));
        if (crossed)
            painter.drawLine(QPointF(x, strip.top()), QPointF(x + strip.height(), strip.bottom()));
    }
    painter.restore();
}

void paintTile(QPainter& painter, const Elevation& rack, const QRectF& tile, std::int64_t more, bool selected, const Theme& theme,
               HeatColour colour) {
    const QColor fill = tileColour(rack, theme, colour);
    const QColor ink = Theme::readableOn(fill);
    painter.setPen(selected ? QPen(theme.selection, 2.4) : QPen(theme.border, 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(tile, 5, 5);
    const LoadBand band = loadBand(rack.share());
    if (const Qt::BrushStyle hatch =
            rack.ok && band != LoadBand::full ? (band == LoadBand::high ? Qt::BDiagPattern : Qt::NoBrush) : Qt::DiagCrossPattern;
        hatch != Qt::NoBrush)
        paintHatch(painter, QRectF(tile.left() + 5, tile.bottom() - 14, tile.width() - 10, 9), ink,
                   hatch == Qt::DiagCrossPattern);
    painter.setPen(ink);
    QFont font = textFont(TextRole::title);
    font.setPixelSize(15);
    painter.setFont(font);
    const QString big = colour == HeatColour::outlet
        ? (std::isnan(rack.outlet) ? QStringLiteral("?") : QStringLiteral("%1 °C").arg(std::lround(rack.outlet)))
        : (std::isnan(rack.share()) ? QStringLiteral("?") : QStringLiteral("%1 %").arg(std::lround((1 - rack.share()) * 100)));
    painter.drawText(tile.adjusted(6, 5, -6, 0), Qt::AlignLeft | Qt::AlignTop, big);
    font = textFont(TextRole::tiny);
    painter.setFont(font);
    const QString second = colour == HeatColour::outlet
        ? HeatText::tr("in %1 °C").arg(std::isnan(rack.inlet) ? QStringLiteral("?") : QString::number(std::lround(rack.inlet)))
        : quantityText(rack.power, Unit::watts);
    painter.drawText(tile.adjusted(6, 25, -6, 0), Qt::AlignLeft | Qt::AlignTop, second);
    if (more > 0)
        painter.drawText(tile.adjusted(6, 5, -6, 0), Qt::AlignRight | Qt::AlignTop, QStringLiteral("+%1").arg(more));
    else if (!rack.ok)
        painter.drawText(tile.adjusted(6, 5, -6, 0), Qt::AlignRight | Qt::AlignTop, QStringLiteral("⚠"));
}

QString titleText(const Elevation& rack) {
    QString text = rack.name;
    if (rack.count > 1)
        text += QStringLiteral(" ×%1").arg(rack.count);
    return text;
}

QString factsText(const Elevation& rack) {
    QStringList facts;
    facts << quantityText(rack.power, Unit::watts) +
            (std::isnan(rack.limit) ? QString() : QStringLiteral(" / ") + quantityText(rack.limit, Unit::watts));
    if (!std::isnan(rack.share()))
        facts << HeatText::tr("margin %1 %").arg(std::lround((1 - rack.share()) * 100));
    if (!std::isnan(rack.airflow))
        facts << quantityText(rack.airflow, Unit::cubicMetresPerSecond);
    if (rack.automatic)
        facts << HeatText::tr("packed automatically");
    return facts.join(QStringLiteral(" · "));
}

void paintTitle(QPainter& painter, const Elevation& rack, const QPointF& at, double width, const Theme& theme) {
    painter.setFont(textFont(TextRole::strong));
    painter.setPen(theme.text);
    const QFontMetricsF metrics(painter.font(), painter.device());
    const QString title = metrics.elidedText(titleText(rack), Qt::ElideRight, width * .5);
    painter.drawText(QPointF(at.x(), at.y() + 15), title);
    const double used = metrics.horizontalAdvance(title) + 12;
    painter.setFont(textFont(TextRole::small));
    painter.setPen(rack.ok ? theme.textMuted : theme.bad);
    painter.drawText(QPointF(at.x() + used, at.y() + 15),
                     QFontMetricsF(painter.font(), painter.device()).elidedText(factsText(rack), Qt::ElideRight, width - used));
}

} // namespace

HeatView::HeatView(Document& document, Catalog catalog, QWidget* parent)
    : FacilityView(document, std::move(catalog), parent) {
    setAccessibleName(tr("Heat map of the racks"));
}

void HeatView::setColour(HeatColour colour) {
    m_colour = colour;
    viewport()->update();
}

QString HeatView::emptyText() const { return tr("No racks yet: add some machines."); }

QSizeF HeatView::layOut(double width) {
    m_tiles.clear();
    m_titles.clear();
    double bottom = 0;
    const std::vector<Group> groups = groupsOf(m_elevations, width, bottom);
    for (size_t i = 0; i < groups.size(); ++i) {
        m_titles.push_back(groups[i].title);
        for (size_t t = 0; t < groups[i].tiles.size(); ++t)
            m_tiles.push_back({int(i), groups[i].tiles[t], t + 1 == groups[i].tiles.size() ? groups[i].more : 0});
    }
    return {width, bottom + 40};
}

void HeatView::paintContent(QPainter& painter) {
    painter.setRenderHint(QPainter::Antialiasing);
    const double width = viewport()->width() / zoom() - 2 * margin;
    for (size_t i = 0; i < m_titles.size(); ++i)
        paintTitle(painter, m_elevations[i], m_titles[i], width, theme());
    const QRectF shown(toContent({}), toContent(QPointF(viewport()->width(), viewport()->height())));
    for (const Tile& tile : m_tiles) {
        if (!shown.intersects(tile.rect))
            continue;
        const Elevation& rack = m_elevations[size_t(tile.rack)];
        const bool selected = (!rack.automatic && isSelected(ElementKind::rack, rack.rack.value)) ||
            std::any_of(rack.items.begin(), rack.items.end(),
                        [this](const RackItem& item) { return m_selectedNodes.contains(item.node.value); });
        paintTile(painter, rack, tile.rect, tile.more, selected, theme(), m_colour);
    }
}

QRectF HeatView::legendArea() const { return {12, viewport()->height() - 40., 300, 28}; }

void HeatView::paintEvent(QPaintEvent* event) {
    FacilityView::paintEvent(event);
    if (m_elevations.empty())
        return;
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF plate = legendArea();
    painter.setPen(theme().border);
    painter.setBrush(theme().panel);
    painter.drawRoundedRect(plate.adjusted(.5, .5, -.5, -.5), 6, 6);
    painter.setFont(textFont(TextRole::small));
    painter.setPen(theme().textMuted);
    const QString low = m_colour == HeatColour::outlet ? tr("Outlet %1 °C").arg(coolC) : tr("Margin > 25 %");
    const QString high = m_colour == HeatColour::outlet ? tr("%1 °C").arg(hotC) : tr("< 10 %");
    const double lowWidth = painter.fontMetrics().horizontalAdvance(low),
                 highWidth = painter.fontMetrics().horizontalAdvance(high);
    painter.drawText(plate.adjusted(12, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, low);
    painter.drawText(plate.adjusted(0, 0, -12, 0), Qt::AlignVCenter | Qt::AlignRight, high);
    const QRectF bar(plate.left() + 20 + lowWidth, plate.center().y() - 5, plate.width() - 40 - lowWidth - highWidth, 10);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int i = 0; i <= 8; ++i) {
        Elevation sample;
        sample.outlet = coolC + (hotC - coolC) * i / 8;
        sample.power = .7 + .3 * i / 8;
        sample.limit = 1;
        gradient.setColorAt(i / 8., tileColour(sample, theme(), m_colour));
    }
    painter.setPen(theme().border);
    painter.setBrush(gradient);
    painter.drawRoundedRect(bar, 3, 3);
}

const HeatView::Tile* HeatView::tileAt(const QPointF& content) const {
    const auto found = std::find_if(m_tiles.begin(), m_tiles.end(), [&](const Tile& t) { return t.rect.contains(content); });
    return found == m_tiles.end() ? nullptr : &*found;
}

void HeatView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    if (legendArea().contains(event->position())) {
        setColour(m_colour == HeatColour::outlet ? HeatColour::margin : HeatColour::outlet);
        return;
    }
    const Tile* tile = tileAt(toContent(event->position()));
    std::vector<ElementRef> chosen;
    if (tile) {
        const Elevation& rack = m_elevations[size_t(tile->rack)];
        if (!rack.automatic)
            chosen.push_back({ElementKind::rack, m_alternative, rack.rack.value});
        for (const RackItem& item : rack.items)
            chosen.push_back({ElementKind::node, m_alternative, item.node.value});
    }
    choose(std::move(chosen));
}

bool HeatView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        if (legendArea().contains(viewport()->mapFrom(this, help->pos()))) {
            QToolTip::showText(help->globalPos(), tr("Click to colour by outlet temperature or by power margin"), this);
            return true;
        }
        const Tile* tile = tileAt(toContent(viewport()->mapFrom(this, help->pos())));
        QToolTip::showText(help->globalPos(),
                           tile ? titleText(m_elevations[size_t(tile->rack)]) + QStringLiteral("\n") +
                                   factsText(m_elevations[size_t(tile->rack)])
                                : QString(),
                           this);
        return true;
    }
    return FacilityView::event(event);
}

double renderHeat(QPainter& painter, const std::vector<Elevation>& racks, const QRectF& target, const Theme& theme,
                  HeatColour colour) {
    const double dots = painter.device() ? painter.device()->logicalDpiX() / 96. : 1;
    double bottom = 0;
    const std::vector<Group> groups = groupsOf(racks, target.width() / dots + 2 * margin, bottom);
    const double scale = std::min(dots, target.height() / std::max(1., bottom - margin));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(target.topLeft());
    painter.scale(scale, scale);
    painter.translate(-margin, -margin);
    for (size_t i = 0; i < groups.size(); ++i) {
        paintTitle(painter, racks[i], groups[i].title, target.width() / scale, theme);
        for (size_t t = 0; t < groups[i].tiles.size(); ++t)
            paintTile(painter, racks[i], groups[i].tiles[t], t + 1 == groups[i].tiles.size() ? groups[i].more : 0, false, theme,
                      colour);
    }
    painter.restore();
    return (bottom - margin) * scale;
}

} // namespace cw
