// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of mlperf_inference.csv: tokens (or samples) a second offline, and served within the latency targets of the benchmark. Submitters
// choose the largest rate that still meets the targets, so that is what is predicted, and the percentiles are those at that rate.
#include "estimators/estimate.h"
#include "estimators/validation/kinds.h"
#include "estimators/validation/mlperf_hosts.h"
#include "estimators/validation/serving_fields.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr std::initializer_list<const char*> measuredKeys{"tokens_rate", "samples_rate", "ttft_p99", "tpot_p99"};

/// Targets of MLPerf Inference (p99) and mean lengths of its data sets; output lengths where a row does not tell them.
struct Benchmark {
    std::string_view model;
    double prompt, output;
    double serverTtft, serverTpot;           ///< s; 0: none
    double interactiveTtft, interactiveTpot;
    double latency = 0; ///< s, whole answer
    double beams = 1;   ///< work of a beam search over that of one answer
    double outputCv = 0, promptCv = 0; ///< variation of the lengths where it decides what the cache holds or a prompt takes
};
constexpr Benchmark benchmarks[] = {
    {"llama2_70b", 294, 294, 2, .2, .45, .04},      {"llama3_405b", 9428, 684, 6, .175, 4.5, .08, 0, 1, 0, .5}, {"llama3_8b", 778, 128, 2, .1, .5, .03},
    {"deepseek_r1", 800, 3880, 2, .08, 1.5, .015, 0, 1, 1},  {"mixtral_8x7b", 510, 145, 2, .2, 0, 0},       {"gptj_6b", 870, 69, 0, 0, 0, 0, 20, 2.4},
};

const Benchmark* benchmarkOf(const NeuralModel& model) {
    for (const Benchmark& benchmark : benchmarks)
        if (benchmark.model == model.id.value)
            return &benchmark;
    return nullptr;
}

/// Formats of submissions: the narrowest that the device computes and accuracy allows.
Precision submitted(const Gpu& gpu) {
    if (gpu.peak.contains(Precision::nvfp4))
        return Precision::nvfp4;
    if (gpu.peak.contains(Precision::mxfp4))
        return Precision::mxfp4;
    return gpu.peak.contains(Precision::fp8) ? Precision::fp8 : gpu.peak.contains(Precision::int8) ? Precision::int8 : Precision::fp16;
}

enum class Scenario { offline, server, interactive };

Scenario scenarioOf(const Row& row) {
    const std::string words = wordsOf(row, {"scenario", "mode", "family", "id"});
    if (hasWord(words, {"interactive"}))
        return Scenario::interactive;
    return hasWord(words, {"server"}) ? Scenario::server : Scenario::offline;
}

/// Why a row's scenario has no rate to predict: queries one after the other (MLPerf's streams), or a scenario that is not known.
std::string unratedScenario(const Row& row) {
    const std::string words = wordsOf(row, {"scenario", "mode"});
    if (hasWord(words, {"singlestream", "single_stream", "single-stream", "single stream", "multistream", "multi_stream", "multi-stream", "multi stream"}))
        return "a stream sends one query after the other: its latency is measured, no rate";
    if (row.has("scenario") && !hasWord(words, {"offline", "server", "interactive"}))
        return "the scenario \"" + std::string(row.text("scenario").substr(0, 40)) + "\" is not known";
    return {};
}

/// A CPU in the column of devices.
bool namesHost(const Row& row, const Catalog& catalog) {
    return hasWord(wordsOf(row, {"device"}), {"cpu", "xeon", "epyc"}) || findCpu(catalog, row.text("device"));
}

