// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/simulation/replication.h"

#include <cmath>
#include <limits>

namespace cw::simulation {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::uint32_t travelTarget = 1u << 28;     ///< + station: a request gets there
constexpr std::uint32_t backgroundTarget = 2u << 28; ///< + station: another request comes
constexpr std::uint32_t stateTarget = 3u << 28;      ///< + server: it fails, or is back
constexpr std::uint32_t userTarget = 4u << 28;       ///< a user starts
constexpr std::uint32_t timeoutTarget = 5u << 28;    ///< a caller gives up
constexpr std::uint32_t retryTarget = 6u << 28;      ///< and asks again
constexpr std::uint32_t kindMask = ~((1u << 28) - 1);
constexpr std::uint32_t pollEvery = 2048;
constexpr std::uint32_t stretches = 8, shortestStretch = 64; ///< of a record, between jumps
constexpr double perMille = 1000;

double wholeTokens(double tokens) { return std::max(1., std::min(std::round(tokens), 1e9)); }

} // namespace

Replication::Replication(const SystemModel& system, std::uint64_t seed, std::uint32_t number)
    : m_system(system)
    , m_seed(seed)
    , m_number(number)
    , m_watched(std::numeric_limits<std::uint32_t>::max()) {
    addServers();
    if (system.users > 0) {
        m_nextArrival = never;
        for (int user = 0; user < system.users; ++user) {
            Draws draws({m_seed, m_number, static_cast<std::uint64_t>(user), 0, arrivalDraw});
            m_queue.push({system.stagger * draws.uniform(), userTarget, 0});
        }
    } else {
        m_interarrival = system.rate > 0 ? Distribution::gamma(1 / system.rate, system.interarrivalCv) : Distribution();
        scheduleArrival();
    }
    m_backgrounds.resize(system.stations.size(), 0);
    for (std::uint32_t station = 0; station < system.stations.size(); ++station)
        if (system.stations[station].backgroundRate > 0)
            scheduleBackground(station);
}

void Replication::addServers() {
    for (const Station& station : m_system.stations) {
        m_firstPool.push_back(static_cast<std::uint32_t>(m_pools.size()));
        for (const Pool& pool : station.pools) {
            const auto replicas = static_cast<std::uint32_t>(std::max(1, pool.replicas));
            m_pools.push_back({&pool, static_cast<std::uint32_t>(m_servers.size()), replicas, 0, std::vector<bool>(replicas, true), {}});
            for (std::uint32_t replica = 0; replica < replicas; ++replica) {
                m_poolOfServer.emplace_back(static_cast<std::uint32_t>(m_pools.size() - 1), replica);
                m_servers.push_back(makeServer(pool, static_cast<std::uint32_t>(m_servers.size())));
                if (m_number == 0 && m_watched >= m_servers.size() && holdsBatches(pool))
                    m_watched = static_cast<std::uint32_t>(m_servers.size() - 1);
            }
        }
    }
    m_changes.resize(m_servers.size(), 0);
    for (std::uint32_t server = 0; server < m_servers.size(); ++server) {
        const auto& failures = m_pools[m_poolOfServer[server].first].model->failures;
        if (failures && failures->meanBetween > 0) {
            Draws draws({m_seed, m_number, server, 0, failureDraw});
            m_queue.push({failures->meanBetween * draws.exponential(), stateTarget + server, 0});
        }
    }
}

Draws Replication::draws(Request& request, DrawKind kind) const {
    const std::uint32_t purpose = kind | request.visits++ << 4;
    return Draws({m_seed, m_number, request.index, request.part, request.background ? purpose | 1u << 31 : purpose});
}

void Replication::scheduleArrival() {
    if (!(m_system.rate > 0)) {
        m_nextArrival = never;
        return;
    }
    m_nextArrival = m_now;
    while (true) { // those for other machines only take time
        Draws draws({m_seed, m_number, m_nextIndex, 0, arrivalDraw});
        m_nextArrival += m_system.replay.record ? recordedGap() : m_interarrival.sample(draws);
        if (m_system.kept >= 1 || draws.uniform() < m_system.kept)
            return;
        ++m_nextIndex;
    }
}

