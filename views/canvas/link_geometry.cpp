// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/link_geometry.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double laneStep = 12;
constexpr double fan = .12;
constexpr double cornerRoom = 22; ///< no line leaves nearer to a corner
constexpr double loopReach = 30;

double fanned(double towards, double halfSide) {
    const double room = std::max(0., halfSide - cornerRoom);
    return std::clamp(towards * fan, -room, room);
}

} // namespace

QLineF linkLine(const QRectF& from, const QRectF& to, int lane, int laneCount) {
    const QPointF a = from.center(), b = to.center();
    const double aside = (double(lane) - double(laneCount - 1) / 2) * laneStep;
    const double dx = b.x() - a.x(), dy = b.y() - a.y();
    const bool below = to.top() >= from.bottom(), above = from.top() >= to.bottom();
    if (below || above) {
        const double out = fanned(dx, std::min(from.width(), to.width()) / 2);
        return {a.x() + out + aside, below ? from.bottom() : from.top(), b.x() - out + aside, below ? to.top() : to.bottom()};
    }
    const bool right = to.left() >= from.right(), left = from.left() >= to.right();
    if (right || left) {
        const double out = fanned(dy, std::min(from.height(), to.height()) / 2);
        return {right ? from.right() : from.left(), a.y() + out + aside, right ? to.left() : to.right(), b.y() - out + aside};
    }
    return {a.x() + aside, a.y(), b.x() + aside, b.y()};
}

QLineF linkLine(const TopologyPicture& picture, const LinkFigure& link) {
    const QRectF& from = picture.nodes[size_t(link.from)].rect;
    if (link.loop) {
        const QPointF corner(from.right(), from.center().y());
        return {corner + QPointF(0, -14), corner + QPointF(0, 14)};
    }
    return linkLine(from, picture.nodes[size_t(link.to)].rect, link.lane, link.laneCount);
}

QPainterPath linkLoop(const QRectF& card, int lane) {
    const double reach = loopReach + lane * laneStep;
    const QPointF middle(card.right(), card.center().y());
    QPainterPath path(middle + QPointF(0, -14));
    path.cubicTo(middle + QPointF(reach, -24), middle + QPointF(reach, 24), middle + QPointF(0, 14));
    return path;
}

QPointF linkLabelPoint(const TopologyPicture& picture, const LinkFigure& link) {
    if (link.loop) {
        const QRectF& card = picture.nodes[size_t(link.from)].rect;
        return {card.right() + (loopReach + link.lane * laneStep) * .75 + 30, card.center().y()};
    }
    return linkLine(picture, link).center();
}

double distanceToSegment(const QPointF& point, const QLineF& line) {
    const QPointF along = line.p2() - line.p1(), to = point - line.p1();
    const double squared = QPointF::dotProduct(along, along);
    const double share = squared > 0 ? std::clamp(QPointF::dotProduct(to, along) / squared, 0., 1.) : 0;
    const QPointF off = to - share * along;
    return std::hypot(off.x(), off.y());
}

int linkAt(const TopologyPicture& picture, const QPointF& point, double reach) {
    int best = -1;
    double nearest = reach;
    for (size_t i = 0; i < picture.links.size(); ++i) {
        const LinkFigure& link = picture.links[i];
        double distance;
        if (link.loop) {
            const double out = (loopReach + link.lane * laneStep) * .75;
            const QPointF middle(picture.nodes[size_t(link.from)].rect.right() + out / 2, linkLabelPoint(picture, link).y());
            const QPointF off = point - middle;
            distance = std::max(std::abs(off.x()) - out / 2, std::abs(off.y()) - 17.);
        } else {
            distance = distanceToSegment(point, linkLine(picture, link)) - linkWidth(link.utilisation) / 2;
        }
        if (distance <= nearest) {
            nearest = distance;
            best = int(i);
        }
    }
    return best;
}

double linkWidth(double utilisation) { return std::isnan(utilisation) ? 1.8 : 2 + 5.4 * std::clamp(utilisation, 0., 1.); }

} // namespace cw
