// SPDX-License-Identifier: GPL-3.0-or-later
//
// How requests come and who takes them, in the engine against exact values: bursts, recorded arrivals and lengths, callers that give up,
// how full a system is; and waits behind balancers in closed form against runs.
#include "estimators/services/balancing.h"
#include "tests/estimators/simulation_scene.h"

#include <QtTest>

#include <cmath>

using namespace cw;
using namespace cw::test;

class ArrivalsTest : public QObject {
    Q_OBJECT

private slots:
    void regularAndBurstyArrivals();
    void keptArrivals();
    void recordedArrivals();
    void recordedLengths();
    void callersGiveUp();
    void retriesAreLoad();
    void levelsOfAQueue();
    void seriesCoversTheRun();
    void waitBehindBalancers();
    void waitBehindBalancersAgainstRuns();
};

/// E2/M/1: the chance to wait is the root of σ = A*(μ − μσ), the mean wait σ/(μ(1 − σ)). Bursts wait longer than Poisson arrivals.
void ArrivalsTest::regularAndBurstyArrivals() {
    SystemModel system = queueSystem(1, .8, Distribution::exponential(1));
    system.interarrivalCv = std::sqrt(.5);
    double sigma = .5;
    for (int i = 0; i < 200; ++i) {
        const double root = 1.6 / (1.6 + 1 - sigma);
        sigma = root * root;
    }
    const RunResult regular = run(system, effort());
    QVERIFY2(metric(regular, Metric::wait).mean.covers(sigma / (1 - sigma), .99),
             qPrintable(QString("%1, exact %2").arg(metric(regular, Metric::wait).mean.value).arg(sigma / (1 - sigma))));
    system.interarrivalCv = 2;
    QVERIFY(metric(run(system, effort()), Metric::wait).mean.value > 1.5 * .8 / .2);
}

/// Every fourth or so of the arrivals at random is for this queue; of Poisson arrivals that leaves a Poisson queue.
void ArrivalsTest::keptArrivals() {
    SystemModel system = queueSystem(1, 2.8, Distribution::exponential(1));
    system.kept = .25;
    const RunResult found = run(system, effort());
    QVERIFY(std::abs(found.throughput / .7 - 1) < .01);
    QVERIFY(metric(found, Metric::wait).mean.covers(.7 / .3, .99));
}

/// Like clockwork in the record, so D/M/1 at any rate: σ = exp(−(1 − σ)/ρ).
void ArrivalsTest::recordedArrivals() {
    auto record = std::make_shared<RecordedRequests>();
    for (int i = 0; i < 1000; ++i)
        record->at.push_back(7. * i);
    SystemModel system = queueSystem(1, .8, Distribution::exponential(1));
    system.replay.record = record;
    double sigma = .5;
    for (int i = 0; i < 300; ++i)
        sigma = std::exp(-(1 - sigma) / .8);
    const RunResult found = run(system, effort());
    QVERIFY(metric(found, Metric::wait).mean.covers(sigma / (1 - sigma), .99));
    QVERIFY(std::abs(found.throughput / .8 - 1) < .01);
    RunOptions threads = effort();
    threads.threads = 3;
    QCOMPARE(metric(run(system, threads), Metric::wait).p99.value, metric(found, Metric::wait).p99.value);
}

