// SPDX-License-Identifier: GPL-3.0-or-later
//
// What ways to pay for and to scale a cluster cost while its load varies, found by estimating again: over the share of the time in which
// the work is there (duty cycle), and over the rate, with as many machines as it takes. Crossovers are where two of them cost the same.
// Pure functions; a study is some tens of estimates, so it belongs into the background or behind a tab that is looked at.
#pragma once

#include "estimators/estimate.h"

#include <optional>
#include <vector>

namespace cw {

struct StudyPoint {
    double x = 0;              ///< duty, 0 to 1, or units of work a second
    double dollarsPerHour = 0; ///< mean over the year
    double watts = 0;          ///< facility, mean over the year
    double machines = 0;       ///< of the placements; what the point was estimated with
};

/// One alternative paid in one way.
struct StudyLine {
    AlternativeId alternative;
    std::optional<Procurement> paid; ///< empty: as drawn
    std::vector<StudyPoint> points;  ///< rising x
};

struct Crossover {
    std::size_t below = 0, above = 0; ///< lines: which one is cheaper below and above x
    double x = 0, dollarsPerHour = 0;
    bool cheapest = false; ///< no third line is cheaper there
};

struct LoadStudy {
    std::vector<StudyLine> lines;
    std::vector<Crossover> crossovers;
    Unit unit = Unit::fraction; ///< of x
    /// Cheapest line at x, or -1.
    int cheapestAt(double x) const;
};

/// Cost an hour over the duty cycle: every alternative that runs the workload as drawn, and `current` also bought and rented by the hour.
LoadStudy dutyStudy(const Project& project, const WorkloadId& workload, const Catalog& catalog, const AlternativeId& current);

/// Cost an hour over the rate: each alternative with as many of its machines as the rate takes, in steps. `upTo` 0: twice the workload's.
LoadStudy rateStudy(const Project& project, const WorkloadId& workload, const Catalog& catalog, double upTo = 0);

/// Cost of a line at x: between points straight (duty), or the step that carries x (rate). NaN outside.
double costAt(const StudyLine& line, double x, bool steps);

} // namespace cw
