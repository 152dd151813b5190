// SPDX-License-Identifier: GPL-3.0-or-later
//
// Automatic layered layout for fabrics: machines at the bottom, leaves above them, then spines, then cores; groups (frames) side by side;
// few crossings. Pure and deterministic. Rows longer than some thirty cards wrap.
#pragma once

#include "views/canvas/picture.h"

#include <utility>
#include <vector>

namespace cw {

struct TidyNode {
    PartFamily family = PartFamily::unknown;
    int group = -1; ///< outermost frame; −1: none
};

/// Top left corners on a grid of 10, none overlapping, the whole starting at (0, 0).
std::vector<QPointF> tidyLayout(const std::vector<TidyNode>& nodes, const std::vector<std::pair<int, int>>& links);

/// Level of each node: 0 for machines, a switch one more than the lowest it serves.
std::vector<int> fabricLevels(const std::vector<TidyNode>& nodes, const std::vector<std::pair<int, int>>& links);

/// The nodes and links of a picture as input of the above.
std::vector<TidyNode> tidyNodes(const TopologyPicture& picture, const Alternative& alternative);
std::vector<std::pair<int, int>> tidyLinks(const TopologyPicture& picture);

/// Gives nodes without a place one: the whole layout when none has one, else rows below the rest.
void placeMissing(TopologyPicture& picture, const Alternative& alternative);

} // namespace cw
