// SPDX-License-Identifier: GPL-3.0-or-later
//
// Strong string ids: a NodeId is not a LinkId. Ids are stable for the life of an element, unique within their list,
// and are what edits, links, selections and findings refer to. An empty id is "none".
#pragma once

#include <functional> // <string> brings operator<=>; <compare> on its own stops moc of Qt 6.4
#include <string>
#include <string_view>

namespace cw {

template <class Tag> struct Id {
    std::string value;

    Id() = default;
    explicit Id(std::string v) : value(std::move(v)) {}
    explicit Id(std::string_view v) : value(v) {}
    explicit Id(const char* v) : value(v) {}
    bool empty() const { return value.empty(); }
    explicit operator bool() const { return !value.empty(); }
    auto operator<=>(const Id&) const = default;
    bool operator==(const Id&) const = default;
};

using AlternativeId = Id<struct AlternativeTag>;
using WorkloadId = Id<struct WorkloadTag>;
using NodeId = Id<struct NodeTag>;
using LinkId = Id<struct LinkTag>;
using RackId = Id<struct RackTag>;
using FrameId = Id<struct FrameTag>;
using PlacementId = Id<struct PlacementTag>;
using PartId = Id<struct PartTag>;

} // namespace cw

template <class Tag> struct std::hash<cw::Id<Tag>> {
    size_t operator()(const cw::Id<Tag>& id) const noexcept { return std::hash<std::string>{}(id.value); }
};
