// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of inference_silicon.csv: TTFT and TPOT of continuous batching at a number of requests in flight, dense models and mixtures of
// experts. Rows that ask more arithmetic of the devices than they have are refused with that reason.
#include "estimators/estimate.h"
#include "estimators/serving/served_model.h"
#include "estimators/validation/kinds.h"
#include "estimators/validation/serving_fields.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr std::initializer_list<const char*> measuredKeys{"ttft", "tpot", "tokens_rate"};
constexpr double believable = .5; ///< of the dense peak, prompts and answers together

struct Lengths2 {
    double prompt = 0, output = 0, cv = 0;
    const char* note = "";
};

/// InferenceX draws lengths uniformly between .8 and 1 of the nominal: .9 on average, with a variation of .2/√12/.9.
Lengths2 lengthsOf(const Row& row, const NeuralModel& model) {
    Lengths2 lengths{row.number("prompt", 0), row.number("output", 0), 0, ""};
    const auto is = [&](double in, double out) { return lengths.prompt == in && lengths.output == out; };
    const bool sweep = model.id.value == "qwen3_32b" || model.id.value == "llama3_8b"; // other campaigns, equal lengths
    if (!sweep && (is(1024, 1024) || is(1024, 8192) || is(8192, 1024)))
        return {.9 * lengths.prompt, .9 * lengths.output, .2 / std::sqrt(12.) / .9, "lengths .8 to 1 of the nominal"};
    return lengths;
}

/// Share of the peak that the measured times ask for; more than about half is not reached by any step that also decodes.
double impliedShare(const Row& row, const ServedModel& model, const ReplicaLayout& layout, double peak, const Lengths2& lengths, double users) {
    const auto ttft = row.measured("ttft"), tpot = row.measured("tpot");
    if (!ttft || !tpot || !(peak > 0))
        return 0;
    const double cycle = ttft->value * ttft->factor + (lengths.output - 1) * tpot->value * tpot->factor;
    return 2 * model.activeParameters() * (lengths.prompt + lengths.output) * users / (cycle * layout.devices() * peak);
}

std::vector<Prediction> predict(const Row& row, const Catalog& shipped) {
    std::string why;
    auto wish = clusterWish(row, shipped, why);
    if (!wish)
        return allWithout(row, measuredKeys, why);
    const NeuralModel* neural = servedModelOf(row, shipped, why);
    if (!neural)
        return allWithout(row, measuredKeys, why);
    if (hasWord(wordsOf(row, {"mode"}), {"disagg"}))
        return allWithout(row, measuredKeys, "prefill and decode ran on devices apart, which one row of sizes does not describe");
    const Lengths2 lengths = lengthsOf(row, *neural);
    if (!(lengths.prompt >= 1) || !(lengths.output >= 1))
        return allWithout(row, measuredKeys, "the lengths of prompt and answer are not given");
    const auto users = row.count("concurrency") ? row.count("concurrency") : row.count("batch");
    if (!users)
        return allWithout(row, measuredKeys, "neither a concurrency nor a batch size is given");
    const ServedFormats formats = servedFormats(row, *neural, wish->gpu, Precision::bf16);
    const std::optional<ServedModel> model = servedModel(*neural, formats.weights, formats.kv);
    const ReplicaLayout layout = servedLayout(row);
    if (!model || !legal(*model, layout))
        return allWithout(row, measuredKeys, "a replica of " + std::to_string(layout.devices()) + " devices does not divide the model: figures of another system");

    wish->devices = layout.devices();
    ServedRow served{rowCluster(*wish, shipped), {}, {}};
    LlmServing& spec = served.spec;
    spec.model = neural->id;
    spec.weights = formats.weights;
    spec.kv = formats.kv;
    spec.prompt = {lengths.prompt, lengths.cv};
    spec.output = {lengths.output, lengths.cv};
    spec.concurrency = *users;
    served.placement.parallelism.tensor = layout.tensor;
    served.placement.parallelism.pipeline = layout.pipeline;
    served.placement.parallelism.data = layout.attentionData;
    served.placement.replicas = 1;
    served.placement.stack = servingStackOf(row);
    served.cluster.add(formats.note);
    served.cluster.add(lengths.note);
    // This release predicts several tokens a step with DeepSeek, without a column that says so.
    if (row.text("version") == "1.2.0rc6.post3" && neural->id.value.starts_with("deepseek")) {
        spec.speculativeAccept = .6;
        served.cluster.add("multi-token prediction of this release: 1.6 tokens a step");
    }
    if (served.placement.stack.empty())
        served.cluster.add("default stack of the device");

    AlternativeEstimate result = estimateServed(served);
    const WorkloadEstimate& run = result.workloads.front();
    const auto figure = [&](std::string_view name) -> const Quantity* {
        for (const NamedQuantity& more : run.more)
            if (more.name == name)
                return &more.quantity;
        return nullptr;
    };
    const Quantity *ttft = figure("ttft_mean"), *tpot = figure("tpot_mean");
    if (!ttft || !tpot || !ttft->known())
        return allWithout(row, measuredKeys, whyNot(result));
    const Precision arithmetic = wish->gpu->peak.contains(formats.weights) ? formats.weights : Precision::bf16;
    const double share = impliedShare(row, *model, layout, si(wish->gpu->peakFor(arithmetic).value_or(OperationsPerSecond{})), lengths, *users);
    if (share > believable)
        return allWithout(row, measuredKeys,
                          "the measured times ask for " + std::to_string(std::lround(100 * share))
                              + " % of the peak arithmetic: prompts were cached, or fewer requests were in flight");
    const std::map<std::string_view, double> values{
        {"ttft", ttft->value}, {"tpot", tpot->value}, {"tokens_rate", run.throughput ? run.throughput->value : std::numeric_limits<double>::quiet_NaN()}};
    const std::map<std::string_view, TermId> terms{{"ttft", ttft->term}, {"tpot", tpot->term}, {"tokens_rate", run.throughput ? run.throughput->term : noTerm}};
    const auto explanation = std::make_shared<const Explanation>(Explanation{std::move(result.derivation), result.catalog});
    std::vector<Prediction> out;
    for (const char* key : measuredKeys)
        if (const auto measured = row.measured(key)) {
            out.push_back(predictionOf(*measured, values.at(key), served.cluster.note));
            out.back().explanation = explanation;
            out.back().term = terms.at(key);
        }
    return out.empty() ? allWithout(row, measuredKeys, "") : out;
}

} // namespace

const FileKind siliconKind{"inference_silicon", servingFields(), "ttft|tpot", "model", &predict};

} // namespace cw
