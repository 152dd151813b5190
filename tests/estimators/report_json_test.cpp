// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/report_json.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>

using namespace cw;

namespace {

Quantity q(double value, Unit unit) { return {value, value * .9, value * 1.1, unit, noTerm}; }

Project smallProject() {
    Project p;
    p.meta.title = "A \"quoted\" title — with umlauts: ä";
    Alternative a;
    a.id = AlternativeId{"a"};
    a.name = "A";
    for (const char* id : {"leaf", "spine"}) {
        Node node;
        node.id = NodeId{id};
        node.name = id == std::string("leaf") ? "Leaf switches" : "";
        a.nodes.push_back(node);
    }
    Link link;
    link.id = LinkId{"l"};
    link.from = NodeId{"leaf"};
    link.to = NodeId{"spine"};
    a.links.push_back(link);
    p.alternatives.push_back(a);
    return p;
}

AlternativeEstimate smallEstimate() {
    AlternativeEstimate e;
    e.id = AlternativeId{"a"};
    e.name = "A";
    WorkloadEstimate train;
    train.id = WorkloadId{"train"};
    train.name = "Training";
    train.kind = "llm_training";
    train.placed = train.feasible = true;
    train.throughput = q(1e5, Unit::tokensPerSecond);
    train.latency = {{"step", q(2.5, Unit::seconds)}};
    train.mfu = q(.41, Unit::fraction);
    train.bottleneck = Bottleneck{{"network.link", "Leaf → Spine", {}, .93}, ResourceUse{"gpu.compute", "", {}, .8}, .25};
    train.targets = {{"throughput", 2e5, 1e5, Unit::tokensPerSecond, false}};
    train.meetsTargets = false;
    train.costPerUnit = q(.4, Unit::dollarsPerMillionTokens);
    WorkloadEstimate web;
    web.id = WorkloadId{"web"};
    web.name = "Web";
    web.kind = "service";
    e.workloads = {train, web};
    e.power.it = q(1000, Unit::watts);
    e.power.facility = q(1200, Unit::watts);
    e.cost.capex = {std::nan(""), std::nan(""), std::nan(""), Unit::dollars, noTerm};
    e.cost.perHour = {10, 9, HUGE_VAL, Unit::dollarsPerHour, noTerm};
    RackEstimate rack;
    rack.name = "Rack";
    rack.power = q(40800, Unit::watts);
    e.racks.push_back(rack);
    LinkLoad load;
    load.link = LinkId{"l"};
    load.utilisation = .93;
    load.forward = 93;
    load.backward = 10;
    load.capacity = 100;
    e.links.push_back(load);
    Finding finding;
    finding.severity = Severity::error;
    finding.code = "link.full";
    finding.elements = {{ElementKind::link, AlternativeId{"a"}, "l"}};
    finding.arguments = {{"link", "Leaf → Spine"}};
    finding.fix = Edit{"Double the cables", {}, {}};
    e.findings.push_back(finding);
    return e;
}

QJsonObject parsed(const std::string& text) {
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(text), &error);
    if (error.error != QJsonParseError::NoError)
        qWarning("%s", qPrintable(error.errorString()));
    return document.object();
}

QJsonObject first(const ReportOptions& options = {}) {
    const AlternativeEstimate e = smallEstimate();
    const AlternativeEstimate* const list[] = {&e};
    return parsed(estimateJson(smallProject(), list, options))["alternatives"].toArray()[0].toObject();
}

} // namespace

class ReportJsonTest : public QObject {
    Q_OBJECT
private slots:
    void hasTheDocumentedShape();
    void absentIsNotZero();
    void unknownIsNull();
    void findingsCarrySentences();
    void oneWorkload();
    void sameBytes();
    void noAlternatives();
};

