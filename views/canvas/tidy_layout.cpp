// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/tidy_layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace cw {

namespace {

constexpr double columnStep = 240; // card and gap
constexpr double rowStep = 150;
constexpr double wrappedRowStep = 90;
constexpr double groupGap = 80;
constexpr size_t longestRow = 30;

using Adjacency = std::vector<std::vector<int>>;

Adjacency adjacencyOf(size_t count, const std::vector<std::pair<int, int>>& links) {
    Adjacency adjacency(count);
    for (const auto& [a, b] : links) {
        if (a == b)
            continue;
        adjacency[size_t(a)].push_back(b);
        adjacency[size_t(b)].push_back(a);
    }
    return adjacency;
}

/// All nodes that hang together with `start`; empty when that was seen before.
std::vector<int> connectedPart(const Adjacency& adjacency, int start, std::vector<char>& seen) {
    if (seen[size_t(start)])
        return {};
    std::vector<int> part{start};
    seen[size_t(start)] = 1;
    for (size_t i = 0; i < part.size(); ++i) {
        for (const int other : adjacency[size_t(part[i])]) {
            if (!seen[size_t(other)]) {
                seen[size_t(other)] = 1;
                part.push_back(other);
            }
        }
    }
    return part;
}

/// Cards of one group on one level, left to right, wrapped into lines.
struct Row {
    std::vector<int> nodes;
    double width = 0; ///< of the longest line
    int lines = 1;
};

struct Layout {
    const std::vector<TidyNode>& nodes;
    Adjacency adjacency;
    std::vector<int> level;
    std::vector<int> band;    ///< by node: index of its group's band; the last band is what stands above all groups
    std::vector<double> x, y; ///< of the left top corner
    int bands = 0;
    int levels = 0;
    std::map<std::pair<int, int>, Row> rows; ///< by band, level

    size_t lineLength(const Row& row) const {
        const size_t n = row.nodes.size();
        return n <= longestRow ? n : std::max(longestRow / 2, size_t(std::ceil(std::sqrt(3. * double(n)))));
    }
    double mean(int node, int direction) const;
    void setUpBands();
    void placeRow(Row& row, double left, double width);
    void placeBands();
    void placeTop();
    void orderRows();
    void placeRowsVertically();
};

/// Mean x of the neighbours above (direction 1) or below (−1); the own x when there are none.
double Layout::mean(int node, int direction) const {
    double sum = 0;
    int count = 0;
    for (const int other : adjacency[size_t(node)]) {
        if ((level[size_t(other)] - level[size_t(node)]) * direction > 0) {
            sum += x[size_t(other)];
            ++count;
        }
    }
    return count ? sum / count : x[size_t(node)];
}

void Layout::setUpBands() {
    std::map<int, int> bandOfGroup;
    int groupedTop = -1;
    for (size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].group >= 0) {
            bandOfGroup.try_emplace(nodes[i].group, int(bandOfGroup.size()));
            groupedTop = std::max(groupedTop, level[i]);
        }
    }
    const int loose = int(bandOfGroup.size());
    const int top = loose + 1;
    bands = top + 1;
    band.resize(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
        band[i] = nodes[i].group >= 0 ? bandOfGroup[nodes[i].group] : groupedTop >= 0 && level[i] > groupedTop ? top : loose;
        rows[{band[i], level[i]}].nodes.push_back(int(i));
        levels = std::max(levels, level[i] + 1);
    }
    for (auto& [key, row] : rows) {
        std::stable_sort(row.nodes.begin(), row.nodes.end(),
                         [this](int a, int b) { return nodes[size_t(a)].family < nodes[size_t(b)].family; });
    }
}

void Layout::placeRow(Row& row, double left, double width) {
    const size_t length = lineLength(row);
    row.lines = int((row.nodes.size() + length - 1) / length);
    row.width = double(length) * columnStep - (columnStep - nodeSize.width());
    const double start = left + std::max(0., (width - row.width) / 2);
    for (size_t i = 0; i < row.nodes.size(); ++i)
        x[size_t(row.nodes[i])] = start + double(i % length) * columnStep;
}

