// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/icons.h"

#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace cw {

namespace {

// Bodies of 24 × 24 drawings; strokes and, with class f, fills take the wanted colour.
const char* body(Icon which) {
    switch (which) {
    case Icon::newDocument:
        return "<path d='M6 3h8l4 4v14H6z M14 3v4h4 M12 11v6 M9 14h6'/>";
    case Icon::open:
        return "<path d='M3 19V5h6l2 2h8v3 M3 19l3-9h16l-3 9z'/>";
    case Icon::save:
        return "<path d='M4 4h13l3 3v13H4z M8 4v5h7V4 M7 20v-7h10v7'/>";
    case Icon::saveAs:
        return "<path d='M12 20H4V4h13l3 3v4 M8 4v5h7V4 M14 21l1-3 5-5 2 2-5 5z'/>";
    case Icon::exportDocument:
        return "<path d='M12 15V3 M8 7l4-4 4 4 M5 12v8h14v-8'/>";
    case Icon::print:
        return "<path d='M7 8V3h10v5 M7 17H4V8h16v9h-3 M7 14h10v7H7z'/>";
    case Icon::recent:
        return "<circle cx='12' cy='12' r='9'/><path d='M12 7v5l4 2'/>";
    case Icon::undo:
        return "<path d='M8 4L4 8l4 4 M4 8h10a6 6 0 0 1 0 12H9'/>";
    case Icon::redo:
        return "<path d='M16 4l4 4-4 4 M20 8H10a6 6 0 0 0 0 12h5'/>";
    case Icon::cut:
        return "<circle cx='6' cy='18' r='3'/><circle cx='18' cy='18' r='3'/><path d='M8 16L17 3 M16 16L7 3'/>";
    case Icon::copy:
        return "<path d='M8 8h12v13H8z M16 8V3H4v13h4'/>";
    case Icon::paste:
        return "<path d='M9 4H5v17h14V4h-4 M9 2h6v4H9z M9 11h6 M9 15h6'/>";
    case Icon::duplicate:
        return "<path d='M8 8h13v13H8z M16 8V3H3v13h5 M14.5 11.5v6 M11.5 14.5h6'/>";
    case Icon::remove:
        return "<path d='M4 6h16 M9 6V3h6v3 M6 6l1 15h10l1-15 M10 10v7 M14 10v7'/>";
    case Icon::rename:
        return "<path d='M4 20l1-5L16 4l4 4L9 19z M13 7l4 4'/>";
    case Icon::selectAll:
        return "<path stroke-dasharray='3 2.5' d='M4 4h16v16H4z'/><path class='f' d='M9 9h6v6H9z'/>";
    case Icon::add:
        return "<path d='M12 5v14 M5 12h14'/>";
    case Icon::minus:
        return "<path d='M5 12h14'/>";
    case Icon::close:
        return "<path d='M6 6l12 12 M18 6L6 18'/>";
    case Icon::more:
        return "<circle class='f' cx='5' cy='12' r='1.3'/><circle class='f' cx='12' cy='12' r='1.3'/>"
               "<circle class='f' cx='19' cy='12' r='1.3'/>";
    case Icon::menu:
        return "<path d='M4 6h16 M4 12h16 M4 18h16'/>";
    case Icon::check:
        return "<path d='M4 13l5 5L20 6'/>";
    case Icon::search:
        return "<circle cx='10.5' cy='10.5' r='6.5'/><path d='M15.5 15.5L21 21'/>";
    case Icon::commands:
        return "<path d='M4 5h16v14H4z M8 10l3 2.5-3 2.5 M13 15h4'/>";
    case Icon::preferences:
        return "<path d='M4 7h9 M17 7h3 M4 17h3 M11 17h9'/><circle cx='15' cy='7' r='2'/><circle cx='9' cy='17' r='2'/>";
    case Icon::help:
        return "<circle cx='12' cy='12' r='9'/><path d='M9.5 9.5a2.5 2.5 0 1 1 3.5 2.300c-.7.3-1 .9-1 1.7'/>"
               "<circle class='f' cx='12' cy='17' r='.6'/>";
    case Icon::info:
        return "<circle cx='12' cy='12' r='9'/><path d='M12 11v6'/><circle class='f' cx='12' cy='7.5' r='.7'/>";
    case Icon::zoomIn:
        return "<circle cx='10.5' cy='10.5' r='6.5'/><path d='M15.5 15.5L21 21 M10.5 8v5 M8 10.5h5'/>";
    case Icon::zoomOut:
        return "<circle cx='10.5' cy='10.5' r='6.5'/><path d='M15.5 15.5L21 21 M8 10.5h5'/>";
    case Icon::zoomFit:
        return "<path d='M4 9V4h5 M15 4h5v5 M20 15v5h-5 M9 20H4v-5 M8 9h8v6H8z'/>";
    case Icon::zoomActual:
        return "<path d='M6 7l2-1.5V18 M16 7l2-1.5V18'/><circle class='f' cx='12.5' cy='10' r='.9'/>"
               "<circle class='f' cx='12.5' cy='15' r='.9'/>";
    case Icon::zoomSelection:
        return "<path stroke-dasharray='3 2.5' d='M3 3h12v12H3z'/><circle cx='14' cy='14' r='4.5'/><path d='M17.5 17.5L21 21'/>";
    case Icon::minimap:
        return "<path d='M3 5h18v14H3z M12 11h9v8h-9z'/>";
    case Icon::alignLeft:
        return "<path d='M4 3v18 M8 6h12v4H8z M8 14h7v4H8z'/>";
    case Icon::alignRight:
        return "<path d='M20 3v18 M4 6h12v4H4z M9 14h7v4H9z'/>";
    case Icon::alignTop:
        return "<path d='M3 4h18 M6 8v12h4V8z M14 8v7h4V8z'/>";
    case Icon::alignBottom:
        return "<path d='M3 20h18 M6 4v12h4V4z M14 9v7h4V9z'/>";
    case Icon::alignCentreX:
        return "<path d='M12 2v20 M5 6h14v4H5z M8 14h8v4H8z'/>";
    case Icon::alignCentreY:
        return "<path d='M2 12h20 M6 5v14h4V5z M14 8v8h4V8z'/>";
    case Icon::distributeX:
        return "<path d='M3 3v18 M21 3v18 M9 7h6v10H9z'/>";
    case Icon::distributeY:
        return "<path d='M3 3h18 M3 21h18 M7 9v6h10V9z'/>";
    case Icon::tidy:
        return "<path d='M9 3h6v4H9z M3 17h6v4H3z M15 17h6v4h-6z M12 7v5 M6 17v-5h12v5'/>";
    case Icon::group:
        return "<path stroke-dasharray='3 2.5' d='M3 3h18v18H3z'/><path d='M7 7h6v4H7z M11 14h6v4h-6z'/>";
    case Icon::explode:
        return "<path d='M10 10h4v4h-4z M9 9L4 4 M4 8V4h4 M15 9l5-5 M16 4h4v4 M9 15l-5 5 M4 16v4h4 M15 15l5 5 M20 16v4h-4'/>";
    case Icon::merge:
        return "<path d='M9 9h6v6H9z M3 3l5 5 M8 4.5V8H4.5 M21 3l-5 5 M16 4.5V8h3.5 M3 21l5-5 M4.5 16H8v3.5 M21 21l-5-5 M19.5 "
               "16H16v3.5'/>";
    case Icon::link:
        return "<path d='M6.5 17.5L17.5 6.5'/><circle cx='5' cy='19' r='2.5'/><circle cx='19' cy='5' r='2.5'/>";
    case Icon::frame:
        return "<path stroke-dasharray='3 2.5' d='M3 5h18v15H3z'/><path d='M6 9h6'/>";
    case Icon::rack:
        return "<path d='M6 2h12v20H6z M9 6h6 M9 10h6 M9 14h6 M9 18h6'/>";
    case Icon::snap:
        return "<path d='M5 4v8a7 7 0 0 0 14 0V4h-4v8a3 3 0 0 1-6 0V4z M5 8h4 M15 8h4'/>";
    case Icon::topology:
        return "<path d='M9 3h6v5H9z M3 16h6v5H3z M15 16h6v5h-6z M11 8l-5 8 M13 8l5 8'/>";
    case Icon::racks:
        return "<path d='M3 3h7v18H3z M14 3h7v18h-7z M5 7h3 M5 11h3 M5 15h3 M16 7h3 M16 11h3 M16 15h3'/>";
    case Icon::heat:
        return "<path d='M12 3c1 4 5 5 5 10a5 5 0 0 1-10 0c0-2 1-3 2-4 .5 1.5 1 2 2 2 0-3-.5-5 1-8z'/>";
    case Icon::document:
        return "<path d='M6 3h8l4 4v14H6z M14 3v4h4 M9 12h6 M9 16h6'/>";
    case Icon::chart:
        return "<path d='M4 3v17h17 M8 16v-5 M12 16V7 M16 16v-7'/>";
    case Icon::table:
        return "<path d='M3 4h18v16H3z M3 9h18 M3 14.5h18 M10 9v11'/>";
    case Icon::alternatives:
        return "<path d='M3 8h13v12H3z M7 8V4h14v12h-5'/>";
    case Icon::compare:
        return "<path d='M12 3v18 M5 8h4v8H5z M15 6h4v12h-4z'/>";
    case Icon::baseline:
        return "<path class='f' d='M12 3l2.7 6 6.3.7-4.7 4.3 1.3 6.4L12 17.2 6.4 20.4l1.3-6.4L3 9.7 9.3 9z'/>";
    case Icon::baselineOff:
        return "<path d='M12 3l2.7 6 6.3.7-4.7 4.3 1.3 6.4L12 17.2 6.4 20.4l1.3-6.4L3 9.7 9.3 9z'/>";
    case Icon::power:
        return "<path d='M13 2L5 14h6l-1 8 8-12h-6z'/>";
    case Icon::cost:
        return "<path d='M12 3v18 M17 7.5C16 6 14 5.5 12 5.5c-3 0-5 1.2-5 3.2 0 4.6 10 2 10 6.6 0 2-2 3.2-5 3.2-2.2 "
               "0-4.2-.7-5.2-2.3'/>";
    case Icon::temperature:
        return "<path d='M10 4a2 2 0 0 1 4 0v9.5a4.5 4.5 0 1 1-4 0z M12 9v8'/><circle class='f' cx='12' cy='17.5' r='1.6'/>";
    case Icon::carbon:
        return "<path d='M5 20c0-10 5-15 15-16 0 10-4 15-12 15 M5 20c2-5 5-8 9-10'/>";
    case Icon::time:
        return "<circle cx='12' cy='13' r='8'/><path d='M12 9v4l3 2 M9 2h6'/>";
    case Icon::throughput:
        return "<path d='M4 17a8.5 8.5 0 1 1 16 0 M12 15l4-5'/><circle class='f' cx='12' cy='15' r='1.3'/>";
    case Icon::error:
        return "<path d='M8 3h8l5 5v8l-5 5H8l-5-5V8z M9 9l6 6 M15 9l-6 6'/>";
    case Icon::warning:
        return "<path d='M12 3L2 21h20z M12 10v5'/><circle class='f' cx='12' cy='18' r='.7'/>";
    case Icon::advice:
        return "<path d='M9 18h6 M10 21h4 M8.5 15c-5-4-2.5-12 3.5-12s8.5 8 3.5 12z'/>";
    case Icon::ok:
        return "<circle cx='12' cy='12' r='9'/><path d='M8 12.5l3 3 5-6.5'/>";
    case Icon::explain:
        return "<path d='M5 4h6v5H5z M14 15h6v5h-6z M14 8h6v4h-6z M8 9v9h6 M8 10h6'/>";
    case Icon::source:
        return "<path d='M5 3h11a3 3 0 0 1 3 3v15H8a3 3 0 0 1-3-3z M5 18a3 3 0 0 1 3-3h11 M9 7h6'/>";
    case Icon::apply:
        return "<path d='M13 5l7 7-7 7 M20 12H4'/>";
    case Icon::play:
        return "<path class='f' d='M7 4l13 8-13 8z'/>";
    case Icon::stop:
        return "<path class='f' d='M6 6h12v12H6z'/>";
    case Icon::present:
        return "<path d='M3 4h18v12H3z M12 16v5 M8 21h8 M10 8l4 2.5-4 2.5z'/>";
    case Icon::theme:
        return "<circle cx='12' cy='12' r='9'/><path class='f' d='M12 3a9 9 0 0 1 0 18z'/>";
    case Icon::pin:
        return "<path d='M9 3h6l-1 6 3 4H7l3-4z M12 13v8'/>";
    case Icon::detach:
        return "<path d='M13 4h7v7 M20 4l-9 9 M10 5H4v15h15v-6'/>";
    case Icon::left:
        return "<path d='M15 5l-7 7 7 7'/>";
    case Icon::right:
        return "<path d='M9 5l7 7-7 7'/>";
    case Icon::up:
        return "<path d='M5 15l7-7 7 7'/>";
    case Icon::down:
        return "<path d='M5 9l7 7 7-7'/>";
    case Icon::eye:
        return "<path d='M2 12c5-8 15-8 20 0-5 8-15 8-20 0z'/><circle cx='12' cy='12' r='3'/>";
    case Icon::lock:
        return "<path d='M5 11h14v10H5z M8 11V7a4 4 0 0 1 8 0v4'/>";
    }
    return "";
}

/// The colour an icon has for its meaning; invalid: the text's.
QColor meaning(Icon which, const Theme& t) {
    switch (which) {
    case Icon::error:
        return t.bad;
    case Icon::warning:
        return t.warn;
    case Icon::advice:
        return t.info;
    case Icon::ok:
        return t.good;
    case Icon::baseline:
        return t.warn;
    default:
        return {};
    }
}

class ThemedIconEngine : public QIconEngine {
public:
    explicit ThemedIconEngine(Icon which)
        : m_which(which) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        paintIcon(*painter, rect, m_which, colour(mode, state));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return scaledPixmap(size, mode, state, 1);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
        const QString key = QStringLiteral("cw-icon-%1-%2x%3-%4")
                                .arg(int(m_which))
                                .arg(size.width())
                                .arg(size.height())
                                .arg(colour(mode, state).rgba(), 0, 16);
        QPixmap found;
        if (QPixmapCache::find(key, &found))
            return found;
        found = QPixmap(size);
        found.fill(Qt::transparent);
        QPainter painter(&found);
        paint(&painter, QRect(QPoint(), size), mode, state);
        painter.end();
        QPixmapCache::insert(key, found);
        return found;
    }

