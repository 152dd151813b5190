// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/simulation/run.h"

#include "estimators/services/gamma_distribution.h"

#include <atomic>
#include <limits>
#include <thread>

namespace cw::simulation {

namespace {

constexpr std::uint64_t firstPilot = 512;
constexpr double growthShare = .01; ///< of the arrivals: less is not told from a queue that fills slowly
constexpr double clearShare = .1;   ///< of the arrivals, after `longPilot` requests: no need to look any longer
constexpr std::uint64_t longPilot = 16384;

struct Growth {
    double rate = 0;  ///< requests/s
    double share = 0; ///< of the arrivals
};

template <class F> void forEach(std::size_t count, int threads, F&& f) {
    const auto workers = std::min<std::size_t>(count, static_cast<std::size_t>(std::max(1, threads)));
    if (workers <= 1) {
        for (std::size_t i = 0; i < count; ++i)
            f(i);
        return;
    }
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++)
            f(i);
    };
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < workers; ++i)
        others.emplace_back(work);
    work();
    for (std::thread& other : others)
        other.join();
}

/// Mean of the values with the standard error of `centre`, which may be another estimate of the same than their mean.
Estimated around(double centre, const std::vector<double>& values) {
    Estimated out{centre, 0, static_cast<int>(values.size())};
    if (values.size() < 2)
        return out;
    double squares = 0;
    for (const double value : values)
        squares += (value - centre) * (value - centre);
    const auto n = static_cast<double>(values.size());
    out.error = std::sqrt(squares / (n * (n - 1)));
    return out;
}

Estimated meanOf(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values)
        sum += value;
    return around(values.empty() ? 0 : sum / static_cast<double>(values.size()), values);
}

class Runner {
public:
    Runner(const SystemModel& system, const RunOptions& options)
        : m_system(system)
        , m_options(options) {
        const int count = std::clamp(options.replications, 2, 1000);
        for (int i = 0; i < count; ++i)
            m_replications.push_back(std::make_unique<Replication>(system, options.seed, static_cast<std::uint32_t>(i)));
    }

    RunResult run();

private:
    bool advance(std::uint64_t requests);
    std::uint64_t events() const;
    bool settled(std::uint64_t pilot) const;
    std::optional<Growth> growth(const std::vector<double>& presentBefore, const std::vector<double>& timeBefore,
                                 const std::vector<std::uint64_t>& leftBefore) const;
    bool warmUp(RunResult& result);
    void collect(RunResult& result) const;
    bool precise(const RunResult& result) const;

    const SystemModel& m_system;
    const RunOptions& m_options;
    std::vector<std::unique_ptr<Replication>> m_replications;
    std::atomic<bool> m_cancelled = false;
};

std::uint64_t Runner::events() const {
    std::uint64_t sum = 0;
    for (const auto& replication : m_replications)
        sum += replication->events();
    return sum;
}

/// All replications go on by so many requests; false when interrupted. No replication gets more than its share of the events left.
bool Runner::advance(std::uint64_t requests) {
    const std::uint64_t used = events(), left = m_options.mostEvents > used ? m_options.mostEvents - used : 0;
    const std::uint64_t each = left / m_replications.size() + 1;
    forEach(m_replications.size(), m_options.threads, [&](std::size_t i) {
        const bool went = m_replications[i]->advance(requests, each, [this] {
            return m_cancelled.load(std::memory_order_relaxed) || (m_options.interrupted && m_options.interrupted());
        });
        if (!went)
            m_cancelled = true;
    });
    return !m_cancelled;
}

/// Has the start ended within the first half of what was run?
bool Runner::settled(std::uint64_t pilot) const {
    std::size_t blocks = std::numeric_limits<std::size_t>::max();
    for (const auto& replication : m_replications)
        blocks = std::min(blocks, replication->series().size());
    if (blocks * Replication::seriesBlock < pilot / 2)
        return false; // so few got through
    std::vector<double> mean(blocks, 0);
    for (const auto& replication : m_replications)
        for (std::size_t i = 0; i < blocks; ++i)
            mean[i] += replication->series()[i];
    return settledAfter(mean) * 2 <= blocks;
}

