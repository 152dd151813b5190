// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/facility.h"
#include "estimators/facility/facility_constants.h"
#include "estimators/facility/machine_power.h"
#include "tests/estimators/facility_scene.h"

#include <QTest>

using namespace cw;
using cw::test::FacilityScene;

namespace {

constexpr DeviceLoad training{.compute = .85, .waiting = .15, .cpu = .3};

MachinePowerModel modelOf(FacilityScene& scene, const char* part, std::optional<double> cap = {}) {
    scene.node("machine", part, 1);
    if (cap)
        scene.alternative().nodes[0].gpuPowerCap = watts(*cap);
    const EstimateContext& context = scene.context();
    return MachinePowerModel(context.design.machines[0], context.catalog);
}

/// A shipped server with other idle power and cooling, as the measured one had.
Catalog variant(const char* id, double idleWatts, double liquidShare) {
    Server server = *shippedCatalog().find<Server>(PartId{id});
    server.powerIdle = watts(idleWatts);
    server.liquidHeatFraction = liquidShare;
    return shippedCatalog().with({server}, CatalogLayer::project);
}

} // namespace

class PowerTest : public QObject {
    Q_OBJECT
private slots:
    void suppliesLoseMoreWithLoad();
    void gpuShareIsBoundedAndRises();
    void partsSumToTheWall();
    void publishedNodePower_data();
    void publishedNodePower();
    void decodeDrawsLessThanPrefill();
    void waitingDrawsLessThanWorking();
    void publishedServerPower_data();
    void publishedServerPower();
    void capLimitsGpuAndPeak();
    void byPartSumsToFacility();
    void stackEqualsItsMembers();
    void sharedStackIsNotBusierThanAlways();
    void modulesCountAtSwitchesOnly();
    void pueFollowsSiteThenCooling();
    void yearFollowsUtilisation();
    void sumWithAnUnknownPartIsUnknown();
};

void PowerTest::suppliesLoseMoreWithLoad() {
    for (const char* subject : {"titanium", "platinum", "gold"}) {
        const SupplyCurve curve(constantsOf(shippedCatalog(), "psu_efficiency", subject), 10000);
        double previous = 0;
        for (double inside = 0; inside <= 11000; inside += 100) {
            const double wall = curve.wall(inside);
            QVERIFY(wall > inside);
            QVERIFY(wall > previous);
            QVERIFY(std::abs(curve.inside(wall) - inside) < 1e-6);
            previous = wall;
        }
    }
    const SupplyCurve titanium(constantsOf(shippedCatalog(), "psu_efficiency", "titanium"), 1000);
    QCOMPARE(500 / titanium.wall(500), .96);
    QCOMPARE(200 / titanium.wall(200), .94);
}

void PowerTest::gpuShareIsBoundedAndRises() {
    const Constants& set = constantsOf(shippedCatalog(), "power_model", "gpu");
    QCOMPARE(gpuPowerShare(set, {}), 0.0);
    double previous = 0;
    for (double u = .05; u <= 1; u += .05) {
        const double share = gpuPowerShare(set, {.compute = u});
        QVERIFY(share > previous && share <= 1);
        QVERIFY(gpuPowerShare(set, {.memory = u}) < share);
        QVERIFY(gpuPowerShare(set, {.waiting = u}) < gpuPowerShare(set, {.memory = u}));
        previous = share;
    }
    QVERIFY(gpuPowerShare(set, {.compute = 1, .memory = 1, .waiting = 1}) <= 1);
}

void PowerTest::partsSumToTheWall() {
    for (const char* part :
         {"dgx_h100", "gb200_nvl72", "dell_r760_8480", "nvme_2u_storage", "aws_p5_48xl_2026", "aws_c7i_48xl", "h100_sxm"}) {
        FacilityScene scene;
        const MachinePowerModel model = modelOf(scene, part);
        QVERIFY2(model.known(), part);
        const MachinePower p = model.at(training);
        const double sum = p.gpu + p.cpu + p.storage + p.other + p.fans + p.supply;
        QVERIFY2(std::abs(sum - p.wall()) < 1e-9 * sum, part);
        for (const double place : {p.gpu, p.cpu, p.storage, p.other, p.fans, p.supply})
            QVERIFY2(place >= 0, part);
        QVERIFY2(model.at({}).wall() < p.wall() && p.wall() <= model.full().wall() * (1 + 1e-9), part);
        QVERIFY2(model.full().wall() <= model.peak() * 1.03, part);
    }
}

