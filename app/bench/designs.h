// SPDX-License-Identifier: GPL-3.0-or-later
//
// Designs made for measuring: training clusters of any size in stacks or as separate nodes, and a serving one.
#pragma once

#include "model/design/project.h"

namespace cw::bench {

/// 8-GPU nodes in stacks with a rail-optimised leaf tier, spines, and a core above 4,096 GPUs; a fixed plan, so that no plan is searched.
Project stackedTraining(int gpus);
/// The same with every size of the plan left to the estimator.
Project openTraining(int gpus);
/// `nodes` separate 8-GPU nodes, leaves and spines, each a node of its own with its own links.
Project separateTraining(int nodes);
Project serving();
/// The shipped examples that hold a language model that serves.
std::vector<Project> servingExamples();
/// The shipped example with the most GPUs.
Project largestExample();

} // namespace cw::bench
