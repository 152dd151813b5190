// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of training.csv: step time, rate of operations or tokens, utilisation and memory of a training run.
#include "estimators/estimate.h"
#include "estimators/training/model_shape.h"
#include "estimators/validation/kinds.h"
#include "estimators/validation/measured_rows.h"
#include "estimators/validation/row_cluster.h"
#include "estimators/validation/training_fields.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double torchtitanWatts = 500;

/// Operations of a step by the count of the source, one sample.
double countedOperations(const ModelShape& s, double sequence, const OperationCount& count) {
    if (s.convolutional)
        return s.operationsPerToken(1);
    const double scores = 12 * (s.attentionLayers + s.predictionModules) * s.heads * s.headDim * sequence * s.attentionShare(sequence);
    const double head = 6 * (1 + s.predictionModules) * s.vocabulary * s.hidden;
    double layers = s.operationsPerToken(sequence) - head - scores * (1 - count.attention);
    if (count.adapters) // no gradients of the weights; their sources leave the scores out
        return (s.operationsPerToken(sequence) - scores) * 4 / 6 * sequence;
    if (count.recomputed)
        layers += count.scoresAgain ? scores * count.attention / 3 : layers / 3;
    return (layers + head + (count.embedding ? head : 0)) * sequence;
}

/// What the row measures, in the order of the fields.
constexpr const char* measuredKeys[] = {"step_time",    "operations_rate",      "total_rate", "hardware_rate", "tokens_rate_per_gpu", "tokens_rate",
                                        "samples_rate", "samples_rate_per_gpu", "mfu",           "hfu",                 "peak_memory"};

/// Sequences of a step; 0: nothing in the row says.
int globalBatch(const Row& row, const Placement& placement, std::int64_t devices, std::string& note) {
    if (const auto given = row.count("global_batch"))
        return *given;
    const Parallelism& p = placement.parallelism;
    const std::int64_t model = static_cast<std::int64_t>(std::max(p.tensor, 1)) * std::max(p.pipeline, 1) * std::max(p.context, 1);
    const std::int64_t data = row.count("dp", static_cast<int>(std::max<std::int64_t>(1, devices / model)));
    const auto micro = row.count("micro_batch");
    if (!micro)
        return 0;
    note += "; batch from micro-batch, accumulation and data parallel size";
    return static_cast<int>(*micro * data * row.count("accumulate", 1));
}

/// Narrow formats need units of their own; a wider one that stands in is another run.
bool computes(const Gpu& gpu, Precision precision) {
    if (bytesPerValue(precision) > 1.1)
        return true;
    return gpu.peak.contains(precision) || (precision == Precision::mxfp8 && gpu.peak.contains(Precision::fp8));
}

double value(const Quantity* quantity) { return quantity ? quantity->value : std::numeric_limits<double>::quiet_NaN(); }