/// Mean wall power of whole nodes: MLPerf power results and published runs (estimators.md 2.6).
void PowerTest::publishedNodePower_data() {
    QTest::addColumn<QString>("part");
    QTest::addColumn<double>("idle");
    QTest::addColumn<double>("liquid");
    QTest::addColumn<DeviceLoad>("load");
    QTest::addColumn<double>("measured");
    QTest::newRow("XE9680, air, LLM training") << "dell_xe9680_h100" << 2300.0 << 0.0 << training << 7180.0;
    QTest::newRow("8xH100 immersion, GPT-3 on 64 nodes")
        << "dgx_h100" << 1500.0 << 1.0 << DeviceLoad{.compute = .8, .waiting = .2, .cpu = .3} << 6850.0;
    QTest::newRow("8xB200 liquid, training") << "dgx_b200" << 2360.0 << 1.0 << training << 9800.0;
    QTest::newRow("8xH100 typical, 76 % of the rating") << "dgx_h100" << 2300.0 << 0.0 << training << 7750.0;
    QTest::newRow("8xH100 measured maximum") << "dgx_h100" << 2300.0 << 0.0 << DeviceLoad{.compute = 1, .cpu = .5} << 8400.0;
}

void PowerTest::publishedNodePower() {
    QFETCH(QString, part);
    QFETCH(double, idle);
    QFETCH(double, liquid);
    QFETCH(DeviceLoad, load);
    QFETCH(double, measured);
    FacilityScene scene;
    scene.setCatalog(variant(part.toUtf8().constData(), idle, liquid));
    scene.node("machine", part.toUtf8().constData(), 1);
    const EstimateContext& context = scene.context();
    const MachinePowerModel model(context.design.machines[0], context.catalog);
    QVERIFY(std::abs(model.at({}).wall() / idle - 1) < 1e-6);
    const double error = model.at(load).wall() / measured - 1;
    QVERIFY2(std::abs(error) < .08, qPrintable(QString("%1 W, %2 %").arg(model.at(load).wall()).arg(100 * error)));
}

void PowerTest::decodeDrawsLessThanPrefill() {
    // Splitwise on A100: decode at .59 to .79 of TDP on average, prefill near .85 and more.
    FacilityScene scene;
    const MachinePowerModel model = modelOf(scene, "dgx_a100_640");
    const auto ofTdp = [&](const DeviceLoad& load) { return model.at(load).gpu / 8 / 400; };
    QVERIFY(ofTdp({.memory = .9}) > .55 && ofTdp({.memory = .9}) < .79);
    QVERIFY(ofTdp({.compute = .95}) > .8 && ofTdp({.compute = .95}) <= 1);
}

void PowerTest::waitingDrawsLessThanWorking() {
    // The same LoRA job: 7.17 kW on one node, 5.21 kW spread over 64 where it mostly waits for others.
    FacilityScene scene;
    const MachinePowerModel model = modelOf(scene, "dell_xe9680_h100");
    const double one = model.at({.compute = .85, .waiting = .15, .cpu = .3}).wall();
    const double many = model.at({.compute = .4, .waiting = .6, .cpu = .3}).wall();
    QVERIFY2(std::abs(many / one - 5.21 / 7.17) < .08, qPrintable(QString::number(many / one)));
}

/// SPECpower_ssj2008, two sockets at 100 %, W.
void PowerTest::publishedServerPower_data() {
    QTest::addColumn<QString>("part");
    QTest::addColumn<double>("idle");
    QTest::addColumn<double>("full");
    QTest::newRow("Xeon 8480+") << "dell_r760_8480" << 147.0 << 836.0;
    QTest::newRow("EPYC 9654") << "dell_r7625_9654" << 115.0 << 630.0;
    QTest::newRow("EPYC 9965") << "dell_r7725_9965" << 138.0 << 861.0;
    QTest::newRow("Xeon 6980P") << "dell_r770ap_6980p" << 241.0 << 1185.0;
}

