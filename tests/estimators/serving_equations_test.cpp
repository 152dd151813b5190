// SPDX-License-Identifier: GPL-3.0-or-later
//
// The step and batching equations against the worked values of the serving study (table 2.5), and their invariants.
#include "tests/estimators/serving_bench.h"

#include <QtTest>

#include <cmath>

using namespace cw;
using cw::test::Bench;
using cw::test::chat;

namespace {

struct WorkedRow {
    const char* name;
    const char* gpu;
    const char* model;
    const char* stack;
    Precision weights, kv;
    int tensor;
    double prompt, output, users, burst;
    double kvTokens, resident, batch, stepMs, prefillMs, cycleMs, share, ttftMs, tpotMs;
};

// Lengths of the last four are 0.9 of the nominal ones; the first row belongs to a sweep of equal lengths (burst share .20).
constexpr WorkedRow rows[] = {
    {"Qwen3-32B on H100", "h100_sxm", "qwen3_32b", "stack_trtllm", Precision::fp8, Precision::fp8, 2, 1024, 256, 32, .20, 868856, 32, 29.9,
     10.89, 41.2, 4318, .355, 278, 15.84},
    {"Llama-70B on B200", "b200_sxm", "llama3_70b", "stack_vllm", Precision::nvfp4, Precision::fp8, 4, 7372.8, 921.6, 16, .12, 3855552, 16,
     15.4, 8.42, 171.7, 10552, .265, 390, 11.04},
    {"Llama-70B on one H200", "h200_sxm", "llama3_70b", "stack_trtllm", Precision::fp8, Precision::fp8, 1, 7372.8, 921.6, 128, .12, 360664,
     43.5, 41.2, 36.07, 1199.8, 85698, .612, 171093, 88.18},
    {"DeepSeek-R1 on B200", "b200_sxm", "deepseek_v3", "stack_sglang", Precision::fp8, Precision::fp8, 8, 921.6, 7372.8, 16, .12, 1974711,
     16, 15.9, 14.15, 33.1, 104849, .005, 387, 14.17},
    {"Kimi-K2 on H200", "h200_sxm", "kimi_k2", "stack_vllm", Precision::int4, Precision::bf16, 8, 7372.8, 921.6, 32, .12, 883974, 32, 30.8,
     22.41, 435.8, 34691, .405, 1347, 36.22},
};

} // namespace

class ServingEquationsTest : public QObject {
    Q_OBJECT

  private slots:
    void workedValues_data();
    void workedValues();
    void partsSumToTheStep_data();
    void partsSumToTheStep();
    void rateRisesWithBatch();
    void batchFollowsLittle();
    void atRateInvertsRateAt();
    void overloadIsUnstable();
    void percentilesAreOrderedAndRise();
    void capacityMeetsItsTargets_data();
    void capacityMeetsItsTargets();
    void impossibleTargetsGiveNoCapacity();
    void moreOfAnyResourceIsNeverSlower_data();
    void moreOfAnyResourceIsNeverSlower();
    void shareOfFreeMemoryGoesToTheCache();
    void prefixCacheSavesPrefill();
    void speculationGivesMoreTokensAStep();
    void oneTokenRequests();
    void closedLoopOfOneUserIsAlone();
    void quantisedWeightsAreComputedWider();
    void powerCapCostsComputeOnly();
    void expertsTouchedRiseToAll();
    void windowsBoundTheCache();
};

void ServingEquationsTest::workedValues_data()
{
    QTest::addColumn<int>("row");
    for (int i = 0; i < static_cast<int>(std::size(rows)); ++i)
        QTest::newRow(rows[i].name) << i;
}