/// A delay that takes as long as the prompt says shows which lengths came.
void ArrivalsTest::recordedLengths() {
    auto record = std::make_shared<RecordedRequests>();
    for (int i = 0; i < 900; ++i) {
        record->at.push_back(i + (i % 3 ? .5 : 0));
        record->prompts.push_back(i % 3 ? 100 : 400);
    }
    QueueModel delay;
    delay.servers = 0;
    delay.perPromptToken = 1;
    Station station = stationOf(Pool{delay});
    station.lengths = RequestLengths{Distribution::constant(1), Distribution::constant(1)};
    SystemModel system = cw::test::systemOf(std::move(station), 1);
    system.replay = {record, 2, 0};
    const RunResult found = run(system, effort(400'000));
    const MetricResult& latency = metric(found, Metric::latency);
    QVERIFY(std::abs(latency.mean.value / 400 - 1) < .02); // twice the mean of 200
    QVERIFY(std::abs(latency.times.below(300) - 2. / 3) < .02);
    QVERIFY(std::abs(latency.p99.value - 800) < 8);
}

/// M/M/1 whose callers leave while their work is done all the same: who is given up, and at latest when, is exact.
void ArrivalsTest::callersGiveUp() {
    SystemModel system = queueSystem(1, .7, Distribution::exponential(1));
    system.stations.front().timeout = 4;
    const RunResult found = run(system, effort());
    QVERIFY(std::abs(found.failed / std::exp(-.3 * 4) - 1) < .03);
    QVERIFY(std::abs(found.busy - .7) < .01);
    const MetricResult& latency = metric(found, Metric::latency);
    QVERIFY(std::abs(latency.p99.value - 4) < .02);
    QVERIFY(latency.p50.covers(std::log(2.) / .3, .99));
}

/// Two more attempts, each given up with q = e^−1 where nothing queues: servers see λ (1 + q + q²), and q³ get no answer.
void ArrivalsTest::retriesAreLoad() {
    SystemModel system = queueSystem(0, 5, Distribution::exponential(1));
    system.stations.front().timeout = 1;
    system.stations.front().retries = 2;
    const RunResult found = run(system, effort());
    const double q = std::exp(-1);
    QVERIFY2(std::abs(found.failed / (q * q * q) - 1) < .03, qPrintable(QString::number(found.failed)));
    QVERIFY2(std::abs(found.busy / (5 * (1 + q + q * q)) - 1) < .01, qPrintable(QString::number(found.busy)));
    QVERIFY(metric(found, Metric::latency).times.below(3.01) > .9999); // three timeouts at the latest
    SystemModel parts = queueSystem(8, 2, Distribution::exponential(1)); // even with all attempts below the limit: no storm can stay
    parts.stations.front().timeout = 3;
    parts.stations.front().retries = 2;
    const RunResult queued = run(parts, effort());
    QVERIFY(queued.failed > 0 && queued.failed < .001 && queued.busy > 2.02);
    parts.stations.front().fanOut = 2;
    parts.rate = 1.2;
    const RunResult split = run(parts, effort());
    QVERIFY(split.failed > 0 && split.busy > 2.4 && split.end != RunResult::End::unstable);
}

/// M/M/1 holds n requests with probability (1 − ρ) ρⁿ.
void ArrivalsTest::levelsOfAQueue() {
    const RunResult found = run(queueSystem(1, .6, Distribution::exponential(1)), effort());
    QVERIFY(std::abs(found.present.mean() / found.inSystem.value - 1) < .01);
    for (const auto& [level, share] : found.present.below())
        if (level < 8)
            QVERIFY2(std::abs(share - (1 - std::pow(.6, level + 1))) < .01, qPrintable(QString::number(level)));
    QCOMPARE(found.present.below().back().second, 1.);
}

void ArrivalsTest::seriesCoversTheRun() {
    LevelSeries series;
    double now = 0, area = 0;
    for (int i = 0; i < 5000; ++i) {
        const double next = now + 1 + i % 3, level = i % 7;
        series.add(now, next, level);
        area += (next - now) * level;
        now = next;
    }
    const auto points = series.points();
    QVERIFY(points.size() >= LevelSeries::most / 2 - 1 && points.size() <= LevelSeries::most);
    const double width = points[1].first - points[0].first;
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        QVERIFY(std::abs(points[i].first - (static_cast<double>(i) + .5) * width) < 1e-6 * now);
        sum += points[i].second * width;
    }
    QVERIFY(std::abs(sum / area - 1) < .02);
    LevelTimes times;
    for (const double level : {0., 3., 3., 500., 70000.})
        times.add(level, 1);
    QCOMPARE(times.below().size(), std::size_t(4));
    QVERIFY(std::abs(times.below().back().first / 70000 - 1) < .02);
    QCOMPARE(times.below()[1].second, .6);
}

/// Limits that are exact: one queue of all for least work, nothing changed for one queue, clockwork for many queues in turn.
void ArrivalsTest::waitBehindBalancers() {
    const auto wait = [](Routing routing, double queues, double cv2 = 1) { return balancedWaiting(.8, 1, 1, 1, {routing, queues, cv2}); };
    const Waiting usual = waiting(.8, 1, 1);
    for (const Routing routing : {Routing::random, Routing::leastWork, Routing::powerOfTwo, Routing::roundRobin})
        QVERIFY(std::abs(wait(routing, 1).mean() - usual.mean()) < 1e-12);
    QVERIFY(std::abs(wait(Routing::leastWork, 8).mean() - waiting(6.4, 1, 8).mean()) < 1e-12);
    for (const double queues : {2., 8., 100.}) {
        QCOMPARE(wait(Routing::random, queues).mean(), usual.mean());
        QVERIFY(wait(Routing::leastWork, queues).mean() <= wait(Routing::powerOfTwo, queues).mean());
        QVERIFY(wait(Routing::powerOfTwo, queues).mean() < wait(Routing::roundRobin, queues).mean());
        QVERIFY(wait(Routing::roundRobin, queues).mean() < usual.mean());
        QVERIFY(wait(Routing::random, queues, 9).mean() > usual.mean());
        QVERIFY(wait(Routing::random, queues, 9).mean() < wait(Routing::random, 1, 9).mean()); // splitting at random calms
    }
    RequestFlow odd;
    odd.arrivalCv = std::nan("");
    odd.failuresEvery = seconds(0);
    QVERIFY(balancingOf(odd).usual() && balancingOf(odd).up == 1);
    odd.failuresEvery = seconds(900);
    odd.repair = seconds(100);
    QCOMPARE(balancingOf(odd).up, .9);
}

/// The closed forms against runs of 16 queues: mean waits.
void ArrivalsTest::waitBehindBalancersAgainstRuns() {
    for (const auto& [routing, allowed] : {std::pair{Routing::leastWork, .05}, {Routing::powerOfTwo, .3}, {Routing::roundRobin, .1}}) {
        for (const double load : {.6, .85}) {
            const SystemModel system = cw::test::systemOf(stationOf(queuePool(1, Distribution::exponential(1), 16, routing)), 16 * load);
            const double found = metric(run(system, effort()), Metric::wait).mean.value, closed = balancedWaiting(load, 1, 1, 1, {routing, 16}).mean();
            const double usual = load / (1 - load);
            QVERIFY2(std::abs(found - closed) < allowed * usual,
                     qPrintable(QString("%1 at %2: %3, closed form %4").arg(QString::fromUtf8(std::string(name(routing)).c_str())).arg(load).arg(found).arg(closed)));
        }
    }
}

QTEST_GUILESS_MAIN(ArrivalsTest)
#include "arrivals_test.moc"
