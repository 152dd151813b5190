// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/training/training_job.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double muchExposed = .30, muchBubble = .15, muchHost = .20, muchInput = .05, muchNetwork = .10;
constexpr double tightMemory = .93;     // allocators start to thrash about here
constexpr double worthReplanning = .10; // gain of throughput below which a given plan is left alone
constexpr double narrowTier = 1.5;      // oversubscription that is worth a remark
constexpr double wideArea = 50e-6;      // borders slower than this are zones and regions
constexpr double lowGoodput = .9;

class TrainingRemarks {
public:
    TrainingRemarks(const TrainingJob& job, WorkloadResult& result)
        : m_job(job)
        , m_result(result) {}

    void all() {
        if (!m_job.fits()) {
            doesNotFit();
            return;
        }
        division();
        placementOfRanks();
        timeLost();
        betterPlan();
        memoryTight();
        goodput();
    }

private:
    Finding& add(Severity severity, const char* code, double weight) {
        m_result.findings.push_back(trainingFinding(m_job.context, m_job.workload, severity, code, weight));
        return m_result.findings.back();
    }
    void offer(Finding& finding, const char* code, const char* name, const Placement& after) {
        const Placement& before = m_job.placement();
        if (after == before)
            return;
        Edit edit;
        edit.name = name;
        edit.changes.push_back({{ElementKind::placement, m_job.context.design.alternative->id, before.id.value}, before, after});
        finding.fix = std::move(edit);
        finding.fixCode = code;
    }
    static Placement automatic(Placement placement) {
        placement.parallelism = {};
        placement.zeroStage = -1;
        placement.microBatch = placement.interleave = 0;
        placement.recompute = Recompute::automatic;
        return placement;
    }
    double share(TimePart part) const { return m_job.step.share(part); }

    void doesNotFit();
    void division();
    void placementOfRanks();
    void timeLost();
    void betterPlan();
    void memoryTight();
    void goodput();

    const TrainingJob& m_job;
    WorkloadResult& m_result;
};

void TrainingRemarks::doesNotFit() {
    const TrainingMemory& m = m_job.memory;
    Finding& finding = add(Severity::error, "training.memory", 1);
    const std::pair<const char*, double> parts[] = {{"weights", m.weights},
                                                    {"gradients", m.gradients},
                                                    {"optimizer state", m.optimizer},
                                                    {"activations", m.activations},
                                                    {"logits", m.logits}};
    const auto largest =
        std::max_element(std::begin(parts), std::end(parts), [](const auto& a, const auto& b) { return a.second < b.second; });
    const bool host = m.used() <= m.capacity;
    finding.arguments["needed"] = format(host ? m.hostOptimizer : m.used(), Unit::bytes);
    finding.arguments["available"] = format(host ? m.hostCapacity : m.capacity, Unit::bytes);
    finding.arguments["part"] = host ? "optimizer state on the host" : largest->first;
    // A plan of the estimator's own, then the same with the optimizer on the host.
    Placement after = automatic(m_job.placement());
    const PlanChoice open = choosePlan(m_job.run, PlanWishes::of(after));
    if (open.plan) {
        offer(finding, "training.choose_plan", "Let the estimator choose the plan", after);
        return;
    }
    after.offload = !after.offload;
    const PlanChoice moved = choosePlan(m_job.run, PlanWishes::of(after));
    if (moved.plan) {
        offer(finding, after.offload ? "training.offload" : "training.keep_on_device",
              after.offload ? "Keep the optimizer state in host memory" : "Keep the optimizer state on the GPUs", after);
        return;
    }
    TrainingCase larger = m_job.run; // how many machines would do, at the same batch where it can be split so far
    for (int factor = 2; factor <= 64; factor *= 2) {
        larger.devices = m_job.run.devices * factor;
        if (choosePlan(larger, PlanWishes::of(automatic(m_job.placement()))).plan) {
            finding.arguments["machines"] = std::to_string(m_job.group.machines * factor);
            break;
        }
    }
}

