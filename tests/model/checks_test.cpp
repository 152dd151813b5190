// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is wrong with a design is found, named, and, where there is an obvious way, put right by the offered change. Proposals are what an
// architect would draw.
#include "model/checks/checks.h"
#include "model/io/project_file.h"

#include <QTest>

#include <algorithm>
#include <limits>

using namespace cw;

namespace {

/// Four DGX H100 on eight rails to eight leaves, leaves to spines, a rack for the machines; nothing is wrong with it.
struct Sample {
    Project project;
    Alternative& base() { return project.alternatives[0]; }
    Node& node(const char* id) {
        return *std::find_if(base().nodes.begin(), base().nodes.end(), [&](const Node& n) { return n.id == NodeId(id); });
    }
    Link& link(const char* id) {
        return *std::find_if(base().links.begin(), base().links.end(), [&](const Link& l) { return l.id == LinkId(id); });
    }

    void addNode(const char* id, const char* part, std::int64_t count) {
        Node n;
        n.id = NodeId(id);
        n.name = id;
        n.part = PartId(part);
        n.count = count;
        base().nodes.push_back(n);
    }
    Link& addLink(const char* id, const char* from, const char* to, const char* medium, Pattern pattern, int lanes) {
        Link l;
        l.id = LinkId(id);
        l.name = id;
        l.from = NodeId(from);
        l.to = NodeId(to);
        l.medium = PartId(medium);
        l.pattern = pattern;
        l.lanes = lanes;
        base().links.push_back(l);
        return base().links.back();
    }
    Sample() {
        project.alternatives.emplace_back();
        base().id = AlternativeId("base");
        base().name = "Base";
        addNode("gpu", "dgx_h100", 32);
        addNode("leaf", "qm9700", 8);
        addNode("spine", "qm9700", 4);
        addLink("rails", "gpu", "leaf", "ib_ndr", Pattern::rail, 8);
        addLink("up", "leaf", "spine", "ib_ndr", Pattern::mesh, 8);
        Frame pod, room;
        room.id = FrameId("room");
        pod.id = FrameId("pod");
        pod.parent = room.id;
        base().frames = {room, pod};
        base().nodes[0].frame = pod.id;
        Rack rack;
        rack.id = RackId("rack");
        rack.name = "rack";
        rack.part = PartId("rack_48u");
        rack.count = 8;
        rack.items = {{NodeId("gpu"), 4, 1, {}}};
        base().racks = {rack};
        Workload work;
        work.id = WorkloadId("train");
        work.name = "train";
        LlmTraining training;
        training.model = PartId("llama2_70b");
        training.sequence = 4096;
        work.spec = training;
        project.workloads = {work};
        Placement placement;
        placement.id = PlacementId("p");
        placement.workload = work.id;
        placement.nodes = {NodeId("gpu")};
        base().placements = {placement};
    }
};

Catalog catalogOf(const Project& project) { return shippedCatalog().with(ownParts(project).parts, CatalogLayer::project); }

QString listOf(const std::vector<Finding>& findings) {
    QStringList list;
    for (const Finding& finding : findings) {
        QString text = QString::fromStdString(finding.code);
        for (const auto& [key, value] : finding.arguments)
            text += QStringLiteral(" %1=%2").arg(QString::fromStdString(key), QString::fromStdString(value));
        list << text;
    }
    return list.join("; ");
}

std::vector<Finding> check(const Project& project) { return checkDesign(project, project.alternatives[0], catalogOf(project)); }

using Spoil = std::function<void(Sample&)>;

} // namespace

Q_DECLARE_METATYPE(Spoil)

class ChecksTest : public QObject {
    Q_OBJECT
private slots:
    void findsNothingInAGoodDesign();
    void finds_data();
    void finds();
    void ordersBySeverity();
    void countsPorts();
    void splitsSwitchPorts();
    void proposesMedia_data();
    void proposesMedia();
    void proposesLinks();
    void survivesEmptyProjects();
    void readsCheckedOwnParts();
};

