// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/racks/elevation.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr int drawnMembers = 64; // of one item; nothing holds more

/// Lowest free place for a block; above the top when there is none.
double lowestFree(const Elevation& rack, double height) {
    for (int u = 1; u + height - 1 <= rack.units + 1e-9; ++u) {
        if (isFree(rack, u, height))
            return u;
    }
    double top = rack.units + 1;
    for (const RackDevice& device : rack.devices)
        top = std::max(top, device.u + device.height);
    return top;
}

void addItem(Elevation& rack, int index, const Alternative& alternative, const Catalog& catalog) {
    const RackItem& item = rack.items[size_t(index)];
    const Node* node = alternative.findNode(item.node);
    RackDevice device;
    device.node = item.node;
    device.item = index;
    device.name = QString::fromStdString(node ? node->name : item.node.value);
    device.look = partLook(node ? catalog.findPart(node->part) : nullptr);
    device.height = node ? heightOf(node->part, catalog) : 1;
    // Rack-scale systems bring their rack: they are as high as it is.
    if (device.height > rack.units && item.perRack == 1 && rack.items.size() == 1)
        rack.units = int(std::ceil(device.height));
    double u = item.u;
    for (int i = 0; i < std::clamp(item.perRack, 0, drawnMembers); ++i) {
        device.u = item.u > 0 ? u : lowestFree(rack, device.height);
        device.outside = device.u + device.height - 1 > rack.units + 1e-9;
        u += device.height;
        rack.devices.push_back(device);
    }
}

void fill(Elevation& rack, const Alternative& alternative, const Catalog& catalog) {
    // Fixed places first, then what goes where there is room.
    for (const bool fixed : {true, false}) {
        for (size_t i = 0; i < rack.items.size(); ++i) {
            if ((rack.items[i].u > 0) == fixed)
                addItem(rack, int(i), alternative, catalog);
        }
    }
    rack.unitsUsed = 0;
    for (const RackDevice& device : rack.devices)
        rack.unitsUsed += device.height;
}

Elevation drawn(const Rack& rack, const Catalog& catalog) {
    Elevation elevation;
    elevation.rack = rack.id;
    elevation.type = rack.part;
    const RackType* type = catalog.find<RackType>(rack.part);
    elevation.name = !rack.name.empty() ? QString::fromStdString(rack.name)
        : type                          ? QString::fromStdString(type->name)
                                        : QString::fromStdString(rack.part.value);
    elevation.count = rack.count;
    elevation.units = type && type->heightU > 0 ? type->heightU : 42;
    elevation.items = rack.items;
    return elevation;
}

} // namespace

double heightOf(const PartId& part, const Catalog& catalog) {
    double height = 0;
    if (const Server* server = catalog.find<Server>(part))
        height = server->heightU;
    else if (const Switch* box = catalog.find<Switch>(part))
        height = box->heightU;
    return height > 0 ? height : 1;
}

bool isFree(const Elevation& rack, double u, double height, int except) {
    if (u < 1 || u + height - 1 > rack.units + 1e-9)
        return false;
    return std::none_of(rack.devices.begin(), rack.devices.end(), [&](const RackDevice& device) {
        return device.item != except && !device.outside && device.u < u + height - 1e-9 && u < device.u + device.height - 1e-9;
    });
}

std::vector<Elevation> makeElevations(const Project&, const Alternative& alternative, const Catalog& catalog,
                                      const AlternativeEstimate* estimate) {
    std::vector<Elevation> elevations;
    for (const Rack& rack : alternative.racks) {
        elevations.push_back(drawn(rack, catalog));
        fill(elevations.back(), alternative, catalog);
    }
    if (!estimate)
        return elevations;
    for (const RackEstimate& load : estimate->racks) {
        auto target = std::find_if(elevations.begin(), elevations.end(),
                                   [&load](const Elevation& e) { return !load.automatic && e.rack == load.rack; });
        if (target == elevations.end()) {
            if (!load.automatic)
                continue; // of a rack that is gone by now
            Elevation elevation;
            elevation.automatic = true;
            elevation.type = load.type;
            const Part* type = catalog.findPart(load.type);
            elevation.name = QString::fromStdString(load.name.empty() && type ? info(*type).name : load.name);
            elevation.count = load.count;
            elevation.units = load.units > 0 ? int(std::lround(load.units)) : 42;
            elevation.items = load.items;
            fill(elevation, alternative, catalog);
            elevations.push_back(std::move(elevation));
            target = elevations.end() - 1;
        }
        target->power = load.power.value;
        target->typical = load.typical.value;
        target->limit = load.limit.value;
        target->weight = load.weight.value;
        target->inlet = load.inletC;
        target->outlet = load.outlet.value;
        target->airflow = load.airflow.value;
        target->ok = load.ok;
    }
    return elevations;
}

} // namespace cw
