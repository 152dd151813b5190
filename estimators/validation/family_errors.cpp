// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/family_errors.h"

#include "estimators/validation/columns.h"

#include <algorithm>

namespace cw {

double FamilyError::believed(bool measuredModel, bool measuredDevice) const {
    double range = own.p90;
    if (!measuredModel && model.p90 == model.p90)
        range = std::max(range, model.p90);
    if (!measuredDevice && device.p90 == device.p90)
        range = std::max(range, device.p90);
    return range;
}

bool FamilyError::measured(std::string_view wanted) const {
    for (std::string_view rest = devices; !rest.empty();) {
        const std::size_t space = rest.find(' ');
        if (rest.substr(0, space) == wanted)
            return true;
        rest.remove_prefix(space == std::string_view::npos ? rest.size() : space + 1);
    }
    return false;
}

const FamilyError* familyError(std::string_view file, std::string_view family, std::string_view quantity) {
    const std::string stem = fileStem(std::string(file));
    for (const FamilyError& candidate : familyErrors())
        if (candidate.file == stem && candidate.family == family &&
            (quantity.empty() ? candidate.quantity.find("mem") == std::string_view::npos : candidate.quantity == quantity))
            return &candidate;
    return nullptr;
}

} // namespace cw
