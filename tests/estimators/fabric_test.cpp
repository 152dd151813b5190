// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/network/collectives.h"
#include "estimators/network/fabric.h"
#include "tests/estimators/design_builder.h"
#include "tests/estimators/expanded_loads.h"

#include <QTest>

#include <array>
#include <random>

using namespace cw;
using cw::test::Scene;

namespace {

constexpr double exact = 1e-6;

bool near(double a, double b, double relative = exact) {
    return std::abs(a - b) <= relative * std::max({std::abs(a), std::abs(b), 1e-30});
}

/// Every device of the group sends `bytes` in equal parts to all others; loads on the lumped and on the full graph.
void compareAllToAll(Scene& scene, const std::vector<std::uint32_t>& nodes, const char* what) {
    const Fabric& fabric = scene.fabric();
    const GroupFabric group = fabric.group(nodes);
    QVERIFY2(group.connected, what);
    const auto graph = expand(scene.alternative());
    QVERIFY2(graph.has_value(), what);
    std::vector<std::uint32_t> members;
    for (const std::uint32_t node : nodes)
        for (std::int64_t i = 0; i < scene.alternative().nodes[node].count; ++i)
            members.push_back(graph->firstMember[node] + static_cast<std::uint32_t>(i));
    const double bytes = 1e9;
    std::vector<test::Flow> flows;
    for (const std::uint32_t a : members)
        for (const std::uint32_t b : members)
            if (a != b)
                flows.push_back({a, b, bytes / static_cast<double>(members.size() - 1)});
    const auto expanded = test::expandedLoads(*graph, scene.design(), flows);

    Traffic traffic;
    traffic.kind = "shuffle";
    traffic.group = &group;
    const RankGroup ranks = rankGroup(group, 1, static_cast<int>(members.size()), 1);
    addTierBytes(traffic.bytesPerDevice, bytes, ranks, Neighbours::everybody);
    const std::vector<LinkLoad> lumped = linkLoads(fabric, {&traffic, 1});
    for (std::size_t i = 0; i < lumped.size(); ++i) {
        QVERIFY2(near(lumped[i].forward, expanded[i].first),
                 qPrintable(QString("%1 link %2: %3 against %4").arg(what).arg(i).arg(lumped[i].forward).arg(expanded[i].first)));
        QVERIFY2(
            near(lumped[i].backward, expanded[i].second),
            qPrintable(QString("%1 link %2: %3 against %4").arg(what).arg(i).arg(lumped[i].backward).arg(expanded[i].second)));
    }
}

/// All members of one stack send to all of another.
void compareRoute(Scene& scene, std::uint32_t from, std::uint32_t to, const char* what) {
    const Fabric& fabric = scene.fabric();
    const auto graph = expand(scene.alternative());
    QVERIFY2(graph.has_value(), what);
    const std::int64_t n = scene.alternative().nodes[from].count, m = scene.alternative().nodes[to].count;
    std::vector<test::Flow> flows;
    for (std::int64_t a = 0; a < n; ++a)
        for (std::int64_t b = 0; b < m; ++b)
            flows.push_back({graph->firstMember[from] + static_cast<std::uint32_t>(a),
                             graph->firstMember[to] + static_cast<std::uint32_t>(b), 1});
    const auto expanded = test::expandedLoads(*graph, scene.design(), flows);
    Traffic traffic;
    traffic.kind = "requests";
    traffic.from = static_cast<int>(from);
    traffic.to = static_cast<int>(to);
    traffic.bytes = static_cast<double>(n * m);
    const std::vector<LinkLoad> lumped = linkLoads(fabric, {&traffic, 1});
    for (std::size_t i = 0; i < lumped.size(); ++i) {
        QVERIFY2(near(lumped[i].forward, expanded[i].first),
                 qPrintable(QString("%1 link %2: %3 against %4").arg(what).arg(i).arg(lumped[i].forward).arg(expanded[i].first)));
        QVERIFY2(near(lumped[i].backward, expanded[i].second), what);
    }
}

constexpr const char* cpuServer = "dell_r7625_9654";
constexpr const char* leafSwitch = "sn5600";
constexpr const char* medium = "eth_400g";

} // namespace

class FabricTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{20261130};
    int pick(std::initializer_list<int> of) {
        return of.begin()[std::uniform_int_distribution<std::size_t>(0, of.size() - 1)(m_random)];
    }

