// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts of the canvas that need no window: lines, snapping, hit tests, layout, colours.
#include "views/canvas/hit_test.h"
#include "views/canvas/insert_part.h"
#include "views/canvas/link_geometry.h"
#include "views/canvas/snap.h"
#include "views/canvas/thin_lines.h"
#include "views/canvas/tidy_layout.h"
#include "views/theme/theme.h"

#include <QTest>

#include <array>
#include <cmath>

using namespace cw;

namespace {

QRectF card(double x, double y) { return QRectF(QPointF(x, y), nodeSize); }

NodeFigure figure(const char* id, double x, double y) {
    NodeFigure node;
    node.id = NodeId(id);
    node.rect = card(x, y);
    return node;
}

/// Colours as seen without red, green or blue cones: Viénot, Brettel and Mollon 1999 for the first two, in linear light.
QColor seenBy(const QColor& colour, int missing) {
    const auto linear = [](double c) { return c <= .04045 ? c / 12.92 : std::pow((c + .055) / 1.055, 2.4); };
    const auto display = [](double c) { return c <= .0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - .055; };
    const double r = linear(colour.redF()), g = linear(colour.greenF()), b = linear(colour.blueF());
    double out[3];
    if (missing == 0) { // protanopia
        out[0] = out[1] = .11238 * r + .88762 * g;
        out[2] = .00401 * r - .00401 * g + b;
    } else { // deuteranopia
        out[0] = out[1] = .29275 * r + .70725 * g;
        out[2] = -.02234 * r + .02234 * g + b;
    }
    const auto channel = [&](double c) { return float(std::clamp(display(std::clamp(c, 0., 1.)), 0., 1.)); };
    return QColor::fromRgbF(channel(out[0]), channel(out[1]), channel(out[2]));
}

double distance(const QColor& a, const QColor& b) {
    return std::sqrt(std::pow(a.red() - b.red(), 2) + std::pow(a.green() - b.green(), 2) + std::pow(a.blue() - b.blue(), 2));
}

} // namespace

class CanvasGeometryTest : public QObject {
    Q_OBJECT
private slots:
    void linksLeaveTheSidesThatFace_data() {
        QTest::addColumn<QRectF>("to");
        QTest::addColumn<double>("fromX");
        QTest::addColumn<double>("fromY");
        QTest::addColumn<double>("toX");
        QTest::addColumn<double>("toY");
        // The card at (0, 0) is 200 × 58.
        QTest::newRow("straight below") << card(0, 200) << 100. << 58. << 100. << 200.;
        QTest::newRow("straight above") << card(0, -200) << 100. << 0. << 100. << -142.;
        QTest::newRow("right") << card(400, 0) << 200. << 29. << 400. << 29.;
        QTest::newRow("left") << card(-400, 0) << 0. << 29. << -200. << 29.;
        QTest::newRow("overlapping") << card(50, 20) << 100. << 29. << 150. << 49.;
    }
    void linksLeaveTheSidesThatFace() {
        QFETCH(QRectF, to);
        QFETCH(double, fromX);
        QFETCH(double, fromY);
        QFETCH(double, toX);
        QFETCH(double, toY);
        QCOMPARE(linkLine(card(0, 0), to), QLineF(fromX, fromY, toX, toY));
    }

    void linksOfOnePairRunBesideEachOther() {
        const QLineF a = linkLine(card(0, 0), card(0, 200), 0, 3), b = linkLine(card(0, 0), card(0, 200), 1, 3);
        QCOMPARE(b.x1() - a.x1(), 12.);
        QCOMPARE(b.x2() - a.x2(), 12.);
        QCOMPARE(linkLine(card(0, 0), card(0, 200), 1, 3), linkLine(card(0, 0), card(0, 200)));
    }

    /// Lines to several cards leave in their order, so they do not cross at the start, and stay within the side.
    void linksFanOutInOrder() {
        double last = -1e9;
        for (double x = -3000; x <= 3000; x += 250) {
            const QLineF line = linkLine(card(0, 0), card(x, 300));
            QVERIFY(line.x1() >= last);
            QVERIFY(line.x1() > 10 && line.x1() < 190);
            last = line.x1();
        }
    }

    void reversedLinkIsTheSameLine() {
        for (const QRectF& other : {card(300, 250), card(-350, -150), card(420, 10)}) {
            const QLineF there = linkLine(card(0, 0), other), back = linkLine(other, card(0, 0));
            QVERIFY(QLineF(there.p1(), back.p2()).length() < 1e-9);
            QVERIFY(QLineF(there.p2(), back.p1()).length() < 1e-9);
        }
    }

