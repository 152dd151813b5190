// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/accuracy_page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace cw::cli {

namespace {

/// What a family is to reach (mean absolute error, per cent), and the physics that a miss is due to.
struct Target {
    std::string_view word; ///< part of the family's name
    double mean;
    std::string_view missing;
    std::string_view quantity = {}; ///< part of the quantity's name; empty: all
};
constexpr Target targets[] = {
    {"splitwise_llama2", 12, "", "prefill"},
    {"splitwise_llama2", 6, "", "decode"},
    {"splitwise_bloom", 12, "", "prefill"},
    {"splitwise", 0, ""},
    {"silicon_dense", 9, "prompts that were cached below the limit of what can be refused", "tpot"},
    {"silicon_moe", 17, "releases of one program differ by a fifth on mixtures of experts", "tpot"},
    {"mlperf_offline", 12, "submitters of one system differ by up to 23 %; programs that were not tuned for the model", "tokens"},
    {"mlperf_server", 18, "reasoning models: what part of the cache long answers hold; the effort of a submitter", "tokens"},
    {"mlperf_interactive", 18, "tight targets are met with layouts and chunks chosen for them", "tokens"},
    {"ktransformers", 20, ""},
    {"llama_cpp", 20, ""},
    {"sc21_table2_zero", 0, "four rows, three constants: no score possible"},
    {"sc21_table2", 5, ""},
    {"sc21", 4.5, "micro-batch and chunks are not stated; the search takes the fastest that fit"},
    {"seqpar", 5, "nothing is fitted here; one node runs slower than the model, many nodes faster: the straggler term of 2021 stands for more than stragglers"},
    {"megascale", 5, ""},
    {"vtrain_multi", 8, "rows of 1.5 to 1.9 times their neighbours' time (tp 2 with pp 8 or 16) are noise of that machine"},
    {"vtrain_single", 7, "host bound: 3 to 4 ms a layer and micro-batch whatever its size; caching of kernels between micro-batches is not modelled"},
    {"bloom", 8, "batched products of head sizes that are no multiple of 128 ran 15 to 25 % slower with the library of that time; not modelled"},
        {"megatron_core", 10, ""},
    {"mosaic", 5, "runs that fill the memory thrash the allocator (30B on 8 GPUs, 13B on 8 GPUs of 40 GB): up to 30 % slower, not modelled"},
    {"torchtitan", 12, "the software moved between the tables; asynchronous tensor parallelism gains differently on 8B and 70B"},
    {"bridge", 9, "releases of one configuration differ by 1.2 to 1.8 on mixtures of experts; the kernels of a release are constants, not physics"},
    {"mlperf_llama31_405b", 5, "time to train holds waits around evaluations besides"},
    {"mlperf_gpt3", 12, ""},
    {"aic_nccl_b", 13, "from 8 to 32 MB its collectives ran at half the rate that they have above and below: a change of protocol or algorithm that a smooth curve does not follow"},
    {"nccl", 13, ""},
    {"aic_gemm_a100", 8, "a quarter of its rows are products of microseconds; those with n and k from 1,024 are within 8 %"},
    {"aic_gemm_h100", 8, "a quarter of its rows are products of microseconds; those with n and k from 1,024 are within 6 %"},
    {"llmcompass_matmul", 8, "short kernels: the timing of the harness is a quarter to a half of what was measured"},
};

const Target* targetOf(const FamilyStatistics& f) {
    for (const Target& target : targets)
        if (f.family.find(target.word) != std::string::npos && f.quantity.find(target.quantity) != std::string::npos)
            return &target;
    return nullptr;
}

std::string shown(double value) {
    if (!std::isfinite(value))
        return "–";
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.1f", value);
    return buffer;
}

std::string row(const FamilyStatistics& f) {
    std::string out = "| " + f.file + " | " + f.family + " | " + f.quantity + " | " + std::to_string(f.n) + " | " + std::to_string(f.predicted) + " | " +
        shown(f.median) + " | " + shown(f.mean) + " | " + shown(f.p90) + " | " + shown(f.max) + " | ";
    out += f.ranged > 0 ? std::to_string(f.inRange) + " of " + std::to_string(f.ranged) : std::string("–");
    for (const LeftOut& left : {f.model, f.device})
        out += " | " + (left.n > 0 ? shown(left.mean) + " / " + shown(left.p90) : std::string("–"));
    const Target* target = targetOf(f);
    return out + " | " + (target && target->mean > 0 ? "≤ " + shown(target->mean) : std::string("–")) + " |\n";
}

constexpr std::string_view head = "| file | family | quantity | n | predicted | median % | mean % | p90 % | max % | in its range | model left out | device left out | target, mean |\n"
                                  "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";

/// Rows of Megatron-Bridge by what kind of model they train: kernels of experts changed from release to release, dense ones did not.
std::string bridgeByKind(const ValidationReport& report, const Catalog& catalog) {
    std::vector<double> dense, experts, hybrids;
    for (const ValidatedRow& r : report.rows) {
        const NeuralModel* model = r.family.find("bridge") != std::string::npos && r.prediction.known() ? catalog.find<NeuralModel>(PartId(r.model)) : nullptr;
        if (model)
            (model->stateLayers > 0 ? hybrids : model->experts > 0 ? experts : dense).push_back(std::abs(r.prediction.errorPercent()));
    }
    if (dense.empty() && experts.empty())
        return {};
    const auto said = [](const char* kind, const FamilyStatistics& s) {
        return std::string(kind) + " " + std::to_string(s.predicted) + " figures, mean " + shown(s.mean) + " %, p90 " + shown(s.p90) + " %";
    };
    return "\nMegatron-Bridge by kind of model: " + said("dense", statisticsOf(dense)) + " (target: mean 5 %); " + said("mixtures of experts", statisticsOf(experts)) +
        "; " + said("hybrids with state-space layers", statisticsOf(hybrids)) + ".\n";
}

std::string missed(const ValidationReport& report) {
    std::string out;
    std::set<std::string> said;
    for (const FamilyStatistics& f : report.families) {
        const Target* target = targetOf(f);
        if (!target || target->mean <= 0 || !(f.mean > target->mean + .05) || f.quantity.find("mem") != std::string::npos || !said.insert(f.family).second)
            continue;
        out += "- **" + f.family + "**: " + shown(f.mean) + " % instead of " + shown(target->mean) + " %";
        out += target->missing.empty() ? ".\n" : ": " + std::string(target->missing) + ".\n";
    }
    return out.empty() ? "None.\n" : out;
}

std::string notPredicted(const ValidationReport& report) {
    std::string out;
    for (const ValidatedRow& r : report.rows)
        if (!r.prediction.known())
            out += "- " + r.file + ", " + r.id + (r.prediction.quantity.empty() ? "" : ", " + r.prediction.quantity) + ": " + r.prediction.reason + "\n";
    return out.empty() ? "None.\n" : out;
}

/// Values of a set that its rows were fitted for: their keys follow "fitted: " in what the set says of itself, those of an architecture
/// or device ("derate@Hopper") under the plain key.
int fittedConstants(const Constants& set, std::string_view& fittedOn) {
    constexpr std::string_view mark = "; fitted: ";
    const std::size_t at = fittedOn.find(mark);
    if (at == std::string_view::npos)
        return 0;
    const std::string keys = ", " + std::string(fittedOn.substr(at + mark.size())) + ",";
    fittedOn = fittedOn.substr(0, at);
    return static_cast<int>(std::ranges::count_if(set.values, [&](const auto& value) {
        return keys.find(", " + value.first.substr(0, value.first.find('@')) + ",") != std::string::npos;
    }));
}

std::string constants(const Catalog& catalog) {
    std::string out = "| set | fitted | numbers in all | on |\n| --- | --- | --- | --- |\n";
    int fitted = 0, all = 0;
    for (const Catalog::Entry* entry : catalog.entries()) {
        const Constants* set = std::get_if<Constants>(&entry->part);
        if (!set || set->fittedOn.empty())
            continue;
        std::string_view on = set->fittedOn;
        const int own = fittedConstants(*set, on);
        fitted += own;
        all += static_cast<int>(set->values.size());
        out += "| " + set->name + " | " + (own > 0 ? std::to_string(own) : std::string("–")) + " | " + std::to_string(set->values.size()) + " | " +
            std::string(on) + " |\n";
    }
    return out + "\nTogether " + std::to_string(fitted) + " fitted constants of " + std::to_string(all) + " numbers.\n";
}

template <typename Which>
FamilyStatistics together(const ValidationReport& report, const Which& which) {
    std::vector<double> errors;
    for (const ValidatedRow& r : report.rows)
        if (r.prediction.known() && which(r))
            errors.push_back(std::abs(r.prediction.errorPercent()));
    return statisticsOf(errors);
}

} // namespace