private slots:
    void lumpedEqualsExpandedTwoTiers() {
        for (int run = 0; run < 60; ++run) {
            Scene scene;
            const int leaves = pick({1, 2, 4, 8}), lanes = pick({1, 2, 4, 8}), spines = pick({1, 2, 3, 4});
            const int blocks = std::max(1, leaves / lanes);
            const std::uint32_t servers = scene.node("servers", cpuServer, blocks * pick({1, 2, 3, 5}) * (blocks == 1 ? 2 : 1));
            scene.node("leaf", leafSwitch, leaves);
            scene.node("spine", leafSwitch, spines);
            scene.link("servers", "leaf", medium, lanes <= leaves && pick({0, 1}) ? Pattern::rail : Pattern::each, lanes);
            scene.link("leaf", "spine", medium, Pattern::mesh, pick({1, 2, 3}));
            if (scene.alternative().nodes[servers].count > 1)
                compareAllToAll(scene, {servers},
                                qPrintable(QString("run %1: %2 servers, %3 leaves, %4 lanes")
                                               .arg(run)
                                               .arg(scene.alternative().nodes[servers].count)
                                               .arg(leaves)
                                               .arg(lanes)));
        }
    }

    void lumpedEqualsExpandedFatTree() {
        for (int run = 0; run < 40; ++run) {
            Scene scene;
            const int pods = pick({1, 2, 4}), leavesPerPod = pick({1, 2, 4}), spinesPerPod = pick({1, 2, 4}),
                      perLeaf = pick({1, 2, 3});
            const std::uint32_t servers = scene.node("servers", cpuServer, pods * leavesPerPod * perLeaf);
            scene.node("leaf", leafSwitch, pods * leavesPerPod);
            scene.node("spine", leafSwitch, pods * spinesPerPod);
            scene.node("core", leafSwitch, pick({1, 2, 5}));
            scene.link("servers", "leaf", medium, Pattern::each, 1);
            scene.link("leaf", "spine", medium, Pattern::each, spinesPerPod);
            scene.link("spine", "core", medium, Pattern::mesh, pick({1, 2}));
            if (scene.alternative().nodes[servers].count > 1)
                compareAllToAll(scene, {servers}, qPrintable(QString("run %1").arg(run)));
        }
    }

    void lumpedEqualsExpandedSeveralStacks() {
        for (int run = 0; run < 40; ++run) {
            Scene scene;
            const int leaves = pick({1, 2, 4});
            const std::uint32_t a = scene.node("a", cpuServer, leaves * pick({1, 2}));
            const std::uint32_t b = scene.node("b", cpuServer, leaves * pick({1, 3}));
            scene.node("leafA", leafSwitch, leaves);
            scene.node("leafB", leafSwitch, leaves);
            scene.node("spine", leafSwitch, pick({1, 2}));
            // Both stacks have one rail to each of two leaf stacks.
            for (const char* stack : {"a", "b"})
                for (const char* leaf : {"leafA", "leafB"})
                    scene.link(stack, leaf, medium, Pattern::each, 1);
            scene.link("leafA", "spine", medium, Pattern::mesh, 2);
            scene.link("leafB", "spine", medium, Pattern::mesh, 2);
            compareAllToAll(scene, {a, b}, qPrintable(QString("run %1").arg(run)));
        }
    }

    void routesEqualExpanded() {
        for (int run = 0; run < 40; ++run) {
            Scene scene;
            const int leaves = pick({1, 2, 4}), spines = pick({1, 2, 3});
            const std::uint32_t a = scene.node("a", cpuServer, leaves * pick({1, 2}));
            const std::uint32_t b = scene.node("b", cpuServer, leaves * pick({1, 3}));
            const std::uint32_t c = scene.node("c", cpuServer, pick({1, 4}));
            scene.node("leaf", leafSwitch, leaves);
            scene.node("border", leafSwitch, 2);
            scene.node("spine", leafSwitch, spines);
            scene.link("a", "leaf", medium, Pattern::each, pick({1, 2}));
            scene.link("b", "leaf", medium, Pattern::each, 1);
            scene.link("c", "border", medium, Pattern::each, 2);
            scene.link("leaf", "spine", medium, Pattern::mesh, 1);
            scene.link("border", "spine", medium, Pattern::mesh, 2);
            compareRoute(scene, a, b, "same leaves");
            compareRoute(scene, a, c, "over the spine");
            compareRoute(scene, c, b, "down from the border");
        }
    }

    void tiersOfARailOptimisedPod() {
        Scene scene;
        const std::uint32_t gpus = scene.node("gpu", "dgx_h100", 128);
        scene.node("leaf", "qm9700", 32);
        scene.node("spine", "qm9700", 16);
        scene.link("gpu", "leaf", "ib_ndr", Pattern::rail, 8);
        scene.link("leaf", "spine", "ib_ndr", Pattern::mesh, 2);
        const GroupFabric group = scene.fabric().group(std::vector{gpus});
        QVERIFY(group.connected);
        QCOMPARE(group.devices, 1024);
        QCOMPARE(group.tiers.size(), std::size_t(3));
        QCOMPARE(group.tiers[0].devicesPerBlock, 8.0);
        QCOMPARE(group.tiers[1].devicesPerBlock, 256.0);
        QCOMPARE(group.tiers[2].devicesPerBlock, 1024.0);
        QVERIFY(group.tiers[1].rail && !group.tiers[2].rail);
        QVERIFY(near(group.tiers[1].nominalPerDevice, 50e9));
        QVERIFY(near(group.tiers[1].bandwidthPerDevice, 48.5e9));
        QVERIFY(near(group.tiers[2].oversubscription, 1));
        QCOMPARE(QString(group.tiers[1].name), QString("leaf"));
        QCOMPARE(QString(group.tiers[2].name), QString("spine"));
        QVERIFY(group.tiers[2].inNetworkReduction);
        QVERIFY(group.tiers[2].latency > group.tiers[1].latency);
        QCOMPARE(group.tiers[2].hops, 3);
    }

    void oversubscriptionAndParallelLinks() {
        Scene scene;
        const std::uint32_t gpus = scene.node("gpu", "dgx_h100", 64);
        scene.node("leafA", "qm9700", 4);
        scene.node("leafB", "qm9700", 4);
        scene.node("spine", "qm9700", 4);
        scene.link("gpu", "leafA", "ib_ndr", Pattern::rail, 4);
        scene.link("gpu", "leafB", "ib_ndr", Pattern::rail, 4);
        scene.link("leafA", "spine", "ib_ndr", Pattern::mesh, 4); // 64 down, 16 up
        scene.link("leafB", "spine", "ib_ndr", Pattern::mesh, 4);
        const GroupFabric group = scene.fabric().group(std::vector{gpus});
        QVERIFY(group.connected);
        // Rails of one block meet in their leaf, so that everybody is already connected there; only traffic between rails goes up.
        QCOMPARE(group.tiers.size(), std::size_t(3));
        QCOMPARE(QString(group.tierFor(512).name), QString("leaf"));
        QVERIFY(near(group.tiers[2].oversubscription, 4));
        QCOMPARE(crossingShare(rankGroup(group, 8, 512, 1), Neighbours::everybody, 2), 0.0);
        QVERIFY(near(group.tiers[1].nominalPerDevice, 50e9));

        scene.alternative().nodes[1].count = scene.alternative().nodes[2].count = 8;
        const GroupFabric two = scene.fabric().group(std::vector{gpus});
        QCOMPARE(two.tiers.size(), std::size_t(3));
        QCOMPARE(two.tiers[1].devicesPerBlock, 256.0);
        QVERIFY(near(two.tiers[2].nominalPerDevice, 25e9)); // 16 leaves × 16 cables for 512 GPUs
        QVERIFY(near(two.tiers[2].oversubscription, 2));
    }

    void bareMachinesAreNotConnected() {
        Scene scene;
        const std::uint32_t gpus = scene.node("gpu", "dgx_h100", 4);
        const GroupFabric group = scene.fabric().group(std::vector{gpus});
        QVERIFY(!group.connected);
        QCOMPARE(group.tiers.size(), std::size_t(1));
        scene.alternative().nodes[0].count = 1;
        QVERIFY(scene.fabric().group(std::vector{gpus}).connected);
    }

    void rackSystemIsOneDomain() {
        Scene scene;
        const std::uint32_t rack = scene.node("rack", "gb200_nvl72", 1);
        const GroupFabric group = scene.fabric().group(std::vector{rack});
        QVERIFY(group.connected);
        QCOMPARE(group.tiers.front().devicesPerBlock, 72.0);
    }

    void managementNetworkIsNoDetour() {
        Scene scene;
        const std::uint32_t gpus = scene.node("gpu", "dgx_h100", 64);
        scene.node("leaf", "qm9700", 16);
        scene.node("spine", "qm9700", 8);
        scene.node("oob", "sn2201", 1);
        scene.link("gpu", "leaf", "ib_ndr", Pattern::rail, 8);
        scene.link("leaf", "spine", "ib_ndr", Pattern::mesh, 4);
        scene.link("gpu", "oob", "eth_1g", Pattern::each, 1);
        const GroupFabric group = scene.fabric().group(std::vector{gpus});
        QVERIFY(group.connected);
        QCOMPARE(group.tiers.size(), std::size_t(3));
    }

    void frameBordersSlowLinks() {
        Scene scene;
        scene.frame("zone-a", FrameKind::zone);
        scene.frame("zone-b", FrameKind::zone);
        const std::uint32_t a = scene.node("a", "dgx_h100", 2, "zone-a");
        const std::uint32_t b = scene.node("b", "dgx_h100", 2, "zone-b");
        scene.node("leafA", "sn5600", 1, "zone-a");
        scene.node("leafB", "sn5600", 1, "zone-b");
        scene.link("a", "leafA", "eth_400g", Pattern::each, 8);
        scene.link("b", "leafB", "eth_400g", Pattern::each, 8);
        scene.link("leafA", "leafB", "eth_400g", Pattern::mesh, 4);
        const GroupFabric group = scene.fabric().group(std::vector{a, b});
        QVERIFY(group.connected);
        const FabricTier& top = group.tiers.back();
        QCOMPARE(QString(top.name), QString("frame"));
        QVERIFY(near(top.borderLatency, 800e-6));
        QVERIFY(!top.rdma && group.tiers[1].rdma);
        QVERIFY(top.bandwidthPerDevice < group.tiers[1].bandwidthPerDevice / 3);

        scene.alternative().frames[0].bandwidth = gigabytesPerSecond(10);
        const Fabric& limited = scene.fabric();
        QVERIFY(near(limited.capacity(2).bytesPerSecond, 10e9));
        QVERIFY(
            near(limited.group(std::vector{a, b}).tiers.back().bandwidthPerDevice, 10e9 / 16)); // each zone's 16 devices share it
    }

    void directNetworks() {
        Scene scene;
        const std::uint32_t n = scene.node("n", cpuServer, 64);
        scene.link("n", "n", "eth_100g", Pattern::torus, 1, {4, 4, 4});
        const GroupFabric torus = scene.fabric().group(std::vector{n});
        QVERIFY(torus.connected);
        QCOMPARE(QString(torus.tiers.back().name), QString("torus"));
        QVERIFY(near(torus.tiers.back().nominalPerDevice, 6 * 12.5e9));
        QVERIFY(near(torus.tiers.back().meanHops, 3 * 64.0 / 63)); // one hop an axis, to all but itself

        scene.alternative().links[0].dimensions = {2, 4, 8};
        const FabricTier uneven = scene.fabric().group(std::vector{n}).tiers.back();
        QVERIFY(near(uneven.meanHops, 3.5 * 64 / 63));
        // The axis of eight carries two hops over two of five ports.
        QVERIFY(near(uneven.nominalPerDevice, 5 * 12.5e9 / (2.0 / 2 / (3.5 / 5))));
    }

    /// Groups of routers, every two linked inside a group, router i of each group to router i (or to every router) of all others.
    void lumpedEqualsExpandedDragonfly() {
        for (int run = 0; run < 20; ++run) {
            Scene scene;
            const int groups = pick({2, 3, 4}), routers = pick({2, 4, 5}), perRouter = pick({1, 2, 3});
            const Pattern between = pick({0, 1}) ? Pattern::pair : Pattern::mesh;
            std::vector<std::uint32_t> servers;
            std::vector<std::string> names;
            for (int g = 0; g < groups; ++g) {
                names.push_back("s" + std::to_string(g));
                servers.push_back(scene.node(names.back().c_str(), cpuServer, routers * perRouter));
                scene.node(("r" + std::to_string(g)).c_str(), leafSwitch, routers);
                scene.link(names.back().c_str(), ("r" + std::to_string(g)).c_str(), medium, Pattern::each, 1);
                scene.link(("r" + std::to_string(g)).c_str(), ("r" + std::to_string(g)).c_str(), medium, Pattern::mesh, 1);
                for (int other = 0; other < g; ++other)
                    scene.link(("r" + std::to_string(other)).c_str(), ("r" + std::to_string(g)).c_str(), medium, between, 1);
            }
            compareAllToAll(scene, servers, qPrintable(QString("run %1").arg(run)));
            const GroupFabric group = scene.fabric().group(servers);
            QCOMPARE(group.tiers.size(), std::size_t(4));
            QCOMPARE(QString(group.tiers[2].name), QString("direct"));
            QCOMPARE(group.tiers[2].devicesPerBlock, double(routers * perRouter));
            QVERIFY(group.tiers[3].latency > group.tiers[2].latency);
        }
    }

    void costDoesNotDependOnCounts() {
        // The same tiers come out of 8 and of 100 000 machines with the same number of links visited.
        Scene scene;
        const std::uint32_t gpus = scene.node("gpu", "dgx_h100", 12800);
        scene.node("leaf", "qm9700", 3200);
        scene.node("spine", "qm9700", 3200);
        scene.node("core", "qm9700", 1600);
        scene.link("gpu", "leaf", "ib_ndr", Pattern::rail, 8);
        scene.link("leaf", "spine", "ib_ndr", Pattern::each, 32);
        scene.link("spine", "core", "ib_ndr", Pattern::mesh, 1);
        const GroupFabric group = scene.fabric().group(std::vector{gpus});
        QVERIFY(group.connected);
        QCOMPARE(group.tiers.size(), std::size_t(4));
        QCOMPARE(group.tiers[2].devicesPerBlock, 1024.0);
        QCOMPARE(group.tiers[3].devicesPerBlock, 102400.0);
    }

    void staticHashingRaisesTheFullestCable() {
        Scene scene;
        const std::uint32_t gpus = scene.node("gpu", "dgx_h100", 32);
        scene.node("leaf", "sn5600", 8);
        scene.node("spine", "sn5600", 8);
        scene.link("gpu", "leaf", "eth_400g", Pattern::each, 8);
        scene.link("leaf", "spine", "eth_400g", Pattern::mesh, 4);
        scene.alternative().nodes[1].count = 16; // two blocks, so that traffic crosses the spine
        scene.alternative().links[1].protocol = PartId("proto_roce_ecmp");
        const Fabric& fabric = scene.fabric();
        const GroupFabric group = fabric.group(std::vector{gpus});
        Traffic traffic;
        traffic.kind = "gradients";
        traffic.group = &group;
        traffic.bytesPerDevice = {0, 1e9, 1e9};
        traffic.period = 1;
        traffic.activeTime = .5;
        const auto loads = linkLoads(fabric, {&traffic, 1});
        // Sixteen flows of a leaf on its 32 cables, thrown again and again.
        double fullest = 0;
        constexpr int throws = 20000;
        for (int i = 0; i < throws; ++i) {
            std::array<int, 32> cables{};
            for (int flow = 0; flow < 16; ++flow)
                ++cables[std::uniform_int_distribution<std::size_t>(0, 31)(m_random)];
            fullest += *std::max_element(cables.begin(), cables.end());
        }
        QVERIFY(near(loads[1].hashedHigh / loads[1].utilisation, fullest / throws / (16.0 / 32), .02));
        QVERIFY(near(loads[0].hashedHigh, loads[0].utilisation));
        QVERIFY(near(loads[0].peakUtilisation, 2 * loads[0].utilisation));
        QCOMPARE(loads[0].shares.size(), std::size_t(1));
    }

    void hugeAndBrokenDesignsDoNotCrash() {
        Scene scene;
        const std::uint32_t n = scene.node("n", "no such part", maxStackCount);
        scene.node("s", "sn5600", 0);
        scene.link("n", "s", "no such medium", Pattern::mesh, 1024);
        scene.link("n", "gone", "eth_400g", Pattern::each, -5);
        scene.link("n", "n", "eth_400g", Pattern::torus, 1, {});
        const Fabric& fabric = scene.fabric();
        QVERIFY(!fabric.group(std::vector{n}).connected);
        QVERIFY(!fabric.route(0, 1).has_value());
        QCOMPARE(fabric.group({}).devices, 0);
    }
};

QTEST_GUILESS_MAIN(FabricTest)
#include "fabric_test.moc"
