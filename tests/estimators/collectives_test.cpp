// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/network/collectives.h"
#include "tests/estimators/design_builder.h"

#include <QTest>

#include <cmath>

using namespace cw;
using cw::test::Scene;

namespace {

bool near(double a, double b, double relative) { return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b)); }

void drawPod(Scene& scene, const char* server, std::int64_t machines, const char* leaf, std::int64_t leaves, std::int64_t spines,
             const char* medium, int uplinks) {
    scene.node("gpu", server, machines);
    scene.node("leaf", leaf, leaves);
    scene.node("spine", leaf, spines);
    scene.link("gpu", "leaf", medium, Pattern::rail, 8);
    scene.link("leaf", "spine", medium, Pattern::mesh, uplinks);
}

} // namespace

class CollectivesTest : public QObject {
    Q_OBJECT

private slots:
    /// t = a0 + a1 log2 n + x + c sqrt(x), x = f S/B in µs: worked by hand from the table of the study.
    void singleDomainCurve_data() {
        QTest::addColumn<QString>("server");
        QTest::addColumn<int>("op");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<double>("bytes");
        QTest::addColumn<double>("micros");
        const auto curve = [](double a0, double a1, double b, double c, double f, double n, double bytes) {
            const double x = f * bytes / (b * 1e3);
            return a0 + a1 * std::log2(n) + x + c * std::sqrt(x);
        };
        QTest::newRow("A100 all-reduce 8") << "dgx_a100_640" << int(Collective::allReduce) << 8 << 256e6
                                           << curve(4.5, 5.1, 248, 4.9, 1.75, 8, 256e6);
        QTest::newRow("H100 all-reduce 8") << "dgx_h100" << int(Collective::allReduce) << 8 << 1e9
                                           << curve(.8, 4.6, 430, 3.7, 1.75, 8, 1e9);
        QTest::newRow("H100 all-reduce 2") << "dgx_h100" << int(Collective::allReduce) << 2 << 1e8
                                           << curve(.8, 4.6, 430 * .79, 3.7, 1, 2, 1e8);
        QTest::newRow("H100 all-gather 4") << "dgx_h100" << int(Collective::allGather) << 4 << 1e8
                                           << curve(2.3, 2.6, 358, 3.7, .75, 4, 1e8);
        QTest::newRow("H200 reduce-scatter 8")
            << "dgx_h200" << int(Collective::reduceScatter) << 8 << 1e7 << curve(2, 2.8, 353, 3.1, .875, 8, 1e7);
        // No scale-up link: the curve of PCIe cards, scaled from PCIe 5 to 4.
        QTest::newRow("L40S all-reduce 8") << "smci_421ge_8xl40s" << int(Collective::allReduce) << 8 << 1e9
                                           << curve(0, 6.3, 27 * 31.5 / 63, 2.1, 1.75, 8, 1e9);
        QTest::newRow("B200 all-to-all 8") << "dgx_b200" << int(Collective::allToAll) << 8 << 1e8
                                           << curve(10.5, .1, 714, 4.9, .875, 8, 1e8);
    }
    void singleDomainCurve() {
        QFETCH(QString, server);
        QFETCH(int, op);
        QFETCH(int, ranks);
        QFETCH(double, bytes);
        QFETCH(double, micros);
        Scene scene;
        const std::uint32_t node = scene.node("gpu", qPrintable(server), 1);
        const GroupFabric group = scene.fabric().group(std::vector{node});
        const Gpu* gpu = scene.design().machines[0].gpu;
        const CollectiveTime time =
            collectiveTime(static_cast<Collective>(op), bytes, rankGroup(group, 8, ranks, 1), scene.catalog(), gpu);
        QVERIFY2(near(time.seconds * 1e6, micros, 1e-9),
                 qPrintable(QString("%1 against %2").arg(time.seconds * 1e6).arg(micros)));
        QVERIFY(time.networkBytesPerDevice == 0);
    }

