// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is drawn of one alternative: rectangles, captions and figures as plain values, in the order they are painted. The canvas on the
// screen, the minimap and the pictures in documents all paint this, so that an export is what the screen shows. Made from a project in
// one go after every change (about 5 ms for 2 000 nodes and 10 000 links); nothing points back into the project. Any thread.
#pragma once

#include "estimators/estimate.h"
#include "model/catalog/catalog.h"
#include "model/design/project.h"
#include "views/theme/part_look.h"

#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <limits>
#include <unordered_map>
#include <vector>

namespace cw {

/// What colours and bars mean.
enum class Overlay : quint8 { load, temperature, power, cost };

constexpr double unknownFigure = std::numeric_limits<double>::quiet_NaN();

/// Ports of one speed and purpose, per member.
struct PortFigure {
    qint64 used = 0, count = 0;
    QString label; ///< "400G", "1G mgmt"
    bool operator==(const PortFigure&) const = default;
};

struct NodeFigure {
    NodeId id;
    PartId part;
    QRectF rect;
    QString name, caption, count; ///< count is empty for a single machine
    PartLook look;
    FrameId frame;
    std::vector<PortFigure> ports;
    double utilisation = unknownFigure;  ///< 0 to 1: the bar
    double overlayShare = unknownFigure; ///< 0 to 1: the tint, where the overlay is not the load
    QString overlayText;                 ///< "653 kW"
    bool placed = false;                 ///< the view of the project has a place for it
    bool selected = false;
};

struct FrameFigure {
    FrameId id;
    QRectF rect;
    QString title, kind;
    int hue = 0;
    int depth = 0; ///< how many frames it stands in
    FrameId parent;
    bool placed = false;
    bool selected = false;
};

/// A rack that has a place on the canvas.
struct RackFigure {
    RackId id;
    QRectF rect;
    QString name, caption, count;
    FrameId frame;
    double utilisation = unknownFigure; ///< power over limit
    bool selected = false;
};

struct LinkFigure {
    LinkId id;
    int from = -1, to = -1;      ///< indices of nodes
    int lane = 0, laneCount = 1; ///< among links of the same two nodes
    double utilisation = unknownFigure;
    double peak = unknownFigure; ///< utilisation while the phase runs that uses it most
    bool loop = false;           ///< ring or torus within one stack
    QString label;               ///< "93 %", "?" or empty
    QString medium;
    qint64 cables = 0; ///< 0: not estimated yet
    QStringList traffic; ///< a line for each kind of it: what, how fast, of the link
    bool selected = false;
};

struct TopologyPicture {
    std::vector<FrameFigure> frames; ///< outer before inner
    std::vector<LinkFigure> links;   ///< in the order of the alternative; links to nowhere are left out
    std::vector<NodeFigure> nodes;   ///< in the order of the alternative
    std::vector<RackFigure> racks;
    Overlay overlay = Overlay::load;
    double overlayLow = unknownFigure, overlayHigh = unknownFigure; ///< what ramp ends mean, in overlayUnit
    Unit overlayUnit = Unit::one;
    bool stale = false;

    int nodeIndex(const NodeId& id) const; ///< −1: none
    int linkIndex(const LinkId& id) const;
    int frameIndex(const FrameId& id) const;
    int rackIndex(const RackId& id) const;
    QRectF bounds() const; ///< of everything; a small rectangle around the origin when empty

    std::unordered_map<std::string, int> nodeIndices, linkIndices;
    std::unordered_map<std::string, std::vector<std::string>> nodesOfRack; ///< also of racks without a place
};

/// Card sizes in scene units; a node is placed by its top left corner.
constexpr QSizeF nodeSize{200, 58};
constexpr QSizeF rackSize{150, 44};
constexpr double framePadding = 28; ///< around automatic frames; the title needs some more above
constexpr double frameTitle = 24;

/// Places everything: as the view of the project says; what it does not say is laid out (tidy_layout.h) beside the rest.
TopologyPicture makePicture(const Project& project, const Alternative& alternative, const Catalog& catalog);

/// The space around the content of a frame, title included; empty when nothing stands in it.
QRectF frameAround(const TopologyPicture& picture, const FrameId& frame);

/// Fills in what the estimate says (null: nothing is known yet).
void applyEstimate(TopologyPicture& picture, const AlternativeEstimate* estimate, Overlay overlay);

} // namespace cw
