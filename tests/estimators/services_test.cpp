// SPDX-License-Identifier: GPL-3.0-or-later
//
// CPU services, streams and batch jobs on drawn machines: closed forms, field cases, bad input; load profiles.
#include "estimators/services/load_profile.h"
#include "estimators/services/queueing.h"
#include "tests/estimators/workload_scene.h"

#include <QtTest>

#include <cmath>

using namespace cw;
using namespace cw::test;

namespace {

/// Two-socket hosts of 2 · 56 cores behind a load balancer.
void drawHosts(WorkloadScene& scene, int machines, const char* part = "dell_r760_8480") {
    scene.node("cpu", part, machines);
    scene.node("leaf", "sn3700", 2);
    scene.node("front", "load_balancer_1u", 2);
    scene.link("cpu", "leaf", "eth_100g", Pattern::each, 2);
    scene.link("front", "leaf", "eth_100g", Pattern::each, 2);
}

Service web(double rate) {
    Service spec;
    spec.cpuTime = milliseconds(5);
    spec.cpuTimeCv = 1;
    spec.arrivalRate = rate;
    return spec;
}

double resource(const WorkloadResult& result, std::string_view code) {
    for (const ResourceUse& use : result.estimate.resources)
        if (use.resource == code)
            return use.utilisation;
    return 0;
}

} // namespace

class ServicesTest : public QObject {
    Q_OBJECT

  private slots:
    void serviceIsMMcOnEachMachine();
    void serviceRisesWithVariation();
    void fanOutIsSlower();
    void cacheHitsAreCheap();
    void coresPerRequestShareTheWork();
    void retriesAreLoad();
    void retriesBringTheLimitDown();
    void givingUpIsSaid();
    void capacityMeetsItsTarget();
    void overloadSaysByHowMuch();
    void networkCanBind();
    void farFramesAddTheirLatency();
    void gpuMachinesServeWithIdleGpus();
    void shareOfPlacements();
    void badService_data();
    void badService();
    void streamLimits_data();
    void streamLimits();
    void streamLagsBeyondItsCapacity();
    void streamReplicatesOverTheNetwork();
    void millionsOfEvents();
    void badStream_data();
    void badStream();
    void jobFollowsAmdahl();
    void jobRunsInWaves();
    void shuffleCrossesTheNetwork();
    void jobsQueue();
    void badJob_data();
    void badJob();
    void meanLoads_data();
    void meanLoads();
};

void ServicesTest::serviceIsMMcOnEachMachine() {
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 4); // nothing else drawn: no network in the way
    scene.workload("web", web(60000));
    scene.place("web", {"cpu"});
    const WorkloadResult result = scene.run(estimateService, "web");
    QVERIFY(result.estimate.feasible);
    const Waiting wait = waiting(15000, .005, 112); // a quarter of the arrivals on 112 cores
    const Sojourn exact{0, {.005, 1}, wait};
    QVERIFY(std::abs(latency(result, "p99") / exact.quantile(.99) - 1) < 1e-6);
    QVERIFY(std::abs(latency(result, "p50") / exact.quantile(.5) - 1) < 1e-6);
    QVERIFY(std::abs(latency(result, "mean") - exact.mean()) < 1e-9);
    QVERIFY(std::abs(more(result, "utilisation") - 60000 * .005 / 448) < 1e-9);
    QCOMPARE(capacity(result), 448 / .005);
    QCOMPARE(throughput(result), 60000.);
    QVERIFY(result.estimate.bottleneck->binding.resource == "cpu.cores");
    QVERIFY(std::abs(result.activity.front().cpu - 60000 * .005 / 448) < 1e-9);
    double parts = 0;
    for (const double part : result.estimate.timeParts)
        parts += part;
    QVERIFY(std::abs(parts - latency(result, "mean")) < 1e-9);
}

void ServicesTest::serviceRisesWithVariation() {
    WorkloadScene scene;
    drawHosts(scene, 1);
    scene.workload("web", web(18000));
    scene.place("web", {"cpu"});
    double last = 0;
    for (const double cv : {0., .5, 1., 2., 5.}) {
        scene.spec<Service>("web").cpuTimeCv = cv;
        const double p99 = latency(scene.run(estimateService, "web"), "p99");
        QVERIFY(p99 > last);
        last = p99;
    }
}

