// SPDX-License-Identifier: GPL-3.0-or-later
//
// Our times and link loads against SimGrid on small designs: the exported platform, the flows of a collective written out rank by rank,
// replayed in SimGrid's fluid model (replay.cpp says how it is configured). Libraries reach a measured share of what fluid flows would
// (FabricTier::collectiveEfficiency), so ours are multiplied by it before they are compared.
#include "estimators/network/collectives.h"
#include "estimators/network/fair_share.h"
#include "estimators/network/simgrid_platform.h"
#include "tests/estimators/design_builder.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <map>
#include <numeric>

using namespace cw;
using cw::test::Scene;

namespace {

constexpr double tenPercent = .1; // what the times may differ by
constexpr const char* server = "dell_r7625_9654";
constexpr const char* switchBox = "sn5600";

bool near(double a, double b, double relative) { return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b)); }

class Flows {
public:
    void add(const std::string& from, const std::string& to, double bytes, bool background = false) {
        m_text += from + ' ' + to + ' ' + std::to_string(bytes) + (background ? " background\n" : "\n");
    }
    void nextPhase() { m_text += '\n'; }
    const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

struct Outcome {
    std::vector<double> phases; ///< seconds
    std::map<std::string, std::pair<double, double>> loads; ///< bytes by drawn link, from → to and back
    QString fault;
    double seconds() const { return std::accumulate(phases.begin(), phases.end(), 0.0); }
};

Outcome replay(const Fabric& fabric, const Flows& flows, bool fair = true) {
    Outcome outcome;
    const Expected<std::string> platform = simgridPlatform(fabric);
    if (!platform) {
        outcome.fault = QString::fromStdString(platform.error().text());
        return outcome;
    }
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("platform.xml"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(*platform)) < 0)
        qFatal("cannot write %s", qPrintable(path));
    file.close();
    QProcess process;
    QStringList arguments{path};
    if (fair)
        arguments << QStringLiteral("--fair");
    process.start(QCoreApplication::applicationDirPath() + QStringLiteral("/simgrid_replay"), arguments);
    process.write(QByteArray::fromStdString(flows.text()));
    process.closeWriteChannel();
    if (!process.waitForFinished(120'000) || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
        outcome.fault = QString::fromLocal8Bit(process.readAllStandardError());
        return outcome;
    }
    for (const QByteArray& line : process.readAllStandardOutput().split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (words.first() == "phase")
            outcome.phases.push_back(words.at(1).toDouble());
        if (words.first() == "load" && words.at(1).contains(':')) {
            auto& [forward, backward] = outcome.loads[words.at(1).split(':').first().toStdString()];
            (words.at(1).endsWith("_UP") ? forward : backward) += words.at(2).toDouble();
        }
    }
    return outcome;
}

std::string gpu(int machine, int device) { return "n-" + std::to_string(machine) + ".gpu" + std::to_string(device); }

/// Two leaves of six servers, two spines with `uplinks` cables to each leaf: 3 are 1:1, 1 is 3:1.
std::uint32_t twoLeaves(Scene& scene, int uplinks) {
    const std::uint32_t n = scene.node("n", server, 12);
    scene.node("leaf", switchBox, 2);
    scene.node("spine", switchBox, 2);
    scene.link("n", "leaf", "eth_400g", Pattern::each, 1);
    scene.link("leaf", "spine", "eth_400g", Pattern::mesh, uplinks);
    return n;
}

/// Ring all-reduce: 2(n−1) steps, each rank its n-th part to the next one.
Flows ringFlows(int ranks, double bytes, const std::function<std::string(int)>& name) {
    Flows flows;
    for (int step = 0; step < 2 * (ranks - 1); ++step) {
        for (int i = 0; i < ranks; ++i)
            flows.add(name(i), name((i + 1) % ranks), bytes / ranks);
        flows.nextPhase();
    }
    return flows;
}

Flows allToAllFlows(int ranks, double bytes, const std::function<std::string(int)>& name) {
    Flows flows;
    for (int i = 0; i < ranks; ++i)
        for (int j = 0; j < ranks; ++j)
            if (i != j)
                flows.add(name(i), name(j), bytes / ranks);
    return flows;
}

std::string plain(int member) { return "n-" + std::to_string(member); }

/// Our time as if the protocol lost nothing.
double fluid(const CollectiveTime& time, const GroupFabric& group) {
    return time.seconds * group.tiers[static_cast<std::size_t>(time.tier)].collectiveEfficiency;
}

QString against(double ours, double theirs) {
    return QStringLiteral("%1 s against SimGrid's %2 s").arg(ours).arg(theirs);
}

std::vector<LinkLoad> loadsOf(const Fabric& fabric, const GroupFabric& group, double bytes, const RankGroup& ranks,
                              Neighbours neighbours) {
    Traffic traffic;
    traffic.kind = "test";
    traffic.group = &group;
    addTierBytes(traffic.bytesPerDevice, bytes, ranks, neighbours);
    return linkLoads(fabric, {&traffic, 1});
}

void compareLoads(const Outcome& outcome, const std::vector<LinkLoad>& loads, double relative) {
    for (const LinkLoad& load : loads) {
        const auto found = outcome.loads.find(load.link.value);
        QVERIFY(found != outcome.loads.end());
        const auto& [forward, backward] = found->second;
        QVERIFY2(near(load.forward, forward, relative),
                 qPrintable(QStringLiteral("%1: %2 against %3").arg(QString::fromStdString(load.link.value)).arg(load.forward).arg(forward)));
        QVERIFY2(near(load.backward, backward, relative),
                 qPrintable(QStringLiteral("%1: %2 against %3").arg(QString::fromStdString(load.link.value)).arg(load.backward).arg(backward)));
    }
}

} // namespace

