// SPDX-License-Identifier: GPL-3.0-or-later
//
// Load over the day: machines that follow it, what that costs and draws, and the crossovers of the field cases (CPU against GPU by duty,
// rent against purchase, rate at which one GPU replaces several CPUs). Found by estimating again, compared with the arithmetic.
#include "estimators/load_study.h"
#include "estimators/services/load_profile.h"
#include "tests/estimators/workload_scene.h"

#include <QtTest>

#include <cmath>
#include <numeric>

using namespace cw;
using namespace cw::test;

namespace {

double sum(const Day& day) { return std::accumulate(day.begin(), day.end(), 0.); }

LoadProfile ramp() {
    LoadProfile load;
    for (int hour = 0; hour < 24; ++hour)
        load.hourly.push_back((hour + 1) / 24.);
    return load;
}

Service work(double rate) {
    Service spec;
    spec.cpuTime = milliseconds(100);
    spec.arrivalRate = rate;
    return spec;
}

/// Two ways to run a service: some machines of each kind, paid as said.
struct TwoWays : WorkloadScene {
    TwoWays(const char* first, int firstCount, Procurement firstPaid, const char* second, int secondCount, Procurement secondPaid) {
        project().site.installationFraction = project().site.spareFraction = 0;
        project().site.supportFractionPerYear = project().site.staffDollarsPerYear = 0;
        workload("web", work(100));
        project().alternatives.emplace_back();
        draw(project().alternatives[0], "one", first, firstCount, firstPaid);
        draw(project().alternatives[1], "two", second, secondCount, secondPaid);
    }
    static void draw(Alternative& alternative, const char* id, const char* part, int count, Procurement paid) {
        alternative.id = AlternativeId(id);
        alternative.name = id;
        alternative.procurement = paid;
        Node node;
        node.id = NodeId("n");
        node.name = "n";
        node.part = PartId(part);
        node.count = count;
        alternative.nodes.push_back(node);
        Placement placement;
        placement.id = PlacementId("p");
        placement.workload = WorkloadId("web");
        placement.nodes = {NodeId("n")};
        alternative.placements.push_back(placement);
    }
    AlternativeEstimate estimateOf(std::size_t index) {
        return estimate(project(), project().alternatives[index], catalog());
    }
};

} // namespace

class LoadOverDayTest : public QObject {
    Q_OBJECT

private slots:
    void fixedRunsAlways();
    void whileUsedFollowsDuty();
    void autoscalingFollowsTheHours();
    void toZeroStartsCold();
    void startsArePaid();
    void oneMachineCannotScale();
    void badProfiles_data();
    void badProfiles();
    void rentFollowsTheScaling();
    void boughtMachinesSaveEnergyOnly();
    void dutyAtWhichBurstingBeatsFixed();
    void utilisationAtWhichBuyingBeatsRenting();
    void rateAtWhichTheOtherIsCheaper();
    void studiesOfNothing();
};

void LoadOverDayTest::fixedRunsAlways() {
    const DayPlan plan = dayPlan(ramp(), .3, Scaling::fixed, {10, .8, 600});
    QCOMPARE(sum(plan.running), 24.);
    QCOMPARE(plan.paid, 1.);
    QCOMPARE(plan.starts, 0.);
    QVERIFY(!plan.coldStarts);
}

void LoadOverDayTest::whileUsedFollowsDuty() {
    const DayPlan plan = dayPlan({}, .3, Scaling::whileUsed, {10, .8, 600});
    QVERIFY(std::abs(plan.paid - .3) < 1e-12);
    QCOMPARE(sum(plan.load), 24.);
}

