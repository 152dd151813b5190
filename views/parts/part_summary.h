// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the palette says of a part beyond its look: group, short name, price, whether its key facts are estimated, tool tip. Pure functions;
// GUI thread because of the theme's colours in the tool tip.
#pragma once

#include "model/catalog/catalog.h"
#include "model/design/design.h"

#include <QString>

#include <optional>

namespace cw {

/// Groups of the palette in their order. `own` holds the user's own parts of any kind besides their usual group.
enum class PartGroup : quint8 {
    favourites,
    recent,
    own,
    gpuServers,
    cpuServers,
    switches,
    services,
    cloud,
    racks,
    devices,
    links,
    facility,
    models,
};
constexpr int partGroupCount = 13;

QString partGroupName(PartGroup group);
/// Empty for parts that are no use in a palette (regions, constants).
std::optional<PartGroup> partGroup(const Part& part);
/// Parts that can be dropped on the canvas.
bool isPlaceable(const Part& part);

/// Without the maker's name in front.
QString partShortName(const PartInfo& info);
/// "$ 270 k – 420 k" or "$ 98.3 / h"; empty when no price is known.
QString partPrice(const Part& part);
/// A fact the row shows, or one that estimates rest on most, is estimated.
bool hasEstimatedKeyFacts(const Part& part);
/// Rich text: name, maker, figures, what is estimated, notes, sources.
QString partToolTip(const Part& part, const Catalog& catalog);

/// Frames are dragged like parts, as "frame:pod" and so on.
QString frameItemId(FrameKind kind);
std::optional<FrameKind> frameKindOfItem(std::string_view id);
constexpr FrameKind frameKinds[] = {FrameKind::pod, FrameKind::room, FrameKind::zone, FrameKind::region, FrameKind::cloud};

} // namespace cw
