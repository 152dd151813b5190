// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chances that enough of several alike machines are up. Pure functions.
#pragma once

#include <cstdint>

namespace cw {

/// Poisson: at most `most` of events with this mean; the normal limit for large means.
double probabilityAtMost(double mean, double most);

/// Of `members` machines, each up with `memberAvailability`, at most `spares` are down. Binomial; Poisson from 65 members on.
double tierAvailability(double memberAvailability, std::int64_t members, std::int64_t spares);

} // namespace cw
