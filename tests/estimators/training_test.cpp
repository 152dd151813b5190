// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/training/training_job.h"
#include "tests/estimators/design_builder.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace cw;
using cw::test::Scene;

namespace {

bool near(double a, double b, double relative = 1e-9) { return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b)); }

/// A training run on drawn machines, ready for plans.
class TrainingScene : public Scene {
public:
    /// Machines of 8 GPUs on a rail-optimised, non-blocking two-tier fabric.
    void pod(const char* server, std::int64_t machines, const char* medium, const char* box) {
        node("gpu", server, machines);
        const std::int64_t blocks = std::max<std::int64_t>(1, machines / 16);
        node("leaf", box, 8 * blocks);
        node("spine", box, 16);
        link("gpu", "leaf", medium, Pattern::rail, 8);
        link("leaf", "spine", medium, Pattern::mesh, 1);
    }
    void train(const char* model, int sequence, int batch, Precision precision = Precision::bf16) {
        Workload workload;
        workload.id = WorkloadId("w");
        workload.name = "training";
        LlmTraining spec;
        spec.model = PartId(model);
        spec.sequence = sequence;
        spec.globalBatch = batch;
        spec.precision = precision;
        spec.totalTokens = 1e12;
        workload.spec = spec;
        project().workloads = {workload};
    }
    LlmTraining& spec() { return std::get<LlmTraining>(project().workloads.front().spec); }
    Placement& placement() {
        if (alternative().placements.empty()) {
            Placement placement;
            placement.id = PlacementId("p");
            placement.workload = WorkloadId("w");
            placement.nodes = {NodeId("gpu")};
            alternative().placements = {placement};
        }
        return alternative().placements.front();
    }

    /// The case of the placed machines; lives as long as the scene is not changed.
    TrainingCase run(const char* stack = "", const Relief& relief = {}) {
        const Fabric& network = fabric();
        m_group = network.group(std::vector{0u});
        m_shape = modelShape(*catalog().find<NeuralModel>(spec().model));
        EstimateContext context{design(), network, catalog(), m_options, relief, m_derivation};
        return trainingCase(context, spec(), m_shape, {}, PartId(stack), m_group, relief).value();
    }
    WorkloadResult estimate(Relief relief = {}) {
        placement();
        const Fabric& network = fabric();
        m_derivation = {};
        EstimateContext context{design(), network, catalog(), m_options, relief, m_derivation};
        const Placement* placements[] = {&alternative().placements.front()};
        return estimateLlmTraining(context, project().workloads.front(), placements);
    }
    const Derivation& derivation() const { return m_derivation; }

private:
    EstimateOptions m_options;
    Derivation m_derivation;
    GroupFabric m_group;
    ModelShape m_shape;
};

double stepOf(const WorkloadResult& result) { return result.estimate.latencyNamed("step")->value; }

bool hasFinding(const WorkloadResult& result, std::string_view code) {
    return std::any_of(result.findings.begin(), result.findings.end(), [&](const Finding& f) { return f.code == code; });
}

} // namespace

class TrainingTest : public QObject {
    Q_OBJECT

private slots:
    /// Parameters by the dimensions against what the owners publish.
    void parameterCounts_data() {
        QTest::addColumn<QString>("model");
        for (const char* model :
             {"gpt3_175b", "megatron_1008_0b", "llama2_70b", "llama3_405b", "mixtral_8x7b", "deepseek_v3", "qwen3_235b_a22b"})
            QTest::newRow(model) << model;
    }
    void parameterCounts() {
        QFETCH(QString, model);
        const NeuralModel* published = shippedCatalog().find<NeuralModel>(PartId(model.toStdString()));
        const ModelShape shape = modelShape(*published);
        QVERIFY2(near(shape.parameters, published->parametersTotal, .02), qPrintable(QString::number(shape.parameters / 1e9)));
    }

    /// The kernel equation worked by hand: 4096³ on H100, one wave count of 256 × 128 tiles.
    void productByHand() {
        const Gpu* gpu = shippedCatalog().find<Gpu>(PartId("h100_sxm"));
        const KernelDevice device(gemmConstants(shippedCatalog(), *gpu), 989.4e12, 3.35e12);
        const double tiles = 16 * 32, waves = tiles / 132;
        const double expected = 3e-6 + waves * 2 * 256 * 128 * (4096 + 164) / (989.4e12 * .844 / 132);
        QVERIFY(near(device.product(4096, 4096, 4096), expected, 1e-9));
        // A thin product is bound by reading its operands.
        const double bytes = 2 * (16.0 * 8192 + 8192.0 * 8192) + 2 * 16.0 * 8192;
        QVERIFY(near(device.product(16, 8192, 8192), 3e-6 + bytes / (.8 * 3.35e12), 1e-9));
        QVERIFY(device.product(4096, 4096, 4096, 1.6, 1) < device.product(4096, 4096, 4096));
        QVERIFY(device.productAlone(128, 128, 65536) < device.product(128, 128, 65536)); // split-K fills the processors
    }

