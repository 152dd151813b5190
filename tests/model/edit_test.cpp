// SPDX-License-Identifier: GPL-3.0-or-later
//
// Edits: applied and undone give the identical bytes, references stay whole.
#include "model/edit/edit.h"
#include "model/io/project_file.h"
#include "tests/model/sample_projects.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace cw;
using test::anyId;
using test::below;

namespace {

const AlternativeId base("alt0");

ElementRef node(const std::string& id) { return {ElementKind::node, base, id}; }

std::string whyNot(const Expected<void>& result) { return result ? "" : result.error().text(); }

/// Every reference of the alternatives points to something that is there.
std::string brokenReference(const Project& project) {
    for (const Alternative& alternative : project.alternatives) {
        std::set<std::string> nodes{""}, frames{""};
        for (const Node& n : alternative.nodes)
            nodes.insert(n.id.value);
        for (const Frame& frame : alternative.frames)
            frames.insert(frame.id.value);
        for (const Node& n : alternative.nodes)
            if (!frames.count(n.frame.value))
                return "frame of node " + n.id.value;
        for (const Frame& frame : alternative.frames)
            if (!frames.count(frame.parent.value))
                return "parent of frame " + frame.id.value;
        for (const Link& link : alternative.links)
            if (!nodes.count(link.from.value) || !nodes.count(link.to.value))
                return "ends of link " + link.id.value;
        for (const Rack& rack : alternative.racks)
            for (const RackItem& item : rack.items)
                if (!nodes.count(item.node.value))
                    return "item of rack " + rack.id.value;
        for (const Placement& placement : alternative.placements) {
            if (placement.nodes.empty() || !project.findWorkload(placement.workload))
                return "placement " + placement.id.value;
            for (const NodeId& id : placement.nodes)
                if (!nodes.count(id.value))
                    return "node of placement " + placement.id.value;
        }
    }
    for (const auto& [key, item] : project.view.items) {
        const auto slash = key.find('/');
        const Alternative* alternative = project.findAlternative(AlternativeId(key.substr(0, slash)));
        const std::string id = key.substr(slash + 1);
        if (!alternative ||
            !(alternative->findNode(NodeId(id)) || alternative->findRack(RackId(id)) || alternative->findFrame(FrameId(id))))
            return "view " + key;
    }
    return {};
}

/// One random edit such as the window makes.
Edit randomEdit(std::mt19937& random, const Project& project) {
    if (project.alternatives.empty())
        return edits::insertAlternative(project, {}, "e");
    const Alternative& alternative = project.alternatives[std::size_t(below(random, int(project.alternatives.size())))];
    const AlternativeId& id = alternative.id;
    switch (below(random, 17)) {
    case 0: {
        Node added;
        added.name = "Node";
        added.count = 1 + below(random, 9);
        return edits::insertNode(project, id, added, {1, 2, 0, 0, {}, {}}, "e");
    }
    case 1: {
        Link link;
        link.from = NodeId(anyId(random, alternative.nodes));
        link.to = NodeId(anyId(random, alternative.nodes));
        link.pattern = link.from == link.to ? Pattern::mesh : Pattern::each;
        return alternative.nodes.empty() ? Edit{} : edits::insertLink(project, id, link, "e");
    }
    case 2: {
        Rack rack;
        if (!alternative.nodes.empty())
            rack.items.push_back({NodeId(anyId(random, alternative.nodes)), 1, 0, {}});
        return edits::insertRack(project, id, rack, {}, "e");
    }
    case 3: {
        Frame frame;
        if (!alternative.frames.empty())
            frame.parent = FrameId(anyId(random, alternative.frames));
        return edits::insertFrame(project, id, frame, {}, "e");
    }
    case 4: {
        Placement placement;
        placement.workload = WorkloadId(anyId(random, project.workloads));
        placement.nodes = {NodeId(anyId(random, alternative.nodes))};
        return alternative.nodes.empty() || project.workloads.empty() ? Edit{}
                                                                      : edits::insertPlacement(project, id, placement, "e");
    }
    case 5: {
        std::vector<ElementRef> refs;
        for (int times = below(random, 4); times >= 0; --times)
            refs.push_back({ElementKind::node, id, anyId(random, alternative.nodes)});
        refs.push_back({ElementKind::frame, id, anyId(random, alternative.frames)});
        refs.push_back({ElementKind::link, id, anyId(random, alternative.links)});
        return edits::remove(project, refs, "e");
    }
    case 6:
        return edits::remove(project, {{ElementKind::rack, id, anyId(random, alternative.racks)}}, "e");
    case 7: {
        if (alternative.nodes.empty())
            return {};
        Node changed = alternative.nodes[std::size_t(below(random, int(alternative.nodes.size())))];
        changed.count = 1 + below(random, 30);
        changed.role = "role " + std::to_string(below(random, 3));
        return edits::set(project, {ElementKind::node, id, changed.id.value}, changed, "e", below(random, 2) ? "typing" : "");
    }
    case 8: {
        std::map<std::string, ItemView> moves;
        for (int times = below(random, 5); times >= 0 && !alternative.nodes.empty(); --times)
            moves[anyId(random, alternative.nodes)] = {double(below(random, 100)), 0, 0, 0, {}, {}};
        return edits::move(project, id, moves, "e", "drag");
    }
    case 9:
        return project.alternatives.size() < 5 ? edits::duplicateAlternative(project, id, "e")
                                               : edits::removeAlternative(project, id, "e");
    case 10:
        return edits::moveAlternative(project, id, below(random, 5), "e");
    case 11:
        return edits::insertWorkload(project, {{}, "Web", Service{}, {}, {}, {}, {}, {}}, "e");
    case 12:
        return edits::removeWorkload(project, WorkloadId(anyId(random, project.workloads)), "e");
    case 13: {
        const auto edit = edits::explode(project, id, NodeId(anyId(random, alternative.nodes)), "e");
        return edit ? *edit : Edit{};
    }
    case 14: {
        const auto edit = edits::merge(project, id,
                                       {NodeId(anyId(random, alternative.nodes)), NodeId(anyId(random, alternative.nodes)),
                                        NodeId(anyId(random, alternative.nodes))},
                                       "e");
        return edit ? *edit : Edit{};
    }
    case 15: {
        std::vector<ElementRef> refs;
        for (const Node& n : alternative.nodes)
            if (below(random, 2))
                refs.push_back({ElementKind::node, id, n.id.value});
        refs.push_back({ElementKind::frame, id, anyId(random, alternative.frames)});
        const auto edit = pasteEdit(project, id, clipboardText(project, id, refs), 20, 30, "e");
        return edit && alternative.nodes.size() < 60 ? *edit : Edit{};
    }
    default: {
        AlternativeHead head = headOf(alternative);
        head.notes += "x";
        Edit edit = edits::set(project, {ElementKind::alternative, {}, id.value}, head, "e");
        return merged(edit, edits::set(project, {ElementKind::baseline, {}, {}}, id, "e"));
    }
    }
}

} // namespace