/// Whole stretches of the record keep its bursts; where each begins is drawn (a block bootstrap: Künsch 1989), so that replications differ.
double Replication::recordedGap() {
    const std::vector<double>& at = m_system.replay.record->at;
    const auto count = static_cast<std::uint32_t>(at.size());
    if (m_recordLeft == 0) {
        Draws draws({m_seed, m_number, m_recordJumps++, 0, recordDraw});
        m_recordAt = draws.below(count);
        m_recordLeft = std::max(shortestStretch, count / stretches);
    }
    --m_recordLeft;
    m_recordAt = (m_recordAt + 1) % count;
    const double mean = (at.back() - at.front()) / (count - 1);
    return (m_recordAt > 0 ? at[m_recordAt] - at[m_recordAt - 1] : mean) / (mean * m_system.rate);
}

void Replication::scheduleBackground(std::uint32_t station) {
    Draws draws({m_seed, m_number, m_backgrounds[station], station, backgroundDraw});
    m_queue.push({m_now + draws.exponential() / m_system.stations[station].backgroundRate, backgroundTarget + station, 0});
}

RequestId Replication::makeRequest(std::uint64_t index, bool background) {
    RequestId id;
    if (m_free.empty()) {
        id = static_cast<RequestId>(m_requests.size());
        m_requests.emplace_back();
    } else {
        id = m_free.back();
        m_free.pop_back();
        m_requests[id] = Request();
    }
    Request& request = m_requests[id];
    request.index = index;
    request.background = background;
    request.arrival = m_now;
    request.extra = m_system.fixed;
    return id;
}

void Replication::seePresent() {
    const double seconds = m_now - m_areaTo;
    m_area += m_present * seconds;
    if (m_recording) {
        m_presentTimes.add(m_present, seconds);
        if (m_number == 0)
            m_presentSeries.add(m_areaTo - m_since, m_now - m_since, m_present);
    }
    m_areaTo = m_now;
}

void Replication::sawSequences(std::uint32_t server, double seconds, double sequences, double cache) {
    if (!m_recording)
        return;
    m_batchTimes.add(sequences, seconds);
    m_cacheTimes.add(perMille * cache, seconds);
    if (server == m_watched) {
        m_batchSeries.add(m_now - seconds - m_since, m_now - m_since, sequences);
        m_cacheSeries.add(m_now - seconds - m_since, m_now - m_since, cache);
    }
}

void Replication::sawBatch(std::uint32_t server, double seconds, double items) {
    if (!m_recording)
        return;
    m_batchTimes.add(items, 1);
    if (server == m_watched)
        m_batchSeries.add(m_now - seconds - m_since, m_now - m_since, items);
}

void Replication::arrive() {
    const RequestId id = makeRequest(m_nextIndex++, false);
    m_requests[id].recorded = m_recordAt;
    seePresent();
    ++m_present;
    travel(id, m_system.entry);
}

/// Chooses among the ways by their shares; what is left over leaves.
void Replication::travel(RequestId id, const std::vector<Next>& ways) {
    Request& request = m_requests[id];
    const Next* chosen = nullptr;
    if (ways.size() == 1 && ways.front().share >= 1) {
        chosen = &ways.front();
    } else if (!ways.empty()) {
        double at = draws(request, routeDraw).uniform();
        for (const Next& way : ways) {
            at -= way.share;
            if (at < 0) {
                chosen = &way;
                break;
            }
        }
        if (&ways == &m_system.entry && !chosen)
            chosen = &ways.back(); // rounding of shares that add up to 1
    }
    if (!chosen || (request.background && chosen->outside)) {
        leave(id);
        return;
    }
    request.station = chosen->station;
    if (chosen->delay > 0)
        m_queue.push({m_now + chosen->delay, travelTarget + chosen->station, id});
    else
        enter(id);
}