void PowerTest::publishedServerPower() {
    QFETCH(QString, part);
    QFETCH(double, idle);
    QFETCH(double, full);
    FacilityScene scene;
    const MachinePowerModel model = modelOf(scene, part.toUtf8().constData());
    QVERIFY(std::abs(model.at({}).wall() / idle - 1) < .1);
    QVERIFY2(std::abs(model.at({.cpu = 1}).wall() / full - 1) < .1, qPrintable(QString::number(model.at({.cpu = 1}).wall())));
    const double half = model.at({.cpu = .5}).wall();
    QVERIFY(half > (idle + full) / 2 * .95 && half < full);
}

void PowerTest::capLimitsGpuAndPeak() {
    FacilityScene free, capped;
    const MachinePowerModel all = modelOf(free, "dgx_h100"), half = modelOf(capped, "dgx_h100", 350);
    QCOMPARE(half.gpuCap(), 350.0);
    QVERIFY(half.at({.compute = 1}).gpu <= 8 * 350 + 1e-9);
    QCOMPARE(half.at({}).wall(), all.at({}).wall());
    QVERIFY(half.peak() < all.peak() - 8 * 350);
    QCOMPARE(all.peak(), 10200.0);
    FacilityScene silly;
    QCOMPARE(modelOf(silly, "dgx_h100", 5).gpuCap(), 68.0); // never below idle
}

void PowerTest::byPartSumsToFacility() {
    FacilityScene scene;
    scene.node("gpu", "dgx_h100", 32);
    scene.node("leaf", "qm9700", 8);
    scene.node("head", "head_1u", 2);
    scene.node("store", "nvme_2u_storage", 4);
    scene.link("gpu", "leaf", "ib_ndr", Pattern::rail, 8);
    EstimateContext& context = scene.context();
    const Activity activity[] = {{.node = 0, .compute = .8, .waiting = .1, .cpu = .2}};
    const PowerEstimate power = estimatePower(context, activity, {});
    double sum = 0;
    for (const NamedQuantity& q : power.byPart)
        sum += q.quantity.value;
    QVERIFY(std::abs(sum / power.facility.value - 1) < 1e-9);
    double nodes = 0;
    for (const NodePower& node : power.nodes)
        nodes += node.expected.value;
    QVERIFY(std::abs(nodes / power.it.value - 1) < 1e-9);
    QVERIFY(power.idle.value < power.it.value && power.it.value < power.peak.value);
    QVERIFY(std::abs(power.facility.value / power.it.value / power.pue.value - 1) < 1e-9);
    for (const char* part : {"gpu", "cpu", "switches", "optics", "fans", "storage", "other", "cooling", "distribution"})
        QVERIFY2(test::named(power.byPart, part) && test::named(power.byPart, part)->value > 0, part);
    QVERIFY(power.facility.low < power.facility.value && power.facility.value < power.facility.high);
}

void PowerTest::stackEqualsItsMembers() {
    const auto total = [](bool stacked) {
        FacilityScene scene;
        std::vector<Activity> activity;
        for (int i = 0; i < (stacked ? 1 : 6); ++i) {
            scene.node(qPrintable(QString("n%1").arg(i)), "dgx_h100", stacked ? 6 : 1);
            activity.push_back({.node = static_cast<std::uint32_t>(i), .compute = .6, .memory = .2, .cpu = .1});
        }
        const PowerEstimate power = estimatePower(scene.context(), activity, {});
        return std::array{power.it.value, power.peak.value, power.idle.value, power.energyPerYear.value};
    };
    const auto lumped = total(true), single = total(false);
    for (std::size_t i = 0; i < lumped.size(); ++i)
        QVERIFY(std::abs(lumped[i] / single[i] - 1) < 1e-12);
}

