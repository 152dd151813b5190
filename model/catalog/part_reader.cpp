// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/catalog/part_reader.h"

namespace cw {
namespace {

/// One empty part of each kind.
const std::vector<Part>& emptyParts() {
    static const std::vector<Part> all = []<std::size_t... Index>(std::index_sequence<Index...>) {
        return std::vector<Part>{Part(std::in_place_index<Index>)...};
    }(std::make_index_sequence<std::variant_size_v<Part>>{});
    return all;
}

} // namespace

std::optional<Part> emptyPart(std::string_view kind) {
    for (const Part& part : emptyParts()) {
        if (kindName(part) == kind)
            return part;
    }
    return {};
}

std::string allKindNames() {
    std::string names;
    for (const Part& part : emptyParts())
        names.append(names.empty() ? "" : ", ").append(kindName(part));
    return names;
}

} // namespace cw
