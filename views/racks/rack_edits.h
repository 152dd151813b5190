// SPDX-License-Identifier: GPL-3.0-or-later
//
// What moving things in and between racks means, as one edit each. Pure: changes nothing. A drop that cannot be says why.
#pragma once

#include "model/edit/edit.h"
#include "views/racks/elevation.h"

#include <QString>

#include <tl/expected.hpp>

namespace cw {

using RackEdit = tl::expected<Edit, QString>;

/// Everything a rack edit is made against.
struct RackScene {
    const Project& project;
    const AlternativeId& alternative;
    const Catalog& catalog;
    const std::vector<Elevation>& racks;
};

/// Makes an automatically packed rack part of the drawing, as it stands.
RackEdit adoptRack(const RackScene& scene, int rack);

struct DeviceMove {
    int fromRack = -1, item = -1; ///< what is moved
    bool single = false;          ///< one machine of the item instead of all
    int toRack = -1;
    int u = 0; ///< lowest unit; 0: where there is room
};
RackEdit moveDevice(const RackScene& scene, const DeviceMove& move);

/// A new stack of this part, one in each rack of the kind. A rack type on the ground (rack −1) becomes a new rack.
struct PartDrop {
    RackEdit edit = tl::unexpected(QString());
    ElementRef created;
};
PartDrop dropIntoRack(const RackScene& scene, const PartId& part, int rack, int u);

/// Takes an item out of its rack; the machines stay in the design.
RackEdit takeOut(const RackScene& scene, int rack, int item);

} // namespace cw
