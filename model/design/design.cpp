// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/design/design.h"

#include "model/assert.h"

#include <algorithm>
#include <array>

namespace cw {
namespace {

constexpr std::array<std::string_view, 7> patternNames = {"each", "mesh", "rail", "pair", "ring", "torus", "plane"};
constexpr std::array<std::string_view, 5> frameKindNames = {"pod", "room", "zone", "region", "cloud"};
constexpr std::array<std::string_view, 5> procurementNames = {"inherit", "buy", "on_demand", "reserved", "spot"};
constexpr std::array<std::string_view, 4> scalingNames = {"while_used", "fixed", "autoscaled", "to_zero"};
constexpr std::array<std::string_view, 4> recomputeNames = {"auto", "none", "selective", "full"};

template <class Enum, std::size_t N> std::string_view nameIn(const std::array<std::string_view, N>& names, Enum value) {
    const auto index = static_cast<std::size_t>(value);
    CW_ASSERT(index < N);
    return names[index];
}

template <class Enum, std::size_t N>
std::optional<Enum> valueIn(const std::array<std::string_view, N>& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        return std::nullopt;
    return static_cast<Enum>(found - names.begin());
}

template <class Element, class IdType> const Element* findIn(const std::vector<Element>& elements, const IdType& id) {
    const auto found = std::find_if(elements.begin(), elements.end(), [&id](const Element& element) { return element.id == id; });
    return found == elements.end() ? nullptr : &*found;
}

} // namespace

std::string_view name(Pattern pattern) { return nameIn(patternNames, pattern); }
std::optional<Pattern> patternFrom(std::string_view name) { return valueIn<Pattern>(patternNames, name); }
std::string_view name(FrameKind kind) { return nameIn(frameKindNames, kind); }
std::optional<FrameKind> frameKindFrom(std::string_view name) { return valueIn<FrameKind>(frameKindNames, name); }
std::string_view name(Procurement procurement) { return nameIn(procurementNames, procurement); }
std::optional<Procurement> procurementFrom(std::string_view name) { return valueIn<Procurement>(procurementNames, name); }
std::string_view name(Scaling scaling) { return nameIn(scalingNames, scaling); }
std::optional<Scaling> scalingFrom(std::string_view name) { return valueIn<Scaling>(scalingNames, name); }
std::string_view name(Recompute recompute) { return nameIn(recomputeNames, recompute); }
std::optional<Recompute> recomputeFrom(std::string_view name) { return valueIn<Recompute>(recomputeNames, name); }

const Node* Alternative::findNode(const NodeId& wanted) const { return findIn(nodes, wanted); }
const Link* Alternative::findLink(const LinkId& wanted) const { return findIn(links, wanted); }
const Rack* Alternative::findRack(const RackId& wanted) const { return findIn(racks, wanted); }
const Frame* Alternative::findFrame(const FrameId& wanted) const { return findIn(frames, wanted); }
const Placement* Alternative::findPlacement(const PlacementId& wanted) const { return findIn(placements, wanted); }

} // namespace cw
