// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/figure.h"

#include "views/text/quantity_text.h"

namespace cw {

Figure figureOf(const AlternativeId& alternative, const WorkloadId& workload, std::string_view key) {
    return {alternative, quantityName(key), [workload, name = std::string(key)](const AlternativeEstimate& estimate) {
                return figureNamed(estimate, workload, name);
            }};
}

} // namespace cw
