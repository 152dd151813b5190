// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/estimators/training_scene.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace cw;
using cw::test::hasFinding;
using cw::test::near;
using cw::test::stepOf;
using cw::test::TrainingScene;

class TrainingTest : public QObject {
    Q_OBJECT

private slots:
    void partsSumToTheStep() {
        TrainingScene scene;
        scene.pod("dgx_h100", 32, "ib_ndr", "qm9700");
        for (const char* model : {"llama3_70b", "deepseek_v3", "nemotron3_super_120b", "qwen3_5_397b_a17b", "vit_h14", "resnet50", "bert_large"}) {
            scene.train(model, 4096, 1024);
            const WorkloadResult result = scene.estimate();
            const double sum = std::accumulate(result.estimate.timeParts.begin(), result.estimate.timeParts.end(), 0.0);
            QVERIFY2(near(sum, stepOf(result), 1e-9), model);
            const auto& memory = *result.estimate.memory;
            double bytes = 0;
            for (const NamedQuantity& part : memory.parts)
                bytes += part.quantity.value;
            QVERIFY2(near(bytes, memory.used.value, 1e-9), model);
            QVERIFY2(result.estimate.mfu->value > 0 && result.estimate.mfu->value < 1, model);
            const double busy =
                result.activity.front().compute + result.activity.front().memory + result.activity.front().waiting;
            QVERIFY(busy <= 1 + 1e-9);
        }
    }

    void moreIsNeverSlower() {
        TrainingScene scene;
        scene.pod("dgx_h100", 32, "ib_ndr", "qm9700");
        for (const char* model : {"llama3_8b", "llama3_70b", "mixtral_8x7b", "resnet50"}) {
            scene.train(model, 4096, 512);
            const double before = stepOf(scene.estimate());
            for (double Relief::* more : {&Relief::gpuCompute, &Relief::gpuMemoryBandwidth, &Relief::gpuMemory, &Relief::scaleUp,
                                          &Relief::network, &Relief::cpu, &Relief::storage, &Relief::host}) {
                Relief relief;
                relief.*more = 2;
                QVERIFY2(stepOf(scene.estimate(relief)) <= before * (1 + 1e-9), model);
            }
        }
    }

    void fasterLinksAreNeverSlower() {
        double before = 1e300;
        for (const char* medium : {"eth_25g", "eth_100g", "eth_400g", "eth_800g"}) {
            TrainingScene scene;
            scene.pod("dgx_h100", 32, medium, "sn5600");
            scene.train("llama3_8b", 8192, 256);
            scene.placement().parallelism = {1, 1, 256, 1, 1};
            const double step = stepOf(scene.estimate());
            QVERIFY2(step <= before, medium);
            before = step;
        }
    }

    void largerBatchTakesLongerAndIsNotLessEfficient() {
        TrainingScene scene;
        scene.pod("dgx_h100", 16, "ib_ndr", "qm9700");
        double step = 0, rate = 0;
        for (const int batch : {128, 256, 512, 1024}) {
            scene.train("llama3_8b", 8192, batch);
            const WorkloadResult result = scene.estimate();
            QVERIFY(stepOf(result) > step);
            QVERIFY(result.estimate.throughput->value >= rate * .99);
            step = stepOf(result);
            rate = result.estimate.throughput->value;
        }
    }

    void powerCapSlows() {
        TrainingScene scene;
        scene.pod("dgx_h100", 4, "ib_ndr", "qm9700");
        scene.train("llama3_8b", 8192, 128);
        const double full = stepOf(scene.estimate());
        scene.alternative().nodes[0].gpuPowerCap = watts(500);
        const double capped = stepOf(scene.estimate());
        QVERIFY(capped > full * 1.05 && capped < full * 1.25);
    }