void ServicesTest::fanOutIsSlower() {
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 1);
    scene.workload("web", web(100));
    scene.place("web", {"cpu"});
    const double one = latency(scene.run(estimateService, "web"), "p50");
    scene.spec<Service>("web").fanOut = 20;
    const WorkloadResult result = scene.run(estimateService, "web");
    // The slowest of 20 exponentials (hardly any waiting): -s ln(1 - p^(1/20)).
    QVERIFY(std::abs(latency(result, "p50") / (-.005 * std::log1p(-std::pow(.5, 1. / 20))) - 1) < .01);
    QVERIFY(latency(result, "p50") > 4 * one);
    double harmonic = 0;
    for (int i = 1; i <= 20; ++i)
        harmonic += 1. / i;
    QVERIFY(std::abs(latency(result, "mean") / (.005 * harmonic) - 1) < .03);
    QVERIFY(std::abs(capacity(result) - 112 / (20 * .005)) < 1e-6); // twenty times the work
}

void ServicesTest::cacheHitsAreCheap() {
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 1);
    scene.workload("web", web(1000));
    scene.place("web", {"cpu"});
    const WorkloadResult cold = scene.run(estimateService, "web");
    scene.spec<Service>("web").cacheHit = .9;
    const WorkloadResult warm = scene.run(estimateService, "web");
    QVERIFY(std::abs(capacity(warm) / capacity(cold) - 1 / (.1 + .9 * .05)) < 1e-6);
    QVERIFY(latency(warm, "p50") < .1 * latency(cold, "p50")); // most are hits
    // One in ten misses: the 99th percentile is the 90th of the misses.
    QVERIFY(std::abs(latency(warm, "p99") / (.005 * std::log(10.)) - 1) < .02);
}

void ServicesTest::coresPerRequestShareTheWork() {
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 1);
    scene.workload("web", web(10));
    scene.place("web", {"cpu"});
    const double one = latency(scene.run(estimateService, "web"), "p99");
    scene.spec<Service>("web").coresPerRequest = 11; // A6: 91 core-ms on 11 cores are 8 ms
    const WorkloadResult result = scene.run(estimateService, "web");
    QVERIFY(std::abs(latency(result, "p99") / one - 1. / 11) < .01);
    QVERIFY(capacity(result) <= 112 / .005 && capacity(result) > .97 * 112 / .005); // 110 of 112 cores fit
}

void ServicesTest::retriesAreLoad() {
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 1);
    scene.workload("web", web(10000));
    scene.place("web", {"cpu"});
    Service& spec = scene.spec<Service>("web");
    const double plain = latency(scene.run(estimateService, "web"), "p99");
    spec.timeout = seconds(60); // never reached
    spec.retries = 3;
    const WorkloadResult patient = scene.run(estimateService, "web");
    QVERIFY(std::abs(latency(patient, "p99") / plain - 1) < 1e-6);
    QVERIFY(std::abs(more(patient, "attempts") - 1) < 1e-6);
    spec.timeout = milliseconds(5 * std::log(10.)); // a tenth of the exponential requests take longer
    const WorkloadResult hasty = scene.run(estimateService, "web");
    QVERIFY(std::abs(more(hasty, "attempts") - 1.111) < 2e-3);    // 1 + .1 + .01 + .001
    QVERIFY(std::abs(more(hasty, "given_up") - 1e-4) < 2e-5);     // .1 to the fourth
    QVERIFY(std::abs(more(hasty, "utilisation") / (1.111 * 10000 * .005 / 112) - 1) < 3e-3);
    // One in a hundred is beyond the second attempt: two timeouts.
    QVERIFY(std::abs(latency(hasty, "p99") / (2 * .005 * std::log(10.)) - 1) < .02);
    QVERIFY(latency(hasty, "p50") < latency(hasty, "p95") && latency(hasty, "p95") < latency(hasty, "p99"));
}