void ChecksTest::findsNothingInAGoodDesign() {
    Sample sample;
    const auto findings = check(sample.project);
    QVERIFY2(findings.empty(), qPrintable(listOf(findings)));
    // 40 of 42 units, and the last rack partly empty.
    sample.base().racks[0].part = PartId("rack_42u");
    sample.base().racks[0].items[0] = {NodeId("gpu"), 5, 0, {}};
    sample.base().racks[0].count = 7;
    QVERIFY2(check(sample.project).empty(), qPrintable(listOf(check(sample.project))));
}

void ChecksTest::finds_data() {
    QTest::addColumn<Spoil>("spoil");
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("severity");
    QTest::addColumn<QString>("arguments"); // some of them
    QTest::addColumn<QString>("fix");       // empty: none
    const auto row = [](const char* name, const char* code, Severity severity, const char* arguments, const char* fix,
                        Spoil spoil) {
        QTest::newRow(name) << spoil << QString(code) << int(severity) << QString::fromUtf8(arguments) << QString(fix);
    };
    constexpr auto error = Severity::error, warning = Severity::warning, advice = Severity::advice;
    row("unknown part", "part.unknown", error, "name=gpu part=dgx_h999", "",
        [](Sample& s) { s.node("gpu").part = PartId("dgx_h999"); });
    row("no part", "part.missing", error, "name=gpu", "", [](Sample& s) { s.node("gpu").part = PartId(); });
    row("a model for a machine", "part.wrong_kind", error, "kind=model", "",
        [](Sample& s) { s.node("gpu").part = PartId("llama2_70b"); });
    row("a server for a rack", "part.wrong_kind", warning, "name=rack expected=rack", "",
        [](Sample& s) { s.base().racks[0].part = PartId("dgx_h100"); });
    row("unknown cooling of the site", "part.unknown", warning, "field=cooling", "",
        [](Sample& s) { s.project.site.cooling = PartId("ice"); });
    row("faulty own part", "part.faulty", error, "part=mine", "",
        [](Sample& s) { s.project.parts.push_back({PartId("mine"), "gpu", "{}", {}}); });
    row("count of 0", "count.range", error, "field=count value=0 low=1", "", [](Sample& s) { s.node("spine").count = 0; });
    row("lanes of -1", "count.range", error, "field=lanes value=-1", "", [](Sample& s) { s.link("up").lanes = -1; });
    row("NaN", "number.range", error, "field=inlet_c value=?", "",
        [](Sample& s) { s.project.site.inletC = std::numeric_limits<double>::quiet_NaN(); });
    row("infinite rate", "number.range", error, "field=total_tokens", "", [](Sample& s) {
        std::get<LlmTraining>(s.project.workloads[0].spec).totalTokens = std::numeric_limits<double>::infinity();
    });
    row("link to nowhere", "link.to_nowhere", error, "end=cloud", "link.remove",
        [](Sample& s) { s.link("up").to = NodeId("cloud"); });
    row("each within a stack", "link.self", error, "", "link.use_ring",
        [](Sample& s) { s.addLink("self", "gpu", "gpu", "ib_ndr", Pattern::each, 1); });
    row("rails that do not divide", "link.pattern", error, "expected=a multiple of 8 members found=9", "link.use_each",
        [](Sample& s) { s.node("leaf").count = 9; });
    row("pair of unequal stacks", "link.pattern", error, "pattern=pair", "link.use_each",
        [](Sample& s) { s.link("up").pattern = Pattern::pair; });
    row("no medium", "link.medium_missing", error, "link=up proposed=InfiniBand NDR 400G", "link.fitting_medium",
        [](Sample& s) { s.link("up").medium = PartId(); });
    row("unknown medium", "link.medium_unknown", error, "medium=rope", "link.fitting_medium",
        [](Sample& s) { s.link("up").medium = PartId("rope"); });
    row("unknown protocol", "link.protocol_unknown", warning, "protocol=smoke", "link.usual_protocol",
        [](Sample& s) { s.link("up").protocol = PartId("smoke"); });
    row("Ethernet on InfiniBand", "ports.type", error, "medium=Ethernet 400G node=leaf", "link.fitting_medium",
        [](Sample& s) { s.link("up").medium = PartId("eth_400g"); });
    row("faster than the ports", "ports.type", error, "node=gpu", "link.fitting_medium",
        [](Sample& s) { s.link("rails").medium = PartId("ib_xdr"); });
    row("nine ports of eight", "ports.exceeded", error, "node=gpu used=9 available=8", "ports.fewer_lanes", [](Sample& s) {
        s.link("rails").lanes = 9;
        s.link("rails").pattern = Pattern::each;
        s.link("rails").purpose = "compute";
    });
    row("leaves too full", "ports.exceeded", error, "node=leaf", "ports.more_members", [](Sample& s) {
        s.node("gpu").count = 100;
        s.base().racks.clear();
    });
    row("spines too full", "ports.exceeded", error, "node=spine used=72 available=64", "ports.fewer_lanes",
        [](Sample& s) { s.link("up").lanes = 9; });
    row("overfull", "rack.overfull", error, "rack=rack used=56 height=48", "rack.fewer_machines", [](Sample& s) {
        s.base().racks[0].items[0].perRack = 7;
        s.base().racks[0].count = 4;
    });
    row("sticks out on top", "rack.overfull", error, "used=49", "", [](Sample& s) { s.base().racks[0].items[0].u = 18; });
    row("overlap", "rack.overlap", error, "node=leaf other=gpu u=30", "rack.place_automatically",
        [](Sample& s) { s.base().racks[0].items.push_back({NodeId("leaf"), 1, 30, {}}); });
    row("placed twice", "rack.placed_twice", warning, "node=gpu placed=64 count=32", "node.as_many_as_placed",
        [](Sample& s) { s.base().racks[0].count = 16; });
    row("nobody in the rack", "rack.unknown_node", error, "node=ghost", "rack.drop_item",
        [](Sample& s) { s.base().racks[0].items.push_back({NodeId("ghost"), 1, 0, {}}); });
    row("frames in a ring", "frame.cycle", error, "", "frame.take_out",
        [](Sample& s) { s.base().frames[0].parent = FrameId("pod"); });
    row("frame in itself", "frame.cycle", error, "", "frame.take_out",
        [](Sample& s) { s.base().frames[0].parent = FrameId("room"); });
    row("unknown frame", "frame.unknown", warning, "name=gpu frame=moon", "frame.clear",
        [](Sample& s) { s.node("gpu").frame = FrameId("moon"); });
    row("unknown workload", "placement.unknown_workload", error, "workload=ghost", "placement.remove",
        [](Sample& s) { s.base().placements[0].workload = WorkloadId("ghost"); });
    row("placed nowhere", "placement.unknown_node", error, "node=ghost", "placement.remove",
        [](Sample& s) { s.base().placements[0].nodes = {NodeId("ghost")}; });
    row("placed half nowhere", "placement.unknown_node", error, "node=ghost", "placement.drop_node",
        [](Sample& s) { s.base().placements[0].nodes.push_back(NodeId("ghost")); });
    row("no nodes", "placement.empty", error, "", "placement.remove", [](Sample& s) { s.base().placements[0].nodes.clear(); });
    row("training on a switch", "placement.on_switch", error, "node=leaf", "",
        [](Sample& s) { s.base().placements[0].nodes = {NodeId("leaf")}; });
    row("stage of no pipeline", "placement.unknown_stage", error, "stage=decode", "",
        [](Sample& s) { s.base().placements[0].stage = "decode"; });
    row("shares beyond all", "placement.shares", warning, "sum=150 %", "", [](Sample& s) {
        s.project.workloads[0].spec = Service{};
        s.base().placements.push_back(s.base().placements[0]);
        s.base().placements[1].id = PlacementId("q");
        s.base().placements[1].share = .5;
    });
    row("alone", "node.disconnected", warning, "node=store count=3", "",
        [](Sample& s) { s.addNode("store", "nvme_2u_storage", 3); });
    row("same id", "id.repeated", error, "id=gpu kind=node", "", [](Sample& s) { s.addNode("gpu", "qm9700", 1); });
    row("id of rack and node", "id.shared", warning, "id=rack", "", [](Sample& s) { s.addNode("rack", "qm9700", 1); });
    row("same name", "name.repeated", advice, "name=leaf", "name.make_unique", [](Sample& s) { s.node("spine").name = "leaf"; });
    row("unknown model", "workload.model_unknown", error, "model=gpt9", "",
        [](Sample& s) { std::get<LlmTraining>(s.project.workloads[0].spec).model = PartId("gpt9"); });
    row("nothing to infer", "workload.model_missing", error, "", "",
        [](Sample& s) { s.project.workloads[0].spec = BatchInference{}; });
    row("beyond the context", "workload.beyond_context", warning, "", "",
        [](Sample& s) { std::get<LlmTraining>(s.project.workloads[0].spec).sequence = 10'000'000; });
    row("pipeline of nothing", "pipeline.empty", error, "", "", [](Sample& s) { s.project.workloads[0].spec = Pipeline{}; });
    row("pipeline in itself", "pipeline.contains_itself", error, "", "",
        [](Sample& s) { s.project.workloads[0].spec = Pipeline{{{"s", "s", WorkloadId("train"), {}, 1, {}}}, {}, 1, {}}; });
    row("edge to no stage", "pipeline.unknown_stage", error, "stage=t", "", [](Sample& s) {
        s.project.workloads[0].spec = Pipeline{{{"s", "s", {}, seconds(1), 1, {}}}, {{"s", "t", 1, {}, {}}}, 1, {}};
    });
    row("stage of no workload", "pipeline.unknown_workload", error, "unknown=ghost", "",
        [](Sample& s) { s.project.workloads[0].spec = Pipeline{{{"s", "s", WorkloadId("ghost"), {}, 1, {}}}, {}, 1, {}}; });
}