class EditTest : public QObject {
    Q_OBJECT
private slots:
    void undoGivesTheSameBytes();
    void appliesAllOrNothing();
    void mergesTyping();
    void movesAlternatives();
    void removesWhatHangsOn();
    void removesManyInOnePass();
    void givesFreeIds();
    void pastes();
    void pastesForeignText();
};

void EditTest::undoGivesTheSameBytes() {
    std::mt19937 random(2024);
    int made = 0;
    for (int round = 0; round < 30; ++round) {
        Project project = test::randomProject(random, 1 + below(random, 12));
        const std::string start = writeProject(project);
        std::vector<Edit> stack;
        std::vector<std::string> states;
        for (int step = 0; step < 25; ++step) {
            const std::string before = writeProject(project);
            const Edit edit = randomEdit(random, project);
            auto done = applied(project, edit);
            QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
            QVERIFY2(brokenReference(project).empty(), brokenReference(project).c_str());
            if (done->empty())
                continue;
            ++made;
            if (!stack.empty() && below(random, 2)) { // one step of two
                stack.back() = merged(stack.back(), *done);
            } else {
                stack.push_back(*done);
                states.push_back(before);
            }
        }
        const Project end = project;
        while (!stack.empty()) {
            const auto undone = apply(project, inverse(stack.back()));
            QVERIFY2(undone.has_value(), whyNot(undone).c_str());
            QCOMPARE(writeProject(project), states.back());
            const auto redone = apply(project, stack.back());
            QVERIFY2(redone.has_value(), whyNot(redone).c_str());
            QVERIFY(apply(project, inverse(stack.back())).has_value());
            stack.pop_back();
            states.pop_back();
        }
        QCOMPARE(writeProject(project), start);
        QVERIFY(end.alternatives.size() <= 6);
    }
    QVERIFY(made > 400);
}