void ServicesTest::retriesBringTheLimitDown() {
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 1);
    scene.workload("web", web(0));
    scene.place("web", {"cpu"});
    Service& spec = scene.spec<Service>("web");
    const double plain = capacity(scene.run(estimateService, "web"));
    spec.timeout = milliseconds(15);
    double last = plain * (1 + 1e-9);
    for (const int retries : {1, 3, 10}) {
        spec.retries = retries;
        const double limit = capacity(scene.run(estimateService, "web"));
        QVERIFY(limit < last && limit > .3 * plain);
        last = limit;
        spec.arrivalRate = limit * .999;
        QVERIFY(scene.run(estimateService, "web").estimate.feasible);
        spec.arrivalRate = limit * 1.01;
        const WorkloadResult storm = scene.run(estimateService, "web");
        QVERIFY(!storm.estimate.feasible && finding(storm, "load.unstable"));
    }
}

void ServicesTest::givingUpIsSaid() {
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 1);
    scene.workload("web", web(1000));
    scene.place("web", {"cpu"});
    Service& spec = scene.spec<Service>("web");
    spec.timeout = milliseconds(10);
    const WorkloadResult result = scene.run(estimateService, "web");
    QVERIFY(finding(result, "service.gives_up"));
    QVERIFY(std::abs(more(result, "given_up") / std::exp(-2.) - 1) < .01); // no second attempt
    spec.fanOut = 3;
    QVERIFY(std::abs(more(scene.run(estimateService, "web"), "given_up") / (1 - std::pow(1 - std::exp(-2.), 3)) - 1) < .01);
}

void ServicesTest::capacityMeetsItsTarget() {
    WorkloadScene scene;
    drawHosts(scene, 3);
    Service spec = web(1000);
    spec.latencyP99 = milliseconds(30);
    scene.workload("web", spec);
    scene.place("web", {"cpu"});
    const double most = capacity(scene.run(estimateService, "web"));
    scene.spec<Service>("web").arrivalRate = most;
    QVERIFY(latency(scene.run(estimateService, "web"), "p99") <= .03 * (1 + 1e-6));
    scene.spec<Service>("web").arrivalRate = most * 1.01;
    QVERIFY(latency(scene.run(estimateService, "web"), "p99") > .03);
    // Twice the machines, twice the rate.
    scene.alternative().nodes.front().count = 6;
    QVERIFY(std::abs(capacity(scene.run(estimateService, "web")) / most - 2) < 1e-3);
    scene.spec<Service>("web").latencyP99 = milliseconds(1);
    const WorkloadResult impossible = scene.run(estimateService, "web");
    QCOMPARE(capacity(impossible), 0.);
    QVERIFY(finding(impossible, "load.target_unreachable"));
}

void ServicesTest::overloadSaysByHowMuch() {
    WorkloadScene scene;
    drawHosts(scene, 1);
    scene.workload("web", web(100000));
    scene.place("web", {"cpu"});
    const WorkloadResult result = scene.run(estimateService, "web");
    QVERIFY(!result.estimate.feasible && std::isnan(latency(result, "p99")));
    const Finding* unstable = finding(result, "load.unstable");
    QVERIFY(unstable);
    QCOMPARE(unstable->arguments.at("growth"), format(100000 - 22400, Unit::requestsPerSecond));
    QCOMPARE(throughput(result), 22400.);
}

void ServicesTest::networkCanBind() {
    WorkloadScene scene;
    drawHosts(scene, 4);
    Service spec = web(1000);
    spec.responseBytes = bytes(50e6);
    scene.workload("web", spec);
    scene.place("web", {"cpu"});
    const WorkloadResult result = scene.run(estimateService, "web");
    QVERIFY(result.estimate.bottleneck->binding.resource == "network.link");
    QVERIFY(capacity(result) < 448 / .005 / 10);
    QVERIFY(resource(result, "network.link") > resource(result, "cpu.cores"));
}

void ServicesTest::farFramesAddTheirLatency() {
    WorkloadScene scene;
    drawHosts(scene, 2);
    scene.workload("web", web(10));
    scene.place("web", {"cpu"});
    const double near = latency(scene.run(estimateService, "web"), "p50");
    scene.frame("zone-b", FrameKind::zone);
    scene.alternative().nodes.front().frame = FrameId("zone-b");
    QVERIFY(latency(scene.run(estimateService, "web"), "p50") > near + .0005); // another zone, there and back
}

