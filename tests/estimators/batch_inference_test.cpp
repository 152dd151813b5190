// SPDX-License-Identifier: GPL-3.0-or-later
//
// Batch servers against simulation of the same rules, limits and field cases; bad input.
#include "estimators/serving/batch_model.h"
#include "tests/estimators/workload_scene.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace cw;
using namespace cw::test;

namespace {

BatchTime affine(double host, double perItem) {
    BatchTime time;
    time.host = host;
    time.computePerItem = perItem;
    return time;
}

/// The rules of a batch server, item by item: closes when full or when its oldest item has waited, starts when the server is free.
std::vector<double> simulate(const BatchTime& time, int limit, double delay, double rate, int items) {
    std::mt19937_64 random(7);
    std::exponential_distribution<double> gap(rate);
    std::vector<double> arrivals(static_cast<std::size_t>(items)), latencies;
    double now = 0;
    for (double& t : arrivals)
        t = now += gap(random);
    double free = 0;
    for (std::size_t next = 0; next < arrivals.size();) {
        const std::size_t last = std::min(arrivals.size(), next + static_cast<std::size_t>(limit)) - 1;
        // Full at arrivals[last], or the oldest has waited; and not before the server is free.
        const double close = std::max(free, std::min(arrivals[next] + delay, arrivals[last]));
        std::size_t count = 0;
        while (next + count < arrivals.size() && count < static_cast<std::size_t>(limit) && arrivals[next + count] <= close)
            ++count;
        free = close + time.seconds(static_cast<double>(count));
        for (std::size_t i = 0; i < count; ++i)
            latencies.push_back(free - arrivals[next + i]);
        next += count;
    }
    std::sort(latencies.begin(), latencies.end());
    return latencies;
}

double at(const std::vector<double>& sorted, double p) { return sorted[static_cast<std::size_t>(p * static_cast<double>(sorted.size() - 1))]; }

BatchInference bert(double rate) {
    BatchInference spec;
    spec.model = PartId("bert_small");
    spec.sequence = 128;
    spec.batchLimit = 32;
    spec.batchDelay = milliseconds(2);
    spec.arrivalRate = rate;
    return spec;
}

BatchInference linear(int batch) { // A15, A16: a layer of 4096² in fp32
    BatchInference spec;
    spec.operationsPerItem = operations(2 * 4096. * 4096);
    spec.weightBytes = bytes(4 * 4096. * 4096);
    spec.bytesPerItem = bytes(2 * 4 * 4096.);
    spec.precision = Precision::fp32;
    spec.batchLimit = batch;
    spec.arrivalRate = 1;
    return spec;
}

} // namespace

class BatchInferenceTest : public QObject {
    Q_OBJECT

  private slots:
    void followsSimulation_data();
    void followsSimulation();
    void batchOfOneIsAQueue();
    void idleServerWaitsForTheDelay();
    void percentilesRiseWithLoad();
    void capacityMeetsItsTarget();
    void smallBertOnGpuAndCpu();
    void singleItemIsLaunchBound();
    void layerAtBatchOneIsMemoryBound();
    void branchesSlowGpusOnly();
    void offloadMissesTheBudget();
    void residualNetworkNearThePublishedRate();
    void replicasShareGpus();
    void largerBatchesAreOffered();
    void moreGpusMoreRate();
    void fasterPartsAreNeverSlower();
    void badInput_data();
    void badInput();
};

void BatchInferenceTest::followsSimulation_data() {
    QTest::addColumn<double>("delay");
    QTest::addColumn<double>("load");
    for (const double delay : {0., .002, .02})
        for (const double load : {.1, .5, .8, .95})
            QTest::addRow("delay %g ms, load %g", delay * 1e3, load) << delay << load;
}

