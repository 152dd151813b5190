// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/cooling.h"
#include "estimators/facility/facility.h"
#include "tests/estimators/facility_scene.h"

#include <QTest>

#include <random>

using namespace cw;
using cw::test::FacilityScene;

namespace {

constexpr double cfm = 4.719474e-4; // m3/s

bool near(double a, double b, double relative) { return std::abs(a - b) <= relative * std::abs(b); }

std::vector<RackEstimate> racksOf(FacilityScene& scene) {
    EstimateContext& context = scene.context();
    return estimateRacks(context, estimatePower(context, {}, {}));
}

} // namespace

class RacksTest : public QObject {
    Q_OBJECT
private slots:
    void airAndWaterCarryHeat();
    void fourDgxInARack();
    void limitIsTheLeast_data();
    void limitIsTheLeast();
    void liquidGoesToCoolant();
    void liquidMachineOnAirIsNotOk();
    void rearDoorTakesTheAir();
    void fansThatMoveTooLittleMeanHotterAir();
    void oneMachinesFansDoNotCoolAnother();
    void machinesWithoutRackArePacked();
    void drawnMembersAreNotPackedTwice();
    void alikeStacksShareRacks();
    void everyMachineStandsSomewhere();
    void rackSystemIsItsOwnRack();
};

void RacksTest::airAndWaterCarryHeat() {
    QVERIFY(near(airflow(1000, 12), .069, .005)); // 1 kW at 12 K
    QVERIFY(near(airflow(1000, 12) / cfm, 146, .005));
    QVERIFY(near(airflow(40800, 20) / cfm, 3564, .002)); // CFM = 3412 kW/(1.085 ΔT °F)
    QVERIFY(near(airTemperatureRise(40800, airflow(40800, 20)), 20, 1e-12));
    QVERIFY(near(waterFlow(1000, 10), 1.43, .005)); // l/min
    QVERIFY(near(waterFlow(120e3, 10), 172, .005));
    QVERIFY(near(glycolFlow(1000, 10), 1.53, .02));
}

void RacksTest::fourDgxInARack() {
    FacilityScene scene;
    scene.node("dgx", "dgx_h100", 128);
    scene.rack("gpu racks", "rack_48u", 32, {{NodeId{"dgx"}, 4, 0}});
    scene.project().site.cooling = PartId{"cooling_air_in_row"};
    const std::vector<RackEstimate> racks = racksOf(scene);
    QCOMPARE(racks.size(), std::size_t(1));
    const RackEstimate& rack = racks[0];
    QCOMPARE(rack.count, std::int64_t(32));
    QCOMPARE(rack.power.value, 40800.0);
    QVERIFY(near(rack.airflow.value / cfm, 3564, .002));
    QCOMPARE(rack.inletC, 22.0);
    QVERIFY(near(rack.outlet.value, 42, 1e-9));
    QVERIFY(!rack.coolant);
    QCOMPARE(rack.unitsUsed, 32.0);
    QVERIFY(near(rack.weight.value, 180 + 4 * 130.5, 1e-9));
    QCOMPARE(rack.limit.value, 40000.0); // in-row air stops just below the four
    QVERIFY(!rack.ok);
}

void RacksTest::limitIsTheLeast_data() {
    QTest::addColumn<double>("own");
    QTest::addColumn<double>("site");
    QTest::addColumn<QString>("pdu");
    QTest::addColumn<int>("feeds");
    QTest::addColumn<double>("limit");
    QTest::newRow("cooling") << 0. << 0. << "" << 0 << 75000.;
    QTest::newRow("rack") << 20000. << 0. << "" << 0 << 20000.;
    QTest::newRow("site") << 50000. << 12000. << "" << 0 << 12000.;
    QTest::newRow("two feeds, one redundant") << 0. << 0. << "pdu_415_60_3" << 2 << 34500.;
    QTest::newRow("three feeds, two must do") << 0. << 0. << "pdu_415_30_3" << 3 << 34500.;
    QTest::newRow("four feeds") << 0. << 0. << "pdu_415_30_3" << 4 << 34500.;
    QTest::newRow("one feed") << 0. << 0. << "pdu_415_30_3" << 1 << 17250.;
}

