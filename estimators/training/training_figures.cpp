// SPDX-License-Identifier: GPL-3.0-or-later
//
// The figures of a training estimate and what they rest on, down to data-sheet facts, calibrated constants and what the user asked for.
#include "estimators/training/training_job.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr const char* stepPage = "docs/equations.md, Training";
constexpr double secondsPerDay = 86400;

/// Leaves that several terms share; made once.
struct Leaves {
    Quantity peak, bandwidth, eta, share, derate, attention, straggler, networkShare, hideData, hideTensor;
    Quantity batch, sequence, layers, hidden, parameters;
    Quantity tensor, pipeline, data, context, expert, microBatch, interleave;
};

class Figures {
public:
    Figures(const TrainingJob& job, WorkloadResult& result)
        : m_job(job)
        , m_result(result)
        , m_estimate(result.estimate)
        , d(job.context.derivation) {}

    void fill() {
        makeLeaves();
        const Quantity step = stepTerm();
        m_estimate.latency.push_back({"step", step});
        throughput(step);
        efficiency(step);
        memory();
        duration();
        more(step);
    }

private:
    // A figure that is exact given its inputs.
    Quantity exact(const char* name, const char* equation, double value, Unit unit, std::initializer_list<Quantity> inputs) {
        return d.computed(name, equation, value, value, value, unit, inputs);
    }
    Quantity constant(const char* name, const char* key) {
        const TrainingStack& stack = m_job.run.stack;
        if (!stack.set || !stack.set->has(key))
            return d.assumption(name, 0, 0, 0, Unit::one, "no constants of a software stack");
        return d.calibrated(name, *stack.set, TrainingStack::keyFor(*stack.set, key, m_job.run.gpu), Unit::fraction);
    }
    Quantity size(const char* name, double value, bool given) {
        return given ? d.input(name, value, Unit::count, "placement")
                     : d.assumption(name, value, value, value, Unit::count, "chosen: the fastest plan that fits");
    }

    void makeLeaves();
    Quantity stepTerm();
    Quantity networkTerm();
    void throughput(const Quantity& step);
    void efficiency(const Quantity& step);
    void memory();
    void duration();
    void more(const Quantity& step);

    /// What the model is known to miss: the stack's own error and that of a device without measurements, independent of each other.
    double relativeError() const {
        const double device = m_job.run.device.gemm().error, stack = m_job.run.stack.error;
        return std::sqrt(stack * stack + device * device / 4);
    }

    const TrainingJob& m_job;
    WorkloadResult& m_result;
    WorkloadEstimate& m_estimate;
    Derivation& d;
    Leaves m_leaf;
};

void Figures::makeLeaves() {
    const TrainingCase& run = m_job.run;
    const NeuralModel& model = *m_job.shape.model;
    Leaves& l = m_leaf;
    const PartInfo* device = run.gpu ? static_cast<const PartInfo*>(run.gpu) : run.machine->cpu;
    const char* peakKey = !run.gpu ? "peak_bf16_gflops" : run.gpu->peak.contains(Precision::bf16) ? "bf16_tflops" : "fp16_tflops";
    l.peak = d.fact("16-bit peak of a device", *device, peakKey, run.device.peak(), Unit::operationsPerSecond);
    if (run.clock < 1)
        l.peak = exact("16-bit peak under the power cap", "peak · (cap / TDP)^0.45", run.device.peak(), Unit::operationsPerSecond,
                       {l.peak});
    l.bandwidth =
        d.fact("memory bandwidth of a device", *device, "memory_bandwidth_gb_s", run.device.bandwidth(), Unit::bytesPerSecond);
    if (run.device.gemm().set) {
        l.eta = d.calibrated("share of the peak at the best tile", *run.device.gemm().set, "eta", Unit::fraction);
        l.share = d.calibrated("share of memory bandwidth that kernels reach", *run.device.gemm().set, "mu", Unit::fraction);
    }
    l.derate = constant("share of it that the stack sustains", "derate");
    l.attention = run.stack.fusedAttention ? constant("attention kernel, share of the peak", "e_fa")
                                           : constant("batched products of attention, share of the peak", "e_bmm");
    l.straggler = constant("spread of device speeds", "strag");
    l.networkShare = constant("share of the line rate that collectives reach", "enet");
    l.hideData = constant("share of data-parallel traffic that is hidden", "ov_dp");
    l.hideTensor = constant("share of tensor-parallel traffic that is hidden", "ov_tp");
    l.batch = d.input("global batch", run.batch, Unit::count, "workload");
    l.sequence = m_job.shape.vision ? d.fact("tokens of an image", model, "context_tokens", run.sequence, Unit::tokens)
                                    : d.input("sequence length", run.sequence, Unit::tokens, "workload");
    l.layers = d.fact("layers", model, "layers_count", m_job.shape.layers, Unit::count);
    l.hidden = d.fact("hidden size", model, "hidden_size", m_job.shape.hidden, Unit::count);
    l.parameters =
        exact("parameters", "by the dimensions of the model", m_job.shape.parameters, Unit::count, {l.layers, l.hidden});
    const TrainingPlan& plan = m_job.plan;
    const PlanWishes& w = m_job.wishes;
    l.tensor = size("tensor parallel", plan.tensor, w.parallelism.tensor > 0);
    l.pipeline = size("pipeline stages", plan.pipeline, w.parallelism.pipeline > 0);
    l.data = size("data parallel", static_cast<double>(plan.data), w.parallelism.data > 0);
    l.context = size("context parallel", plan.context, w.parallelism.context > 0);
    l.expert = size("expert parallel", plan.expert, w.parallelism.expert > 0);
    l.microBatch = size("micro-batch", plan.microBatch, w.microBatch > 0);
    l.interleave = size("chunks of a stage", plan.interleave, w.interleave > 0);
}