void TrainingRemarks::division() {
    const std::int64_t idle = m_job.run.devices - m_job.plan.devices();
    if (idle > 0) {
        Finding& finding =
            add(Severity::warning, "training.idle_devices", static_cast<double>(idle) / static_cast<double>(m_job.run.devices));
        finding.arguments["idle"] = std::to_string(idle);
        finding.arguments["devices"] = std::to_string(m_job.run.devices);
        offer(finding, "training.choose_plan", "Let the estimator choose the plan", automatic(m_job.placement()));
    }
    const std::vector<const char*> wrong = illegalities(m_job.run, m_job.plan);
    for (const char* what : wrong) {
        const bool batch = std::string_view(what) == "batch";
        Finding& finding = add(batch ? Severity::warning : Severity::error,
                               batch ? "training.batch_not_divisible" : "training.plan_not_legal", .5);
        finding.arguments["size"] = what;
        finding.arguments["batch"] = std::to_string(static_cast<std::int64_t>(m_job.run.batch));
        finding.arguments["data"] = std::to_string(m_job.plan.data);
        finding.arguments["micro_batch"] = std::to_string(m_job.plan.microBatch);
        if (m_job.wishes.complete() || m_job.wishes.microBatch > 0 || m_job.wishes.parallelism.data > 0)
            offer(finding, "training.choose_plan", "Let the estimator choose the plan", automatic(m_job.placement()));
        if (!batch)
            m_result.estimate.feasible = false;
    }
}

void TrainingRemarks::placementOfRanks() {
    const TrainingPlan& plan = m_job.plan;
    if (plan.tensor > m_job.run.domain) {
        Finding& finding = add(Severity::warning, "training.tensor_across_machines", share(TimePart::network));
        finding.arguments["tensor"] = std::to_string(plan.tensor);
        finding.arguments["domain"] = std::to_string(m_job.run.domain);
        Placement after = m_job.placement();
        after.parallelism = {};
        after.parallelism.tensor = m_job.run.domain;
        after.interleave = after.microBatch = 0;
        offer(finding, "training.tensor_inside_machine", "Keep tensor parallelism inside the scale-up domain", after);
    }
    const auto& tiers = m_job.group.tiers;
    const bool wide =
        std::any_of(tiers.begin(), tiers.end(), [](const FabricTier& tier) { return tier.borderLatency > wideArea; });
    if (wide) {
        Finding& finding = add(Severity::warning, "training.across_zones", std::max(.3, share(TimePart::network)));
        finding.arguments["share"] = format(share(TimePart::network), Unit::fraction);
        finding.arguments["latency"] = format(tiers.back().borderLatency, Unit::seconds);
    }
    const bool tcp = std::any_of(tiers.begin(), tiers.end(), [](const FabricTier& tier) { return tier.network() && !tier.rdma; });
    if (tcp && !wide)
        add(Severity::warning, "training.without_rdma", share(TimePart::network)).arguments["share"] =
            format(share(TimePart::network), Unit::fraction);
}