void RacksTest::limitIsTheLeast() {
    QFETCH(double, own);
    QFETCH(double, site);
    QFETCH(QString, pdu);
    QFETCH(int, feeds);
    QFETCH(double, limit);
    FacilityScene scene;
    scene.node("dgx", "dgx_h100", 4);
    scene.rack("r", "rack_48u", 1, {{NodeId{"dgx"}, 4, 0}});
    Rack& rack = scene.alternative().racks[0];
    rack.cooling = PartId{"cooling_rdhx_active"};
    if (own > 0)
        rack.powerLimit = watts(own);
    if (site > 0)
        scene.project().site.rackPowerLimit = watts(site);
    rack.pdu = PartId{pdu.toStdString()};
    rack.pduCount = feeds;
    const RackEstimate estimate = racksOf(scene)[0];
    QCOMPARE(estimate.limit.value, limit);
    QCOMPARE(estimate.ok, 40800. <= limit);
}

void RacksTest::liquidGoesToCoolant() {
    FacilityScene scene;
    scene.node("nvl", "gb200_nvl72", 1);
    scene.rack("r", "rack_orv3_nvl72", 1, {{NodeId{"nvl"}, 1, 1}});
    scene.alternative().racks[0].cooling = PartId{"cooling_dlc_hybrid"};
    const RackEstimate rack = racksOf(scene)[0];
    QCOMPARE(rack.power.value, 132000.0);
    QVERIFY(rack.coolant.has_value());
    QVERIFY(near(rack.coolant->value, waterFlow(.85 * 132000, 10), 1e-9));
    QVERIFY(near(rack.airflow.value, airflow(.15 * 132000, 20), 1e-9));
    QVERIFY(near(rack.waterWatts, .85 * 132000, 1e-9));
}

void RacksTest::liquidMachineOnAirIsNotOk() {
    FacilityScene scene;
    scene.node("gpu", "smci_4126gs_mi355x", 1);
    scene.rack("r", "rack_48u", 1, {{NodeId{"gpu"}, 1, 0}});
    scene.alternative().racks[0].cooling = PartId{"cooling_air_contained"};
    const RackEstimate rack = racksOf(scene)[0];
    QVERIFY(rack.needsLiquid);
    QVERIFY(!rack.ok);
    scene.alternative().racks[0].cooling = PartId{"cooling_dlc_hybrid"};
    QVERIFY(racksOf(scene)[0].ok);
}

void RacksTest::rearDoorTakesTheAir() {
    FacilityScene scene;
    scene.node("dgx", "dgx_h100", 4);
    scene.rack("r", "rack_48u", 1, {{NodeId{"dgx"}, 4, 0}});
    scene.alternative().racks[0].cooling = PartId{"cooling_rdhx_active"};
    const RackEstimate rack = racksOf(scene)[0];
    QVERIFY(near(rack.airflow.value, airflow(40800, 20), 1e-9)); // the machines still blow
    QVERIFY(near(rack.coolant->value, waterFlow(40800, 10), 1e-9));
    QVERIFY(rack.ok);
}

void RacksTest::fansThatMoveTooLittleMeanHotterAir() {
    Server weak = *shippedCatalog().find<Server>(PartId{"dgx_h100"});
    weak.airflow = fromSi<CubicMetresPerSecond>(airflow(10200, 40));
    FacilityScene scene;
    scene.setCatalog(shippedCatalog().with({weak}, CatalogLayer::project));
    scene.node("dgx", "dgx_h100", 1);
    const RackEstimate rack = racksOf(scene)[0];
    QVERIFY(near(rack.outlet.value, 22 + 40, 1e-9));
}

void RacksTest::oneMachinesFansDoNotCoolAnother() {
    Server fans = *shippedCatalog().find<Server>(PartId{"dgx_h100"});
    fans.airflow = fromSi<CubicMetresPerSecond>(airflow(10200, 10)); // more than enough for itself
    FacilityScene scene;
    scene.setCatalog(shippedCatalog().with({fans}, CatalogLayer::project));
    scene.node("dgx", "dgx_h100", 1);
    scene.node("leaf", "qm9700", 8); // no figure of its fans
    scene.rack("r", "rack_48u", 1, {{NodeId{"dgx"}, 1, 0}, {NodeId{"leaf"}, 8, 0}});
    const RackEstimate rack = racksOf(scene)[0];
    QVERIFY(near(rack.airflow.value, airflow(rack.power.value, 20), 1e-9));
    QVERIFY(near(rack.outlet.value, 22 + 20, 1e-9));
}