void BatchInferenceTest::followsSimulation() {
    QFETCH(double, delay);
    QFETCH(double, load);
    const BatchTime time = affine(.002, .0002);
    const BatchServer server(time, 16, delay);
    const double rate = load * server.largestRate();
    const std::vector<double> sorted = simulate(time, 16, delay, rate, 100000);
    double mean = 0;
    for (const double latency : sorted)
        mean += latency / static_cast<double>(sorted.size());
    const BatchPoint point = server.at(rate);
    const QByteArray text = QString("mean %1 %2, p50 %3 %4, p99 %5 %6").arg(point.mean() * 1e3).arg(mean * 1e3).arg(point.quantile(.5) * 1e3)
                                .arg(at(sorted, .5) * 1e3).arg(point.quantile(.99) * 1e3).arg(at(sorted, .99) * 1e3).toUtf8();
    QVERIFY2(std::abs(point.mean() / mean - 1) < .2, text);
    QVERIFY2(std::abs(point.quantile(.5) / at(sorted, .5) - 1) < .3, text);
    QVERIFY2(std::abs(point.quantile(.99) / at(sorted, .99) - 1) < .35, text);
}

void BatchInferenceTest::batchOfOneIsAQueue() {
    const BatchServer server(affine(.001, .001), 1, .5); // with a limit of one nothing is gathered
    QCOMPARE(server.largestRate(), 500.);
    const BatchPoint idle = server.at(0);
    QCOMPARE(idle.quantile(.99), .002);
    const BatchPoint busy = server.at(450);
    QVERIFY(std::abs(busy.queue.mean() - .9 * .002 / (2 * .1)) < 1e-9); // M/D/1
    QVERIFY(busy.mean() > .002 + busy.queue.mean() - 1e-12);
}

void BatchInferenceTest::idleServerWaitsForTheDelay() {
    const BatchServer server(affine(.001, .0001), 8, .01);
    QVERIFY(std::abs(server.at(.001).quantile(.5) - (.01 + .0011)) < 1e-5); // alone: all of the delay
    QVERIFY(server.at(2000).quantile(.5) < .01);                            // batches fill before it ends
}

void BatchInferenceTest::percentilesRiseWithLoad() {
    const BatchServer server(affine(.001, .0001), 32, 0);
    double last = 0;
    for (const double load : {0., .2, .5, .8, .95, .99}) {
        const BatchPoint point = server.at(load * server.largestRate());
        QVERIFY(point.stable);
        QVERIFY(point.quantile(.5) <= point.quantile(.95) && point.quantile(.95) <= point.quantile(.99));
        QVERIFY(point.quantile(.99) >= last);
        QVERIFY(std::abs(point.tail(point.quantile(.99)) - .01) < 1e-6 || load == 0);
        QVERIFY(point.batch >= 1 && point.batch <= 32 && point.busy <= 1);
        last = point.quantile(.99);
    }
    QVERIFY(!server.at(1.01 * server.largestRate()).stable);
}

void BatchInferenceTest::capacityMeetsItsTarget() {
    WorkloadScene scene;
    scene.node("gpu", "dell_r760xa_4xl40s", 1);
    BatchInference spec = bert(100);
    spec.latencyP99 = milliseconds(10);
    scene.workload("bert", spec);
    scene.place("bert", {"gpu"});
    const double most = capacity(scene.run(estimateBatchInference, "bert"));
    QVERIFY(most > 0);
    scene.spec<BatchInference>("bert").arrivalRate = most;
    QVERIFY(latency(scene.run(estimateBatchInference, "bert"), "p99") <= .01 * (1 + 1e-6));
    scene.spec<BatchInference>("bert").arrivalRate = 1.02 * most;
    const WorkloadResult beyond = scene.run(estimateBatchInference, "bert");
    QVERIFY(!beyond.estimate.feasible || latency(beyond, "p99") > .01);
}