void LoadOverDayTest::autoscalingFollowsTheHours() {
    const Fleet fleet{12, .5, 0}; // half of the machines would do at the peak
    const DayPlan plan = dayPlan(ramp(), 1, Scaling::autoscaled, fleet);
    double expected = 0;
    for (int hour = 0; hour < 24; ++hour) {
        const double machines = std::max(1., std::ceil(12 * .5 * (hour + 1) / 24. - 1e-9));
        QVERIFY(std::abs(plan.running[static_cast<std::size_t>(hour)] - machines / 12) < 1e-12);
        expected += machines / 12 / 24;
    }
    QVERIFY(std::abs(plan.paid - expected) < 1e-12);
    QVERIFY(std::abs(plan.starts - (6 - 1) / 12.) < 1e-12); // up once a day
    const DayPlan partly = dayPlan(ramp(), .5, Scaling::autoscaled, fleet);
    QVERIFY(std::abs(partly.paid - (.5 * expected + .5 / 12)) < 1e-12); // one machine waits
}

void LoadOverDayTest::toZeroStartsCold() {
    LoadProfile office;
    office.hourly.assign(24, 0);
    for (std::size_t hour = 9; hour < 17; ++hour)
        office.hourly[hour] = 1;
    const DayPlan plan = dayPlan(office, 1, Scaling::toZero, {4, 1, 0});
    QVERIFY(std::abs(plan.paid - 8 / 24.) < 1e-12);
    QVERIFY(plan.coldStarts);
    QVERIFY(!dayPlan(ramp(), 1, Scaling::toZero, {4, 1, 0}).coldStarts);
    QVERIFY(std::abs(dayPlan({}, .27, Scaling::toZero, {4, 1, 0}).paid - .27) < 1e-12);
}

void LoadOverDayTest::startsArePaid() {
    const Fleet fleet{4, 1, 1800};
    const DayPlan plan = dayPlan({}, .25, Scaling::toZero, fleet);
    QVERIFY(std::abs(plan.starts - 1) < 1e-12);
    QVERIFY(std::abs(plan.paid - (.25 + 1800 / 86400.)) < 1e-12);
    QVERIFY(dayPlan({}, 1, Scaling::toZero, {4, 1, 1e9}).paid <= 1);
}

void LoadOverDayTest::oneMachineCannotScale() {
    QCOMPARE(dayPlan(ramp(), 1, Scaling::autoscaled, {1, .2, 100}).paid, 1.);
    QCOMPARE(dayPlan(ramp(), 1, Scaling::toZero, {1, .2, 0}).paid, 1.); // never without load
}

void LoadOverDayTest::badProfiles_data() {
    QTest::addColumn<double>("value");
    for (const double value : {-1., 5., double(NAN), double(INFINITY)})
        QTest::newRow(qPrintable(QString::number(value))) << value;
}

void LoadOverDayTest::badProfiles() {
    QFETCH(double, value);
    LoadProfile load;
    load.hourly.assign(24, value);
    for (const Scaling scaling : {Scaling::whileUsed, Scaling::fixed, Scaling::autoscaled, Scaling::toZero}) {
        const DayPlan plan = dayPlan(load, value, scaling, {value, value, value});
        QVERIFY(plan.paid >= 0 && plan.paid <= 1 && std::isfinite(plan.starts));
        for (const double running : plan.running)
            QVERIFY(running >= 0 && running <= 1);
    }
}

void LoadOverDayTest::rentFollowsTheScaling() {
    TwoWays scene("aws_c7i_48xl", 10, Procurement::onDemand, "aws_c7i_48xl", 10, Procurement::onDemand);
    Workload& web = scene.project().workloads.front();
    web.load = ramp();
    web.load.duty = .5;
    std::get<Service>(web.spec).arrivalRate = 4000; // of 9600 and a bit that 10 machines carry
    Placement& placement = scene.project().alternatives[0].placements.front();
    double rent = 0;
    for (const Scaling scaling : {Scaling::toZero, Scaling::autoscaled, Scaling::whileUsed, Scaling::fixed}) {
        placement.scaling = scaling;
        placement.startup = seconds(60);
        const AlternativeEstimate made = scene.estimateOf(0);
        const WorkloadEstimate& own = made.workloads.front();
        QVERIFY(made.cost.perHour.value > rent); // in rising order
        rent = made.cost.perHour.value;
        const Fleet fleet{10, own.throughput->value / own.capacity->value, 60};
        const double all = made.cost.rentPerHour->value;
        QVERIFY(std::abs(rent / (all * dayPlan(web.load, .5, scaling, fleet).paid) - 1) < 1e-9);
    }
}