    void shardingSavesMemory() {
        TrainingScene scene;
        scene.pod("dgx_h100", 4, "ib_ndr", "qm9700");
        scene.train("llama2_13b", 4096, 128);
        const TrainingCase run = scene.run();
        TrainingPlan plan;
        plan.data = 32;
        double last = 1e300;
        for (plan.zero = 0; plan.zero <= 3; ++plan.zero) {
            const double used = trainingMemory(run, plan).used();
            QVERIFY(used < last);
            last = used;
        }
        plan.zero = 1;
        const TrainingMemory whole = trainingMemory(run, plan);
        QVERIFY(near(whole.weights, 2 * run.shape.parameters, 1e-9));
        QVERIFY(near(whole.optimizer, 12 * run.shape.parameters / 32, 1e-9));
        plan.offload = true;
        QVERIFY(trainingMemory(run, plan).optimizer == 0);
        QVERIFY(near(trainingMemory(run, plan).hostOptimizer, whole.optimizer));
        plan.offload = false;
        double activations = 1e300;
        for (const Recompute way : {Recompute::none, Recompute::selective, Recompute::full}) {
            plan.recompute = way;
            QVERIFY(trainingMemory(run, plan).activations < activations);
            activations = trainingMemory(run, plan).activations;
        }
    }

    /// What the links carry is what the equations say: ring traffic of the gradients and weights, nothing else.
    void gradientTraffic() {
        TrainingScene scene;
        scene.pod("dgx_h100", 16, "ib_ndr", "qm9700");
        scene.train("llama3_8b", 8192, 128);
        Placement& placement = scene.placement();
        placement.parallelism = {1, 1, 128, 1, 1};
        placement.zeroStage = 1;
        placement.microBatch = placement.interleave = 1;
        placement.recompute = Recompute::full;
        const WorkloadResult result = scene.estimate();
        const double parameters = modelShape(*scene.catalog().find<NeuralModel>(PartId("llama3_8b"))).parameters;
        double gradients = 0, weights = 0;
        for (const Traffic& traffic : result.traffic) {
            if (traffic.group && std::string_view(traffic.kind) == "gradients")
                gradients += traffic.bytesPerDevice[1];
            if (traffic.group && std::string_view(traffic.kind) == "parameters")
                weights += traffic.bytesPerDevice[1];
        }
        const double each = 15.0 / 16 * 2 * parameters / 8;
        QVERIFY(near(gradients, each, 1e-9));
        QVERIFY(near(weights, each, 1e-9));
    }

    void offloadCosts() {
        TrainingScene scene;
        scene.pod("dgx_h100", 8, "ib_ndr", "qm9700");
        scene.train("llama2_13b", 4096, 256);
        Placement& placement = scene.placement();
        placement.parallelism = {1, 1, 64, 1, 1};
        placement.zeroStage = 3;
        placement.microBatch = placement.interleave = 1;
        placement.recompute = Recompute::selective;
        const WorkloadResult kept = scene.estimate();
        placement.offload = true;
        const WorkloadResult moved = scene.estimate();
        QVERIFY(moved.estimate.feasible && stepOf(moved) > stepOf(kept));
        QVERIFY(moved.estimate.memory->used.value < kept.estimate.memory->used.value);
        // Field case A17: 85 % of the rate without offload and traffic.
        const double share = stepOf(kept) / stepOf(moved);
        QVERIFY2(share > .8 && share < 1, qPrintable(QString::number(share)));
    }

    /// Field case B6: a slow store holds the GPUs back; the finding says by how much, and doubling the store doubles the rate.
    void inputBound() {
        TrainingScene scene;
        scene.pod("dgx_h100", 8, "ib_ndr", "qm9700");
        scene.node("store", "smci_640p_storage", 1);
        scene.link("store", "leaf", "eth_100g", Pattern::each, 2);
        scene.train("vit_h14", 0, 1024);
        scene.spec().datasetPerSample = bytes(30e6);
        const WorkloadResult slow = scene.estimate();
        QVERIFY(hasFinding(slow, "training.input_bound"));
        QCOMPARE(QString::fromStdString(slow.estimate.bottleneck->binding.resource), QString("storage.read"));
        QVERIFY(near(slow.estimate.throughput->value, 10e9 / 30e6, 1e-6)); // drives of the server
        QVERIFY(near(slow.estimate.bottleneck->gainIfRelieved, 1, .02));
        scene.alternative().nodes[3].count = 2;
        QVERIFY(near(scene.estimate().estimate.throughput->value, 2 * slow.estimate.throughput->value, 1e-6));
        const auto reads = std::count_if(slow.traffic.begin(), slow.traffic.end(),
                                         [](const Traffic& t) { return std::string_view(t.kind) == "storage"; });
        QCOMPARE(reads, 1);
    }

