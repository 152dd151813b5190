// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whole estimates refined by simulation: the shipped examples against their closed forms, the mark and derivation of a figure, targets,
// overload, cancelling.
#include "estimators/simulation/simulate.h"
#include "model/io/project_file.h"
#include "resources/embedded.h"
#include "tests/estimators/workload_scene.h"

#include <QtTest>

#include <cmath>
#include <cstring>

using namespace cw;
using cw::test::WorkloadScene;

namespace {

struct Refined {
    AlternativeEstimate closed, simulated;
};

Refined refine(const Project& project, std::size_t alternative = 0, const SimulationOptions& options = {}) {
    const Catalog catalog = effectiveCatalog(project, shippedCatalog());
    const Alternative& of = project.alternatives[alternative];
    AlternativeEstimate closed = estimate(project, of, catalog);
    std::optional<AlternativeEstimate> found = simulate(project, of, catalog, closed, options);
    return {std::move(closed), std::move(*found)};
}

Project example(const QString& name) {
    const std::string path = "examples/" + name.toStdString() + ".cluster.json";
    return readProject(resources::file(path), path).project;
}

/// Two machines of a kind, and a service on them.
Project serviceProject(double rate) {
    WorkloadScene scene;
    scene.node("web", "dell_r760_8480", 2);
    Service service;
    service.cpuTime = milliseconds(20);
    service.cpuTimeCv = 1;
    service.arrivalRate = rate;
    scene.workload("api", service);
    scene.place("api", {"web"});
    return scene.project();
}

} // namespace

class SimulateTest : public QObject {
    Q_OBJECT

private slots:
    void examplesAgree_data();
    void examplesAgree();
    void figureSaysThatItIsSimulated();
    void rangeHoldsBothErrors();
    void sameBits();
    void targetsAreJudgedBySimulation();
    void nothingToSimulate();
    void interrupted();
    void overloadStaysWithTheClosedForm();
    void preemptionLowersTheLimit();
    void pipelineOfStages();
    void disaggregated();
};

void SimulateTest::examplesAgree_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"bert-small", "hybrid-serving", "llama-70b-cpu", "llm-175b-gpu-cpu", "serve-7b", "stream-etl"})
        QTest::newRow(name) << name;
}

/// How far the closed form may be from the run, by figure: medians are good, tails of the first token and of the pace somewhat low.
void SimulateTest::examplesAgree() {
    QFETCH(QString, name);
    const Project project = example(name);
    int compared = 0;
    for (std::size_t i = 0; i < project.alternatives.size(); ++i) {
        const Refined refined = refine(project, i);
        for (const WorkloadEstimate& workload : refined.simulated.workloads) {
            if (!workload.simulated)
                continue;
            QVERIFY(workload.simulated->precise && !workload.simulated->growth);
            for (const SimulatedRun::Figure& figure : workload.simulated->figures) {
                if (workload.kind == "pipeline" && figure.name != "p99")
                    continue; // between its short and its long ways lie percentiles of neither
                const bool first = figure.name.starts_with("ttft"), pace = figure.name.starts_with("tpot"), median = figure.name.ends_with("p50");
                const double allowed = median ? (first ? .15 : .1) : first ? .3 : pace ? .2 : .16;
                QVERIFY2(std::abs(figure.disagreement()) < allowed,
                         qPrintable(QString("%1 %2: %3").arg(QString::fromStdString(workload.name), QString::fromStdString(figure.name)).arg(figure.disagreement())));
                QVERIFY(figure.low <= figure.value && figure.value <= figure.high);
                QVERIFY(figure.halfWidth() <= .05);
                ++compared;
            }
        }
    }
    QVERIFY(compared >= 4);
}