void ServingEquationsTest::workedValues()
{
    QFETCH(int, row);
    const WorkedRow& r = rows[row];
    Bench bench(r.gpu, r.model, r.stack, r.weights, r.kv);
    bench.stack.blockTokens = 1; // the table was made without block rounding
    bench.stack.burstShare = bench.stack.burstShareEqual = r.burst;
    bench.stack.maxSequences = 1e9;
    if (std::string_view(r.stack) == "stack_trtllm") { // as the study had it, before half of the rows were looked at again
        bench.stack.outputLatency = .09;
        bench.stack.burstPowerEqual = 1;
        bench.stack.shareOfFree = false;
    }
    bench.shape.prompt = r.prompt;
    bench.shape.output = r.output;
    const ReplicaLoad load = bench.load({r.tensor, 1, 1});
    const ServingPoint at = load.closedLoop(r.users);
    const auto near = [](double found, double printed, double digit) {
        return std::abs(found - printed) <= digit * .5001 ? true : (qWarning("%g instead of %g", found, printed), false);
    };
    QVERIFY(near(load.replica().kvTokens, r.kvTokens, 1.1));
    QVERIFY(near(std::min(r.users, at.places), r.resident, .1));
    QVERIFY(near(at.batch, r.batch, .1));
    QVERIFY(near(at.step * 1e3, r.stepMs, .01));
    QVERIFY(near(at.prefill * 1e3, r.prefillMs, .1));
    QVERIFY(near(std::min(r.users, at.places) / at.rate * 1e3, r.cycleMs, 1.5)); // the study stopped after 25 iterations
    QVERIFY(near(at.prefillShare, r.share, .001));
    QVERIFY(near(at.ttft.mean() * 1e3, r.ttftMs, 1));
    QVERIFY(near(at.tpot * 1e3, r.tpotMs, .01));
}

void ServingEquationsTest::partsSumToTheStep_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("tensor");
    QTest::addColumn<int>("attentionData");
    QTest::newRow("dense") << "llama3_70b" << 4 << 1;
    QTest::newRow("experts") << "mixtral_8x7b" << 2 << 1;
    QTest::newRow("latent attention, data parallel") << "deepseek_v3" << 1 << 8;
}

void ServingEquationsTest::partsSumToTheStep()
{
    QFETCH(QString, model);
    QFETCH(int, tensor);
    QFETCH(int, attentionData);
    const Bench bench = chat("h200_sxm", qPrintable(model));
    const StepModel step = bench.replica({tensor, 1, attentionData}).step;
    for (const double batch : {1., 7., 64., 900.}) {
        const StepParts parts = step.decodeParts(batch, 1500);
        QVERIFY(parts.compute > 0 && parts.memory > 0 && parts.host > 0 && parts.scaleUp > 0 && parts.network == 0);
        QCOMPARE(parts.total(), step.decode(batch, 1500));
        QVERIFY(step.decode(batch * 1.5, 1500) > step.decode(batch, 1500));
        QVERIFY(step.decode(batch, 2500) > step.decode(batch, 1500));
        QCOMPARE(step.prefillParts(800, 200, batch).total(), step.prefill(800, 200, batch));
    }
}

void ServingEquationsTest::rateRisesWithBatch()
{
    const ReplicaLoad load = chat().load({4, 1, 1});
    double last = 0;
    for (double batch = .01; batch < load.places(); batch *= 1.3) {
        QVERIFY(load.rateAt(batch) > last);
        last = load.rateAt(batch);
    }
}

void ServingEquationsTest::batchFollowsLittle()
{
    const ReplicaLoad load = chat().load({4, 1, 1});
    for (const double batch : {2., 20., 100.}) {
        const ServingPoint at = load.atBatch(batch);
        QVERIFY(std::abs(at.rate * load.shape().output * at.tpot - batch) < 1e-9 * batch); // b = lambda osl t
        QVERIFY(std::abs(at.tpot - at.step / (1 - at.rate * at.work)) < 1e-12);            // t = t_dec/(1 - lambda w)
    }
}

void ServingEquationsTest::atRateInvertsRateAt()
{
    const ReplicaLoad load = chat().load({4, 1, 1});
    for (const double share : {1e-6, .01, .3, .9, .999}) {
        const double rate = share * load.largestRate();
        const ServingPoint at = load.atRate(rate);
        QVERIFY(at.stable);
        QVERIFY(std::abs(at.rate / rate - 1) < 1e-6);
    }
}

void ServingEquationsTest::overloadIsUnstable()
{
    const ReplicaLoad load = chat().load({4, 1, 1});
    QVERIFY(!load.atRate(1.01 * load.largestRate()).stable);
    QVERIFY(!load.atRate(1e12).stable);
    QVERIFY(load.atRate(0).stable);
}

void ServingEquationsTest::percentilesAreOrderedAndRise()
{
    const ReplicaLoad load = chat().load({4, 1, 1});
    double last = 0;
    for (const double share : {0., .1, .4, .7, .9, .97}) {
        const ServingPoint at = load.atRate(share * load.largestRate());
        for (const Sojourn* sojourn : {&at.ttft, &at.latency}) {
            QVERIFY(sojourn->quantile(.5) <= sojourn->quantile(.95));
            QVERIFY(sojourn->quantile(.95) <= sojourn->quantile(.99));
        }
        QVERIFY(at.tpotQuantile(.5) <= at.tpotQuantile(.99));
        QVERIFY(at.tpotQuantile(.99) >= 1.1 * at.tpot * (1 - 1e-6)); // the measured spread at least
        QVERIFY(std::abs(at.tpotTail(at.tpotQuantile(.99)) - .01) < 1e-9);
        QVERIFY(at.latency.quantile(.99) > last);
        last = at.latency.quantile(.99);
    }
}

