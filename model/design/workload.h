// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the cluster must do. One struct per kind; rates are per second, lengths in tokens, FLOPs in operations.
// Optional numbers that are empty are unknown or not asked for.
#pragma once

#include "model/base/id.h"
#include "model/catalog/part.h"
#include "model/units/units.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cw {

/// A length distribution: log-normal with this mean and coefficient of variation (0: fixed).
struct Lengths {
    double mean = 0;
    double cv = 0;
    bool operator==(const Lengths&) const = default;
};

struct LlmTraining {
    PartId model;
    int sequence = 4096;
    int globalBatch = 1024; ///< sequences
    Precision precision = Precision::bf16;
    double totalTokens = 0; ///< 0: unknown, no days
    std::string optimizer = "adam";
    bool adaptersOnly = false; ///< low-rank adapters (LoRA): the weights themselves are frozen
    std::optional<Bytes> datasetPerSample; ///< read from storage for each sample (images, volumes)
    std::optional<Seconds> checkpointInterval; ///< empty: the best one
    double mtbfNodeHours = 0; ///< 0: the catalog's failure rates
    bool operator==(const LlmTraining&) const = default;
};

struct LlmServing {
    PartId model;
    Precision weights = Precision::fp8;
    Precision kv = Precision::fp8;
    Lengths prompt{512, 1};
    Lengths output{200, 1};
    double arrivalRate = 0; ///< requests/s, mean over the busy period
    std::optional<int> concurrency; ///< closed loop with this many users instead of a rate
    double prefixCacheHit = 0; ///< share of prompt tokens found in the cache
    double speculativeAccept = 0; ///< mean extra tokens accepted a step; 0: off
    std::optional<Seconds> ttftP99, tpotP99, latencyP99; ///< targets
    bool operator==(const LlmServing&) const = default;
};

struct BatchInference {
    PartId model; ///< or the two numbers below
    std::optional<Operations> operationsPerItem;
    std::optional<Bytes> bytesPerItem; ///< activations and input moved through memory per item
    std::optional<Bytes> weightBytes;  ///< read once a batch
    int sequence = 128; ///< tokens per item of a transformer
    Precision precision = Precision::fp16;
    int batchLimit = 32;
    Seconds batchDelay{}; ///< longest wait for a batch to fill
    Seconds batchOverhead{}; ///< fixed time of a batch besides the device's: copies there and back, waiting for a stream
    double divergence = 1; ///< factor by which branches slow the arithmetic of a GPU, whose lanes all go the same way
    double arrivalRate = 0; ///< items/s
    std::optional<Seconds> latencyP99;
    bool operator==(const BatchInference&) const = default;
};

struct Service {
    Seconds cpuTime{}; ///< core-seconds a request
    double cpuTimeCv = 1;
    int coresPerRequest = 1;
    double arrivalRate = 0;
    int fanOut = 1; ///< parallel sub-requests, the slowest counts
    double cacheHit = 0;
    std::optional<Seconds> timeout; ///< after which a caller gives up and asks again
    int retries = 0;                ///< times that it asks again
    Bytes requestBytes{}, responseBytes{};
    std::optional<Seconds> latencyP99;
    bool operator==(const Service&) const = default;
};

struct Stream {
    double eventRate = 0;
    Bytes eventBytes{};
    Seconds cpuPerEvent{}; ///< core-seconds
    int replication = 3;
    Seconds retention{};
    std::optional<Seconds> latencyP99;
    bool operator==(const Stream&) const = default;
};

struct BatchJob {
    Seconds cpuTime{}; ///< core-seconds of the whole job
    Bytes read{}, shuffled{}, written{};
    std::int64_t tasks = 1;
    double serialShare = 0;
    double jobsPerDay = 0; ///< wanted
    std::optional<Seconds> deadline;
    bool operator==(const BatchJob&) const = default;
};

struct Hpc {
    enum class Preset : std::uint8_t { custom, hpl, hpcg, stencil };
    Preset preset = Preset::custom;
    Operations operationsPerStep{}; ///< whole problem
    Bytes memoryBytesPerStep{};
    Bytes haloBytesPerStep{}; ///< sent by one device a step
    int reductionsPerStep = 0;
    std::int64_t steps = 1;
    bool weakScaling = false; ///< numbers are per device instead of the whole problem
    Precision precision = Precision::fp64;
    bool operator==(const Hpc&) const = default;
};

