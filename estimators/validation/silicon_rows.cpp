// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of inference_silicon.csv: TTFT and TPOT of continuous batching at a number of requests in flight, dense models and mixtures of
// experts. Rows that ask more arithmetic of the devices than they have are refused with that reason.
#include "estimators/estimate.h"
#include "estimators/serving/served_model.h"
#include "estimators/validation/kinds.h"
#include "estimators/validation/serving_fields.h"
#include "estimators/validation/silicon_campaigns.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr std::initializer_list<const char*> measuredKeys{"ttft", "tpot", "tokens_rate", "tokens_rate_per_gpu", "all_tokens_rate_per_gpu", "user_rate"};

/// Prefill and decode on devices apart.
struct Apart {
    ReplicaLayout prefill, decode;
    int prefillWorkers = 0, decodeWorkers = 0;
};

bool runsApart(const Row& row) { return hasWord(wordsOf(row, {"mode"}), {"disagg"}) || (row.has("prefill_tp") && row.has("decode_tp")); }

Placement placementOf(const ReplicaLayout& layout, int replicas, const PartId& stack) {
    Placement placement;
    placement.parallelism.tensor = layout.tensor;
    placement.parallelism.pipeline = layout.pipeline;
    placement.parallelism.data = layout.attentionData;
    placement.replicas = replicas;
    placement.stack = stack;
    return placement;
}

/// Machines that only answer beside those that only read prompts, on the same leaves. One rack of a scale-up domain stays whole.
void splitMachines(RowCluster& cluster, std::int64_t answering) {
    Alternative& alternative = cluster.alternative();
    Node answers = alternative.nodes.front();
    answers.id = NodeId("answers");
    answers.name = "answers";
    answers.count = answering;
    alternative.nodes.front().count -= answering;
    const std::vector<Link> links = alternative.links;
    for (Link link : links)
        if (link.from == NodeId("devices")) {
            link.id = LinkId("answers_" + link.to.value);
            link.from = answers.id;
            alternative.links.push_back(std::move(link));
        }
    alternative.nodes.push_back(std::move(answers));
}

/// The cluster of an apart row with both placements; nodes by need.
ServedRow servedApart(const Apart& apart, ClusterWish wish, const PartId& stack, const Catalog& shipped) {
    const std::int64_t reading = static_cast<std::int64_t>(apart.prefillWorkers) * apart.prefill.devices();
    const std::int64_t answering = static_cast<std::int64_t>(apart.decodeWorkers) * apart.decode.devices();
    const bool rackScale = wish.gpu->scaleUpDomain > 8;
    constexpr int board = 8;
    const auto machines = [&](std::int64_t devices) { return (devices + board - 1) / board; };
    wish.devices = rackScale ? (reading + answering + 3) / 4 * 4 : (machines(reading) + machines(answering)) * board;
    wish.perMachine = rackScale ? 0 : board;
    ServedRow served{rowCluster(wish, shipped), {}, {}};
    served.placement = placementOf(apart.prefill, apart.prefillWorkers, stack);
    served.placement.stage = "prefill";
    served.answers = placementOf(apart.decode, apart.decodeWorkers, stack);
    served.answers->stage = "decode";
    served.answers->nodes = {NodeId(rackScale ? "devices" : "answers")};
    if (!rackScale)
        splitMachines(served.cluster, machines(answering));
    return served;
}
/// What a row says, resolved; built by caseOf().
struct Case {
    ClusterWish wish;
    const NeuralModel* neural = nullptr;
    ServedFormats formats;
    ServedModel model;
    std::optional<Apart> apart;
    ReplicaLayout layout; ///< of the prompts' workers where they are apart
    Campaign campaign;
    int users = 0;
};

std::optional<Apart> apartOf(const Row& row, const ServedModel& model, std::string& why) {
    const Apart apart{servedLayout(row, "prefill_"), servedLayout(row, "decode_"), row.count("prefill_workers", 0), row.count("decode_workers", 0)};
    if (apart.prefillWorkers < 1 || apart.decodeWorkers < 1)
        why = "prefill and decode ran on devices apart, and the row does not say how many workers each had";
    else if (!legal(model, apart.decode))
        why = "a worker of " + std::to_string(apart.decode.devices()) + " devices does not divide the model";
    else
        return apart;
    return std::nullopt;
}

/// Empty: not to be predicted, for the reason in `why`.
std::optional<Case> caseOf(const Row& row, const Catalog& shipped, std::string& why) {
    Case out;
    why = unusableInput(row, {"concurrency", "batch", "prompt", "output"});
    const auto wish = why.empty() ? servedWish(row, shipped, why) : std::nullopt;
    out.neural = wish ? servedModelOf(row, shipped, why) : nullptr;
    if (!out.neural)
        return std::nullopt;
    out.wish = *wish;
    const auto users = row.count("concurrency") ? row.count("concurrency") : row.count("batch");
    if (!users) {
        why = "neither a concurrency nor a batch size is given";
        return std::nullopt;
    }
    out.users = *users;
    out.formats = servedFormats(row, *out.neural, wish->gpu, Precision::bf16);
    why = out.formats.why;
    if (!why.empty())
        return std::nullopt;
    const std::optional<ServedModel> model = servedModel(*out.neural, out.formats.weights, out.formats.kv);
    if (model && runsApart(row)) {
        out.apart = apartOf(row, *model, why);
        if (!out.apart)
            return std::nullopt;
    }
    out.layout = out.apart ? out.apart->prefill : servedLayout(row);
    if (!model || !legal(*model, out.layout)) {
        why = "a replica of " + std::to_string(out.layout.devices()) + " devices does not divide the model: figures of another system";
        return std::nullopt;
    }
    out.model = *model;
    out.campaign = campaignOf(row, *out.neural, out.layout, out.users);
    if (!(out.campaign.prompt >= 1) || !(out.campaign.output >= 1))
        why = "the lengths of prompt and answer are not given";
    else if (!out.apart)
        why = contradiction(row, out.layout);
    if (!out.apart && why.empty())
        why = impossibility(row, out.model, *wish->gpu, out.layout, out.campaign, out.users);
    return why.empty() ? std::optional(std::move(out)) : std::nullopt;
}