/// A5, A6: BERT-small, reported 12,000/s on a GPU and 1,400/s on 128 cores; p99 3 ms that becomes 35 when the queue fills, against 8 ms.
void BatchInferenceTest::smallBertOnGpuAndCpu() {
    WorkloadScene scene;
    scene.node("gpu", "dell_r760xa_4xl40s", 1);
    scene.node("cpu", "dell_r7625_9654", 1);
    scene.workload("bert", bert(1000));
    Placement& placement = scene.place("bert", {"gpu"});
    placement.replicas = 1;
    const WorkloadResult gpu = scene.run(estimateBatchInference, "bert");
    QVERIFY2(capacity(gpu) > 6000 && capacity(gpu) < 60000, qPrintable(QString::number(capacity(gpu))));
    QVERIFY2(latency(gpu, "p99") > .001 && latency(gpu, "p99") < .008, qPrintable(QString::number(latency(gpu, "p99"))));
    // The tail that the report blames on the queue: near its limit the same GPU takes several times as long.
    scene.spec<BatchInference>("bert").arrivalRate = .995 * capacity(gpu);
    const double full = latency(scene.run(estimateBatchInference, "bert"), "p99");
    QVERIFY2(full > 2 * latency(gpu, "p99"), qPrintable(QString::number(full)));

    placement.replicas = 0;
    placement.nodes = {NodeId("cpu")};
    placement.precision = Precision::fp32;
    scene.spec<BatchInference>("bert").arrivalRate = 500;
    scene.spec<BatchInference>("bert").batchDelay = seconds(0);
    const WorkloadResult cpu = scene.run(estimateBatchInference, "bert");
    QVERIFY2(capacity(cpu) > 700 && capacity(cpu) < 6000, qPrintable(QString::number(capacity(cpu))));
    QVERIFY2(latency(cpu, "p99") > .001 && latency(cpu, "p99") < .02, qPrintable(QString::number(latency(cpu, "p99"))));
    QVERIFY(cpu.activity.front().cpu > 0 && cpu.activity.front().compute == 0);
}

/// A28, A25: at batch one a small model is bound by launches, so a far faster device is only somewhat faster.
void BatchInferenceTest::singleItemIsLaunchBound() {
    WorkloadScene scene;
    scene.node("gpu", "dgx_h100", 1);
    BatchInference spec = bert(1);
    spec.batchLimit = 1;
    spec.batchDelay = seconds(0);
    scene.workload("bert", spec);
    scene.place("bert", {"gpu"});
    const WorkloadResult result = scene.run(estimateBatchInference, "bert");
    const auto& parts = result.estimate.timeParts;
    QVERIFY(parts[static_cast<std::size_t>(TimePart::host)] > parts[static_cast<std::size_t>(TimePart::compute)]);
    QVERIFY(result.estimate.bottleneck->binding.resource == "host.launch");
    QVERIFY(finding(result, "batch.launch_bound"));
}

/// A15, A16: the layer is memory bound at one row: 67 MB, 20 µs on the GPU and 134 µs at 500 GB/s of a host, four to five times as much;
/// at batch 128 arithmetic takes over and the gap widens towards that of the peaks (the reported 2.1 ms is 30 times over the roofline).
void BatchInferenceTest::layerAtBatchOneIsMemoryBound() {
    const auto timeOn = [](const char* node, int batch) {
        WorkloadScene scene;
        scene.node("m", node, 1);
        scene.workload("layer", linear(batch));
        scene.place("layer", {"m"}).replicas = 1;
        const WorkloadResult result = scene.run(estimateBatchInference, "layer");
        // Seconds of a full batch: what one server needs for `batch` items.
        return batch / capacity(result);
    };
    const double gpu = timeOn("dgx_h100", 1), cpu = timeOn("dell_r7625_9654", 1);
    QVERIFY2(gpu > 20e-6 && gpu < 60e-6, qPrintable(QString::number(gpu)));
    QVERIFY2(cpu > 67e6 / 921.6e9 && cpu < 300e-6, qPrintable(QString::number(cpu)));
    QVERIFY2(cpu / gpu > 2.5 && cpu / gpu < 9, qPrintable(QString::number(cpu / gpu)));
    const double gpuBatch = timeOn("dgx_h100", 128), cpuBatch = timeOn("dell_r7625_9654", 128);
    QVERIFY2(gpuBatch < 2.1e-3 / 5, qPrintable(QString::number(gpuBatch))); // far under the report, which lacked a warm-up
    QVERIFY2(cpuBatch < 45e-3 / 5, qPrintable(QString::number(cpuBatch)));   // one core, not the host
    QVERIFY(cpuBatch / gpuBatch > cpu / gpu);
}

