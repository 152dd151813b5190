// SPDX-License-Identifier: GPL-3.0-or-later
//
// How requests come and who takes them, in whole estimates against their closed forms: bursts, recorded arrivals, balancers, failures,
// timeouts and retries, streams; how full replicas are.
#include "estimators/simulation/simulate.h"
#include "model/io/project_file.h"
#include "resources/embedded.h"
#include "tests/estimators/workload_scene.h"

#include <QtTest>

#include <cmath>

using namespace cw;
using namespace cw::test;

namespace {

/// A service on four machines of two sockets, with that share of its cores busy.
WorkloadScene serviceScene(double load, const RequestFlow& flow = {}, double cpu = 20) {
    WorkloadScene scene;
    scene.node("web", "dell_r760_8480", 4);
    Service service;
    service.cpuTime = milliseconds(cpu);
    service.cpuTimeCv = 1;
    service.coresPerRequest = 56; // two at a time: queues that a balancer can do something about
    scene.workload("api", service).flow = flow;
    scene.place("api", {"web"});
    const WorkloadResult idle = scene.run(estimateService, "api");
    scene.spec<Service>("api").arrivalRate = load * capacity(idle);
    return scene;
}

struct Both {
    WorkloadEstimate closed, simulated;
    std::vector<Finding> findings;
};

Both both(WorkloadScene& scene, const char* id = "api", const SimulationOptions& options = {}) {
    const AlternativeEstimate closed = estimate(scene.project(), scene.alternative(), shippedCatalog());
    const auto found = simulate(scene.project(), scene.alternative(), shippedCatalog(), closed, options);
    return {*closed.workload(WorkloadId(id)), *found->workload(WorkloadId(id)), found->findings};
}

double p99(const WorkloadEstimate& of) { return of.latencyNamed("p99")->value; }

RequestFlow routed(Routing routing) {
    RequestFlow flow;
    flow.routing = routing;
    return flow;
}

bool has(const std::vector<Finding>& findings, const char* code) {
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) { return finding.code == code; });
}

} // namespace

class RequestFlowTest : public QObject {
    Q_OBJECT

private slots:
    void balancersInOrder();
    void servedReplicasBehindABalancer();
    void burstsWaitLonger();
    void failuresRaiseTheTail();
    void rareFailuresSayWhatIsLeft();
    void noReplicaToSpare();
    void timeoutsAreSimulated();
    void streamsAreSimulated();
    void stagesThatAreStreams();
    void occupancyOfServedModels();
    void replayedTrace();
};

/// Least work, the better of two, in turn, at random: in this order, in the closed form and when simulated.
void RequestFlowTest::balancersInOrder() {
    double closed = 0, simulated = 0;
    for (const Routing routing : {Routing::leastWork, Routing::powerOfTwo, Routing::roundRobin, Routing::random}) {
        WorkloadScene scene = serviceScene(.85, routed(routing));
        const Both found = both(scene);
        QVERIFY(found.simulated.simulated && !found.simulated.simulated->growth);
        QVERIFY2(p99(found.closed) > closed && p99(found.simulated) > simulated, std::string(name(routing)).c_str());
        closed = p99(found.closed);
        simulated = p99(found.simulated);
        QVERIFY2(std::abs(closed / simulated - 1) < .25, qPrintable(QString("%1 %2").arg(closed).arg(simulated)));
    }
}

/// Four replicas of a served model: fewer prompts wait behind others where the balancer looks.
void RequestFlowTest::servedReplicasBehindABalancer() {
    const std::string path = "examples/serve-7b.cluster.json";
    Project project = readProject(resources::file(path), path).project;
    const Alternative* replicas = nullptr;
    for (const Alternative& alternative : project.alternatives)
        for (const Placement& placement : alternative.placements)
            replicas = placement.replicas > 1 ? &alternative : replicas;
    QVERIFY(replicas);
    std::get<LlmServing>(project.workloads.front().spec).arrivalRate *= 2.5;
    const auto first = [&](Routing routing) {
        project.workloads.front().flow.routing = routing;
        const AlternativeEstimate closed = estimate(project, *replicas, shippedCatalog());
        const auto found = simulate(project, *replicas, shippedCatalog(), closed);
        return std::pair{closed.workloads.front().latencyNamed("ttft_p99")->value, found->workloads.front().latencyNamed("ttft_p99")->value};
    };
    const auto [closedRandom, random] = first(Routing::random);
    const auto [closedLeast, least] = first(Routing::leastWork);
    QVERIFY2(least < random && closedLeast < closedRandom,
             qPrintable(QString("%1 %2 %3 %4").arg(least).arg(random).arg(closedLeast).arg(closedRandom)));
}

