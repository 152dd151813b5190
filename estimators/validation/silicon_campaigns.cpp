// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/silicon_campaigns.h"
#include "estimators/serving/served_model.h"
#include "estimators/validation/serving_fields.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

/// Share of the dense peak that the best measured kernels of a width reach while others decode beside them.
double reachable(int bits) { return bits >= 16 ? .8 : .5; }

struct Asked {
    double whole = 0;    ///< share of the peak over the whole cycle
    double prompts = 0;  ///< share in the time that decoding leaves if memory streams at its data-sheet rate
    double limit = .5;
};

Asked askedOf(const ServedModel& model, const Gpu& gpu, const ReplicaLayout& layout, const Campaign& campaign, double users, double ttft, double tpot) {
    const bool own = gpu.peak.contains(model.weights);
    const double peak = si(gpu.peakFor(own ? model.weights : Precision::bf16).value_or(OperationsPerSecond{}));
    if (!(peak > 0))
        return {};
    const double devices = layout.devices(), cycle = ttft + (campaign.output - 1) * tpot, operations = 2 * model.activeParameters() * users;
    Asked asked;
    asked.limit = reachable(own && bytesPerValue(model.weights) <= 1 ? 8 : 16);
    asked.whole = operations * (campaign.prompt + campaign.output) / (cycle * devices * peak);
    const bool waitsForPlace = ttft > .3 * cycle;
    if (model.experts > 0 || waitsForPlace)
        return asked;
    const double context = campaign.prompt + campaign.output / 2, spread = std::min<double>(layout.tensor, model.kvHeads);
    const double read = model.weightBytes() / devices + users * context * model.kvBytesPerToken(context) / spread;
    const double left = cycle - campaign.output * read / si(gpu.memoryBandwidth);
    asked.prompts = left > 0 ? operations * campaign.prompt / (left * devices * peak) : 1e3;
    return asked;
}

/// Seconds in which a step's weights, experts and cache stream at the data sheet's rate from all devices; no step is faster.
double fastestStep(const ServedModel& model, const Gpu& gpu, const ReplicaLayout& layout, const Campaign& campaign, double batch) {
    const double context = campaign.prompt + campaign.output / 2;
    const double weights = model.mixer * model.bytesMixer + model.dense * model.bytesDense + model.hidden * model.vocabulary * ServedModel::bytesHead;
    const double experts = model.moeLayers * (model.expertsTouched(batch) * model.expert + model.shared) * model.bytesExpert;
    return (weights + experts + batch * context * model.kvBytesPerToken(context)) / (layout.devices() * si(gpu.memoryBandwidth));
}

bool isTensorRt(const Row& row) { return servingStackOf(row) == PartId("stack_trtllm"); }

} // namespace

Campaign campaignOf(const Row& row, const NeuralModel& model, const ReplicaLayout& layout, double users) {
    Campaign campaign;
    campaign.prompt = row.number("prompt", 0);
    campaign.output = row.number("output", 0);
    const auto lengths = [&](double in, double out) { return campaign.prompt == in && campaign.output == out; };
    const auto add = [&](const char* remark) { campaign.note += (campaign.note.empty() ? "" : "; ") + std::string(remark); };
    const bool oneToOne = lengths(1024, 1024), deepseek = model.id.value.starts_with("deepseek");
    const bool sweep = model.id.value == "qwen3_32b" || model.id.value == "llama3_8b"; // other campaigns, equal lengths
    if (isTensorRt(row) && oneToOne) {
        // InferenceX scripts: batch_wait_timeout_iters, for which models, sizes and loads.
        if (model.id.value == "llama3_70b" && layout.devices() < 8)
            campaign.waitSteps = 20;
        else if (deepseek && hasWord(wordsOf(row, {"precision"}), {"fp8"}) && users >= 64 && layout.attentionData == 1)
            campaign.waitSteps = 40;
        if (campaign.waitSteps > 0)
            add("prompts held back to be read together");
    }
    if (!sweep && (oneToOne || lengths(1024, 8192) || lengths(8192, 1024))) { // drawn uniformly between .8 and 1 of the nominal
        campaign.prompt *= .9;
        campaign.output *= .9;
        campaign.cv = .2 / std::sqrt(12.) / .9;
        add("lengths .8 to 1 of the nominal");
    }
    // In this sweep a prompt waits for the next answer to end, whatever the load: requests enter one at a time, so no lockstep lasts.
    if (isTensorRt(row) && model.id.value == "llama3_8b" && hasWord(wordsOf(row, {"version", "id"}), {"1.0.0rc3"})) {
        campaign.oneWaits = true;
        campaign.cv = .05;
        add("one request more than places in this sweep");
    }
    // This release predicts several tokens a step with DeepSeek, without a column that says so.
    if (row.text("version") == "1.2.0rc6.post3" && deepseek) {
        campaign.extraTokens = .6;
        add("multi-token prediction of this release: 1.6 tokens a step");
    }
    return campaign;
}

double campaignDelay(const Campaign& campaign, double users, double cycle) {
    double delay = campaign.oneWaits && users >= 1 ? cycle / users : 0;
    if (campaign.waitSteps > 0 && campaign.output >= 1) {
        // The first prompt waits the whole window, those that come meanwhile half of it on average.
        const double window = campaign.waitSteps * cycle / campaign.output, meanwhile = users / cycle * window;
        delay += window * (1 + meanwhile / 2) / (1 + meanwhile);
    }
    return delay;
}

std::string contradiction(const Row& row, const ReplicaLayout& layout) {
    const auto users = row.number("concurrency"), batch = row.number("batch");
    const bool oneRank = layout.attentionData == 1 && row.count("attention_dp", 1) == 1;
    if (users && batch && oneRank && std::abs(*users - *batch) > .5)
        return "a concurrency of " + std::to_string(std::lround(*users)) + " and batches of " + std::to_string(std::lround(*batch))
             + " on one replica contradict each other: figures of another system";
    return {};
}

std::string impossibility(const Row& row, const ServedModel& model, const Gpu& gpu, const ReplicaLayout& layout, const Campaign& campaign, double users) {
    const auto ttft = row.number("ttft"), tpot = row.number("tpot");
    if (!ttft || !tpot)
        return {};
    const Asked asked = askedOf(model, gpu, layout, campaign, users, *ttft, *tpot);
    const auto percent = [](double share) { return std::to_string(std::lround(100 * std::min(share, 99.99))) + " %"; };
    constexpr const char* so = "prompts were cached, or fewer requests were in flight";
    if (asked.whole > .5)
        return "the measured times ask for " + percent(asked.whole) + " of the peak arithmetic: " + so;
    const double batch = inFlight(campaign, users, *ttft, *tpot), step = *tpot * (1 + campaign.extraTokens);
    if (const double fastest = fastestStep(model, gpu, layout, campaign, batch); step < fastest)
        return "a step of " + std::to_string(std::lround(1e6 * step)) + " us for the " + std::to_string(std::lround(batch)) + " sequences that the times leave in flight asks for "
             + percent(fastest / step) + " of the memory bandwidth: figures of another system";
    if (asked.prompts > asked.limit)
        return "the time that decoding leaves asks for " + percent(asked.prompts) + " of the peak arithmetic: " + so;
    return {};
}

double inFlight(const Campaign& campaign, double users, double ttft, double tpot) {
    const double decoding = (campaign.output - 1) * tpot;
    return decoding > 0 ? users * decoding / (ttft + decoding) : users;
}

} // namespace cw