void LoadOverDayTest::boughtMachinesSaveEnergyOnly() {
    TwoWays scene("dell_r760_8480", 10, Procurement::buy, "dell_r760_8480", 10, Procurement::buy);
    Workload& web = scene.project().workloads.front();
    web.load = ramp();
    std::get<Service>(web.spec).arrivalRate = 4000;
    const AlternativeEstimate all = scene.estimateOf(0);
    scene.project().alternatives[0].placements.front().scaling = Scaling::autoscaled;
    const AlternativeEstimate scaled = scene.estimateOf(0);
    QCOMPARE(scaled.cost.capex.value, all.cost.capex.value);
    QVERIFY(scaled.power.energyPerYear.value < .9 * all.power.energyPerYear.value);
    QCOMPARE(scaled.power.it.value, all.power.it.value); // the busy hour is the same
    QVERIFY(scaled.cost.perHour.value < all.cost.perHour.value);
}

/// Field case A10 with the prices of A8: two GPU machines run always for 76 USD/h, 34 CPU machines burst to zero for 278 USD/h. CPUs are
/// cheaper below 27 % duty.
void LoadOverDayTest::dutyAtWhichBurstingBeatsFixed() {
    TwoWays scene("dgx_h100", 2, Procurement::reserved, "aws_c7i_48xl", 34, Procurement::reserved);
    scene.project().alternatives[0].nodes.front().priceBook = PartId("seed_p5_48xl");
    scene.project().alternatives[1].nodes.front().priceBook = PartId("seed_c7i_48xl");
    const double gpus = scene.estimateOf(0).cost.perHour.value, cpus = scene.estimateOf(1).cost.perHour.value;
    QVERIFY2(std::abs(gpus - 76.16) < .01 && std::abs(cpus - 278.46) < .01, qPrintable(QStringLiteral("%1 %2").arg(gpus).arg(cpus)));
    // Bursting is paid by the hour; the case counts reserved prices, so the CPU rent is stated as that of spot machines would be: per hour.
    scene.project().alternatives[1].procurement = Procurement::onDemand;
    scene.project().alternatives[1].placements.front().scaling = Scaling::toZero;
    scene.project().alternatives[1].placements.front().startup = {};
    std::get<Service>(scene.project().workloads.front().spec).arrivalRate = 34 * 96 / .1 * .999 * 2; // all of them busy
    const LoadStudy study = dutyStudy(scene.project(), WorkloadId("web"), scene.catalog(), AlternativeId("none"));
    QCOMPARE(study.lines.size(), std::size_t(2));
    QCOMPARE(study.crossovers.size(), std::size_t(1));
    const Crossover& crossing = study.crossovers.front();
    const double byTheHour = study.lines[1].points.back().dollarsPerHour;
    QVERIFY(crossing.cheapest);
    QCOMPARE(crossing.below, std::size_t(1));
    QVERIFY(std::abs(crossing.x - gpus / byTheHour) < 1e-4);
    QVERIFY(std::abs(crossing.dollarsPerHour - gpus) < 1e-3 * gpus);
    QCOMPARE(study.cheapestAt(.1), 1);
    QCOMPARE(study.cheapestAt(.9), 0);
}

