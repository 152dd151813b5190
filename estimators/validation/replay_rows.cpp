// SPDX-License-Identifier: GPL-3.0-or-later
//
// Replays of requests on a serving program at an arrival rate: rate of tokens, TTFT, TPOT and whole latency. Part of queueing.csv.
#include "estimators/estimate.h"
#include "estimators/validation/serving_fields.h"
#include "estimators/validation/validation.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr std::initializer_list<const char*> measuredKeys{"tokens_rate", "samples_rate", "ttft", "ttft_p99", "tpot", "tpot_p99", "latency_mean", "latency_p99"};

constexpr int mostRequests = 1000000; ///< of a replay; longer ones differ from it by their length only

struct Assumed {
    double prompt = 512, output = 200;   ///< the program's defaults for what is left out
    double promptCv = 1, outputCv = .35; ///< of recorded conversations
    int requests = 300;                  ///< of a replay that does not say
};

/// More arrives than is served, but only so many requests: the i-th starts when it arrives or when the (i − places)-th has ended (fluid).
struct Backlog {
    double mean = 0, p99 = 0; ///< s that requests wait
    double span = 0;          ///< s from the first arrival to the last start
};

Backlog backlogOf(int requests, double arrivals, double served, double places) {
    Backlog out;
    std::vector<double> waits;
    for (int i = 0; i < requests; ++i) {
        const double arrival = i / arrivals, start = std::max(arrival, (i - places) / served);
        waits.push_back(start - arrival);
        out.span = start;
    }
    std::sort(waits.begin(), waits.end());
    for (const double wait : waits)
        out.mean += wait / requests;
    out.p99 = waits[static_cast<std::size_t>(.99 * (requests - 1))];
    return out;
}

double named(const std::vector<NamedQuantity>& list, std::string_view name) {
    for (const NamedQuantity& each : list)
        if (each.name == name)
            return each.quantity.value;
    return std::numeric_limits<double>::quiet_NaN();
}

std::vector<Prediction> overloaded(const Row& row, const LlmServing& spec, double arrivals, double capacity, double places, const std::string& note) {
    const int requests = std::min(row.count("requests", Assumed().requests), mostRequests);
    const double tpot = places / (capacity * spec.output.mean), answer = spec.output.mean * tpot; // Little's law at the limit
    const Backlog backlog = backlogOf(requests, arrivals, capacity, places);
    const double done = backlog.span + answer, rate = requests / done;
    const std::map<std::string_view, double> values{
        {"tokens_rate", rate * spec.output.mean}, {"samples_rate", rate}, {"ttft", backlog.mean + tpot}, {"ttft_p99", backlog.p99 + tpot},
        {"tpot", tpot}, {"tpot_p99", tpot}, {"latency_mean", backlog.mean + answer}, {"latency_p99", backlog.p99 + answer}};
    std::vector<Prediction> out;
    for (const char* key : measuredKeys)
        if (const auto measured = row.measured(key))
            out.push_back(predictionOf(*measured, values.at(key), note));
    return out.empty() ? allWithout(row, measuredKeys, "") : out;
}

} // namespace

std::vector<Prediction> predictReplay(const Row& row, const Catalog& shipped) {
    std::string why = unusableInput(row, {"prompt", "output", "requests"});
    auto wish = why.empty() ? servedWish(row, shipped, why) : std::nullopt;
    if (!wish)
        return allWithout(row, measuredKeys, why);
    const NeuralModel* model = servedModelOf(row, shipped, why);
    if (!model)
        return allWithout(row, measuredKeys, why);
    const auto rate = row.number("arrivals") ? row.number("arrivals") : row.number("rate");
    if (!rate || !(*rate > 0))
        return allWithout(row, measuredKeys, "no arrival rate is given");
    const ReplicaLayout layout = servedLayout(row);
    wish->devices = std::max<std::int64_t>(wish->devices, layout.devices());
    ServedRow served{rowCluster(*wish, shipped), {}, {}};
    const ServedFormats formats = servedFormats(row, *model, wish->gpu, Precision::bf16);
    if (!formats.why.empty())
        return allWithout(row, measuredKeys, formats.why);
    const Assumed assumed;
    LlmServing& spec = served.spec;
    spec.model = model->id;
    spec.weights = formats.weights;
    spec.kv = formats.kv;
    spec.prompt = {row.number("prompt", assumed.prompt), assumed.promptCv};
    spec.output = {row.number("output", assumed.output), assumed.outputCv};
    spec.arrivalRate = *rate;
    served.placement.parallelism.tensor = row.count("tp", layout.tensor);
    served.placement.stack = servingStackOf(row);
    served.cluster.add(formats.note);
    if (!row.has("prompt") || !row.has("output"))
        served.cluster.add("lengths not given: 512 in, 200 out");
    const AlternativeEstimate result = estimateServed(served);
    const WorkloadEstimate& run = result.workloads.front();
    if (!run.throughput || !run.throughput->known())
        return allWithout(row, measuredKeys, whyNot(result));
    if (!run.feasible) {
        // As many in flight as there are places; a trace that ends before they are filled has half of its requests there on average.
        const double places = named(run.more, "batch"), half = row.count("requests", assumed.requests) / 2.;
        ServedRow busy = served;
        busy.spec.concurrency = static_cast<int>(std::clamp(std::min(places, half), 1., 1e6));
        const AlternativeEstimate full = estimateServed(busy);
        const double capacity = full.workloads.front().throughput ? full.workloads.front().throughput->value / spec.output.mean : 0;
        if (!(capacity > 0) || !(places > 0))
            return allWithout(row, measuredKeys, "unstable by our count: the queue would grow during the whole replay");
        served.cluster.add("overloaded by our count: a backlog of all requests");
        return overloaded(row, spec, *rate, capacity, *busy.spec.concurrency, served.cluster.note);
    }
    const double ttft = named(run.more, "ttft_mean"), tpot = named(run.more, "tpot_mean");
    const std::map<std::string_view, double> values{{"tokens_rate", run.throughput->value},
                                                    {"samples_rate", run.throughput->value / spec.output.mean},
                                                    {"ttft", ttft},
                                                    {"ttft_p99", named(run.latency, "ttft_p99")},
                                                    {"tpot", tpot},
                                                    {"tpot_p99", named(run.latency, "tpot_p99")},
                                                    {"latency_mean", ttft + (spec.output.mean - 1) * tpot},
                                                    {"latency_p99", named(run.latency, "p99")}};
    std::vector<Prediction> out;
    for (const char* key : measuredKeys)
        if (const auto measured = row.measured(key))
            out.push_back(predictionOf(*measured, values.at(key), served.cluster.note));
    return out.empty() ? allWithout(row, measuredKeys, "") : out;
}

} // namespace cw
