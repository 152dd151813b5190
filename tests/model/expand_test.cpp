// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each cabling pattern means, by hand-drawn cases, and what holds for all: cable counts, even spread, blocks.
#include "model/checks/checks.h"
#include "model/design/expand.h"

#include <QTest>

#include <map>
#include <random>
#include <set>

using namespace cw;

namespace {

Link link(Pattern pattern, int lanes, bool within = false, std::vector<int> dimensions = {}) {
    Link result;
    result.id = LinkId("l");
    result.from = NodeId("a");
    result.to = NodeId(within ? "a" : "b");
    result.pattern = pattern;
    result.lanes = lanes;
    result.dimensions = std::move(dimensions);
    return result;
}

QString drawn(const std::vector<MemberPair>& pairs) {
    QStringList list;
    for (const MemberPair& pair : pairs)
        list << QStringLiteral("%1-%2").arg(pair.from).arg(pair.to) +
                (pair.lanes > 1 ? QStringLiteral("*%1").arg(pair.lanes) : QString());
    return list.join(' ');
}

/// Sets that reach each other over the cables of one link.
int components(const std::vector<MemberPair>& pairs, std::int64_t n, std::int64_t m) {
    std::vector<int> root(static_cast<std::size_t>(n + m));
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&root](int at) {
        while (root[std::size_t(at)] != at)
            at = root[std::size_t(at)] = root[std::size_t(root[std::size_t(at)])];
        return at;
    };
    std::vector<bool> used(root.size());
    for (const MemberPair& pair : pairs) {
        root[std::size_t(find(int(pair.from)))] = find(int(n) + int(pair.to));
        used[pair.from] = used[std::size_t(n) + pair.to] = true;
    }
    std::set<int> roots;
    for (std::size_t at = 0; at < root.size(); ++at)
        if (used[at])
            roots.insert(find(int(at)));
    return int(roots.size());
}

Alternative twoStacks(std::int64_t n, std::int64_t m, const Link& l) {
    Alternative alternative;
    for (const auto& [id, count] : {std::pair("a", n), std::pair("b", m)}) {
        Node node;
        node.id = NodeId(id);
        node.count = count;
        alternative.nodes.push_back(node);
    }
    alternative.links.push_back(l);
    return alternative;
}

} // namespace

class ExpandTest : public QObject {
    Q_OBJECT
private slots:
    void draws_data();
    void draws();
    void refuses_data();
    void refuses();
    void holdsForAllPatterns();
    void numbersPorts();
    void stopsInTime();
};

void ExpandTest::draws_data() {
    QTest::addColumn<int>("pattern");
    QTest::addColumn<int>("lanes");
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("m");
    QTest::addColumn<QString>("pairs");
    QTest::addColumn<int>("blocks");
    const auto row = [](const char* name, Pattern pattern, int lanes, int n, int m, const char* pairs, int blocks) {
        QTest::newRow(name) << int(pattern) << lanes << n << m << QString(pairs) << blocks;
    };
    row("one leaf a block", Pattern::each, 1, 4, 2, "0-0 1-0 2-1 3-1", 2);
    row("every leaf", Pattern::each, 2, 3, 2, "0-0 0-1 1-0 1-1 2-0 2-1", 1);
    row("two to each leaf", Pattern::each, 4, 2, 2, "0-0*2 0-1*2 1-0*2 1-1*2", 1);
    row("round robin goes on", Pattern::each, 3, 2, 2, "0-0*2 0-1 1-1*2 1-0", 1);
    row("window slides", Pattern::each, 2, 3, 3, "0-0 0-1 1-1 1-2 2-2 2-0", 1);
    row("two blocks of two", Pattern::each, 2, 4, 4, "0-0 0-1 1-0 1-1 2-2 2-3 3-2 3-3", 2);
    row("uneven blocks", Pattern::each, 1, 5, 2, "0-0 1-0 2-0 3-1 4-1", 2);
    row("more leaves than machines", Pattern::each, 1, 2, 4, "0-0 1-2", 2);
    row("mesh", Pattern::mesh, 2, 2, 2, "0-0*2 0-1*2 1-0*2 1-1*2", 1);
    row("rail", Pattern::rail, 2, 2, 2, "0-0 0-1 1-0 1-1", 1);
    row("rail in blocks", Pattern::rail, 2, 4, 4, "0-0 0-1 1-0 1-1 2-2 2-3 3-2 3-3", 2);
    row("planes take turns", Pattern::plane, 2, 4, 4, "0-0 0-1 1-2 1-3 2-0 2-1 3-2 3-3", 1);
    row("pair", Pattern::pair, 3, 3, 3, "0-0*3 1-1*3 2-2*3", 3);
}

