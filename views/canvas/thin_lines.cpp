// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/thin_lines.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cw {

bool clipLine(QLineF& line, double width, double height) {
    const double dx = line.dx(), dy = line.dy();
    double from = 0, to = 1;
    const auto cut = [&from, &to](double direction, double room) {
        if (direction == 0)
            return room >= 0;
        const double at = room / direction;
        if (direction < 0)
            from = std::max(from, at);
        else
            to = std::min(to, at);
        return from <= to;
    };
    if (!cut(-dx, line.x1()) || !cut(dx, width - line.x1()) || !cut(-dy, line.y1()) || !cut(dy, height - line.y1()))
        return false;
    line = QLineF(line.pointAt(from), line.pointAt(to));
    return true;
}

void drawThinLines(QImage& image, const std::vector<QLineF>& lines, QRgb colour) {
    const int width = image.width(), height = image.height();
    const std::ptrdiff_t stride = image.bytesPerLine() / 4;
    auto* const pixels = reinterpret_cast<QRgb*>(image.bits());
    for (QLineF line : lines) {
        // A hair inside, so that rounding stays inside.
        if (!clipLine(line, width - 1.001, height - 1.001))
            continue;
        const bool flat = std::abs(line.dx()) >= std::abs(line.dy());
        // Along the longer direction one pixel a step, across in 1/65536 of a pixel.
        if (flat ? line.dx() < 0 : line.dy() < 0)
            line.setPoints(line.p2(), line.p1());
        const int start = int(flat ? line.x1() : line.y1()), end = int(flat ? line.x2() : line.y2());
        const double length = flat ? line.dx() : line.dy();
        const double slope = length > 0 ? (flat ? line.dy() : line.dx()) / length : 0;
        std::int64_t across = std::int64_t(((flat ? line.y1() : line.x1()) + .5) * 65536);
        const std::int64_t step = std::int64_t(slope * 65536);
        const int last = flat ? height - 1 : width - 1;
        for (int along = start; along <= end; ++along, across += step) {
            const int other = std::clamp(int(across >> 16), 0, last);
            pixels[flat ? other * stride + along : along * stride + other] = colour;
        }
    }
}

} // namespace cw
