// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/set_part.h"

#include "model/edit/edit.h"
#include "views/theme/part_look.h"

namespace cw {

void setPart(Node& node, const PartId& part, const Alternative& alternative, const Catalog& catalog) {
    const Part* before = catalog.findPart(node.part);
    const Part* after = catalog.findPart(part);
    if (before && after && before != after) {
        // "QM9700", "NVIDIA QM9700 (NDR, managed)", or "QM9700 2" where another had the name before.
        const std::string brief = shortName(*before).toStdString();
        const std::string_view rest = std::string_view(node.name).substr(std::min(brief.size(), node.name.size()));
        const bool numbered = node.name.starts_with(brief) && rest.find_first_not_of(" 0123456789") == std::string_view::npos;
        if (numbered || node.name == info(*before).name)
            node.name = freeName(alternative, shortName(*after).toStdString());
    }
    node.part = part;
}

} // namespace cw