void RequestFlowTest::burstsWaitLonger() {
    WorkloadScene calm = serviceScene(.8), wild = serviceScene(.8);
    wild.find("api").flow.arrivalCv = 3;
    const Both usual = both(calm), bursts = both(wild);
    QVERIFY(p99(bursts.closed) > 1.2 * p99(usual.closed));
    QVERIFY(p99(bursts.simulated) > 1.2 * p99(usual.simulated));
    QVERIFY(std::abs(p99(bursts.closed) / p99(bursts.simulated) - 1) < .35);
}

void RequestFlowTest::failuresRaiseTheTail() {
    WorkloadScene calm = serviceScene(.6), broken = serviceScene(.6);
    RequestFlow& flow = broken.find("api").flow;
    flow.failuresEvery = seconds(60);
    flow.repair = seconds(10);
    const Both usual = both(calm), failing = both(broken);
    QVERIFY(p99(failing.simulated) > 1.3 * p99(usual.simulated));
    QVERIFY(p99(failing.closed) > p99(usual.closed)); // fewer machines on average
    QVERIFY(std::abs(failing.closed.capacity->value / usual.closed.capacity->value / (6. / 7) - 1) < .02);
}

/// Nothing is said of failures: the run is as usual, and says besides what one machine less would do.
void RequestFlowTest::rareFailuresSayWhatIsLeft() {
    WorkloadScene scene = serviceScene(.6);
    const Both found = both(scene);
    const auto of = [](const WorkloadEstimate& workload, std::string_view key) {
        for (const NamedQuantity& figure : workload.more)
            if (figure.name == key)
                return figure.quantity.value;
        return std::nan("");
    };
    const double down = of(found.simulated, "p99_one_down");
    QVERIFY(down > 1.05 * p99(found.simulated));
    WorkloadScene three = serviceScene(.6);
    three.alternative().nodes.front().count = 3;
    three.spec<Service>("api").arrivalRate = scene.spec<Service>("api").arrivalRate;
    QVERIFY(std::abs(p99(both(three).simulated) / down - 1) < .15);
}

void RequestFlowTest::noReplicaToSpare() {
    WorkloadScene scene = serviceScene(.9);
    const Both found = both(scene);
    QVERIFY(found.simulated.feasible && !found.simulated.simulated->growth);
    QVERIFY(has(found.findings, "load.no_spare_replica"));
    WorkloadScene spare = serviceScene(.5);
    QVERIFY(!has(both(spare).findings, "load.no_spare_replica"));
}

void RequestFlowTest::timeoutsAreSimulated() {
    WorkloadScene scene = serviceScene(.45); // even twice as much could be served: retries feed no storm
    const double usual = p99(both(scene).simulated);
    auto& spec = scene.spec<Service>("api");
    spec.timeout = seconds(.7 * usual);
    spec.retries = 1;
    const Both found = both(scene);
    QVERIFY(found.simulated.simulated && !found.simulated.simulated->growth);
    const double given = found.simulated.simulated->failed;
    QVERIFY2(given > 0 && given < .05, qPrintable(QString::number(given)));
    QVERIFY(p99(found.simulated) <= 2 * si(*spec.timeout) * 1.001);
    QVERIFY(std::abs(p99(found.closed) / p99(found.simulated) - 1) < .25);
    QVERIFY(std::abs(found.simulated.latencyNamed("p50")->value / found.closed.latencyNamed("p50")->value - 1) < .1);
}

void RequestFlowTest::streamsAreSimulated() {
    const std::string path = "examples/stream-etl.cluster.json";
    const Project project = readProject(resources::file(path), path).project;
    const AlternativeEstimate closed = estimate(project, project.alternatives.front(), shippedCatalog());
    const auto found = simulate(project, project.alternatives.front(), shippedCatalog(), closed);
    bool seen = false;
    for (const WorkloadEstimate& workload : found->workloads) {
        if (workload.kind != "stream")
            continue;
        QVERIFY(workload.simulated);
        seen = true;
        for (const SimulatedRun::Figure& figure : workload.simulated->figures)
            QVERIFY2(std::abs(figure.disagreement()) < .1, figure.name.c_str());
    }
    QVERIFY(seen);
}

