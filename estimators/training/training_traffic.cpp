// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/training/training_job.h"

#include <algorithm>

namespace cw {

namespace {

constexpr double loaderCores = .08; // host cores that decode, shuffle and launch
constexpr double passes = 2;        // forward and backward

class TrafficList {
public:
    TrafficList(const TrainingJob& job, WorkloadResult& result)
        : m_job(job)
        , m_result(result) {}

    /// `bytes` leave each device's scale-up domain in a step.
    void add(const char* kind, double bytes, const RankGroup& ranks, Neighbours neighbours) {
        if (!(bytes > 0) || ranks.outer < 2)
            return;
        Traffic traffic;
        traffic.workload = m_job.workload.id;
        traffic.kind = kind;
        traffic.group = &m_job.group;
        addTierBytes(traffic.bytesPerDevice, bytes, ranks, neighbours);
        const double used = static_cast<double>(m_job.plan.devices()) / static_cast<double>(m_job.run.devices);
        for (double& each : traffic.bytesPerDevice)
            each *= std::min(used, 1.0);
        traffic.period = m_job.step.seconds;
        traffic.activeTime = std::min(
            m_job.step.seconds, networkSeconds(bytes, ranks, neighbours, m_job.run.stack.networkShare * m_job.run.networkRelief));
        m_result.traffic.push_back(std::move(traffic));
    }

private:
    const TrainingJob& m_job;
    WorkloadResult& m_result;
};

double layersOfDevice(const TrainingJob& job) { return job.step.microBatches * job.shape.layers / job.plan.pipeline; }

void addData(const TrainingJob& job, TrafficList& list) {
    const TrainingPlan& plan = job.plan;
    const StageParameters held = stageParameters(job.shape, plan);
    const double gradient = job.run.stack.gradientBytes * job.run.trained;
    const RankGroup shards = dataRanks(job.run, plan), experts = expertDataRanks(job.run, plan);
    const auto both = [&](const char* kind, Collective op, double bytesPerParameter) {
        list.add(kind, networkBytes(op, bytesPerParameter * held.dense, shards), shards, Neighbours::ring);
        list.add(kind, networkBytes(op, bytesPerParameter * held.experts, experts), experts, Neighbours::ring);
    };
    if (plan.zero == 0) {
        both("gradients", Collective::allReduce, gradient);
        return;
    }
    const double times = plan.zero >= 2 && plan.pipeline == 1 ? job.step.microBatches : 1;
    both("gradients", Collective::reduceScatter, gradient * times);
    both("parameters", Collective::allGather, plan.zero == 3 ? 2 * 2 * times : 2 * job.run.trained);
}

void addTensorAndContext(const TrainingJob& job, TrafficList& list) {
    const TrainingPlan& plan = job.plan;
    const ModelShape& s = job.shape;
    const double tokens = plan.microBatch * job.run.sequence / plan.context;
    const double reduces = (s.attentionLayers + s.stateLayers + s.denseLayers) / s.layers; // a layer and pass
    const RankGroup tensor = job.run.ranks(plan.tensor, 1);
    list.add("tensor",
             layersOfDevice(job) * passes * reduces * networkBytes(Collective::allReduce, 2 * tokens * s.hidden, tensor), tensor,
             Neighbours::ring);
    if (plan.context > 1) {
        const RankGroup context = job.run.ranks(plan.context, plan.tensor);
        const double exchange = 4 * tokens * std::max(s.kvHeads / plan.tensor, 1.0) * s.headDim * (plan.context - 1);
        list.add("context", layersOfDevice(job) * 3 * exchange, context, Neighbours::ring); // once forward, twice backward
    }
}

void addPipeline(const TrainingJob& job, TrafficList& list) {
    const TrainingPlan& plan = job.plan;
    if (plan.pipeline < 2)
        return;
    const RankGroup ranks = job.run.ranks(plan.pipeline, plan.data * plan.tensor * plan.context);
    const double tokens = plan.microBatch * job.run.sequence / plan.context;
    const bool split = job.run.stack.scatterSends || job.run.stack.sequenceParallel;
    const double chunks = static_cast<double>(plan.pipeline) * plan.interleave;
    const double sends = job.step.microBatches * plan.interleave * (chunks - 1) / chunks; // the last chunk sends nothing on
    list.add("pipeline", passes * sends * 2 * tokens * job.shape.hidden / (split ? plan.tensor : 1), ranks, Neighbours::ring);
}

void addExperts(const TrainingJob& job, TrafficList& list) {
    const TrainingPlan& plan = job.plan;
    const ModelShape& s = job.shape;
    if (!s.moe || plan.expert < 2)
        return;
    const RankGroup ranks = job.run.ranks(plan.expert, 1);
    const double tokens = plan.microBatch * job.run.sequence / plan.context / plan.tensor, domains = ranks.outer;
    const double crossing =
        2 * tokens * (s.latent > 0 ? s.latent : s.hidden) * domains * (1 - std::pow(1 - 1 / domains, s.expertsPerToken)) * (1 - 1 / domains);
    const double moeLayers = layersOfDevice(job) * s.moeLayers / s.layers;
    list.add("experts", moeLayers * passes * 2 * crossing, ranks, Neighbours::everybody);
}

} // namespace

void fillTraffic(const TrainingJob& job, WorkloadResult& result) {
    TrafficList list(job, result);
    addData(job, list);
    if (!job.shape.convolutional) {
        addTensorAndContext(job, list);
        addPipeline(job, list);
        addExperts(job, list);
    }
    if (job.spec.datasetPerSample)
        addStorageTraffic(result, job.context, job.storage, job.group, si(*job.spec.datasetPerSample) * job.run.batch,
                          job.step.seconds, false);
}

void fillActivity(const TrainingJob& job, WorkloadResult& result) {
    const StepTime& step = job.step;
    if (!(step.seconds > 0))
        return;
    for (const std::uint32_t node : job.group.nodes) {
        Activity activity;
        activity.node = node;
        activity.share = std::min(1.0, static_cast<double>(job.plan.devices()) / static_cast<double>(job.run.devices));
        activity.compute = step.share(TimePart::compute);
        activity.memory = step.share(TimePart::memory);
        activity.waiting = std::clamp(1 - activity.compute - activity.memory, 0.0, 1.0);
        activity.cpu =
            job.run.gpu ? std::min(1.0, loaderCores + step.offload / step.seconds) : activity.compute + activity.memory;
        result.activity.push_back(activity);
    }
}

} // namespace cw