    void distanceToASegmentEndsAtItsEnds() {
        const QLineF line(0, 0, 10, 0);
        QCOMPARE(distanceToSegment({5, 3}, line), 3.);
        QCOMPARE(distanceToSegment({13, 4}, line), 5.);
        QCOMPARE(distanceToSegment({-3, -4}, line), 5.);
        QCOMPARE(distanceToSegment({1, 1}, QLineF(1, 1, 1, 1)), 0.);
    }

    void wider() { // more load is never a thinner line, unknown is thinner than any
        double last = linkWidth(unknownFigure);
        for (double load = 0; load <= 1.2; load += .1) {
            QVERIFY(linkWidth(load) >= last);
            last = linkWidth(load);
        }
    }

    void loadBands_data() {
        QTest::addColumn<double>("load");
        QTest::addColumn<int>("band");
        QTest::newRow("none") << 0. << int(LoadBand::low);
        QTest::newRow("below") << .749 << int(LoadBand::low);
        QTest::newRow("from 75") << .75 << int(LoadBand::high);
        QTest::newRow("to 90") << .9 << int(LoadBand::high);
        QTest::newRow("above 90") << .901 << int(LoadBand::full);
        QTest::newRow("overload") << 3. << int(LoadBand::full);
        QTest::newRow("unknown") << unknownFigure << int(LoadBand::unknown);
    }
    void loadBands() {
        QFETCH(double, load);
        QTEST(int(loadBand(load)), "band");
    }

    void clippedLines_data() {
        QTest::addColumn<QLineF>("line");
        QTest::addColumn<bool>("visible");
        QTest::addColumn<QLineF>("clipped");
        QTest::newRow("inside") << QLineF(1, 1, 5, 6) << true << QLineF(1, 1, 5, 6);
        QTest::newRow("through") << QLineF(-10, 5, 30, 5) << true << QLineF(0, 5, 20, 5);
        QTest::newRow("diagonal") << QLineF(-5, -5, 50, 50) << true << QLineF(0, 0, 10, 10);
        QTest::newRow("beside") << QLineF(-5, 0, -1, 10) << false << QLineF();
        QTest::newRow("past the corner") << QLineF(-10, 5, 5, -10) << false << QLineF();
        QTest::newRow("a point") << QLineF(3, 3, 3, 3) << true << QLineF(3, 3, 3, 3);
        QTest::newRow("a point outside") << QLineF(30, 3, 30, 3) << false << QLineF();
    }
    void clippedLines() {
        QFETCH(QLineF, line);
        QFETCH(bool, visible);
        QFETCH(QLineF, clipped);
        QCOMPARE(clipLine(line, 20, 10), visible);
        if (visible)
            QCOMPARE(line, clipped);
    }

    void thinLinesSetThePixelsOnTheLine() {
        QImage image(40, 20, QImage::Format_ARGB32_Premultiplied);
        image.fill(0);
        const QRgb red = qRgb(255, 0, 0);
        drawThinLines(image, {QLineF(2, 3, 12, 3), QLineF(5, 18, 5, 8), QLineF(-100, -100, 200, 200), QLineF(20, 5, 30, 10)},
                      red);
        for (int x = 2; x <= 12; ++x)
            QCOMPARE(image.pixel(x, 3), red);
        for (int y = 8; y <= 18; ++y)
            QCOMPARE(image.pixel(5, y), red);
        for (int i = 0; i < 19; ++i)
            QCOMPARE(image.pixel(i, i), red);
        QCOMPARE(image.pixel(20, 5), red);
        QCOMPARE(image.pixel(30, 10), red);
        QCOMPARE(image.pixel(39, 0), QRgb(0));
    }

    void snapsToTheGrid() {
        const Snap snap = snapMove(card(0, 0), {13, 27}, {}, 5);
        QCOMPARE(snap.delta, QPointF(10, 30));
        QVERIFY(snap.guides.empty());
    }

    void neighboursWinOverTheGrid() {
        const Snap snap = snapMove(card(0, 0), {302, 101}, {card(303, 400)}, 5);
        QCOMPARE(snap.delta, QPointF(303, 100)); // aligned in x, on the grid in y
        QCOMPARE(snap.guides.size(), size_t(1));
        QCOMPARE(snap.guides[0].x1(), snap.guides[0].x2());
        QCOMPARE(snap.guides[0].x1(), 303.);
    }

