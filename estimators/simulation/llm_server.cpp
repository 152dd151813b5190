// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/simulation/llm_server.h"

#include "estimators/simulation/replication.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cw::simulation {

namespace {

/// First to finish on top of the heap; admitted earlier first among equals.
constexpr auto finishesLater = [](const auto& a, const auto& b) { return a.finish != b.finish ? a.finish > b.finish : a.order > b.order; };

constexpr std::uint64_t longestRun = 1u << 20;

} // namespace

double LlmServer::decode(double sequences, double context) const {
    return m_model.step.decode(sequences, context, m_model.rowsPerStep) + m_model.draft;
}

double LlmServer::context() const {
    const auto n = static_cast<double>(m_decoding.size());
    return m_base + n * static_cast<double>(m_step) * m_model.tokensPerStep;
}

double LlmServer::held() const {
    const double each = (m_model.blockTokens - 1) / 2 + m_model.stateTokens;
    return context() + m_prompting + each * static_cast<double>(m_decoding.size() + m_prompts.size());
}

double LlmServer::commitment(const Request& request) const {
    const double output = m_model.role == LlmModel::Role::prefill ? 0 : m_model.reservedOutput * request.output;
    return request.prompt + output + (m_model.blockTokens - 1) / 2 + m_model.stateTokens;
}

bool LlmServer::hasRoom(const Request& request) const {
    const std::size_t resident = m_decoding.size() + m_prompts.size();
    if (resident == 0)
        return true; // alone it may have all there is
    const double each = (m_model.blockTokens - 1) / 2 + m_model.stateTokens;
    return static_cast<int>(resident) < m_model.maxSequences && m_committed + commitment(request) <= m_model.kvTokens
        && held() + request.prompt + request.output - request.remaining + each <= m_model.kvTokens;
}

void LlmServer::submit(Replication& in, RequestId id) {
    Request& request = in.request(id);
    request.remaining = request.output; // tokens that are still to come
    const double most = request.prompt + (m_model.role == LlmModel::Role::prefill ? 0 : request.output);
    if (most + m_model.stateTokens > m_model.kvTokens) {
        in.refuse(id);
        return;
    }
    m_waiting.push_back(id);
    if (!m_running) {
        begin(in);
        return;
    }
    // A run of several steps ends with the step that the arrival falls into, if there is a place for it.
    if (m_run.steps < 2 || m_waiting.size() > 1 || !hasRoom(request))
        return;
    const double elapsed = in.now() - m_run.start;
    std::uint64_t low = 1, high = m_run.steps;
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        (m_run.until(middle) < elapsed ? low : high) = m_run.until(middle) < elapsed ? middle + 1 : middle;
    }
    if (low < m_run.steps) {
        m_run.steps = low;
        schedule(in);
    }
}

void LlmServer::schedule(Replication& in) {
    m_running = true;
    in.schedule(m_target, m_run.start + m_run.until(m_run.steps), ++m_generation);
}

void LlmServer::begin(Replication& in) {
    m_running = true; // what is submitted from here on waits for the next turn
    m_run = {};
    const std::uint64_t before = use.preempted;
    while (m_decoding.size() > 1 && held() + static_cast<double>(m_decoding.size()) * m_model.tokensPerStep > m_model.kvTokens)
        preemptYoungest(in);
    if (use.preempted == before)
        admit(in);
    if (!m_prompts.empty())
        runPrompts(in);
    else if (!m_decoding.empty())
        runDecodes(in);
    else
        m_running = false;
}

void LlmServer::admit(Replication& in) {
    while (!m_waiting.empty()) {
        const RequestId id = m_waiting.front();
        Request& request = in.request(id);
        if (!hasRoom(request))
            return;
        m_waiting.pop_front();
        m_committed += commitment(request);
        request.waited += in.now() - request.came;
        if (m_model.role == LlmModel::Role::decode && request.remaining == request.output) {
            request.remaining = request.output - 1; // the first token came with the prompt
            join(in, id, m_order++);
            continue;
        }
        // A request that lost its place computes what it had generated again, as part of its prompt.
        const double again = request.output - request.remaining;
        const double known = request.prompt + again;
        const double fresh = again > 0 ? known : std::max(1., request.prompt * (1 - m_model.cachedShare));
        m_prompts.push_back({id, 0, fresh, m_order++});
        m_prompting += known;
    }
}

/// One step with chunks of the prompts that came first; the others decode along, unless prompts go first.
void LlmServer::runPrompts(Replication& in) {
    const StepModel& step = m_model.step;
    const bool prefillOnly = m_model.role == LlmModel::Role::prefill;
    const double decoding = prefillOnly || m_model.prefillFirst ? 0 : static_cast<double>(m_decoding.size());
    double budget = std::max(1., m_model.chunkTokens * step.attentionRanks - decoding * m_model.rowsPerStep);
    double sum = 0, longest = 0, overhead = 0, rows = decoding, tokens = decoding > 0 ? context() : 0;
    for (Prompt& prompt : m_prompts) {
        if (!(budget >= 1))
            break;
        const Request& request = in.request(prompt.id);
        const double piece = std::min(budget, prompt.total - prompt.done);
        const double known = request.prompt + request.output - request.remaining;
        const double seconds = step.prefill(piece, known - prompt.total + prompt.done, static_cast<double>(m_decoding.size()));
        sum += seconds;
        longest = std::max(longest, seconds);
        budget -= piece;
        prompt.done += piece;
        if (!(prompt.done < prompt.total)) {
            overhead += m_model.requestOverhead;
            rows += 1;
            tokens += known;
        }
    }
    const double base = prefillOnly ? 0 : decode(std::max(1., rows), std::max(1., tokens / std::max(1., rows)));
    m_run = {in.now(), base + std::max(longest, sum / step.promptsAbreast()) + overhead, 0, 1, decoding > 0};
    schedule(in);
}