void RequestFlowTest::stagesThatAreStreams() {
    WorkloadScene scene;
    scene.node("log", "dell_r760_8480", 3);
    scene.node("web", "dell_r760_8480", 2);
    scene.link("log", "web", "eth_100g", Pattern::mesh, 1);
    Stream events;
    events.eventBytes = bytes(1000);
    events.cpuPerEvent = microseconds(200);
    scene.workload("events", events);
    scene.place("events", {"log"});
    Pipeline pipeline;
    pipeline.stages = {{"outside", "Outside", {}, milliseconds(30), 0}, {"log", "Log", WorkloadId("events")}};
    pipeline.edges = {{"outside", "log", 1}};
    pipeline.arrivalRate = 2000;
    scene.workload("chain", pipeline);
    scene.place("chain", {"web"}, "outside");
    const Both found = both(scene, "chain");
    QVERIFY(found.simulated.simulated);
    QVERIFY(found.simulated.latencyNamed("p50")->value > .03);
    QVERIFY(std::abs(found.simulated.latencyNamed("mean")->value / found.closed.latencyNamed("mean")->value - 1) < .05);
}

void RequestFlowTest::occupancyOfServedModels() {
    const std::string path = "examples/serve-7b.cluster.json";
    const Project project = readProject(resources::file(path), path).project;
    const AlternativeEstimate closed = estimate(project, project.alternatives.front(), shippedCatalog());
    const auto found = simulate(project, project.alternatives.front(), shippedCatalog(), closed);
    const SimulatedRun& run = *found->workloads.front().simulated;
    std::map<std::string, const SimulatedRun::Occupancy*> by;
    for (const SimulatedRun::Occupancy& occupancy : run.occupancy) {
        by[occupancy.name] = &occupancy;
        QVERIFY(occupancy.below.size() > 5 && std::is_sorted(occupancy.below.begin(), occupancy.below.end()));
        QVERIFY(std::abs(occupancy.below.back().second - 1) < 1e-9);
        QVERIFY(occupancy.series.size() > 50);
        double sum = 0;
        for (const auto& [time, level] : occupancy.series)
            sum += level;
        QVERIFY2(std::abs(sum / static_cast<double>(occupancy.series.size()) / occupancy.mean - 1) < .4, occupancy.name.c_str());
    }
    QVERIFY(by["batch"] && by["kv"] && by["in_flight"]);
    QVERIFY(std::abs(by["batch"]->mean / run.batch - 1) < .01);
    QVERIFY(std::abs(by["kv"]->mean / run.kvUse - 1) < .02);
    QVERIFY(std::abs(by["in_flight"]->mean / run.inFlight - 1) < .01);
    for (const auto& [name, occupancy] : by)
        QVERIFY2(std::abs(occupancy->closedForm / occupancy->mean - 1) < .2, name.c_str());
}

/// A record with all requests of an hour within a tenth of each minute waits longer than the same requests at random.
void RequestFlowTest::replayedTrace() {
    const std::string path = "examples/serve-7b.cluster.json";
    Project project = readProject(resources::file(path), path).project;
    auto record = std::make_shared<RecordedRequests>();
    for (int i = 0; i < 3000; ++i) {
        record->at.push_back(60. * (i / 50) + .12 * (i % 50));
        record->prompts.push_back(100 + 10 * (i % 50));
        record->outputs.push_back(20 + i % 100);
    }
    const auto simulated = [&] {
        const AlternativeEstimate closed = estimate(project, project.alternatives.front(), shippedCatalog());
        return simulate(project, project.alternatives.front(), shippedCatalog(), closed)->workloads.front();
    };
    auto& spec = std::get<LlmServing>(project.workloads.front().spec);
    spec.arrivalRate *= .4;
    const WorkloadEstimate usual = simulated();
    project.workloads.front().flow.recorded = record;
    const WorkloadEstimate replayed = simulated();
    QVERIFY(!usual.simulated->recorded && replayed.simulated->recorded);
    QVERIFY(replayed.latencyNamed("ttft_p99")->value > usual.latencyNamed("ttft_p99")->value);
    QVERIFY(replayed.simulated->inFlight > .3 * usual.simulated->inFlight); // the same rate and mean lengths
    const auto again = simulated();
    QCOMPARE(again.latencyNamed("p99")->value, replayed.latencyNamed("p99")->value);
}

QTEST_GUILESS_MAIN(RequestFlowTest)
#include "request_flow_test.moc"