void EditTest::appliesAllOrNothing() {
    Project project = test::leafSpineProject();
    const std::string before = writeProject(project);
    Edit edit = edits::remove(project, {node("server"), node("leaf")}, "e");
    Change wrong = edit.changes.front();
    wrong.ref.id = "nobody";
    edit.changes.push_back(wrong);
    const auto result = apply(project, edit);
    QVERIFY(!result);
    QVERIFY2(result.error().where.find("nobody") != std::string::npos, result.error().text().c_str());
    QCOMPARE(writeProject(project), before);
    // Made for a project that has changed since.
    const Edit stale = edits::set(
        project, node("leaf"),
        [&] {
            Node n = *project.alternatives[0].findNode(NodeId("leaf"));
            n.count = 9;
            return n;
        }(),
        "e");
    QVERIFY(apply(project, stale).has_value());
    QVERIFY(!apply(project, stale));
    Node renamed = *project.alternatives[0].findNode(NodeId("leaf"));
    renamed.id = NodeId("other");
    QVERIFY(!apply(project, edits::set(project, node("leaf"), renamed, "e")));
    Node twin = *project.alternatives[0].findNode(NodeId("leaf"));
    QVERIFY(!apply(project, Edit{"e", "", {{node("leaf"), {}, twin, -1, -1}}}));
    QVERIFY(!apply(project, Edit{"e", "", {{{ElementKind::node, AlternativeId("none"), "leaf"}, {}, twin, -1, -1}}}));
    QVERIFY(!apply(project, Edit{"e", "", {{{ElementKind::site, {}, {}}, Meta{}, Site{}, -1, -1}}}));
}

void EditTest::mergesTyping() {
    Project project = test::leafSpineProject();
    const std::string before = writeProject(project);
    const auto typed = [&](const char* text) {
        Node n = *project.alternatives[0].findNode(NodeId("leaf"));
        n.name = text;
        auto edit = applied(project, edits::set(project, node("leaf"), n, "Rename", "name"));
        return *edit;
    };
    Edit all = typed("L");
    for (const char* text : {"Le", "Leaves"})
        all = merged(all, typed(text));
    QCOMPARE(all.changes.size(), std::size_t(1));
    QVERIFY(apply(project, inverse(all)).has_value());
    QCOMPARE(writeProject(project), before);
    QVERIFY(apply(project, all).has_value());
    QVERIFY(merged(all, typed("leaf")).empty()); // typed back to what it was
    QVERIFY(edits::set(project, node("leaf"), elementAt(project, node("leaf")), "e").empty());
}

