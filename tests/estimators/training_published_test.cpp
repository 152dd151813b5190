// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/estimators/training_scene.h"

#include <QTest>

#include <cmath>

using namespace cw;
using cw::test::near;
using cw::test::TrainingScene;

class TrainingPublishedTest : public QObject {
    Q_OBJECT

private slots:
    /// Parameters by the dimensions against what the owners publish.
    void parameterCounts_data() {
        QTest::addColumn<QString>("model");
        for (const char* model :
             {"gpt3_175b", "megatron_1008_0b", "llama2_70b", "llama3_405b", "mixtral_8x7b", "deepseek_v3", "qwen3_235b_a22b", "nemotron3_nano_30b", "nemotron3_super_120b"})
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
};

QTEST_GUILESS_MAIN(TrainingPublishedTest)
#include "training_published_test.moc"