void Layout::placeBands() {
    double left = 0;
    for (int b = 0; b + 1 < bands; ++b) {
        double width = 0;
        for (auto& [key, row] : rows) {
            if (key.first == b)
                width = std::max(width, double(lineLength(row)) * columnStep - (columnStep - nodeSize.width()));
        }
        for (auto& [key, row] : rows) {
            if (key.first == b)
                placeRow(row, left, width);
        }
        if (width > 0)
            left += width + groupGap;
    }
}

/// What stands above all groups: over the middle of what it connects, pushed apart where it would overlap.
void Layout::placeTop() {
    for (auto& [key, row] : rows) {
        if (key.first != bands - 1)
            continue;
        placeRow(row, 0, 0);
        if (row.lines > 1)
            continue;
        std::vector<double> wish;
        for (const int node : row.nodes)
            wish.push_back(mean(node, -1));
        std::vector<size_t> order(row.nodes.size());
        std::iota(order.begin(), order.end(), size_t(0));
        std::stable_sort(order.begin(), order.end(), [&wish](size_t a, size_t b) { return wish[a] < wish[b]; });
        double shift = 0, next = -1e300;
        std::vector<double> at(order.size());
        for (size_t i = 0; i < order.size(); ++i) {
            at[i] = std::max(next, wish[order[i]]);
            next = at[i] + columnStep;
            shift += wish[order[i]] - at[i];
        }
        std::vector<int> sorted;
        for (size_t i = 0; i < order.size(); ++i) {
            sorted.push_back(row.nodes[order[i]]);
            x[size_t(sorted.back())] = at[i] + shift / double(order.size());
        }
        row.nodes = sorted;
    }
}

/// Barycentre heuristic of Sugiyama et al. 1981: order every row by the mean place of its neighbours, up and down a few times.
void Layout::orderRows() {
    for (int sweep = 0; sweep < 6; ++sweep) {
        const int direction = sweep % 2 ? 1 : -1;
        for (auto& [key, row] : rows) {
            std::vector<std::pair<double, int>> order;
            for (const int node : row.nodes)
                order.emplace_back(mean(node, direction), node);
            std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
            std::transform(order.begin(), order.end(), row.nodes.begin(), [](const auto& entry) { return entry.second; });
        }
        placeBands();
        placeTop();
    }
}

void Layout::placeRowsVertically() {
    double top = 0;
    for (int l = levels - 1; l >= 0; --l) {
        int lines = 0;
        for (auto& [key, row] : rows) {
            if (key.second != l)
                continue;
            lines = std::max(lines, row.lines);
            const size_t length = lineLength(row);
            for (size_t i = 0; i < row.nodes.size(); ++i)
                y[size_t(row.nodes[i])] = top + double(i / length) * wrappedRowStep;
        }
        if (lines > 0)
            top += double(lines - 1) * wrappedRowStep + rowStep;
    }
}

} // namespace

std::vector<int> fabricLevels(const std::vector<TidyNode>& nodes, const std::vector<std::pair<int, int>>& links) {
    const Adjacency adjacency = adjacencyOf(nodes.size(), links);
    const auto isSwitch = [&nodes](int node) { return nodes[size_t(node)].family == PartFamily::network; };
    std::vector<int> level(nodes.size(), 0), distance(nodes.size(), -1);
    std::vector<char> seen(nodes.size(), 0);
    for (size_t start = 0; start < nodes.size(); ++start) {
        const std::vector<int> part = connectedPart(adjacency, int(start), seen);
        // The machines that count most decide who is a leaf: storage hung on a spine leaves it a spine.
        PartFamily main = PartFamily::network;
        for (const int node : part) {
            if (!isSwitch(node) && (main == PartFamily::network || nodes[size_t(node)].family < main))
                main = nodes[size_t(node)].family;
        }
        std::vector<int> front;
        for (const int node : part) {
            if (!isSwitch(node) && nodes[size_t(node)].family == main) {
                distance[size_t(node)] = 0;
                front.push_back(node);
            }
        }
        for (size_t i = 0; i < front.size(); ++i) {
            for (const int other : adjacency[size_t(front[i])]) {
                if (distance[size_t(other)] < 0 && isSwitch(other)) {
                    distance[size_t(other)] = distance[size_t(front[i])] + 1;
                    front.push_back(other);
                }
            }
        }
        for (const int node : part) {
            if (isSwitch(node))
                level[size_t(node)] = std::max(1, distance[size_t(node)]);
        }
    }
    return level;
}