void ChecksTest::finds() {
    QFETCH(Spoil, spoil);
    QFETCH(QString, code);
    QFETCH(int, severity);
    QFETCH(QString, arguments);
    QFETCH(QString, fix);
    Sample sample;
    spoil(sample);
    const auto findings = check(sample.project);
    const auto found =
        std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code.toStdString(); });
    QVERIFY2(found != findings.end(), qPrintable(listOf(findings)));
    QCOMPARE(int(found->severity), severity);
    const QString said = listOf({*found});
    for (const QString& part : arguments.split(QRegularExpression(" (?=[a-z]+=)"), Qt::SkipEmptyParts))
        QVERIFY2(said.contains(part), qPrintable(said));
    QVERIFY(!found->elements.empty());
    QCOMPARE(QString::fromStdString(found->fixCode), fix);
    QCOMPARE(found->fix.has_value(), !fix.isEmpty());
    if (!found->fix)
        return;
    // Applying what is offered takes the finding away.
    const auto applied = apply(sample.project, *found->fix);
    QVERIFY2(applied.has_value(), applied ? "" : applied.error().text().c_str());
    const auto after = check(sample.project);
    const bool still = std::any_of(after.begin(), after.end(),
                                   [&](const Finding& f) { return f.code == found->code && f.elements == found->elements; });
    QVERIFY2(!still, qPrintable(listOf(after)));
}