/// B3: a tree of half a million nodes, three times faster on eight cores than on an A100. Lanes that part at every level cost the GPU its
/// arithmetic; small batches never fill it, so launches decide.
void BatchInferenceTest::branchesSlowGpusOnly() {
    BatchInference tree;
    tree.operationsPerItem = operations(20 * 30); // levels, and what a comparison with its loads takes
    tree.bytesPerItem = bytes(20 * 32);
    tree.weightBytes = bytes(12e6);
    tree.precision = Precision::fp32;
    tree.batchLimit = 64;
    tree.arrivalRate = 1;
    const auto rateOn = [&](const char* node, const BatchInference& spec) {
        WorkloadScene scene;
        scene.node("m", node, 1);
        scene.workload("tree", spec);
        scene.place("tree", {"m"}).replicas = 1;
        return capacity(scene.run(estimateBatchInference, "tree"));
    };
    const double gpu = rateOn("dgx_a100_640", tree), cpu = rateOn("dell_r7625_9654", tree);
    tree.divergence = 32; // a warp
    tree.operationsPerItem = operations(1e9); // enough arithmetic to show
    BatchInference straight = tree;
    straight.divergence = 1;
    QVERIFY(std::abs(rateOn("dgx_a100_640", straight) / rateOn("dgx_a100_640", tree) - 32) < 2);
    QVERIFY(std::abs(rateOn("dell_r7625_9654", straight) / rateOn("dell_r7625_9654", tree) - 1) < 1e-9);
    QVERIFY(gpu < 10 * cpu); // far from the ratio of the data sheets already
}

/// B10: 50,000 events a second with a budget of 10 ms, 35 ms a batch to the GPU and back: missed by 3.5 times, 1,750 events pile up.
void BatchInferenceTest::offloadMissesTheBudget() {
    WorkloadScene scene;
    scene.node("gpu", "dgx_h100", 1);
    BatchInference spec;
    spec.operationsPerItem = operations(1e6);
    spec.bytesPerItem = bytes(1e3);
    spec.weightBytes = bytes(1e6);
    spec.batchLimit = 4096;
    spec.arrivalRate = 50000;
    spec.latencyP99 = milliseconds(10);
    scene.workload("events", spec);
    scene.place("events", {"gpu"}).replicas = 1;
    QVERIFY(scene.run(estimateBatchInference, "events").estimate.capacity->value > 50000);
    scene.spec<BatchInference>("events").batchOverhead = milliseconds(35);
    const WorkloadResult result = scene.run(estimateBatchInference, "events");
    QVERIFY(result.estimate.feasible); // it keeps up, in large batches
    QVERIFY(latency(result, "p50") > .035);
    QVERIFY(!(capacity(result) > 0)); // at no rate within the budget
    QVERIFY(std::abs(more(result, "batch") / 1750 - 1) < .1);
}

void BatchInferenceTest::residualNetworkNearThePublishedRate() {
    WorkloadScene scene;
    scene.node("gpu", "dgx_a100_640", 1);
    BatchInference spec;
    spec.model = PartId("resnet50");
    spec.precision = Precision::int8;
    spec.batchLimit = 256;
    spec.arrivalRate = 1000;
    scene.workload("images", spec);
    scene.place("images", {"gpu"}).replicas = 1;
    const double rate = capacity(scene.run(estimateBatchInference, "images"));
    QVERIFY2(rate > 12000 && rate < 45000, qPrintable(QString::number(rate))); // tuned submissions reach 37,000 with none of the handling
}

/// B18: sixteen replicas on four GPUs, a quarter each, reported 125 requests/s a replica; one GPU lost costs a quarter.
void BatchInferenceTest::replicasShareGpus() {
    WorkloadScene scene;
    scene.node("gpu", "dell_r760xa_4xl40s", 1);
    BatchInference spec = bert(2000);
    spec.batchLimit = 4;
    scene.workload("serve", spec);
    Placement& placement = scene.place("serve", {"gpu"});
    placement.replicas = 4;
    const WorkloadResult four = scene.run(estimateBatchInference, "serve");
    placement.replicas = 16;
    const WorkloadResult sixteen = scene.run(estimateBatchInference, "serve");
    QVERIFY(sixteen.estimate.feasible);
    QCOMPARE(more(sixteen, "servers"), 16.);
    QVERIFY(capacity(sixteen) > capacity(four));     // launches of the replicas overlap
    QVERIFY(capacity(sixteen) < 4 * capacity(four)); // the device is still one
    placement.replicas = 6;
    QVERIFY(finding(scene.run(estimateBatchInference, "serve"), "batch.uneven_replicas"));
}

