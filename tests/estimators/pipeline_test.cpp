// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pipelines of stages: routing, closed forms, field cases, graphs that make no sense.
#include "estimators/services/pipeline_model.h"
#include "tests/estimators/workload_scene.h"

#include <QtTest>

#include <cmath>

using namespace cw;
using namespace cw::test;

namespace {

Pipeline::Stage fixed(const char* id, double milli, double cv = 1) {
    Pipeline::Stage stage;
    stage.id = stage.name = id;
    stage.serviceTime = milliseconds(milli);
    stage.serviceCv = cv;
    return stage;
}

Pipeline::Stage of(const char* id, const char* workload) {
    Pipeline::Stage stage;
    stage.id = stage.name = id;
    stage.workload = WorkloadId(workload);
    return stage;
}

Pipeline::Edge edge(const char* from, const char* to, double share = 1, double kilobytes = 0) {
    Pipeline::Edge edge;
    edge.from = from;
    edge.to = to;
    edge.share = share;
    edge.bytes = bytes(kilobytes * 1e3);
    return edge;
}

/// Balancer → cache → router → small models on CPUs, large ones on GPUs (A4, A11, A23, A24).
void drawHybrid(WorkloadScene& scene, double rate) {
    scene.node("front", "load_balancer_1u", 2);
    scene.node("cache", "cache_redis_1u", 2);
    scene.node("cpu", "dell_r7625_9654", 8);
    scene.node("gpu", "dgx_h200", 2);
    scene.node("leaf", "sn5600", 1);
    for (const char* node : {"front", "cache", "cpu"})
        scene.link(node, "leaf", "eth_100g", Pattern::each, 1);
    scene.link("gpu", "leaf", "eth_400g", Pattern::each, 2);
    Service lookups;
    lookups.cpuTime = microseconds(50);
    scene.workload("lookup", lookups);
    BatchInference small;
    small.model = PartId("bert_base");
    small.batchLimit = 8;
    scene.workload("small", small);
    LlmServing large;
    large.model = PartId("llama3_70b");
    large.prompt = {600, .5};
    large.output = {150, .5};
    scene.workload("large", large);
    Pipeline pipeline;
    pipeline.stages = {fixed("balance", .1), of("cache", "lookup"), fixed("route", .3), of("small", "small"), of("large", "large")};
    pipeline.edges = {edge("balance", "cache", 1, 4), edge("cache", "route", .6, 4), edge("route", "small", .7, 4), edge("route", "large", .3, 4)};
    pipeline.arrivalRate = rate;
    scene.workload("requests", pipeline);
    scene.place("requests", {"front"}, "balance");
    scene.place("requests", {"cpu"}, "route");
    scene.place("lookup", {"cache"});
    scene.place("small", {"cpu"});
    scene.place("large", {"gpu"});
}

WorkloadResult pipe(WorkloadScene& scene, const EstimateOptions& options = {}) { return scene.run(estimatePipeline, "requests", options); }

} // namespace

class PipelineTest : public QObject {
    Q_OBJECT

  private slots:
    void visitsFollowTheShares();
    void loopsAreRetries();
    void waysCarryAllRequests();
    void oneStageIsItsQueue();
    void tandemIsErlang();
    void mixtureOfWays();
    void hybridServing();
    void stageWorkloadsCarryTheRoutedRate();
    void statedRateBelowTheRoutedOne();
    void slowestStageBinds();
    void capacityMeetsItsTarget();
    void moreMachinesAtTheBindingStage();
    void hopsCountAndLoadTheNetwork();
    void overload();
    void badGraphs_data();
    void badGraphs();
};

void PipelineTest::visitsFollowTheShares() {
    Pipeline pipeline;
    pipeline.stages = {fixed("a", 1), fixed("b", 1), fixed("c", 1), fixed("d", 1)};
    pipeline.edges = {edge("a", "b", .25), edge("a", "c", .75), edge("b", "d"), edge("c", "d", .5)};
    const StageGraph graph(pipeline);
    QVERIFY(graph.ends() && graph.issues().empty());
    const double expected[] = {1, .25, .75, .625};
    for (std::size_t i = 0; i < 4; ++i)
        QVERIFY(std::abs(graph.visits(i) - expected[i]) < 1e-12);
}

