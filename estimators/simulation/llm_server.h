// SPDX-License-Identifier: GPL-3.0-or-later
//
// Continuous batching on one replica, step by step. Prompts are admitted in the order they came while the KV cache has room, run in chunks,
// and then decode one step at a time with all others; when the cache runs full the youngest loses its place and is computed again.
// Between two events nothing changes but the contexts, which grow evenly: such runs of decode steps are taken at once, with the time of a
// step going in a straight line from the first to the last (it is one, but for soft maxima). An arrival cuts a run at the end of the step
// it falls into.
#pragma once

#include "estimators/simulation/server.h"

#include <deque>

namespace cw::simulation {

class LlmServer : public Server {
public:
    LlmServer(const LlmModel& model, std::uint32_t target)
        : Server(target)
        , m_model(model) {}

    void submit(Replication& in, RequestId id) override;
    void fire(Replication& in, std::uint32_t token) override;
    double backlog(const Replication& in) const override;
    std::vector<RequestId> abandon(const std::vector<std::uint32_t>& tokens) override;

private:
    struct Resident {
        std::uint64_t finish = 0; ///< the step count after which it is done
        std::uint64_t joined = 0; ///< step count when it began to decode
        std::uint64_t order = 0;  ///< of admission
        double context = 0;       ///< tokens when it joined
        RequestId id = noRequest;
    };
    struct Prompt {
        RequestId id = noRequest;
        double done = 0, total = 0; ///< fresh tokens
        std::uint64_t order = 0;
    };
    /// A run of decode steps, or a single step with prompts.
    struct Run {
        double start = 0, first = 0, slope = 0; ///< s
        std::uint64_t steps = 0;
        bool decodes = false;
        double until(std::uint64_t n) const { // seconds of the first n steps
            const double k = static_cast<double>(n);
            return k * first + slope * k * (k - 1) / 2;
        }
    };

    void begin(Replication& in);
    void finish(Replication& in);
    void admit(Replication& in);
    bool hasRoom(const Request& request) const;
    void runPrompts(Replication& in);
    void runDecodes(Replication& in);
    void schedule(Replication& in);
    void preemptYoungest(Replication& in);
    void join(Replication& in, RequestId id, std::uint64_t order);
    void drop(const Resident& resident, const Request& request);
    double decode(double sequences, double context) const;
    double context() const; ///< tokens of all that decode
    double held() const;    ///< tokens of the KV cache that are taken
    double commitment(const Request& request) const;

    const LlmModel& m_model;
    std::deque<RequestId> m_waiting;
    std::deque<Prompt> m_prompts;
    std::vector<Resident> m_decoding; ///< heap, first to finish on top
    Run m_run;
    bool m_running = false;
    std::uint32_t m_generation = 0;
    std::uint64_t m_step = 0, m_order = 0;
    double m_base = 0;      ///< Σ context - joined · tokens a step, of those that decode
    double m_prompting = 0; ///< tokens of admitted prompts
    double m_committed = 0; ///< tokens that those admitted were promised
};

} // namespace cw::simulation
