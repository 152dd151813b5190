// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/catalog/part_reader.h"

namespace cw {
namespace {

template <std::size_t... Index> std::optional<Part> emptyPartOf(std::string_view kind, std::index_sequence<Index...>) {
    std::optional<Part> found;
    const auto tryOne = [&](Part part) {
        if (kindName(part) == kind)
            found = std::move(part);
    };
    (tryOne(Part(std::in_place_index<Index>)), ...);
    return found;
}

} // namespace

std::optional<Part> emptyPart(std::string_view kind) {
    return emptyPartOf(kind, std::make_index_sequence<std::variant_size_v<Part>>{});
}

std::string allKindNames() {
    std::string names;
    const auto add = [&](const Part& part) { names.append(names.empty() ? "" : ", ").append(kindName(part)); };
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        (add(Part(std::in_place_index<Index>)), ...);
    }(std::make_index_sequence<std::variant_size_v<Part>>{});
    return names;
}

} // namespace cw
