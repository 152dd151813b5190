// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/cabling.h"
#include "estimators/facility/cost_terms.h"
#include "estimators/facility/facility.h"
#include "estimators/facility/prices.h"
#include "estimators/facility/workload_shares.h"
#include "tests/estimators/facility_scene.h"

#include <QTest>

using namespace cw;
using cw::test::FacilityScene;
using cw::test::named;

namespace {

bool near(double a, double b, double relative = 1e-9) { return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b)); }

CostEstimate costOf(FacilityScene& scene, std::vector<Activity> activity = {}) {
    EstimateContext& context = scene.context();
    const PowerEstimate power = estimatePower(context, activity, {});
    const std::vector<RackEstimate> racks = estimateRacks(context, power);
    return estimateCost(context, power, racks, {});
}

Quantity rentOf(const char* part, Procurement procurement, const char* book = "") {
    FacilityScene scene;
    scene.node("n", part, 1);
    scene.alternative().nodes[0].priceBook = PartId{book};
    EstimateContext& context = scene.context();
    return rentPerHour(context, context.design.machines[0], procurement);
}

Workload serving(const char* id) {
    Workload workload;
    workload.id = WorkloadId{id};
    workload.spec = LlmServing{};
    return workload;
}

} // namespace

class CostTest : public QObject {
    Q_OBJECT
private slots:
    void capitalRecoveryFactor();
    void linesSumToCapexAndYearToHour();
    void missingPricePoisonsVisibly();
    void rentMatchesTheSameDevices();
    void rentPrefersWhatIsNamed();
    void seedRowsOnlyWhenNamed();
    void rentedNetworkComesWithTheMachines();
    void onDemandIsPaidForHoursInUse();
    void energyIsPaidForOwnMachinesOnly();
    void horizonWithoutInterest();
    void cableKindFollowsLength_data();
    void cableKindFollowsLength();
    void coolantUnitsForColdPlates();
    void billedTraffic();
    void sharesAddUpToOne();
    void pipelineCarriesItsStages();
    void fieldCaseA9();
};

void CostTest::capitalRecoveryFactor() {
    QVERIFY(near(capitalRecovery(.08, 4), .301921, 1e-5));
    QVERIFY(near(capitalRecovery(.05, 10), .129505, 1e-5));
    QVERIFY(near(capitalRecovery(0, 5), .2));
    QVERIFY(near(capitalRecovery(1e-9, 5), .2, 1e-6));
}

void CostTest::linesSumToCapexAndYearToHour() {
    FacilityScene scene;
    scene.node("gpu", "dgx_h100", 32);
    scene.node("leaf", "qm9700", 8);
    scene.node("head", "head_1u", 2);
    scene.link("gpu", "leaf", "ib_ndr", Pattern::rail, 8);
    scene.rack("r", "rack_48u", 8, {{NodeId{"gpu"}, 4, 0}});
    scene.alternative().racks[0].pdu = PartId{"pdu_415_60_3"};
    scene.project().site.spaceDollarsPerKwMonth = 150;
    scene.project().site.staffDollarsPerYear = 1e5;
    const CostEstimate cost = costOf(scene, {{.node = 0, .compute = .9, .cpu = .2}});
    double lines = 0, categories = 0, yearly = 0;
    for (const CostLine& line : cost.lines) {
        QVERIFY(near(line.total.value, static_cast<double>(line.quantity) * line.unitPrice.value));
        lines += line.total.value;
    }
    for (const NamedQuantity& q : cost.byCategory)
        categories += q.quantity.value;
    for (const NamedQuantity& q : cost.yearly)
        yearly += q.quantity.value;
    QVERIFY(near(lines, cost.capex.value));
    QVERIFY(near(categories, cost.capex.value));
    QVERIFY(near(yearly, cost.perHour.value * 8760));
    QVERIFY(near(named(cost.yearly, "capital")->value + cost.opexPerYear.value, yearly));
    QVERIFY(near(named(cost.yearly, "capital")->value, cost.capex.value * capitalRecovery(.08, 4)));
    QVERIFY(near(cost.tco.value, cost.capex.value + cost.opexPerYear.value / capitalRecovery(.08, 4)));
    for (const char* category : {"servers", "switches", "cables", "racks", "power", "installation", "spares"})
        QVERIFY2(named(cost.byCategory, category) && named(cost.byCategory, category)->value > 0, category);
    const double head = si(shippedCatalog().find<Server>(PartId{"head_1u"})->price->low +
                           shippedCatalog().find<Server>(PartId{"head_1u"})->price->high) /
        2;
    QVERIFY(near(named(cost.byCategory, "servers")->value, 32 * 345000. + 2 * head)); // 270 to 420 thousand each
    QVERIFY(cost.capex.low < cost.capex.value && cost.capex.value < cost.capex.high);
    QVERIFY(near(cost.buyPerHour->value, cost.perHour.value));
}

