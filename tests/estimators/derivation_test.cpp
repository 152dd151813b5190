// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/base/derivation.h"
#include "estimators/base/resolved.h"
#include "tests/estimators/design_builder.h"

#include <QTest>

#include <cmath>

using namespace cw;

class DerivationTest : public QObject {
    Q_OBJECT

private slots:
    void intervals() {
        Derivation d;
        const Quantity a = d.assumption("a", 2, 1, 3, Unit::one, "test");
        const Quantity b = d.assumption("b", 4, 3, 5, Unit::one, "test");
        const Quantity sum = d.sum("sum", std::vector{a, b}, Unit::one);
        QCOMPARE(sum.value, 6.0);
        QCOMPARE(sum.low, 4.0);
        QCOMPARE(sum.high, 8.0);
        const Quantity product = d.product("product", "a · b", {a, b}, Unit::one, 10);
        QCOMPARE(product.value, 80.0);
        QCOMPARE(product.low, 30.0);
        QCOMPARE(product.high, 150.0);
        const Quantity ratio = d.quotient("ratio", "a / b", a, b, Unit::one);
        QCOMPARE(ratio.value, .5);
        QCOMPARE(ratio.low, 1.0 / 5);
        QCOMPARE(ratio.high, 1.0);
        const Quantity negative = d.product("negative", "a · b", {a, b}, Unit::one, -1);
        QCOMPARE(negative.low, -15.0);
        QCOMPARE(negative.high, -3.0);
        const Quantity model = d.modelled("model", "…", 100, .25, Unit::seconds, {a});
        QCOMPARE(model.low, 80.0);
        QCOMPARE(model.high, 125.0);
    }

    void unknownInputsMakeUnknownResults() {
        Derivation d;
        const Quantity a = d.input("a", 1, Unit::one);
        const Quantity none = d.unknown("none", Unit::one, "nobody knows");
        QVERIFY(!none.known());
        QVERIFY(!d.sum("sum", std::vector{a, none}, Unit::one).known());
        QVERIFY(!d.product("product", "…", {a, none}, Unit::one).known());
        QVERIFY(!d.quotient("ratio", "…", a, none, Unit::one).known());
        QVERIFY(!d.quotient("ratio", "…", a, d.input("zero", 0, Unit::one), Unit::one).known());
        const Quantity wide = d.quotient("ratio", "…", a, d.assumption("maybe", 1, 0, 2, Unit::one, "test"), Unit::one);
        QVERIFY(wide.known() && wide.low == .5 && std::isinf(wide.high));
    }

    void lowAndHighAlwaysHoldTheValue() {
        Derivation d;
        const Quantity q = d.computed("q", "…", 5, 6, 4, Unit::one, {});
        QVERIFY(q.low <= q.value && q.value <= q.high);
    }

    void treeIsKept() {
        Derivation d;
        const Quantity a = d.input("a", 3, Unit::count, "workload");
        const Quantity b = d.assumption("b", 2, 1, 3, Unit::one, "rule");
        const Quantity c = d.product("c", "a · b", {a, b}, Unit::one);
        QCOMPARE(d.inputs(c.term).size(), std::size_t(2));
        QCOMPARE(d.inputs(c.term)[0], a.term);
        QCOMPARE(d.inputs(c.term)[1], b.term);
        QVERIFY(d.term(a.term).origin == TermOrigin::input);
        QVERIFY(d.term(b.term).origin == TermOrigin::assumption);
        QVERIFY(d.term(c.term).origin == TermOrigin::computed);
        QCOMPARE(QString(d.term(c.term).equation), QString("a · b"));
        QVERIFY(d.inputs(a.term).empty());
    }

    void provenanceIsTheWorstOfTheInputs() {
        Gpu gpu;
        gpu.id = PartId("mine");
        gpu.recalledFields = {"tdp_w"};
        gpu.estimatedFields = {"price"};
        Derivation d;
        const Quantity read = d.fact("peak", gpu, "bf16_tflops", 1, Unit::operationsPerSecond);
        const Quantity recalled = d.fact("tdp", gpu, "tdp_w", 1, Unit::watts);
        const Quantity estimated = d.fact("price", gpu, "price", 1, Unit::dollars);
        const Quantity input = d.input("count", 1, Unit::count);
        const auto of = [&](std::initializer_list<Quantity> inputs) {
            return d.term(d.product("x", "…", inputs, Unit::one).term).provenance;
        };
        QVERIFY(of({read, input}) == Provenance::user);
        QVERIFY(of({read, recalled}) == Provenance::recalled);
        QVERIFY(of({estimated, recalled, read}) == Provenance::estimated);
        const Quantity above = d.product("y", "…", {d.product("x", "…", {estimated}, Unit::one), read}, Unit::one);
        QVERIFY(d.term(above.term).provenance == Provenance::estimated);
    }

    void machinesAreResolved_data() {
        QTest::addColumn<QString>("part");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<int>("domain");
        QTest::addColumn<double>("cores");
        QTest::newRow("server") << "dgx_h100" << int(MachineKind::gpu) << 8 << 8 << 112.0;
        QTest::newRow("half a board") << "dell_xe8545_4xa100" << int(MachineKind::gpu) << 4 << 4 << 128.0;
        QTest::newRow("bridged pairs") << "dell_r750xa_4xa100" << int(MachineKind::gpu) << 4 << 2 << 80.0;
        QTest::newRow("PCIe only") << "smci_421ge_8xl40s" << int(MachineKind::gpu) << 8 << 8 << 128.0;
        QTest::newRow("rack system") << "gb200_nvl72" << int(MachineKind::gpu) << 72 << 72 << 2592.0;
        QTest::newRow("CPU server") << "dell_r7625_9654" << int(MachineKind::cpu) << 0 << 1 << 192.0;
        QTest::newRow("switch") << "qm9700" << int(MachineKind::switchBox) << 0 << 1 << 0.0;
        QTest::newRow("storage") << "nvme_2u_storage" << int(MachineKind::storage) << 0 << 1 << 48.0;
        QTest::newRow("cloud GPUs") << "aws_p5_48xl_2026" << int(MachineKind::gpu) << 8 << 8 << -1.0;
        QTest::newRow("bare GPU") << "l4" << int(MachineKind::gpu) << 1 << 1 << 0.0;
        QTest::newRow("unknown") << "no_such_part" << int(MachineKind::unknown) << 0 << 1 << 0.0;
    }
    void machinesAreResolved() {
        QFETCH(QString, part);
        QFETCH(int, kind);
        QFETCH(int, gpus);
        QFETCH(int, domain);
        QFETCH(double, cores);
        test::Scene scene;
        scene.node("n", qPrintable(part), 3);
        scene.fabric();
        const Machine& machine = scene.design().machines.front();
        QCOMPARE(int(machine.kind), kind);
        QCOMPARE(machine.gpus, gpus);
        QCOMPARE(machine.scaleUpDomain, domain);
        if (cores >= 0)
            QCOMPARE(machine.cores, cores);
        QCOMPARE(scene.design().indexOf(NodeId("n")), 0);
        QCOMPARE(scene.design().indexOf(NodeId("m")), -1);
    }

    void rackScaleDomainsSpanMachines() {
        test::Scene scene;
        scene.node("n", "coreweave_gb200_4", 18);
        scene.fabric();
        QCOMPARE(scene.design().machines.front().scaleUpDomain, 72);
        scene.alternative().nodes.front().count = 2;
        scene.fabric();
        QCOMPARE(scene.design().machines.front().scaleUpDomain, 8);
    }
};

QTEST_GUILESS_MAIN(DerivationTest)
#include "derivation_test.moc"