void ServingEquationsTest::capacityMeetsItsTargets_data()
{
    QTest::addColumn<double>("ttft");
    QTest::addColumn<double>("tpot");
    QTest::addColumn<double>("latency");
    QTest::newRow("first token binds") << .6 << 1. << 0.;
    QTest::newRow("pace binds") << 30. << .03 << 0.;
    QTest::newRow("whole answer binds") << 0. << 0. << 20.;
    QTest::newRow("nothing binds") << 1000. << 10. << 0.;
}

void ServingEquationsTest::capacityMeetsItsTargets()
{
    QFETCH(double, ttft);
    QFETCH(double, tpot);
    QFETCH(double, latency);
    ServingTargets targets;
    if (ttft > 0)
        targets.ttft = ttft;
    if (tpot > 0)
        targets.tpot = tpot;
    if (latency > 0)
        targets.latency = latency;
    const ReplicaLoad load = chat().load({4, 1, 1});
    const double batch = load.largestBatchWithin(targets);
    QVERIFY(batch > 0);
    const ServingPoint at = load.atRate(load.rateAt(batch));
    if (targets.ttft)
        QVERIFY(at.ttft.quantile(.99) <= ttft * (1 + 1e-6));
    if (targets.tpot)
        QVERIFY(at.tpotQuantile(.99) <= tpot * (1 + 1e-6));
    if (targets.latency)
        QVERIFY(at.latency.quantile(.99) <= latency * (1 + 1e-6));
    if (batch < load.largestBatch()) // and it is the largest
        QVERIFY(!load.meets(load.atBatch(batch * 1.001), targets));
}

void ServingEquationsTest::impossibleTargetsGiveNoCapacity()
{
    ServingTargets targets;
    targets.tpot = 1e-5;
    QCOMPARE(chat().load({4, 1, 1}).largestBatchWithin(targets), 0.);
}

void ServingEquationsTest::moreOfAnyResourceIsNeverSlower_data()
{
    QTest::addColumn<QString>("model");
    QTest::newRow("dense") << "llama3_70b";
    QTest::newRow("experts") << "mixtral_8x22b";
}

void ServingEquationsTest::moreOfAnyResourceIsNeverSlower()
{
    QFETCH(QString, model);
    const Bench bench = chat("h200_sxm", qPrintable(model));
    const ReplicaLoad base = bench.load({4, 1, 1});
    for (double Relief::*resource : {&Relief::gpuCompute, &Relief::gpuMemoryBandwidth, &Relief::gpuMemory, &Relief::scaleUp, &Relief::host}) {
        Relief relief;
        relief.*resource = 2;
        const ReplicaLoad better = bench.load({4, 1, 1}, relief);
        QVERIFY(better.largestRate() >= base.largestRate());
        const double rate = .8 * base.largestRate();
        QVERIFY(better.atRate(rate).latency.quantile(.99) <= base.atRate(rate).latency.quantile(.99) * (1 + 1e-9));
    }
}

/// TensorRT-LLM's share is of what weights leave, so a model that nearly fills a device still gets a cache.
void ServingEquationsTest::shareOfFreeMemoryGoesToTheCache()
{
    Bench bench("b200_sxm", "deepseek_r1", "stack_trtllm", Precision::fp8, Precision::fp8);
    const ReplicaMemory memory = bench.replica({4, 1, 1}).memory;
    const double all = memory.capacity * 1.05, fixed = memory.weights + memory.reserved;
    QVERIFY(fixed > .88 * all && fixed < all);
    QVERIFY(std::abs((memory.usable - fixed) / (all - fixed) - .9) < 1e-9);
    QVERIFY(bench.load({4, 1, 1}).places() > 20);
    bench.stack.shareOfFree = false;
    QVERIFY(bench.replica({4, 1, 1}).memory.usable < memory.usable);
}

