// SPDX-License-Identifier: GPL-3.0-or-later
//
// A small project and an estimate of it that is made by hand, so that tests of panels know every figure they show and do not depend on
// how good the estimators are.
#pragma once

#include "estimators/live/live_estimator.h"
#include "model/design/project.h"

#include <memory>

namespace cw::test {

/// Two alternatives ("base" and "other") of 64 DGX H100 behind leaves and spines, in racks, with a training and a serving workload.
Project panelProject();

/// What the estimators could have said. `speed` scales throughput of the first alternative.
std::shared_ptr<const EstimateSet> panelEstimates(const Project& project, quint64 revision, double speed = 1);

} // namespace cw::test
