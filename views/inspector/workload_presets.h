// SPDX-License-Identifier: GPL-3.0-or-later
//
// Starting points for workloads: typical shapes to be changed, not claims about anybody's load. Where a number was published the help text
// says where. Pure data.
#pragma once

#include "model/design/project.h"

#include <QString>

#include <vector>

namespace cw {

struct WorkloadPreset {
    std::string key; ///< "chat", "rag", …; wish for the id
    QString name;
    QString help;
    WorkloadSpec spec;
    LoadProfile load = {};
};

std::vector<WorkloadPreset> workloadPresets();

/// A new workload from a preset, with an id and a name that are free in the project.
Workload workloadFrom(const WorkloadPreset& preset, const Project& project);

/// 24 shares of the peak: work hours busy, nights quiet.
std::vector<double> officeHours();
/// Users around the clock with a valley at night.
std::vector<double> nightValley();

} // namespace cw