void SimulateTest::figureSaysThatItIsSimulated() {
    const Refined refined = refine(example("serve-7b"));
    const WorkloadEstimate& workload = refined.simulated.workloads.front();
    const Quantity& p99 = *workload.latencyNamed("ttft_p99");
    const Derivation& d = refined.simulated.derivation;
    const Term& term = d.term(p99.term);
    QVERIFY(term.origin == TermOrigin::simulated);
    const Quantity& before = *refined.closed.workloads.front().latencyNamed("ttft_p99");
    QCOMPARE(std::string(term.name), std::string(refined.closed.derivation.term(before.term).name));
    std::map<std::string, double> inputs;
    bool reachesClosedForm = false;
    for (const TermId id : d.inputs(p99.term)) {
        inputs[d.term(id).name] = d.term(id).value;
        for (const TermId below : d.inputs(id))
            reachesClosedForm = reachesClosedForm || below == before.term;
    }
    const SimulatedRun& run = *workload.simulated;
    QCOMPARE(inputs.at("seed of the run"), 1.);
    QCOMPARE(inputs.at("requests simulated"), static_cast<double>(run.requests));
    QCOMPARE(inputs.at("closed form against the run"), run.figure("ttft_p99")->disagreement());
    QCOMPARE(inputs.at("sampling error of the run"), run.figure("ttft_p99")->halfWidth());
    QVERIFY(reachesClosedForm);
    QCOMPARE(run.distributions.size(), std::size_t(3));
    for (const SimulatedRun::Distribution& distribution : run.distributions)
        for (std::size_t i = 1; i < distribution.below.size(); ++i)
            QVERIFY(distribution.below[i] > distribution.below[i - 1] && distribution.below[i].second > distribution.below[i - 1].second);
    QVERIFY(run.batch > 0 && run.kvUse > 0 && run.inFlight >= run.batch);
}

void SimulateTest::rangeHoldsBothErrors() {
    const Refined refined = refine(example("serve-7b"));
    const Quantity& before = *refined.closed.workloads.front().latencyNamed("p99");
    const Quantity& after = *refined.simulated.workloads.front().latencyNamed("p99");
    const SimulatedRun::Figure& figure = *refined.simulated.workloads.front().simulated->figure("p99");
    QVERIFY(after.low <= figure.low && after.high >= figure.high);
    QVERIFY(std::abs(after.high / figure.high - before.high / before.value) < 1e-9);
}

void SimulateTest::sameBits() {
    const Project project = example("serve-7b");
    SimulationOptions options;
    const Refined one = refine(project, 0, options);
    options.threads = 3;
    const Refined three = refine(project, 0, options);
    options.seed = 5;
    const Refined other = refine(project, 0, options);
    const auto p99 = [](const Refined& refined) { return refined.simulated.workloads.front().latencyNamed("p99")->value; };
    const double a = p99(one), b = p99(three);
    QVERIFY(std::memcmp(&a, &b, sizeof a) == 0);
    QVERIFY(p99(other) != a && std::abs(p99(other) / a - 1) < .1);
}

void SimulateTest::targetsAreJudgedBySimulation() {
    Project project = example("serve-7b");
    const Refined plain = refine(project);
    const double closed = plain.closed.workloads.front().latencyNamed("p99")->value;
    const double simulated = plain.simulated.workloads.front().latencyNamed("p99")->value;
    QVERIFY(closed < simulated); // else the example does not test anything
    std::get<LlmServing>(project.workloads.front().spec).latencyP99 = seconds(.5 * (closed + simulated));
    const Refined judged = refine(project);
    const auto missed = [](const AlternativeEstimate& of) {
        return std::any_of(of.findings.begin(), of.findings.end(), [](const Finding& finding) { return finding.code == "target.missed"; });
    };
    QVERIFY(*judged.closed.workloads.front().meetsTargets && !missed(judged.closed));
    QVERIFY(!*judged.simulated.workloads.front().meetsTargets && missed(judged.simulated));
    for (const auto& target : judged.simulated.workloads.front().targets)
        if (target.target == "p99")
            QCOMPARE(target.got, judged.simulated.workloads.front().latencyNamed("p99")->value);
}

void SimulateTest::nothingToSimulate() {
    const Project project = example("eight-hosts"); // training only
    const Refined refined = refine(project);
    QVERIFY(!canSimulate(refined.closed));
    QVERIFY(!refined.simulated.workloads.front().simulated);
    const Refined silent = refine(serviceProject(0)); // nobody comes
    QVERIFY(!silent.simulated.workloads.front().simulated);
    QVERIFY(silent.simulated.workloads.front().latencyNamed("p99")->known());
}

void SimulateTest::interrupted() {
    const Project project = example("hybrid-serving");
    const Catalog catalog = effectiveCatalog(project, shippedCatalog());
    const Alternative& of = project.alternatives.front();
    const AlternativeEstimate closed = estimate(project, of, catalog);
    SimulationOptions options;
    int asked = 0;
    options.interrupted = [&] { return ++asked > 3; };
    QVERIFY(!simulate(project, of, catalog, closed, options));
    QCOMPARE(asked, 4);
}