    void memoryFindingHasAWayOut() {
        TrainingScene scene;
        scene.pod("dgx_h100", 16, "ib_ndr", "qm9700");
        scene.train("llama3_70b", 4096, 256);
        scene.placement().parallelism = {1, 1, 128, 1, 1};
        scene.placement().zeroStage = 1;
        const WorkloadResult result = scene.estimate();
        QVERIFY(!result.estimate.feasible && !result.estimate.memory->fits);
        QVERIFY(result.unitsPerSecond == 0);
        const auto found = std::find_if(result.findings.begin(), result.findings.end(),
                                        [](const Finding& f) { return f.code == "training.memory"; });
        QVERIFY(found != result.findings.end() && found->fix);
        scene.alternative().placements.front() = std::get<Placement>(found->fix->changes.front().after);
        QVERIFY(scene.estimate().estimate.feasible);
    }

    void tensorParallelAcrossMachinesIsNamed() {
        TrainingScene scene;
        scene.pod("dgx_h100", 16, "ib_ndr", "qm9700");
        scene.train("llama3_70b", 4096, 256);
        scene.placement().parallelism.tensor = 16;
        const WorkloadResult result = scene.estimate();
        QVERIFY(hasFinding(result, "training.tensor_across_machines"));
        const auto tensor = std::any_of(result.traffic.begin(), result.traffic.end(),
                                        [](const Traffic& t) { return std::string_view(t.kind) == "tensor"; });
        QVERIFY(tensor);
    }

    /// Field case B19: the same job inside one zone and across two.
    void zonesSlowTightJobs() {
        const auto draw = [](TrainingScene& scene, bool apart) {
            scene.frame("a", FrameKind::zone);
            scene.frame("b", FrameKind::zone);
            scene.node("gpu", "dgx_a100_640", 4, "a");
            scene.node("gpu2", "dgx_a100_640", 4, apart ? "b" : "a");
            scene.node("leaf", "sn4700", 1, "a");
            scene.node("leaf2", "sn4700", 1, apart ? "b" : "a");
            scene.link("gpu", "leaf", "eth_200g", Pattern::each, 8);
            scene.link("gpu2", "leaf2", "eth_200g", Pattern::each, 8);
            scene.link("leaf", "leaf2", "eth_400g", Pattern::mesh, 16);
            scene.train("llama2_7b", 4096, 64);
            scene.placement().nodes = {NodeId("gpu"), NodeId("gpu2")};
            scene.placement().parallelism = {1, 1, 64, 1, 1};
            scene.placement().zeroStage = 1;
        };
        TrainingScene near_, far;
        draw(near_, false);
        draw(far, true);
        const WorkloadResult together = near_.estimate(), apart = far.estimate();
        const double ratio = stepOf(apart) / stepOf(together);
        QVERIFY2(ratio > 1.2 && ratio < 5, qPrintable(QString::number(ratio)));
        QVERIFY(hasFinding(apart, "training.across_zones") && !hasFinding(together, "training.across_zones"));
    }

    void unconnectedMachinesAreAFinding() {
        TrainingScene scene;
        scene.node("gpu", "dgx_h100", 4);
        scene.train("llama2_7b", 4096, 128);
        const WorkloadResult result = scene.estimate();
        QVERIFY(!result.estimate.feasible && !result.estimate.throughput->known());
        QVERIFY(hasFinding(result, "network.not_connected"));
        scene.alternative().nodes[0].count = 1;
        QVERIFY(scene.estimate().estimate.feasible);
    }