void PipelineTest::loopsAreRetries() {
    Pipeline pipeline;
    pipeline.stages = {fixed("work", 1), fixed("check", 1)};
    pipeline.edges = {edge("work", "check"), edge("check", "work", .2)};
    const StageGraph graph(pipeline);
    QVERIFY(graph.ends());
    QVERIFY(graph.issues().size() == 1 && std::string_view(graph.issues()[0].code) == "pipeline.no_entry"); // drawn as a ring: said, first stage taken
    QVERIFY(std::abs(graph.visits(0) - 1.25) < 1e-12 && std::abs(graph.visits(1) - 1.25) < 1e-12);
    pipeline.stages.insert(pipeline.stages.begin(), fixed("door", 1));
    pipeline.edges.push_back(edge("door", "work"));
    const StageGraph entered(pipeline);
    QVERIFY(entered.issues().empty());
    QVERIFY(std::abs(entered.visits(1) - 1.25) < 1e-12);
    double sum = 0, stages = 0;
    for (const StageGraph::Way& way : entered.ways()) {
        sum += way.probability;
        stages += way.probability * static_cast<double>(way.stages.size());
    }
    QVERIFY(std::abs(sum - 1) < 1e-9);
    QVERIFY(std::abs(stages - 3.5) < .01); // 1 + 1.25 + 1.25, ways below 1e-4 left out
}

void PipelineTest::waysCarryAllRequests() {
    WorkloadScene scene;
    drawHybrid(scene, 10);
    const StageGraph graph(scene.spec<Pipeline>("requests"));
    QCOMPARE(graph.ways().size(), std::size_t(3)); // hit, small, large
    double sum = 0;
    for (const StageGraph::Way& way : graph.ways())
        sum += way.probability;
    QVERIFY(std::abs(sum - 1) < 1e-12);
}

void PipelineTest::oneStageIsItsQueue() {
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 1);
    Pipeline pipeline;
    pipeline.stages = {fixed("only", 5)};
    pipeline.arrivalRate = 20000;
    scene.workload("requests", pipeline);
    scene.place("requests", {"cpu"}, "only");
    Service service;
    service.cpuTime = milliseconds(5);
    service.arrivalRate = 20000;
    scene.workload("web", service);
    scene.place("web", {"cpu"});
    const WorkloadResult result = pipe(scene), alone = scene.run(estimateService, "web");
    QVERIFY(result.estimate.feasible);
    QVERIFY(std::abs(latency(result, "mean") / latency(alone, "mean") - 1) < 1e-9);
    QVERIFY(std::abs(capacity(result) / capacity(alone) - 1) < 1e-9);
    QVERIFY(std::abs(latency(result, "p99") / latency(alone, "p99") - 1) < .05); // two moments against the exact distribution
    QCOMPARE(result.activity.size(), std::size_t(1));
}

void PipelineTest::tandemIsErlang() {
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 1);
    Pipeline pipeline;
    pipeline.stages = {fixed("a", 10), fixed("b", 10), fixed("c", 10)};
    pipeline.edges = {edge("a", "b"), edge("b", "c")};
    pipeline.arrivalRate = 1; // no waiting: the sum of three exponentials
    scene.workload("requests", pipeline);
    for (const char* stage : {"a", "b", "c"})
        scene.place("requests", {"cpu"}, stage);
    const WorkloadResult result = pipe(scene);
    const GammaDistribution erlang{.03, 1. / 3};
    for (const auto& [name, p] : {std::pair{"p50", .5}, {"p95", .95}, {"p99", .99}})
        QVERIFY(std::abs(latency(result, name) / erlang.quantile(p) - 1) < 1e-4);
}

void PipelineTest::mixtureOfWays() {
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 2);
    Pipeline pipeline;
    pipeline.stages = {fixed("cache", .01, 0), fixed("slow", 1000)};
    pipeline.edges = {edge("cache", "slow", .05)};
    pipeline.arrivalRate = 10;
    scene.workload("requests", pipeline);
    scene.place("requests", {"cpu"}, "cache");
    scene.place("requests", {"cpu"}, "slow");
    const WorkloadResult result = pipe(scene);
    QVERIFY(latency(result, "p50") < 1e-4);                                  // nearly all are hits
    QVERIFY(std::abs(latency(result, "p99") / std::log(5.) - 1) < .02);      // the 80th of the one in twenty
    QVERIFY(std::abs(latency(result, "mean") - (.05 * 1 + .00001)) < 1e-3);
}

void PipelineTest::hybridServing() {
    WorkloadScene scene;
    drawHybrid(scene, 100);
    const WorkloadResult result = pipe(scene);
    QVERIFY(result.estimate.placed && result.estimate.feasible);
    QVERIFY(latency(result, "p50") < latency(result, "p95") && latency(result, "p95") <= latency(result, "p99"));
    QVERIFY(capacity(result) > 100);
    QVERIFY(result.estimate.curve.size() > 10);
    QVERIFY(more(result, "stage.large") > more(result, "stage.small"));
    QVERIFY(result.estimate.bottleneck && result.estimate.bottleneck->binding.resource == "pipeline.stage");
    for (const NamedQuantity& q : result.estimate.latency)
        QVERIFY(q.quantity.low <= q.quantity.value && q.quantity.value <= q.quantity.high);
    // Machines of stages with their own workload are not counted twice.
    QCOMPARE(result.activity.size(), std::size_t(2));
    double parts = 0;
    for (const double part : result.estimate.timeParts)
        parts += part;
    QVERIFY(std::abs(parts / latency(result, "mean") - 1) < .02);
    // Caching more spares the GPUs (A11, A23).
    scene.spec<Pipeline>("requests").edges[1].share = .3;
    QVERIFY(capacity(pipe(scene)) > capacity(result));
}

