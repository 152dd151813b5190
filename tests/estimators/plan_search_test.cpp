// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/estimators/training_scene.h"

#include <QTest>

#include <limits>

using namespace cw;
using cw::test::near;
using cw::test::TrainingScene;

namespace {

/// Everything that is legal and fits, by plain nested loops that know nothing of the search.
struct BruteForce {
    const TrainingCase& run;
    double best = std::numeric_limits<double>::infinity();
    std::int64_t fitting = 0;

    explicit BruteForce(const TrainingCase& r)
        : run(r) {
        for (int tensor = 1; tensor <= run.domain; tensor *= 2)
            for (int pipeline = 1; pipeline <= run.shape.layers; ++pipeline)
                for (int context = 1; context <= 32; context *= 2)
                    for (int expert = 1; expert <= std::max(1.0, run.shape.experts); expert *= 2)
                        sizes(tensor, pipeline, context, expert);
    }
    void sizes(int tensor, int pipeline, int context, int expert) {
        const std::int64_t model = static_cast<std::int64_t>(tensor) * pipeline * context;
        if (run.devices % model != 0 || (context > 1 && run.sequence < 8192))
            return;
        for (int microBatch = 1; microBatch <= 64; microBatch *= 2)
            for (int chunks = 1; chunks <= (pipeline > 1 ? 12 : 1); ++chunks)
                for (int zero = 0; zero <= (pipeline > 1 ? 1 : 3); ++zero)
                    for (const Recompute way : {Recompute::none, Recompute::selective, Recompute::full}) {
                        TrainingPlan plan;
                        plan.tensor = tensor;
                        plan.pipeline = pipeline;
                        plan.context = context;
                        plan.expert = expert;
                        plan.data = run.devices / model;
                        plan.microBatch = microBatch;
                        plan.interleave = chunks;
                        plan.zero = zero;
                        plan.recompute = way;
                        consider(plan);
                    }
    }
    void consider(const TrainingPlan& plan) {
        const ModelShape& s = run.shape;
        const double layers = std::ceil(s.layers / plan.pipeline);
        const double microBatches = run.batch / static_cast<double>(plan.data * plan.microBatch);
        const bool interleaved = plan.interleave > 1;
        if (!illegalities(run, plan).empty() || layers * plan.pipeline > 1.15 * s.layers || std::fmod(microBatches, 1) != 0 ||
            (interleaved && (std::fmod(layers, plan.interleave) != 0 || std::fmod(microBatches, plan.pipeline) != 0)) ||
            (s.moe && std::fmod(static_cast<double>(plan.data * plan.tensor * plan.context), plan.expert) != 0) ||
            !trainingMemory(run, plan).fits())
            return;
        ++fitting;
        best = std::min(best, stepTime(run, plan).seconds);
    }
};

} // namespace

class PlanSearchTest : public QObject {
    Q_OBJECT

private slots:
    void findsWhatBruteForceFinds_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("machines");
        QTest::addColumn<int>("sequence");
        QTest::addColumn<int>("batch");
        QTest::newRow("8B on 8 GPUs") << "llama3_8b" << 1 << 8192 << 64;
        QTest::newRow("8B, long, on 16") << "llama3_8b" << 2 << 32768 << 16;
        QTest::newRow("13B on 32") << "llama2_13b" << 4 << 4096 << 256;
        QTest::newRow("70B on 64") << "llama3_70b" << 8 << 8192 << 128;
        QTest::newRow("405B on 16,384") << "llama3_405b" << 2048 << 8192 << 2048;
        QTest::newRow("experts on 16") << "mixtral_8x7b" << 2 << 4096 << 128;
    }
    void findsWhatBruteForceFinds() {
        QFETCH(QString, model);
        QFETCH(int, machines);
        QFETCH(int, sequence);
        QFETCH(int, batch);
        TrainingScene scene;
        scene.pod("dgx_h100", machines, "ib_ndr", "qm9700");
        scene.train(model.toLatin1().constData(), sequence, batch);
        TrainingCase run = scene.run();
        run.inNetworkReduction = true; // then ZeRO 0 has a chance
        const BruteForce all(run);
        const PlanChoice choice = choosePlan(run, {});
        QVERIFY(all.fitting > 0 && choice.plan);
        QVERIFY(illegalities(run, *choice.plan).empty() && choice.memory.fits());
        // The least recomputation that fits is the fastest, so the search need not look at the others.
        QVERIFY2(choice.step.seconds <= all.best * (1 + 1e-9),
                 qPrintable(QString("%1 s, by brute force %2 s of %3 plans").arg(choice.step.seconds).arg(all.best).arg(all.fitting)));
    }

    /// 405B on 16,384 GPUs: the search looks at every size, and says what it turned down and why.
    void largestCase() {
        TrainingScene scene;
        scene.pod("dgx_h100", 2048, "ib_ndr", "qm9700");
        scene.train("llama3_405b", 8192, 2048);
        const TrainingCase run = scene.run();
        const PlanChoice choice = choosePlan(run, {});
        QVERIFY(choice.plan);
        QVERIFY2(choice.tried > 300, qPrintable(QString::number(choice.tried)));
        QVERIFY(choice.tooLarge > 0 && choice.tooLarge < choice.tried);
        bool slower = false, large = false;
        for (const RejectedPlan& rejected : choice.rejected) {
            slower |= std::string_view(rejected.code) == "slower" && rejected.figure >= choice.step.seconds;
            large |= std::string_view(rejected.code) == "memory" && rejected.figure > choice.memory.capacity;
        }
        QVERIFY(slower && large);
    }

    /// The optimizer goes to the host where nothing fits without, and only then.
    void offloadAsLastResort() {
        TrainingScene scene;
        scene.pod("dgx_h100", 1, "ib_ndr", "qm9700");
        scene.train("llama2_13b", 4096, 32);
        QVERIFY(!choosePlan(scene.run(), {}).plan->offload);
        scene.train("llama2_70b", 4096, 32);
        const PlanChoice choice = choosePlan(scene.run(), {});
        QVERIFY(choice.plan && choice.plan->offload && choice.memory.fits());
        PlanWishes kept;
        kept.offload = false;
        QVERIFY(!choosePlan(scene.run(), kept).plan);
    }
};

QTEST_GUILESS_MAIN(PlanSearchTest)
#include "plan_search_test.moc"