void CostTest::missingPricePoisonsVisibly() {
    Server unpriced = *shippedCatalog().find<Server>(PartId{"dgx_h100"});
    unpriced.price.reset();
    FacilityScene scene;
    scene.setCatalog(shippedCatalog().with({unpriced}, CatalogLayer::project));
    scene.node("gpu", "dgx_h100", 4);
    scene.node("head", "head_1u", 1);
    const CostEstimate cost = costOf(scene);
    QVERIFY(!cost.capex.known());
    QVERIFY(!cost.perHour.known());
    QVERIFY(named(cost.yearly, "energy")->known()); // only what rests on the price is unknown
    FacilityScene unknown;
    unknown.node("what", "no_such_part", 1);
    QVERIFY(!costOf(unknown).capex.known());
    unknown.alternative().nodes[0].count = 0;
    QVERIFY(costOf(unknown).capex.known());
}

void CostTest::rentMatchesTheSameDevices() {
    const Quantity h100 = rentOf("dgx_h100", Procurement::onDemand);
    QVERIFY(h100.value > 20 && h100.value < 99);
    QVERIFY(h100.low < h100.value && h100.value < h100.high);
    const Quantity nvl = rentOf("gb200_nvl72", Procurement::onDemand); // 4 GPUs at 42, 2 at 9.08 USD/h
    QVERIFY(near(nvl.low, 36 * 9.08) && near(nvl.high, 18 * 42.));
    const Quantity cpu = rentOf("dell_r760_8480", Procurement::onDemand); // 112 cores against 96 of the Xeon instances
    QVERIFY(cpu.value > 8 && cpu.value < 16);
    QVERIFY(rentOf("dgx_h100", Procurement::reserved).value < h100.value);
    QVERIFY(!rentOf("gaudi3_8x", Procurement::onDemand).known());
}

void CostTest::rentPrefersWhatIsNamed() {
    QCOMPARE(rentOf("aws_p5_48xl_2026", Procurement::onDemand).value, 55.04);
    QVERIFY(near(rentOf("dgx_h100", Procurement::onDemand, "crusoe_1x_h100").value, 8 * 3.9));
    const Quantity spot = rentOf("azure_nd96asr_a100_v4", Procurement::spot);
    QVERIFY(spot.low <= 8.1917 + 1e-9 && spot.value >= spot.low);
    const Quantity ruled = rentOf("aws_p5_48xl_2026", Procurement::reserved); // no such price: on demand × .65
    QVERIFY(near(ruled.value, 55.04 * .65) && near(ruled.low, 55.04 * .5) && near(ruled.high, 55.04 * .75));
    QVERIFY(!rentOf("dgx_h100", Procurement::onDemand, "no_such_book").known());
}

void CostTest::seedRowsOnlyWhenNamed() {
    // 8-node cluster at 150 USD/h: 18.75 for each of its machines. A seed's number never enters a market median.
    QVERIFY(near(rentOf("dgx_h100", Procurement::onDemand, "seed_h100_8node").value, 18.75));
    const Quantity market = rentOf("dgx_h100", Procurement::onDemand);
    QVERIFY(market.low > 18.75);
    QVERIFY(market.value != 58.32);
}