class ComparisonTest : public QObject {
    Q_OBJECT

private slots:
    void latencies() {
        Scene scene;
        const std::uint32_t n = twoLeaves(scene, 3);
        const Fabric& fabric = scene.fabric();
        const GroupFabric group = fabric.group(std::vector{n});
        Flows flows;
        flows.add(plain(0), plain(1), 1);
        flows.nextPhase();
        flows.add(plain(0), plain(11), 1);
        const Outcome outcome = replay(fabric, flows, false);
        QVERIFY2(outcome.phases.size() == 2, qPrintable(outcome.fault));
        QVERIFY2(near(outcome.phases[0], group.tiers[1].latency, .01), qPrintable(against(group.tiers[1].latency, outcome.phases[0])));
        QVERIFY2(near(outcome.phases[1], group.tiers[2].latency, .01), qPrintable(against(group.tiers[2].latency, outcome.phases[1])));
    }

    void twoTiers_data() {
        QTest::addColumn<int>("uplinks");
        QTest::newRow("1:1") << 3;
        QTest::newRow("3:1") << 1;
    }

    void ringAllReduce_data() { twoTiers_data(); }
    void ringAllReduce() {
        QFETCH(int, uplinks);
        Scene scene;
        const std::uint32_t n = twoLeaves(scene, uplinks);
        const Fabric& fabric = scene.fabric();
        const GroupFabric group = fabric.group(std::vector{n});
        const double bytes = 12e9;
        const RankGroup ranks = rankGroup(group, 1, 12, 1);
        const CollectiveTime ours = collectiveTime(Collective::allReduce, bytes, ranks, scene.catalog(), nullptr);
        const Outcome theirs = replay(fabric, ringFlows(12, bytes, plain));
        QVERIFY2(near(fluid(ours, group), theirs.seconds(), tenPercent),
                 qPrintable(against(fluid(ours, group), theirs.seconds()) + theirs.fault));
        compareLoads(theirs, loadsOf(fabric, group, networkBytes(Collective::allReduce, bytes, ranks), ranks, Neighbours::ring), 1e-6);
    }

