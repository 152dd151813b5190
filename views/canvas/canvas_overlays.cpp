// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/canvas_overlays.h"

#include "views/canvas/canvas_view.h"
#include "views/canvas/link_geometry.h"
#include "views/text/quantity_text.h"

#include <QMouseEvent>
#include <QPainter>

#include <cmath>

namespace cw {

namespace {

void paintPlate(QPainter& painter, const QRect& rect) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().border);
    painter.setBrush(theme().panel);
    painter.drawRoundedRect(QRectF(rect).adjusted(.5, .5, -.5, -.5), 6, 6);
}

} // namespace

CanvasMinimap::CanvasMinimap(CanvasView& view)
    : QWidget(&view)
    , m_view(view) {
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Overview map"));
    connect(&view.canvas(), &CanvasScene::pictureChanged, this, &CanvasMinimap::refresh);
    connect(&ThemeSource::instance(), &ThemeSource::changed, this, &CanvasMinimap::refresh);
}

void CanvasMinimap::refresh() {
    m_outdated = true;
    update();
}

void CanvasMinimap::paintEvent(QPaintEvent*) {
    const double ratio = devicePixelRatioF();
    if (m_outdated || m_map.size() != size() * ratio) {
        m_outdated = false;
        m_map = QPixmap(size() * ratio);
        m_map.setDevicePixelRatio(ratio);
        m_map.fill(Qt::transparent);
        QPainter painter(&m_map);
        paintPlate(painter, rect());
        const TopologyPicture& picture = m_view.canvas().picture();
        const QRectF bounds = picture.bounds().adjusted(-40, -40, 40, 40);
        const QRectF inner = QRectF(rect()).adjusted(6, 6, -6, -6);
        const double scale = std::min({inner.width() / bounds.width(), inner.height() / bounds.height(), .2});
        m_toMap = QTransform::fromTranslate(-bounds.center().x(), -bounds.center().y()) * QTransform::fromScale(scale, scale) *
            QTransform::fromTranslate(inner.center().x(), inner.center().y());
        painter.setClipRect(inner);
        painter.setRenderHint(QPainter::Antialiasing, false);
        for (const FrameFigure& frame : picture.frames) {
            painter.setPen(theme().frameLine(frame.hue));
            painter.setBrush(theme().frameFill(frame.hue));
            painter.drawRect(m_toMap.mapRect(frame.rect));
        }
        if (picture.links.size() < 2000) {
            for (const LinkFigure& link : picture.links) {
                painter.setPen(loadBand(link.utilisation) == LoadBand::low || picture.overlay != Overlay::load
                                   ? theme().border
                                   : theme().load(link.utilisation));
                painter.drawLine(m_toMap.map(linkLine(picture, link)));
            }
        }
        painter.setPen(Qt::NoPen);
        for (const NodeFigure& node : picture.nodes) {
            QRectF block = m_toMap.mapRect(node.rect);
            block.setSize(block.size().expandedTo(QSizeF(2, 2)));
            painter.fillRect(block,
                             node.selected                       ? theme().selection
                                 : std::isnan(node.overlayShare) ? theme().family(node.look.family)
                                                                 : theme().ramp(node.overlayShare));
        }
        for (const RackFigure& rack : picture.racks)
            painter.fillRect(m_toMap.mapRect(rack.rect), theme().rack);
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_map);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().accent, 1.4));
    painter.setBrush(Qt::NoBrush);
    const QRectF shown = m_toMap.mapRect(m_view.visibleScene()).intersected(QRectF(rect()).adjusted(2, 2, -2, -2));
    if (!shown.isEmpty())
        painter.drawRoundedRect(shown, 3, 3);
}

void CanvasMinimap::centreOn(const QPointF& position) {
    bool invertible = false;
    const QTransform toScene = m_toMap.inverted(&invertible);
    if (invertible)
        m_view.centerOn(toScene.map(position));
}

void CanvasMinimap::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        centreOn(event->position());
}

void CanvasMinimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton)
        centreOn(event->position());
}

CanvasLegend::CanvasLegend(CanvasView& view)
    : QWidget(&view)
    , m_view(view) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAccessibleName(tr("Legend"));
    connect(&view.canvas(), &CanvasScene::pictureChanged, this, [this] {
        resize(sizeHint());
        update();
    });
    connect(&ThemeSource::instance(), &ThemeSource::changed, this, [this] { update(); });
}

QSize CanvasLegend::sizeHint() const {
    const QFontMetrics metrics(textFont(TextRole::small));
    if (m_view.overlay() == Overlay::load) {
        return {12 + 3 * (18 + 6 + 12) + metrics.horizontalAdvance(tr("< 75 %")) + metrics.horizontalAdvance(tr("75–90 %")) +
                    metrics.horizontalAdvance(tr("> 90 % link load")),
                28};
    }
    return {300, 28};
}

void CanvasLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintPlate(painter, rect());
    painter.setFont(textFont(TextRole::small));
    if (m_view.overlay() == Overlay::load)
        paintLoad(painter);
    else
        paintRamp(painter);
}

void CanvasLegend::paintLoad(QPainter& painter) {
    struct Entry {
        LoadBand band;
        double typical;
        QString text;
    };
    const Entry entries[] = {
        {LoadBand::low, .4, tr("< 75 %")}, {LoadBand::high, .8, tr("75–90 %")}, {LoadBand::full, .95, tr("> 90 % link load")}};
    double x = 14;
    for (const Entry& entry : entries) {
        QPen pen(theme().load(entry.band), linkWidth(entry.typical));
        pen.setCapStyle(Qt::RoundCap);
        painter.setPen(pen);
        painter.drawLine(QPointF(x, height() / 2.), QPointF(x + 16, height() / 2.));
        painter.setPen(theme().textMuted);
        const double width = painter.fontMetrics().horizontalAdvance(entry.text);
        painter.drawText(QRectF(x + 24, 0, width + 4, height()), Qt::AlignVCenter | Qt::AlignLeft, entry.text);
        x += 24 + width + 12;
    }
}

void CanvasLegend::paintRamp(QPainter& painter) {
    const TopologyPicture& picture = m_view.canvas().picture();
    const QString names[] = {tr("Load"), tr("Outlet"), tr("Power"), tr("Price")};
    painter.setPen(theme().textMuted);
    const QString name = names[size_t(m_view.overlay())];
    const double nameWidth = painter.fontMetrics().horizontalAdvance(name);
    painter.drawText(QRectF(14, 0, nameWidth + 4, height()), Qt::AlignVCenter, name);
    const QString low = quantityText(picture.overlayLow, picture.overlayUnit),
                  high = quantityText(picture.overlayHigh, picture.overlayUnit);
    const double lowWidth = painter.fontMetrics().horizontalAdvance(low),
                 highWidth = painter.fontMetrics().horizontalAdvance(high);
    const double left = 14 + nameWidth + 10 + lowWidth + 8, right = width() - 14 - highWidth - 8;
    painter.drawText(QRectF(left - 8 - lowWidth, 0, lowWidth + 4, height()), Qt::AlignVCenter, low);
    painter.drawText(QRectF(right + 8, 0, highWidth + 4, height()), Qt::AlignVCenter, high);
    if (right <= left)
        return;
    QLinearGradient gradient(left, 0, right, 0);
    for (int i = 0; i <= 8; ++i)
        gradient.setColorAt(i / 8., theme().ramp(i / 8.));
    painter.setPen(theme().border);
    painter.setBrush(gradient);
    painter.drawRoundedRect(QRectF(left, height() / 2. - 5, right - left, 10), 3, 3);
}

} // namespace cw
