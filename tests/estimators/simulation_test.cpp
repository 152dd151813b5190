// SPDX-License-Identifier: GPL-3.0-or-later
//
// The discrete-event engine against what is known exactly: single queues, networks of them, splitting and joining, failures. Intervals
// are the run's own at 99 %; the seed is fixed, so a test passes or fails for good.
#include "tests/estimators/simulation_scene.h"

#include "estimators/services/queueing.h"

#include <QtTest>

#include <cstring>

using namespace cw::test;

namespace {

struct Moments {
    double mean = 0, cv = 0;
};

Moments momentsOf(const Distribution& distribution, int count = 400'000) {
    double sum = 0, squares = 0;
    for (int i = 0; i < count; ++i) {
        Draws draws({7, 0, static_cast<std::uint64_t>(i), 0, 3});
        const double x = distribution.sample(draws);
        sum += x;
        squares += x * x;
    }
    const double mean = sum / count;
    return {mean, std::sqrt(squares / count / (mean * mean) - 1)};
}

bool sameBits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

} // namespace

class SimulationTest : public QObject {
    Q_OBJECT

private slots:
    void philoxKnownAnswers();
    void distributionsHaveTheirMoments_data();
    void distributionsHaveTheirMoments();
    void histogramQuantiles();
    void eventsComeInOrder();
    void studentQuantiles();
    void startIsFound();
    void exactQueues_data();
    void exactQueues();
    void littlesLaw();
    void sameBitsOnAnyThreads();
    void seedsDiffer();
    void cancelled();
    void overloadGrows_data();
    void overloadGrows();
    void nothingArrives();
    void precisionIsReached();
    void tandemOfQueues();
    void feedback();
    void backgroundLoadsTheQueue();
    void slowestOfMany();
    void leastWorkIsOneQueue();
    void routingsInOrder();
    void breakdowns();
    void failedWorkGoesElsewhere();
    void closedLoopKeepsItsUsers();
    void batchOfOneIsAQueue();
    void batchServerNearItsClosedForm_data();
    void batchServerNearItsClosedForm();
};