void Replication::enter(RequestId id) {
    const Station& station = m_system.stations[m_requests[id].station];
    if (station.lengths) {
        Request& request = m_requests[id];
        Draws lengths = draws(request, lengthDraw);
        const Replay& replay = m_system.replay;
        const auto length = [&](const Distribution& drawn, const std::vector<double>& recorded, double scale) {
            return wholeTokens(scale > 0 && !request.background ? scale * recorded[request.recorded] : drawn.sample(lengths));
        };
        static const std::vector<double> none;
        request.prompt = length(station.lengths->prompt, replay.record ? replay.record->prompts : none, replay.promptScale);
        request.output = length(station.lengths->output, replay.record ? replay.record->outputs : none, replay.outputScale);
        request.firstToken = -1;
    }
    if (station.timeout > 0) {
        m_requests[id].tries = 0;
        attempt(id);
    } else if (station.fanOut > 1) {
        split(id, station.fanOut);
    } else {
        dispatch(id);
    }
}

/// The caller waits so long for it, and no longer.
void Replication::attempt(RequestId id) {
    const Station& station = m_system.stations[m_requests[id].station];
    m_requests[id].deadline = m_now + station.timeout;
    m_queue.push({m_requests[id].deadline, timeoutTarget, id});
    split(id, std::max(1, station.fanOut));
}

/// What was sent is worked on to its end, but nobody waits for it any more.
void Replication::giveUp(RequestId id) {
    Request& request = m_requests[id];
    const Station& station = m_system.stations[request.station];
    request.attempt = 0;
    request.deadline = 0;
    if (request.tries++ < station.retries) {
        if (station.retryDelay > 0)
            m_queue.push({m_now + station.retryDelay, retryTarget, id});
        else
            attempt(id);
        return;
    }
    request.failed = true;
    leave(id);
}

/// Parts of its own that go to servers; it waits for the last of them.
void Replication::split(RequestId id, int parts) {
    m_requests[id].open = static_cast<std::uint32_t>(parts);
    m_requests[id].came = m_now;
    m_requests[id].attempt = ++m_attempts;
    for (int part = 0; part < parts; ++part) {
        const std::uint64_t index = m_requests[id].index;
        const RequestId child = makeRequest(index, m_requests[id].background);
        Request &of = m_requests[child], &whole = m_requests[id];
        of.parent = id;
        of.part = static_cast<std::uint32_t>(part) + 1;
        of.station = whole.station;
        of.visits = whole.visits;
        of.attempt = whole.attempt;
        of.prompt = whole.prompt;
        of.output = whole.output;
        dispatch(child);
    }
    m_requests[id].visits += 4; // draws of the parts are theirs
}

/// To a replica of one of the station's pools.
void Replication::dispatch(RequestId id) {
    Request& request = m_requests[id];
    const Station& station = m_system.stations[request.station];
    std::uint32_t pool = m_firstPool[request.station];
    const bool chooses = station.pools.size() > 1 || m_pools[pool].model->replicas > 1;
    request.came = m_now;
    if (!chooses && m_pools[pool].up == 1) {
        request.pool = pool;
        m_servers[m_pools[pool].firstServer]->submit(*this, id);
        return;
    }
    Draws draws = this->draws(request, routeDraw);
    if (station.pools.size() > 1) {
        double at = draws.uniform();
        std::uint32_t chosen = 0;
        while (chosen + 1 < station.pools.size() && (at -= station.pools[chosen].weight) >= 0)
            ++chosen;
        pool += chosen;
    }
    request.pool = pool;
    PoolState& state = m_pools[pool];
    if (state.up == 0)
        state.held.push_back(id);
    else
        m_servers[choose(state, draws)]->submit(*this, id);
}