/// As in files: "custom", "hpl", "hpcg", "stencil".
std::string_view name(Hpc::Preset preset);

/// A graph of stages. Each stage is a workload of its own (by id) or a fixed service time; edges carry a share of the requests.
struct Pipeline {
    struct Stage {
        std::string id;
        std::string name;
        WorkloadId workload; ///< empty: serviceTime on `servers` placed with this stage
        Seconds serviceTime{};
        double serviceCv = 1;
        std::string extra{}; ///< unknown keys of the file, as in design.h
        bool operator==(const Stage&) const = default;
    };
    struct Edge {
        std::string from, to;
        double share = 1; ///< of what leaves `from`
        Bytes bytes{};    ///< a request
        std::string extra{};
        bool operator==(const Edge&) const = default;
    };
    std::vector<Stage> stages;
    std::vector<Edge> edges;
    double arrivalRate = 0;
    std::optional<Seconds> latencyP99;
    bool operator==(const Pipeline&) const = default;
};

using WorkloadSpec = std::variant<LlmTraining, LlmServing, BatchInference, Service, Stream, BatchJob, Hpc, Pipeline>;

/// Load over the day: 24 shares of the peak (empty: constant), or a duty cycle for work that is only there part of the time.
struct LoadProfile {
    std::vector<double> hourly;
    double duty = 1;
    std::string extra{};
    bool operator==(const LoadProfile&) const = default;
};

/// How a balancer picks one of equal replicas or machines for a request.
enum class Routing : std::uint8_t { random, roundRobin, leastWork, powerOfTwo };

/// As in files: "random", "round_robin", "least_work", "power_of_two".
std::string_view name(Routing routing);

/// Requests as they came: a stretch of a recorded trace. Never changes once made; copies of a project share it.
struct RecordedRequests {
    std::vector<double> at;              ///< s since the first, rising
    std::vector<double> prompts, outputs; ///< tokens; empty: the trace has none
    std::string extra{};
    bool operator==(const RecordedRequests&) const = default;
};

/// How requests come and who takes them, for kinds that answer requests.
struct RequestFlow {
    Routing routing = Routing::random;
    double arrivalCv = 1; ///< variation of the time between arrivals: 1 as at random, more in bursts, 0 like clockwork
    std::optional<Seconds> failuresEvery; ///< mean time between failures of one replica; empty: as rare as its machines' are
    Seconds repair = seconds(3600);       ///< until it is back, mean
    std::shared_ptr<const RecordedRequests> recorded; ///< simulated arrivals and lengths, at the workload's rate; null: drawn at random
    std::string extra{};
    bool operator==(const RequestFlow& other) const {
        return routing == other.routing && arrivalCv == other.arrivalCv && failuresEvery == other.failuresEvery && repair == other.repair
            && extra == other.extra && (recorded == other.recorded || (recorded && other.recorded && *recorded == *other.recorded));
    }
};

/// Targets that every kind can have; latency targets live with their kind.
struct Targets {
    std::optional<double> throughput; ///< in the unit of the workload's throughput
    std::optional<Seconds> stepTime;
    std::optional<double> days;
    std::optional<double> dollarsPerHour;
    std::optional<double> dollarsPerUnit; ///< million tokens, million requests, job, run
    std::optional<Watts> facilityPower;
    std::string extra{};
    bool operator==(const Targets&) const = default;
};

/// What a published report says of this workload, shown beside the estimate in the gallery.
struct Reported {
    std::string quantity; ///< key of a figure of the estimate: "throughput", "step", "p99", …; else free text
    double value = 0;
    std::string unit;
    std::string note;
    std::string extra{};
    AlternativeId alternative{}; ///< the one it is about; empty: all
    bool operator==(const Reported&) const = default;
};

struct Workload {
    WorkloadId id;
    std::string name;
    WorkloadSpec spec;
    Targets targets;
    LoadProfile load;
    RequestFlow flow;
    std::vector<Reported> reported;
    std::string notes;
    std::string extra;
    bool operator==(const Workload&) const = default;
};

/// "llm_training", "llm_serving", "batch_inference", "service", "stream", "batch_job", "hpc", "pipeline".
std::string_view kindName(const WorkloadSpec& spec);

} // namespace cw
