// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/catalog/catalog.h"
#include "model/io/project_file.h"

namespace cw {

OwnParts ownParts(const Project& project) {
    OwnParts result;
    for (std::size_t at = 0; at < project.parts.size(); ++at) {
        const OwnPart& own = project.parts[at];
        auto part = parsePart(own.kind, own.json, "/parts/" + std::to_string(at) + "/part");
        if (part && info(*part).id == own.id) {
            result.parts.push_back(std::move(*part));
            continue;
        }
        if (part)
            result.errors.push_back({"/parts/" + std::to_string(at) + "/part/id", "\"" + own.id.value + "\"",
                                     "\"" + info(*part).id.value + "\"",
                                     "The entry has another id than the own part around it."});
        else
            result.errors.insert(result.errors.end(), part.error().begin(), part.error().end());
    }
    return result;
}

} // namespace cw