/// Bandwidth of one device into the network tier that the job spans, down to the medium.
Quantity Figures::networkTerm() {
    const GroupFabric& group = m_job.group;
    const FabricTier& top = group.tierFor(static_cast<double>(m_job.plan.devices()));
    if (!top.network())
        return exact("scale-up bandwidth of a device", "step bandwidth of the device's collectives", m_job.run.scaleUpBandwidth,
                     Unit::bytesPerSecond, {});
    const ResolvedDesign& design = m_job.context.design;
    const Link& link = design.alternative->links[top.links.front()];
    const Medium* medium = m_job.context.catalog.find<Medium>(link.medium);
    const Quantity line = medium
        ? d.fact("line rate of a cable", *medium, "raw_gb_s", si(medium->rawBandwidth), Unit::bytesPerSecond)
        : d.unknown("line rate of a cable", Unit::bytesPerSecond, "medium not in the catalog");
    const Quantity cables =
        d.input("cables of the tier", static_cast<double>(m_job.context.fabric.capacity(top.links.front()).cables), Unit::count,
                "drawing");
    const Quantity devices = d.input("devices that share them", static_cast<double>(group.devices), Unit::count, "drawing");
    const Quantity bandwidth =
        exact("network bandwidth of a device", "narrowest tier: cables · line rate / devices, in the protocol's share",
              top.nominalPerDevice, Unit::bytesPerSecond, {line, cables, devices});
    if (!(m_job.run.networkRelief < 1))
        return bandwidth;
    const Quantity share = exact("fair share beside other traffic", "max-min among the flows on the fullest link in common",
                                 m_job.run.networkRelief, Unit::fraction, {});
    return d.product("network bandwidth left to a device", "bandwidth · fair share", {bandwidth, share}, Unit::bytesPerSecond);
}

Quantity Figures::stepTerm() {
    const StepTime& step = m_job.step;
    const Leaves& l = m_leaf;
    const auto part = [&](TimePart p) { return step.parts[static_cast<std::size_t>(p)]; };
    const Quantity microBatches = exact("micro-batches of a replica", "batch / (data parallel · micro-batch)", step.microBatches,
                                        Unit::count, {l.batch, l.data, l.microBatch});
    const Quantity products =
        exact("matrix products", "Σ over layers: overhead + max(waves · tile time, bytes / bandwidth)", step.productSeconds,
              Unit::seconds,
              {l.peak, l.eta, l.share, l.bandwidth, l.derate, l.layers, l.hidden, l.sequence, l.tensor, l.context, microBatches});
    const Quantity attention =
        exact("attention kernels", "4 b s² a d · c / (tp cp e P), 2.5 times as much backward", step.attentionSeconds,
              Unit::seconds, {l.peak, l.attention, l.sequence, l.tensor, l.context, microBatches});
    const Quantity memory =
        exact("memory-bound operations and optimizer", "bytes of norms, activations, optimizer / (share · bandwidth)",
              part(TimePart::memory), Unit::seconds, {l.bandwidth, l.share, l.parameters, microBatches});
    const Quantity scaleUp = exact("exposed scale-up traffic", "collectives inside a domain, less what is hidden",
                                   part(TimePart::scaleUp), Unit::seconds, {l.hideTensor, l.tensor});
    const Quantity network =
        exact("exposed network traffic", "collectives between domains, less what is hidden", part(TimePart::network),
              Unit::seconds, {networkTerm(), l.networkShare, l.hideData, l.parameters, l.data});
    const Quantity bubble = exact("pipeline bubble", "(p − 1)/v · mean stage + m · (slowest − mean stage)",
                                  part(TimePart::bubble), Unit::seconds, {l.pipeline, l.interleave, microBatches});
    const Quantity host = exact("host time that shows", "launches, routing, offload, fixed costs of the stack",
                                part(TimePart::host), Unit::seconds, {microBatches});
    const Quantity devices = exact("devices of the plan", "tp · pp · dp · cp", static_cast<double>(m_job.plan.devices()),
                                   Unit::count, {l.tensor, l.pipeline, l.data, l.context});
    const Quantity idle = exact("waiting for stragglers", "step · strag · sqrt(2 ln(devices/8))", part(TimePart::idle),
                                Unit::seconds, {l.straggler, devices});
    std::vector<Quantity> terms{products, attention, memory, scaleUp, network, bubble, host, idle};
    if (step.inputWait > 0)
        terms.push_back(exact(
            "waiting for input", "batch · bytes of a sample / storage read rate − step", step.inputWait, Unit::seconds,
            {m_job.storage.readTerm, d.input("bytes of a sample", si(*m_job.spec.datasetPerSample), Unit::bytes, "workload")}));
    const double error = relativeError();
    return d.computed("step time", "sum of what one device does and waits for", step.seconds, step.seconds / (1 + error),
                      step.seconds * (1 + error), Unit::seconds, terms, stepPage);
}