/// Encoders and image classifiers: whole batches one after the other.
std::vector<Prediction> predictBatches(const Row& row, RowCluster cluster, const NeuralModel& model, const ClusterWish& wish) {
    BatchInference spec;
    spec.model = model.id;
    spec.sequence = row.count("prompt", 384); // SQuAD
    spec.precision = findPrecision(wordsOf(row, {"precision"})).value_or(wish.gpu->peak.contains(Precision::int8) ? Precision::int8 : Precision::fp16);
    spec.batchLimit = row.count("batch", model.kind == "cnn" ? 1024 : 256);
    spec.arrivalRate = 1;
    const AlternativeEstimate result = estimateAlone(cluster, cluster.catalog, "batches", spec, {Placement()});
    const WorkloadEstimate& run = result.workloads.front();
    if (!run.capacity || !run.capacity->known())
        return allWithout(row, measuredKeys, whyNot(result));
    const auto measured = row.measured("samples_rate");
    if (!measured)
        return allWithout(row, measuredKeys, "only a rate of samples can be predicted for this benchmark");
    return {predictionOf(*measured, run.capacity->value, cluster.note)};
}

const NeuralModel* modelOfBenchmark(const Row& row, const Catalog& catalog, std::string& why) {
    const std::string words = wordsOf(row, {"model"});
    if (hasWord(words, {"bert"}))
        return catalog.find<NeuralModel>(PartId("bert_large"));
    if (hasWord(words, {"resnet"}))
        return catalog.find<NeuralModel>(PartId("resnet50"));
    return servedModelOf(row, catalog, why);
}

/// Round of MLPerf, 4.1 for "v4.1"; the newest where none is said.
double roundOf(const Row& row) {
    const std::string words = wordsOf(row, {"version", "id"});
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
        if (words[i] == 'v' && words[i + 1] >= '0' && words[i + 1] <= '9' && (i == 0 || words[i - 1] == ' ' || words[i - 1] == '_'))
            return std::atof(words.c_str() + i + 1);
    return 99;
}

/// Vendors tune a program for one model; who runs vLLM as it is on NVIDIA's devices says so.
PartId submittedStack(const Row& row, const Gpu& gpu, Scenario scenario) {
    if (gpu.vendor == "NVIDIA" && hasWord(wordsOf(row, {"software"}), {"vllm"}))
        return PartId("stack_vllm");
    std::string id = scenario == Scenario::offline ? "stack_mlperf_offline" : "stack_mlperf_server";
    return PartId(id + (roundOf(row) < 5 ? "_2024" : ""));
}

/// What submissions say in the names of their systems: half the power, and boards that reach each other over PCIe only.
void applySystem(const Row& row, ClusterWish& wish, Catalog& catalog) {
    const std::string words = wordsOf(row, {"id", "system", "platform", "device", "notes"});
    if (!wish.powerCap && wish.gpu->tdp && hasWord(words, {"maxq", "max-q", "max_q"}))
        wish.powerCap = .5 * si(*wish.gpu->tdp);
    if (wish.gpu->id == PartId("h100_pcie") && !hasWord(words, {"bridge", "nvlink"})) {
        Gpu board = *wish.gpu;
        board.scaleUpBandwidth.reset();
        catalog = catalog.with({board}, CatalogLayer::project);
        wish.gpu = catalog.find<Gpu>(board.id);
    }
}

ServedRow servedRow(const Row& row, RowCluster cluster, const Gpu* gpu, const NeuralModel& model, const Benchmark& benchmark, Scenario scenario) {
    ServedRow served{std::move(cluster), {}, {}};
    LlmServing& spec = served.spec;
    const ServedFormats formats = servedFormats(row, model, gpu, gpu ? submitted(*gpu) : Precision::fp8); // CPUs: eight bits, computed in sixteen
    served.cluster.add(formats.note);
    spec.model = model.id;
    spec.weights = formats.weights;
    spec.kv = gpu ? formats.kv : Precision::bf16;
    const double tokens = row.number("tokens_rate", 0), samples = row.number("samples_rate", 0);
    const double output = row.number("output", tokens > 0 && samples > 0 ? tokens / samples : benchmark.output);
    spec.prompt = {row.number("prompt", benchmark.prompt), benchmark.promptCv};
    spec.output = {output * benchmark.beams, benchmark.outputCv};
    spec.arrivalRate = 1e-3;
    if (scenario != Scenario::offline) {
        const bool interactive = scenario == Scenario::interactive;
        const double ttft = interactive ? benchmark.interactiveTtft : benchmark.serverTtft, tpot = interactive ? benchmark.interactiveTpot : benchmark.serverTpot;
        if (ttft > 0)
            spec.ttftP99 = seconds(ttft);
        if (tpot > 0)
            spec.tpotP99 = seconds(tpot);
        if (benchmark.latency > 0)
            spec.latencyP99 = seconds(benchmark.latency);
    }
    served.placement.parallelism.data = 1; // the best tensor size, each rank with its part of every layer
    served.placement.stack = gpu ? submittedStack(row, *gpu, scenario) : PartId("stack_mlperf_cpu");
    return served;
}