void BatchInferenceTest::largerBatchesAreOffered() {
    WorkloadScene scene;
    scene.node("gpu", "dgx_h100", 1);
    BatchInference spec = bert(100);
    spec.batchLimit = 1;
    spec.latencyP99 = milliseconds(20);
    scene.workload("bert", spec);
    scene.place("bert", {"gpu"});
    const WorkloadResult small = scene.run(estimateBatchInference, "bert");
    const Finding* larger = finding(small, "batch.larger_batches");
    QVERIFY(larger && larger->fix);
    QVERIFY(apply(scene.project(), *larger->fix).has_value());
    const WorkloadResult after = scene.run(estimateBatchInference, "bert");
    QVERIFY(capacity(after) > 1.3 * capacity(small));
}

void BatchInferenceTest::moreGpusMoreRate() {
    WorkloadScene scene;
    scene.node("gpu", "dgx_h100", 1);
    scene.workload("bert", bert(100));
    scene.place("bert", {"gpu"});
    const double one = capacity(scene.run(estimateBatchInference, "bert"));
    scene.alternative().nodes.front().count = 2;
    QVERIFY(std::abs(capacity(scene.run(estimateBatchInference, "bert")) / one - 2) < 1e-9);
}

void BatchInferenceTest::fasterPartsAreNeverSlower() {
    WorkloadScene scene;
    scene.node("gpu", "dgx_h100", 1);
    scene.workload("bert", bert(50000));
    scene.place("bert", {"gpu"});
    const WorkloadResult base = scene.run(estimateBatchInference, "bert");
    for (double Relief::*resource : {&Relief::gpuCompute, &Relief::gpuMemoryBandwidth, &Relief::host}) {
        Relief relief;
        relief.*resource = 2;
        const WorkloadResult better = scene.run(estimateBatchInference, "bert", {}, relief);
        QVERIFY(capacity(better) >= capacity(base));
    }
}

void BatchInferenceTest::badInput_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"no work", "limit 0", "limit negative", "delay nan", "delay negative", "rate nan", "rate infinite", "unknown model", "sequence 0",
                             "nan operations", "weights beyond memory", "unknown node", "switch", "zero rate", "target zero", "replicas huge", "zero count"})
        QTest::newRow(what) << QString(what);
}

void BatchInferenceTest::badInput() {
    QFETCH(QString, what);
    WorkloadScene scene;
    scene.node("gpu", "dgx_h100", 1);
    scene.node("leaf", "sn3700", 1);
    BatchInference spec = bert(1000);
    const double nan = std::nan("");
    if (what == "no work")
        spec.model = PartId();
    else if (what == "limit 0")
        spec.batchLimit = 0;
    else if (what == "limit negative")
        spec.batchLimit = -7;
    else if (what == "delay nan")
        spec.batchDelay = seconds(nan);
    else if (what == "delay negative")
        spec.batchDelay = seconds(-1);
    else if (what == "rate nan")
        spec.arrivalRate = nan;
    else if (what == "rate infinite")
        spec.arrivalRate = std::numeric_limits<double>::infinity();
    else if (what == "unknown model")
        spec.model = PartId("nobody");
    else if (what == "sequence 0")
        spec.sequence = 0;
    else if (what == "nan operations")
        spec.operationsPerItem = operations(nan);
    else if (what == "weights beyond memory")
        spec.weightBytes = bytes(1e15);
    else if (what == "zero rate")
        spec.arrivalRate = 0;
    else if (what == "target zero")
        spec.latencyP99 = seconds(0);
    scene.workload("bert", spec);
    Placement& placement = scene.place("bert", {"gpu"});
    if (what == "unknown node")
        placement.nodes = {NodeId("nowhere")};
    else if (what == "switch")
        placement.nodes = {NodeId("leaf")};
    else if (what == "replicas huge")
        placement.replicas = 1 << 30;
    else if (what == "zero count")
        scene.alternative().nodes.front().count = 0;
    const WorkloadResult result = scene.run(estimateBatchInference, "bert");
    if (result.estimate.feasible) {
        QVERIFY(latency(result, "p99") > 0 && std::isfinite(latency(result, "p99")));
        QVERIFY(std::isfinite(throughput(result)) && std::isfinite(capacity(result)));
    } else if (what != "zero count") {
        QVERIFY2(std::any_of(result.findings.begin(), result.findings.end(), [](const Finding& f) { return f.severity == Severity::error; }), qPrintable(what));
    }
}

QTEST_GUILESS_MAIN(BatchInferenceTest)
#include "batch_inference_test.moc"