void ServicesTest::gpuMachinesServeWithIdleGpus() {
    WorkloadScene scene; // B2: microservices on GPU nodes
    scene.node("gpu", "dgx_a100_640", 16);
    scene.workload("web", web(1000));
    scene.place("web", {"gpu"});
    const WorkloadResult result = scene.run(estimateService, "web");
    QVERIFY(result.estimate.feasible);
    QVERIFY(finding(result, "service.gpus_idle"));
    QVERIFY(result.activity.front().compute == 0 && result.activity.front().cpu > 0);
}

void ServicesTest::shareOfPlacements() {
    WorkloadScene scene;
    scene.node("a", "dell_r760_8480", 1);
    scene.node("b", "dell_r760_8480", 1);
    scene.workload("web", web(10000));
    scene.place("web", {"a"}).share = 3;
    scene.place("web", {"b"}).share = 1;
    const WorkloadResult result = scene.run(estimateService, "web");
    QVERIFY(std::abs(result.activity[0].cpu / result.activity[1].cpu - 3) < 1e-9);
    QVERIFY(std::abs(capacity(result) - 22400 / .75) < 1e-6); // the fuller one limits
}

void ServicesTest::badService_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"no time", "nan time", "negative time", "nan rate", "infinite rate", "cores 0", "cores 100000", "fan out 0", "fan out huge", "hit nan",
                             "nan bytes", "no nodes", "switch", "zero count", "target 0", "cv huge"})
        QTest::newRow(what) << QString(what);
}

void ServicesTest::badService() {
    QFETCH(QString, what);
    WorkloadScene scene;
    drawHosts(scene, 2);
    Service spec = web(100);
    const double nan = std::nan("");
    if (what == "no time")
        spec.cpuTime = seconds(0);
    else if (what == "nan time")
        spec.cpuTime = seconds(nan);
    else if (what == "negative time")
        spec.cpuTime = seconds(-1);
    else if (what == "nan rate")
        spec.arrivalRate = nan;
    else if (what == "infinite rate")
        spec.arrivalRate = std::numeric_limits<double>::infinity();
    else if (what == "cores 0")
        spec.coresPerRequest = 0;
    else if (what == "cores 100000")
        spec.coresPerRequest = 100000;
    else if (what == "fan out 0")
        spec.fanOut = 0;
    else if (what == "fan out huge")
        spec.fanOut = 2000000000;
    else if (what == "hit nan")
        spec.cacheHit = nan;
    else if (what == "nan bytes")
        spec.requestBytes = spec.responseBytes = bytes(nan);
    else if (what == "target 0")
        spec.latencyP99 = seconds(0);
    else if (what == "cv huge")
        spec.cpuTimeCv = 1e300;
    scene.workload("web", spec);
    Placement& placement = scene.place("web", {"cpu"});
    if (what == "no nodes")
        placement.nodes.clear();
    else if (what == "switch")
        placement.nodes = {NodeId("leaf")};
    else if (what == "zero count")
        scene.alternative().nodes.front().count = 0;
    const WorkloadResult result = scene.run(estimateService, "web");
    if (result.estimate.feasible)
        QVERIFY(latency(result, "p50") <= latency(result, "p95") && latency(result, "p95") <= latency(result, "p99"));
    QVERIFY(!result.estimate.throughput || std::isfinite(throughput(result)));
    QVERIFY(!result.estimate.capacity || !std::isinf(capacity(result)));
}

void ServicesTest::streamLimits_data() {
    QTest::addColumn<double>("bytes");
    QTest::addColumn<double>("cpuMicroseconds");
    QTest::addColumn<double>("retentionHours");
    QTest::addColumn<QString>("binding");
    QTest::newRow("CPU") << 100. << 1000. << 0. << "cpu.cores";
    QTest::newRow("disk") << 1e5 << 1. << 0. << "storage.write";
    QTest::newRow("space") << 1e4 << 1. << 1000. << "storage.capacity";
}

