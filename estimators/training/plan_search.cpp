// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/training/plan_search.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr int largestTensor = 16, largestContext = 32, largestExpert = 64, largestMicroBatch = 64, largestPipeline = 64;
constexpr double longSequence = 8192; // below this context parallelism is not worth its exchange
constexpr double fewestContextTokens = 2048;
constexpr std::size_t shownPerKind = 4;
constexpr double indistinguishable = 1e-9;

std::vector<int> powersOfTwo(int limit) {
    std::vector<int> sizes;
    for (int size = 1; size <= limit; size *= 2)
        sizes.push_back(size);
    return sizes;
}

std::vector<int> fixedOr(int wish, std::vector<int> free) { return wish > 0 ? std::vector<int>{wish} : std::move(free); }

bool divides(double divisor, double number) { return divisor > 0 && std::fmod(number, divisor) == 0; }

/// The few plans with the smallest figures, one of each shape.
class NearestPlans {
public:
    NearestPlans(std::size_t most, const char* code)
        : m_most(most)
        , m_code(code) {}

    void add(const TrainingPlan& plan, double figure) {
        for (RejectedPlan& known : m_plans)
            if (sameShape(known.plan, plan)) {
                if (figure < known.figure)
                    known = {plan, m_code, figure};
                return;
            }
        if (m_plans.size() < m_most) {
            m_plans.push_back({plan, m_code, figure});
            return;
        }
        const auto worst = std::max_element(m_plans.begin(), m_plans.end(), smaller);
        if (figure < worst->figure)
            *worst = {plan, m_code, figure};
    }
    std::vector<RejectedPlan> sorted() const {
        std::vector<RejectedPlan> plans = m_plans;
        std::stable_sort(plans.begin(), plans.end(), smaller);
        return plans;
    }
    static bool sameShape(const TrainingPlan& a, const TrainingPlan& b) {
        return a.tensor == b.tensor && a.pipeline == b.pipeline && a.context == b.context && a.expert == b.expert &&
            a.zero == b.zero;
    }

private:
    static bool smaller(const RejectedPlan& a, const RejectedPlan& b) { return a.figure < b.figure; }
    std::size_t m_most;
    const char* m_code;
    std::vector<RejectedPlan> m_plans;
};

class PlanSearch {
public:
    PlanSearch(const TrainingCase& run, const PlanWishes& wishes)
        : m_run(run)
        , m_wishes(wishes)
        , m_zeroPays(run.inNetworkReduction && run.fabric->tiers.back().inNetworkReduction) {}

    PlanChoice search() {
        for (const bool offload : m_wishes.offload ? std::vector{*m_wishes.offload} : std::vector{false, true}) {
            m_offload = offload;
            searchDivisions();
            if (m_choice.plan)
                break;
        }
        m_choice.exactDivision = m_exact;
        if (m_choice.plan) {
            m_choice.step = stepTime(m_run, *m_choice.plan);
            m_choice.memory = trainingMemory(m_run, *m_choice.plan);
        }
        collectRejected();
        return std::move(m_choice);
    }

private:
    struct Candidate {
        TrainingPlan plan;
        double seconds;
    };

    /// Even divisions of devices and batch; where there are none, what leaves some devices idle.
    void searchDivisions() {
        const std::int64_t before = m_choice.tried;
        for (const bool exact : {true, false}) {
            m_exact = exact;
            enumerate();
            choose();
            if (m_choice.tried > before)
                return;
        }
    }

    void enumerate() {
        const ModelShape& s = m_run.shape;
        const bool simple = s.convolutional || !m_run.gpu; // one device holds the whole model; data parallel
        const int tensorLimit = simple ? 1 : std::min(m_run.domain, largestTensor);
        const bool longEnough = !simple && m_run.sequence >= longSequence;
        for (const int tensor : fixedOr(m_wishes.parallelism.tensor, powersOfTwo(tensorLimit))) {
            if (m_wishes.parallelism.tensor == 0 && !divides(tensor, s.convolutional ? 1 : s.heads))
                continue;
            for (const int context : fixedOr(m_wishes.parallelism.context, powersOfTwo(longEnough ? largestContext : 1))) {
                if (m_wishes.parallelism.context == 0 && context > 1 && m_run.sequence / context < fewestContextTokens)
                    continue;
                for (const int pipeline : pipelines(tensor, context, simple))
                    withRanks(tensor, context, pipeline);
            }
        }
    }

    std::vector<int> pipelines(int tensor, int context, bool simple) const {
        if (m_wishes.parallelism.pipeline > 0)
            return {m_wishes.parallelism.pipeline};
        std::vector<int> sizes;
        const double layers = m_run.shape.layers;
        const int limit = simple && m_run.gpu ? 1 : static_cast<int>(std::min<double>(largestPipeline, layers));
        for (int p = 1; p <= limit; ++p) {
            if (m_exact && m_run.devices % (static_cast<std::int64_t>(tensor) * context * p) != 0)
                continue;
            // A stage with more layers than its share makes all others wait.
            if (std::ceil(layers / p) * p <= 1.15 * layers || p == 1)
                sizes.push_back(p);
        }
        return sizes;
    }