std::uint32_t Replication::choose(PoolState& pool, Draws& draws) {
    const auto all = static_cast<std::uint32_t>(pool.isUp.size());
    const auto anyUp = [&] {
        std::uint32_t skip = draws.below(pool.up);
        if (pool.up == all)
            return skip;
        for (std::uint32_t i = 0;; ++i)
            if (pool.isUp[i] && skip-- == 0)
                return i;
    };
    const auto backlog = [&](std::uint32_t replica) { return m_servers[pool.firstServer + replica]->backlog(*this); };
    switch (pool.model->routing) {
    case Routing::random:
        return pool.firstServer + anyUp();
    case Routing::roundRobin:
        do
            pool.turn = (pool.turn + 1) % all;
        while (!pool.isUp[pool.turn]);
        return pool.firstServer + pool.turn;
    case Routing::powerOfTwo: {
        const std::uint32_t first = anyUp();
        std::uint32_t second = anyUp();
        while (second == first && pool.up > 1)
            second = anyUp();
        return pool.firstServer + (backlog(second) < backlog(first) ? second : first);
    }
    case Routing::leastWork:
        break;
    }
    std::uint32_t least = anyUp(); // a random start, so that ties do not pile up on the first
    double work = backlog(least);
    for (std::uint32_t i = 0; i < all; ++i)
        if (pool.isUp[i] && backlog(i) < work) {
            work = backlog(i);
            least = i;
        }
    return pool.firstServer + least;
}

void Replication::done(RequestId id) {
    const Request& part = m_requests[id];
    if (part.parent == noRequest) {
        move(id);
        return;
    }
    const RequestId whole = part.parent;
    Request& request = m_requests[whole];
    if (request.attempt != part.attempt) { // given up meanwhile
        release(id);
        return;
    }
    request.waited = std::max(request.waited, part.waited);
    request.pool = part.pool;
    release(id);
    if (--request.open == 0) {
        request.attempt = 0;
        request.deadline = 0;
        move(whole);
    }
}

void Replication::move(RequestId id) { travel(id, m_pools[m_requests[id].pool].model->next); }

void Replication::refuse(RequestId id) {
    const RequestId parent = m_requests[id].parent;
    if (parent != noRequest) {
        done(id);
        return;
    }
    m_refused += m_requests[id].background ? 0 : 1;
    m_requests[id].firstToken = never; // marks it: nothing is recorded
    leave(id);
}

void Replication::leave(RequestId id) {
    const Request& request = m_requests[id];
    release(id); // its numbers stay until the next request is made
    if (request.background)
        return;
    seePresent();
    --m_present;
    ++m_left;
    m_failed += request.failed ? 1 : 0;
    if (request.firstToken < never)
        record(request);
    if (m_system.users > 0)
        m_queue.push({m_now, userTarget, 0});
}

void Replication::record(const Request& request) {
    const double latency = m_now - request.arrival + request.extra;
    if (m_keepSeries) {
        m_blockSum += latency;
        if (++m_inBlock == seriesBlock) {
            m_series.push_back(static_cast<float>(m_blockSum / seriesBlock));
            m_blockSum = 0;
            m_inBlock = 0;
        }
    }
    if (!m_recording)
        return;
    const auto times = [&](Metric metric) -> LatencyHistogram& { return m_times[static_cast<std::size_t>(metric)]; };
    times(Metric::latency).add(latency);
    times(Metric::wait).add(request.waited);
    if (request.firstToken < 0)
        return;
    times(Metric::firstToken).add(request.firstToken - request.arrival + request.extra);
    if (request.output > 1)
        times(Metric::perToken).add((m_now - request.firstToken) / (request.output - 1));
}