    void nonsenseDoesNotCrash_data() {
        QTest::addColumn<QString>("part");
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("sequence");
        QTest::addColumn<int>("size");
        QTest::newRow("unknown model") << "dgx_h100" << "nothing" << 256 << 4096 << 0;
        QTest::newRow("unknown machine") << "nothing" << "llama2_7b" << 256 << 4096 << 0;
        QTest::newRow("switch") << "qm9700" << "llama2_7b" << 256 << 4096 << 0;
        QTest::newRow("no batch") << "dgx_h100" << "llama2_7b" << 0 << 0 << 0;
        QTest::newRow("negative") << "dgx_h100" << "llama2_7b" << -5 << -5 << -5;
        QTest::newRow("huge sizes") << "dgx_h100" << "llama2_7b" << 256 << 4096 << 2000000000;
        QTest::newRow("prime batch") << "dgx_h100" << "llama3_70b" << 251 << 4096 << 0;
        QTest::newRow("long sequence") << "dgx_h100" << "llama3_8b" << 32 << 1000000 << 0;
        QTest::newRow("no bf16") << "lambda_8x_v100" << "gpt2_xl" << 64 << 1024 << 0;
        QTest::newRow("CPU") << "dell_r7625_9654" << "gpt2_xl" << 64 << 1024 << 0;
    }

    void nonsenseDoesNotCrash() {
        QFETCH(QString, part);
        QFETCH(QString, model);
        QFETCH(int, batch);
        QFETCH(int, sequence);
        QFETCH(int, size);
        TrainingScene scene;
        scene.node("gpu", qPrintable(part), 2);
        scene.node("leaf", "sn5600", 1);
        scene.link("gpu", "leaf", "eth_100g", Pattern::each, 1);
        scene.train(qPrintable(model), sequence, batch);
        scene.placement().parallelism = {size, size, size, size, size};
        scene.placement().microBatch = size;
        const WorkloadResult result = scene.estimate();
        QVERIFY(result.estimate.placed);
        QVERIFY(result.estimate.throughput.has_value());
        if (result.estimate.feasible)
            QVERIFY(result.estimate.throughput->value > 0 && std::isfinite(result.estimate.throughput->value));
        else
            QVERIFY(!result.findings.empty());
    }

    void planIsRepeatedExactly() {
        TrainingScene scene;
        scene.pod("dgx_h100", 32, "ib_ndr", "qm9700");
        scene.train("llama3_70b", 8192, 512);
        const WorkloadResult chosen = scene.estimate();
        const ChosenPlan& plan = *chosen.estimate.plan;
        QVERIFY(plan.chosenByEstimator);
        Placement& placement = scene.placement();
        placement.parallelism = plan.parallelism;
        placement.zeroStage = plan.zeroStage;
        placement.microBatch = plan.microBatch;
        placement.interleave = plan.interleave;
        placement.recompute = plan.recompute;
        const WorkloadResult given = scene.estimate();
        QVERIFY(!given.estimate.plan->chosenByEstimator);
        QCOMPARE(stepOf(given), stepOf(chosen));
    }

    /// Frozen weights have no products for their gradients, no gradients and no optimizer state: a third less work at most.
    void adaptersAreLessWork() {
        TrainingScene scene;
        scene.pod("dgx_h100", 1, "ib_ndr", "qm9700");
        scene.train("llama3_8b", 4096, 64);
        scene.placement().parallelism = {2, 1, 4, 1, 1};
        const WorkloadResult all = scene.estimate();
        scene.spec().adaptersOnly = true;
        const WorkloadResult adapters = scene.estimate();
        QVERIFY(stepOf(adapters) < stepOf(all) && stepOf(adapters) > stepOf(all) / 2);
        QVERIFY(adapters.estimate.memory->used.value < all.estimate.memory->used.value);
        QCOMPARE(scene.run().trained < .01, true);
    }