    void snapsMiddlesToo() {
        const QRectF wide(100, 300, 400, 58); // middle at 300
        const Snap snap = snapMove(card(0, 0), {198, 0}, {wide}, 5);
        QCOMPARE(snap.delta.x(), 200.);
    }

    void hits() {
        TopologyPicture picture;
        picture.nodes = {figure("a", 0, 0), figure("b", 0, 300), figure("c", 100, 20)};
        LinkFigure link;
        link.id = LinkId("l");
        link.from = 0;
        link.to = 1;
        picture.links = {link};
        FrameFigure frame;
        frame.id = FrameId("f");
        frame.rect = QRectF(-100, 250, 500, 200);
        picture.frames = {frame};
        const auto at = [&](double x, double y, int hovered = -1) { return hitTest(picture, {x, y}, 1, hovered); };
        QCOMPARE(at(10, 10).kind, CanvasHit::Kind::node);
        QCOMPARE(at(150, 40).index, 2); // the upper one of two
        QCOMPARE(at(100, 200).kind, CanvasHit::Kind::link);
        QCOMPARE(at(112, 200).kind, CanvasHit::Kind::nothing);
        QCOMPARE(at(300, 260).kind, CanvasHit::Kind::frame);   // title
        QCOMPARE(at(300, 400).kind, CanvasHit::Kind::nothing); // inside: the rubber band's
        QCOMPARE(at(-100, 350).kind, CanvasHit::Kind::frameEdge);
        QCOMPARE(at(-100, 350).edges, Qt::Edges(Qt::LeftEdge));
        QCOMPARE(at(400, 450).edges, Qt::RightEdge | Qt::BottomEdge);
        QCOMPARE(at(0, 29).kind, CanvasHit::Kind::node);
        QCOMPARE(at(0, 29, 0).kind, CanvasHit::Kind::handle); // handles only where the pointer hovers
        QCOMPARE(frameAt(picture, {0, 300}), 0);
        QCOMPARE(frameAt(picture, {0, 0}), -1);
    }

    void freePlacesAreFree() {
        TopologyPicture picture;
        for (int i = 0; i < 30; ++i) {
            NodeFigure node = figure("x", 0, 0);
            node.rect.moveTopLeft(freePlace(picture, {100, 100}, nodeSize));
            for (const NodeFigure& other : picture.nodes)
                QVERIFY(!other.rect.intersects(node.rect));
            picture.nodes.push_back(node);
        }
    }

    void tidyPutsFabricsInLayers() {
        using enum PartFamily;
        // 4 GPU stacks, 2 leaves each, spines, a core, storage on a spine.
        const std::vector<TidyNode> nodes{{gpu, -1},     {gpu, -1},     {gpu, -1},     {gpu, -1},     {network, -1},
                                          {network, -1}, {network, -1}, {network, -1}, {network, -1}, {storage, -1}};
        const std::vector<std::pair<int, int>> links{{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 6}, {5, 6},
                                                     {4, 7}, {5, 7}, {6, 8}, {7, 8}, {9, 6}};
        QCOMPARE(fabricLevels(nodes, links), (std::vector<int>{0, 0, 0, 0, 1, 1, 2, 2, 3, 0}));
        const std::vector<QPointF> places = tidyLayout(nodes, links);
        for (const auto& [a, b] : links) { // a switch stands above what it serves
            if (a < 9)
                QVERIFY2(places[size_t(b)].y() < places[size_t(a)].y(), qPrintable(QStringLiteral("%1 below %2").arg(b).arg(a)));
        }
        for (size_t i = 0; i < places.size(); ++i) {
            for (size_t j = i + 1; j < places.size(); ++j)
                QVERIFY(!QRectF(places[i], nodeSize).intersects(QRectF(places[j], nodeSize)));
        }
    }

    void tidyCrossesLittle() {
        using enum PartFamily;
        // Servers wired to leaves in reverse order: after tidying no two of these links cross.
        const std::vector<TidyNode> nodes{{gpu, -1}, {gpu, -1}, {gpu, -1}, {network, -1}, {network, -1}, {network, -1}};
        const std::vector<std::pair<int, int>> links{{0, 5}, {1, 4}, {2, 3}};
        const std::vector<QPointF> places = tidyLayout(nodes, links);
        for (size_t i = 0; i < links.size(); ++i) {
            for (size_t j = i + 1; j < links.size(); ++j) {
                const double down = places[size_t(links[i].first)].x() - places[size_t(links[j].first)].x();
                const double up = places[size_t(links[i].second)].x() - places[size_t(links[j].second)].x();
                QVERIFY(down * up > 0);
            }
        }
    }

