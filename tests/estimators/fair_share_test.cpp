// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/network/fair_share.h"
#include "estimators/network/collectives.h"
#include "estimators/plan_trials.h"
#include "tests/estimators/workload_scene.h"

#include <QTest>

#include <cmath>

using namespace cw;
using cw::test::Scene;
using cw::test::WorkloadScene;

namespace {

bool near(double a, double b, double relative = 1e-6) { return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b)); }

/// Two stacks of four servers and a storage stack below two leaves that share one pair of uplinks.
struct Pair : Scene {
    Pair() {
        for (const char* stack : {"a", "b"})
            node(stack, "dell_r7625_9654", 4);
        node("leaf", "sn5600", 2);
        node("spine", "sn5600", 1);
        for (const char* stack : {"a", "b"})
            link(stack, "leaf", "eth_400g", Pattern::each, 1);
        link("leaf", "spine", "eth_400g", Pattern::mesh, 1);
        fabric();
        for (std::uint32_t stack = 0; stack < 2; ++stack)
            groups[stack] = network().group(std::span(&stack, 1));
    }
    const Fabric& network() { return m_made ? *m_made : *(m_made = &fabric()); }
    /// Every device sends `ofUplink` of a leaf's uplink across it while active, its leaf's two devices half each; active so long of a second.
    Traffic traffic(int job, double ofUplink, double active, const char* kind = "gradients") {
        Traffic traffic;
        traffic.workload = WorkloadId(job == 0 ? "a" : "b");
        traffic.kind = kind;
        traffic.group = &groups[job];
        const double uplink = network().capacity(2).perCable;
        traffic.bytesPerDevice = {0, 0, ofUplink * uplink / 2 * (active > 0 ? active : 1)};
        traffic.bytesPerDevice[1] = traffic.bytesPerDevice[2];
        traffic.period = 1;
        traffic.activeTime = active;
        return traffic;
    }
    std::vector<FairShare> share(std::span<const Traffic> a, std::span<const Traffic> b, double aBefore = 1, double bBefore = 1) {
        const Contender contenders[] = {{a, aBefore, aBefore}, {b, bBefore, bBefore}};
        return fairShares(network(), contenders);
    }
    GroupFabric groups[2];

private:
    const Fabric* m_made = nullptr;
};

/// Where others are in the way; empty: nowhere.
std::string sharedLink(const WorkloadEstimate& estimate) {
    for (const ResourceUse& use : estimate.resources)
        if (use.resource == sharedNetwork)
            return use.elements.front().id;
    return {};
}

} // namespace

class FairShareTest : public QObject {
    Q_OBJECT

private slots:
    void aloneNobodyIsInTheWay() {
        Pair pair;
        const Traffic own[] = {pair.traffic(0, 1, .5), pair.traffic(0, 1, .2, "parameters")};
        const auto shares = pair.share(own, {});
        QCOMPARE(shares[0].network, 1.0);
        QVERIFY(!shares[0].link);
    }

    void equalsGetHalf() {
        Pair pair;
        const Traffic a[] = {pair.traffic(0, 1, 1)}, b[] = {pair.traffic(1, 1, 1)};
        const auto shares = pair.share(a, b);
        QVERIFY(near(shares[0].network, .5) && near(shares[1].network, .5));
        QCOMPARE(*shares[0].link, 2u);
    }

    /// What comes all the time at a quarter of the uplink keeps it; who wants all gets the rest.
    void aSmallDemandIsServed() {
        Pair pair;
        const Traffic a[] = {pair.traffic(0, 1, 1)}, b[] = {pair.traffic(1, .25, 0, "requests")};
        const auto shares = pair.share(a, b);
        QVERIFY(near(shares[0].network, .75));
        QCOMPARE(shares[1].network, 1.0);
    }

    /// Fair by flow: three flows a device against one.
    void sharesAreByFlow() {
        Pair pair;
        Traffic a[] = {pair.traffic(0, 1, 1)}, b[] = {pair.traffic(1, 1, 1)};
        a[0].kind = "shuffle"; // to each of the other three
        const auto shares = pair.share(a, b);
        QVERIFY(near(shares[0].network, .75) && near(shares[1].network, .25));
    }

