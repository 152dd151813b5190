// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/training/training_job.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double doubled = 2;

/// A resource of the job, the time that is due to it, and the case in which there is twice as much of it.
struct Candidate {
    ResourceUse use;
    double gain = 0; ///< of throughput; 0 where doubling has no meaning
};

ResourceUse use(const char* code, double utilisation) {
    ResourceUse result;
    result.resource = code;
    result.utilisation = utilisation;
    return result;
}

/// Name and elements of the network tier that the data or pipeline traffic fills most.
void nameNetwork(const TrainingJob& job, ResourceUse& resource) {
    const Alternative& alternative = *job.context.design.alternative;
    const FabricTier* worst = nullptr;
    double heaviest = 0;
    for (std::size_t k = 0; k < job.group.tiers.size(); ++k) {
        const FabricTier& tier = job.group.tiers[k];
        if (!tier.network())
            continue;
        const RankGroup all = job.run.ranks(static_cast<int>(job.plan.data * job.plan.context), job.plan.tensor);
        const double load = crossingShare(all, Neighbours::ring, k) / std::max(tier.nominalPerDevice, 1.0);
        if (!worst || load > heaviest * (1 + 1e-9)) {
            worst = &tier;
            heaviest = load;
        }
    }
    if (!worst)
        return;
    for (const std::uint32_t link : worst->links)
        resource.elements.push_back({ElementKind::link, alternative.id, alternative.links[link].id.value});
    const Link& first = alternative.links[worst->links.front()];
    const Node* from = alternative.findNode(first.from);
    const Node* to = alternative.findNode(first.to);
    if (from && to)
        resource.label = from->name + " → " + to->name;
}

double gainWith(const TrainingJob& job, const TrainingCase& relieved) {
    const StepTime step = stepTime(relieved, job.plan);
    return step.seconds > 0 ? std::max(0.0, job.step.seconds / step.seconds - 1) : 0;
}

TrainingCase withDevice(const TrainingJob& job, double compute, double bandwidth) {
    TrainingCase run = job.run;
    run.device = KernelDevice(run.device.gemm(), run.device.peak() * compute, run.device.bandwidth() * bandwidth);
    return run;
}

} // namespace

void fillResources(const TrainingJob& job, WorkloadResult& result) {
    WorkloadEstimate& estimate = result.estimate;
    const StepTime& step = job.step;
    estimate.timeParts = step.parts;
    const bool gpu = job.run.gpu != nullptr;
    std::vector<Candidate> all;
    all.push_back(
        {use(gpu ? "gpu.compute" : "cpu.compute", step.share(TimePart::compute)), gainWith(job, withDevice(job, doubled, 1))});
    all.push_back({use(gpu ? "gpu.memory_bandwidth" : "cpu.memory_bandwidth", step.share(TimePart::memory)),
                   gainWith(job, withDevice(job, 1, doubled))});
    const auto relieved = [&](auto&& change) {
        TrainingCase run = job.run;
        change(run);
        return gainWith(job, run);
    };
    if (step.share(TimePart::scaleUp) > 0)
        all.push_back({use("gpu.scale_up", step.share(TimePart::scaleUp)),
                       relieved([](TrainingCase& run) { run.scaleUpBandwidth *= doubled; })});
    if (step.share(TimePart::network) > 0) {
        all.push_back({use("network.link", step.share(TimePart::network)),
                       relieved([](TrainingCase& run) { run.networkRelief *= doubled; })});
        nameNetwork(job, all.back().use);
    }
    if (step.share(TimePart::host) > 0) {
        const bool offloaded = step.offload > step.share(TimePart::host) * step.seconds / 2;
        all.push_back({use(offloaded ? "host.pcie" : "host.launch", step.share(TimePart::host)), relieved([](TrainingCase& run) {
                           for (double* part : {&run.stack.hostForward, &run.stack.hostBackward, &run.stack.hostMoe,
                                                &run.stack.fixed, &run.stack.perMicroBatch})
                               *part /= doubled;
                           run.hostBandwidth *= doubled;
                           run.hostLink *= doubled;
                       })});
    }
    if (step.inputWait > 0) {
        all.push_back({use("storage.read", step.share(TimePart::storage)),
                       relieved([](TrainingCase& run) { run.samplesPerSecondRead *= doubled; })});
        for (const std::uint32_t node : job.storage.nodes)
            all.back().use.elements.push_back(
                {ElementKind::node, job.context.design.alternative->id, job.context.design.machines[node].node->id.value});
    }
    if (step.bubble > 0)
        all.push_back({use("pipeline.bubble", step.share(TimePart::bubble)), 0});
    for (Candidate& candidate : all)
        if (candidate.use.elements.empty())
            for (const std::uint32_t node : job.group.nodes)
                candidate.use.elements.push_back(
                    {ElementKind::node, job.context.design.alternative->id, job.context.design.machines[node].node->id.value});

    if (job.fits()) {
        std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.gain > b.gain; });
        Bottleneck bottleneck;
        bottleneck.binding = all.front().use;
        bottleneck.gainIfRelieved = all.front().gain;
        if (all.size() > 1)
            bottleneck.next = all[1].use;
        estimate.bottleneck = std::move(bottleneck);
    }
    if (job.memory.capacity > 0)
        all.push_back({use(gpu ? "gpu.memory_capacity" : "cpu.memory_capacity", job.memory.used() / job.memory.capacity), 0});
    std::stable_sort(all.begin(), all.end(),
                     [](const Candidate& a, const Candidate& b) { return a.use.utilisation > b.use.utilisation; });
    for (Candidate& candidate : all)
        estimate.resources.push_back(std::move(candidate.use));
    if (!job.fits()) { // what does not fit binds before anything runs
        Bottleneck bottleneck;
        const auto capacity = std::find_if(estimate.resources.begin(), estimate.resources.end(),
                                           [](const ResourceUse& r) { return r.resource.ends_with("memory_capacity"); });
        if (capacity != estimate.resources.end())
            bottleneck.binding = *capacity;
        estimate.bottleneck = std::move(bottleneck);
    }
}

} // namespace cw
