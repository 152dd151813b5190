// SPDX-License-Identifier: GPL-3.0-or-later
//
// Simulated continuous batching: against its steps counted one by one, against the closed form where that is good, and at the edges of
// what a user may enter.
#include "tests/estimators/serving_bench.h"
#include "tests/estimators/simulation_scene.h"

#include "estimators/simulation/simulated_serving.h"

#include <QtTest>

#include <cmath>

using namespace cw::test;

namespace {

struct Scene {
    Bench bench = chat();
    cw::ReplicaLayout layout{4, 1, 1};

    cw::ReplicaLoad load() const { return bench.load(layout); }
    LlmModel model() const { return llmModel(load()); }

    SystemModel system(const LlmModel& model, double rate) const {
        Station station = stationOf({model});
        const cw::RequestShape& shape = bench.shape;
        station.lengths = {Distribution::logNormal(shape.prompt, shape.promptCv), Distribution::logNormal(shape.output, shape.outputCv)};
        return systemOf(station, rate);
    }
    SystemModel system(double rate) const { return system(model(), rate); }

    RunResult users(int count, const RunOptions& options) const {
        SystemModel closed = system(0);
        closed.users = count;
        closed.stagger = load().closedLoop(count).latency.mean();
        return run(closed, options);
    }
};

double apart(double a, double b) { return std::abs(a / b - 1); }

} // namespace

class SimulationServingTest : public QObject {
    Q_OBJECT

private slots:
    void aloneItIsTheSumOfItsSteps_data();
    void aloneItIsTheSumOfItsSteps();
    void cycleTimeOfTheClosedForm_data();
    void cycleTimeOfTheClosedForm();
    void openArrivalsNearTheClosedForm_data();
    void openArrivalsNearTheClosedForm();
    void littlesLaw();
    void capacityIsTheClosedForms();
    void overloadGrows();
    void lengthsOfOneToken();
    void oneSequenceAtATime();
    void requestsLargerThanTheCache();
    void fullCachePreempts();
    void roomKeptForAnswersPreventsPreemption();
    void chunksProtectThePace();
    void prefillFirstServesTheFirstTokenSooner();
    void speculationIsFaster();
    void sameBitsOnAnyThreads();
    void apartThePromptsDoNotSlowDecoding();
    void fewReplicasStandForMany();
};

void SimulationServingTest::aloneItIsTheSumOfItsSteps_data() {
    QTest::addColumn<double>("prompt");
    QTest::addColumn<double>("output");
    QTest::newRow("chat") << 1000. << 300.;
    QTest::newRow("one chunk and a bit") << 9000. << 50.;
    QTest::newRow("long answer") << 100. << 4000.;
    QTest::newRow("one token") << 50. << 1.;
}

void SimulationServingTest::aloneItIsTheSumOfItsSteps() {
    QFETCH(double, prompt);
    QFETCH(double, output);
    Scene scene;
    scene.bench.shape = {};
    scene.bench.shape.prompt = prompt;
    scene.bench.shape.output = output;
    const LlmModel model = scene.model();
    double first = model.requestOverhead;
    for (double done = 0; done < prompt; done += model.chunkTokens) {
        const double piece = std::min(model.chunkTokens, prompt - done);
        const bool last = done + piece >= prompt;
        first += model.step.prefill(piece, done, 0) + model.step.decode(1, last ? prompt : 1);
    }
    double whole = first;
    for (int token = 1; token < static_cast<int>(output); ++token)
        whole += model.step.decode(1, prompt + token);
    RunOptions options;
    options.leastRequests = 50;
    const RunResult found = scene.users(1, options);
    QVERIFY(apart(metric(found, Metric::firstToken).mean.value, first + model.outputLatency) < 1e-6);
    QVERIFY(apart(metric(found, Metric::latency).mean.value, whole + model.outputLatency) < 1e-5);
    QCOMPARE(found.of(Metric::perToken) != nullptr, output > 1);
    if (output > 1)
        QVERIFY(apart(metric(found, Metric::perToken).mean.value, (whole - first) / (output - 1)) < 1e-5);
}

