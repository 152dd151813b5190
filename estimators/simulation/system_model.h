// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is simulated, as plain values: stations of equal replicas, how requests find their way between them, how they arrive and how long
// they are. Seconds, tokens, requests per second. Made by whoever knows the design (simulated_workload.h), read by the engine only.
#pragma once

#include "estimators/serving/batch_server.h"
#include "estimators/simulation/distribution.h"
#include "model/design/workload.h"

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace cw::simulation {

/// `servers` that each do one request at a time, first come, first served; 0 servers: a delay without a queue.
struct QueueModel {
    int servers = 1;
    Distribution service;
    double cheapShare = 0, cheapFactor = 1; ///< a share of the requests takes that part of the time (cache hits)
    double perPromptToken = 0;              ///< s on top, a token of the prompt (a KV cache that is sent)
};

/// Takes up to `limit` that wait, or what has come when the oldest has waited `delay`.
struct BatchingModel {
    int limit = 1;
    double delay = 0;
    BatchTime time;
};

/// Continuous batching of a language model: decode steps of all sequences that are resident, prompts in chunks within the steps.
struct LlmModel {
    enum class Role : std::uint8_t { both, prefill, decode };
    Role role = Role::both;
    StepModel step;
    double requestOverhead = 0;  ///< s of the replica's time a request
    double outputLatency = 0;    ///< s that the user waits besides
    double draft = 0;            ///< s a step for proposing further tokens
    double tokensPerStep = 1, rowsPerStep = 1;
    double cachedShare = 0;      ///< of the prompts
    double kvTokens = 1e12;      ///< that the replica holds
    double blockTokens = 1;      ///< of a block: the last of a sequence is half empty on average
    double stateTokens = 0;      ///< what a sequence holds besides its context
    int maxSequences = 1 << 20;
    double chunkTokens = 8192;   ///< prompt tokens a step and attention rank
    double reservedOutput = .5;  ///< share of the output that must find room at admission
    bool prefillFirst = false;
};

/// Independent of load; what a failed replica held starts again elsewhere, or there when it is back.
struct Failures {
    double meanBetween = 0, meanRepair = 0; ///< s, exponential
};

/// Where a request goes from here.
struct Next {
    std::uint32_t station = 0;
    double share = 1;
    double delay = 0;     ///< s on the way
    bool outside = false; ///< leaves the part that a background request visits
};

/// Equal replicas.
struct Pool {
    std::variant<QueueModel, BatchingModel, LlmModel> kind;
    int replicas = 1;
    double weight = 1; ///< of the station's requests
    Routing routing = Routing::random;
    std::optional<Failures> failures{};
    std::vector<Next> next{}; ///< shares add up to at most 1; what is left leaves the system
};

struct RequestLengths {
    Distribution prompt, output; ///< tokens; rounded to whole ones, at least one
};

struct Station {
    std::vector<Pool> pools;
    int fanOut = 1;            ///< parts of a request, each to a replica of its own; the slowest counts
    double timeout = 0;        ///< s after which the caller gives an attempt up, which is worked on all the same; 0: it waits
    int retries = 0;           ///< further attempts
    double retryDelay = 0;     ///< s until the next attempt is there
    double backgroundRate = 0; ///< requests/s of others, Poisson
    std::optional<RequestLengths> lengths; ///< drawn for every request that enters
};

/// Arrivals (and lengths) as they were recorded: stretches of the record in random order, at the system's rate.
struct Replay {
    std::shared_ptr<const RecordedRequests> record; ///< null: none
    double promptScale = 0, outputScale = 0;        ///< of the lengths; 0: those are drawn
};

struct SystemModel {
    std::vector<Station> stations;
    std::vector<Next> entry;      ///< shares add up to 1
    double rate = 0;              ///< arrivals/s
    double interarrivalCv = 1;    ///< 1: Poisson
    Replay replay;
    double kept = 1;              ///< share of the arrivals that are for these machines; the others go elsewhere
    int users = 0;                ///< above 0: so many at a time instead, each followed by the next
    double stagger = 0;           ///< s over which the users start
    double fixed = 0;             ///< s that every latency carries besides
};

} // namespace cw::simulation