/// Requests/s by which the number in the system grew, where that is beyond doubt (99.9 %) and no slow filling.
std::optional<Growth> Runner::growth(const std::vector<double>& presentBefore, const std::vector<double>& timeBefore,
                                     const std::vector<std::uint64_t>& leftBefore) const {
    std::vector<double> rates;
    double arrivals = 0;
    for (std::size_t i = 0; i < m_replications.size(); ++i) {
        const Replication& replication = *m_replications[i];
        const double seconds = replication.now() - timeBefore[i];
        if (!(seconds > 0))
            return {};
        const double more = replication.present() - presentBefore[i];
        rates.push_back(more / seconds);
        arrivals += (static_cast<double>(replication.left() - leftBefore[i]) + more) / seconds;
    }
    const Estimated mean = meanOf(rates);
    arrivals /= static_cast<double>(rates.size());
    if (mean.value - mean.halfWidth(.999) > 0 && mean.value > growthShare * arrivals)
        return Growth{mean.value, mean.value / arrivals};
    return {};
}

/// Runs until the start is over; false when there is no steady state to be found, or no time for it.
bool Runner::warmUp(RunResult& result) {
    std::uint64_t pilot = 0;
    std::vector<double> present(m_replications.size(), 0), time(m_replications.size(), 0);
    std::vector<std::uint64_t> left(m_replications.size(), 0);
    while (true) {
        const std::uint64_t more = pilot == 0 ? firstPilot : pilot;
        if (!advance(more)) {
            result.end = RunResult::End::cancelled;
            return false;
        }
        pilot += more;
        result.warmUp = pilot;
        const std::optional<Growth> grows = m_system.users > 0 ? std::nullopt : growth(present, time, left);
        if (!grows && settled(pilot))
            return true;
        if (events() * 2 > m_options.mostEvents || (grows && grows->share > clearShare && pilot >= longPilot)) {
            if (grows) {
                result.end = RunResult::End::unstable;
                result.growth = grows->rate;
            }
            return !grows; // not settled for sure: the precision will tell
        }
        for (std::size_t i = 0; i < m_replications.size(); ++i) {
            present[i] = m_replications[i]->present();
            time[i] = m_replications[i]->now();
            left[i] = m_replications[i]->left();
        }
    }
}

void Runner::collect(RunResult& result) const {
    std::vector<Observed> seen;
    for (const auto& replication : m_replications)
        seen.push_back(replication->observed());
    result.requests = 0;
    result.steps = 0;
    result.events = events();
    std::vector<double> present;
    double batch = 0, busy = 0, kv = 0, refused = 0, preempted = 0;
    result.seconds = 0;
    result.present = result.batchLevels = result.cacheLevels = {};
    double failed = 0;
    result.breakdowns = 0;
    for (const Observed& one : seen) {
        failed += static_cast<double>(one.failed);
        result.breakdowns += one.breakdowns;
        result.present.merge(one.present);
        result.batchLevels.merge(one.batch);
        result.cacheLevels.merge(one.cache);
        result.requests += one.left;
        result.steps += one.use.steps;
        result.seconds += one.seconds;
        present.push_back(one.inSystem);
        batch += one.use.batchTime;
        kv += one.use.kvTime;
        busy += one.use.busy;
        refused += static_cast<double>(one.refused);
        preempted += static_cast<double>(one.use.preempted);
    }
    const auto requests = static_cast<double>(std::max<std::uint64_t>(1, result.requests));
    double batching = 0; // replicas that hold batches
    for (const Station& station : m_system.stations)
        for (const Pool& pool : station.pools)
            batching += holdsBatches(pool) ? std::max(1, pool.replicas) : 0;
    result.inSystem = meanOf(present);
    result.refused = refused / requests;
    result.preempted = preempted / requests;
    result.failed = failed / requests;
    result.presentSeries = seen.front().presentSeries;
    result.batchSeries = seen.front().batchSeries;
    result.cacheSeries = seen.front().cacheSeries;
    if (const double idle = result.seconds * batching - result.batchLevels.all(); result.cacheLevels.all() > 0 && idle > 0) { // of serving programs
        result.batchLevels.add(0, idle);
        result.cacheLevels.add(0, idle);
    }
    if (result.seconds > 0) {
        result.throughput = requests / result.seconds;
        result.busy = busy / result.seconds;
        result.batch = batching > 0 ? batch / result.seconds / batching : 0;
        result.kvUse = batching > 0 ? kv / result.seconds / batching : 0;
    }
    for (int m = 0; m < metricCount; ++m) {
        const auto index = static_cast<std::size_t>(m);
        std::vector<double> means, p50, p95, p99;
        MetricResult metric;
        for (const Observed& one : seen) {
            const LatencyHistogram& times = one.times[index];
            if (times.count() == 0)
                continue;
            metric.times.merge(times);
            means.push_back(times.mean());
            p50.push_back(times.quantile(.5));
            p95.push_back(times.quantile(.95));
            p99.push_back(times.quantile(.99));
        }
        if (metric.times.count() == 0)
            continue;
        metric.mean = around(metric.times.mean(), means);
        metric.p50 = around(metric.times.quantile(.5), p50);
        metric.p95 = around(metric.times.quantile(.95), p95);
        metric.p99 = around(metric.times.quantile(.99), p99);
        result.metrics[index] = std::move(metric);
    }
}