    /// Reduce-scatter and all-gather inside the machines, pipelined with rings of equal devices between them.
    void hierarchicalAllReduce_data() { twoTiers_data(); }
    void hierarchicalAllReduce() {
        QFETCH(int, uplinks);
        Scene scene;
        const std::uint32_t n = scene.node("n", "dgx_h100", 12);
        scene.node("leaf", "qm9700", 16); // two blocks of eight rails, six machines each
        scene.node("spine", "qm9700", 2);
        scene.link("n", "leaf", "ib_hdr", Pattern::rail, 8);
        scene.link("leaf", "spine", "ib_hdr", Pattern::mesh, uplinks);
        const Fabric& fabric = scene.fabric();
        const GroupFabric group = fabric.group(std::vector{n});
        const double bytes = 16e9;
        const CollectiveTime ours = collectiveTime(Collective::allReduce, bytes, rankGroup(group, 8, 96, 1), scene.catalog(),
                                                   scene.design().machines[n].gpu);
        QVERIFY(ours.hierarchical);
        Flows flows;
        for (int machine = 0; machine < 12; ++machine)
            for (int device = 0; device < 8; ++device) {
                flows.add(gpu(machine, device), gpu(machine, (device + 1) % 8), 2 * 7.0 / 8 * bytes);
                flows.add(gpu(machine, device), gpu((machine + 1) % 12, device), 2 * 11.0 / 12 * bytes / 8);
            }
        const Outcome theirs = replay(fabric, flows);
        QVERIFY2(near(fluid(ours, group), theirs.seconds(), tenPercent),
                 qPrintable(against(fluid(ours, group), theirs.seconds()) + theirs.fault));
    }

    void allToAll_data() { twoTiers_data(); }
    void allToAll() {
        QFETCH(int, uplinks);
        Scene scene;
        const std::uint32_t n = twoLeaves(scene, uplinks);
        const Fabric& fabric = scene.fabric();
        const GroupFabric group = fabric.group(std::vector{n});
        const double bytes = 12e9;
        const RankGroup ranks = rankGroup(group, 1, 12, 1);
        const CollectiveTime ours = collectiveTime(Collective::allToAll, bytes, ranks, scene.catalog(), nullptr);
        const Outcome theirs = replay(fabric, allToAllFlows(12, bytes, plain));
        QVERIFY2(near(fluid(ours, group), theirs.seconds(), tenPercent),
                 qPrintable(against(fluid(ours, group), theirs.seconds()) + theirs.fault));
        compareLoads(theirs, loadsOf(fabric, group, networkBytes(Collective::allToAll, bytes, ranks), ranks, Neighbours::everybody), 1e-6);
    }

