// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the closed forms evaluate, as systems to simulate: the same steps, the same machines, the same balancers. Where these do
// not look at queues and replicas do not fail, a few of many equal replicas stand for all: random splitting of Poisson arrivals leaves
// Poisson arrivals, and of others every one is kept or dropped at random.
// Pure functions.
#pragma once

#include "estimators/serving/batch_model.h"
#include "estimators/serving/serving_system.h"
#include "estimators/services/pipeline_model.h"
#include "estimators/services/service_model.h"
#include "estimators/simulation/system_model.h"

#include <limits>

namespace cw::simulation {

/// A system that stands for a larger one: `share` of its machines with that share of its requests.
struct ScaledSystem {
    SystemModel system;
    double share = 1;
    double present = std::numeric_limits<double>::quiet_NaN(); ///< requests on all machines, by the closed form
    std::int64_t replicas = 0; ///< of the whole, where all requests go to one pool of equal ones; else 0
};

LlmModel llmModel(const ReplicaLoad& load);

/// Open arrivals at `rate`; `users` above 0: a closed loop of so many instead.
ScaledSystem systemOf(const ServingSystem& serving, double rate, double users = 0, const RequestFlow& flow = {});
ScaledSystem systemOf(const ServiceModel& service, double rate, const RequestFlow& flow = {});
ScaledSystem systemOf(const BatchModel& batch, double rate, const RequestFlow& flow = {});
/// The balancers of its stages are those of the stages' own workloads. Empty where requests go round for ever.
std::optional<ScaledSystem> systemOf(const PipelineModel& pipeline, double rate, const RequestFlow& flow = {});

/// The same requests with one of the equal replicas broken.
SystemModel withOneDown(const ScaledSystem& scaled);

} // namespace cw::simulation