void Figures::throughput(const Quantity& step) {
    const bool vision = m_job.shape.vision;
    const Quantity units = vision
        ? m_leaf.batch
        : exact("tokens of a step", "batch · sequence", m_job.unitsPerStep, Unit::tokens, {m_leaf.batch, m_leaf.sequence});
    m_estimate.throughput = d.quotient("throughput", vision ? "batch / step time" : "batch · sequence / step time", units, step,
                                       vision ? Unit::samplesPerSecond : Unit::tokensPerSecond);
    m_result.unitCost = vision ? Unit::dollarsPerMillionRequests : Unit::dollarsPerMillionTokens;
}

void Figures::efficiency(const Quantity& step) {
    const double operations = stepOperations(m_job);
    const Quantity work =
        exact("operations of a step", "(6 parameters + 12 L a d s) · tokens, no recomputation, whole score matrix", operations,
              Unit::operations, {m_leaf.parameters, m_leaf.batch, m_leaf.sequence});
    const auto devices = static_cast<double>(m_job.run.devices);
    const Quantity all = d.input("devices", devices, Unit::count, "placement");
    const Quantity seconds = d.product("device seconds of a step", "step time · devices", {step, all}, Unit::seconds);
    const Quantity rate = d.quotient("rate of a device", "operations / device seconds", work, seconds, Unit::operationsPerSecond);
    const Quantity peak =
        exact("peak of the format", "16-bit peak · gain of the format",
              m_job.run.device.peak() / m_job.run.clock * m_job.run.dense.gain, Unit::operationsPerSecond, {m_leaf.peak});
    const Quantity share = d.quotient("MFU", "rate of a device / peak of the format", rate, peak, Unit::fraction);
    m_estimate.mfu = share;
    m_estimate.more.push_back({"flops_per_device", rate});
}

