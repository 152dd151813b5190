// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/facility.h"
#include "estimators/facility/failures.h"
#include "estimators/facility/redundancy.h"
#include "tests/estimators/facility_scene.h"

#include <QTest>

using namespace cw;
using cw::test::FacilityScene;

namespace {

bool near(double a, double b, double relative) { return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b)); }

} // namespace

class ReliabilityTest : public QObject {
    Q_OBJECT
private slots:
    void publishedFailureRates();
    void ownRateReplacesTheCatalog();
    void youngAndDaly();
    void goodputLimits();
    void bestIntervalIsBest_data();
    void bestIntervalIsBest();
    void llama3ReachedNinetyPercent();
    void binomialAndPoisson();
    void tiersSayWhatOneFailureLeaves();
    void carbonFollowsEnergyAndGrid();
};

void ReliabilityTest::publishedFailureRates() {
    FacilityScene scene;
    scene.node("gpu", "dgx_h100", 2048);
    const ReliabilityEstimate r = estimateReliability(scene.context(), {});
    QVERIFY2(near(r.mtbfHours.value, 3.09, .01), qPrintable(QString::number(r.mtbfHours.value))); // Llama 3: 419 in 54 days
    QVERIFY(near(r.mtbfHours.low, 1.80, .01));                                                    // RSC-1: 6.5 per 1000 node-days
    QVERIFY(near(r.failuresPerDay.value, 419. / 54, .01));
    QVERIFY(r.mtbfHours.high > r.mtbfHours.value);
    // Rates add: half of the machines fail half as often.
    FacilityScene half;
    half.node("gpu", "dgx_h100", 1024);
    QVERIFY(near(estimateReliability(half.context(), {}).mtbfHours.value, 2 * r.mtbfHours.value, 1e-9));
}