std::vector<QPointF> tidyLayout(const std::vector<TidyNode>& nodes, const std::vector<std::pair<int, int>>& links) {
    Layout layout{nodes, adjacencyOf(nodes.size(), links), fabricLevels(nodes, links), {}, {}, {}, 0, 0, {}};
    layout.x.resize(nodes.size());
    layout.y.resize(nodes.size());
    layout.setUpBands();
    layout.placeBands();
    layout.placeTop();
    layout.orderRows();
    layout.placeRowsVertically();
    const double left = layout.x.empty() ? 0 : *std::min_element(layout.x.begin(), layout.x.end());
    std::vector<QPointF> places;
    for (size_t i = 0; i < nodes.size(); ++i)
        places.emplace_back(std::round((layout.x[i] - left) / 10) * 10, layout.y[i]);
    return places;
}

std::vector<TidyNode> tidyNodes(const TopologyPicture& picture, const Alternative& alternative) {
    std::unordered_map<std::string, int> roots;
    for (size_t i = 0; i < alternative.frames.size(); ++i) {
        const Frame* root = &alternative.frames[i];
        for (int guard = 0; guard < 64; ++guard) {
            const Frame* parent = alternative.findFrame(root->parent);
            if (!parent)
                break;
            root = parent;
        }
        roots[alternative.frames[i].id.value] = int(root - alternative.frames.data());
    }
    std::vector<TidyNode> nodes;
    for (const NodeFigure& figure : picture.nodes) {
        const auto root = roots.find(figure.frame.value);
        nodes.push_back({figure.look.family, root == roots.end() ? -1 : root->second});
    }
    return nodes;
}

std::vector<std::pair<int, int>> tidyLinks(const TopologyPicture& picture) {
    std::set<std::pair<int, int>> pairs;
    for (const LinkFigure& link : picture.links)
        pairs.insert(std::minmax(link.from, link.to));
    return {pairs.begin(), pairs.end()};
}

void placeMissing(TopologyPicture& picture, const Alternative& alternative) {
    const auto missing = std::count_if(picture.nodes.begin(), picture.nodes.end(), [](const auto& n) { return !n.placed; });
    if (missing == 0)
        return;
    if (missing == std::ptrdiff_t(picture.nodes.size())) {
        const std::vector<QPointF> places = tidyLayout(tidyNodes(picture, alternative), tidyLinks(picture));
        for (size_t i = 0; i < places.size(); ++i)
            picture.nodes[i].rect.moveTopLeft(places[i]);
        return;
    }
    QRectF taken;
    for (const NodeFigure& node : picture.nodes) {
        if (node.placed)
            taken |= node.rect;
    }
    const int perRow = std::max(4, int(std::ceil(std::sqrt(double(missing)))));
    int index = 0;
    for (NodeFigure& node : picture.nodes) {
        if (node.placed)
            continue;
        node.rect.moveTopLeft(QPointF(std::round(taken.left() / 10) * 10 + index % perRow * columnStep,
                                      std::round(taken.bottom() / 10) * 10 + 60 + index / perRow * wrappedRowStep));
        ++index;
    }
}

} // namespace cw