    /// Megatron, SC21, table 1: published TFLOP/s a GPU (with recomputation counted), nothing refitted. Micro-batch and chunks are not
    /// stated there; the search takes the fastest that fit, as the authors did.
    void sc21Table1_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("tensor");
        QTest::addColumn<int>("pipeline");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<int>("batch");
        QTest::addColumn<double>("teraflops");
        QTest::newRow("1.7B") << "megatron_1_7b" << 1 << 1 << 32 << 512 << 137.0;
        QTest::newRow("3.6B") << "megatron_3_6b" << 2 << 1 << 64 << 512 << 138.0;
        QTest::newRow("7.5B") << "megatron_7_5b" << 4 << 1 << 128 << 512 << 142.0;
        QTest::newRow("18.4B") << "megatron_18_4b" << 8 << 1 << 256 << 1024 << 135.0;
        QTest::newRow("39.1B") << "megatron_39_1b" << 8 << 2 << 512 << 1536 << 138.0;
        QTest::newRow("76.1B") << "megatron_76_1b" << 8 << 4 << 1024 << 1792 << 140.0;
        QTest::newRow("145.6B") << "megatron_145_6b" << 8 << 8 << 1536 << 2304 << 148.0;
        QTest::newRow("310.1B") << "megatron_310_1b" << 8 << 16 << 1920 << 2160 << 155.0;
        QTest::newRow("529.6B") << "megatron_529_6b" << 8 << 35 << 2520 << 2520 << 163.0;
        QTest::newRow("1008B") << "megatron_1008_0b" << 8 << 64 << 3072 << 3072 << 163.0;
    }
    void sc21Table1() {
        QFETCH(QString, model);
        QFETCH(int, tensor);
        QFETCH(int, pipeline);
        QFETCH(int, gpus);
        QFETCH(int, batch);
        QFETCH(double, teraflops);
        TrainingScene scene;
        scene.pod("dgx_a100_640", gpus / 8, "ib_hdr", "qm8700");
        scene.train(qPrintable(model), 2048, batch);
        const TrainingCase run = scene.run("stack_megatron_2021");
        PlanWishes wishes;
        wishes.parallelism.tensor = tensor;
        wishes.parallelism.pipeline = pipeline;
        wishes.recompute = Recompute::full;
        wishes.zero = 0;
        const PlanChoice choice = choosePlan(run, wishes);
        QVERIFY(choice.plan);
        const ModelShape& s = run.shape;
        const double operations = 96.0 * batch * 2048 * s.layers * s.hidden * s.hidden *
            (1 + 2048 / (6 * s.hidden) + s.vocabulary / (16 * s.layers * s.hidden));
        const double predicted = operations / choice.step.seconds / gpus / 1e12;
        QVERIFY2(std::abs(predicted / teraflops - 1) < .08, qPrintable(QString("%1 against %2").arg(predicted).arg(teraflops)));
    }

    /// MegaScale (Jiang et al. 2024), table 2: iteration times of 175B, TP 8, PP 8 with 6 chunks; the paper's figures are recalled.
    void megaScale_data() {
        QTest::addColumn<int>("gpus");
        QTest::addColumn<int>("batch");
        QTest::addColumn<double>("seconds");
        QTest::newRow("256") << 256 << 768 << 32.0;
        QTest::newRow("1024") << 1024 << 768 << 8.9;
        QTest::newRow("3072") << 3072 << 6144 << 23.66;
        QTest::newRow("12288") << 12288 << 6144 << 6.34;
    }
    void megaScale() {
        QFETCH(int, gpus);
        QFETCH(int, batch);
        QFETCH(double, seconds);
        TrainingScene scene;
        const std::int64_t blocks = std::max(1, gpus / 8 / 32);
        scene.node("gpu", "dgx_a100_640", gpus / 8);
        scene.node("leaf", "sn4700", 8 * blocks);
        scene.node("spine", "sn4700", 32);
        scene.link("gpu", "leaf", "eth_200g", Pattern::rail, 8);
        scene.link("leaf", "spine", "eth_200g", Pattern::mesh, 1);
        scene.train("gpt3_175b", 2048, batch);
        const TrainingCase run = scene.run("stack_megascale");
        TrainingPlan plan;
        plan.tensor = plan.pipeline = 8;
        plan.data = gpus / 64;
        plan.interleave = 6;
        plan.recompute = Recompute::selective;
        const double predicted = stepTime(run, plan).seconds;
        QVERIFY2(std::abs(predicted / seconds - 1) < .06, qPrintable(QString("%1 against %2").arg(predicted).arg(seconds)));
        QVERIFY(trainingMemory(run, plan).fits());
    }

    /// Llama 3 405B, table 4: 16,384 H100, TP 8, PP 16, DP 128 at 8k reached 400 TFLOP/s; today's stack on the same plan is faster (the
    /// study says by a quarter to a third), and never beyond the peak that products reach.
    void llama405b() {
        TrainingScene scene;
        scene.node("gpu", "dgx_h100", 2048);
        scene.node("leaf", "sn5600", 512);
        scene.node("spine", "sn5600", 512);
        scene.node("core", "sn5600", 256);
        scene.link("gpu", "leaf", "eth_400g", Pattern::rail, 8);
        scene.link("leaf", "spine", "eth_400g", Pattern::each, 32);
        scene.link("spine", "core", "eth_400g", Pattern::mesh, 1);
        scene.train("llama3_405b", 8192, 2048);
        const TrainingCase run = scene.run();
        PlanWishes wishes;
        wishes.parallelism = {8, 16, 128, 1, 1};
        wishes.microBatch = 1;
        const PlanChoice choice = choosePlan(run, wishes);
        QVERIFY(choice.plan);
        const double rate = run.shape.operationsPerToken(8192) * 2048 * 8192 / choice.step.seconds / 16384 / 1e12;
        QVERIFY2(rate > 430 && rate < 560, qPrintable(QString::number(rate)));
        const PlanChoice open = choosePlan(run, {});
        QVERIFY(open.plan && open.step.seconds <= choice.step.seconds * (1 + 1e-9));
        QVERIFY(!open.rejected.empty());
        QVERIFY(open.memory.fits());
    }

    /// (p − 1)/(v m) of the ideal time, as 1F1B and its interleaved form have it.
    void pipelineBubble() {
        TrainingScene scene;
        scene.pod("dgx_a100_640", 16, "ib_hdr", "qm8700");
        scene.train("megatron_39_1b", 2048, 128);
        TrainingCase run = scene.run("stack_megatron_2021");
        run.shape.vocabulary = 0; // even stages
        for (const int chunks : {1, 2, 6}) {
            TrainingPlan plan;
            plan.tensor = 8;
            plan.pipeline = 4;
            plan.data = 4;
            plan.interleave = chunks;
            LayerCosts layers = layerCosts(run, plan.layer());
            layers.embedding = 0;
            const StepTime step = stepTime(run, plan, layers);
            QCOMPARE(step.microBatches, 32.0);
            QVERIFY(near(step.bubble / (step.microBatches * step.averageStage), 3.0 / (chunks * 32), 1e-9));
        }
    }

    void partsSumToTheStep() {
        TrainingScene scene;
        scene.pod("dgx_h100", 32, "ib_ndr", "qm9700");
        for (const char* model : {"llama3_70b", "deepseek_v3", "vit_h14", "resnet50", "bert_large"}) {
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

    /// Korthikanti et al. 2022: s b h (34 + 5 a s/h)/t a layer with sequence parallelism, 34/t with selective recomputation.
    void activationsOfALayer() {
        TrainingScene scene;
        scene.pod("dgx_a100_640", 1, "ib_hdr", "qm8700");
        scene.train("gpt3_175b", 2048, 8);
        TrainingCase run = scene.run("stack_megatron_2023");
        TrainingPlan plan;
        plan.tensor = 8;
        const double sbh = 2048.0 * 12288;
        QVERIFY(near(layerActivations(run, plan, false), sbh * (34 + 5 * 96 * 2048.0 / 12288) / 8, 1e-9));
        plan.recompute = Recompute::selective;
        QVERIFY(near(layerActivations(run, plan, false), sbh * 34 / 8, 1e-9));
        plan.recompute = Recompute::full;
        QVERIFY(near(layerActivations(run, plan, false), sbh * 2 / 8, 1e-9));
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