void ReliabilityTest::ownRateReplacesTheCatalog() {
    FacilityScene scene;
    scene.node("gpu", "dgx_h100", 100);
    const std::uint32_t nodes[] = {0};
    const Quantity rate = interruptionsPerYear(scene.context(), nodes, 50'000);
    QVERIFY(near(8760 / rate.value, 500, 1e-9));
}

void ReliabilityTest::youngAndDaly() {
    // M = 1 h, d = 1 min: Young √(2 d M) = 657 s; Daly's second order is a little below it less d.
    const Checkpointing c = bestCheckpointing(3600, 60, 0);
    const double young = std::sqrt(2. * 60 * 3600);
    QVERIFY(c.interval < young && c.interval > young - 60);
    // First order: goodput = 1 − d/τ − τ/(2M) − R/M.
    const double first = 1 - 60 / young - young / 7200 - 120. / 3600;
    QVERIFY(near(goodputWithInterval(3600, 60, 120, young), first, .03));
}

void ReliabilityTest::goodputLimits() {
    QVERIFY(near(bestCheckpointing(1e9, 10, 100).goodput, 1, 1e-3));
    QCOMPARE(goodputWithInterval(0, 1, 1, 1), 0.0);
    QCOMPARE(bestCheckpointing(0, 1, 1).goodput, 0.0);
    QVERIFY(bestCheckpointing(1, 3600, 3600).goodput < 1e-6); // fails long before it has written anything
    double previous = 0;
    for (const double mtbf : {600., 3600., 36000., 360000.}) {
        const double goodput = bestCheckpointing(mtbf, 30, 300).goodput;
        QVERIFY(goodput > previous && goodput < 1);
        previous = goodput;
    }
}

void ReliabilityTest::bestIntervalIsBest_data() {
    QTest::addColumn<double>("mtbf");
    QTest::addColumn<double>("write");
    QTest::newRow("3 h, 20 s") << 11000. << 20.;
    QTest::newRow("1 day, 5 min") << 86400. << 300.;
    QTest::newRow("30 min, 1 min") << 1800. << 60.;
}

void ReliabilityTest::bestIntervalIsBest() {
    QFETCH(double, mtbf);
    QFETCH(double, write);
    const Checkpointing best = bestCheckpointing(mtbf, write, 100);
    double top = 0;
    for (double tau = write; tau < mtbf; tau *= 1.01)
        top = std::max(top, goodputWithInterval(mtbf, write, 100, tau));
    QVERIFY2(best.goodput <= top * (1 + 1e-4) && best.goodput >= top * (1 - 1e-3),
             qPrintable(QString::number(best.goodput / top)));
}

void ReliabilityTest::llama3ReachedNinetyPercent() {
    FacilityScene scene;
    scene.node("gpu", "dgx_h100", 2048);
    Workload workload;
    workload.id = WorkloadId{"train"};
    workload.spec = LlmTraining{};
    scene.project().workloads.push_back(workload);
    WorkloadEstimate placed;
    placed.id = workload.id;
    placed.placed = true;
    const ReliabilityEstimate r = estimateReliability(scene.context(), std::array{placed});
    QVERIFY2(r.goodput.value > .88 && r.goodput.value < .95, qPrintable(QString::number(r.goodput.value)));
    QVERIFY(r.goodput.low < r.goodput.value && r.goodput.value < r.goodput.high);
    QVERIFY(r.checkpointInterval->value > 300 && r.checkpointInterval->value < 1500);
    placed.goodput = Quantity{.42, .4, .5, Unit::fraction, noTerm}; // the job's own estimator knows better
    QCOMPARE(estimateReliability(scene.context(), std::array{placed}).goodput.value, .42);
}

void ReliabilityTest::binomialAndPoisson() {
    QVERIFY(near(tierAvailability(.99, 1, 0), .99, 1e-12));
    QVERIFY(near(tierAvailability(.99, 2, 1), 1 - 1e-4, 1e-12));
    QVERIFY(near(tierAvailability(.9, 3, 1), .9 * .9 * .9 + 3 * .9 * .9 * .1, 1e-12));
    QVERIFY(near(tierAvailability(.9, 4, 4), 1, 1e-12));
    QCOMPARE(tierAvailability(.9, 0, 0), 0.0);
    QVERIFY(near(probabilityAtMost(2, 0), std::exp(-2), 1e-12));
    QVERIFY(near(probabilityAtMost(2, 2), 5 * std::exp(-2), 1e-12));
    QVERIFY(near(probabilityAtMost(1000, 1000), .5, .03));
    QCOMPARE(probabilityAtMost(3, 1000), 1.0);
    // The two agree where the one takes over from the other.
    QVERIFY(near(tierAvailability(.999, 64, 1), probabilityAtMost(.064, 1), 1e-4));
}

void ReliabilityTest::tiersSayWhatOneFailureLeaves() {
    FacilityScene scene;
    scene.node("gpu", "dgx_h100", 4);
    scene.node("leaf", "qm9700", 1);
    const ReliabilityEstimate r = estimateReliability(scene.context(), {});
    QCOMPARE(r.tiers.size(), std::size_t(2));
    QCOMPARE(r.tiers[0].capacityWithOneDown, .75);
    QCOMPARE(r.tiers[1].capacityWithOneDown, 0.0);
    QVERIFY(r.tiers[0].availability > .999);
    QVERIFY(r.tiers[1].availability > .9999 && r.tiers[1].availability < 1);
}

void ReliabilityTest::carbonFollowsEnergyAndGrid() {
    FacilityScene scene;
    scene.node("gpu", "dgx_h100", 4);
    scene.project().site.carbonIntensity = 100;
    EstimateContext& context = scene.context();
    const PowerEstimate power = estimatePower(context, {}, {});
    QVERIFY(near(estimateCarbon(context, power).operationPerYear.value, power.energyPerYear.value * .1, 1e-12));
    scene.project().site.carbonIntensity.reset();
    scene.project().site.region = PartId{"region_fra"};
    QVERIFY(near(estimateCarbon(context, power).operationPerYear.value, power.energyPerYear.value * .056039, 1e-9));
    scene.project().site.region = PartId{};
    const Quantity somewhere = estimateCarbon(context, power).operationPerYear;
    QVERIFY(somewhere.low < somewhere.value && somewhere.value < somewhere.high);
    QVERIFY(!estimateCarbon(context, power).embodied);
}

QTEST_GUILESS_MAIN(ReliabilityTest)
#include "reliability_test.moc"