void SimulationServingTest::cycleTimeOfTheClosedForm_data() {
    QTest::addColumn<QString>("stack");
    QTest::addColumn<int>("users");
    for (const char* stack : {"stack_vllm", "stack_trtllm"})
        for (const int users : {2, 16, 64, 128})
            QTest::addRow("%s, %d users", stack, users) << stack << users;
}

/// The study found 1.6 % mean on the cycle and 3.9 % on the pace.
void SimulationServingTest::cycleTimeOfTheClosedForm() {
    QFETCH(QString, stack);
    QFETCH(int, users);
    Scene scene;
    scene.bench.stack = cw::servingStack(scene.bench.catalog, cw::PartId(stack.toStdString()), false);
    const cw::ServingPoint closed = scene.load().closedLoop(users);
    const RunResult found = scene.users(users, effort(200'000));
    QVERIFY2(apart(found.throughput, closed.rate) < .05, qPrintable(QString("%1 %2").arg(found.throughput).arg(closed.rate)));
    QVERIFY2(apart(metric(found, Metric::perToken).mean.value, closed.tpot) < .1,
             qPrintable(QString("%1 %2").arg(metric(found, Metric::perToken).mean.value).arg(closed.tpot)));
}

void SimulationServingTest::openArrivalsNearTheClosedForm_data() {
    QTest::addColumn<double>("load");
    for (const double load : {.1, .4, .7})
        QTest::addRow("load %g", load) << load;
}

void SimulationServingTest::openArrivalsNearTheClosedForm() {
    QFETCH(double, load);
    Scene scene;
    const cw::ReplicaLoad closed = scene.load();
    const double rate = load * closed.largestRate();
    const cw::ServingPoint at = closed.atRate(rate);
    const RunResult found = run(scene.system(rate), effort(400'000));
    QVERIFY(apart(metric(found, Metric::latency).mean.value, at.latency.mean()) < .1);
    QVERIFY(apart(metric(found, Metric::perToken).mean.value, at.tpot) < .1);
    QVERIFY(apart(metric(found, Metric::firstToken).mean.value, at.ttft.mean()) < .3);
    QVERIFY(apart(metric(found, Metric::latency).p99.value, at.latency.quantile(.99)) < .15);
    QVERIFY(apart(found.batch, at.batch) < .1);
}

void SimulationServingTest::littlesLaw() {
    Scene scene;
    const RunResult found = run(scene.system(.6 * scene.load().largestRate()), effort(400'000));
    QVERIFY(apart(found.inSystem.value, found.throughput * metric(found, Metric::latency).mean.value) < .05); // latency has the program's own, too
    QVERIFY(found.batch < found.inSystem.value && found.batch > .8 * found.inSystem.value);
}

/// A replica that never runs dry serves what the closed form says it can.
void SimulationServingTest::capacityIsTheClosedForms() {
    Scene scene;
    scene.bench.stack.maxSequences = 64;
    const cw::ReplicaLoad closed = scene.load();
    const RunResult found = scene.users(400, effort(400'000));
    QVERIFY2(apart(found.throughput, closed.rateAt(64)) < .05, qPrintable(QString("%1 %2").arg(found.throughput).arg(closed.rateAt(64))));
    QVERIFY(apart(found.batch, 64) < .06);
}

void SimulationServingTest::overloadGrows() {
    Scene scene;
    scene.bench.stack.maxSequences = 64;
    const double limit = scene.load().rateAt(64);
    RunOptions options;
    options.mostEvents = 400'000;
    const RunResult found = run(scene.system(1.3 * limit), options);
    QVERIFY(found.end == RunResult::End::unstable);
    QVERIFY2(apart(found.growth, .3 * limit) < .25, qPrintable(QString("%1 %2").arg(found.growth).arg(.3 * limit)));
}

void SimulationServingTest::lengthsOfOneToken() {
    Scene scene;
    scene.bench.shape = {};
    const double rate = .5 * scene.load().largestRate();
    const RunResult found = run(scene.system(rate), effort(300'000));
    QVERIFY(apart(found.throughput, rate) < .03);
    QVERIFY(!found.of(Metric::perToken)); // there is no second token
    QVERIFY(metric(found, Metric::firstToken).p99.value > 0);
    QVERIFY(apart(metric(found, Metric::firstToken).mean.value, metric(found, Metric::latency).mean.value) < 1e-9);
}

void SimulationServingTest::oneSequenceAtATime() {
    Scene scene;
    scene.bench.stack.maxSequences = 1;
    scene.bench.shape.promptCv = scene.bench.shape.outputCv = 0;
    const LlmModel model = scene.model();
    const cw::RequestShape& shape = scene.bench.shape;
    double service = model.requestOverhead + model.step.prefill(shape.prompt, 0, 0) + model.step.decode(1, shape.prompt);
    for (int token = 1; token < static_cast<int>(shape.output); ++token)
        service += model.step.decode(1, shape.prompt + token);
    const double rate = .7 / service;
    const RunResult found = run(scene.system(rate), effort(600'000)); // M/D/1
    const cw::Waiting exact = cw::waiting(rate, service, 1, 0);
    QVERIFY(metric(found, Metric::latency).mean.covers(exact.mean() + service + model.outputLatency, .99));
    QVERIFY(found.batch < 1);
}

void SimulationServingTest::requestsLargerThanTheCache() {
    Scene scene;
    LlmModel model = scene.model();
    model.kvTokens = 1000; // mean request: 1300
    const RunResult found = run(scene.system(model, .1), effort(300'000));
    QVERIFY(found.refused > .3 && found.refused < .9);
    QVERIFY(found.throughput > 0);
    QVERIFY(metric(found, Metric::latency).times.count() < found.requests);
    model.kvTokens = 1;
    RunOptions options;
    options.mostEvents = 200'000;
    const RunResult none = run(scene.system(model, 1), options);
    QCOMPARE(none.refused, 1.);
    QVERIFY(!none.of(Metric::latency));
}

void SimulationServingTest::fullCachePreempts() {
    Scene scene;
    scene.bench.shape.promptCv = scene.bench.shape.outputCv = 0;
    LlmModel model = scene.model();
    model.reservedOutput = 0;
    model.kvTokens = 12'000;
    SystemModel system = scene.system(model, 0);
    system.users = 30;
    system.stagger = 10;
    const RunResult found = run(system, effort(300'000));
    QVERIFY(found.preempted > .01);
    QVERIFY(found.kvUse > .7 && found.kvUse <= 1);
    QVERIFY(apart(found.inSystem.value, 30) < 1e-9); // nobody got lost
    QVERIFY(found.throughput > 0);
}

void SimulationServingTest::roomKeptForAnswersPreventsPreemption() {
    Scene scene;
    LlmModel model = scene.model();
    model.reservedOutput = 1;
    model.kvTokens = 30'000;
    SystemModel system = scene.system(model, 0);
    system.users = 60;
    system.stagger = 10;
    const RunResult found = run(system, effort(300'000));
    QCOMPARE(found.preempted, 0.);
    model.reservedOutput = 0;
    SystemModel eager = scene.system(model, 0);
    eager.users = 60;
    eager.stagger = 10;
    const RunResult other = run(eager, effort(300'000));
    QVERIFY(other.preempted > 0);
    QVERIFY(other.kvUse > found.kvUse);
}

void SimulationServingTest::chunksProtectThePace() {
    Scene scene;
    scene.bench.shape.prompt = 6000;
    scene.bench.shape.promptCv = .3;
    LlmModel whole = scene.model(), cut = whole;
    whole.chunkTokens = 1e6;
    cut.chunkTokens = 512;
    const double rate = .4 * scene.load().largestRate();
    const RunResult coarse = run(scene.system(whole, rate), effort(300'000)), fine = run(scene.system(cut, rate), effort(600'000));
    QVERIFY(metric(fine, Metric::firstToken).mean.value > metric(coarse, Metric::firstToken).mean.value);
    QVERIFY(fine.steps > coarse.steps / 4); // many more steps with prompts for the same events
    QVERIFY(metric(fine, Metric::perToken).p99.value < metric(coarse, Metric::perToken).p99.value * 1.2);
}

void SimulationServingTest::prefillFirstServesTheFirstTokenSooner() {
    Scene scene;
    LlmModel mixed = scene.model(), first = mixed;
    first.prefillFirst = true;
    const double rate = .6 * scene.load().largestRate();
    const RunResult a = run(scene.system(mixed, rate), effort(300'000)), b = run(scene.system(first, rate), effort(300'000));
    QVERIFY(metric(b, Metric::firstToken).mean.value < metric(a, Metric::firstToken).mean.value);
    QVERIFY(metric(b, Metric::perToken).mean.value > metric(a, Metric::perToken).mean.value);
}

void SimulationServingTest::speculationIsFaster() {
    Scene scene;
    const RunResult plain = scene.users(4, effort(100'000));
    scene.bench.shape.tokensPerStep = 2.4;
    scene.bench.shape.rowsPerStep = 3;
    const RunResult fast = scene.users(4, effort(100'000));
    QVERIFY(metric(fast, Metric::perToken).mean.value < .6 * metric(plain, Metric::perToken).mean.value);
    const cw::ServingPoint closed = scene.load().closedLoop(4);
    QVERIFY(apart(metric(fast, Metric::perToken).mean.value, closed.tpot) < .1);
}

void SimulationServingTest::sameBitsOnAnyThreads() {
    Scene scene;
    const SystemModel system = scene.system(.7 * scene.load().largestRate());
    RunOptions options = effort(150'000);
    const RunResult one = run(system, options);
    options.threads = 3;
    const RunResult other = run(system, options);
    QCOMPARE(one.requests, other.requests);
    QCOMPARE(one.steps, other.steps);
    for (const Metric m : {Metric::latency, Metric::firstToken, Metric::perToken}) {
        const double a = metric(one, m).p99.value, b = metric(other, m).p99.value;
        QVERIFY(std::memcmp(&a, &b, sizeof a) == 0);
    }
}

/// Prompts on a replica of their own, the cache sent after them: tokens then come at the pace of decode steps alone.
void SimulationServingTest::apartThePromptsDoNotSlowDecoding() {
    Scene scene;
    const double rate = .6 * scene.load().largestRate();
    LlmModel prefill = scene.model(), decode = prefill;
    prefill.role = LlmModel::Role::prefill;
    decode.role = LlmModel::Role::decode;
    decode.requestOverhead = decode.outputLatency = 0;
    SystemModel system = scene.system(prefill, rate);
    QueueModel wire;
    wire.perPromptToken = 1e-7;
    system.stations.push_back(stationOf({wire}));
    system.stations.push_back(stationOf({decode}));
    system.stations[0].pools[0].next = {{1, 1, 1e-5}};
    system.stations[1].pools[0].next = {{2, 1}};
    const RunResult apart = run(system, effort(400'000)), together = run(scene.system(rate), effort(400'000));
    QVERIFY(metric(apart, Metric::perToken).p99.value < metric(together, Metric::perToken).p99.value);
    QVERIFY(metric(apart, Metric::firstToken).mean.value < metric(together, Metric::firstToken).mean.value);
    const cw::ReplicaLoad closed(scene.bench.replica(scene.layout), scene.bench.shape, cw::ServingRole::decode);
    QVERIFY(::apart(metric(apart, Metric::perToken).mean.value, closed.atRate(rate).tpot) < .05);
}

void SimulationServingTest::fewReplicasStandForMany() {
    Scene scene;
    const double rate = .6 * scene.load().largestRate();
    SystemModel many = scene.system(6 * rate);
    many.stations[0].pools[0].replicas = 6;
    const RunResult six = run(many, effort(600'000)), one = run(scene.system(rate), effort(600'000));
    const Estimated &a = metric(six, Metric::latency).mean, &b = metric(one, Metric::latency).mean;
    QVERIFY(std::abs(a.value - b.value) < a.halfWidth(.99) + b.halfWidth(.99));
    QVERIFY(::apart(six.batch, one.batch) < .05);
}

QTEST_GUILESS_MAIN(SimulationServingTest)
#include "simulation_serving_test.moc"