void EditTest::movesAlternatives() {
    Project project = test::leafSpineProject();
    for (const char* id : {"b", "c"}) {
        Alternative more;
        more.id = AlternativeId(id);
        project.alternatives.push_back(more);
    }
    const std::string before = writeProject(project);
    const auto moved = applied(project, edits::moveAlternative(project, base, 2, "e"));
    QVERIFY(moved.has_value());
    QCOMPARE(project.alternatives[2].id, base);
    QCOMPARE(project.alternatives[0].id, AlternativeId("b"));
    QVERIFY(apply(project, inverse(*moved)).has_value());
    QCOMPARE(writeProject(project), before);
    QVERIFY(edits::moveAlternative(project, base, -5, "e").empty());
    QVERIFY(apply(project, edits::duplicateAlternative(project, base, "e")).has_value());
    QCOMPARE(project.alternatives[1].name, std::string("a 2"));
    QCOMPARE(project.alternatives[1].nodes, project.alternatives[0].nodes);
    QVERIFY(project.view.items.count(viewKey(project.alternatives[1].id, "leaf")));
    project.baseline = base;
    QVERIFY(apply(project, edits::removeAlternative(project, base, "e")).has_value());
    QVERIFY(project.baseline.empty() && !project.view.items.count(viewKey(base, "leaf")));
}

void EditTest::removesWhatHangsOn() {
    Project project = test::leafSpineProject();
    Frame outer, inner;
    outer.id = FrameId("outer");
    inner.id = FrameId("inner");
    inner.parent = outer.id;
    project.alternatives[0].frames = {outer, inner};
    project.alternatives[0].nodes[1].frame = inner.id;
    QVERIFY(apply(project, edits::remove(project, {node("server"), {ElementKind::frame, base, "inner"}}, "e")).has_value());
    const Alternative& alternative = project.alternatives[0];
    QVERIFY(!alternative.findNode(NodeId("server")) && !alternative.findLink(LinkId("rail")) &&
            !alternative.findLink(LinkId("grid")));
    QVERIFY(alternative.findLink(LinkId("up")) && alternative.placements.empty());
    QCOMPARE(alternative.racks[0].items.size(), std::size_t(1));
    QCOMPARE(alternative.findNode(NodeId("leaf"))->frame, outer.id);
    QVERIFY(!project.view.items.count(viewKey(base, "server")) && project.view.items.count(viewKey(base, "leaf")));
    project.workloads.push_back(
        {WorkloadId("chain"), "chain", Pipeline{{{"s", "s", WorkloadId("w"), {}, 1, {}}}, {}, 0, {}}, {}, {}, {}, {}, {}});
    QVERIFY(apply(project, edits::removeWorkload(project, WorkloadId("w"), "e")).has_value());
    QVERIFY(std::get<Pipeline>(project.workloads[0].spec).stages[0].workload.empty());
}

// Runs of removals and insertions are applied in one pass; it must come to the same as one by one.
void EditTest::removesManyInOnePass() {
    std::mt19937 random(12);
    for (int round = 0; round < 20; ++round) {
        Project project = test::randomProject(random, 80);
        const std::string before = writeProject(project);
        std::vector<ElementRef> refs;
        for (const Node& n : project.alternatives[0].nodes)
            if (below(random, 3))
                refs.push_back(node(n.id.value));
        const Edit edit = edits::remove(project, refs, "e");
        Project oneByOne = project;
        for (const Change& change : edit.changes)
            QVERIFY(apply(oneByOne, Edit{"", "", {change}}).has_value());
        const auto done = applied(project, edit);
        QVERIFY(done.has_value());
        QVERIFY(project == oneByOne);
        QVERIFY2(brokenReference(project).empty(), brokenReference(project).c_str());
        const Edit back = inverse(*done);
        for (const Change& change : back.changes)
            QVERIFY(apply(oneByOne, Edit{"", "", {change}}).has_value());
        QVERIFY(apply(project, back).has_value());
        QCOMPARE(writeProject(project), before);
        QVERIFY(project == oneByOne);
        // A run that does not fit in its middle changes nothing.
        Edit wrong = edit;
        Change& middle = wrong.changes[wrong.changes.size() / 2];
        middle.ref.id += "?";
        QVERIFY(!apply(project, wrong));
        QCOMPARE(writeProject(project), before);
    }
}

