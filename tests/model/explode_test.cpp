// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stacks taken apart and put together again: every cable stays where it was.
#include "model/design/expand.h"
#include "model/edit/edit.h"
#include "model/io/project_file.h"
#include "tests/model/sample_projects.h"

#include <QTest>

#include <algorithm>
#include <map>

using namespace cw;
using test::anyId;
using test::below;
using test::leafSpineProject;

namespace {

const AlternativeId base("alt0");

/// Cables between members, numbered through all stacks in the order `order` gives the stacks; from and to of a cable do not matter.
std::map<std::pair<std::uint32_t, std::uint32_t>, int> cables(const Alternative& alternative,
                                                              const std::vector<std::string>& order) {
    const auto graph = expand(alternative);
    if (!graph)
        return {};
    std::map<std::string, std::uint32_t> first;
    std::uint32_t next = 0;
    for (const std::string& id : order) {
        first[id] = next;
        next += std::uint32_t(alternative.findNode(NodeId(id))->count);
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> result;
    for (const auto& cable : graph->cables) {
        const auto number = [&](std::uint32_t member) {
            const auto& m = graph->members[member];
            return first.at(alternative.nodes[m.node].id.value) + m.index;
        };
        const auto a = number(cable.from), b = number(cable.to);
        ++result[{std::min(a, b), std::max(a, b)}];
    }
    return result;
}

/// Stacks of `after` in the order of the stacks of `before` that they come from ("n1" gives "n1-1", "n1-2", …).
std::vector<std::string> orderLike(const Alternative& before, const Alternative& after) {
    std::vector<std::string> order;
    for (const Node& old : before.nodes) {
        if (after.findNode(old.id)) {
            order.push_back(old.id.value);
            continue;
        }
        for (int number = 1; after.findNode(NodeId(old.id.value + "-" + std::to_string(number))); ++number)
            order.push_back(old.id.value + "-" + std::to_string(number));
    }
    return order;
}

std::vector<std::string> idsOf(const Alternative& alternative) {
    std::vector<std::string> ids;
    for (const Node& n : alternative.nodes)
        ids.push_back(n.id.value);
    return ids;
}

} // namespace

class ExplodeTest : public QObject {
    Q_OBJECT
private slots:
    void explodeKeepsEveryCable();
    void explodeDividesAsLittleAsItMust();
    void mergeTakesBack();
    void mergeSharesUplinks();
    void mergeRefuses();
};

void ExplodeTest::explodeKeepsEveryCable() {
    std::mt19937 random(77);
    int exploded = 0;
    for (int round = 0; round < 300; ++round) {
        Project project = round == 0 ? leafSpineProject() : test::randomProject(random, 1 + below(random, 6));
        const Alternative before = project.alternatives[0];
        const std::string chosen = round == 0 ? "leaf" : anyId(random, before.nodes);
        const auto edit = edits::explode(project, before.id, NodeId(chosen), "e");
        if (!edit)
            continue;
        QVERIFY(apply(project, *edit).has_value());
        const Alternative& after = project.alternatives[0];
        const auto wanted = cables(before, idsOf(before)), found = cables(after, orderLike(before, after));
        QVERIFY(!before.links.empty() && wanted == found);
        ++exploded;
    }
    QVERIFY(exploded > 100);
}

void ExplodeTest::explodeDividesAsLittleAsItMust() {
    Project project = leafSpineProject();
    project.alternatives[0].links.erase(project.alternatives[0].links.begin() + 2,
                                        project.alternatives[0].links.end()); // only rails and uplinks
    QVERIFY(apply(project, *edits::explode(project, base, NodeId("leaf"), "e")).has_value());
    const Alternative& after = project.alternatives[0];
    // 12 servers in two rail blocks of six stay two stacks; the spines, in full mesh, one.
    QVERIFY(after.findNode(NodeId("server-2")) && !after.findNode(NodeId("server-3")));
    QCOMPARE(after.findNode(NodeId("server-1"))->count, std::int64_t(6));
    QVERIFY(after.findNode(NodeId("spine")) && after.findNode(NodeId("leaf-4")) && !after.findNode(NodeId("leaf")));
    QCOMPARE(after.placements[0].nodes, (std::vector<NodeId>{NodeId("server-1"), NodeId("server-2")}));
    QCOMPARE(after.findNode(NodeId("leaf-1"))->name, std::string("leaf 1"));
    // Three racks of four servers each: the block of six ends in the middle of the second.
    QCOMPARE(after.racks.size(), std::size_t(3));
    const auto store = [](int count) { return RackItem{NodeId("store"), count, 0, {}}; };
    QCOMPARE(after.racks[0].items, (std::vector<RackItem>{{NodeId("server-1"), 4, 1, {}}, store(2)}));
    QCOMPARE(after.racks[1].items,
             (std::vector<RackItem>{{NodeId("server-1"), 2, 1, {}}, {NodeId("server-2"), 2, 0, {}}, store(2)}));
    QCOMPARE(after.racks[2].items, (std::vector<RackItem>{{NodeId("server-2"), 4, 1, {}}, store(2)}));

    Project large = leafSpineProject();
    large.alternatives[0].nodes[0].count = 5000;
    QVERIFY(!edits::explode(large, base, NodeId("server"), "e"));
    QVERIFY(!edits::explode(large, base, NodeId("nobody"), "e"));
}

void ExplodeTest::mergeTakesBack() {
    for (const char* chosen : {"server", "leaf", "spine", "store"}) {
        Project project = leafSpineProject();
        const Alternative before = project.alternatives[0];
        QVERIFY(apply(project, *edits::explode(project, base, NodeId(chosen), "e")).has_value());
        std::vector<NodeId> all;
        for (const Node& n : project.alternatives[0].nodes)
            all.push_back(n.id);
        const auto edit = edits::merge(project, base, all, "e");
        QVERIFY2(edit.has_value(), edit ? "" : edit.error().text().c_str());
        QVERIFY(apply(project, *edit).has_value());
        const Alternative& after = project.alternatives[0];
        QCOMPARE(after.nodes.size(), before.nodes.size());
        QCOMPARE(after.links.size(), before.links.size());
        std::vector<std::string> order;
        for (const Node& n : before.nodes)
            order.push_back(
                std::find_if(after.nodes.begin(), after.nodes.end(), [&n](const Node& o) { return o.name == n.name; })->id.value);
        QVERIFY(cables(before, idsOf(before)) == cables(after, order));
        QCOMPARE(after.racks.size(), std::size_t(1));
        QCOMPARE(after.racks[0].count, std::int64_t(3));
        QCOMPARE(after.placements[0].nodes.size(), std::size_t(1));
    }
}

void ExplodeTest::mergeSharesUplinks() {
    // Three servers drawn one by one, each with a cable to a stack of two leaves: together they are a stack that spreads its cables.
    Project project = leafSpineProject();
    Alternative& alternative = project.alternatives[0];
    alternative.racks.clear();
    alternative.placements.clear();
    alternative.links = {alternative.links[1]};
    const Node server = alternative.nodes[0];
    alternative.nodes.erase(alternative.nodes.begin());
    std::vector<NodeId> ids;
    for (int at = 1; at <= 3; ++at) {
        Node one = server;
        one.id = NodeId("s" + std::to_string(at));
        one.name = "S " + std::to_string(at);
        one.count = 1;
        ids.push_back(one.id);
        alternative.nodes.push_back(one);
        Link link;
        link.id = LinkId("u" + std::to_string(at));
        link.from = one.id;
        link.to = NodeId("leaf");
        alternative.links.push_back(link);
    }
    const auto edit = edits::merge(project, base, ids, "e");
    QVERIFY2(edit.has_value(), edit ? "" : edit.error().text().c_str());
    QVERIFY(apply(project, *edit).has_value());
    QCOMPARE(project.alternatives[0].links.size(), std::size_t(2));
    QCOMPARE(project.alternatives[0].findNode(NodeId("s1"))->count, std::int64_t(3));
    QCOMPARE(project.alternatives[0].findNode(NodeId("s1"))->name, std::string("S"));
    QCOMPARE(project.alternatives[0].findLink(LinkId("u1"))->pattern, Pattern::each);
}

void ExplodeTest::mergeRefuses() {
    Project project = leafSpineProject();
    QVERIFY(!edits::merge(project, base, {NodeId("leaf"), NodeId("spine")}, "e")); // different parts
    QVERIFY(!edits::merge(project, base, {}, "e"));
    QVERIFY(apply(project, *edits::explode(project, base, NodeId("spine"), "e")).has_value());
    Alternative& alternative = project.alternatives[0];
    alternative.placements[0].nodes = {NodeId("spine-1")};
    QVERIFY(!edits::merge(project, base, {NodeId("spine-1"), NodeId("spine-2")}, "e")); // the workload runs on one of them
    alternative.placements.clear();
    const auto found =
        std::find_if(alternative.links.begin(), alternative.links.end(), [](const Link& l) { return l.to == NodeId("spine-2"); });
    QVERIFY(found != alternative.links.end());
    found->lanes = 1;
    QVERIFY(!edits::merge(project, base, {NodeId("spine-1"), NodeId("spine-2")}, "e")); // cabled differently
}

QTEST_GUILESS_MAIN(ExplodeTest)
#include "explode_test.moc"