    /// Published one-node bus bandwidths at large sizes (NCCL tests): 8 GPUs, all-reduce.
    void publishedBusBandwidth_data() {
        QTest::addColumn<QString>("server");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("A100") << "dgx_a100_640" << 220e9 << 250e9;
        QTest::newRow("H100") << "dgx_h100" << 400e9 << 490e9;
        QTest::newRow("B200") << "dgx_b200" << 680e9 << 860e9;
    }
    void publishedBusBandwidth() {
        QFETCH(QString, server);
        QFETCH(double, low);
        QFETCH(double, high);
        Scene scene;
        const std::uint32_t node = scene.node("gpu", qPrintable(server), 1);
        const GroupFabric group = scene.fabric().group(std::vector{node});
        const double bytes = 4e9;
        const double seconds = collectiveTime(Collective::allReduce, bytes, rankGroup(group, 8, 8, 1), scene.catalog(),
                                              scene.design().machines[0].gpu)
                                   .seconds;
        const double bus = 1.75 * bytes / seconds;
        QVERIFY2(bus > low && bus < high, qPrintable(QString::number(bus / 1e9)));
    }

    void rankGroups() {
        Scene scene;
        drawPod(scene, "dgx_h100", 32, "qm9700", 8, 4, "ib_ndr", 8);
        const GroupFabric group = scene.fabric().group(std::vector{0u});
        const RankGroup tensor = rankGroup(group, 8, 8, 1);
        QCOMPARE(tensor.inner, 8);
        QCOMPARE(tensor.outer, 1);
        const RankGroup data = rankGroup(group, 8, 32, 8);
        QCOMPARE(data.inner, 1);
        QCOMPARE(data.outer, 32);
        QCOMPARE(data.span, 249);
        const RankGroup all = rankGroup(group, 8, 256, 1);
        QCOMPARE(all.inner, 8);
        QCOMPARE(all.outer, 32);
    }

    /// Ring over N domains: each device sends 2(N−1)/N of its part; only the last domain of a leaf block sends upward.
    void ringTraffic() {
        Scene scene;
        drawPod(scene, "dgx_h100", 128, "qm9700", 32, 16, "ib_ndr", 2);
        const GroupFabric group = scene.fabric().group(std::vector{0u});
        const RankGroup all = rankGroup(group, 8, 1024, 1);
        const double bytes = 8e9, each = networkBytes(Collective::allReduce, bytes, all);
        QVERIFY(near(each, 2.0 * 127 / 128 * 1e9, 1e-12));
        std::vector<double> tiers;
        addTierBytes(tiers, each, all, Neighbours::ring);
        QCOMPARE(tiers.size(), std::size_t(3));
        QCOMPARE(tiers[0], 0.0);
        QVERIFY(near(tiers[1], each, 1e-12));
        QVERIFY(near(tiers[2], each * 4 / 128, 1e-12)); // 4 blocks of 32 machines: 4 of 128 ring edges cross
        std::vector<double> exchange;
        addTierBytes(exchange, each, all, Neighbours::everybody);
        QVERIFY(near(exchange[2], each * 96 / 127, 1e-12));
    }

    void hierarchyUsesAllPorts() {
        Scene scene;
        drawPod(scene, "dgx_h100", 4, "qm9700", 8, 4, "ib_ndr", 1);
        const GroupFabric group = scene.fabric().group(std::vector{0u});
        const Gpu* gpu = scene.design().machines[0].gpu;
        const double bytes = 8e9;
        const CollectiveTime time =
            collectiveTime(Collective::allReduce, bytes, rankGroup(group, 8, 32, 1), scene.catalog(), gpu);
        QVERIFY(time.hierarchical);
        // ml-engineering measured a bus bandwidth of 382 GB/s on 4 nodes of 8 × 400 Gb/s, far above one port.
        const double bus = 2.0 * 31 / 32 * bytes / time.seconds;
        QVERIFY2(bus > 250e9 && bus < 450e9, qPrintable(QString::number(bus / 1e9)));
    }

    /// The cliff at the scale-up boundary: all-to-all inside NVL72 against two racks.
    void cliffAtTheRack() {
        Scene scene;
        scene.node("rack", "gb300_nvl72", 2);
        scene.node("leaf", "q3400", 4);
        scene.link("rack", "leaf", "ib_ndr", Pattern::each, 72);
        const GroupFabric group = scene.fabric().group(std::vector{0u});
        QVERIFY(group.connected);
        const Gpu* gpu = scene.design().machines[0].gpu;
        const double bytes = 1e9;
        const auto perSecond = [&](int ranks) {
            const RankGroup all = rankGroup(group, 72, ranks, 1);
            return bytes * (ranks - 1) / ranks / collectiveTime(Collective::allToAll, bytes, all, scene.catalog(), gpu).seconds;
        };
        QVERIFY(perSecond(72) > 500e9);
        QVERIFY(perSecond(144) < 110e9);
    }