    QIconEngine* clone() const override { return new ThemedIconEngine(m_which); }

private:
    QColor colour(QIcon::Mode mode, QIcon::State state) const {
        const Theme& t = theme();
        if (mode == QIcon::Disabled)
            return t.palette().color(QPalette::Disabled, QPalette::Text);
        const QColor own = meaning(m_which, t);
        return own.isValid() ? own : state == QIcon::On ? t.accent : t.text;
    }

    Icon m_which;
};

} // namespace

QIcon icon(Icon which) { return QIcon(new ThemedIconEngine(which)); }

void paintIcon(QPainter& painter, const QRectF& target, Icon which, const QColor& colour) {
    const QString name = colour.name();
    QString drawing = QString::fromLatin1(body(which)).replace(QLatin1String("class='f'"), QStringLiteral("fill='%1'").arg(name));
    drawing = QStringLiteral("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><g fill='none' stroke='%1' "
                             "stroke-width='1.7' stroke-linecap='round' stroke-linejoin='round'>%2</g></svg>")
                  .arg(name, drawing);
    QSvgRenderer renderer(drawing.toUtf8());
    const double side = std::min(target.width(), target.height());
    QRectF square(0, 0, side, side);
    square.moveCenter(target.center());
    renderer.render(&painter, square);
}

} // namespace cw