    void withRanks(int tensor, int context, int pipeline) {
        const std::int64_t model = static_cast<std::int64_t>(tensor) * context * pipeline;
        std::int64_t data = m_run.devices / model;
        if (const int wish = m_wishes.parallelism.data; wish > 0) {
            if (m_exact && data < wish) // other sizes would have to leave room for it
                return;
            data = std::min<std::int64_t>(data, wish);
        }
        if (data < 1)
            return;
        if (!m_exact) // fewer replicas than devices allow, so that the batch divides
            while (data > 1 && !divides(static_cast<double>(data), m_run.batch))
                --data;
        const ModelShape& s = m_run.shape;
        for (const int expert : fixedOr(m_wishes.parallelism.expert,
                                        powersOfTwo(s.moe ? static_cast<int>(std::min<double>(s.experts, largestExpert)) : 1))) {
            if (s.moe && (!divides(expert, s.experts) || !divides(expert, static_cast<double>(data * tensor * context))))
                continue;
            for (const int microBatch : fixedOr(m_wishes.microBatch, powersOfTwo(largestMicroBatch))) {
                const double step = static_cast<double>(data) * microBatch;
                if (step > m_run.batch || (m_exact && m_wishes.microBatch == 0 && !divides(step, m_run.batch))) {
                    if (m_wishes.microBatch == 0)
                        break;
                    if (m_exact && !divides(step, m_run.batch))
                        continue;
                }
                TrainingPlan plan;
                plan.tensor = tensor;
                plan.context = context;
                plan.pipeline = pipeline;
                plan.data = data;
                plan.expert = expert;
                plan.microBatch = microBatch;
                plan.offload = m_offload;
                withSchedule(plan);
            }
        }
    }

    std::vector<int> interleaves(const TrainingPlan& plan) const {
        if (m_wishes.interleave > 0)
            return {m_wishes.interleave};
        std::vector<int> chunks{1};
        if (plan.pipeline < 2 || !m_run.stack.interleaves)
            return chunks;
        const double here = std::ceil(m_run.shape.layers / plan.pipeline); // the ends may have a layer less
        const double microBatches = m_run.batch / (static_cast<double>(plan.data) * plan.microBatch);
        if (!divides(plan.pipeline, microBatches))
            return chunks;
        for (int v = 2; v <= std::min(12.0, here); ++v)
            if (divides(v, here))
                chunks.push_back(v);
        return chunks;
    }

    /// What the stack does by itself first: of equally fast plans that one is taken. ZeRO 0 moves as many bytes as ZeRO 1 and holds more, so
    /// it can only win where switches sum. Gradients and weights that are sharded too (ZeRO 2 and
    /// 3, FSDP) would have to be gathered for every micro-batch of a pipeline, which no stack does.
    std::vector<int> zeroStages(const TrainingPlan& plan) const {
        if (m_wishes.zero >= 0)
            return {m_wishes.zero};
        std::vector<int> stages{m_run.stack.sharded ? 1 : 0};
        if (plan.data * plan.context < 2)
            return stages;
        if (m_run.stack.sharded && m_zeroPays)
            stages.push_back(0);
        if (plan.pipeline == 1) {
            stages.push_back(2);
            stages.push_back(3);
        }
        return stages;
    }

    void withSchedule(TrainingPlan plan) {
        for (const int zero : zeroStages(plan))
            for (const int interleave : interleaves(plan)) {
                plan.zero = zero;
                plan.interleave = interleave;
                if (fitMemory(plan))
                    evaluate(plan);
            }
    }

    /// The least recomputation that fits; false and remembered when none does.
    bool fitMemory(TrainingPlan& plan) {
        ++m_choice.tried;
        std::vector<Recompute> ways{m_wishes.recompute};
        if (m_wishes.recompute == Recompute::automatic)
            ways = m_run.shape.convolutional ? std::vector{Recompute::none}
                                             : std::vector{Recompute::none, Recompute::selective, Recompute::full};
        double needed = 0;
        for (const Recompute way : ways) {
            plan.recompute = way;
            const TrainingMemory memory = trainingMemory(m_run, plan);
            if (memory.fits())
                return true;
            needed = memory.used();
        }
        if (m_choice.closestBytes == 0 || needed < m_choice.closestBytes) {
            m_choice.closestBytes = needed;
            m_choice.closest = plan;
        }
        ++m_choice.tooLarge;
        m_tooLarge.add(plan, needed);
        return false;
    }

    const LayerCosts& costs(const LayerPlan& plan) {
        for (const auto& [key, cost] : m_layers)
            if (key == plan)
                return cost;
        m_layers.emplace_back(plan, layerCosts(m_run, plan));
        return m_layers.back().second;
    }

    void evaluate(const TrainingPlan& plan) {
        const StepTime step =
            m_run.shape.convolutional ? convolutionalStep(m_run, plan) : stepTime(m_run, plan, costs(plan.layer()));
        const double seconds = step.seconds - step.inputWait; // no plan makes storage faster
        m_candidates.push_back({plan, seconds});
        m_fastest.add(plan, seconds);
    }