void LlmServer::runDecodes(Replication& in) {
    const auto n = static_cast<double>(m_decoding.size());
    const double growth = n * m_model.tokensPerStep;
    std::uint64_t steps = std::min(longestRun, m_decoding.front().finish - m_step);
    if (n > 1) {
        const double fit = std::floor((m_model.kvTokens - held()) / growth);
        steps = std::min(steps, static_cast<std::uint64_t>(std::clamp(fit, 1., static_cast<double>(longestRun))));
    }
    const double first = decode(n, context() / n);
    double slope = 0;
    if (steps > 1) {
        const double further = static_cast<double>(steps - 1);
        slope = (decode(n, (context() + growth * further) / n) - first) / further;
    }
    m_run = {in.now(), first, slope, steps, true};
    schedule(in);
}

/// Its place goes to the others, and what it had is computed again.
void LlmServer::preemptYoungest(Replication& in) {
    const auto youngest = std::max_element(m_decoding.begin(), m_decoding.end(), [](const Resident& a, const Resident& b) { return a.order < b.order; });
    const Resident resident = *youngest;
    *youngest = m_decoding.back();
    m_decoding.pop_back();
    std::make_heap(m_decoding.begin(), m_decoding.end(), finishesLater);
    Request& request = in.request(resident.id);
    drop(resident, request);
    request.remaining = std::max(1., request.remaining - static_cast<double>(m_step - resident.joined) * m_model.tokensPerStep);
    request.came = in.now();
    m_waiting.push_front(resident.id);
    ++use.preempted;
}

void LlmServer::drop(const Resident& resident, const Request& request) {
    m_base -= resident.context - static_cast<double>(resident.joined) * m_model.tokensPerStep;
    m_committed -= commitment(request);
}

/// From now on it decodes; done at once if nothing is left.
void LlmServer::join(Replication& in, RequestId id, std::uint64_t order) {
    Request& request = in.request(id);
    const auto steps = static_cast<std::uint64_t>(std::ceil(request.remaining / m_model.tokensPerStep - 1e-9));
    if (m_model.role == LlmModel::Role::prefill || steps == 0) {
        m_committed -= commitment(request);
        in.done(id);
        return;
    }
    const double known = request.prompt + request.output - request.remaining;
    m_decoding.push_back({m_step + steps, m_step, order, known, id});
    std::push_heap(m_decoding.begin(), m_decoding.end(), finishesLater);
    m_base += known - static_cast<double>(m_step) * m_model.tokensPerStep;
}

void LlmServer::fire(Replication& in, std::uint32_t token) {
    if (token != m_generation)
        return; // of a run that was cut
    finish(in);
    begin(in);
}

void LlmServer::finish(Replication& in) {
    const double took = in.now() - m_run.start;
    const auto n = static_cast<double>(m_decoding.size());
    const double before = held();
    if (m_run.decodes)
        m_step += m_run.steps;
    const std::uint64_t steps = std::exchange(m_run.steps, 0);
    use.busy += took;
    use.steps += steps;
    use.batchTime += took * n;
    if (m_model.role != LlmModel::Role::prefill) {
        const double cache = std::min(1., .5 * (before + held()) / m_model.kvTokens);
        use.kvTime += took * cache;
        in.sawSequences(m_target, took, n, cache);
    }
    while (!m_decoding.empty() && m_decoding.front().finish <= m_step) {
        const Resident done = m_decoding.front();
        std::pop_heap(m_decoding.begin(), m_decoding.end(), finishesLater);
        m_decoding.pop_back();
        drop(done, in.request(done.id));
        in.done(done.id);
    }
    while (!m_prompts.empty() && !(m_prompts.front().done < m_prompts.front().total)) {
        const Prompt prompt = m_prompts.front();
        m_prompts.pop_front();
        Request& request = in.request(prompt.id);
        m_prompting -= request.prompt + request.output - request.remaining;
        if (request.firstToken < 0) {
            request.firstToken = in.now();
            request.extra += m_model.outputLatency;
        }
        request.remaining -= 1;
        join(in, prompt.id, prompt.order);
    }
}

double LlmServer::backlog(const Replication&) const {
    return static_cast<double>(m_waiting.size() + m_prompts.size() + m_decoding.size());
}

std::vector<RequestId> LlmServer::abandon(const std::vector<std::uint32_t>&) {
    std::vector<std::pair<std::uint64_t, RequestId>> inside;
    for (const Resident& resident : m_decoding)
        inside.emplace_back(resident.order, resident.id);
    for (const Prompt& prompt : m_prompts)
        inside.emplace_back(prompt.order, prompt.id);
    std::sort(inside.begin(), inside.end());
    std::vector<RequestId> all;
    for (const auto& [order, id] : inside)
        all.push_back(id);
    all.insert(all.end(), m_waiting.begin(), m_waiting.end());
    m_waiting.clear();
    m_prompts.clear();
    m_decoding.clear();
    m_running = false;
    ++m_generation;
    m_base = m_prompting = m_committed = 0;
    return all;
}

} // namespace cw::simulation