void ExpandTest::draws() {
    QFETCH(int, pattern);
    QFETCH(int, lanes);
    QFETCH(int, n);
    QFETCH(int, m);
    QFETCH(QString, pairs);
    QFETCH(int, blocks);
    const Link l = link(static_cast<Pattern>(pattern), lanes);
    const auto result = memberPairs(l, n, m);
    QVERIFY2(result.has_value(), result ? "" : result.error().text().c_str());
    QCOMPARE(drawn(*result), pairs);
    QCOMPARE(int(blockCount(l, n, m)), blocks);
    QCOMPARE(drawn(*memberPairs(link(Pattern::ring, 1, true), 4, 4)), QStringLiteral("0-1 1-2 2-3 3-0"));
    QCOMPARE(drawn(*memberPairs(link(Pattern::ring, 2, true), 2, 2)), QStringLiteral("0-1*2"));
    QCOMPARE(drawn(*memberPairs(link(Pattern::ring, 2, true), 1, 1)), QString());
    QCOMPARE(drawn(*memberPairs(link(Pattern::mesh, 1, true), 3, 3)), QStringLiteral("0-1 0-2 1-2"));
    QCOMPARE(drawn(*memberPairs(link(Pattern::torus, 1, true, {2, 3}), 6, 6)),
             QStringLiteral("0-3 1-4 2-5 0-1 1-2 2-0 3-4 4-5 5-3"));
}

void ExpandTest::refuses_data() {
    QTest::addColumn<int>("pattern");
    QTest::addColumn<int>("lanes");
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("m");
    QTest::addColumn<bool>("within");
    const auto row = [](const char* name, Pattern pattern, int lanes, int n, int m, bool within) {
        QTest::newRow(name) << int(pattern) << lanes << n << m << within;
    };
    row("rails that do not divide", Pattern::rail, 3, 4, 4, false);
    row("pair of unequal stacks", Pattern::pair, 1, 3, 4, false);
    row("ring between stacks", Pattern::ring, 1, 3, 3, false);
    row("torus without dimensions", Pattern::torus, 1, 4, 4, true);
    row("each within a stack", Pattern::each, 1, 4, 4, true);
    row("no lanes", Pattern::each, 0, 4, 4, false);
    row("no members", Pattern::each, 1, 0, 4, false);
    row("too many", Pattern::mesh, 1, 10'000'000, 10'000'000, false);
}

void ExpandTest::refuses() {
    QFETCH(int, pattern);
    QFETCH(int, lanes);
    QFETCH(int, n);
    QFETCH(int, m);
    QFETCH(bool, within);
    const auto result = memberPairs(link(static_cast<Pattern>(pattern), lanes, within), n, m);
    QVERIFY(!result);
    QVERIFY(result.error().where.find("link l") != std::string::npos);
    QVERIFY(!result.error().expected.empty() && !result.error().found.empty());
}

