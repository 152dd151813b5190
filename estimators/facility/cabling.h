// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long the cables of a drawn link are and which kind is bought for that length. Lengths that are not given follow from the racks:
// inside one rack, or over the floor that the racks make. Built once per estimate.
#pragma once

#include "estimators/base/resolved.h"

#include <cstdint>
#include <vector>

namespace cw {

class Cabling {
public:
    explicit Cabling(const ResolvedDesign& design);

    struct Run {
        double length = 0;    ///< metres of one cable, slack included
        bool given = false;   ///< the length was entered
        bool tooLong = false; ///< no cable of this medium reaches
        const Medium* medium = nullptr;
        const Cable* cable = nullptr; ///< null: the medium has none to buy (leased lines, links inside a machine)
        int modules = 0;              ///< bought per cable: 1 for a cable with its ends, 2 for optics at both ends
    };
    const Run& run(std::uint32_t link) const { return m_runs[link]; }

private:
    std::vector<Run> m_runs;
};

} // namespace cw