void PowerTest::sharedStackIsNotBusierThanAlways() {
    FacilityScene scene;
    scene.node("gpu", "dgx_h100", 4);
    EstimateContext& context = scene.context();
    const Activity full{.node = 0, .compute = 1, .cpu = 1};
    const double once = estimatePower(context, std::array{full}, {}).it.value;
    const double twice = estimatePower(context, std::array{full, full}, {}).it.value;
    QCOMPARE(once, twice);
    Activity half = full;
    half.share = .5;
    const double parts = estimatePower(context, std::array{half, half}, {}).it.value;
    QCOMPARE(parts, once);
    const double alone = estimatePower(context, std::array{half}, {}).it.value;
    const double idle = estimatePower(context, {}, {}).it.value;
    QVERIFY(std::abs(alone - (once + idle) / 2) < 1e-6 * once);
}

void PowerTest::modulesCountAtSwitchesOnly() {
    FacilityScene scene;
    scene.node("gpu", "dgx_h100", 8);
    scene.node("leaf", "qm9700", 8);
    scene.link("gpu", "leaf", "ib_ndr", Pattern::rail, 8);
    scene.alternative().links[0].length = metres(25); // active optical: 8 W an end
    const PowerEstimate power = estimatePower(scene.context(), {}, {});
    QCOMPARE(test::named(power.byPart, "optics")->value, 64 * 8.0);
    scene.alternative().links[0].length = metres(2); // copper
    QVERIFY(std::abs(test::named(estimatePower(scene.context(), {}, {}).byPart, "optics")->value - 64 * .1) < 1e-9);
}

void PowerTest::pueFollowsSiteThenCooling() {
    FacilityScene scene;
    scene.node("gpu", "dgx_h100", 4);
    scene.project().site.cooling = PartId{"cooling_dlc_full"};
    QCOMPARE(estimatePower(scene.context(), {}, {}).pue.value, 1.1);
    scene.project().site.pue = 1.25;
    const PowerEstimate power = estimatePower(scene.context(), {}, {});
    QCOMPARE(power.pue.value, 1.25);
    QVERIFY(std::abs(power.facility.value / power.it.value - 1.25) < 1e-12);
    scene.project().site.pue = 1.0; // no room for losses: the parts must still add up
    const PowerEstimate none = estimatePower(scene.context(), {}, {});
    double sum = 0;
    for (const NamedQuantity& q : none.byPart)
        sum += q.quantity.value;
    QVERIFY(std::abs(sum / none.it.value - 1) < 1e-9);
}

void PowerTest::yearFollowsUtilisation() {
    FacilityScene scene;
    scene.node("gpu", "dgx_h100", 1);
    scene.project().site.pue = 1.0;
    Activity busy{.node = 0, .compute = 1, .cpu = .2};
    const auto yearly = [&](double share) {
        busy.ofYear = share;
        return estimatePower(scene.context(), std::array{busy}, {}).energyPerYear.value;
    };
    const PowerEstimate power = estimatePower(scene.context(), std::array{busy}, {});
    QVERIFY(std::abs(yearly(1) - power.it.value * 8.76) < 1e-6 * yearly(1));
    QVERIFY(std::abs(yearly(0) - power.idle.value * 8.76) < 1e-6 * yearly(1));
    QVERIFY(std::abs(yearly(.25) - (.25 * yearly(1) + .75 * yearly(0))) < 1e-6 * yearly(1));
}

void PowerTest::sumWithAnUnknownPartIsUnknown() {
    FacilityScene scene;
    scene.node("gpu", "dgx_h100", 2);
    scene.node("what", "no_such_part", 5);
    const PowerEstimate power = estimatePower(scene.context(), {}, {});
    QCOMPARE(power.nodes.size(), std::size_t(1));
    QVERIFY(power.nodes[0].expected.known());
    for (const Quantity& sum : {power.it, power.idle, power.peak, power.facility, power.energyPerYear})
        QVERIFY(!sum.known());
}

QTEST_GUILESS_MAIN(PowerTest)
#include "power_test.moc"
