// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of inference_latency.csv: time of a batch's prompts, time of a token afterwards, and mean GPU power, of a program that works on one
// batch at a time (Splitwise: eager PyTorch of 2023).
#include "estimators/serving/serving_constants.h"
#include "estimators/validation/kinds.h"
#include "estimators/validation/serving_fields.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr std::initializer_list<const char*> measuredKeys{"prefill_time", "ttft", "decode_time", "tpot", "power_share"}; // of one batch TTFT is the prompts' time
constexpr double cappedShare = .5; ///< of the TDP, where a source only says that power was capped

/// One batch on one replica.
struct BatchRun {
    double prefill = 0, decode = 0; ///< s
    double streamed = 0;            ///< share of a decode step in which the memory streams at its data-sheet rate
};

BatchRun runBatch(const Replica& replica, const ServedModel& model, double batch, double prompt, double output) {
    BatchRun run;
    const double context = prompt + output / 2;
    run.prefill = replica.step.prefill(batch * prompt, 0, batch, 1 / batch);
    run.decode = replica.step.decode(batch, context);
    const double cache = batch * context * replica.memory.kvPerToken;
    run.streamed = (replica.memory.weights + cache) / (replica.bandwidth * run.decode);
    (void)model;
    return run;
}

/// Mean power over prompt and tokens as a share of the TDP.
double powerShare(const ServingStack& stack, const BatchRun& run, double output) {
    if (!stack.set || !stack.set->has("power_idle_share"))
        return std::numeric_limits<double>::quiet_NaN();
    const double decoding = run.decode * std::max(0., output - 1);
    const double decode = decoding / (decoding + run.prefill);
    const Constants& of = *stack.set;
    return std::min(1., of["power_idle_share"] + of["power_decode_share"] * run.streamed * decode + of["power_prefill_share"] * (1 - decode));
}

/// Why a measured time cannot be: more arithmetic than the peak, or weights read faster than the memory streams. Empty: it can.
std::string impossible(const Row& row, std::string_view key, const Replica& replica, const ServedModel& model, double batch, double prompt) {
    const auto measured = row.number(key);
    if (!measured || !(*measured > 0))
        return {};
    const double devices = replica.layout.devices();
    const double arithmetic = 2 * model.activeParameters() * batch * prompt / (devices * replica.peak * *measured);
    const double streaming = replica.memory.weights / (replica.bandwidth * *measured);
    const bool prompts = key == "prefill_time" || key == "ttft";
    const double share = prompts ? arithmetic : streaming;
    if (!(share > 1) || (!prompts && model.experts > 0))
        return {};
    return "the measured time asks for " + std::to_string(std::lround(100 * share)) + (prompts ? " % of the peak arithmetic" : " % of the memory bandwidth")
         + ": the batch was cut short or is of another system";
}

std::vector<Prediction> predict(const Row& row, const Catalog& shipped) {
    std::string why;
    why = unusableInput(row, {"batch", "concurrency", "prompt", "output"});
    auto wish = why.empty() ? servedWish(row, shipped, why) : std::nullopt;
    if (!wish)
        return allWithout(row, measuredKeys, why);
    const NeuralModel* neural = servedModelOf(row, shipped, why);
    if (!neural)
        return allWithout(row, measuredKeys, why);
    ReplicaLayout layout = servedLayout(row);
    if (!row.has("tp") && layout.devices() == 1)
        layout.tensor = row.count("gpus", 1); // one batch runs on all of them
    wish->devices = layout.devices();
    wish->perMachine = layout.devices();
    if (!wish->powerCap && wish->gpu->tdp && hasWord(wordsOf(row, {"device", "platform", "system"}), {"pcap", "capped", "power-cap"}))
        wish->powerCap = cappedShare * si(*wish->gpu->tdp);
    const ServedFormats formats = servedFormats(row, *neural, wish->gpu, Precision::fp16);
    if (!formats.why.empty())
        return allWithout(row, measuredKeys, formats.why);
    const std::optional<ServedModel> model = servedModel(*neural, formats.weights, formats.kv);
    if (!model || !legal(*model, layout))
        return allWithout(row, measuredKeys, "the tensor size does not divide the model's heads");

    RowCluster cluster = rowCluster(*wish, shipped);
    const ResolvedDesign design = resolve(cluster.project, cluster.alternative(), cluster.catalog);
    const PartId named = servingStackOf(row);
    ReplicaSite site;
    site.machine = &design.machines.front();
    site.catalog = &cluster.catalog;
    const bool bloom = neural->id.value.starts_with("bloom"); // the host's work a layer belongs to a model's code
    site.stack = servingStack(cluster.catalog, named.empty() ? PartId(bloom ? "stack_eager_2023_bloom" : "stack_eager_2023") : named, false);
    site.device = servingDevice(cluster.catalog, *wish->gpu, site.stack);
    const double batch = std::max(1., row.number("batch", row.number("concurrency", 1))), prompt = std::max(1., row.number("prompt", 512));
    const double output = std::max(1., row.number("output", 128));
    const Replica replica = gpuReplica(site, *model, layout, prompt + output / 2);
    const BatchRun run = runBatch(replica, *model, batch, prompt, output);

    cluster.add(formats.note);
    cluster.add(named.empty() ? site.stack.set ? site.stack.set->name : "eager PyTorch of 2023" : "");
    if (wish->powerCap)
        cluster.add("power cap " + std::to_string(std::lround(*wish->powerCap)) + " W");
    std::vector<Prediction> out;
    const std::map<std::string_view, double> values{
        {"prefill_time", run.prefill}, {"ttft", run.prefill}, {"decode_time", run.decode}, {"tpot", run.decode}, {"power_share", powerShare(site.stack, run, output)}};
    for (const char* key : measuredKeys)
        if (const auto measured = row.measured(key)) {
            const std::string reason = std::string_view(key) == "power_share" ? std::string() : impossible(row, key, replica, *model, batch, prompt);
            out.push_back(reason.empty() ? predictionOf(*measured, values.at(key), cluster.note) : notPredicted(measured->column, measured->value, reason));
        }
    return out.empty() ? allWithout(row, measuredKeys, "") : out;
}

} // namespace

const FileKind latencyKind{"inference_latency", servingFields(), "prefill_time|decode_time|power_share", "device|model", &predict};

} // namespace cw