void SimulateTest::overloadStaysWithTheClosedForm() {
    const Refined refined = refine(serviceProject(1e6));
    const WorkloadEstimate& workload = refined.simulated.workloads.front();
    QVERIFY(!workload.feasible && !workload.simulated && !workload.latencyNamed("p99")->known());
    QVERIFY(std::any_of(refined.simulated.findings.begin(), refined.simulated.findings.end(),
                        [](const Finding& finding) { return finding.code == "load.unstable" && finding.arguments.contains("growth"); }));
}

/// A program that keeps room for whole answers admits fewer than the closed form has it: close to the limit, the run says so.
void SimulateTest::preemptionLowersTheLimit() {
    WorkloadScene scene;
    scene.node("gpu", "dgx_h100", 1);
    LlmServing spec;
    spec.model = PartId("llama3_70b");
    spec.weights = Precision::bf16;
    spec.prompt = {100, 0};
    spec.output = {8000, 0};
    spec.arrivalRate = 1;
    scene.workload("long", spec);
    Placement& placement = scene.place("long", {"gpu"});
    placement.parallelism.tensor = 4;
    placement.stack = PartId("stack_trtllm");
    const AlternativeEstimate first = estimate(scene.project(), scene.alternative(), shippedCatalog());
    const double capacity = first.workloads.front().capacity->value / 8000;
    scene.spec<LlmServing>("long").arrivalRate = .97 * capacity;
    const Refined refined = refine(scene.project());
    const WorkloadEstimate& workload = refined.simulated.workloads.front();
    QVERIFY(refined.closed.workloads.front().feasible);
    QVERIFY(workload.simulated && workload.simulated->growth);
    QVERIFY(*workload.simulated->growth > 0 && *workload.simulated->growth < capacity);
    QVERIFY(!workload.feasible && !workload.latencyNamed("p99")->known());
    QVERIFY(std::any_of(refined.simulated.findings.begin(), refined.simulated.findings.end(),
                        [](const Finding& finding) { return finding.code == "load.unstable_simulated"; }));
}

void SimulateTest::pipelineOfStages() {
    WorkloadScene scene;
    scene.node("web", "dell_r760_8480", 4);
    scene.node("gpu", "dgx_h100", 1);
    scene.link("web", "gpu", "eth_100g", Pattern::mesh, 1);
    LlmServing spec;
    spec.model = PartId("llama2_7b");
    spec.prompt = {200, .5};
    spec.output = {50, .5};
    scene.workload("model", spec);
    scene.place("model", {"gpu"});
    Pipeline pipeline;
    pipeline.stages = {{"front", "Front", {}, milliseconds(5), 1}, {"answer", "Answer", WorkloadId("model")}};
    pipeline.edges = {{"front", "answer", .3}};
    pipeline.arrivalRate = 40;
    scene.workload("chat", pipeline);
    scene.place("chat", {"web"}, "front");
    const Refined refined = refine(scene.project());
    const WorkloadEstimate& whole = *refined.simulated.workload(WorkloadId("chat"));
    const WorkloadEstimate& answer = *refined.simulated.workload(WorkloadId("model"));
    QVERIFY(whole.simulated && answer.simulated);
    const double front = .005, mean = whole.latencyNamed("mean")->value;
    QVERIFY(std::abs(mean / refined.closed.workload(WorkloadId("chat"))->latencyNamed("mean")->value - 1) < .1);
    QVERIFY(mean > front + .3 * .5 * answer.latencyNamed("p50")->value);
    QVERIFY(whole.latencyNamed("p50")->value < .05); // most never see the model
    QVERIFY(whole.latencyNamed("p99")->value > answer.latencyNamed("p50")->value);
}

void SimulateTest::disaggregated() {
    WorkloadScene scene;
    scene.node("first", "dgx_h100", 1);
    scene.node("second", "dgx_h100", 2);
    scene.link("first", "second", "ib_ndr", Pattern::mesh, 8);
    LlmServing spec;
    spec.model = PartId("llama3_70b");
    spec.prompt = {2000, .7};
    spec.output = {300, .7};
    spec.arrivalRate = 4;
    scene.workload("chat", spec);
    scene.place("chat", {"first"}, "prefill");
    scene.place("chat", {"second"}, "decode");
    const Refined refined = refine(scene.project());
    QVERIFY2(refined.closed.workloads.front().feasible, "the scene must run");
    const WorkloadEstimate& workload = refined.simulated.workloads.front();
    QVERIFY(workload.simulated && !workload.simulated->growth);
    for (const char* key : {"p50", "ttft_p50", "tpot_p50"})
        QVERIFY2(std::abs(workload.simulated->figure(key)->disagreement()) < .25, key);
}

QTEST_GUILESS_MAIN(SimulateTest)
#include "simulate_test.moc"