void CostTest::rentedNetworkComesWithTheMachines() {
    FacilityScene scene;
    scene.node("gpu", "dgx_h100", 8);
    scene.node("leaf", "qm9700", 8);
    scene.link("gpu", "leaf", "ib_ndr", Pattern::rail, 8);
    scene.alternative().procurement = Procurement::reserved;
    const CostEstimate cost = costOf(scene);
    QVERIFY(cost.lines.empty());
    QCOMPARE(cost.capex.value, 0.0);
    QCOMPARE(named(cost.yearly, "energy")->value, 0.0);
    QVERIFY(near(cost.perHour.value, named(cost.yearly, "rent")->value / 8760));
    QVERIFY(near(cost.rentPerHour->value, cost.perHour.value));
    QVERIFY(cost.buyPerHour->known() && cost.buyPerHour->value > 0);
    FacilityScene bought;
    bought.node("gpu", "dgx_h100", 8);
    bought.node("leaf", "qm9700", 8);
    bought.link("gpu", "leaf", "ib_ndr", Pattern::rail, 8);
    QVERIFY(near(costOf(bought).perHour.value, cost.buyPerHour->value));
}

void CostTest::onDemandIsPaidForHoursInUse() {
    FacilityScene scene;
    scene.node("gpu", "aws_p5_48xl_2026", 2);
    scene.project().workloads.push_back(serving("chat"));
    Placement placement;
    placement.id = PlacementId{"p"};
    placement.workload = WorkloadId{"chat"};
    placement.nodes = {NodeId{"gpu"}};
    scene.alternative().placements.push_back(placement);
    scene.project().site.utilisation = .25;
    QVERIFY(near(costOf(scene).perHour.value, 2 * 55.04 * .25));
    scene.project().workloads[0].load.duty = .5; // its own profile counts before the site's figure
    QVERIFY(near(costOf(scene).perHour.value, 2 * 55.04 * .5));
    scene.alternative().nodes[0].procurement = Procurement::reserved;
    QVERIFY(near(costOf(scene).perHour.value, 2 * 55.04 * .65));
    scene.alternative().placements.clear(); // nothing runs, but it is not switched off by itself
    scene.alternative().nodes[0].procurement = Procurement::onDemand;
    QVERIFY(near(costOf(scene).perHour.value, 2 * 55.04));
}

void CostTest::energyIsPaidForOwnMachinesOnly() {
    FacilityScene scene;
    scene.node("own", "dgx_h100", 1);
    scene.node("rented", "dgx_h100", 3);
    scene.alternative().nodes[1].procurement = Procurement::reserved;
    scene.project().site.energyPrice = .1;
    EstimateContext& context = scene.context();
    const PowerEstimate power = estimatePower(context, {}, {});
    const CostEstimate cost = estimateCost(context, power, estimateRacks(context, power), {});
    QVERIFY(near(named(cost.yearly, "energy")->value, power.energyPerYear.value * .1 / 4));
}

void CostTest::horizonWithoutInterest() {
    FacilityScene scene;
    scene.node("head", "head_1u", 1);
    scene.project().site.discountRate = 0;
    scene.project().site.horizonYears = 5;
    const CostEstimate cost = costOf(scene);
    QVERIFY(near(cost.tco.value, cost.capex.value + 5 * cost.opexPerYear.value));
    QVERIFY(near(cost.perHour.value * 8760 * 5, cost.tco.value));
}

void CostTest::cableKindFollowsLength_data() {
    QTest::addColumn<double>("length");
    QTest::addColumn<QString>("type");
    QTest::newRow("2 m") << 2. << "DAC";
    QTest::newRow("4 m") << 4. << "ACC";
    QTest::newRow("20 m") << 20. << "AOC";
    QTest::newRow("200 m") << 200. << "optic 400G SR4/DR4";
}

void CostTest::cableKindFollowsLength() {
    QFETCH(double, length);
    QFETCH(QString, type);
    FacilityScene scene;
    scene.node("gpu", "dgx_h100", 8);
    scene.node("leaf", "qm9700", 8);
    scene.link("gpu", "leaf", "ib_ndr", Pattern::rail, 8);
    scene.alternative().links[0].length = metres(length);
    const Cabling cabling(scene.context().design);
    QCOMPARE(QString::fromStdString(cabling.run(0).cable->type), type);
    QCOMPARE(cabling.run(0).modules, type.startsWith("optic") ? 2 : 1);
    QVERIFY(!cabling.run(0).tooLong);
    scene.alternative().links[0].length = metres(5000);
    QVERIFY(Cabling(scene.context().design).run(0).tooLong);
}