void ServicesTest::streamLimits() {
    QFETCH(double, bytes);
    QFETCH(double, cpuMicroseconds);
    QFETCH(double, retentionHours);
    QFETCH(QString, binding);
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 6);
    Stream spec;
    spec.eventRate = 100;
    spec.eventBytes = cw::bytes(bytes);
    spec.cpuPerEvent = microseconds(cpuMicroseconds);
    spec.replication = 3;
    spec.retention = hours(retentionHours);
    scene.workload("log", spec);
    scene.place("log", {"cpu"});
    const WorkloadResult result = scene.run(estimateStream, "log");
    QCOMPARE(QString::fromStdString(result.estimate.bottleneck->binding.resource), binding);
    double expected = 0; // two drives of the rule a machine
    if (binding == "cpu.cores")
        expected = 672 / (cpuMicroseconds * 1e-6);
    else if (binding == "storage.write")
        expected = 6 * 2 * 2e9 / (3 * bytes);
    else
        expected = 6 * 2 * 7.68e12 / (3 * bytes * retentionHours * 3600);
    QVERIFY(std::abs(capacity(result) / expected - 1) < 1e-9);
    QVERIFY(latency(result, "p50") <= latency(result, "p99"));
    QVERIFY(more(result, "lag") > 0);
}

void ServicesTest::streamLagsBeyondItsCapacity() {
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 3);
    Stream spec;
    spec.eventRate = 1e9;
    spec.cpuPerEvent = microseconds(10);
    spec.eventBytes = bytes(100);
    scene.workload("log", spec);
    scene.place("log", {"cpu"});
    const WorkloadResult result = scene.run(estimateStream, "log");
    QVERIFY(!result.estimate.feasible && finding(result, "load.unstable"));
    QVERIFY(std::isnan(latency(result, "p99")) && std::isnan(more(result, "lag")));
    scene.spec<Stream>("log").eventRate = 1;
    scene.spec<Stream>("log").replication = 5;
    QVERIFY(finding(scene.run(estimateStream, "log"), "stream.too_few_machines"));
}

void ServicesTest::streamReplicatesOverTheNetwork() {
    WorkloadScene scene;
    drawHosts(scene, 6);
    Stream spec;
    spec.eventRate = 1e6;
    spec.eventBytes = bytes(1000);
    spec.cpuPerEvent = microseconds(5);
    scene.workload("log", spec);
    scene.place("log", {"cpu"});
    const WorkloadResult result = scene.run(estimateStream, "log");
    QVERIFY(result.estimate.feasible);
    const auto copies = std::find_if(result.traffic.begin(), result.traffic.end(), [](const Traffic& t) { return std::string_view(t.kind) == "replication"; });
    QVERIFY(copies != result.traffic.end());
    double most = 0;
    for (const double tier : copies->bytesPerDevice)
        most = std::max(most, tier);
    QVERIFY(std::abs(most / (1e6 * 1000 * 2 / 6) - 1) < .01); // two copies of everything, spread over six machines
    double forward = 0;
    for (const LinkLoad& load : linkLoads(scene.fabric(), result.traffic))
        forward += load.forward + load.backward;
    QVERIFY(forward > 2e9);
}

void ServicesTest::millionsOfEvents() {
    WorkloadScene scene; // B11: an event log of millions of events a second is a matter of CPUs, disks and network
    drawHosts(scene, 12);
    Stream spec;
    spec.eventRate = 3e6;
    spec.eventBytes = bytes(500);
    spec.cpuPerEvent = microseconds(8);
    spec.retention = hours(24);
    scene.workload("log", spec);
    scene.place("log", {"cpu"});
    const WorkloadResult result = scene.run(estimateStream, "log");
    QVERIFY(!result.estimate.feasible || capacity(result) > 3e6);
    QVERIFY(resource(result, "storage.capacity") > 1); // 390 TB a day do not fit on assumed drives
    scene.spec<Stream>("log").retention = hours(6);
    QVERIFY(scene.run(estimateStream, "log").estimate.feasible);
}

void ServicesTest::badStream_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"nothing", "nan bytes", "nan rate", "replication 0", "replication huge", "no machines"})
        QTest::newRow(what) << QString(what);
}

