// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/simulation/server.h"

#include "estimators/simulation/forming_server.h"
#include "estimators/simulation/llm_server.h"
#include "estimators/simulation/queue_server.h"

namespace cw::simulation {

namespace {

struct Make {
    std::uint32_t target;
    std::unique_ptr<Server> operator()(const QueueModel& model) const { return std::make_unique<QueueServer>(model, target); }
    std::unique_ptr<Server> operator()(const BatchingModel& model) const { return std::make_unique<FormingServer>(model, target); }
    std::unique_ptr<Server> operator()(const LlmModel& model) const { return std::make_unique<LlmServer>(model, target); }
};

} // namespace

bool holdsBatches(const Pool& pool) {
    const auto* llm = std::get_if<LlmModel>(&pool.kind);
    return llm ? llm->role != LlmModel::Role::prefill : std::holds_alternative<BatchingModel>(pool.kind);
}

std::unique_ptr<Server> makeServer(const Pool& pool, std::uint32_t target) { return std::visit(Make{target}, pool.kind); }

} // namespace cw::simulation
