// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/training/stack.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace cw {

namespace {

struct Field {
    std::string_view key;
    double TrainingStack::* member;
    double factor = 1;
};

/// Sorted by key, as the catalog keeps its values.
constexpr double milli = 1e-3, micro = 1e-6;
constexpr Field fields[] = {
    {"a2ae", &TrainingStack::allToAllEfficiency},
    {"cast", &TrainingStack::cast},
    {"cont", &TrainingStack::contention},
    {"derate", &TrainingStack::derate},
    {"e_bmm", &TrainingStack::batchedProduct},
    {"e_fa", &TrainingStack::attentionForward},
    {"e_fb", &TrainingStack::attentionBackward},
    {"e_fp4", &TrainingStack::fp4},
    {"e_fp8", &TrainingStack::fp8},
    {"e_moe", &TrainingStack::expertEfficiency},
    {"e_mx", &TrainingStack::mx},
    {"enet", &TrainingStack::networkShare},
    {"error", &TrainingStack::error},
    {"gby", &TrainingStack::gradientBytes},
    {"hb_ms", &TrainingStack::hostBackward, milli},
    {"hdpen", &TrainingStack::headDimPenalty},
    {"hf_ms", &TrainingStack::hostForward, milli},
    {"imb", &TrainingStack::imbalance},
    {"lat_l_us", &TrainingStack::levelScaleUp, micro},
    {"lat_n_us", &TrainingStack::levelNetwork, micro},
    {"logit_b", &TrainingStack::logitBytes},
    {"mamba_ms", &TrainingStack::hostState, milli},
    {"mb0_ms", &TrainingStack::perMicroBatch, milli},
    {"mbw", &TrainingStack::backwardPasses},
    {"moeh_ms", &TrainingStack::hostMoe, milli},
    {"moes_hybrid_ms", &TrainingStack::moeSyncHybrid, milli},
    {"moes_ms", &TrainingStack::moeSync, milli},
    {"nff", &TrainingStack::mlpPasses},
    {"nmamba", &TrainingStack::statePasses},
    {"nperm", &TrainingStack::permutePasses},
    {"nrep", &TrainingStack::normPasses},
    {"nsb", &TrainingStack::scorePassesBackward},
    {"nsf", &TrainingStack::scorePassesForward},
    {"nvf", &TrainingStack::scaleUpShare},
    {"optb", &TrainingStack::optimizerBytes},
    {"ov_a2a", &TrainingStack::hideExperts},
    {"ov_dp", &TrainingStack::hideData},
    {"ov_pp", &TrainingStack::hidePipeline},
    {"ov_tp", &TrainingStack::hideTensor},
    {"rec_mem", &TrainingStack::recomputePasses},
    {"strag", &TrainingStack::straggler},
    {"t0_ms", &TrainingStack::fixed, milli},
};
static_assert(std::is_sorted(std::begin(fields), std::end(fields), [](const Field& a, const Field& b) { return a.key < b.key; }));

/// A plain key, then its value for the architecture, then for the device: in this order a later one replaces an earlier one.
void readFields(TrainingStack& stack, const Constants& set, const Gpu* gpu) {
    for (int pass = 0; pass < 3; ++pass) {
        for (const auto& [key, value] : set.values) {
            const std::string_view all = key;
            const std::size_t at = all.find('@');
            const std::string_view suffix = at == all.npos ? std::string_view() : all.substr(at + 1);
            const bool fits = pass == 0 ? at == all.npos
                : !gpu                  ? false
                : pass == 1             ? suffix == gpu->architecture
                                        : suffix == gpu->id.value;
            if (!fits)
                continue;
            const std::string_view base = all.substr(0, at);
            const Field* field = std::lower_bound(std::begin(fields), std::end(fields), base,
                                                  [](const Field& f, std::string_view k) { return f.key < k; });
            if (field != std::end(fields) && field->key == base)
                stack.*(field->member) = value.value * field->factor;
        }
        if (pass == 0 && (!gpu || std::none_of(set.values.begin(), set.values.end(), [](const auto& v) {
                return v.first.find('@') != std::string::npos;
            })))
            break;
    }
}

const char* defaultStack(const Gpu* gpu) {
    if (!gpu)
        return "stack_cpu";
    const std::string& architecture = gpu->architecture;
    const bool recent = architecture == "Hopper" || architecture == "Blackwell" || architecture == "Blackwell Ultra";
    return recent && gpu->scaleUpBandwidth ? "stack_megatron_bridge" : "stack_generic";
}

} // namespace

const char* TrainingStack::keyFor(const Constants& set, const char* key, const Gpu* gpu) {
    if (!gpu)
        return key;
    for (const std::string& suffix : {gpu->id.value, gpu->architecture}) {
        const auto found = set.values.find(std::string(key) + '@' + suffix);
        if (found != set.values.end())
            return found->first.c_str();
    }
    return key;
}

TrainingStack trainingStack(const Catalog& catalog, const PartId& wanted, const Gpu* gpu) {
    TrainingStack stack;
    const Constants* set = wanted.empty() ? nullptr : catalog.find<Constants>(wanted);
    if (!set || set->kind != "training_stack")
        set = catalog.find<Constants>(PartId(defaultStack(gpu)));
    if (!set || set->kind != "training_stack")
        return stack;
    stack.set = set;
    readFields(stack, *set, gpu);
    const auto flag = [&](const char* key, bool otherwise) { return set->get(key, otherwise) > 0; };
    stack.fusedAttention = flag("fused", true);
    stack.sequenceParallel = flag("sp", true);
    stack.scatterSends = flag("scatter", true);
    stack.balanced = flag("balanced", false);
    stack.sharded = flag("sharded", true);
    stack.interleaves = flag("interleaves", true);
    stack.fusedSinks = flag("fused_sinks", true);
    return stack;
}

} // namespace cw
