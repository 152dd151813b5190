// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/live/live_estimator.h"

#include <QSignalSpy>
#include <QTest>

using namespace cw;

namespace {

Project project(int alternatives, std::int64_t machines) {
    Project p;
    for (int i = 0; i < alternatives; ++i) {
        Alternative a;
        a.id = AlternativeId("a" + std::to_string(i));
        a.name = "Alternative " + std::to_string(i);
        Node node;
        node.id = NodeId{"gpu"};
        node.name = "GPU";
        node.part = PartId{"dgx_h100"};
        node.count = machines + i;
        a.nodes.push_back(node);
        p.alternatives.push_back(a);
    }
    return p;
}

constexpr int patience = 20'000; // ms

/// A service that can be simulated, on machines of each alternative.
Project serving(int alternatives, std::int64_t machines) {
    Project p = project(alternatives, machines);
    Service service;
    service.cpuTime = milliseconds(20);
    service.arrivalRate = 400;
    Workload workload;
    workload.id = WorkloadId{"api"};
    workload.spec = service;
    p.workloads.push_back(workload);
    for (Alternative& a : p.alternatives) {
        Placement placement;
        placement.id = PlacementId{"p"};
        placement.workload = workload.id;
        placement.nodes = {NodeId{"gpu"}};
        a.placements.push_back(placement);
    }
    return p;
}

bool simulated(const EstimateSet& set) {
    return std::all_of(set.alternatives.begin(), set.alternatives.end(),
                       [](const auto& estimate) { return estimate && estimate->workloads.front().simulated; });
}

} // namespace

class LiveTest : public QObject {
    Q_OBJECT
private slots:
    void givesWhatEstimateGives();
    void newestWins();
    void memoGivesTheSameObject();
    void viewAndMetaAreNoInputs();
    void otherCatalogIsAnotherEstimate();
    void ownPartsCount();
    void staleUntilItArrives();
    void equalOnAnyNumberOfThreads();
    void noAlternatives();
    void destroyedWhileRunning();
    void simulatesAfterwards();
    void editsCancelTheSimulation();
    void simulatedIsRemembered();
};

void LiveTest::givesWhatEstimateGives() {
    LiveEstimator live(shippedCatalog());
    QVERIFY(!live.latest());
    QSignalSpy ready(&live, &LiveEstimator::ready);
    const Project p = project(2, 4);
    live.submit(p, 7);
    QVERIFY(ready.wait(patience));
    const auto set = live.latest();
    QCOMPARE(set->revision, quint64(7));
    QCOMPARE(set->alternatives.size(), std::size_t(2));
    QVERIFY(set->project == p);
    const AlternativeEstimate direct = estimate(p, p.alternatives[1], shippedCatalog());
    const AlternativeEstimate* found = set->find(AlternativeId{"a1"});
    QVERIFY(found);
    QCOMPARE(found->power.it.value, direct.power.it.value);
    QCOMPARE(found->cost.perHour.value, direct.cost.perHour.value);
    QCOMPARE(found->findings.size(), direct.findings.size());
    QVERIFY(!set->find(AlternativeId{"none"}));
}

void LiveTest::newestWins() {
    LiveEstimator live(shippedCatalog());
    QList<quint64> revisions;
    connect(&live, &LiveEstimator::ready, this,
            [&](const std::shared_ptr<const EstimateSet>& set) { revisions.append(set->revision); });
    for (quint64 i = 1; i <= 200; ++i)
        live.submit(project(3, static_cast<std::int64_t>(i)), i);
    QTRY_VERIFY_WITH_TIMEOUT(!revisions.isEmpty() && revisions.last() == 200, patience);
    QVERIFY(std::is_sorted(revisions.begin(), revisions.end()));
    QCOMPARE(std::adjacent_find(revisions.begin(), revisions.end()), revisions.end());
    QVERIFY(!live.isStale());
    QCOMPARE(live.latest()->project.alternatives[0].nodes[0].count, std::int64_t(200));
}

