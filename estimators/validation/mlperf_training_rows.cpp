// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of mlperf_training.csv: logged throughput (samples a second of the whole system) and time to train of MLPerf submissions. The
// benchmark names model, sequence length and samples to converge; the layout is rarely published and then chosen as `auto` would.
#include "estimators/estimate.h"
#include "estimators/validation/kinds.h"
#include "estimators/validation/measured_rows.h"
#include "estimators/validation/row_cluster.h"
#include "estimators/validation/training_fields.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr Field fields[] = {
    {"throughput", Dimension::number, 1,
     "throughput_logged|logged_throughput|samples_per_s|samples_per_second|samples_s|throughput_samples_per_s|throughput_samples_s|seq_per_s|samples_per_sec|"
     "throughput_samples_per_sec|throughput_samples_per_second|train_samples_per_s|training_throughput|train_throughput|sequences_per_s|seqs_per_s|tracked_throughput|"
     "throughput_logged_samples_per_s|samples_sec|sequences_s|seqs_per_sec|seqs_s|sequences_per_sec"},
    {"time_to_train", Dimension::time, 60, "time_to_train_min|ttt_minutes|time_to_convergence|train_time_min|training_time_min|minutes|ttt|ttt_min|time_min|result_min|latency_min|score|result|time_to_train_minutes|latency_minutes|run_duration|run_time|run_duration_min|run_time_min"},
    {"step_time", Dimension::time, 1, "step_time_s|iter_time|iter_time_s|train_step_time|train_step_timing|time_per_step|step_time_logged|iteration_time"},
    {"tp", Dimension::number, 1, "tensor_parallel|tensor_model_parallel|tensor_model_parallel_size|tp_size|tensor_parallel_size", true},
    {"pp", Dimension::number, 1, "pipeline_parallel|pipeline_model_parallel|pipeline_model_parallel_size|pp_size|pipeline_parallel_size", true},
    {"dp", Dimension::number, 1, "data_parallel"},
    {"cp", Dimension::number, 1, "context_parallel|context_parallel_size|cp_size"},
    {"ep", Dimension::number, 1, "expert_parallel"},
    {"vpp", Dimension::number, 1, "interleave|virtual_pipeline|virtual_stages|vp|interleaved_pipeline"},
    {"micro_batch", Dimension::number, 1, "mbs|micro_batch_size|microbatch|local_batch_size", true},
    {"global_batch", Dimension::number, 1, "gbs|global_batch_size|batch|batch_size", true},
    {"sequence", Dimension::number, 1, "seq|seq_len|sequence_length|max_sequence_length", true},
    {"samples", Dimension::number, 1, "samples_to_converge|mean_samples|samples_trained|train_samples|samples_count|samples_to_train|converged_samples|samples_to_convergence|samples_to_target|convergence_samples|epoch_samples"},
    {"submitter", Dimension::text, 1, "organization|organisation|vendor|company"},
};

constexpr const char* measuredKeys[] = {"throughput", "time_to_train", "step_time"};

/// What the rules of a benchmark fix; samples of its reference convergence.
struct Benchmark {
    std::string_view words, model; ///< words: all of them occur; parted by space
    int sequence, batch;
    bool adapters;
    double samples;
    double evaluated = 0, every = 1, from = 0; ///< samples of an evaluation, of training between two, before the first
};
constexpr Benchmark benchmarks[] = {
    {"llama lora", "llama2_70b", 8192, 8, true, 0, 173, 384, 1152},
    {"llama2", "llama2_70b", 8192, 8, true, 0, 173, 384, 1152},
    {"llama 405b", "llama3_405b", 8192, 1152, false, 0, 5760, 46080},
    {"llama 8b", "llama3_8b", 8192, 128, false, 0},
    {"gpt3", "gpt3_175b", 2048, 1536, false, 0, 5659, 24576},
    {"gpt 3", "gpt3_175b", 2048, 1536, false, 0, 5659, 24576},
    {"gpt 175b", "gpt3_175b", 2048, 1536, false, 0, 5659, 24576},
    {"gpt", "gpt3_175b", 2048, 1536, false, 0, 5659, 24576},
    {"deepseek", "deepseek_v3", 4096, 0, false, 0},
    {"bert", "bert_large", 512, 448, false, 0},
    {"resnet", "resnet50", 1, 3264, false, 0},
};

bool hasWords(std::string_view text, std::string_view words) {
    for (; !words.empty();) {
        const std::size_t space = words.find(' ');
        if (text.find(words.substr(0, space)) == std::string_view::npos)
            return false;
        words.remove_prefix(space == std::string_view::npos ? words.size() : space + 1);
    }
    return true;
}

const Benchmark* benchmarkOf(const Row& row) {
    const std::string name = normalisedColumn(std::string(row.text("model")) + " " + (row.has("model") ? "" : row.family()));
    for (const Benchmark& benchmark : benchmarks)
        if (hasWords(name, benchmark.words))
            return &benchmark;
    return nullptr;
}