void ServicesTest::badStream() {
    QFETCH(QString, what);
    WorkloadScene scene;
    drawHosts(scene, 3);
    Stream spec;
    spec.eventRate = 1000;
    spec.eventBytes = bytes(100);
    spec.cpuPerEvent = microseconds(10);
    const double nan = std::nan("");
    if (what == "nothing")
        spec = {};
    else if (what == "nan bytes")
        spec.eventBytes = bytes(nan);
    else if (what == "nan rate")
        spec.eventRate = nan;
    else if (what == "replication 0")
        spec.replication = 0;
    else if (what == "replication huge")
        spec.replication = 1 << 30;
    scene.workload("log", spec);
    Placement& placement = scene.place("log", {"cpu"});
    if (what == "no machines")
        placement.nodes = {NodeId("leaf")};
    const WorkloadResult result = scene.run(estimateStream, "log");
    QVERIFY(!result.estimate.throughput || std::isfinite(throughput(result)));
    QVERIFY(!result.estimate.capacity || !std::isinf(capacity(result)));
    QVERIFY(what == "no machines" ? finding(result, "service.machine_unsuitable") != nullptr : result.estimate.placed);
}

void ServicesTest::jobFollowsAmdahl() {
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 1);
    BatchJob spec;
    spec.cpuTime = seconds(112000);
    spec.tasks = 1120000;
    spec.serialShare = .01;
    scene.workload("etl", spec);
    scene.place("etl", {"cpu"});
    const WorkloadResult result = scene.run(estimateBatchJob, "etl");
    const double ideal = 1120 + .99 * 112000 / 112;
    QVERIFY2(std::abs(latency(result, "job") / ideal - 1) < .01, qPrintable(QString::number(latency(result, "job"))));
    QVERIFY(std::abs(capacity(result) * latency(result, "job") - 86400) < 1e-6);
    QVERIFY(more(result, "speedup") < 100); // Amdahl's bound
    QVERIFY(finding(result, "job.serial_bound"));
    Relief relief;
    relief.cpu = 2;
    QVERIFY(std::abs(latency(scene.run(estimateBatchJob, "etl", {}, relief), "job") / latency(result, "job") - .5) < 1e-6);
}

void ServicesTest::jobRunsInWaves() {
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 1);
    BatchJob spec;
    spec.cpuTime = seconds(1130);
    spec.tasks = 113; // one more than there are cores: a second wave for one task
    scene.workload("etl", spec);
    scene.place("etl", {"cpu"});
    QVERIFY(latency(scene.run(estimateBatchJob, "etl"), "job") >= 20);
    scene.spec<BatchJob>("etl").tasks = 112;
    QVERIFY(latency(scene.run(estimateBatchJob, "etl"), "job") < 11);
    scene.spec<BatchJob>("etl").tasks = 10;
    const WorkloadResult few = scene.run(estimateBatchJob, "etl");
    const Finding* more = finding(few, "job.too_few_tasks");
    QVERIFY(more && more->fix);
    QVERIFY(apply(scene.project(), *more->fix).has_value());
    QCOMPARE(scene.spec<BatchJob>("etl").tasks, std::int64_t(112));
}

void ServicesTest::shuffleCrossesTheNetwork() {
    double last = 1e300;
    for (const char* medium : {"eth_10g", "eth_25g", "eth_100g"}) {
        WorkloadScene scene;
        scene.node("cpu", "dell_r760_8480", 20);
        scene.node("leaf", "sn3700", 1);
        scene.link("cpu", "leaf", medium, Pattern::each, 1);
        BatchJob spec;
        spec.cpuTime = seconds(1000);
        spec.tasks = 20000;
        spec.shuffled = gigabytes(10000);
        scene.workload("etl", spec);
        scene.place("etl", {"cpu"});
        const WorkloadResult result = scene.run(estimateBatchJob, "etl");
        QVERIFY(result.estimate.feasible);
        QVERIFY2(latency(result, "job") < last, medium);
        last = latency(result, "job");
        // 10 TB out of 20 ports of the medium is the physical bound.
        const auto* cable = scene.catalog().find<Medium>(PartId(medium));
        QVERIFY(latency(result, "job") > .3 * .95 * 1e13 / 20 / si(cable->rawBandwidth));
        QVERIFY(std::any_of(result.traffic.begin(), result.traffic.end(), [](const Traffic& t) { return std::string_view(t.kind) == "shuffle"; }));
    }
}