void LiveTest::memoGivesTheSameObject() {
    LiveEstimator live(shippedCatalog());
    QSignalSpy ready(&live, &LiveEstimator::ready);
    Project p = project(2, 4);
    live.submit(p, 1);
    QVERIFY(ready.wait(patience));
    const auto first = live.latest();
    p.alternatives[1].nodes[0].count = 99;
    live.submit(p, 2);
    QVERIFY(ready.wait(patience));
    const auto second = live.latest();
    QCOMPARE(second->alternatives[0], first->alternatives[0]);
    QVERIFY(second->alternatives[1] != first->alternatives[1]);
    p.alternatives[1].nodes[0].count = first->project.alternatives[1].nodes[0].count; // undo
    live.submit(p, 3);
    QVERIFY(ready.wait(patience));
    QCOMPARE(live.latest()->alternatives[1], first->alternatives[1]);
    p.site.energyPrice = .5; // a question all alternatives share
    live.submit(p, 4);
    QVERIFY(ready.wait(patience));
    QVERIFY(live.latest()->alternatives[0] != first->alternatives[0]);
}

void LiveTest::viewAndMetaAreNoInputs() {
    LiveEstimator live(shippedCatalog());
    QSignalSpy ready(&live, &LiveEstimator::ready);
    Project p = project(1, 4);
    live.submit(p, 1);
    QVERIFY(ready.wait(patience));
    const auto first = live.latest();
    p.meta.title = "Another title";
    p.view.items["a0/gpu"].x = 10;
    live.submit(p, 2);
    QVERIFY(ready.wait(patience));
    QCOMPARE(live.latest()->alternatives[0], first->alternatives[0]);
    QVERIFY(live.latest()->project == p);
}

void LiveTest::otherCatalogIsAnotherEstimate() {
    LiveEstimator live(shippedCatalog());
    QSignalSpy ready(&live, &LiveEstimator::ready);
    live.submit(project(1, 4), 1);
    QVERIFY(ready.wait(patience));
    const auto first = live.latest();
    Server server = *shippedCatalog().find<Server>(PartId{"dgx_h100"});
    server.powerMax = watts(12000);
    live.setCatalog(shippedCatalog().with({server}, CatalogLayer::user));
    QVERIFY(ready.wait(patience));
    QCOMPARE(live.latest()->alternatives[0]->power.peak.value, 4 * 12000.);
    QCOMPARE(first->alternatives[0]->power.peak.value, 4 * 10200.); // held results do not change
}

void LiveTest::ownPartsCount() {
    LiveEstimator live(shippedCatalog());
    QSignalSpy ready(&live, &LiveEstimator::ready);
    Project p = project(1, 4);
    live.submit(p, 1);
    QVERIFY(ready.wait(patience));
    const PartInfo& shipped = *shippedCatalog().find<Server>(PartId{"dgx_h100"});
    std::string json = shipped.json;
    const std::string from = "\"power_max_w\":10200";
    std::string compact;
    for (const char c : json)
        if (c != ' ' && c != '\n')
            compact += c;
    QVERIFY(compact.find(from) != std::string::npos);
    OwnPart own;
    own.id = PartId{"dgx_h100"};
    own.kind = "server";
    own.json = json;
    own.json.replace(own.json.find("10200"), 5, "11000");
    p.parts.push_back(own);
    live.submit(p, 2);
    QVERIFY(ready.wait(patience));
    QCOMPARE(live.latest()->alternatives[0]->power.peak.value, 4 * 11000.);
}

void LiveTest::staleUntilItArrives() {
    LiveEstimator live(shippedCatalog());
    QSignalSpy stale(&live, &LiveEstimator::staleChanged);
    QVERIFY(!live.isStale());
    live.submit(project(1, 4), 1);
    QVERIFY(live.isStale());
    QTRY_VERIFY_WITH_TIMEOUT(!live.isStale(), patience);
    QCOMPARE(stale.size(), 2);
    QCOMPARE(stale[0][0].toBool(), true);
    QCOMPARE(stale[1][0].toBool(), false);
}

void LiveTest::equalOnAnyNumberOfThreads() {
    std::vector<std::shared_ptr<const EstimateSet>> sets;
    for (const int threads : {1, 2, 5}) {
        LiveEstimator live(shippedCatalog(), nullptr, threads);
        QSignalSpy ready(&live, &LiveEstimator::ready);
        live.submit(project(12, 4), 1);
        QVERIFY(ready.wait(patience));
        sets.push_back(live.latest());
    }
    for (std::size_t i = 0; i < sets[0]->alternatives.size(); ++i) {
        const AlternativeEstimate& a = *sets[0]->alternatives[i];
        for (const auto& set : sets) {
            const AlternativeEstimate& b = *set->alternatives[i];
            QCOMPARE(a.id.value, b.id.value);
            QCOMPARE(a.derivation.size(), b.derivation.size());
            for (std::size_t t = 0; t < a.derivation.size(); ++t) {
                const double x = a.derivation.term(TermId(t)).value, y = b.derivation.term(TermId(t)).value;
                QVERIFY(std::memcmp(&x, &y, sizeof x) == 0);
            }
        }
    }
}

