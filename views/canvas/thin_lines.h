// SPDX-License-Identifier: GPL-3.0-or-later
//
// One-pixel lines, many of them, straight into an image. Qt's raster engine takes some 9 ns a pixel for them, which is 40 ms for 10 000
// long links; writing the pixels takes a tenth of that. Not smoothed: for drawings in motion or far away.
#pragma once

#include <QImage>
#include <QLineF>
#include <QRgb>

#include <vector>

namespace cw {

/// Draws lines, given in pixels of the image, in one opaque colour. The image is 32 bits a pixel.
void drawThinLines(QImage& image, const std::vector<QLineF>& lines, QRgb colour);

/// The part of a line within a rectangle from (0, 0); false: none (Liang and Barsky 1984).
bool clipLine(QLineF& line, double width, double height);

} // namespace cw