    /// A burst of half the time, stretched by the share it was estimated with, wants what it would have alone.
    void burstsMeetTheMeanOfTheOthers() {
        Pair pair;
        const Traffic a[] = {pair.traffic(0, 1, .4)}, b[] = {pair.traffic(1, 1, .3)};
        const auto shares = pair.share(a, b);
        QVERIFY(near(shares[0].network, .7) && near(shares[1].network, .6));
        Traffic stretched[] = {pair.traffic(0, .5, .8)}; // the same bytes at half the rate
        QVERIFY(near(pair.share(stretched, b, .5)[0].network, .7));
    }

    void ownStorageFlowsBesideCollectives() {
        Pair pair;
        const Traffic a[] = {pair.traffic(0, 1, .5), pair.traffic(0, .4, 0, "storage")};
        const auto shares = pair.share(a, {});
        QVERIFY(near(shares[0].network, .6));
        QCOMPARE(shares[0].storage, 1.0);
    }

    /// What flows all the time never gets a larger share than the round before, so that rounds end.
    void steadyTrafficDoesNotSwing() {
        Pair pair;
        const Traffic a[] = {pair.traffic(0, .5, 0, "storage")}, b[] = {pair.traffic(1, .4, 0, "requests")};
        QVERIFY(near(pair.share(a, b, .5)[0].storage, .5));
    }

    /// Whole estimates: a run beside another one on the same oversubscribed uplinks is slower, on leaves of its own it is not; links never
    /// carry more than they can.
    void trainingsOnTheSameUplinks() {
        WorkloadScene scene;
        const auto training = [] {
            LlmTraining spec;
            spec.model = PartId("llama3_8b");
            spec.sequence = 2048;
            spec.globalBatch = 32;
            spec.totalTokens = 1e12;
            return spec;
        };
        for (const char* stack : {"a", "b"})
            scene.node(stack, "dgx_h100", 4);
        scene.node("leaf", "sn5600", 2);
        scene.node("spine", "sn5600", 1);
        scene.node("leafB", "sn5600", 1);
        for (const char* stack : {"a", "b"})
            scene.link(stack, "leaf", "eth_400g", Pattern::each, 1);
        scene.link("leaf", "spine", "eth_25g", Pattern::mesh, 1);
        const auto step = [&](std::size_t index) {
            const AlternativeEstimate estimate = cw::estimate(scene.project(), scene.alternative(), scene.catalog());
            for (const LinkLoad& load : estimate.links)
                if (!(load.utilisation < 1.05))
                    qWarning("%s: %g", load.link.value.c_str(), load.utilisation);
            const WorkloadEstimate& workload = estimate.workloads[index];
            return std::tuple(workload.latencyNamed("step")->value, networkShareOf(workload), sharedLink(workload),
                              std::any_of(estimate.findings.begin(), estimate.findings.end(),
                                          [](const Finding& finding) { return finding.code == "network.shared"; }));
        };
        scene.workload("first", training());
        scene.place("first", {"a"});
        const auto [alone, aloneShare, nobody, quiet] = step(0);
        QCOMPARE(aloneShare, 1.0);
        QVERIFY(nobody.empty() && !quiet);
        scene.workload("second", training());
        scene.place("second", {"b"});
        const auto [beside, share, link, said] = step(0);
        QVERIFY2(beside > 1.1 * alone, qPrintable(QStringLiteral("%1 alone, %2 beside").arg(alone).arg(beside)));
        QVERIFY(share > .4 && share < .9);
        QCOMPARE(link, std::string("link2"));
        QVERIFY(said);
        QVERIFY(near(std::get<0>(step(1)), beside, .02)); // both alike
        scene.alternative().links[1].to = NodeId("leafB");
        QVERIFY(near(std::get<0>(step(0)), alone));
    }
};

QTEST_GUILESS_MAIN(FairShareTest)
#include "fair_share_test.moc"