/// Field cases A32, B1: what is bought costs nearly the same busy or idle, what is rented by the hour does not.
void LoadOverDayTest::utilisationAtWhichBuyingBeatsRenting() {
    TwoWays scene("dgx_h100", 1, Procurement::buy, "dgx_h100", 1, Procurement::buy);
    scene.project().alternatives.pop_back();
    std::get<Service>(scene.project().workloads.front().spec).arrivalRate = 100;
    const LoadStudy study = dutyStudy(scene.project(), WorkloadId("web"), scene.catalog(), AlternativeId("one"));
    QCOMPARE(study.lines.size(), std::size_t(2)); // as drawn (bought), and rented by the hour
    QCOMPARE(study.lines[1].paid, std::optional(Procurement::onDemand));
    QCOMPARE(study.crossovers.size(), std::size_t(1));
    const Crossover& crossing = study.crossovers.front();
    QCOMPARE(crossing.below, std::size_t(1)); // rent while there is little to do
    QVERIFY(crossing.x > .02 && crossing.x < .9);
    Project there = scene.project();
    there.workloads.front().load.duty = crossing.x;
    const AlternativeEstimate bought = estimate(there, there.alternatives.front(), scene.catalog());
    there.alternatives.front().procurement = Procurement::onDemand;
    const AlternativeEstimate rented = estimate(there, there.alternatives.front(), scene.catalog());
    QVERIFY(std::abs(bought.cost.perHour.value / rented.cost.perHour.value - 1) < 1e-4);
}

/// Field case A5: so many cheap machines until one dear one is cheaper.
void LoadOverDayTest::rateAtWhichTheOtherIsCheaper() {
    TwoWays scene("aws_c7i_48xl", 1, Procurement::onDemand, "aws_p5_48xl_2026", 1, Procurement::onDemand);
    // The dear machine does the same work many times as fast: a service on its own cores would not, so it is stated as a batch server.
    BatchInference spec;
    spec.operationsPerItem = operations(2e11);
    spec.bytesPerItem = bytes(1e6);
    spec.weightBytes = bytes(1e8);
    spec.batchLimit = 16;
    spec.arrivalRate = 10;
    scene.project().workloads.front().spec = spec;
    const double ofCpu = scene.estimateOf(0).cost.perHour.value, ofGpu = scene.estimateOf(1).cost.perHour.value;
    const double each = scene.estimateOf(0).workloads.front().capacity->value;
    const LoadStudy study = rateStudy(scene.project(), WorkloadId("web"), scene.catalog(), 20 * each);
    QCOMPARE(study.lines.size(), std::size_t(2));
    QVERIFY(!study.crossovers.empty());
    const Crossover& crossing = study.crossovers.front();
    const double machines = std::floor(ofGpu / ofCpu); // as many CPUs cost less than one GPU machine
    QCOMPARE(crossing.below, std::size_t(0));
    QVERIFY(std::abs(crossing.x / (machines * each) - 1) < .01);
    double last = 0;
    for (const StudyPoint& point : study.lines[0].points) {
        QVERIFY(point.x > last);
        last = point.x;
    }
    QVERIFY(last >= 20 * each);
}

void LoadOverDayTest::studiesOfNothing() {
    const Project empty;
    QVERIFY(dutyStudy(empty, WorkloadId("w"), shippedCatalog(), AlternativeId("a")).lines.empty());
    QVERIFY(rateStudy(empty, WorkloadId("w"), shippedCatalog()).lines.empty());
    TwoWays scene("aws_c7i_48xl", 1, Procurement::onDemand, "no_such_part", 1, Procurement::onDemand);
    std::get<Service>(scene.project().workloads.front().spec).arrivalRate = 0;
    const LoadStudy duty = dutyStudy(scene.project(), WorkloadId("web"), scene.catalog(), AlternativeId("two"));
    for (const StudyLine& line : duty.lines)
        for (const StudyPoint& point : line.points)
            QVERIFY(std::isfinite(point.dollarsPerHour));
    QVERIFY(rateStudy(scene.project(), WorkloadId("web"), scene.catalog()).crossovers.empty());
}

QTEST_GUILESS_MAIN(LoadOverDayTest)
#include "load_over_day_test.moc"