/// Fine-tuning of a 70B model with adapters: replicas up to the batch, tensor parallel up to 4, the rest along the sequence.
void adapterLayout(Placement& placement, std::int64_t devices, int batch, std::string& note) {
    Parallelism& p = placement.parallelism;
    if (p.tensor > 0 || p.pipeline > 0)
        return;
    const auto data = static_cast<int>(std::min<std::int64_t>(devices, batch));
    const auto rest = static_cast<int>(std::max<std::int64_t>(1, devices / data));
    p.tensor = std::min(rest, 4);
    p.context = std::max(1, rest / p.tensor);
    p.pipeline = p.expert = 1;
    placement.microBatch = 1;
    note += "; layout TP " + std::to_string(p.tensor) + ", CP " + std::to_string(p.context) + " by the rule for adapters";
}

/// Samples whose time of training the evaluations take besides: a forward pass is a third of a step.
double evaluationSamples(const Benchmark& benchmark, double samples) {
    return std::floor(std::max(0.0, samples - benchmark.from) / benchmark.every) * benchmark.evaluated / 3;
}

std::vector<Prediction> predict(const Row& row, const Catalog& shipped) {
    if (!measuresAny(row, measuredKeys))
        return withoutPrediction(row, measuredKeys, "");
    const Benchmark* benchmark = benchmarkOf(row);
    if (!benchmark)
        return withoutPrediction(row, measuredKeys, "benchmark \"" + std::string(row.text("model")) + "\" is not one that the training estimator covers");
    std::string why, note;
    const auto wish = clusterWish(row, shipped, why);
    if (!wish)
        return withoutPrediction(row, measuredKeys, why);
    if (!row.has("gpus") && !row.has("nodes"))
        return withoutPrediction(row, measuredKeys, "the number of devices is not given");
    RowCluster cluster = rowCluster(*wish, shipped);
    const NeuralModel* model = shipped.find<NeuralModel>(PartId(benchmark->model));
    LlmTraining spec;
    spec.model = model->id;
    spec.sequence = row.count("sequence", benchmark->sequence);
    spec.globalBatch = row.count("global_batch", std::max(benchmark->batch, 1));
    spec.adaptersOnly = benchmark->adapters;
    if (!row.has("global_batch"))
        note += "; batch " + std::to_string(spec.globalBatch) + " of the reference";
    const bool narrow = model->kind == "transformer" && model->family != "BERT" && wish->gpu->peak.contains(Precision::fp8);
    spec.precision = row.precision().value_or(narrow ? Precision::fp8 : Precision::bf16);
    if (!row.has("precision"))
        note += "; " + std::string(name(spec.precision));
    Placement placement = placementOf(row, PartId(), *model, note);
    if (benchmark->adapters)
        adapterLayout(placement, cluster.devices, spec.globalBatch, note);
    AlternativeEstimate result = estimateAlone(cluster, cluster.catalog, "training", spec, {placement});
    const WorkloadEstimate& run = result.workloads.front();
    const Quantity* step = run.latencyNamed("step");
    if (!step || !step->known())
        return withoutPrediction(row, measuredKeys, result.findings.empty() ? "no plan for this row can be estimated" : "not estimated: " + result.findings.front().code);
    if (run.plan)
        note += "; TP " + std::to_string(run.plan->parallelism.tensor) + ", PP " + std::to_string(run.plan->parallelism.pipeline) + ", CP " +
            std::to_string(run.plan->parallelism.context) + ", DP " + std::to_string(run.plan->parallelism.data);
    cluster.add(note.size() > 2 ? std::string_view(note).substr(2) : std::string_view());
    const double rate = spec.globalBatch / step->value;
    const TermId term = step->term;
    const double seconds = step->value;
    const auto explanation = std::make_shared<const Explanation>(Explanation{std::move(result.derivation), result.catalog});
    std::vector<Prediction> out;
    for (const char* key : measuredKeys)
        if (const auto measured = row.measured(key)) {
            const std::string_view which = key;
            const double samples = row.number("samples", benchmark->samples);
            if (which == "time_to_train" && !(samples > 0)) {
                out.push_back(notPredicted(measured->column, measured->value, "samples to converge are not given: time to train is a matter of luck besides"));
                continue;
            }
            Prediction prediction = predictionOf(*measured, which == "throughput" ? rate : which == "step_time" ? seconds : (samples + evaluationSamples(*benchmark, samples)) / rate, cluster.note);
            prediction.explanation = explanation;
            prediction.term = term;
            out.push_back(std::move(prediction));
        }
    return out;
}

} // namespace

const FileKind mlperfTrainingKind{"mlperf_training", fields, "throughput|time_to_train", "model|gpus", &predict};

} // namespace cw