void ChecksTest::ordersBySeverity() {
    Sample sample;
    sample.node("spine").name = "leaf";
    sample.node("gpu").frame = FrameId("moon");
    sample.link("up").lanes = 9;
    const auto findings = check(sample.project);
    QVERIFY(findings.size() >= 3);
    for (std::size_t at = 1; at < findings.size(); ++at)
        QVERIFY(findings[at - 1].severity <= findings[at].severity);
    QCOMPARE(findings.front().severity, Severity::error);
    QCOMPARE(findings.back().severity, Severity::advice);
}

void ChecksTest::countsPorts() {
    Sample sample;
    sample.addNode("store", "nvme_2u_storage", 4);
    sample.addNode("storeleaf", "qm9700", 2);
    sample.addLink("disk", "store", "storeleaf", "ib_ndr", Pattern::each, 2).purpose = "storage";
    sample.addLink("read", "gpu", "storeleaf", "ib_ndr", Pattern::each, 2).purpose = "storage";
    const Catalog& catalog = shippedCatalog();
    const auto gpu = portUse(sample.base(), sample.node("gpu"), catalog);
    QCOMPARE(gpu.size(), std::size_t(2));
    QCOMPARE(gpu[0].group.purpose, std::string("compute"));
    QCOMPARE(gpu[0].used, std::int64_t(8));
    QCOMPARE(gpu[1].used, std::int64_t(2));
    QCOMPARE(portUse(sample.base(), sample.node("leaf"), catalog).at(0).used, std::int64_t(32 + 4 * 8));
    QCOMPARE(portUse(sample.base(), sample.node("storeleaf"), catalog).at(0).used, std::int64_t(4 + 32));
    QVERIFY2(check(sample.project).empty(), qPrintable(listOf(check(sample.project))));
    QVERIFY(portUse(sample.base(), Node{}, catalog).empty());
}