    /// The fastest; of equally fast ones that with the fewest ranks a model replica. (A margin would let a better part make a step slower.)
    void choose() {
        if (m_candidates.empty())
            return;
        const double least = std::min_element(m_candidates.begin(), m_candidates.end(), [](const Candidate& a, const Candidate& b) {
                                 return a.seconds < b.seconds;
                             })->seconds;
        const auto ranks = [](const TrainingPlan& plan) {
            return static_cast<std::int64_t>(plan.tensor) * plan.pipeline * plan.context;
        };
        const Candidate* best = nullptr;
        for (const Candidate& candidate : m_candidates) {
            if (candidate.seconds > least * (1 + indistinguishable))
                continue;
            const std::int64_t few = ranks(candidate.plan), fewest = best ? ranks(best->plan) : few + 1;
            if (few < fewest || (few == fewest && candidate.seconds < best->seconds))
                best = &candidate;
        }
        m_choice.plan = best->plan;
    }

    void collectRejected() {
        std::vector<RejectedPlan>& rejected = m_choice.rejected;
        for (const RejectedPlan& slower : m_fastest.sorted())
            if (rejected.size() < shownPerKind && !(m_choice.plan && NearestPlans::sameShape(slower.plan, *m_choice.plan)))
                rejected.push_back(slower);
        const std::vector<RejectedPlan> tooLarge = m_tooLarge.sorted();
        rejected.insert(rejected.end(), tooLarge.begin(), tooLarge.end());
        if (!m_exact && m_choice.plan)
            rejected.push_back(
                {*m_choice.plan, "divisibility", static_cast<double>(m_run.devices - m_choice.plan->devices())});
    }

    const TrainingCase& m_run;
    const PlanWishes& m_wishes;
    PlanChoice m_choice;
    bool m_zeroPays, m_exact = true, m_offload = false;
    std::vector<std::pair<LayerPlan, LayerCosts>> m_layers;
    std::vector<Candidate> m_candidates;
    NearestPlans m_fastest{shownPerKind + 1, "slower"}, m_tooLarge{shownPerKind, "memory"};
};

} // namespace

PlanWishes PlanWishes::of(const Placement& placement) {
    PlanWishes wishes;
    wishes.parallelism = placement.parallelism;
    wishes.zero = std::clamp(placement.zeroStage, -1, 3);
    wishes.microBatch = std::max(placement.microBatch, 0);
    wishes.interleave = std::max(placement.interleave, 0);
    wishes.recompute = placement.recompute;
    const bool open = placement.parallelism == Parallelism{} && wishes.zero < 0 && wishes.microBatch == 0 && wishes.interleave == 0;
    if (placement.offload || !open) // the flag says what is wanted, unless everything is left to the estimator
        wishes.offload = placement.offload;
    for (int* size : {&wishes.parallelism.tensor, &wishes.parallelism.pipeline, &wishes.parallelism.data,
                      &wishes.parallelism.context, &wishes.parallelism.expert})
        *size = std::max(*size, 0);
    return wishes;
}

bool PlanWishes::complete() const {
    return parallelism.tensor > 0 && parallelism.pipeline > 0 && parallelism.data > 0 && parallelism.context > 0 &&
        parallelism.expert > 0 && zero >= 0 && microBatch > 0 && interleave > 0 && recompute != Recompute::automatic;
}

PlanChoice choosePlan(const TrainingCase& run, const PlanWishes& wishes) {
    if (!wishes.complete())
        return PlanSearch(run, wishes).search();
    PlanChoice choice;
    TrainingPlan plan;
    plan.tensor = wishes.parallelism.tensor;
    plan.pipeline = wishes.parallelism.pipeline;
    plan.context = wishes.parallelism.context;
    plan.expert = wishes.parallelism.expert;
    plan.data = wishes.parallelism.data;
    plan.microBatch = wishes.microBatch;
    plan.interleave = wishes.interleave;
    plan.zero = wishes.zero;
    plan.recompute = wishes.recompute;
    plan.offload = wishes.offload.value_or(false);
    choice.memory = trainingMemory(run, plan);
    choice.step = stepTime(run, plan);
    choice.tried = 1;
    choice.closest = plan;
    choice.closestBytes = choice.memory.used();
    choice.exactDivision = illegalities(run, plan).empty();
    choice.plan = plan;
    return choice;
}

std::vector<const char*> illegalities(const TrainingCase& run, const TrainingPlan& plan) {
    const ModelShape& s = run.shape;
    std::vector<const char*> reasons;
    if (!s.convolutional && !divides(plan.tensor, s.heads))
        reasons.push_back("tensor");
    if (plan.pipeline > s.layers)
        reasons.push_back("pipeline");
    if (!divides(plan.context, run.sequence))
        reasons.push_back("context");
    if (s.moe &&
        (!divides(plan.expert, s.experts) || !divides(plan.expert, static_cast<double>(plan.data * plan.context * plan.tensor))))
        reasons.push_back("expert");
    if (plan.devices() > run.devices)
        reasons.push_back("devices");
    if (!divides(static_cast<double>(plan.data) * plan.microBatch, run.batch))
        reasons.push_back("batch");
    return reasons;
}

} // namespace cw