ServedRow servedOf(const Row& row, const Case& of, const Catalog& shipped) {
    const PartId stack = servingStackOf(row);
    ClusterWish wish = of.wish;
    wish.devices = of.layout.devices();
    ServedRow served = of.apart ? servedApart(*of.apart, wish, stack, shipped) : ServedRow{rowCluster(wish, shipped), {}, placementOf(of.layout, 1, stack)};
    LlmServing& spec = served.spec;
    spec.model = of.neural->id;
    spec.weights = of.formats.weights;
    spec.kv = of.formats.kv;
    spec.prompt = {of.campaign.prompt, of.campaign.cv};
    spec.output = {of.campaign.output, of.campaign.cv};
    spec.speculativeAccept = of.campaign.extraTokens;
    spec.concurrency = of.users;
    served.cluster.add(of.formats.note);
    served.cluster.add(of.campaign.note);
    served.cluster.add(stack.empty() ? "default stack of the device" : "");
    return served;
}

/// The times say that few of the users were served at a time, and the cache holds all by our count: the program was limited otherwise.
std::string unsaidLimit(const Row& row, const Case& of, double kvUse) {
    const auto ttft = row.number("ttft"), tpot = row.number("tpot");
    if (!ttft || !tpot || of.apart || !(kvUse < .999))
        return {};
    const double served = inFlight(of.campaign, of.users, *ttft, *tpot);
    if (served > .25 * of.users)
        return {};
    return "the times leave " + std::to_string(std::lround(served)) + " of " + std::to_string(of.users)
         + " users served at a time, and the cache holds all by our count: a limit that the row does not say";
}

struct Figure {
    double value = std::numeric_limits<double>::quiet_NaN();
    double spread = std::numeric_limits<double>::quiet_NaN(); ///< high = value (1 + spread)
    TermId term = noTerm;
};

Figure figureOf(const Quantity& quantity) { return {quantity.value, quantity.high / quantity.value - 1, quantity.term}; }

/// Rates of all tokens of answers, and of answers or of prompts and answers a device.
void addRates(const Case& of, const Figure& rate, std::map<std::string_view, Figure>& figures) {
    double devices = of.layout.devices();
    if (of.apart)
        devices = 1. * of.apart->prefillWorkers * of.apart->prefill.devices() + 1. * of.apart->decodeWorkers * of.apart->decode.devices();
    const auto scaled = [&](double factor) { return Figure{rate.value * factor, rate.spread, rate.term}; };
    figures["tokens_rate"] = rate;
    figures["tokens_rate_per_gpu"] = scaled(1 / devices);
    figures["all_tokens_rate_per_gpu"] = scaled((of.campaign.prompt + of.campaign.output) / (of.campaign.output * devices));
}

std::vector<Prediction> predict(const Row& row, const Catalog& shipped) {
    std::string why;
    const std::optional<Case> of = caseOf(row, shipped, why);
    if (!of)
        return allWithout(row, measuredKeys, why);
    ServedRow served = servedOf(row, *of, shipped);
    AlternativeEstimate result = estimateServed(served);
    const WorkloadEstimate& run = result.workloads.front();
    std::map<std::string_view, Figure> figures{{"ttft", {}}, {"tpot", {}}, {"tokens_rate", {}}};
    double kvUse = 1;
    for (const NamedQuantity& more : run.more) {
        if (more.name == "ttft_mean" || more.name == "tpot_mean")
            figures[more.name == "ttft_mean" ? "ttft" : "tpot"] = figureOf(more.quantity);
        kvUse = more.name == "kv_use" ? more.quantity.value : kvUse;
    }
    if (const std::string reason = unsaidLimit(row, *of, kvUse); !reason.empty())
        return allWithout(row, measuredKeys, reason);
    if (run.throughput)
        addRates(*of, figureOf(*run.throughput), figures);
    Figure &ttft = figures["ttft"], &tpot = figures["tpot"];
    if (!std::isfinite(ttft.value) || !std::isfinite(tpot.value))
        return allWithout(row, measuredKeys, whyNot(result));
    const double further = of->campaign.output - 1, delay = of->apart ? 0 : campaignDelay(of->campaign, of->users, ttft.value + further * tpot.value);
    ttft.value += delay;
    tpot.value -= further >= 1 ? std::min(tpot.value, delay / further) : 0;
    figures["user_rate"] = tpot; // what one user sees while an answer comes
    figures["user_rate"].value = 1 / tpot.value;
    const auto explanation = std::make_shared<const Explanation>(Explanation{std::move(result.derivation), result.catalog});
    std::vector<Prediction> out;
    for (const char* key : measuredKeys)
        if (const auto measured = row.measured(key)) {
            out.push_back(predictionOf(*measured, figures[key].value, served.cluster.note));
            out.back().explanation = explanation;
            out.back().term = figures[key].term;
            out.back().spread = figures[key].spread;
        }
    return out.empty() ? allWithout(row, measuredKeys, "") : out;
}

} // namespace

const FileKind siliconKind{"inference_silicon", servingFields(), "ttft|tpot|user_rate", "model", &predict};

} // namespace cw