void ServicesTest::jobsQueue() {
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 1);
    BatchJob spec;
    spec.cpuTime = seconds(112 * 3600);
    spec.tasks = 11200;
    spec.jobsPerDay = 12;
    scene.workload("etl", spec);
    scene.place("etl", {"cpu"});
    const WorkloadResult result = scene.run(estimateBatchJob, "etl");
    QVERIFY(latency(result, "p99") > 2 * latency(result, "job"));
    // A deadline between the two is met by a job alone, and missed where jobs queue.
    auto& job = scene.spec<BatchJob>("etl");
    job.deadline = seconds(1.5 * latency(result, "job"));
    const auto met = [&] {
        const AlternativeEstimate estimated = estimate(scene.project(), scene.alternative(), shippedCatalog());
        for (const auto& target : estimated.workloads.front().targets)
            if (target.target == "p99" || target.target == "job")
                return target.met;
        return false;
    };
    QVERIFY(!met());
    job.jobsPerDay = 0;
    QVERIFY(met());
    QCOMPARE(throughput(result), 12.);
    QVERIFY(result.unitCost == Unit::dollarsPerJob);
    scene.spec<BatchJob>("etl").jobsPerDay = 48;
    const WorkloadResult over = scene.run(estimateBatchJob, "etl");
    QVERIFY(finding(over, "load.unstable") && !over.estimate.feasible);
}

void ServicesTest::badJob_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"nothing", "nan time", "zero tasks", "serial 7", "nan bytes", "alone", "nan jobs"})
        QTest::newRow(what) << QString(what);
}

void ServicesTest::badJob() {
    QFETCH(QString, what);
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", what == "alone" ? 4 : 1);
    BatchJob spec;
    spec.cpuTime = seconds(100);
    spec.tasks = 1000;
    const double nan = std::nan("");
    if (what == "nothing")
        spec = {};
    else if (what == "nan time")
        spec.cpuTime = seconds(nan);
    else if (what == "zero tasks")
        spec.tasks = 0;
    else if (what == "serial 7")
        spec.serialShare = 7;
    else if (what == "nan bytes")
        spec.read = spec.shuffled = spec.written = bytes(nan);
    else if (what == "nan jobs")
        spec.jobsPerDay = nan;
    else if (what == "alone")
        spec.shuffled = gigabytes(10); // machines without a network between them
    scene.workload("etl", spec);
    scene.place("etl", {"cpu"});
    const WorkloadResult result = scene.run(estimateBatchJob, "etl");
    QVERIFY(std::isfinite(latency(result, "job")) && latency(result, "job") >= 0);
    QVERIFY(std::isfinite(throughput(result)) && !std::isinf(capacity(result)));
    QCOMPARE(finding(result, "job.not_connected") != nullptr, what == "alone");
}

void ServicesTest::meanLoads_data() {
    QTest::addColumn<QList<double>>("hourly");
    QTest::addColumn<double>("duty");
    QTest::addColumn<double>("mean");
    QTest::newRow("constant") << QList<double>{} << 1. << 1.;
    QTest::newRow("duty") << QList<double>{} << .27 << .27;
    QTest::newRow("half of the day") << QList<double>{0, 1} << 1. << .5;
    QTest::newRow("both") << QList<double>{.2, .6} << .5 << .2;
    QTest::newRow("out of range") << QList<double>{-4, 9} << 1. << .5;
    QTest::newRow("unreadable") << QList<double>{std::nan(""), 1} << 1. << .5;
    QTest::newRow("unreadable duty") << QList<double>{} << std::nan("") << 0.;
}

void ServicesTest::meanLoads() {
    QFETCH(QList<double>, hourly);
    QFETCH(double, duty);
    QFETCH(double, mean);
    LoadProfile profile;
    profile.hourly.assign(hourly.begin(), hourly.end());
    profile.duty = duty;
    QVERIFY(std::abs(meanLoad(profile) - mean) < 1e-12);
}

QTEST_GUILESS_MAIN(ServicesTest)
#include "services_test.moc"