/// A replica fails or comes back, in turns.
void Replication::changeState(std::uint32_t server) {
    const auto [index, replica] = m_poolOfServer[server];
    PoolState& pool = m_pools[index];
    const Failures& failures = *pool.model->failures;
    const bool fails = pool.isUp[replica];
    Draws draws({m_seed, m_number, server + (std::uint64_t(++m_changes[server]) << 16), 0, failureDraw});
    m_queue.push({m_now + (fails ? failures.meanRepair : failures.meanBetween) * draws.exponential(), stateTarget + server, 0});
    pool.isUp[replica] = !fails;
    std::vector<RequestId> again;
    if (fails) {
        ++m_breakdowns;
        --pool.up;
        again = m_servers[server]->abandon(m_queue.extract(server));
    } else {
        ++pool.up;
        again.swap(pool.held);
    }
    m_events += again.size(); // a long queue that moves is work, too
    for (const RequestId id : again)
        dispatch(id);
}

void Replication::happen(const Event& event) {
    const std::uint32_t index = event.target & ~kindMask;
    switch (event.target & kindMask) {
    case travelTarget:
        enter(event.token);
        break;
    case backgroundTarget: {
        const RequestId id = makeRequest(m_backgrounds[index]++ | std::uint64_t(index) << 40, true);
        m_requests[id].station = index;
        scheduleBackground(index);
        enter(id);
        break;
    }
    case stateTarget:
        changeState(index);
        break;
    case userTarget:
        arrive();
        break;
    case timeoutTarget: // the time tells whether it is still that attempt
        if (m_requests[event.token].deadline == event.time)
            giveUp(event.token);
        break;
    case retryTarget:
        attempt(event.token);
        break;
    default:
        m_servers[index]->fire(*this, event.token);
    }
}

bool Replication::advance(std::uint64_t requests, std::uint64_t events, const Interrupted& interrupted) {
    const std::uint64_t until = m_left + requests, last = m_events + events;
    std::uint32_t poll = pollEvery;
    while (m_left < until && m_events < last) {
        if (--poll == 0) {
            poll = pollEvery;
            if (interrupted && interrupted())
                return false;
        }
        ++m_events;
        if (m_queue.empty() || m_nextArrival < m_queue.top().time) {
            if (m_nextArrival == never)
                return true;
            m_now = m_nextArrival;
            arrive();
            scheduleArrival();
        } else {
            const Event event = m_queue.top();
            m_queue.pop();
            m_now = event.time;
            happen(event);
        }
    }
    return true;
}

void Replication::beginWindow() {
    for (LatencyHistogram& times : m_times)
        times.clear();
    m_recording = true;
    m_since = m_areaTo = m_now;
    m_area = 0;
    m_arrivedBefore = m_nextIndex;
    m_leftBefore = m_left;
    m_refusedBefore = m_refused;
    m_failed = m_breakdowns = 0;
    for (const auto& server : m_servers)
        server->use = {};
}

std::uint64_t Replication::steps() const {
    std::uint64_t sum = 0;
    for (const auto& server : m_servers)
        sum += server->use.steps;
    return sum;
}

Observed Replication::observed() const {
    Observed out;
    out.times = m_times;
    out.seconds = m_now - m_since;
    out.arrived = m_nextIndex - m_arrivedBefore;
    out.left = m_left - m_leftBefore;
    out.refused = m_refused - m_refusedBefore;
    out.inSystem = out.seconds > 0 ? (m_area + m_present * (m_now - m_areaTo)) / out.seconds : 0;
    out.failed = m_failed;
    out.breakdowns = m_breakdowns;
    out.present = m_presentTimes;
    out.batch = m_batchTimes;
    out.cache = m_cacheTimes;
    out.presentSeries = m_presentSeries;
    out.batchSeries = m_batchSeries;
    out.cacheSeries = m_cacheSeries;
    for (const auto& server : m_servers) {
        out.use.busy += server->use.busy;
        out.use.batchTime += server->use.batchTime;
        out.use.kvTime += server->use.kvTime;
        out.use.steps += server->use.steps;
        out.use.preempted += server->use.preempted;
    }
    return out;
}

} // namespace cw::simulation