void ReportJsonTest::hasTheDocumentedShape() {
    const AlternativeEstimate e = smallEstimate();
    const AlternativeEstimate* const list[] = {&e};
    const std::string text = estimateJson(smallProject(), list);
    QVERIFY(text.ends_with("}\n"));
    const QJsonObject root = parsed(text);
    QCOMPARE(root["project"].toString(), QStringLiteral("A \"quoted\" title — with umlauts: ä"));
    QCOMPARE(root["schema"].toInt(), 1);
    const QJsonObject a = root["alternatives"].toArray()[0].toObject();
    for (const char* key :
         {"name", "workloads", "power", "racks", "links", "network", "cost", "reliability", "carbon", "findings"})
        QVERIFY2(a.contains(QLatin1String(key)), key);
    const QJsonObject train = a["workloads"].toArray()[0].toObject();
    QCOMPARE(train["kind"].toString(), QStringLiteral("llm_training"));
    const QJsonObject throughput = train["throughput"].toObject();
    QCOMPARE(throughput["value"].toDouble(), 1e5);
    QCOMPARE(throughput["unit"].toString(), QStringLiteral("tokens/s"));
    QCOMPARE(throughput["low"].toDouble(), 9e4);
    QCOMPARE(throughput["high"].toDouble(), 1.1e5);
    QCOMPARE(train["latency"].toObject()["step"].toObject()["value"].toDouble(), 2.5);
    const QJsonObject bottleneck = train["bottleneck"].toObject();
    QCOMPARE(bottleneck["resource"].toString(), QStringLiteral("network.link"));
    QCOMPARE(bottleneck["next"].toString(), QStringLiteral("gpu.compute"));
    QCOMPARE(bottleneck["gain_if_relieved"].toDouble(), .25);
    QCOMPARE(train["meets_targets"].toBool(true), false);
    const QJsonObject link = a["links"].toArray()[0].toObject();
    QCOMPARE(link["from"].toString(), QStringLiteral("Leaf switches"));
    QCOMPARE(link["to"].toString(), QStringLiteral("spine")); // without a name, the id
    QCOMPARE(link["load_bytes_s"].toDouble(), 93.0);
    QCOMPARE(a["power"].toObject()["it_w"].toObject()["value"].toDouble(), 1000.0);
    QCOMPARE(a["cost"].toObject()["per_unit"].toObject()["value"].toDouble(), .4);
    QCOMPARE(a["racks"].toArray()[0].toObject()["power_w"].toObject()["value"].toDouble(), 40800.0);
}

void ReportJsonTest::absentIsNotZero() {
    const QJsonObject web = first()["workloads"].toArray()[1].toObject();
    for (const char* key : {"throughput", "latency", "mfu", "memory", "bottleneck", "meets_targets", "cost_per_unit", "targets"})
        QVERIFY2(!web.contains(QLatin1String(key)), key);
    QVERIFY(!first()["racks"].toArray()[0].toObject().contains("coolant_l_min"));
    QVERIFY(!first()["reliability"].toObject().contains("checkpoint_interval_s"));
}

void ReportJsonTest::unknownIsNull() {
    const QJsonObject cost = first()["cost"].toObject();
    QVERIFY(cost["capex"].toObject()["value"].isNull());
    QVERIFY(cost["capex"].toObject()["low"].isNull());
    QCOMPARE(cost["per_hour"].toObject()["value"].toDouble(), 10.0);
    QVERIFY(cost["per_hour"].toObject()["high"].isNull()); // JSON has no infinity
}

void ReportJsonTest::findingsCarrySentences() {
    ReportOptions options;
    options.message = [](const Finding& f) { return "Sentence about " + f.code; };
    options.change = [](const Finding&) { return std::string("Double them"); };
    const QJsonObject finding = first(options)["findings"].toArray()[0].toObject();
    QCOMPARE(finding["severity"].toString(), QStringLiteral("error"));
    QCOMPARE(finding["code"].toString(), QStringLiteral("link.full"));
    QCOMPARE(finding["message"].toString(), QStringLiteral("Sentence about link.full"));
    QCOMPARE(finding["change"].toString(), QStringLiteral("Double them"));
    QCOMPARE(finding["elements"].toArray()[0].toObject()["id"].toString(), QStringLiteral("l"));
    QCOMPARE(finding["arguments"].toObject()["link"].toString(), QStringLiteral("Leaf → Spine"));
    const QJsonObject plain = first()["findings"].toArray()[0].toObject();
    QVERIFY(!plain.contains("message"));
    QCOMPARE(plain["change"].toString(), QStringLiteral("Double the cables"));
}

void ReportJsonTest::oneWorkload() {
    ReportOptions options;
    options.workload = WorkloadId{"web"};
    const QJsonArray workloads = first(options)["workloads"].toArray();
    QCOMPARE(workloads.size(), 1);
    QCOMPARE(workloads[0].toObject()["name"].toString(), QStringLiteral("Web"));
}

void ReportJsonTest::sameBytes() {
    const AlternativeEstimate e = smallEstimate();
    const AlternativeEstimate* const list[] = {&e, &e};
    QCOMPARE(estimateJson(smallProject(), list), estimateJson(smallProject(), list));
}

void ReportJsonTest::noAlternatives() { QVERIFY(parsed(estimateJson(Project{}, {}))["alternatives"].toArray().isEmpty()); }

QTEST_GUILESS_MAIN(ReportJsonTest)
#include "report_json_test.moc"
