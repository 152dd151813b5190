// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/facility.h"
#include "tests/estimators/facility_scene.h"

#include <QTest>

using namespace cw;
using cw::test::FacilityScene;

namespace {

bool near(double a, double b, double relative) { return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b)); }

/// A DGX H100 SuperPOD: one machine of the last unit makes room for the fabric manager, which has four cables.
void superPod(FacilityScene& scene, int units, int spines, int lanes) {
    scene.node("dgx", "dgx_h100", 32 * units - 1);
    scene.node("leaf", "qm9700", 8 * units);
    scene.node("spine", "qm9700", spines);
    scene.node("ufm", "head_1u", 4);
    scene.link("dgx", "leaf", "ib_ndr", Pattern::rail, 8);
    scene.link("leaf", "spine", "ib_ndr", Pattern::mesh, lanes);
    scene.link("ufm", "leaf", "ib_ndr", Pattern::each, 1);
}

/// Two units of 32 machines on eight rails each, eight spines; four cables from every leaf to every spine are full bandwidth.
void fatTree(FacilityScene& scene, int lanes) {
    scene.node("dgx", "dgx_h100", 64);
    scene.node("leaf", "qm9700", 16);
    scene.node("spine", "qm9700", 8);
    scene.link("dgx", "leaf", "ib_ndr", Pattern::rail, 8);
    scene.link("leaf", "spine", "ib_ndr", Pattern::mesh, lanes);
}

} // namespace

class NetworkSummaryTest : public QObject {
    Q_OBJECT
private slots:
    void superPodTable_data();
    void superPodTable();
    void bisectionOfAFatTree();
    void oversubscribedSpines();
    void loneMachineHasItsScaleUp();
    void unconnectedHasNone();
    void emptyDesignIsUnknown();
};

void NetworkSummaryTest::superPodTable_data() {
    QTest::addColumn<int>("units");
    QTest::addColumn<int>("spines");
    QTest::addColumn<int>("lanes");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<int>("switches");
    QTest::addColumn<int>("computeCables");
    QTest::addColumn<int>("spineCables");
    // NVIDIA DGX SuperPOD reference architecture, DGX H100, table 4.
    QTest::newRow("1 unit") << 1 << 4 << 8 << 248 << 12 << 252 << 256;
    QTest::newRow("2 units") << 2 << 8 << 4 << 504 << 24 << 508 << 512;
    QTest::newRow("3 units") << 3 << 16 << 2 << 760 << 40 << 764 << 768;
    QTest::newRow("4 units") << 4 << 16 << 2 << 1016 << 48 << 1020 << 1024;
}

void NetworkSummaryTest::superPodTable() {
    QFETCH(int, units);
    QFETCH(int, spines);
    QFETCH(int, lanes);
    QFETCH(int, gpus);
    QFETCH(int, switches);
    QFETCH(int, computeCables);
    QFETCH(int, spineCables);
    FacilityScene scene;
    superPod(scene, units, spines, lanes);
    EstimateContext& context = scene.context();
    const NetworkEstimate network = estimateNetwork(context);
    QCOMPARE(network.switches, std::int64_t(switches));
    QCOMPARE(network.cables, std::int64_t(computeCables + spineCables));
    QCOMPARE(context.fabric.capacity(1).cables, std::int64_t(spineCables));
    QCOMPARE(context.design.machines[0].count * 8, std::int64_t(gpus));
    QVERIFY(near(network.oversubscription.value, 1, .04)); // full bisection, one machine short
    QCOMPARE(network.tiers.front().devices, std::int64_t(8));
}

void NetworkSummaryTest::bisectionOfAFatTree() {
    FacilityScene scene;
    fatTree(scene, 4);
    EstimateContext& context = scene.context();
    const NetworkEstimate network = estimateNetwork(context);
    const double perCable = context.fabric.capacity(0).perCable;
    QVERIFY2(near(network.bisection.value, 256 * perCable, .02), qPrintable(QString::number(network.bisection.value / perCable)));
    QVERIFY(network.hops >= 3);
    QCOMPARE(network.oversubscription.value, 1.0);
}

void NetworkSummaryTest::oversubscribedSpines() {
    FacilityScene scene;
    fatTree(scene, 1);
    EstimateContext& context = scene.context();
    const NetworkEstimate network = estimateNetwork(context);
    QVERIFY2(near(network.oversubscription.value, 4, .05), qPrintable(QString::number(network.oversubscription.value)));
    QVERIFY(near(network.bisection.value, 64 * context.fabric.capacity(0).perCable, .02)); // 128 uplinks, half of them across
}

void NetworkSummaryTest::loneMachineHasItsScaleUp() {
    FacilityScene scene;
    scene.node("dgx", "dgx_h100", 1);
    const NetworkEstimate network = estimateNetwork(scene.context());
    QCOMPARE(network.tiers.size(), std::size_t(1));
    QVERIFY(near(network.bisection.value, 4 * network.tiers[0].bandwidthPerDevice, 1e-9));
    QCOMPARE(network.oversubscription.value, 1.0);
}

void NetworkSummaryTest::unconnectedHasNone() {
    FacilityScene scene;
    scene.node("dgx", "dgx_h100", 4);
    const NetworkEstimate network = estimateNetwork(scene.context());
    QCOMPARE(network.bisection.value, 0.0);
}

void NetworkSummaryTest::emptyDesignIsUnknown() {
    FacilityScene scene;
    const NetworkEstimate network = estimateNetwork(scene.context());
    QVERIFY(!network.bisection.known());
    QVERIFY(!network.oversubscription.known());
    QCOMPARE(network.cables, std::int64_t(0));
}

QTEST_GUILESS_MAIN(NetworkSummaryTest)
#include "network_summary_test.moc"