/// Percentiles at the rate that meets the targets, where the row measured any.
void addLatencies(const Row& row, const ServedRow& served, double samples, const Catalog& shipped, std::map<std::string_view, double>& values) {
    if (!row.has("ttft_p99") && !row.has("tpot_p99"))
        return;
    ServedRow loaded = served;
    loaded.spec.arrivalRate = samples * (1 - 1e-6);
    const AlternativeEstimate at = estimateServed(loaded);
    const WorkloadEstimate& there = at.workloads.front();
    const auto value = [&](const char* key) { return there.latencyNamed(key) ? there.latencyNamed(key)->value : std::numeric_limits<double>::quiet_NaN(); };
    const auto* stack = shipped.find<Constants>(served.placement.stack);
    values["ttft_p99"] = value("ttft_p99");
    values["tpot_p99"] = value("tpot_p99") * (stack ? stack->get("tpot_headroom_share", 1) : 1);
}

std::vector<Prediction> predictServed(const Row& row, ServedRow served, const Benchmark& benchmark, const Catalog& shipped) {
    AlternativeEstimate result = estimateServed(served);
    const WorkloadEstimate& run = result.workloads.front();
    if (!run.capacity || !(run.capacity->value > 0))
        return allWithout(row, measuredKeys, run.capacity ? "no rate meets the benchmark's targets by our count" : whyNot(result));
    const double tokens = run.capacity->value / benchmark.beams, samples = run.capacity->value / served.spec.output.mean;
    const TermId term = run.capacity->term;
    const double spread = run.capacity->high / run.capacity->value - 1;
    std::map<std::string_view, double> values{{"tokens_rate", tokens}, {"samples_rate", samples}};
    if (run.plan)
        served.cluster.add("TP " + std::to_string(run.plan->parallelism.tensor));
    addLatencies(row, served, samples, shipped, values);
    const auto explanation = std::make_shared<const Explanation>(Explanation{std::move(result.derivation), result.catalog});
    std::vector<Prediction> out;
    for (const char* key : measuredKeys)
        if (const auto measured = row.measured(key)) {
            const auto value = values.find(key);
            out.push_back(value == values.end() ? notPredicted(measured->column, measured->value, "not a latency of this scenario")
                                                : predictionOf(*measured, value->second, served.cluster.note));
            out.back().explanation = explanation;
            out.back().term = term;
            if (std::string_view(key).ends_with("_rate"))
                out.back().spread = spread;
        }
    return out.empty() ? allWithout(row, measuredKeys, "") : out;
}

/// "AMD Instinct MI300X 192GB HBM3 (x32); AMD Instinct MI325X (x16)": devices of each kind; empty where one is not known.
std::vector<std::pair<const Gpu*, int>> kindsOfDevices(std::string_view text, const Catalog& catalog) {
    std::vector<std::pair<const Gpu*, int>> kinds;
    for (std::size_t open = text.find("(x"); open != std::string_view::npos; open = text.find("(x")) {
        const Gpu* gpu = findGpu(catalog, text.substr(0, open));
        const int count = std::atoi(std::string(text.substr(open + 2, 6)).c_str());
        if (!gpu || count < 1)
            return {};
        kinds.emplace_back(gpu, count);
        const std::size_t close = text.find(')', open);
        text.remove_prefix(close == std::string_view::npos ? text.size() : close + 1);
    }
    return kinds;
}