void ChecksTest::splitsSwitchPorts() {
    // An 800G switch gives two 400G cables a port, as its catalog entry allows, and more of slower ones.
    Sample sample;
    sample.base().links.clear();
    sample.addNode("eth", "sn5600", 2);
    sample.addLink("e", "gpu", "eth", "eth_400g", Pattern::each, 8).purpose = "compute";
    QCOMPARE(portUse(sample.base(), sample.node("eth"), shippedCatalog()).at(0).used, std::int64_t(64)); // 128 cables
    sample.node("gpu").count = 33;
    const auto findings = check(sample.project);
    QVERIFY2(std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.code == "ports.exceeded"; }),
             qPrintable(listOf(findings)));
}

void ChecksTest::proposesMedia_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("medium"); // empty: none
    const auto row = [](const char* from, const char* to, const char* medium) {
        QTest::addRow("%s to %s", from, to) << from << to << medium;
    };
    row("dgx_h100", "qm9700", "ib_ndr");
    row("dgx_a100_640", "qm9700", "ib_hdr");
    row("dgx_h100", "sn5600", "eth_400g");
    row("dell_r760_8480", "sn2700", "eth_100g");
    row("dell_r760_8480", "sn2201", "eth_100g");
    row("lenovo_sr655_1s_9654", "sn2410", "eth_25g");
    row("qm9700", "qm9700", "ib_ndr");
    row("sn5600", "sn5600", "eth_800g");
    row("dell_r760_8480", "qm9700", "");
    row("dell_r760_8480", "dell_r760_8480", "eth_100g");
    row("qm9700", "sn5600", "");
    row("h100_sxm", "qm9700", "");
    row("nobody", "qm9700", "");
}

void ChecksTest::proposesMedia() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, medium);
    Sample sample;
    sample.base().links.clear();
    sample.node("gpu").part = PartId(from.toStdString());
    sample.node("leaf").part = PartId(to.toStdString());
    const auto result = proposeMedium(sample.base(), sample.node("gpu"), sample.node("leaf"), shippedCatalog());
    QCOMPARE(result ? QString::fromStdString(result->value) : QString(), medium);
    if (!result)
        QVERIFY(!result.error().message.empty() && !result.error().found.empty());
}

