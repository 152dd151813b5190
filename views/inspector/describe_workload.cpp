// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/describe_workload.h"

#include "views/inspector/lengths_view.h"
#include "views/text/names.h"
#include "views/text/quantity_text.h"

namespace cw {

namespace {

constexpr double centuries = 1e10; // seconds

FieldSpec withRange(FieldSpec spec, double low, double high) {
    spec.low = low;
    spec.high = high;
    return spec;
}

/// The optional latency target of a kind.
FieldSpec latencyTarget(const char* key, const QString& label, const QString& none) {
    return {.key = key,
            .label = label,
            .kind = FieldKind::number,
            .unit = Unit::seconds,
            .low = 1e-9,
            .high = centuries,
            .unset = none};
}

FieldSpec size(const char* key, const QString& label, const QString& help = {}, const QString& unset = {}) {
    return {.key = key, .label = label, .help = help, .kind = FieldKind::number, .unit = Unit::bytes, .unset = unset};
}

FieldSpec duration(const char* key, const QString& label, const QString& help = {}, const QString& unset = {}) {
    return {.key = key,
            .label = label,
            .help = help,
            .kind = FieldKind::number,
            .unit = Unit::seconds,
            .high = centuries,
            .unset = unset};
}

FieldSpec whole(const char* key, const QString& label, const QString& help = {}, double low = 1) {
    return {.key = key,
            .label = label,
            .help = help,
            .kind = FieldKind::number,
            .unit = Unit::count,
            .low = low,
            .high = 1e9,
            .whole = true};
}

FieldSpec rate(const char* key, const QString& label, Unit unit) {
    return {.key = key,
            .label = label,
            .help = WorkloadDescriber::tr("Mean over the busy period."),
            .kind = FieldKind::number,
            .unit = unit,
            .high = 1e12};
}

FieldSpec share(const char* key, const QString& label, const QString& help = {}) {
    return {.key = key, .label = label, .help = help, .kind = FieldKind::number, .unit = Unit::fraction, .low = 0, .high = 1};
}

FieldSpec variation(const char* key, const QString& label) {
    return {.key = key,
            .label = label,
            .help = WorkloadDescriber::tr("Coefficient of variation: 0 is always the same, 1 as spread as random arrivals."),
            .kind = FieldKind::number,
            .unit = Unit::one,
            .low = 0,
            .high = 20};
}

FieldSpec model(const char* key, const QString& label, const QString& unset = {}) {
    return {.key = key, .label = label, .kind = FieldKind::part, .unset = unset, .partKinds = {"model"}};
}

} // namespace

FieldSpec WorkloadDescriber::precision(const char* key, const QString& label) const {
    return {.key = key, .label = label, .kind = FieldKind::choice, .choices = precisionChoices()};
}

void WorkloadDescriber::training(FormSection& own) {
    using S = LlmTraining;
    add<S>(own, model("model", tr("Model")), [](auto& s) -> auto& { return s.model; });
    add<S>(own, whole("sequence", tr("Sequence"), tr("Tokens.")), [](auto& s) -> auto& { return s.sequence; });
    add<S>(own, whole("batch", tr("Global batch"), tr("Sequences in a step.")), [](auto& s) -> auto& { return s.globalBatch; });
    add<S>(own, precision("precision", tr("Precision")), [](auto& s) -> auto& { return s.precision; });
    add<S>(own,
           {.key = "tokens",
            .label = tr("Tokens in all"),
            .kind = FieldKind::number,
            .unit = Unit::tokens,
            .low = 1,
            .unset = tr("not said"),
            .zeroIsUnset = true},
           [](auto& s) -> auto& { return s.totalTokens; });
    add<S>(own,
           {.key = "optimizer",
            .label = tr("Optimizer"),
            .kind = FieldKind::choice,
            .choices = {{"adam", tr("Adam"), {}}, {"sgd", tr("SGD"), {}}}},
           [](auto& s) -> auto& { return s.optimizer; });
    add<S>(own,
           {.key = "adapters",
            .label = tr("Adapters only"),
            .help = tr("Low-rank adapters (LoRA) are trained; the weights stay as they are."),
            .kind = FieldKind::flag},
           [](auto& s) -> auto& { return s.adaptersOnly; });
    add<S>(own, size("dataset", tr("Data per sample"), tr("Read from storage: images, volumes."), tr("hardly any")),
           [](auto& s) -> auto& { return s.datasetPerSample; });
    add<S>(own, duration("checkpoint", tr("Checkpoint every"), {}, tr("as is best")),
           [](auto& s) -> auto& { return s.checkpointInterval; });
    add<S>(own,
           {.key = "mtbf",
            .label = tr("MTBF of a node"),
            .kind = FieldKind::number,
            .unit = Unit::hours,
            .low = 1,
            .high = 1e9,
            .unset = tr("from the catalog"),
            .zeroIsUnset = true},
           [](auto& s) -> auto& { return s.mtbfNodeHours; });
}

void WorkloadDescriber::serving(FormSection& own) {
    using S = LlmServing;
    const auto tokens = [](const char* key, const QString& label) {
        return FieldSpec{.key = key, .label = label, .kind = FieldKind::number, .unit = Unit::tokens, .low = 1, .high = 1e8};
    };
    add<S>(own, model("model", tr("Model")), [](auto& s) -> auto& { return s.model; });
    add<S>(own, precision("weights", tr("Weights")), [](auto& s) -> auto& { return s.weights; });
    add<S>(own, precision("kv", tr("KV cache")), [](auto& s) -> auto& { return s.kv; });
    add<S>(own, tokens("prompt", tr("Prompt, mean")), [](auto& s) -> auto& { return s.prompt.mean; });
    add<S>(own, variation("promptCv", tr("… variation")), [](auto& s) -> auto& { return s.prompt.cv; });
    add<S>(own, tokens("output", tr("Output, mean")), [](auto& s) -> auto& { return s.output.mean; });
    add<S>(own, variation("outputCv", tr("… variation")), [](auto& s) -> auto& { return s.output.cv; });
    if (const auto* spec = std::get_if<S>(&m_workload.spec)) {
        FormField lengths;
        lengths.spec = {.key = "lengths", .label = {}, .kind = FieldKind::custom};
        lengths.make = [](QWidget* parent) -> QWidget* { return new LengthsView(parent); };
        lengths.update = [prompt = spec->prompt, output = spec->output](QWidget* widget) { static_cast<LengthsView*>(widget)->setLengths(prompt, output); };
        own.fields.push_back(std::move(lengths));
    }
    add<S>(own, rate("rate", tr("Arrivals"), Unit::requestsPerSecond), [](auto& s) -> auto& { return s.arrivalRate; });
    FieldSpec users = whole("concurrency", tr("Users instead"), tr("A closed loop: so many requests are always under way."));
    users.unset = tr("open: by arrivals");
    add<S>(own, users, [](auto& s) -> auto& { return s.concurrency; });
    add<S>(own, share("prefix", tr("Prefix cache hit"), tr("Share of prompt tokens found in the cache.")),
           [](auto& s) -> auto& { return s.prefixCacheHit; });
    add<S>(own,
           {.key = "speculative",
            .label = tr("Speculative"),
            .help = tr("Extra tokens accepted a step, on average; 0 is off."),
            .kind = FieldKind::number,
            .low = 0,
            .high = 20},
           [](auto& s) -> auto& { return s.speculativeAccept; });
    add<S>(own, latencyTarget("ttft", tr("TTFT p99 within"), tr("no target")), [](auto& s) -> auto& { return s.ttftP99; });
    add<S>(own, latencyTarget("tpot", tr("TPOT p99 within"), tr("no target")), [](auto& s) -> auto& { return s.tpotP99; });
    add<S>(own, latencyTarget("p99", tr("p99 within"), tr("no target")), [](auto& s) -> auto& { return s.latencyP99; });
}

void WorkloadDescriber::batchInference(FormSection& own) {
    using S = BatchInference;
    add<S>(own, model("model", tr("Model"), tr("numbers below")), [](auto& s) -> auto& { return s.model; });
    add<S>(own,
           {.key = "operations",
            .label = tr("Work per item"),
            .kind = FieldKind::number,
            .unit = Unit::operations,
            .unset = tr("of the model")},
           [](auto& s) -> auto& { return s.operationsPerItem; });
    add<S>(own, size("bytes", tr("Bytes per item"), tr("Moved through memory."), tr("of the model")),
           [](auto& s) -> auto& { return s.bytesPerItem; });
    add<S>(own, size("weightBytes", tr("Weights"), tr("Read once a batch."), tr("of the model")),
           [](auto& s) -> auto& { return s.weightBytes; });
    add<S>(own, whole("sequence", tr("Tokens per item")), [](auto& s) -> auto& { return s.sequence; });
    add<S>(own, precision("precision", tr("Precision")), [](auto& s) -> auto& { return s.precision; });
    add<S>(own, whole("batchLimit", tr("Batch limit")), [](auto& s) -> auto& { return s.batchLimit; });
    add<S>(own, duration("batchDelay", tr("Batching delay"), tr("Longest wait for a batch to fill.")),
           [](auto& s) -> auto& { return s.batchDelay; });
    add<S>(own, duration("batchOverhead", tr("Per batch besides"), tr("Copies to the device and back, waiting for a stream.")),
           [](auto& s) -> auto& { return s.batchOverhead; });
    add<S>(own,
           {.key = "divergence",
            .label = tr("Divergence"),
            .help = tr("Factor by which branches slow a GPU, whose lanes all go the same way; CPUs do not mind. Trees: 4 to 32."),
            .kind = FieldKind::number,
            .unit = Unit::one,
            .low = 1,
            .high = 1e4},
           [](auto& s) -> auto& { return s.divergence; });
    add<S>(own, rate("rate", tr("Arrivals"), Unit::samplesPerSecond), [](auto& s) -> auto& { return s.arrivalRate; });
    add<S>(own, latencyTarget("p99", tr("p99 within"), tr("no target")), [](auto& s) -> auto& { return s.latencyP99; });
}

void WorkloadDescriber::service(FormSection& own) {
    using S = Service;
    add<S>(own, duration("cpuTime", tr("CPU per request"), tr("Core-seconds.")), [](auto& s) -> auto& { return s.cpuTime; });
    add<S>(own, variation("cpuCv", tr("… variation")), [](auto& s) -> auto& { return s.cpuTimeCv; });
    add<S>(own, whole("cores", tr("Cores per request")), [](auto& s) -> auto& { return s.coresPerRequest; });
    add<S>(own, rate("rate", tr("Arrivals"), Unit::requestsPerSecond), [](auto& s) -> auto& { return s.arrivalRate; });
    add<S>(own, whole("fanOut", tr("Fan-out"), tr("Parallel sub-requests; the slowest counts.")),
           [](auto& s) -> auto& { return s.fanOut; });
    add<S>(own, share("cache", tr("Cache hit"), tr("Share of requests answered without work.")),
           [](auto& s) -> auto& { return s.cacheHit; });
    add<S>(own, latencyTarget("timeout", tr("Timeout"), tr("callers wait")), [](auto& s) -> auto& { return s.timeout; });
    if (const auto* spec = std::get_if<Service>(&m_workload.spec); spec && spec->timeout)
        add<S>(own, whole("retries", tr("Retries"), tr("Times that a caller asks again; every attempt is load."), 0),
               [](auto& s) -> auto& { return s.retries; });
    add<S>(own, size("request", tr("Request")), [](auto& s) -> auto& { return s.requestBytes; });
    add<S>(own, size("response", tr("Response")), [](auto& s) -> auto& { return s.responseBytes; });
    add<S>(own, latencyTarget("p99", tr("p99 within"), tr("no target")), [](auto& s) -> auto& { return s.latencyP99; });
}

void WorkloadDescriber::stream(FormSection& own) {
    using S = Stream;
    add<S>(own, rate("rate", tr("Events"), Unit::eventsPerSecond), [](auto& s) -> auto& { return s.eventRate; });
    add<S>(own, size("bytes", tr("Size of an event")), [](auto& s) -> auto& { return s.eventBytes; });
    add<S>(own, duration("cpu", tr("CPU per event"), tr("Core-seconds.")), [](auto& s) -> auto& { return s.cpuPerEvent; });
    add<S>(own, whole("replication", tr("Replication")), [](auto& s) -> auto& { return s.replication; });
    add<S>(own, duration("retention", tr("Retention")), [](auto& s) -> auto& { return s.retention; });
    add<S>(own, latencyTarget("p99", tr("p99 within"), tr("no target")), [](auto& s) -> auto& { return s.latencyP99; });
}

void WorkloadDescriber::batchJob(FormSection& own) {
    using S = BatchJob;
    add<S>(own, duration("cpu", tr("CPU time"), tr("Core-seconds of the whole job.")),
           [](auto& s) -> auto& { return s.cpuTime; });
    add<S>(own, size("read", tr("Read")), [](auto& s) -> auto& { return s.read; });
    add<S>(own, size("shuffled", tr("Shuffled")), [](auto& s) -> auto& { return s.shuffled; });
    add<S>(own, size("written", tr("Written")), [](auto& s) -> auto& { return s.written; });
    add<S>(own, whole("tasks", tr("Tasks")), [](auto& s) -> auto& { return s.tasks; });
    add<S>(own, share("serial", tr("Serial share"), tr("Of the work, by one core after another.")),
           [](auto& s) -> auto& { return s.serialShare; });
    add<S>(own, rate("jobs", tr("Wanted"), Unit::jobsPerDay), [](auto& s) -> auto& { return s.jobsPerDay; });
    add<S>(own, latencyTarget("deadline", tr("Done within"), tr("no deadline")), [](auto& s) -> auto& { return s.deadline; });
}

void WorkloadDescriber::hpc(FormSection& own) {
    using S = Hpc;
    const std::vector<Choice> presets{choiceOf(Hpc::Preset::custom, tr("Own numbers")), choiceOf(Hpc::Preset::hpl, tr("HPL")),
                                      choiceOf(Hpc::Preset::hpcg, tr("HPCG")), choiceOf(Hpc::Preset::stencil, tr("Stencil"))};
    add<S>(own, {.key = "preset", .label = tr("Code"), .kind = FieldKind::choice, .choices = presets},
           [](auto& s) -> auto& { return s.preset; });
    add<S>(own, precision("precision", tr("Precision")), [](auto& s) -> auto& { return s.precision; });
    const auto* spec = std::get_if<Hpc>(&m_workload.spec);
    if (spec && spec->preset == Hpc::Preset::hpl)
        return; // its size follows from the memory of the machines
    add<S>(own,
           {.key = "weak",
            .label = tr("Weak scaling"),
            .help = tr("The numbers are per device instead of the whole problem."),
            .kind = FieldKind::flag},
           [](auto& s) -> auto& { return s.weakScaling; });
    add<S>(own,
           {.key = "operations", .label = tr("Work a step"), .kind = FieldKind::number, .unit = Unit::operations, .high = 1e30},
           [](auto& s) -> auto& { return s.operationsPerStep; });
    add<S>(own, size("memory", tr("Memory traffic"), tr("A step.")), [](auto& s) -> auto& { return s.memoryBytesPerStep; });
    add<S>(own, size("halo", tr("Halo"), tr("Sent by one device a step.")), [](auto& s) -> auto& { return s.haloBytesPerStep; });
    add<S>(own, whole("reductions", tr("Reductions"), tr("Global, a step."), 0),
           [](auto& s) -> auto& { return s.reductionsPerStep; });
    add<S>(own, withRange(whole("steps", tr("Steps")), 1, 1e15), [](auto& s) -> auto& { return s.steps; });
}

void WorkloadDescriber::pipeline(FormSection& own) {
    using S = Pipeline;
    add<S>(own, rate("rate", tr("Arrivals"), Unit::requestsPerSecond), [](auto& s) -> auto& { return s.arrivalRate; });
    add<S>(own, latencyTarget("p99", tr("p99 within"), tr("no target")), [](auto& s) -> auto& { return s.latencyP99; });
}

void WorkloadDescriber::kindFields(FormSection& own) {
    using Describe = void (WorkloadDescriber::*)(FormSection&);
    constexpr Describe byKind[] = {&WorkloadDescriber::training, &WorkloadDescriber::serving, &WorkloadDescriber::batchInference,
                                   &WorkloadDescriber::service,  &WorkloadDescriber::stream,  &WorkloadDescriber::batchJob,
                                   &WorkloadDescriber::hpc,      &WorkloadDescriber::pipeline};
    static_assert(std::size(byKind) == std::variant_size_v<WorkloadSpec>);
    (this->*byKind[m_workload.spec.index()])(own);
}

void describeWorkload(const InspectorContext& context, Form& form, const Workload& workload) {
    WorkloadDescriber(context, form, workload).run();
}

} // namespace cw