/// Replicas of each kind beside each other: their rates add.
std::vector<Prediction> predictMixed(const Row& row, const ClusterWish& wish, const NeuralModel& model, const Benchmark& benchmark, Scenario scenario, const Catalog& shipped) {
    std::vector<Prediction> sum;
    for (const auto& [gpu, count] : kindsOfDevices(row.text("device"), shipped)) {
        ClusterWish part = wish;
        part.gpu = gpu;
        part.devices = count;
        part.perMachine = std::min(count, 8);
        const auto own = predictServed(row, servedRow(row, rowCluster(part, shipped), gpu, model, benchmark, scenario), benchmark, shipped);
        if (sum.empty())
            sum = own;
        else
            for (std::size_t i = 0; i < sum.size() && i < own.size(); ++i)
                sum[i].predicted += own[i].predicted;
    }
    if (sum.empty())
        return allWithout(row, measuredKeys, "devices of several kinds, one of which is not known");
    for (Prediction& prediction : sum) {
        prediction.explanation.reset(); // of the last kind only
        if (prediction.quantity.find("per_s") == std::string::npos && prediction.quantity.find("rate") == std::string::npos)
            prediction = notPredicted(prediction.quantity, prediction.measured, "a latency of devices of several kinds");
        else
            prediction.note = "devices of several kinds, rates added";
    }
    return sum;
}

std::vector<Prediction> predict(const Row& row, const Catalog& shipped) {
    std::string why = unratedScenario(row);
    if (why.empty())
        why = unusableInput(row, {"gpus", "nodes", "sockets", "prompt", "output", "batch"});
    if (!why.empty())
        return allWithout(row, measuredKeys, why);
    auto wish = servedWish(row, shipped, why);
    if (wish && !row.has("gpus") && !row.has("per_node") && !hasWord(wordsOf(row, {"device"}), {"(x"}))
        return allWithout(row, measuredKeys, "the row does not say how many accelerators there were"); // rates are of all of them
    const bool onHosts = !row.has("device") || namesHost(row, shipped); // a named accelerator does not become its host
    auto hosts = wish || !onHosts ? std::nullopt : hostCluster(row, shipped);
    if (!wish && !hosts)
        return allWithout(row, measuredKeys, why);
    const NeuralModel* model = modelOfBenchmark(row, shipped, why);
    if (!model)
        return allWithout(row, measuredKeys, why);
    Catalog catalog = shipped;
    if (wish)
        applySystem(row, *wish, catalog);
    RowCluster cluster = wish ? rowCluster(*wish, catalog) : std::move(*hosts);
    const Benchmark* benchmark = benchmarkOf(*model);
    if (!benchmark)
        return wish && (model->kind == "cnn" || model->id.value.starts_with("bert")) ? predictBatches(row, std::move(cluster), *model, *wish)
                                                                                     : allWithout(row, measuredKeys, "its data set and targets are not known here");
    if (const std::string format = servedFormats(row, *model, nullptr, Precision::fp8).why; !format.empty())
        return allWithout(row, measuredKeys, format);
    const Scenario scenario = scenarioOf(row);
    if (scenario == Scenario::interactive && !(benchmark->interactiveTpot > 0))
        return allWithout(row, measuredKeys, "this benchmark has no interactive scenario");
    if (wish && hasWord(wordsOf(row, {"device"}), {"(x"}))
        return predictMixed(row, *wish, *model, *benchmark, scenario, shipped);
    return predictServed(row, servedRow(row, std::move(cluster), wish ? wish->gpu : nullptr, *model, *benchmark, scenario), *benchmark, shipped);
}

} // namespace

const FileKind mlperfInferenceKind{"mlperf_inference", servingFields(), "tokens_rate|samples_rate", "model|scenario", &predict};

} // namespace cw