void SimulationTest::philoxKnownAnswers() {
    // The vectors of the authors' library (Random123, kat_vectors).
    using Words = std::array<std::uint32_t, 4>;
    QCOMPARE(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    constexpr std::uint32_t ones = 0xffffffff;
    QCOMPARE(philox({ones, ones, ones, ones}, {ones, ones}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    QCOMPARE(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
             (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

void SimulationTest::distributionsHaveTheirMoments_data() {
    QTest::addColumn<Distribution>("distribution");
    QTest::newRow("constant") << Distribution::constant(3);
    QTest::newRow("exponential") << Distribution::exponential(2);
    QTest::newRow("gamma, even") << Distribution::gamma(2, .4);
    QTest::newRow("gamma, wild") << Distribution::gamma(2, 1.7);
    QTest::newRow("log-normal") << Distribution::logNormal(500, .8);
}

void SimulationTest::distributionsHaveTheirMoments() {
    QFETCH(Distribution, distribution);
    const Moments found = momentsOf(distribution);
    QVERIFY(std::abs(found.mean / distribution.mean() - 1) < .01);
    QVERIFY(std::abs(found.cv - distribution.cv()) < .02 * std::max(distribution.cv(), 1e-3));
}

void SimulationTest::histogramQuantiles() {
    LatencyHistogram times;
    for (int i = 1; i <= 100'000; ++i)
        times.add(i * 1e-5);
    for (const double p : {.01, .5, .95, .99, 1.})
        QVERIFY(std::abs(times.quantile(p) / p - 1) < 2e-3);
    QVERIFY(std::abs(times.below(.3) - .3) < 1e-3);
    QVERIFY(std::abs(times.mean() - .500005) < 1e-9);
    LatencyHistogram zeros;
    zeros.add(0);
    zeros.merge(times);
    QCOMPARE(zeros.count(), std::uint64_t(100'001));
    QCOMPARE(zeros.quantile(1e-6), 0.);
    QVERIFY(std::abs(zeros.quantile(.5) - .5) < 1e-3);
    zeros.clear();
    QCOMPARE(zeros.quantile(.5), 0.);
    zeros.add(1e30); // beyond the scale
    QVERIFY(std::isfinite(zeros.quantile(.5)));
}

void SimulationTest::eventsComeInOrder() {
    EventQueue queue;
    for (std::uint32_t i = 0; i < 5000; ++i) {
        Draws draws({1, 0, i, 0, 0});
        queue.push({draws.uniform(), i % 7, i});
    }
    const std::vector<std::uint32_t> taken = queue.extract(3);
    QCOMPARE(taken.size(), std::size_t(714));
    double last = 0;
    std::size_t count = 0;
    for (; !queue.empty(); queue.pop(), ++count) {
        QVERIFY(queue.top().time >= last && queue.top().target != 3);
        last = queue.top().time;
    }
    QCOMPARE(count, std::size_t(5000 - 714));
}

void SimulationTest::studentQuantiles() {
    // Tables of Student's t.
    QVERIFY(std::abs(studentQuantile(.95, 9) - 2.2622) < 2e-3);
    QVERIFY(std::abs(studentQuantile(.99, 11) - 3.1058) < 2e-3);
    QVERIFY(std::abs(studentQuantile(.95, 1000) - 1.9623) < 1e-3);
}

void SimulationTest::startIsFound() {
    std::vector<double> series(400, 10.);
    for (std::size_t i = 0; i < series.size(); ++i) {
        Draws draws({1, 0, i, 0, 0});
        series[i] += draws.normal() - (i < 60 ? 10 - static_cast<double>(i) / 6 : 0);
    }
    const std::size_t cut = settledAfter(series);
    QVERIFY(cut >= 40 && cut <= 80);
    for (std::size_t i = 0; i < series.size(); ++i)
        series[i] = static_cast<double>(i); // never settles
    QVERIFY(settledAfter(series) > 300);
}

void SimulationTest::exactQueues_data() {
    QTest::addColumn<int>("servers");
    QTest::addColumn<double>("load");
    QTest::addColumn<Distribution>("service");
    for (const auto& [servers, load] : {std::pair{1, .3}, {1, .7}, {1, .9}, {2, .8}, {4, .8}, {8, .5}, {16, .9}, {64, .9}})
        QTest::addRow("M/M/%d at %g", servers, load) << servers << load << Distribution::exponential(.02);
    QTest::addRow("M/D/1 at .8") << 1 << .8 << Distribution::constant(.02);
    QTest::addRow("M/G/1, even, at .7") << 1 << .7 << Distribution::gamma(.02, .5);
    QTest::addRow("M/G/1, wild, at .6") << 1 << .6 << Distribution::gamma(.02, 1.8);
    QTest::addRow("M/G/1, log-normal, at .7") << 1 << .7 << Distribution::logNormal(.02, 1.2);
}

/// Erlang C and the wait's exact tail for M/M/c, Pollaczek and Khinchine for M/G/1.
void SimulationTest::exactQueues() {
    QFETCH(int, servers);
    QFETCH(double, load);
    QFETCH(Distribution, service);
    const double rate = load * servers / service.mean();
    const RunResult found = run(queueSystem(servers, rate, service), effort());
    const cw::Waiting exact = cw::waiting(rate, service.mean(), servers, service.cv() * service.cv());
    const MetricResult& wait = metric(found, Metric::wait);
    QVERIFY2(wait.mean.covers(exact.mean(), .99), qPrintable(QString("%1 ± %2, exact %3").arg(wait.mean.value).arg(wait.mean.halfWidth(.99)).arg(exact.mean())));
    QVERIFY(wait.mean.halfWidth(.99) < .3 * exact.mean());
    const MetricResult& latency = metric(found, Metric::latency);
    QVERIFY(latency.mean.covers(exact.mean() + service.mean(), .99));
    QVERIFY(std::abs(found.busy / (load * servers) - 1) < .01);
    if (service.cv() != 1)
        return;
    QVERIFY(wait.p95.covers(exact.quantile(.95), .99));
    QVERIFY(wait.p99.covers(exact.quantile(.99), .99));
    QVERIFY(std::abs(1 - wait.times.below(0) - exact.probability) < .02); // who waits at all
}

void SimulationTest::littlesLaw() {
    for (const double load : {.4, .9}) {
        const RunResult found = run(queueSystem(3, load * 3, Distribution::gamma(1, 1.5)), effort());
        const double product = found.throughput * metric(found, Metric::latency).mean.value;
        QVERIFY(std::abs(found.inSystem.value / product - 1) < .005);
        QVERIFY(std::abs(found.throughput / (load * 3) - 1) < .01);
    }
}

void SimulationTest::sameBitsOnAnyThreads() {
    const SystemModel system = queueSystem(4, 3.5, Distribution::gamma(1, 1.3));
    RunOptions options;
    options.precision = .02;
    const RunResult one = run(system, options);
    for (const int threads : {2, 5, 40}) {
        options.threads = threads;
        const RunResult other = run(system, options);
        QCOMPARE(other.requests, one.requests);
        QCOMPARE(other.events, one.events);
        for (int m = 0; m < metricCount; ++m) {
            const MetricResult *a = one.of(static_cast<Metric>(m)), *b = other.of(static_cast<Metric>(m));
            QCOMPARE(!a, !b);
            if (a)
                QVERIFY(sameBits(a->p99.value, b->p99.value) && sameBits(a->p99.error, b->p99.error) && sameBits(a->mean.value, b->mean.value));
        }
        QVERIFY(sameBits(one.inSystem.value, other.inSystem.value));
    }
}

void SimulationTest::seedsDiffer() {
    const SystemModel system = queueSystem(1, .6, Distribution::exponential(1));
    RunOptions options = effort(400'000);
    const RunResult one = run(system, options);
    options.seed = 2;
    const RunResult two = run(system, options);
    QVERIFY(!sameBits(metric(one, Metric::latency).mean.value, metric(two, Metric::latency).mean.value));
    QVERIFY(std::abs(metric(one, Metric::latency).mean.value / metric(two, Metric::latency).mean.value - 1) < .1);
}

void SimulationTest::cancelled() {
    RunOptions options = effort(1'000'000'000); // minutes, if it were not stopped
    for (const int threads : {1, 3}) {
        std::atomic<int> asked = 0;
        options.threads = threads;
        options.interrupted = [&] { return ++asked > 50; };
        QVERIFY(run(queueSystem(1, .9, Distribution::exponential(1)), options).end == RunResult::End::cancelled);
        QVERIFY(asked < 100);
    }
}

void SimulationTest::overloadGrows_data() {
    QTest::addColumn<int>("servers");
    QTest::addColumn<double>("rate");
    QTest::newRow("a little") << 1 << 1.05;
    QTest::newRow("twice") << 1 << 2.;
    QTest::newRow("many servers") << 20 << 30.;
}

void SimulationTest::overloadGrows() {
    QFETCH(int, servers);
    QFETCH(double, rate);
    const RunResult found = run(queueSystem(servers, rate, Distribution::exponential(1)), {});
    QVERIFY(found.end == RunResult::End::unstable);
    QVERIFY(std::abs(found.growth / (rate - servers) - 1) < .1);
    QVERIFY(!found.of(Metric::latency));
}

void SimulationTest::nothingArrives() {
    const RunResult found = run(queueSystem(1, 0, Distribution::exponential(1)), {});
    QVERIFY(found.end == RunResult::End::idle);
    QCOMPARE(found.requests, std::uint64_t(0));
    QVERIFY(!found.of(Metric::latency));
}

void SimulationTest::precisionIsReached() {
    RunOptions options;
    options.precision = .05;
    const RunResult found = run(queueSystem(2, 1.4, Distribution::exponential(1)), options);
    QVERIFY(found.end == RunResult::End::precise);
    const Estimated& p99 = metric(found, Metric::latency).p99;
    QVERIFY(p99.halfWidth() <= .05 * p99.value);
    options.mostEvents = 30'000;
    QVERIFY(run(queueSystem(2, 1.9, Distribution::exponential(1)), options).end == RunResult::End::effort);
}

/// Jackson: M/M/1 queues in a row are independent, and the sojourn is a sum of exponentials.
void SimulationTest::tandemOfQueues() {
    SystemModel system = queueSystem(1, .7, Distribution::exponential(1));
    system.stations.push_back(stationOf(queuePool(1, Distribution::exponential(.5))));
    system.stations.front().pools.front().next = {{1, 1, .25}};
    const RunResult found = run(system, effort());
    const double a = 1 - .7, b = 2 - .7; // rates of the two sojourns
    QVERIFY(metric(found, Metric::latency).mean.covers(1 / a + 1 / b + .25, .99));
    const auto tail = [&](double t) { return (b * std::exp(-a * t) - a * std::exp(-b * t)) / (b - a); };
    const double exact = .25 + cw::quantileOf(tail, .99, 0, 20);
    QVERIFY(metric(found, Metric::latency).p99.covers(exact, .99));
}

/// A share p comes back: the queue sees rate/(1-p) and stays M/M/1 (Jackson), a request passes it 1/(1-p) times.
void SimulationTest::feedback() {
    SystemModel system = queueSystem(1, .5, Distribution::exponential(1));
    system.stations.front().pools.front().next = {{0, .3}};
    const RunResult found = run(system, effort());
    const double load = .5 / .7;
    QVERIFY(metric(found, Metric::latency).mean.covers(load / (1 - load) / .5, .99));
}

void SimulationTest::backgroundLoadsTheQueue() {
    SystemModel system = queueSystem(1, .3, Distribution::exponential(1));
    system.stations.front().backgroundRate = .5;
    const RunResult found = run(system, effort());
    QVERIFY(metric(found, Metric::latency).mean.covers(1 / (1 - .8), .99));
    QVERIFY(std::abs(found.throughput / .3 - 1) < .01); // only its own are counted
}

void SimulationTest::slowestOfMany() {
    Station station = stationOf(queuePool(0, Distribution::exponential(1)));
    station.fanOut = 8;
    const RunResult found = run(systemOf(station, 2), effort());
    double harmonic = 0;
    for (int i = 1; i <= 8; ++i)
        harmonic += 1. / i;
    QVERIFY(metric(found, Metric::latency).mean.covers(harmonic, .99));
    QVERIFY(metric(found, Metric::latency).p99.covers(-std::log(1 - std::pow(.99, 1. / 8)), .99));
}

/// Sent to the server that will be free first, requests are served as from one common queue.
void SimulationTest::leastWorkIsOneQueue() {
    const RunResult found = run(systemOf(stationOf(queuePool(1, Distribution::exponential(1), 5, cw::Routing::leastWork)), 4), effort());
    const cw::Waiting exact = cw::waiting(4, 1, 5, 1);
    QVERIFY(metric(found, Metric::wait).mean.covers(exact.mean(), .99));
    QVERIFY(metric(found, Metric::wait).p99.covers(exact.quantile(.99), .99));
}

void SimulationTest::routingsInOrder() {
    double last = 0;
    for (const cw::Routing routing : {cw::Routing::leastWork, cw::Routing::powerOfTwo, cw::Routing::roundRobin, cw::Routing::random}) {
        const RunResult found = run(systemOf(stationOf(queuePool(1, Distribution::exponential(1), 10, routing)), 8), effort(2'000'000));
        const double mean = metric(found, Metric::wait).mean.value;
        QVERIFY(mean > 1.1 * last);
        last = mean;
    }
    QVERIFY(std::abs(last / (.8 / .2) - 1) < .1); // split at random: ten queues M/M/1
}

/// M/M/1 with breakdowns at any time (Avi-Itzhak and Naor 1963): with failure rate f and repair rate r,
/// L = λ ((f + r)² + f μ) / ((f + r)(r μ − λ (f + r))). What was being served starts afresh, which exponential times do not notice.
void SimulationTest::breakdowns() {
    Pool pool = queuePool(1, Distribution::exponential(1));
    pool.failures = Failures{50, 5};
    const double f = 1. / 50, r = 1. / 5, rate = .6;
    const RunResult found = run(systemOf(stationOf(pool), rate), effort(4'000'000));
    const double exact = rate * ((f + r) * (f + r) + f) / ((f + r) * (r - rate * (f + r)));
    QVERIFY2(found.inSystem.covers(exact, .99), qPrintable(QString("%1 ± %2, exact %3").arg(found.inSystem.value).arg(found.inSystem.halfWidth(.99)).arg(exact)));
    QVERIFY(found.inSystem.halfWidth(.99) < .15 * exact);
}

void SimulationTest::failedWorkGoesElsewhere() {
    Pool pool = queuePool(2, Distribution::exponential(1), 3);
    const double whole = metric(run(systemOf(stationOf(pool), 3), effort(1'000'000)), Metric::latency).p99.value;
    pool.failures = Failures{200, 40};
    const RunResult found = run(systemOf(stationOf(pool), 3), effort(2'000'000));
    QVERIFY(std::abs(found.throughput / 3 - 1) < .02); // nothing is lost
    QVERIFY(metric(found, Metric::latency).p99.value > whole);
    QVERIFY(std::abs(found.inSystem.value / (found.throughput * metric(found, Metric::latency).mean.value) - 1) < .01);
    pool.failures = Failures{40, 200}; // a sixth of the time up: too little
    QVERIFY(run(systemOf(stationOf(pool), 3), effort(2'000'000)).end == RunResult::End::unstable);
}

void SimulationTest::closedLoopKeepsItsUsers() {
    SystemModel system = queueSystem(2, 0, Distribution::exponential(1));
    system.users = 6;
    system.stagger = 3;
    const RunResult found = run(system, effort(1'000'000));
    QVERIFY(std::abs(found.inSystem.value - 6) < 1e-9);
    QVERIFY(std::abs(found.throughput / 2 - 1) < .01); // both servers are always busy
    QVERIFY(std::abs(metric(found, Metric::latency).mean.value / 3 - 1) < .01);
}

void SimulationTest::batchOfOneIsAQueue() {
    cw::BatchTime time;
    time.host = .02;
    const RunResult found = run(systemOf(stationOf({BatchingModel{1, .5, time}}), 35), effort());
    const cw::Waiting exact = cw::waiting(35, .02, 1, 0);
    QVERIFY(metric(found, Metric::wait).mean.covers(exact.mean(), .99));
    QVERIFY(metric(found, Metric::latency).mean.covers(exact.mean() + .02, .99));
}

void SimulationTest::batchServerNearItsClosedForm_data() {
    QTest::addColumn<double>("load");
    QTest::addColumn<double>("delay");
    for (const double load : {.1, .5, .8})
        for (const double delay : {0., .01})
            QTest::addRow("load %g, delay %g", load, delay) << load << delay;
}

void SimulationTest::batchServerNearItsClosedForm() {
    QFETCH(double, load);
    QFETCH(double, delay);
    cw::BatchTime time;
    time.host = .004;
    time.computePerItem = .0005;
    const cw::BatchServer closed(time, 16, delay);
    const double rate = load * closed.largestRate();
    const cw::BatchPoint point = closed.at(rate);
    const RunResult found = run(systemOf(stationOf({BatchingModel{16, delay, time}}), rate), effort(2'000'000));
    const MetricResult& latency = metric(found, Metric::latency);
    QVERIFY2(std::abs(latency.mean.value / point.mean() - 1) < .15, qPrintable(QString("%1 %2").arg(latency.mean.value).arg(point.mean())));
    QVERIFY2(std::abs(latency.p99.value / point.quantile(.99) - 1) < .35, qPrintable(QString("%1 %2").arg(latency.p99.value).arg(point.quantile(.99))));
    QVERIFY(latency.times.quantile(1e-6) >= time.seconds(1) * .998);
}

QTEST_GUILESS_MAIN(SimulationTest)
#include "simulation_test.moc"