void PipelineTest::stageWorkloadsCarryTheRoutedRate() {
    WorkloadScene scene;
    drawHybrid(scene, 100);
    QVERIFY(std::abs(routedRate(scene.project(), WorkloadId("large")) - 100 * .6 * .3) < 1e-9);
    const std::optional<Workload> routed = withRoutedRate(scene.project(), scene.find("large"));
    QVERIFY(routed && std::abs(std::get<LlmServing>(routed->spec).arrivalRate - 18) < 1e-9);
    scene.spec<LlmServing>("large").arrivalRate = 30;
    QVERIFY(!withRoutedRate(scene.project(), scene.find("large")));
    QVERIFY(!withRoutedRate(scene.project(), scene.find("requests")));
}

void PipelineTest::statedRateBelowTheRoutedOne() {
    WorkloadScene scene;
    drawHybrid(scene, 100);
    scene.spec<LlmServing>("large").arrivalRate = 5;
    const WorkloadResult result = pipe(scene);
    const Finding* mismatch = finding(result, "pipeline.rate_mismatch");
    QVERIFY(mismatch && mismatch->fix);
    QVERIFY(apply(scene.project(), *mismatch->fix).has_value());
    QVERIFY(std::abs(scene.spec<LlmServing>("large").arrivalRate - 18) < 1e-9);
    QVERIFY(finding(pipe(scene), "pipeline.rate_mismatch") == nullptr);
    // More than what is routed: others call the stage too, and slow it down.
    const double before = more(pipe(scene), "stage.large");
    scene.spec<LlmServing>("large").arrivalRate = 60;
    QVERIFY(more(pipe(scene), "stage.large") > before);
}

void PipelineTest::slowestStageBinds() {
    WorkloadScene scene;
    scene.node("a", "dell_r760_8480", 1);
    scene.node("b", "dell_r760_8480", 1);
    Pipeline pipeline;
    pipeline.stages = {fixed("fast", 1), fixed("slow", 50)};
    pipeline.edges = {edge("fast", "slow", .5)};
    pipeline.arrivalRate = 100;
    scene.workload("requests", pipeline);
    scene.place("requests", {"a"}, "fast");
    scene.place("requests", {"b"}, "slow");
    const WorkloadResult result = pipe(scene);
    QCOMPARE(result.estimate.bottleneck->binding.label, std::string("slow"));
    QVERIFY(std::abs(capacity(result) - 112 / .05 / .5) < 1e-6);
    QVERIFY(std::abs(result.estimate.bottleneck->gainIfRelieved - 1) < 1e-9);
}

void PipelineTest::capacityMeetsItsTarget() {
    WorkloadScene scene;
    drawHybrid(scene, 10);
    auto& spec = scene.spec<Pipeline>("requests");
    const double idle = latency(pipe(scene), "p99");
    spec.latencyP99 = seconds(1.5 * idle);
    const double most = capacity(pipe(scene));
    QVERIFY(most > 10);
    spec.arrivalRate = most;
    QVERIFY(latency(pipe(scene), "p99") <= 1.5 * idle * (1 + 1e-3));
}

void PipelineTest::moreMachinesAtTheBindingStage() {
    WorkloadScene scene;
    drawHybrid(scene, 10);
    const double before = capacity(pipe(scene));
    scene.alternative().nodes[3].count = 4;
    QVERIFY(capacity(pipe(scene)) >= before);
    scene.alternative().nodes[0].count = 4; // not where it binds
    QVERIFY(capacity(pipe(scene)) >= before);
}

void PipelineTest::hopsCountAndLoadTheNetwork() {
    WorkloadScene scene;
    drawHybrid(scene, 100);
    const WorkloadResult near = pipe(scene);
    QVERIFY(!near.traffic.empty());
    double bytes = 0;
    for (const Traffic& traffic : near.traffic)
        bytes += traffic.bytes;
    QVERIFY(std::abs(bytes - 100 * 4000 * (1 + .6 + .6 * .3)) < 1e-3); // the router and the small models share a stack
    scene.frame("zone-b", FrameKind::zone);
    scene.alternative().nodes[3].frame = FrameId("zone-b"); // the GPUs move to another zone
    const WorkloadResult far = pipe(scene);
    QVERIFY(latency(far, "mean") > latency(near, "mean") + .18 * .0005);
}