void ExpandTest::holdsForAllPatterns() {
    std::mt19937 random(4711);
    const auto below = [&random](int bound) { return int(random() % unsigned(bound)); };
    for (int round = 0; round < 3000; ++round) {
        const auto pattern = static_cast<Pattern>(below(6));
        const bool within = pattern == Pattern::ring || pattern == Pattern::torus || (pattern == Pattern::mesh && below(2));
        int n = 1 + below(40), m = 1 + below(24);
        const int lanes = 1 + below(pattern == Pattern::each || pattern == Pattern::rail ? 12 : 3);
        std::vector<int> dimensions;
        if (pattern == Pattern::rail)
            m = lanes * (1 + below(5));
        if (pattern == Pattern::torus) {
            dimensions = {1 + below(4), 1 + below(4), 1 + below(4)};
            n = dimensions[0] * dimensions[1] * dimensions[2];
        }
        if (within || pattern == Pattern::pair)
            m = n;
        const Link l = link(pattern, lanes, within, dimensions);
        const auto pairs = memberPairs(l, n, m);
        QVERIFY2(pairs.has_value(), pairs ? "" : pairs.error().text().c_str());
        std::map<std::uint32_t, int> atFrom, atTo;
        std::set<std::pair<std::uint32_t, std::uint32_t>> once;
        int total = 0;
        for (const MemberPair& pair : *pairs) {
            QVERIFY(pair.from < unsigned(n) && pair.to < unsigned(m) && pair.lanes >= 1);
            QVERIFY(once.insert({pair.from, pair.to}).second);
            atFrom[pair.from] += int(pair.lanes);
            (within ? atFrom : atTo)[pair.to] += int(pair.lanes);
            total += int(pair.lanes);
        }
        const auto fullest = [](const auto& counts) {
            int most = 0;
            for (const auto& [member, count] : counts)
                most = std::max(most, count);
            return most;
        };
        const CableCount count = cableCount(twoStacks(n, m, l), l);
        const QString what =
            QStringLiteral("%1 n=%2 m=%3 lanes=%4").arg(QString::fromUtf8(name(pattern).data())).arg(n).arg(m).arg(lanes);
        QVERIFY2(count.total == total && count.perFrom == fullest(atFrom) &&
                     count.perTo == (within ? fullest(atFrom) : fullest(atTo)),
                 qPrintable(what));
        if (pattern == Pattern::each || pattern == Pattern::rail) {
            int least = total;
            for (int member = 0; member < m; ++member)
                least = std::min(least, atTo.count(unsigned(member)) ? atTo[unsigned(member)] : 0);
            QVERIFY2(fullest(atTo) - least <= 1, qPrintable(what));
            if (lanes >= m || m % lanes == 0)
                QVERIFY2(components(*pairs, n, m) == blockCount(l, n, m), qPrintable(what));
        }
    }
}

void ExpandTest::numbersPorts() {
    // Eight rails on four leaves: port r of every server meets the same leaf.
    Alternative alternative = twoStacks(4, 4, link(Pattern::each, 8));
    const auto graph = expand(alternative);
    QVERIFY(graph.has_value());
    QCOMPARE(graph->members.size(), std::size_t(8));
    QCOMPARE(graph->cables.size(), std::size_t(32));
    QCOMPARE(graph->firstMember, (std::vector<std::uint32_t>{0, 4}));
    std::map<std::uint32_t, std::set<int>> ports;
    for (const auto& cable : graph->cables) {
        QCOMPARE(cable.to, 4u + cable.fromPort % 4u);
        QVERIFY(ports[cable.from].insert(cable.fromPort).second);
        QVERIFY(ports[cable.to].insert(cable.toPort).second);
    }
    alternative.links.front().to = NodeId("nowhere");
    QVERIFY(!expand(alternative));
}

void ExpandTest::stopsInTime() {
    const auto result = expand(twoStacks(1'000'000, 8, link(Pattern::each, 8)), 1'000'000);
    QVERIFY(!result);
    QVERIFY(!expand(twoStacks(1'000'000, 1'000'000, link(Pattern::mesh, 1))));
    QVERIFY(!expand(twoStacks(100'000, 1, link(Pattern::each, 1)))); // 100 000 cables on one switch
}

QTEST_GUILESS_MAIN(ExpandTest)
#include "expand_test.moc"