void ServingEquationsTest::prefixCacheSavesPrefill()
{
    Bench bench = chat();
    const double cold = bench.load({4, 1, 1}).atBatch(10).prefill;
    bench.shape.cachedShare = .5;
    const double warm = bench.load({4, 1, 1}).atBatch(10).prefill;
    QVERIFY(warm < .6 * cold && warm > .45 * cold); // attention still sees what is cached
    bench.shape.cachedShare = 1;
    QVERIFY(bench.load({4, 1, 1}).atBatch(10).prefill < .02 * cold); // at least one token
}

void ServingEquationsTest::speculationGivesMoreTokensAStep()
{
    Bench bench = chat();
    const ServingPoint plain = bench.load({4, 1, 1}).atBatch(4);
    bench.shape.tokensPerStep = 2.4;
    bench.shape.rowsPerStep = 3;
    const ServingPoint speculative = bench.load({4, 1, 1}).atBatch(4);
    QVERIFY(speculative.tpot < .6 * plain.tpot); // small batches have compute to spare
    QVERIFY(speculative.step > plain.step);
}

void ServingEquationsTest::oneTokenRequests()
{
    Bench bench = chat();
    bench.shape = {};
    const ReplicaLoad load = bench.load({4, 1, 1});
    for (const ServingPoint& at : {load.atRate(.5 * load.largestRate()), load.closedLoop(8), load.closedLoop(1)}) {
        QVERIFY(std::isfinite(at.tpot) && at.tpot > 0);
        QVERIFY(std::isfinite(at.latency.quantile(.99)) && at.latency.quantile(.99) > 0);
        QVERIFY(at.rate > 0);
    }
}

void ServingEquationsTest::closedLoopOfOneUserIsAlone()
{
    const ReplicaLoad load = chat().load({4, 1, 1});
    const ServingPoint at = load.closedLoop(1);
    QVERIFY(at.batch <= 1);
    QVERIFY(std::abs(at.step - load.replica().step.decode(1, load.shape().context())) < 1e-12);
    QVERIFY(load.closedLoop(2).rate > at.rate);
}

void ServingEquationsTest::quantisedWeightsAreComputedWider()
{
    const Bench wide("h100_sxm", "llama3_70b", "stack_vllm", Precision::bf16, Precision::bf16);
    const Bench narrow("h100_sxm", "llama3_70b", "stack_vllm", Precision::int4, Precision::bf16);
    const StepModel a = wide.replica({4, 1, 1}).step, b = narrow.replica({4, 1, 1}).step;
    QCOMPARE(a.mixerPerRow, b.mixerPerRow);                       // the same arithmetic
    QVERIFY(std::abs(b.mixerMemory / a.mixerMemory - .53 / 2) < 1e-9); // fewer bytes
    const Bench old("a100_80gb_sxm", "llama3_70b", "stack_vllm", Precision::fp8, Precision::bf16);
    QCOMPARE(old.replica({4, 1, 1}).peak, 312e12); // no 8-bit floating point on this part
}

void ServingEquationsTest::powerCapCostsComputeOnly()
{
    Bench bench = chat();
    const StepModel free = bench.replica({4, 1, 1}).step;
    bench.machine.gpuPowerCap = 350;
    const StepModel capped = bench.replica({4, 1, 1}).step;
    QCOMPARE(capped.mixerMemory, free.mixerMemory);
    QVERIFY(std::abs(capped.mixerPerRow / free.mixerPerRow - std::sqrt(2.)) < 1e-9);
}

void ServingEquationsTest::expertsTouchedRiseToAll()
{
    const StepModel step = chat("h200_sxm", "deepseek_v3").replica({8, 1, 1}).step;
    QVERIFY(std::abs(step.expertsTouched(1) - 8) < 1e-9);
    QVERIFY(step.expertsTouched(64) < 256 && step.expertsTouched(64) > 150);
    QVERIFY(step.expertsTouched(1e6) <= 256 && step.expertsTouched(1e6) > 255.99);
}

void ServingEquationsTest::windowsBoundTheCache()
{
    const Catalog& catalog = shippedCatalog();
    const ServedModel model = *servedModel(*catalog.find<NeuralModel>(PartId("gpt_oss_120b")), Precision::mxfp4, Precision::fp8);
    QVERIFY(std::abs(model.kvLayers(128) - 36) < 1e-9);
    QVERIFY(std::abs(model.kvLayers(128'000) / 18 - 1) < .01);
    QCOMPARE(model.bytesMixer, 2.); // attention of this checkpoint stays at 16 bits
}

QTEST_GUILESS_MAIN(ServingEquationsTest)
#include "serving_equations_test.moc"
