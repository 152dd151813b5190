// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/facility_constants.h"

#include "model/assert.h"

namespace cw {

const Constants& constantsOf(const Catalog& catalog, std::string_view kind, std::string_view subject) {
    if (const Constants* own = catalog.constants(kind, subject))
        return *own;
    const Constants* shipped = shippedCatalog().constants(kind, subject);
    CW_ASSERT(shipped != nullptr);
    return *shipped;
}

} // namespace cw