    void tidyKeepsGroupsApart() {
        using enum PartFamily;
        const std::vector<TidyNode> nodes{{gpu, 0}, {gpu, 1}, {network, 0}, {network, 1}, {gpu, 0}, {gpu, 1}, {network, -1}};
        const std::vector<std::pair<int, int>> links{{0, 2}, {4, 2}, {1, 3}, {5, 3}, {2, 6}, {3, 6}};
        const std::vector<QPointF> places = tidyLayout(nodes, links);
        QRectF first, second;
        for (size_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i].group >= 0)
                (nodes[i].group == 0 ? first : second) |= QRectF(places[i], nodeSize);
        }
        QVERIFY(!first.intersects(second));
        QVERIFY(places[6].y() < first.top() && places[6].y() < second.top());
    }

    void tidyManages2000Nodes() {
        std::vector<TidyNode> nodes(2000, {PartFamily::gpu, -1});
        std::vector<std::pair<int, int>> links;
        for (int i = 0; i < 200; ++i)
            nodes.push_back({PartFamily::network, -1});
        for (int i = 0; i < 2000; ++i)
            links.emplace_back(i, 2000 + i % 200);
        const std::vector<QPointF> places = tidyLayout(nodes, links);
        double right = 0, bottom = 0;
        for (const QPointF& place : places) {
            right = std::max(right, place.x());
            bottom = std::max(bottom, place.y());
        }
        QVERIFY2(right < 30000 && bottom < 12000, "long rows wrap");
    }

    void themesAreReadable_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("light") << int(ThemeKind::light);
        QTest::newRow("dark") << int(ThemeKind::dark);
    }
    void themesAreReadable() {
        QFETCH(int, kind);
        const Theme& t = Theme::of(ThemeKind(kind));
        for (const QColor& back : {t.window, t.canvas, t.panel, t.card, t.field}) {
            QVERIFY2(Theme::contrast(t.text, back) >= 7, qPrintable(back.name()));
            QVERIFY2(Theme::contrast(t.textMuted, back) >= 4.5, qPrintable(back.name()));
            for (const QColor& judged : {t.good, t.warn, t.bad})
                QVERIFY2(Theme::contrast(judged, back) >= 4.2, qPrintable(judged.name() + back.name()));
        }
        for (const PartFamily family : {PartFamily::gpu, PartFamily::cpu, PartFamily::network, PartFamily::storage,
                                        PartFamily::rack, PartFamily::cloud, PartFamily::facility, PartFamily::model})
            QVERIFY(Theme::contrast(Theme::readableOn(t.family(family)), t.family(family)) >= 3);
    }

    void loadColoursSurviveColourBlindness_data() { themesAreReadable_data(); }
    void loadColoursSurviveColourBlindness() {
        QFETCH(int, kind);
        const Theme& t = Theme::of(ThemeKind(kind));
        for (const int missing : {0, 1}) {
            const QColor low = seenBy(t.loadLow, missing), high = seenBy(t.loadHigh, missing), full = seenBy(t.loadFull, missing);
            QVERIFY2(distance(low, high) > 60, qPrintable(low.name() + high.name()));
            QVERIFY2(distance(high, full) > 40, qPrintable(high.name() + full.name()));
            QVERIFY2(distance(low, full) > 40, qPrintable(low.name() + full.name()));
        }
    }

    /// Lightness alone orders the ramp.
    void rampIsMonotone_data() { themesAreReadable_data(); }
    void rampIsMonotone() {
        QFETCH(int, kind);
        const Theme& t = Theme::of(ThemeKind(kind));
        double last = Theme::contrast(t.ramp(0), t.canvas);
        for (double share = .05; share <= 1.001; share += .05) {
            const double now = Theme::contrast(t.ramp(share), t.canvas);
            QVERIFY2(now > last, qPrintable(QString::number(share)));
            last = now;
        }
        QCOMPARE(t.ramp(unknownFigure), t.loadUnknown);
        QCOMPARE(t.ramp(-5), t.ramp(0));
        QCOMPARE(t.ramp(7), t.ramp(1));
    }
};

QTEST_GUILESS_MAIN(CanvasGeometryTest)
#include "canvas_geometry_test.moc"