    /// Three groups of four routers: every two linked in a group, router i to router i of the other groups.
    void dragonflyAllToAll() {
        Scene scene;
        std::vector<std::uint32_t> stacks;
        const char* servers[] = {"n", "m", "o"};
        const char* routers[] = {"r", "s", "t"};
        for (int g = 0; g < 3; ++g) {
            stacks.push_back(scene.node(servers[g], server, 8));
            scene.node(routers[g], switchBox, 4);
            scene.link(servers[g], routers[g], "eth_400g", Pattern::each, 1);
            scene.link(routers[g], routers[g], "eth_100g", Pattern::mesh, 1);
            for (int other = 0; other < g; ++other)
                scene.link(routers[other], routers[g], "eth_100g", Pattern::pair, 1);
        }
        const Fabric& fabric = scene.fabric();
        const GroupFabric group = fabric.group(stacks);
        QVERIFY(group.connected);
        const double bytes = 24e9;
        const RankGroup ranks = rankGroup(group, 1, 24, 1);
        const CollectiveTime ours = collectiveTime(Collective::allToAll, bytes, ranks, scene.catalog(), nullptr);
        // Between routers of different number there are two shortest ways, each with half of a flow, written as its legs.
        const auto host = [&](int pod, int router, int place) {
            return std::string(servers[pod]) + '-' + std::to_string(2 * router + place);
        };
        Flows flows;
        for (int i = 0; i < 24; ++i)
            for (int j = 0; j < 24; ++j) {
                const int g = i / 8, h = j / 8, r = i % 8 / 2, s = j % 8 / 2;
                const std::string from = host(g, r, i % 2), to = host(h, s, j % 2);
                if (i == j)
                    continue;
                if (g == h || r == s) {
                    flows.add(from, to, bytes / 24);
                    continue;
                }
                for (const std::string& turn : {host(g, s, j % 2), host(h, r, i % 2)}) {
                    flows.add(from, turn, bytes / 48);
                    flows.add(turn, to, bytes / 48);
                }
            }
        const Outcome theirs = replay(fabric, flows);
        QVERIFY2(near(fluid(ours, group), theirs.seconds(), tenPercent),
                 qPrintable(against(fluid(ours, group), theirs.seconds()) + theirs.fault));
        std::vector<LinkLoad> loads =
            loadsOf(fabric, group, networkBytes(Collective::allToAll, bytes, ranks), ranks, Neighbours::everybody);
        std::erase_if(loads, [](const LinkLoad& load) { return load.cables == 8; }); // of servers: the legs land there
        compareLoads(theirs, loads, 1e-6);
    }

    /// Two jobs on the same leaves and uplinks, each an exchange of all with all: the first measured while the second goes on and on.
    void jobsThatShareUplinks_data() {
        QTest::addColumn<int>("uplinks");
        QTest::addColumn<int>("others");
        QTest::newRow("3:1, half as large") << 1 << 4;
        QTest::newRow("3:1, as large") << 1 << 8;
        QTest::newRow("3:1, three times") << 1 << 24;
        QTest::newRow("uplinks to spare") << 12 << 8;
    }
    void jobsThatShareUplinks() {
        QFETCH(int, uplinks);
        QFETCH(int, others);
        Scene scene;
        const int sizes[] = {8, others};
        const std::uint32_t stacks[] = {scene.node("n", server, sizes[0]), scene.node("m", server, sizes[1])};
        scene.node("leaf", switchBox, 2);
        scene.node("spine", switchBox, 2);
        scene.link("n", "leaf", "eth_400g", Pattern::each, 1);
        scene.link("m", "leaf", "eth_400g", Pattern::each, 1);
        scene.link("leaf", "spine", "eth_400g", Pattern::mesh, uplinks);
        const Fabric& fabric = scene.fabric();
        const double bytes = 8e9;
        std::vector<GroupFabric> groups;
        std::vector<Traffic> traffic(2);
        std::vector<double> alone;
        for (int job = 0; job < 2; ++job)
            groups.push_back(fabric.group(std::span(&stacks[job], 1)));
        for (std::size_t job = 0; job < 2; ++job) {
            const RankGroup ranks = rankGroup(groups[job], 1, sizes[job], 1);
            const double sent = networkBytes(Collective::allToAll, bytes, ranks);
            traffic[job].kind = "shuffle";
            traffic[job].group = &groups[job];
            addTierBytes(traffic[job].bytesPerDevice, sent, ranks, Neighbours::everybody);
            alone.push_back(networkSeconds(sent, ranks, Neighbours::everybody, 1) *
                            groups[job].tiers.back().nominalPerDevice / groups[job].tiers.back().bandwidthPerDevice);
            traffic[job].period = traffic[job].activeTime = alone.back();
        }
        const Contender contenders[] = {{std::span(traffic).first(1)}, {std::span(traffic).last(1)}};
        const std::vector<FairShare> shares = fairShares(fabric, contenders);
        Flows flows;
        for (int i = 0; i < sizes[0]; ++i)
            for (int j = 0; j < sizes[0]; ++j)
                if (i != j)
                    flows.add(plain(i), plain(j), bytes / sizes[0]);
        for (int i = 0; i < sizes[1]; ++i)
            for (int j = 0; j < sizes[1]; ++j)
                if (i != j)
                    flows.add("m-" + std::to_string(i), "m-" + std::to_string(j), 1e15, true);
        const Outcome theirs = replay(fabric, flows);
        const double ours = alone[0] / shares[0].network;
        QVERIFY2(near(ours, theirs.seconds(), tenPercent), qPrintable(against(ours, theirs.seconds()) + theirs.fault));
        QCOMPARE(shares[0].network < 1, uplinks == 1);
    }