void LiveTest::noAlternatives() {
    LiveEstimator live(shippedCatalog());
    QSignalSpy ready(&live, &LiveEstimator::ready);
    live.submit(Project{}, 3);
    QVERIFY(ready.wait(patience));
    QCOMPARE(live.latest()->revision, quint64(3));
    QVERIFY(live.latest()->alternatives.empty());
}

void LiveTest::destroyedWhileRunning() {
    for (int i = 0; i < 30; ++i) {
        auto live = std::make_unique<LiveEstimator>(shippedCatalog(), nullptr, 1 + i % 3);
        for (int j = 0; j < i % 5; ++j)
            live->submit(project(8, i + j + 1), static_cast<quint64>(j + 1));
        live.reset();
    }
    QCoreApplication::processEvents(); // nothing may arrive from what is gone
}

void LiveTest::simulatesAfterwards() {
    for (const int threads : {1, 3}) {
        LiveEstimator live(shippedCatalog(), nullptr, threads);
        live.setSimulating(true);
        QList<bool> seen;
        connect(&live, &LiveEstimator::ready, this, [&](const std::shared_ptr<const EstimateSet>& set) {
            QCOMPARE(set->revision, quint64(7));
            seen.append(simulated(*set));
            QCOMPARE(set->simulated, seen.last());
        });
        live.submit(serving(3, 4), 7);
        QTRY_COMPARE_WITH_TIMEOUT(seen.size(), 2, patience);
        QCOMPARE(seen, (QList<bool>{false, true})); // the closed form first
        const WorkloadEstimate& workload = live.latest()->alternatives.front()->workloads.front();
        const Quantity& p99 = *workload.latencyNamed("p99");
        QVERIFY(live.latest()->alternatives.front()->derivation.term(p99.term).origin == TermOrigin::simulated);
        QVERIFY(!live.isStale());
    }
}

void LiveTest::editsCancelTheSimulation() {
    LiveEstimator live(shippedCatalog(), nullptr, 2);
    live.setSimulating(true);
    QList<quint64> revisions;
    connect(&live, &LiveEstimator::ready, this,
            [&](const std::shared_ptr<const EstimateSet>& set) { revisions.append(set->revision); });
    for (quint64 i = 1; i <= 40; ++i) {
        live.submit(serving(2, static_cast<std::int64_t>(i) + 3), i);
        QTest::qWait(5);
    }
    QTRY_VERIFY_WITH_TIMEOUT(live.latest() && live.latest()->revision == 40 && live.latest()->simulated, patience);
    QVERIFY(std::is_sorted(revisions.begin(), revisions.end()));
    QVERIFY(simulated(*live.latest()));
    for (int i = 0; i < 10; ++i) { // and it does not outlive the estimator
        LiveEstimator other(shippedCatalog(), nullptr, 1 + i % 3);
        other.setSimulating(true);
        other.submit(serving(2, i + 4), 1);
        QTest::qWait(3 * i);
    }
}

void LiveTest::simulatedIsRemembered() {
    LiveEstimator live(shippedCatalog());
    live.setSimulating(true);
    Project p = serving(2, 4);
    live.submit(p, 1);
    QTRY_VERIFY_WITH_TIMEOUT(live.latest() && live.latest()->simulated, patience);
    const auto first = live.latest();
    p.meta.title = "Another title"; // no input
    QSignalSpy ready(&live, &LiveEstimator::ready);
    live.submit(p, 2);
    QVERIFY(ready.wait(patience));
    QCOMPARE(live.latest()->alternatives[0], first->alternatives[0]);
    QVERIFY(live.latest()->simulated);
    QTest::qWait(50);
    QCOMPARE(ready.size(), 1); // nothing was left to do
    p.alternatives[1].nodes[0].count = 9;
    live.submit(p, 3);
    QTRY_VERIFY_WITH_TIMEOUT(live.latest()->revision == 3 && live.latest()->simulated, patience);
    QCOMPARE(live.latest()->alternatives[0], first->alternatives[0]);
    QVERIFY(live.latest()->alternatives[1] != first->alternatives[1]);
}

QTEST_GUILESS_MAIN(LiveTest)
#include "live_test.moc"