std::vector<Prediction> predict(const Row& row, const Catalog& shipped) {
    std::string why;
    if (!measuresAny(row, measuredKeys))
        return withoutPrediction(row, measuredKeys, "");
    auto wish = clusterWish(row, shipped, why);
    if (!wish)
        return withoutPrediction(row, measuredKeys, why);
    if (!row.has("gpus") && !row.has("nodes") && !row.has("per_node"))
        return withoutPrediction(row, measuredKeys, "the number of devices is not given");
    if (const auto precision = row.precision(); precision && !computes(*wish->gpu, *precision))
        return withoutPrediction(row, measuredKeys, "the device has no arithmetic of " + std::string(name(*precision)));
    std::string sourceNote;
    if (stackOf(row).value.starts_with("stack_torchtitan") && wish->gpu->id.value == "h100_sxm" && !row.has("power_cap")) {
        wish->powerCap = torchtitanWatts; // what its benchmark pages say of their machines
        sourceNote = "; GPUs capped at 500 W, as the source's are";
    }
    const auto model = modelOf(row, shipped, why);
    if (!model)
        return withoutPrediction(row, measuredKeys, why);
    RowCluster cluster = rowCluster(*wish, shipped);
    std::string note = sourceNote;
    const PartId stack = stackOf(row);
    Placement placement = placementOf(row, stack, *model, note);
    const int batch = globalBatch(row, placement, cluster.devices, note);
    if (batch < 1)
        return withoutPrediction(row, measuredKeys, "neither a global batch nor a micro-batch is given");

    LlmTraining spec;
    spec.model = model->id;
    spec.sequence = row.count("sequence", model->context > 0 ? std::min(model->context, 4096) : 2048);
    spec.globalBatch = batch;
    spec.precision = placement.precision.value_or(Precision::bf16);
    spec.adaptersOnly = trainsAdapters(row);
    const Catalog catalog = cluster.catalog.with({Part(*model)}, CatalogLayer::project);
    AlternativeEstimate result = estimateAlone(cluster, catalog, "training", spec, {placement});
    const WorkloadEstimate& run = result.workloads.front();
    const Quantity* step = run.latencyNamed("step");
    if (!step || !step->known())
        return withoutPrediction(row, measuredKeys, result.findings.empty() ? "no plan for this row can be estimated" : "not estimated: " + result.findings.front().code);

    const ModelShape shape = modelShape(*catalog.find<NeuralModel>(model->id));
    const double devices = static_cast<double>(cluster.devices), seconds = step->value;
    const double tokens = static_cast<double>(batch) * (shape.vision ? 1 : spec.sequence);
    const double perSecond = batch / seconds;
    const Gpu& gpu = *wish->gpu;
    const double peak = gpu.peakFor(spec.precision) ? si(*gpu.peakFor(spec.precision)) : std::numeric_limits<double>::quiet_NaN();
    const OperationCount count = operationCount(row);
    OperationCount modelOnly = count, hardware = count;
    modelOnly.recomputed = modelOnly.scoresAgain = false;
    hardware.recomputed = run.plan && run.plan->recompute != Recompute::none;
    hardware.scoresAgain = run.plan && run.plan->recompute == Recompute::selective;
    const auto rate = [&](const OperationCount& by) { return countedOperations(shape, spec.sequence, by) * perSecond / devices; };

    if (run.plan) {
        const ChosenPlan& plan = *run.plan;
        const auto open = [&](bool isOpen, const char* name, int chosen) {
            if (isOpen)
                note += "; " + std::string(name) + " " + std::to_string(chosen);
        };
        open(placement.parallelism.tensor == 0, "TP", plan.parallelism.tensor);
        open(placement.parallelism.pipeline == 0, "PP", plan.parallelism.pipeline);
        open(placement.parallelism.context == 0, "CP", plan.parallelism.context);
        open(placement.parallelism.expert == 0, "EP", plan.parallelism.expert);
        open(placement.microBatch == 0, "micro-batch", plan.microBatch);
        open(placement.interleave == 0 && plan.parallelism.pipeline > 1, "chunks", plan.interleave);
        open(placement.zeroStage < 0, "ZeRO", plan.zeroStage);
        if (placement.recompute == Recompute::automatic)
            note += "; recomputation " + std::string(name(plan.recompute));
    }
    if (!run.feasible)
        note += "; needs more memory than the device has by our count";
    if (stack.empty())
        note += "; default stack of the device";
    cluster.add(note.size() > 2 ? std::string_view(note).substr(2) : std::string_view());

    const std::map<std::string_view, double> values{
        {"step_time", seconds},
        {"operations_rate", rate(count)},
        {"total_rate", rate(count) * devices},
        {"hardware_rate", rate(hardware)},
        {"tokens_rate_per_gpu", tokens / seconds / devices},
        {"tokens_rate", tokens / seconds},
        {"samples_rate", perSecond},
        {"samples_rate_per_gpu", perSecond / devices},
        {"mfu", rate(modelOnly) / peak},
        {"hfu", rate(hardware) / peak},
        {"peak_memory", run.memory ? value(&run.memory->used) : std::numeric_limits<double>::quiet_NaN()},
    };
    const double stepSpread = step->high / step->value - 1;
    const TermId stepTerm = step->term, memoryTerm = run.memory ? run.memory->used.term : noTerm;
    const auto explanation = std::make_shared<const Explanation>(Explanation{std::move(result.derivation), result.catalog});
    std::vector<Prediction> out;
    for (const char* key : measuredKeys)
        if (auto measured = row.measured(key)) {
            const bool isShare = std::string_view(key) == "mfu" || std::string_view(key) == "hfu";
            if (isShare && measured->factor == 1 && measured->value > 1.5)
                measured->factor = .01; // per cent without saying so
            Prediction prediction = predictionOf(*measured, values.at(key), cluster.note);
            prediction.explanation = explanation;
            if (std::string_view(key) != "peak_memory")
                prediction.spread = stepSpread;
            prediction.term = std::string_view(key) == "peak_memory" ? memoryTerm : stepTerm;
            out.push_back(std::move(prediction));
        }
    return out;
}

} // namespace

const FileKind trainingKind{"training", trainingFields(),
                            "step_time|operations_rate|total_rate|tokens_rate_per_gpu|tokens_rate|samples_rate|samples_rate_per_gpu|mfu|hfu",
                            "device", &predict};

} // namespace cw