void ChecksTest::proposesLinks() {
    const Catalog& catalog = shippedCatalog();
    Sample sample;
    sample.base().links.clear();
    const auto propose = [&](const char* from, const char* to) {
        return proposeLink(sample.base(), sample.node(from), sample.node(to), catalog);
    };
    // Drawn from above: the link still goes up. Eight rails to eight leaves.
    const Link rails = propose("leaf", "gpu");
    QCOMPARE(rails.from, NodeId("gpu"));
    QCOMPARE(rails.pattern, Pattern::rail);
    QCOMPARE(rails.lanes, 8);
    QCOMPARE(rails.purpose, std::string("compute"));
    QCOMPARE(rails.medium, PartId("ib_ndr"));
    sample.base().links.push_back(rails);
    sample.base().links.back().id = LinkId("rails");
    // Leaves carry 32 cables from below: eight to each of four spines is as much upward.
    const Link up = propose("spine", "leaf");
    QCOMPARE(up.from, NodeId("leaf"));
    QCOMPARE(up.pattern, Pattern::mesh);
    QCOMPARE(up.lanes, 8);
    sample.base().links.push_back(up);
    sample.base().links.back().id = LinkId("up");
    QVERIFY2(check(sample.project).empty(), qPrintable(listOf(check(sample.project))));
    // The fabric's ports are taken: the next link of the machines takes those for storage.
    sample.addNode("storeleaf", "qm9700", 2);
    const Link disk = propose("gpu", "storeleaf");
    QCOMPARE(disk.purpose, std::string("storage"));
    QCOMPARE(disk.lanes, 2);
    QCOMPARE(disk.pattern, Pattern::each);
    QCOMPARE(propose("gpu", "gpu").pattern, Pattern::ring);
    // A CPU server goes to both switches of a pair.
    sample.addNode("cpu", "dell_r760_8480", 40);
    sample.addNode("tor", "sn2700", 4);
    const Link dual = propose("cpu", "tor");
    QCOMPARE(dual.lanes, 2);
    QCOMPARE(dual.medium, PartId("eth_100g"));
    // No more cables than ports on the switch.
    sample.node("tor").count = 1;
    sample.node("cpu").count = 20;
    QCOMPARE(propose("cpu", "tor").lanes, 1);
    sample.addNode("unknown", "nobody", 1);
    QVERIFY(propose("unknown", "tor").medium.empty());
}

void ChecksTest::survivesEmptyProjects() {
    Project project;
    project.alternatives.emplace_back();
    QVERIFY(checkDesign(project, Alternative{}, shippedCatalog()).size() <= 1);
    project.alternatives[0].nodes.resize(2);
    project.alternatives[0].links.resize(2);
    project.alternatives[0].racks.resize(2);
    project.alternatives[0].frames.resize(2);
    project.alternatives[0].placements.resize(2);
    project.workloads.resize(2);
    QVERIFY(!check(project).empty());
}

void ChecksTest::readsCheckedOwnParts() {
    Sample sample;
    sample.project.parts = {{PartId("h100_sxm"), "gpu", info(*shippedCatalog().findPart(PartId("h100_sxm"))).json, {}},
                            {PartId("other"), "gpu", R"({"id": "another"})", {}},
                            {PartId("odd"), "spaceship", "{}", {}}};
    const OwnParts own = ownParts(sample.project);
    QCOMPARE(own.parts.size(), std::size_t(1));
    QVERIFY(own.errors.size() >= 2);
    for (const Error& error : own.errors)
        QVERIFY2(error.where.find("/parts/1") != std::string::npos || error.where.find("/parts/2") != std::string::npos,
                 error.text().c_str());
}

QTEST_GUILESS_MAIN(ChecksTest)
#include "checks_test.moc"