bool Runner::precise(const RunResult& result) const {
    for (const Metric metric : {Metric::latency, Metric::firstToken, Metric::perToken}) {
        const MetricResult* found = metric == Metric::latency || m_options.tokens ? result.of(metric) : nullptr;
        if (found && !(found->p99.halfWidth() <= m_options.precision * found->p99.value))
            return false;
    }
    return result.of(Metric::latency) != nullptr;
}

RunResult Runner::run() {
    RunResult result;
    result.seed = m_options.seed;
    if (!(m_system.rate > 0) && m_system.users <= 0)
        return result;
    const bool steady = warmUp(result);
    for (const auto& replication : m_replications) {
        replication->beginWindow();
        replication->stopSeries();
    }
    result.events = events();
    if (!steady)
        return result;
    std::uint64_t requests = std::max<std::uint64_t>(16, m_options.leastRequests);
    while (true) {
        if (!advance(requests)) {
            result.end = RunResult::End::cancelled;
            return result;
        }
        collect(result);
        if (precise(result)) {
            result.end = RunResult::End::precise;
            return result;
        }
        if (events() + events() / 64 >= m_options.mostEvents) { // what is left would only go on in crumbs
            result.end = RunResult::End::effort;
            return result;
        }
        requests = std::max(requests, result.requests / m_replications.size() / 2); // half as much again
    }
}

} // namespace

double Estimated::halfWidth(double level) const {
    return replications > 1 ? error * studentQuantile(level, replications - 1) : std::numeric_limits<double>::infinity();
}

double studentQuantile(double level, int freedom) {
    const double z = normalQuantile(.5 + level / 2), z2 = z * z, n = freedom;
    const double first = z * (z2 + 1) / 4, second = z * ((5 * z2 + 16) * z2 + 3) / 96;
    const double third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    return z + (first + (second + third / n) / n) / n;
}

std::size_t settledAfter(const std::vector<double>& series) {
    const std::size_t count = series.size();
    if (count < 10)
        return count;
    double sum = 0, squares = 0, least = std::numeric_limits<double>::infinity();
    std::size_t best = count;
    for (std::size_t start = count; start-- > 0;) {
        sum += series[start];
        squares += series[start] * series[start];
        const auto n = static_cast<double>(count - start);
        if (n < 5)
            continue; // a few values may agree by chance
        const double error = std::max(0., squares - sum * sum / n) / (n * n);
        if (error < least || (error == least && start < best)) {
            least = error;
            best = start;
        }
    }
    return best;
}

RunResult run(const SystemModel& system, const RunOptions& options) { return Runner(system, options).run(); }

} // namespace cw::simulation