void PipelineTest::overload() {
    WorkloadScene scene;
    drawHybrid(scene, 1e7);
    const WorkloadResult result = pipe(scene);
    QVERIFY(!result.estimate.feasible);
    QVERIFY(finding(result, "load.unstable"));
    QVERIFY(std::isnan(latency(result, "p99")));
    QVERIFY(throughput(result) > 0 && throughput(result) < 1e7);
}

void PipelineTest::badGraphs_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("code");
    QTest::newRow("no stages") << "no stages" << "pipeline.empty";
    QTest::newRow("edge to nowhere") << "edge to nowhere" << "pipeline.unknown_stage";
    QTest::newRow("endless loop") << "endless loop" << "pipeline.endless";
    QTest::newRow("multiplying loop") << "multiplying loop" << "pipeline.endless";
    QTest::newRow("self loop") << "self loop" << "pipeline.endless";
    QTest::newRow("shares above one") << "shares above one" << "pipeline.share_above_one";
    QTest::newRow("negative share") << "negative share" << "pipeline.bad_share";
    QTest::newRow("nan share") << "nan share" << "pipeline.bad_share";
    QTest::newRow("unknown workload") << "unknown workload" << "pipeline.unknown_workload";
    QTest::newRow("itself") << "itself" << "pipeline.stage_kind";
    QTest::newRow("training") << "training" << "pipeline.stage_kind";
    QTest::newRow("stage not placed") << "stage not placed" << "pipeline.stage_not_placed";
    QTest::newRow("no network") << "no network" << "pipeline.not_connected";
    QTest::newRow("thousand stages") << "thousand stages" << "pipeline.too_many_stages";
    QTest::newRow("nan times") << "nan times" << "";
    QTest::newRow("zero times") << "zero times" << "";
    QTest::newRow("nan rate") << "nan rate" << "";
}

void PipelineTest::badGraphs() {
    QFETCH(QString, what);
    QFETCH(QString, code);
    WorkloadScene scene;
    scene.node("cpu", "dell_r760_8480", 2);
    scene.node("far", "dell_r760_8480", 2);
    Pipeline spec;
    spec.stages = {fixed("a", 1), fixed("b", 2)};
    spec.edges = {edge("a", "b")};
    spec.arrivalRate = 10;
    if (what == "no stages")
        spec.stages.clear();
    else if (what == "edge to nowhere")
        spec.edges.push_back(edge("a", "z", .1));
    else if (what == "endless loop")
        spec.edges.push_back(edge("b", "a"));
    else if (what == "multiplying loop")
        spec.edges = {edge("a", "b", 2), edge("b", "a", .8)};
    else if (what == "self loop")
        spec.edges.push_back(edge("b", "b"));
    else if (what == "shares above one")
        spec.edges.push_back(edge("a", "b", .5));
    else if (what == "negative share")
        spec.edges.push_back(edge("a", "b", -1));
    else if (what == "nan share")
        spec.edges.push_back(edge("a", "b", std::nan("")));
    else if (what == "unknown workload")
        spec.stages.push_back(of("c", "nothing"));
    else if (what == "itself")
        spec.stages.push_back(of("c", "requests"));
    else if (what == "training")
        spec.stages.push_back(of("c", "train"));
    else if (what == "thousand stages")
        for (int i = 0; i < 1000; ++i)
            spec.stages.push_back(fixed(("s" + std::to_string(i)).c_str(), 1));
    else if (what == "nan times")
        spec.stages[0].serviceTime = spec.stages[1].serviceTime = seconds(std::nan(""));
    else if (what == "zero times")
        spec.stages[0].serviceTime = spec.stages[1].serviceTime = seconds(0);
    else if (what == "nan rate")
        spec.arrivalRate = std::nan("");
    scene.workload("requests", spec);
    LlmTraining training;
    training.model = PartId("llama3_8b");
    scene.workload("train", training);
    scene.place("requests", {"cpu"}, "a");
    if (what != "stage not placed")
        scene.place("requests", {what == "no network" ? "far" : "cpu"}, "b");
    const WorkloadResult result = pipe(scene);
    if (!code.isEmpty())
        QVERIFY2(finding(result, code.toStdString()), qPrintable(code));
    for (const NamedQuantity& q : result.estimate.latency)
        QVERIFY(!std::isinf(q.quantity.value) && !(q.quantity.value < 0));
    QVERIFY(!result.estimate.throughput || std::isfinite(throughput(result)));
}

QTEST_GUILESS_MAIN(PipelineTest)
#include "pipeline_test.moc"
