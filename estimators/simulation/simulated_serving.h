// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the closed forms evaluate, as systems to simulate: the same steps, the same machines, the same balancers. Random splitting of
// Poisson arrivals leaves Poisson arrivals, so of many equal replicas behind a balancer that does not look at queues a few stand for all.
// Pure functions.
#pragma once

#include "estimators/serving/batch_model.h"
#include "estimators/serving/serving_system.h"
#include "estimators/services/pipeline_model.h"
#include "estimators/services/service_model.h"
#include "estimators/simulation/system_model.h"

namespace cw::simulation {

/// A system that stands for a larger one: `share` of its machines with that share of its requests.
struct ScaledSystem {
    SystemModel system;
    double share = 1;
};

LlmModel llmModel(const ReplicaLoad& load);

/// Open arrivals at `rate`; `users` above 0: a closed loop of so many instead.
ScaledSystem systemOf(const ServingSystem& serving, double rate, double users = 0);
ScaledSystem systemOf(const ServiceModel& service, double rate);
ScaledSystem systemOf(const BatchModel& batch, double rate);
/// All stages must have a model; empty where one is of a kind that is not simulated.
std::optional<ScaledSystem> systemOf(const PipelineModel& pipeline, double rate);

} // namespace cw::simulation
