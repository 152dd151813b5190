// SPDX-License-Identifier: GPL-3.0-or-later
//
// The collectives of a training step, each alone on the drawn network: which algorithm the library takes, and what the others would take.
#include "estimators/training/training_job.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cw {

namespace {

struct WayText {
    const char* algorithm;
    const char* term;     ///< name of the candidate's term
    const char* equation; ///< of the candidate
    const char* fastest;  ///< equation of the operation when this one wins
};

constexpr WayText wayTexts[] = {
    {"ring", "in a ring", "passes · (domains − 1) · latency of a step + bytes / bandwidth", "the fastest way: ring"},
    {"tree", "in a tree", "passes · log2(domains) · latency of a level + bytes / bandwidth", "the fastest way: tree"},
    {"in-switch", "summed by the switches of the network", "2 · switches passed · latency + buffer / bandwidth",
     "the fastest way: summed by the switches of the network"},
    {"NVLS", "summed by the scale-up switches", "measured on the device", "the fastest way: summed by the scale-up switches"},
    {"direct", "straight to the receivers", "latency + bytes / bandwidth", "straight to the receivers"}};

const WayText& textOf(const char* algorithm) {
    const auto found = std::find_if(std::begin(wayTexts), std::end(wayTexts),
                                    [&](const WayText& text) { return std::string_view(text.algorithm) == algorithm; });
    return found == std::end(wayTexts) ? wayTexts[0] : *found;
}

class Uses {
public:
    Uses(const TrainingJob& job, WorkloadResult& result)
        : m_job(job)
        , m_uses(result.estimate.collectives)
        , d(job.context.derivation) {}

    void add(const char* purpose, Collective op, double bytes, const RankGroup& ranks) {
        if (!(bytes > 0) || ranks.ranks() < 2)
            return;
        const CollectiveTime time = collectiveTime(op, bytes, ranks, m_job.context.catalog, m_job.run.gpu);
        CollectiveUse use;
        use.purpose = purpose;
        use.operation = name(op).data();
        use.bytes = bytes;
        use.ranks = ranks.ranks();
        use.perDomain = ranks.inner;
        use.tier = ranks.fabric->tiers[static_cast<std::size_t>(time.tier)].name;
        use.algorithm = time.algorithm;
        const double relief = ranks.outer > 1 ? m_job.run.networkRelief : 1;
        std::array<Quantity, std::tuple_size_v<decltype(time.list)>> terms;
        for (const CollectiveWay& way : time.ways()) {
            const WayText& text = textOf(way.algorithm);
            const double seconds = way.seconds / relief;
            terms[use.candidates.size()] = *way.because != 0
                ? d.unknown(text.term, Unit::seconds,
                            std::string_view(way.because) == "switches" ? "not possible: not every switch on the way can sum"
                                                                        : "not possible: switched off in the placement")
                : d.computed(text.term, text.equation, seconds, seconds, seconds, Unit::seconds, {});
            use.candidates.push_back({way.algorithm, seconds, way.because});
        }
        const double seconds = time.seconds / relief;
        use.seconds = d.computed("collective, alone", textOf(time.algorithm).fastest, seconds, seconds, seconds, Unit::seconds,
                                 std::span(terms).first(use.candidates.size()), "docs/equations.md, Collectives");
        use.leastSeconds = leastSeconds(op, bytes, ranks);
        m_uses.push_back(std::move(use));
    }

private:
    const TrainingJob& m_job;
    std::vector<CollectiveUse>& m_uses;
    Derivation& d;
};

void addData(const TrainingJob& job, Uses& uses) {
    const TrainingPlan& plan = job.plan;
    const StageParameters held = stageParameters(job.shape, plan);
    const double gradient = job.run.stack.gradientBytes * job.run.trained, weight = 2 * (plan.zero == 3 ? 1 : job.run.trained);
    const RankGroup shards = dataRanks(job.run, plan), experts = expertDataRanks(job.run, plan);
    const std::pair<double, RankGroup> parts[] = {{held.dense, shards}, {held.experts, experts}};
    for (const auto& [parameters, ranks] : parts) {
        if (plan.zero == 0) {
            uses.add("gradients", Collective::allReduce, gradient * parameters, ranks);
            continue;
        }
        uses.add("gradients", Collective::reduceScatter, gradient * parameters, ranks);
        uses.add("parameters", Collective::allGather, weight * parameters, ranks);
    }
}

void addLayers(const TrainingJob& job, Uses& uses) {
    const TrainingPlan& plan = job.plan;
    const ModelShape& s = job.shape;
    const double tokens = plan.microBatch * job.run.sequence / plan.context;
    uses.add("tensor", job.run.stack.sequenceParallel ? Collective::allGather : Collective::allReduce, 2 * tokens * s.hidden,
             job.run.ranks(plan.tensor, 1));
    if (plan.context > 1)
        uses.add("context", Collective::pointToPoint, 4 * tokens * std::max(s.kvHeads / plan.tensor, 1.0) * s.headDim,
                 job.run.ranks(plan.context, plan.tensor));
    if (s.moe)
        uses.add("experts", Collective::allToAll,
                 2 * tokens / plan.tensor * s.expertsPerToken * (s.latent > 0 ? s.latent : s.hidden), job.run.ranks(plan.expert, 1));
    const bool split = job.run.stack.scatterSends || job.run.stack.sequenceParallel;
    uses.add("pipeline", Collective::pointToPoint, 2 * tokens * s.hidden / (split ? plan.tensor : 1),
             job.run.ranks(plan.pipeline, plan.data * plan.tensor * plan.context));
}

} // namespace

bool isDataExchange(const CollectiveUse& use) {
    return std::string_view(use.purpose) == "gradients" || std::string_view(use.purpose) == "parameters";
}

void fillCollectives(const TrainingJob& job, WorkloadResult& result) {
    Uses uses(job, result);
    addData(job, uses);
    if (!job.shape.convolutional)
        addLayers(job, uses);
    std::vector<Quantity> exchange;
    for (const CollectiveUse& use : result.estimate.collectives)
        if (isDataExchange(use))
            exchange.push_back(use.seconds);
    if (!exchange.empty())
        result.estimate.more.push_back(
            {"gradient_exchange", job.context.derivation.sum("gradient exchange, alone", exchange, Unit::seconds)});
}

} // namespace cw