    /// All-reduce on a torus as its links allow: a part of the buffer for each axis and direction, its axes in turn.
    void torusAllReduce() {
        Scene scene;
        const std::uint32_t n = scene.node("n", server, 25);
        scene.link("n", "n", "eth_100g", Pattern::torus, 1, {5, 5});
        const Fabric& fabric = scene.fabric();
        const GroupFabric group = fabric.group(std::vector{n});
        const double bytes = 10e9, part = bytes / 4;
        const CollectiveTime ours =
            collectiveTime(Collective::allReduce, bytes, rankGroup(group, 1, 25, 1), scene.catalog(), nullptr);
        Flows flows;
        const auto alongAxis = [&](int axis, double each) {
            for (int i = 0; i < 25; ++i) {
                const int x = i / 5, y = i % 5;
                const auto at = [&](int step) { return axis == 0 ? (x + step + 5) % 5 * 5 + y : x * 5 + (y + step + 5) % 5; };
                flows.add(plain(i), plain(at(1)), .8 * each);
                flows.add(plain(i), plain(at(-1)), .8 * each);
            }
        };
        for (const double size : {part, part / 5, part / 5, part}) { // scatter along both axes, gather back
            alongAxis(0, size);
            alongAxis(1, size);
            flows.nextPhase();
        }
        const Outcome theirs = replay(fabric, flows);
        QVERIFY2(near(fluid(ours, group), theirs.seconds(), tenPercent),
                 qPrintable(against(fluid(ours, group), theirs.seconds()) + theirs.fault));
    }

    /// All-to-all on tori with dimension-ordered routes: every flow as its two legs.
    void torusAllToAll_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::newRow("5 x 5") << 5 << 5;
        QTest::newRow("3 x 7") << 3 << 7;
        QTest::newRow("ring of 9") << 1 << 9;
    }
    void torusAllToAll() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        Scene scene;
        const int count = rows * columns;
        const std::uint32_t n = scene.node("n", server, count);
        scene.link("n", "n", "eth_100g", rows == 1 ? Pattern::ring : Pattern::torus, 1,
                   rows == 1 ? std::vector<int>{} : std::vector<int>{rows, columns});
        const Fabric& fabric = scene.fabric();
        const GroupFabric group = fabric.group(std::vector{n});
        const double bytes = 25e9;
        const RankGroup ranks = rankGroup(group, 1, count, 1);
        const CollectiveTime ours = collectiveTime(Collective::allToAll, bytes, ranks, scene.catalog(), nullptr);
        Flows flows;
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < count; ++j) {
                const int turn = j / columns * columns + i % columns;
                if (turn != i)
                    flows.add(plain(i), plain(turn), bytes / count);
                if (turn != j)
                    flows.add(plain(turn), plain(j), bytes / count);
            }
        const Outcome theirs = replay(fabric, flows);
        QVERIFY2(near(fluid(ours, group), theirs.seconds(), tenPercent),
                 qPrintable(against(fluid(ours, group), theirs.seconds()) + theirs.fault));
        compareLoads(theirs, loadsOf(fabric, group, networkBytes(Collective::allToAll, bytes, ranks), ranks, Neighbours::everybody), 1e-6);
    }
};

QTEST_GUILESS_MAIN(ComparisonTest)
#include "comparison_test.moc"