std::string accuracyPage(const ValidationReport& report, const Catalog& catalog) {
    std::string out = "# Accuracy\n\n"
                      "Estimates against published measurements: each row's cluster is drawn from catalog parts and estimated by the code behind the\n"
                      "window. Written by `clusterwright validate --page docs/accuracy.md FILE…`; a test fails when a family's error grows past what\n"
                      "stands here. Errors are |predicted/measured − 1| of the column that the source publishes. \"In its range\": how often the\n"
                      "measurement lies between the low and the high end that the estimate gives. Constants were fitted on half of the rows of most\n"
                      "families (last table), so these figures are not all of unseen rows; rules of the inference tables were chosen looking at all public\n"
                      "rows. What was looked at, the errors over all public rows and on a later MLPerf round stand with the\n"
                      "[tables](../tests/data/published/README.md).\n\n"
                      "\"Model left out\" and \"device left out\", mean / p90 in per cent, are the figures to believe for a design that nobody measured. Each\n"
                      "row is predicted again after one scale was taken from rows of other models, or of other devices: the predictions are divided by the\n"
                      "median of their predicted/measured. Models are left out within their family, devices among all rows of the file with the same\n"
                      "software; where fewer than three rows of others are left there is no figure. The scale takes back what the constants learnt of a\n"
                      "model's level, not what they learnt of its shape. The study, which fitted all constants anew without the group, came to 12 % for a\n"
                      "model, 10 % for a device family and 6 % for a neighbour of a measured row.\n\n## Errors\n\n";
    out += head;
    for (const FamilyStatistics& f : report.families)
        out += row(f);
    const FamilyStatistics all = together(report, [](const ValidatedRow& r) { return r.file == "training.csv" && r.prediction.quantity.find("mem") == std::string::npos; });
    out += "\nAll rates and times of training.csv: " + std::to_string(all.predicted) + " figures, median " + shown(all.median) + " %, mean " + shown(all.mean) +
        " %, p90 " + shown(all.p90) + " % (targets: mean 7 %, p90 16 %).\n";
    const FamilyStatistics first = together(report, [](const ValidatedRow& r) { return r.family.find("silicon_dense") == 0 && r.prediction.quantity.find("ttft") == 0; });
    const FamilyStatistics rate = together(report, [](const ValidatedRow& r) {
        return (r.family == "mlperf_server" || r.family == "mlperf_interactive") && r.prediction.quantity.find("tokens") == 0;
    });
    out += "First token of dense models: " + std::to_string(first.predicted) + " figures, median " + shown(first.median) + " %, p90 " + shown(first.p90) +
        " % (targets: median 20 %, p90 50 %). Largest rate of tokens within the targets, server and interactive together: " + std::to_string(rate.predicted) +
        " figures, mean " + shown(rate.mean) + " % (target: 18 %).\n";
    out += bridgeByKind(report, catalog);
    out += "\n## Targets missed, and the physics that is missing\n\n" + missed(report);
    out += "\n## Rows without a prediction\n\n" + notPredicted(report);
    out += "\n## Constants\n\nNone belongs to a row. \"Fitted\" counts the numbers of a set that were adjusted to the rows named beside it; a number for one\n"
           "architecture or device counts for itself. The others are facts, defaults of the software, values held fixed, or taken over from another set.\n\n" + constants(catalog);
    return out;
}

} // namespace cw::cli