void CostTest::coolantUnitsForColdPlates() {
    FacilityScene scene;
    scene.node("nvl", "gb200_nvl72", 8);
    const CostEstimate cost = costOf(scene);
    const auto unit =
        std::find_if(cost.lines.begin(), cost.lines.end(), [](const CostLine& l) { return l.category == "cooling"; });
    QVERIFY(unit != cost.lines.end());
    QCOMPARE(unit->quantity, std::int64_t(4)); // 8 · 112.2 kW over units of 250 kW
    QVERIFY(!named(cost.byCategory, "racks")); // the system is its own rack
}

void CostTest::billedTraffic() {
    FacilityScene scene;
    scene.node("a", "dell_r760_8480", 1);
    scene.node("b", "dell_r760_8480", 1);
    scene.link("a", "b", "cross_az", Pattern::pair, 1);
    scene.project().workloads.push_back(serving("w"));
    scene.project().site.utilisation = .5;
    EstimateContext& context = scene.context();
    LinkLoad load;
    load.link = LinkId{"link0"};
    load.shares.push_back({WorkloadId{"w"}, "requests", 1e6, 1e6});
    const Quantity bill = transferPerYear(context, std::array{load});
    QVERIFY(near(bill.value, 2e6 * .5 * 8760 * 3600 / 1e9 * .01));
}

void CostTest::sharesAddUpToOne() {
    Project project;
    project.workloads = {serving("a"), serving("b"), serving("c")};
    std::vector<WorkloadResult> results(3);
    results[0].activity = {{.node = 0, .compute = .5}, {.node = 1, .compute = 1}};
    results[1].activity = {{.node = 0, .compute = .25}};
    const std::vector<double> shares = workloadShares(project, results, std::array{300., 100., 50.});
    QVERIFY(near(shares[0] + shares[1] + shares[2], 1));
    QVERIFY(near(shares[0], 300. / 400)); // two thirds of 300, all of 100, over the 400 that have users
    QCOMPARE(shares[2], 0.0);
    const std::vector<double> unpriced = workloadShares(project, results, std::array{0., 0., 0.});
    QVERIFY(near(unpriced[0] + unpriced[1], 1));
}

void CostTest::pipelineCarriesItsStages() {
    Project project;
    project.workloads = {serving("a"), serving("b"), serving("pipe")};
    Pipeline pipeline;
    for (const char* id : {"a", "b", "a"}) {
        Pipeline::Stage stage;
        stage.workload = WorkloadId{id};
        pipeline.stages.push_back(stage);
    }
    project.workloads[2].spec = pipeline;
    std::vector<WorkloadResult> results(3);
    results[0].activity = {{.node = 0, .compute = 1}};
    results[1].activity = {{.node = 1, .compute = 1}};
    const std::vector<double> shares = workloadShares(project, results, std::array{30., 10.});
    QVERIFY(near(shares[0], .75) && near(shares[1], .25) && near(shares[2], 1));
}

/// 16 GPU nodes and 200 CPU nodes at the report's own prices: 609 and 1,638 USD/h.
void CostTest::fieldCaseA9() {
    const auto hourly = [](const char* part, std::int64_t count, const char* book) {
        FacilityScene scene;
        scene.node("n", part, count);
        scene.alternative().procurement = Procurement::reserved;
        scene.alternative().nodes[0].priceBook = PartId{book};
        return costOf(scene).perHour.value;
    };
    QVERIFY(near(hourly("dgx_h100", 16, "seed_p5_48xl"), 609, .002));
    QVERIFY(near(hourly("aws_c7i_48xl", 200, "seed_c7i_48xl"), 1638, .002));
}

QTEST_GUILESS_MAIN(CostTest)
#include "cost_test.moc"