void EditTest::givesFreeIds() {
    Project project = test::leafSpineProject();
    QCOMPARE(freeId(project, base, "leaf"), std::string("leaf-2"));
    QCOMPARE(freeId(project, base, "Core Switch (64×)"), std::string("core-switch-64"));
    QCOMPARE(freeId(project, base, "東京"), std::string("item"));
    QCOMPARE(freeId(project, {}, "w"), std::string("w-2"));
    QCOMPARE(freeName(project.alternatives[0], "leaf"), std::string("leaf 2"));
    project.alternatives[0].nodes[0].name = "leaf 2";
    QCOMPARE(freeName(project.alternatives[0], "leaf"), std::string("leaf 3"));
    QCOMPARE(freeName(project.alternatives[0], "leaf 2"), std::string("leaf 3"));
}

void EditTest::pastes() {
    Project project = test::leafSpineProject();
    project.parts = {{PartId("server"), "server", R"({"gpu_id": "own_gpu", "id": "server"})", {}},
                     {PartId("own_gpu"), "gpu", R"({"id": "own_gpu"})", {}},
                     {PartId("unused"), "gpu", R"({"id": "unused"})", {}}};
    const std::string clip = clipboardText(project, base, {node("server"), node("leaf"), {ElementKind::rack, base, "rack"}});
    QVERIFY(apply(project, *pasteEdit(project, base, clip, 100, 50, "e")).has_value());
    const Alternative& alternative = project.alternatives[0];
    QCOMPARE(alternative.nodes.size(), std::size_t(6));
    QCOMPARE(alternative.links.size(), std::size_t(7)); // rail and grid came along, the uplink to the spines did not
    const Link* rail = alternative.findLink(LinkId("rail-2"));
    QVERIFY(rail && rail->from == NodeId("server-2") && rail->to == NodeId("leaf-2"));
    QCOMPARE(alternative.findNode(NodeId("leaf-2"))->name, std::string("leaf 2"));
    QCOMPARE(project.view.items.at(viewKey(base, "leaf-2")), (ItemView{110, 70, 0, 0, {}, {}}));
    QCOMPARE(alternative.racks.back().items.size(), std::size_t(1)); // without the stores
    QCOMPARE(alternative.placements.size(), std::size_t(1)); // the work runs here already; a copy is no part of that job
    QVERIFY(alternative.placements.back().nodes != std::vector<NodeId>{NodeId("server-2")});
    QCOMPARE(project.parts.size(), std::size_t(3));

    Project other;
    other.alternatives.emplace_back();
    other.alternatives[0].id = AlternativeId("x");
    QVERIFY(apply(other, *pasteEdit(other, AlternativeId("x"), clip, 0, 0, "e")).has_value());
    QVERIFY(other.findWorkload(WorkloadId("w")) && other.findPart(PartId("server")) && other.findPart(PartId("own_gpu")));
    QVERIFY(!other.findPart(PartId("unused")));
    QCOMPARE(other.alternatives[0].placements.back().nodes, std::vector<NodeId>{other.alternatives[0].nodes.front().id});
}

void EditTest::pastesForeignText() {
    const Project project = test::leafSpineProject();
    for (const char* text : {"", "hello", "{}", "[1, 2"})
        QVERIFY(!pasteEdit(project, base, text, 0, 0, "e"));
    QVERIFY(pasteEdit(project, base, writeProject(Project{}), 0, 0, "e")->empty());
    QVERIFY(!pasteEdit(project, AlternativeId("none"), writeProject(project), 0, 0, "e"));
}

QTEST_GUILESS_MAIN(EditTest)
#include "edit_test.moc"