    /// Half of the layers look through a window: the score matrix counts accordingly, and short sequences see all of it.
    void windowedAttention() {
        const ModelShape shape = modelShape(*shippedCatalog().find<NeuralModel>(PartId("gpt_oss_120b")));
        QVERIFY(near(shape.attentionShare(4096), .5 + .5 * 2 * 128 / 4096));
        QVERIFY(near(shape.attentionShare(128), 1));
        const ModelShape plain = modelShape(*shippedCatalog().find<NeuralModel>(PartId("llama3_8b")));
        QCOMPARE(plain.attentionShare(1 << 20), 1.0);
    }

    /// Single-block hybrids: the blocks of all kinds are the layers, and each kind costs.
    void hybridBlocks() {
        TrainingScene scene;
        scene.pod("dgx_h100", 2, "ib_ndr", "qm9700");
        scene.train("nemotron3_nano_30b", 8192, 128);
        const TrainingCase run = scene.run();
        TrainingPlan plan;
        plan.data = 16;
        plan.expert = 8;
        const LayerCosts costs = layerCosts(run, plan.layer());
        double layers = 0;
        for (const LayerTime& kind : costs.kinds) {
            layers += kind.count;
            if (kind.count > 0)
                QVERIFY(kind.forward.total > 0 && kind.backward.total > kind.forward.total);
        }
        QCOMPARE(layers, run.shape.layers);
    }

    void someStacksCannotInterleave() {
        TrainingScene scene;
        scene.pod("dgx_a100_640", 16, "ib_hdr", "qm8700");
        scene.train("megatron_39_1b", 2048, 128);
        PlanWishes wishes;
        wishes.parallelism.tensor = 8;
        wishes.parallelism.pipeline = 4;
        wishes.recompute = Recompute::full;
        const TrainingCase megatron = scene.run("stack_megatron_2021"), deepspeed = scene.run("stack_megatron_deepspeed");
        QVERIFY(choosePlan(megatron, wishes).plan->interleave > 1);
        QCOMPARE(choosePlan(deepspeed, wishes).plan->interleave, 1);
    }

    /// Heads of no multiple of eight leave the tensor cores idle in unfused attention.
    void unalignedHeads() {
        TrainingScene scene;
        scene.pod("dgx_a100_640", 16, "ib_hdr", "qm8700");
        scene.train("megatron_39_1b", 2048, 128);
        TrainingCase run = scene.run("stack_megatron_2021");
        TrainingPlan plan;
        plan.tensor = 8;
        plan.pipeline = 4;
        plan.data = 4;
        const double aligned = layerCosts(run, plan.layer()).kinds[0].forward.attention;
        run.shape.headDim = 124;
        QVERIFY(layerCosts(run, plan.layer()).kinds[0].forward.attention > 2 * aligned);
    }

    /// Every figure can be opened down to facts, inputs, assumptions or calibrated constants, and holds its own band.
    void derivationReachesFacts() {
        TrainingScene scene;
        scene.pod("dgx_h100", 32, "ib_ndr", "qm9700");
        scene.train("llama3_70b", 8192, 512);
        const WorkloadResult result = scene.estimate();
        const Derivation& d = scene.derivation();
        bool fact = false, calibrated = false, input = false;
        std::vector<TermId> open{result.estimate.latencyNamed("step")->term};
        while (!open.empty()) {
            const TermId id = open.back();
            open.pop_back();
            const Term& term = d.term(id);
            QVERIFY(term.low <= term.value && term.value <= term.high);
            QVERIFY(*term.name != 0);
            fact |= term.origin == TermOrigin::fact && term.part;
            calibrated |= term.origin == TermOrigin::calibrated && term.part;
            input |= term.origin == TermOrigin::input;
            for (const TermId inner : d.inputs(id)) {
                QVERIFY(inner < id);
                open.push_back(inner);
            }
        }
        QVERIFY(fact && calibrated && input);
        const Quantity& step = *result.estimate.latencyNamed("step");
        QVERIFY(step.low < step.value && step.value < step.high);
    }
};

QTEST_GUILESS_MAIN(TrainingTest)
#include "training_test.moc"
