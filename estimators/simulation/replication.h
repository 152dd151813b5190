// SPDX-License-Identifier: GPL-3.0-or-later
//
// One independent run of a system: a clock, the requests in it, and what was seen of those that left. It can be continued, so that the
// part before statistics begin is lost once only. One thread at a time; the same seed and number give the same bits.
#pragma once

#include "estimators/simulation/event_queue.h"
#include "estimators/simulation/latency_histogram.h"
#include "estimators/simulation/level_times.h"
#include "estimators/simulation/server.h"

#include <array>
#include <functional>

namespace cw::simulation {

enum class Metric : std::uint8_t { latency, firstToken, perToken, wait };
constexpr int metricCount = 4;

/// What was seen since statistics began.
struct Observed {
    std::array<LatencyHistogram, metricCount> times;
    double seconds = 0;
    std::uint64_t arrived = 0, left = 0, refused = 0;
    std::uint64_t failed = 0;    ///< given up after all retries
    std::uint64_t breakdowns = 0;
    double inSystem = 0; ///< requests, mean over time
    ServerUse use;       ///< all servers
    LevelTimes present, batch, cache; ///< requests; of one replica: sequences, or items by batch; KV cache in per mille
    LevelSeries presentSeries, batchSeries, cacheSeries; ///< of the first replication and the first replica that has them
};

class Replication {
public:
    using Interrupted = std::function<bool()>;

    Replication(const SystemModel& system, std::uint64_t seed, std::uint32_t number);

    /// Goes on until so many more requests have left, or nothing will ever happen again, or after so many events; false when interrupted.
    bool advance(std::uint64_t requests, std::uint64_t events, const Interrupted& interrupted);
    /// Statistics begin here.
    void beginWindow();
    Observed observed() const;

    /// Latencies so far, as means of `seriesBlock` requests in the order they left. For finding the end of the warm-up.
    static constexpr int seriesBlock = 16;
    const std::vector<float>& series() const { return m_series; }
    void stopSeries() { m_keepSeries = false; }

    std::uint64_t events() const { return m_events; }
    std::uint64_t left() const { return m_left; }
    std::uint64_t steps() const;
    double now() const { return m_now; }
    double present() const { return m_present; }

    // For servers.
    void schedule(std::uint32_t target, double time, std::uint32_t token) { m_queue.push({time, target, token}); }
    Request& request(RequestId id) { return m_requests[id]; }
    const Request& request(RequestId id) const { return m_requests[id]; }
    /// Fresh draws for a request at where it is now.
    Draws draws(Request& request) const { return draws(request, serviceDraw); }
    void done(RequestId id);
    /// It cannot be served at all.
    void refuse(RequestId id);
    /// For so long until now a serving program had so many sequences in flight and that share of its cache full.
    void sawSequences(std::uint32_t server, double seconds, double sequences, double cache);
    /// So long until now a batch of so many items ran.
    void sawBatch(std::uint32_t server, double seconds, double items);

private:
    enum DrawKind : std::uint32_t { arrivalDraw, lengthDraw, routeDraw, serviceDraw, backgroundDraw, failureDraw, recordDraw };
    struct PoolState {
        const Pool* model;
        std::uint32_t firstServer, up, turn = 0;
        std::vector<bool> isUp;
        std::vector<RequestId> held; ///< while none is up
    };

    Draws draws(Request& request, DrawKind kind) const;
    void addServers();
    void scheduleArrival();
    void scheduleBackground(std::uint32_t station);
    void arrive();
    RequestId makeRequest(std::uint64_t index, bool background);
    void release(RequestId id) { m_free.push_back(id); }
    void travel(RequestId id, const std::vector<Next>& ways);
    void enter(RequestId id);
    void attempt(RequestId id);
    void split(RequestId id, int parts);
    void giveUp(RequestId id);
    double recordedGap();
    void seePresent();
    void dispatch(RequestId id);
    std::uint32_t choose(PoolState& pool, Draws& draws);
    void move(RequestId id);
    void leave(RequestId id);
    void record(const Request& request);
    void happen(const Event& event);
    void changeState(std::uint32_t server);

    const SystemModel& m_system;
    std::uint64_t m_seed;
    std::uint32_t m_number;
    EventQueue m_queue;
    std::vector<std::unique_ptr<Server>> m_servers;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_poolOfServer; ///< index into m_pools, replica
    std::vector<PoolState> m_pools;
    std::vector<std::uint32_t> m_firstPool; ///< by station
    std::vector<Request> m_requests;
    std::vector<RequestId> m_free;
    std::vector<std::uint32_t> m_changes; ///< failures and repairs so far, by server
    std::vector<std::uint64_t> m_backgrounds;
    Distribution m_interarrival;
    std::uint32_t m_recordAt = 0, m_recordLeft = 0; ///< place in the record, and requests until the next jump
    std::uint32_t m_recordJumps = 0;
    std::uint32_t m_attempts = 0;
    std::uint32_t m_watched;    ///< the server whose series are kept
    double m_now = 0, m_nextArrival = 0, m_present = 0;
    std::uint64_t m_nextIndex = 0, m_events = 0, m_left = 0, m_refused = 0;

    // Since statistics began.
    std::array<LatencyHistogram, metricCount> m_times;
    double m_since = 0, m_area = 0, m_areaTo = 0;
    std::uint64_t m_arrivedBefore = 0, m_leftBefore = 0, m_refusedBefore = 0, m_failed = 0, m_breakdowns = 0;
    LevelTimes m_presentTimes, m_batchTimes, m_cacheTimes;
    LevelSeries m_presentSeries, m_batchSeries, m_cacheSeries;
    bool m_recording = false, m_keepSeries = true;
    std::vector<float> m_series;
    double m_blockSum = 0;
    int m_inBlock = 0;
};

} // namespace cw::simulation