void TrainingRemarks::timeLost() {
    const double exposed = share(TimePart::network) + share(TimePart::scaleUp);
    if (exposed > muchExposed) {
        Finding& finding = add(Severity::warning, "training.exposed_communication", exposed);
        finding.arguments["share"] = format(exposed, Unit::fraction);
        const ResourceUse* binding = m_result.estimate.bottleneck ? &m_result.estimate.bottleneck->binding : nullptr;
        finding.arguments["where"] = share(TimePart::network) >= share(TimePart::scaleUp)
            ? binding && !binding->label.empty() ? binding->label : "network"
            : "scale-up link";
    }
    const FabricTier& top = m_job.group.tierFor(static_cast<double>(m_job.plan.devices()));
    if (top.network() && top.oversubscription > narrowTier && share(TimePart::network) > muchNetwork) {
        Finding& finding = add(Severity::advice, "training.oversubscribed", share(TimePart::network));
        finding.arguments["tier"] = top.name;
        finding.arguments["ratio"] = format(top.oversubscription, Unit::one, 2);
    }
    if (share(TimePart::bubble) > muchBubble) {
        Finding& finding = add(Severity::advice, "training.bubble", share(TimePart::bubble));
        finding.arguments["share"] = format(share(TimePart::bubble), Unit::fraction);
        finding.arguments["stages"] = std::to_string(m_job.plan.pipeline);
        finding.arguments["micro_batches"] = std::to_string(static_cast<std::int64_t>(m_job.step.microBatches));
        Placement after = m_job.placement();
        if (after.interleave == 1) {
            after.interleave = 0;
            offer(finding, "training.interleave", "Interleave the pipeline", after);
        }
    }
    if (share(TimePart::host) > muchHost) {
        Finding& finding =
            add(Severity::advice, m_job.plan.offload ? "training.offload_shows" : "training.host_bound", share(TimePart::host));
        finding.arguments["share"] = format(share(TimePart::host), Unit::fraction);
    }
    if (share(TimePart::storage) > muchInput) {
        Finding& finding = add(Severity::warning, "training.input_bound", share(TimePart::storage));
        finding.arguments["share"] = format(share(TimePart::storage), Unit::fraction);
        finding.arguments["available"] = format(m_job.storage.read, Unit::bytesPerSecond);
        const double without = m_job.step.seconds - m_job.step.inputWait;
        finding.arguments["needed"] = format(m_job.run.batch * si(*m_job.spec.datasetPerSample) / without, Unit::bytesPerSecond);
        for (const std::uint32_t node : m_job.storage.nodes)
            finding.elements.push_back(
                {ElementKind::node, m_job.context.design.alternative->id, m_job.context.design.machines[node].node->id.value});
    }
    if (m_job.spec.datasetPerSample && m_job.storage.drawnButUnreachable && m_job.storage.nodes.empty())
        add(Severity::warning, "training.storage_unreachable", .5);
}

/// A plan that somebody gave, held against the one the estimator would take.
void TrainingRemarks::betterPlan() {
    const Placement after = automatic(m_job.placement());
    if (after == m_job.placement())
        return;
    const PlanChoice open = choosePlan(m_job.run, PlanWishes::of(after));
    if (!open.plan || !(open.step.seconds > 0))
        return;
    const double gain = m_job.step.seconds / open.step.seconds - 1;
    if (gain < worthReplanning)
        return;
    Finding& finding = add(Severity::advice, "training.better_plan", std::min(1.0, gain));
    finding.arguments["gain"] = format(gain, Unit::fraction);
    finding.arguments["plan"] = "TP " + std::to_string(open.plan->tensor) + ", PP " + std::to_string(open.plan->pipeline) +
        ", DP " + std::to_string(open.plan->data) + ", CP " + std::to_string(open.plan->context) + ", EP " +
        std::to_string(open.plan->expert);
    offer(finding, "training.choose_plan", "Let the estimator choose the plan", after);
}

void TrainingRemarks::memoryTight() {
    const double use = m_job.memory.used() / m_job.memory.capacity;
    if (use <= tightMemory)
        return;
    Finding& finding = add(Severity::advice, "training.memory_tight", use - tightMemory);
    finding.arguments["used"] = format(m_job.memory.used(), Unit::bytes);
    finding.arguments["available"] = format(m_job.memory.capacity, Unit::bytes);
}

void TrainingRemarks::goodput() {
    const std::optional<Quantity>& goodput = m_result.estimate.goodput;
    if (!goodput || !goodput->known() || goodput->value >= lowGoodput)
        return;
    Finding& finding = add(Severity::warning, "training.low_goodput", 1 - goodput->value);
    finding.arguments["goodput"] = format(goodput->value, Unit::fraction);
    for (const NamedQuantity& more : m_result.estimate.more)
        if (more.name == "checkpoint_time")
            finding.arguments["checkpoint"] = format(more.quantity.value, Unit::seconds);
}

} // namespace

void addTrainingFindings(const TrainingJob& job, WorkloadResult& result) { TrainingRemarks(job, result).all(); }

} // namespace cw