void Figures::memory() {
    const TrainingMemory& m = m_job.memory;
    const Leaves& l = m_leaf;
    WorkloadEstimate::Memory out;
    const TrainingPlan& plan = m_job.plan;
    const StageParameters held = stageParameters(m_job.shape, plan);
    const Quantity parameters = exact("parameters of a device", "of the fullest stage, before sharding",
                                      held.dense + held.experts, Unit::count, {l.parameters, l.tensor, l.pipeline, l.expert});
    const Quantity zero = size("ZeRO stage", plan.zero, m_job.wishes.zero >= 0);
    const auto add = [&](const char* key, const Quantity& q) {
        if (q.value > 0)
            out.parts.push_back({key, q});
    };
    add("weights",
        exact("weights", "2 bytes a parameter, over data ranks from ZeRO 3", m.weights, Unit::bytes, {parameters, zero, l.data}));
    add("gradients",
        exact("gradients", "bytes of a gradient · parameters, over data ranks from ZeRO 2", m.gradients, Unit::bytes,
              {parameters, zero, l.data}));
    add("optimizer",
        exact("optimizer state", "fp32 weights and moments, over data ranks from ZeRO 1", m.optimizer, Unit::bytes,
              {parameters, zero, l.data}));
    const double spread = .1; // allocator rounding and what a stack keeps besides
    add("activations",
        d.computed("activations", "bytes a layer · layers · micro-batches in flight", m.activations, m.activations * (1 - spread),
                   m.activations * (1 + spread), Unit::bytes,
                   {l.hidden, l.sequence, l.microBatch, l.tensor, l.context, l.pipeline}, "Korthikanti et al. 2022"));
    add("logits",
        exact("logits", "6 bytes · tokens · vocabulary / tp", m.logits, Unit::bytes, {l.sequence, l.microBatch, l.tensor}));
    add("gathered_weights", exact("gathered weights", "two layers, whole", m.working, Unit::bytes, {parameters}));
    add("reserve",
        d.assumption("reserve", m.reserve, m.reserve * .5, m.reserve * 1.5, Unit::bytes,
                     "device context, communication buffers, fragmentation"));
    std::vector<Quantity> parts;
    for (const NamedQuantity& part : out.parts)
        parts.push_back(part.quantity);
    out.used = d.sum("memory of a device", parts, Unit::bytes);
    out.capacity = m_job.run.gpu ? d.fact("memory of a GPU", *m_job.run.gpu, "memory_capacity_gb", m.capacity, Unit::bytes)
                                 : d.fact("memory of a machine", *m_job.run.machine->part, "ram_gb", m.capacity, Unit::bytes);
    out.fits = m.fits();
    m_estimate.memory = std::move(out);
}

void Figures::duration() {
    const Survival life = survival(m_job.context, m_job.spec, m_job.run, m_job.storage);
    m_estimate.goodput = life.goodput;
    if (life.interval.known()) {
        m_estimate.more.push_back({"checkpoint_interval", life.interval});
        m_estimate.more.push_back({"checkpoint_time", life.checkpoint});
        addStorageTraffic(m_result, m_job.context, m_job.storage, m_job.group, life.checkpointBytes, life.intervalSeconds, true);
    }
    const Quantity& rate = *m_estimate.throughput;
    m_result.unitsPerSecond = m_job.fits() ? rate.value * (life.goodput.known() ? life.goodput.value : 1) : 0;
    if (!(m_job.spec.totalTokens > 0))
        return;
    const Quantity total = d.input(m_job.shape.vision ? "samples to train on" : "tokens to train on", m_job.spec.totalTokens,
                                   m_job.shape.vision ? Unit::count : Unit::tokens, "workload");
    const Quantity useful =
        life.goodput.known() ? d.product("useful rate", "throughput · goodput", {rate, life.goodput}, rate.unit) : rate;
    m_estimate.daysToFinish =
        d.quotient("days to finish", "tokens / (throughput · goodput)", total, useful, Unit::days, 1 / secondsPerDay);
}

void Figures::more(const Quantity& step) {
    const StepTime& s = m_job.step;
    const auto share = [&](const char* key, const char* name, double seconds) {
        m_estimate.more.push_back({key, exact(name, "seconds / step time", seconds / s.seconds, Unit::fraction, {step})});
    };
    share("exposed_communication", "exposed communication", s.exposedCommunication);
    share("bubble", "pipeline bubble, share", s.bubble);
    m_estimate.more.push_back({"micro_batches",
                               exact("micro-batches of a replica", "batch / (data parallel · micro-batch)", s.microBatches,
                                     Unit::count, {m_leaf.batch})});
    // Against one scale-up domain that did the same work: what the network, the pipeline and the size cost.
    m_estimate.more.push_back({"scaling_efficiency",
                               exact("scaling efficiency", "time that would pass inside one scale-up domain / step time",
                                     insideSeconds(s) / s.seconds, Unit::fraction, {step})});
    if (m_job.memory.hostOptimizer > 0)
        m_estimate.more.push_back({"host_memory",
                                   exact("optimizer state on the host, a device's share", "state / data ranks",
                                         m_job.memory.hostOptimizer, Unit::bytes, {m_leaf.parameters})});
}

} // namespace

double stepOperations(const TrainingJob& job) {
    const ModelShape& s = job.shape;
    return s.operationsPerToken(job.run.sequence) * (s.vision && !s.convolutional ? job.run.sequence : 1) * job.unitsPerStep;
}

double insideSeconds(const StepTime& step) {
    double inside = 0;
    for (const TimePart part : {TimePart::compute, TimePart::memory, TimePart::host, TimePart::scaleUp})
        inside += step.parts[static_cast<std::size_t>(part)];
    return inside;
}

void fillFigures(const TrainingJob& job, WorkloadResult& result) { Figures(job, result).fill(); }

} // namespace cw
