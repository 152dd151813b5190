// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/serving/batching.h"

#include <cmath>

namespace cw {

namespace {

constexpr double manyTokens = 1e9, widest = 20;
constexpr double oneLength = .03; ///< variation below which requests count as equally long

double atLeastOne(double tokens) { return tokens > 1 ? std::min(tokens, manyTokens) : 1; }
double variation(double cv) { return cv > 0 ? std::min(cv, widest) : 0; }
double share(double value) { return value > 0 ? std::min(value, 1.) : 0; }

std::optional<double> target(const std::optional<Seconds>& seconds)
{
    return seconds && si(*seconds) > 0 ? std::optional(si(*seconds)) : std::nullopt;
}

/// Two-sided 99 % point of a normal distribution, one side.
constexpr double z99 = 2.3263478740408408;

} // namespace

RequestShape requestShape(const LlmServing& workload, const ServingStack& stack)
{
    RequestShape shape;
    shape.prompt = atLeastOne(workload.prompt.mean);
    shape.promptCv = variation(workload.prompt.cv);
    shape.output = atLeastOne(workload.output.mean);
    shape.outputCv = variation(workload.output.cv);
    shape.cachedShare = share(workload.prefixCacheHit);
    if (workload.speculativeAccept > 0) {
        const double accepted = std::min(workload.speculativeAccept, 16.);
        shape.tokensPerStep = 1 + accepted;
        shape.rowsPerStep = 1 + accepted / std::clamp(stack.draftAccepted, .05, 1.);
    }
    return shape;
}

ServingTargets servingTargets(const LlmServing& workload)
{
    return {target(workload.ttftP99), target(workload.tpotP99), target(workload.latencyP99)};
}

double ServingPoint::tpotTail(double t) const
{
    if (!(tpotSpread > 0) || !(tpot > 0))
        return t < tpot ? 1 : 0;
    return .5 * std::erfc((t / tpot - 1) / (tpotSpread * std::sqrt(2.)));
}

double ServingPoint::tpotQuantile(double p) const { return tpot * std::max(0., 1 + tpotSpread * normalQuantile(p)); }

ReplicaLoad::ReplicaLoad(const Replica& replica, const RequestShape& shape, ServingRole role)
    : m_replica(replica), m_shape(shape), m_role(role), m_pairFactor(1 + shape.promptCv * shape.promptCv)
{
    // Blocks of the paged cache are half empty at the end of every sequence.
    const double waste = (replica.stack.blockTokens - 1) / 2 + replica.stateTokens;
    m_places = std::clamp(replica.kvTokens / (shape.context() + waste), 1., std::max(1., replica.stack.maxSequences));
}

/// A busy replica serves at least one sequence a micro-batch: mean of a Poisson number that is not zero.
double ReplicaLoad::busyBatch(double batch) const
{
    const double stages = m_replica.step.stages, mean = batch / stages;
    return stages * (mean > 30 ? mean : mean > 1e-9 ? mean / -std::expm1(-mean) : 1);
}

double ReplicaLoad::cacheShare(double sequences) const
{
    const double each = m_shape.context() + (m_replica.stack.blockTokens - 1) / 2 + m_replica.stateTokens;
    return m_replica.kvTokens > 0 ? std::min(1., sequences * each / m_replica.kvTokens) : 0;
}

double ReplicaLoad::decode(double batch) const
{
    const StepModel& step = m_replica.step;
    const double time = step.decode(batch, m_shape.context(), m_shape.rowsPerStep);
    if (m_shape.rowsPerStep <= 1)
        return time;
    return time + (m_shape.rowsPerStep - 1) * m_replica.stack.draftCost * (step.mixerMemory + step.denseMemory + step.headMemory);
}

double ReplicaLoad::prefill(double batch) const { return m_replica.step.prefill(m_shape.fresh(), m_shape.cached(), batch, m_pairFactor); }

StepParts ReplicaLoad::decodeParts(double batch) const
{
    return m_replica.step.decodeParts(batch, m_shape.context(), m_shape.rowsPerStep);
}

StepParts ReplicaLoad::prefillParts(double batch) const
{
    return m_replica.step.prefillParts(m_shape.fresh(), m_shape.cached(), batch, m_pairFactor);
}

/// Prompt lengths vary, and attention grows with their square.
GammaDistribution ReplicaLoad::prefillTime(double mean, double batch) const
{
    if (!(m_shape.promptCv > 0) || !(mean > 0))
        return {mean, 0};
    const double linear = m_replica.step.prefill(m_shape.fresh(), 0, batch, 0);
    const double elasticity = 1 + std::clamp(1 - linear / mean, 0., 1.);
    const double cv = m_shape.promptCv * elasticity;
    return {mean, cv * cv};
}

double ReplicaLoad::largestBatch() const
{
    return m_role == ServingRole::prefill ? m_replica.stack.admission : m_replica.stack.admission * m_places;
}

double ReplicaLoad::rateAt(double batch) const
{
    const double work = m_role == ServingRole::decode ? 0 : prefill(batch) / m_replica.step.promptsAbreast() + m_replica.stack.requestOverhead;
    if (m_role == ServingRole::prefill)
        return batch / work;
    return batch / (m_shape.steps() * decode(busyBatch(batch)) + batch * work);
}

/// Shared end of every load: percentiles out of the wait, the prompt and the steps.
void ReplicaLoad::finish(ServingPoint& point, const Waiting& wait, double firstToken, const Between& between) const
{
    point.tpotSpread = std::max(point.tpotSpread, (m_replica.stack.tpotTail - 1) / z99);
    point.ttft.fixed = firstToken;
    point.ttft.service = prefillTime(point.prefill, point.batch);
    if (between.mean > 0)
        point.ttft.service =
            GammaDistribution::ofMoments(point.ttft.service.mean + between.mean, point.ttft.service.variance() + between.variance);
    point.ttft.wait = wait;
    point.latency = point.ttft;
    const double further = std::max(0., m_shape.output - 1), decoding = further * point.tpot;
    // An answer has at least one token: lengths about one do not vary.
    const double length = m_shape.outputCv * m_shape.output * std::min(1., further) * point.tpot, pace = point.tpotSpread * decoding;
    point.latency.service = GammaDistribution::ofMoments(point.ttft.service.mean + decoding,
                                                         point.ttft.service.variance() + length * length + pace * pace);
}

/// A prompt is taken in between two steps. It waits for what is left of the one that runs, if the replica is not idle; `seen` is the mean
/// length of a step that an arrival meets.
ReplicaLoad::Between ReplicaLoad::runningStep(const ServingPoint& point, double seen) const
{
    const double busy = -std::expm1(-point.batch - point.prefillShare);
    return {busy * seen / 2, busy * seen * seen * (1. / 3 - busy / 4)};
}

/// Decode steps that a prompt of several chunks goes through besides its last one: Σ P(prompt > k chunks).
double ReplicaLoad::furtherSteps(double step) const
{
    const double chunk = m_replica.stack.chunkTokens * m_replica.step.attentionRanks;
    const double mean = m_shape.fresh();
    if (!(chunk >= 1) || !(mean > .02 * chunk))
        return 0;
    if (mean > 16 * chunk)
        return step * (mean / chunk - .5);
    const double sigma2 = std::log1p(m_shape.promptCv * m_shape.promptCv), sigma = std::sqrt(sigma2);
    double sum = 0;
    for (int k = 1; k <= 64; ++k) {
        const double over = sigma > 0 ? .5 * std::erfc((std::log(k * chunk / mean) + sigma2 / 2) / (sigma * std::sqrt(2.))) : mean > k * chunk ? 1 : 0;
        sum += over;
        if (over < 1e-3)
            break;
    }
    return step * sum;
}

/// How far the paces of requests spread about their mean: few steps average little of what prompts do to single ones, and the batch that a
/// request decodes in differs (its square root, by what the step grows with it).
double ReplicaLoad::paceSpread(const ServingPoint& point, double mixed, double stepVariance) const
{
    const double steps = std::max(1., m_shape.steps()), busy = point.prefillShare;
    const double together = (1 + busy) / std::max(.05, 1 - busy); // long steps come in runs
    const double few = 1 + m_shape.outputCv * m_shape.outputCv;   // mean of 1/length over 1/mean length, log-normal
    const double ofSteps = stepVariance / (mixed * mixed) * std::min(1., together * few / steps);
    const double grown = decode(busyBatch(2 * point.batch)) / point.step - 1; // twice the batch
    const double ofBatch = point.batch > 1e-6 ? grown * grown / std::max(1., point.batch) : 0;
    return std::sqrt(ofSteps + ofBatch);
}

ServingPoint ReplicaLoad::prefillOnly(double utilisation) const
{
    const ServingStack& stack = m_replica.stack;
    ServingPoint point;
    point.places = m_places;
    point.prefill = prefill(0);
    point.work = point.prefill / m_replica.step.promptsAbreast() + stack.requestOverhead;
    point.rate = utilisation / point.work;
    point.prefillShare = utilisation;
    const double service = point.prefill + stack.requestOverhead, cv2 = prefillTime(point.prefill, 0).cv2;
    const auto servers = static_cast<std::int64_t>(m_replica.step.promptsAbreast());
    finish(point, balancedWaiting(point.rate, service, servers, cv2, m_shape.balancing), stack.outputLatency + stack.requestOverhead);
    return point;
}

ServingPoint ReplicaLoad::atBatch(double batch) const
{
    if (m_role == ServingRole::prefill)
        return prefillOnly(batch);
    const ServingStack& stack = m_replica.stack;
    ServingPoint point;
    point.batch = batch;
    point.places = m_places;
    point.step = decode(busyBatch(batch));
    if (m_role == ServingRole::both) {
        point.prefill = prefill(batch);
        point.work = point.prefill / m_replica.step.promptsAbreast() + stack.requestOverhead;
    }
    point.rate = batch / (m_shape.steps() * point.step + batch * point.work);
    point.prefillShare = point.rate * point.work;
    const double mixed = point.step / (1 - point.prefillShare);
    point.tpot = mixed / m_shape.tokensPerStep;
    point.kvUse = cacheShare(batch);

    // A prompt waits for the step that runs, then shares the next with all that came meanwhile; where chunks are full, for those before
    // it; and for a place in the KV cache.
    const double variance = m_shape.promptCv * m_shape.promptCv, used = point.prefillShare;
    const double piece = std::min(1., stack.chunkTokens * m_replica.step.attentionRanks / m_shape.fresh()); // longer prompts take several steps
    const double square = point.work * point.work * (1 + prefillTime(point.prefill, batch).cv2) * piece;
    const double stepVariance = point.rate * mixed * square / std::max(.05, 1 - used * used);
    const double seen = mixed + stepVariance / mixed, further = m_role == ServingRole::both ? furtherSteps(point.step) : 0;
    const double turn = point.work + further / m_replica.step.promptsAbreast(), turns = std::min(.99, point.rate * turn);
    const double psi = std::max(.1, .5 + (stack.waitShare - .5) * variance); // .5 is the exact constant of equal prompts
    Waiting prompts;
    prompts.utilisation = used;
    const double shared = used * seen, queued = turns * psi * turn / (1 - turns), behind = std::max(shared, queued);
    prompts.probability = std::max(-std::expm1(-point.rate * seen), queued > shared ? turns : 0);
    prompts.rate = behind > 0 && prompts.probability > 0 ? prompts.probability / behind : 1;
    if (!(point.work > 0))
        prompts.probability = 0;
    point.tpotSpread = paceSpread(point, mixed, stepVariance);
    const double held = m_shape.steps() * mixed;
    prompts = balanced(prompts, variance, m_shape.balancing);
    const Waiting places =
        balancedWaiting(batch / held, held, static_cast<std::int64_t>(m_places), m_shape.outputCv * m_shape.outputCv, m_shape.balancing);
    const double before = m_role == ServingRole::both ? stack.outputLatency + stack.requestOverhead + further : 0;
    finish(point, both(prompts, places), before + point.step, runningStep(point, seen));
    return point;
}

ServingPoint ReplicaLoad::atRate(double rate) const
{
    const double limit = largestBatch();
    if (!(rate > 0))
        return atBatch(0);
    if (!(rate < rateAt(limit))) {
        ServingPoint point = atBatch(limit);
        point.stable = false;
        return point;
    }
    // rateAt is concave and rises: the secant from below converges without overshooting far.
    double low = 0, high = limit, atLow = -rate, atHigh = rateAt(limit) - rate;
    int side = 0;
    for (int i = 0; i < 60 && high - low > 1e-10 * high; ++i) {
        const double batch = (low * atHigh - high * atLow) / (atHigh - atLow);
        const double at = rateAt(batch) - rate;
        if (std::abs(at) <= 1e-9 * rate)
            return atBatch(batch);
        if (at < 0) {
            low = batch;
            atLow = at;
            atHigh *= side == 1 ? .5 : 1;
            side = 1;
        } else {
            high = batch;
            atHigh = at;
            atLow *= side == -1 ? .5 : 1;
            side = -1;
        }
    }
    return atBatch(.5 * (low + high));
}

ServingPoint ReplicaLoad::closedLoop(double users) const
{
    const ServingStack& stack = m_replica.stack;
    const double abreast = m_replica.step.promptsAbreast();
    const bool lockstep = m_shape.promptCv < oneLength && m_shape.outputCv < oneLength;
    const double reserved = m_shape.prompt + m_shape.output + (stack.blockTokens - 1) / 2 + m_replica.stateTokens;
    const double fit = std::min(std::max(1., m_replica.kvTokens / reserved), stack.maxSequences);
    const double resident = std::min(users, fit);
    ServingPoint point;
    point.places = fit;
    const double expectedBatch = .8 * std::min(users, 1024.); // in flight while a prompt's experts are read
    point.prefill = m_role == ServingRole::decode ? 0 : prefill(expectedBatch);
    point.work = m_role == ServingRole::decode ? 0 : point.prefill / abreast + stack.requestOverhead;

    double batch = resident, cycle = 0, first = 0, waited = 0;
    for (int i = 0; i < 25; ++i) {
        point.step = decode(batch);
        cycle = m_shape.steps() * point.step + resident * point.work;
        point.prefillShare = std::min(.95, resident * point.work / cycle);
        const double queue = std::max(0., resident / abreast - 1), busy = point.prefillShare;
        const double burst = lockstep ? stack.burstShareEqual * std::pow(queue, stack.burstPowerEqual) : stack.burstShare * queue;
        waited = point.prefill * (std::min(stack.queueShare * busy / (1 - busy), queue) + burst / 2);
        const double fixed = stack.outputLatency + point.step + stack.requestOverhead;
        first = std::min(fixed + point.prefill + waited, .9 * cycle);
        const double next = resident * (cycle - first) / cycle;
        if (std::abs(next - batch) < 1e-9 * batch)
            break;
        batch += .5 * (next - batch);
    }
    point.batch = batch;
    point.tpot = m_shape.output > 1.5 ? (cycle - first) / (m_shape.output - 1) : point.step;
    point.rate = resident / cycle;
    point.kvUse = cacheShare(resident);
    Waiting wait;
    const double forPlace = users > fit ? (users / fit - 1) * cycle : 0;
    wait.probability = waited > 0 ? 1 : 0;
    wait.rate = waited > 0 ? 1 / waited : 1;
    finish(point, wait, forPlace + std::max(0., first - point.prefill - waited));
    return point;
}

bool ReplicaLoad::meets(const ServingPoint& point, const ServingTargets& targets, double extra) const
{
    constexpr double beyond = .01;
    if (targets.tpot && !(point.tpotTail(*targets.tpot) <= beyond) && m_role != ServingRole::prefill)
        return false;
    if (targets.ttft && m_role != ServingRole::decode && !(point.ttft.tail(*targets.ttft - extra) <= beyond))
        return false;
    return !targets.latency || point.latency.tail(*targets.latency - extra) <= beyond;
}

double ReplicaLoad::largestBatchWithin(const ServingTargets& targets, double extra) const
{
    double high = largestBatch();
    if (!targets.any() || meets(atBatch(high), targets, extra))
        return high;
    if (!meets(atBatch(0), targets, extra))
        return 0;
    // Tails rise with load, so the border is found by halving; in logarithms, because it may lie far below one sequence.
    double low = high * 1e-7;
    if (!meets(atBatch(low), targets, extra))
        return 0;
    for (int i = 0; i < 40 && high / low > 1 + 1e-4; ++i) {
        const double middle = std::sqrt(low * high);
        (meets(atBatch(middle), targets, extra) ? low : high) = middle;
    }
    return low;
}

} // namespace cw
