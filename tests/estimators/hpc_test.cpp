// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/hpc/hpc_model.h"
#include "tests/estimators/design_builder.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace cw;
using cw::test::Scene;

namespace {

class HpcScene : public Scene {
public:
    void cluster(const char* server, std::int64_t machines, const char* medium, int lanes) {
        node("n", server, machines);
        node("leaf", "qm9700", std::max<std::int64_t>(1, machines * lanes / 32));
        node("spine", "qm9700", 8);
        link("n", "leaf", medium, Pattern::each, lanes);
        link("leaf", "spine", medium, Pattern::mesh, 4);
    }
    WorkloadResult estimate(const Hpc& spec, const Relief& relief = {}) {
        Workload workload;
        workload.id = WorkloadId("w");
        workload.spec = spec;
        project().workloads = {workload};
        Placement placement;
        placement.id = PlacementId("p");
        placement.workload = workload.id;
        placement.nodes = {NodeId("n")};
        alternative().placements = {placement};
        const Fabric& network = fabric();
        m_derivation = {};
        EstimateContext context{design(), network, catalog(), m_options, relief, m_derivation};
        const Placement* placements[] = {&alternative().placements.front()};
        return estimateHpc(context, project().workloads.front(), placements);
    }

private:
    EstimateOptions m_options;
    Derivation m_derivation;
};

Hpc preset(Hpc::Preset which) {
    Hpc spec;
    spec.preset = which;
    return spec;
}

Hpc stencil(bool weak) {
    Hpc spec;
    spec.preset = Hpc::Preset::stencil;
    spec.weakScaling = weak;
    spec.operationsPerStep = operations(weak ? 1e12 : 1e15);
    spec.memoryBytesPerStep = bytes(weak ? 4e12 : 4e15);
    spec.haloBytesPerStep = bytes(50e6);
    spec.reductionsPerStep = 2;
    spec.steps = 1000;
    return spec;
}

double value(const WorkloadResult& result, std::string_view name) {
    for (const NamedQuantity& more : result.estimate.more)
        if (more.name == name)
            return more.quantity.value;
    return result.estimate.latencyNamed(name) ? result.estimate.latencyNamed(name)->value : std::nan("");
}

} // namespace

class HpcTest : public QObject {
    Q_OBJECT

private slots:
    /// Published shares of the peak: .66 to .9 (estimators page, 2.10).
    void linpackShareOfThePeak_data() {
        QTest::addColumn<QString>("server");
        QTest::addColumn<int>("machines");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("CPU") << "dell_r7625_9654" << 128 << .7 << .92;
        QTest::newRow("H100") << "dgx_h100" << 64 << .5 << .85;
        QTest::newRow("A100") << "dgx_a100_640" << 64 << .5 << .85;
    }
    void linpackShareOfThePeak() {
        QFETCH(QString, server);
        QFETCH(int, machines);
        QFETCH(double, low);
        QFETCH(double, high);
        HpcScene scene;
        scene.cluster(qPrintable(server), machines, "ib_ndr", server.startsWith("dgx") ? 8 : 1);
        const WorkloadResult result = scene.estimate(preset(Hpc::Preset::hpl));
        QVERIFY(result.estimate.feasible);
        const double share = result.estimate.throughput->value / value(result, "rpeak");
        QVERIFY2(share > low && share < high, qPrintable(QString::number(share)));
    }

    /// HPCG reaches .5 to 1.5 % of Linpack on GPUs, several per cent on CPUs with fast memory.
    void conjugateGradients() {
        HpcScene scene;
        scene.cluster("dgx_h100", 64, "ib_ndr", 8);
        const double linpack = scene.estimate(preset(Hpc::Preset::hpl)).estimate.throughput->value;
        const double gradients = scene.estimate(preset(Hpc::Preset::hpcg)).estimate.throughput->value;
        QVERIFY2(gradients / linpack > .005 && gradients / linpack < .015, qPrintable(QString::number(gradients / linpack)));
    }

    void strongScalingLosesEfficiency() {
        double before = 2, step = 1e300;
        for (const int machines : {1, 8, 32, 128}) {
            HpcScene scene;
            scene.cluster("dell_r7625_9654", machines, "ib_ndr", 1);
            const WorkloadResult result = scene.estimate(stencil(false));
            const double efficiency = value(result, "parallel_efficiency");
            QVERIFY(efficiency > 0 && efficiency <= 1 + 1e-12 && efficiency < before);
            QVERIFY(value(result, "step") < step);
            before = efficiency;
            step = value(result, "step");
        }
    }

    void weakScalingKeepsTheTime() {
        HpcScene small, large;
        small.cluster("dell_r7625_9654", 8, "ib_ndr", 1);
        large.cluster("dell_r7625_9654", 128, "ib_ndr", 1);
        const WorkloadResult a = small.estimate(stencil(true)), b = large.estimate(stencil(true));
        QVERIFY(value(b, "step") < 1.1 * value(a, "step"));
        QVERIFY(b.estimate.throughput->value > 14 * a.estimate.throughput->value);
        QVERIFY(std::abs(value(a, "run") / value(a, "step") - 1000) < 1e-6);
    }

    void partsSumAndReliefHelps() {
        HpcScene scene;
        scene.cluster("dgx_h100", 16, "ib_ndr", 8);
        for (const Hpc& spec : {preset(Hpc::Preset::hpl), preset(Hpc::Preset::hpcg), stencil(false), stencil(true)}) {
            const WorkloadResult result = scene.estimate(spec);
            const auto& parts = result.estimate.timeParts;
            const double step = value(result, "step");
            QVERIFY(std::abs(std::accumulate(parts.begin(), parts.end(), 0.0) / step - 1) < 1e-9);
            for (double Relief::* more :
                 {&Relief::gpuCompute, &Relief::gpuMemoryBandwidth, &Relief::scaleUp, &Relief::network, &Relief::host}) {
                Relief relief;
                relief.*more = 2;
                QVERIFY(value(scene.estimate(spec, relief), "step") <= step * (1 + 1e-9));
            }
            QVERIFY(result.estimate.bottleneck && result.estimate.bottleneck->gainIfRelieved > 0);
        }
    }

    void haloShares() {
        QCOMPARE(haloShare(1, 512), 1.0);
        QVERIFY(std::abs(haloShare(8, 512) - .5) < 1e-12);
        QCOMPARE(haloShare(512, 512), 0.0);
    }

    void unknownRatesAreFindings() {
        HpcScene scene;
        scene.node("n", "nothing", 4);
        QVERIFY(!scene.estimate(stencil(false)).estimate.feasible);
        HpcScene apart;
        apart.node("n", "dell_r7625_9654", 4);
        const WorkloadResult result = apart.estimate(stencil(false));
        QVERIFY(!result.estimate.feasible);
        QCOMPARE(QString::fromStdString(result.findings.front().code), QString("network.not_connected"));
        HpcScene empty;
        empty.cluster("dell_r7625_9654", 4, "ib_ndr", 1);
        QVERIFY(!empty.estimate({}).estimate.feasible); // no work
    }
};

QTEST_GUILESS_MAIN(HpcTest)
#include "hpc_test.moc"