void RacksTest::machinesWithoutRackArePacked() {
    FacilityScene scene;
    scene.node("dgx", "dgx_h100", 127);
    scene.project().site.cooling = PartId{"cooling_rdhx_active"}; // 75 kW: height is what limits, five of 8 U in 42
    const std::vector<RackEstimate> racks = racksOf(scene);
    QCOMPARE(racks.size(), std::size_t(2));
    QCOMPARE(racks[0].count, std::int64_t(25));
    QCOMPARE(racks[0].items[0].perRack, 5);
    QCOMPARE(racks[1].count, std::int64_t(1));
    QCOMPARE(racks[1].items[0].perRack, 2);
    QVERIFY(racks[0].automatic && racks[0].ok);
    scene.project().site.rackPowerLimit = watts(21000); // now power limits
    QCOMPARE(racksOf(scene)[0].items[0].perRack, 2);
    scene.project().site.rackPowerLimit = watts(5000); // less than one draws: stands alone, and is not all right
    const std::vector<RackEstimate> alone = racksOf(scene);
    QCOMPARE(alone[0].count, std::int64_t(127));
    QVERIFY(!alone[0].ok);
}

void RacksTest::drawnMembersAreNotPackedTwice() {
    FacilityScene scene;
    scene.node("dgx", "dgx_h100", 10);
    scene.rack("r", "rack_48u", 2, {{NodeId{"dgx"}, 4, 0}});
    scene.project().site.cooling = PartId{"cooling_rdhx_active"};
    const std::vector<RackEstimate> racks = racksOf(scene);
    QCOMPARE(racks.size(), std::size_t(2));
    QCOMPARE(racks[1].items[0].perRack, 2);
    QCOMPARE(racks[1].count, std::int64_t(1));
}

void RacksTest::alikeStacksShareRacks() {
    FacilityScene scene;
    for (int i = 0; i < 40; ++i)
        scene.node(qPrintable(QString("server%1").arg(i)), "dell_r760_8480", 1);
    scene.node("leaf", "sn2201", 1);
    scene.project().site.cooling = PartId{"cooling_rdhx_active"};
    const std::vector<RackEstimate> racks = racksOf(scene);
    QCOMPARE(racks.size(), std::size_t(2)); // 21 of 2 U, then 19 and the switch
    QCOMPARE(racks[0].items[0].perRack, 21);
    QCOMPARE(racks[1].items.size(), std::size_t(2));
    QVERIFY(near(racks[1].power.value, 19 * 1100 + 98, .2));
}

void RacksTest::everyMachineStandsSomewhere() {
    std::mt19937 random(7);
    const char* const parts[] = {"dgx_h100", "dgx_b200",           "dell_r760_8480", "head_1u",
                                 "qm9700",   "smci_4126gs_mi355x", "gb200_nvl72"};
    for (int round = 0; round < 40; ++round) {
        FacilityScene scene;
        std::int64_t machines = 0;
        for (int i = 0; i < 6; ++i) {
            const auto count = static_cast<std::int64_t>(1 + random() % 300);
            scene.node(qPrintable(QString("n%1").arg(i)), parts[random() % std::size(parts)], count);
            machines += count;
        }
        EstimateContext& context = scene.context();
        const PowerEstimate power = estimatePower(context, {}, {});
        std::int64_t standing = 0;
        double watts = 0;
        for (const RackEstimate& rack : estimateRacks(context, power)) {
            for (const RackItem& item : rack.items)
                standing += rack.count * item.perRack;
            watts += rack.power.value * static_cast<double>(rack.count);
            QVERIFY(rack.unitsUsed <= rack.units);
        }
        QCOMPARE(standing, machines);
        QVERIFY(near(watts, power.peak.value, 1e-9));
    }
}

void RacksTest::rackSystemIsItsOwnRack() {
    FacilityScene scene;
    scene.node("nvl", "gb200_nvl72", 8);
    const std::vector<RackEstimate> racks = racksOf(scene);
    QCOMPARE(racks.size(), std::size_t(1));
    QCOMPARE(racks[0].count, std::int64_t(8));
    QVERIFY(near(racks[0].power.value * 8, 1.056e6, 1e-9)); // vendor's 1.2 MW for eight includes the shared network
    QVERIFY(!racks[0].needsLiquid);
}

QTEST_GUILESS_MAIN(RacksTest)
#include "racks_test.moc"
