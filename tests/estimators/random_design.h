// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random but plausible designs for property tests: GPU and CPU stacks under leaves and spines, racks, workloads of every kind, placed.
#pragma once

#include "model/design/project.h"

#include <cstdint>

namespace cw::test {

/// The same seed gives the same project on every platform. One alternative.
Project randomDesign(std::uint32_t seed);

} // namespace cw::test
