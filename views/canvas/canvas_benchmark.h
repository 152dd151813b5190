// SPDX-License-Identifier: GPL-3.0-or-later
//
// How fast the canvas is on a large drawing of separate nodes and long random links, in a window of 1600 × 900. Needs a QApplication
// (the offscreen platform will do). What `bench` prints.
#pragma once

namespace cw {

/// Frames per second while `dragged` of the nodes follow the mouse, everything in view.
double benchmarkDrag(int nodes, int links, int dragged);

/// Frames per second while panning and while zooming, the lower of the two.
double benchmarkPan(int nodes, int links);

} // namespace cw
