// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/cabling.h"

#include "estimators/facility/facility_constants.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace cw {

namespace {

/// Half-filled 42U racks when none are drawn: only lengths depend on it.
constexpr double assumedUnitsPerRack = 25;
constexpr int deepestFrames = 64;

double unitsOf(const Machine& machine) {
    const double units = machine.server ? machine.server->heightU : machine.switchBox ? machine.switchBox->heightU : 0;
    return units > 0 ? units : 0;
}

/// Ends of links between rooms, zones and regions are further apart than a floor.
FrameId borderOf(const Alternative& alternative, const Node& node, FrameKind atLeast) {
    FrameId border, at = node.frame;
    for (int depth = 0; at && depth < deepestFrames; ++depth) {
        const Frame* frame = alternative.findFrame(at);
        if (!frame)
            break;
        if (frame->kind >= atLeast)
            border = frame->id;
        at = frame->parent;
    }
    return border;
}

struct Floor {
    const ResolvedDesign& design;
    const Constants& set;
    double betweenRacks = 0;
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> racksOf; ///< by node id

    Floor(const ResolvedDesign& d)
        : design(d)
        , set(constantsOf(*d.catalog, "cabling", "length")) {
        double racks = 0, units = 0;
        const auto& drawn = d.alternative->racks;
        for (std::uint32_t i = 0; i < drawn.size(); ++i) {
            racks += static_cast<double>(std::max<std::int64_t>(drawn[i].count, 0));
            for (const RackItem& item : drawn[i].items)
                racksOf[item.node.value].push_back(i);
        }
        for (const Machine& machine : d.machines)
            units += unitsOf(machine) * static_cast<double>(machine.count);
        racks = std::max({racks, std::ceil(units / assumedUnitsPerRack), 1.0});
        const double perRow = std::max(1.0, set["racks_per_row_count"]);
        const double rows = std::ceil(racks / perRow);
        // Two points of a row of length w are w/3 apart on average; so are two rows of a floor of depth d.
        betweenRacks = set["vertical_m"] + (std::min(racks, perRow) * set["rack_pitch_m"] + (rows - 1) * set["row_pitch_m"]) / 3;
    }

    bool sameRack(const Node& a, const Node& b) const {
        const auto ra = racksOf.find(a.id.value), rb = racksOf.find(b.id.value);
        if (ra == racksOf.end() || rb == racksOf.end())
            return false;
        // Only when each of the two stands nowhere else: then every pair can be in one rack.
        return ra->second.size() == 1 && ra->second == rb->second;
    }

    double length(const Node& a, const Node& b) const {
        const Alternative& alternative = *design.alternative;
        double metres = sameRack(a, b) ? set["in_rack_m"] : betweenRacks;
        if (borderOf(alternative, a, FrameKind::zone) != borderOf(alternative, b, FrameKind::zone))
            metres += 20'000;
        else if (borderOf(alternative, a, FrameKind::room) != borderOf(alternative, b, FrameKind::room))
            metres += set["room_m"];
        return metres * (1 + set["slack_fraction"]) + set["slack_m"];
    }
};

int modulesOf(const Cable& cable) { return cable.type.starts_with("optic") ? 2 : 1; }
double priceOf(const Cable& cable) { return modulesOf(cable) * (si(cable.price.low) + si(cable.price.high)); }

} // namespace

Cabling::Cabling(const ResolvedDesign& design) {
    const Alternative& alternative = *design.alternative;
    const Floor floor(design);
    m_runs.reserve(alternative.links.size());
    for (const Link& link : alternative.links) {
        Run run;
        const Node* from = nullptr;
        const Node* to = nullptr;
        if (const Machine* m = design.machine(link.from))
            from = m->node;
        if (const Machine* m = design.machine(link.to))
            to = m->node;
        run.medium = design.catalog->find<Medium>(link.medium);
        run.given = link.length.has_value();
        if (link.length)
            run.length = si(*link.length);
        else if (from && to)
            run.length = floor.length(*from, *to);
        if (run.medium && !run.medium->cables.empty()) {
            for (const Cable& cable : run.medium->cables) {
                if (si(cable.maxLength) >= run.length && (!run.cable || priceOf(cable) < priceOf(*run.cable)))
                    run.cable = &cable;
            }
            run.tooLong = run.cable == nullptr;
            if (run.tooLong)
                run.cable = &*std::max_element(run.medium->cables.begin(), run.medium->cables.end(),
                                               [](const Cable& a, const Cable& b) { return a.maxLength < b.maxLength; });
            run.modules = modulesOf(*run.cable);
        }
        m_runs.push_back(run);
    }
}

} // namespace cw