    void fasterIsNeverSlower() {
        for (const char* medium : {"ib_hdr", "ib_ndr", "ib_xdr"}) {
            static double before = 1e9;
            Scene scene;
            drawPod(scene, "dgx_h100", 64, "qm9700", 16, 8, medium, 4);
            const GroupFabric group = scene.fabric().group(std::vector{0u});
            const double seconds = collectiveTime(Collective::allReduce, 1e9, rankGroup(group, 8, 512, 1), scene.catalog(),
                                                  scene.design().machines[0].gpu)
                                       .seconds;
            QVERIFY(seconds < before);
            before = seconds;
        }
        Scene scene;
        drawPod(scene, "dgx_h100", 64, "qm9700", 16, 8, "ib_ndr", 4);
        const GroupFabric group = scene.fabric().group(std::vector{0u});
        const Gpu* gpu = scene.design().machines[0].gpu;
        for (const Collective op : {Collective::allReduce, Collective::allGather, Collective::reduceScatter, Collective::allToAll,
                                    Collective::broadcast, Collective::pointToPoint}) {
            double last = 0;
            for (double bytes = 1e3; bytes < 1e11; bytes *= 3) {
                const double seconds = collectiveTime(op, bytes, rankGroup(group, 8, 512, 1), scene.catalog(), gpu).seconds;
                QVERIFY(seconds >= last && std::isfinite(seconds));
                last = seconds;
            }
            QCOMPARE(collectiveTime(op, 0, rankGroup(group, 8, 512, 1), scene.catalog(), gpu).seconds, 0.0);
            QCOMPARE(collectiveTime(op, 1e9, rankGroup(group, 8, 1, 1), scene.catalog(), gpu).seconds, 0.0);
        }
    }

    void inSwitchReductionBeatsTheRing() {
        Scene scene;
        drawPod(scene, "dgx_h100", 64, "qm9700", 16, 8, "ib_ndr", 4);
        const GroupFabric group = scene.fabric().group(std::vector{0u});
        const Gpu* gpu = scene.design().machines[0].gpu;
        RankGroup ranks = rankGroup(group, 8, 64, 8);
        const CollectiveTime ring = collectiveTime(Collective::allReduce, 1e9, ranks, scene.catalog(), gpu);
        ranks.inSwitch = true;
        const CollectiveTime reduced = collectiveTime(Collective::allReduce, 1e9, ranks, scene.catalog(), gpu);
        QCOMPARE(QString(reduced.algorithm), QString("in-switch"));
        QVERIFY(ring.seconds / reduced.seconds > 1.6 && ring.seconds / reduced.seconds < 2.2);
    }

    /// Field case B7: a ring of 2.74 GB over 8 nodes, 100 GbE over TCP against 8 × 400 Gb/s: 400 ms and 12 ms.
    void fieldCaseB7() {
        Scene slow;
        slow.node("gpu", "dgx_h100", 8);
        slow.node("leaf", "sn3700", 1);
        slow.link("gpu", "leaf", "eth_100g", Pattern::each, 1);
        slow.alternative().links[0].protocol = PartId("proto_tcp_kernel");
        const GroupFabric tcp = slow.fabric().group(std::vector{0u});
        const double bytes = 2.74e9;
        const double before =
            collectiveTime(Collective::allReduce, bytes, rankGroup(tcp, 8, 64, 1), slow.catalog(), slow.design().machines[0].gpu)
                .seconds;
        QVERIFY2(before > .3 && before < .8, qPrintable(QString::number(before)));
        Scene fast;
        drawPod(fast, "dgx_h100", 8, "qm9700", 8, 1, "ib_ndr", 8);
        const GroupFabric rdma = fast.fabric().group(std::vector{0u});
        const double after =
            collectiveTime(Collective::allReduce, bytes, rankGroup(rdma, 8, 64, 1), fast.catalog(), fast.design().machines[0].gpu)
                .seconds;
        QVERIFY2(after > .008 && after < .02, qPrintable(QString::number(after)));
    }
};

QTEST_GUILESS_MAIN(CollectivesTest)
#include "collectives_test.moc"
