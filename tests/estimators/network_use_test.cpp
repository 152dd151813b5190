// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the drawing decides: sums in the switches, loads by workload and phase, the bottleneck that is relieved, bounds that hold.
#include "model/io/project_file.h"
#include "resources/embedded.h"
#include "tests/estimators/training_scene.h"

#include <QTest>

#include <map>
#include <set>

using namespace cw;
using cw::test::near;
using cw::test::Scene;
using cw::test::TrainingScene;

namespace {

/// Sixteen nodes on two tiers; gradients by all-reduce, as without a sharded optimizer.
void drawDataParallel(TrainingScene& scene, const char* server, const char* medium, const char* box) {
    scene.pod(server, 16, medium, box);
    scene.train("llama2_7b", 4096, 128);
    Placement& placement = scene.placement();
    placement.parallelism = {1, 1, 128, 1, 1};
    placement.microBatch = placement.interleave = 1;
    placement.zeroStage = 0;
    placement.recompute = Recompute::full;
}

const CollectiveUse& useOf(const WorkloadResult& result, std::string_view purpose) {
    for (const CollectiveUse& use : result.estimate.collectives)
        if (use.purpose == purpose)
            return use;
    qFatal("no such collective");
}

std::string_view reasonAgainst(const CollectiveUse& use, std::string_view algorithm) {
    for (const CollectiveUse::Candidate& way : use.candidates)
        if (way.algorithm == algorithm)
            return way.because;
    return "not considered";
}

AlternativeEstimate estimateOf(TrainingScene& scene) {
    return estimate(scene.project(), scene.alternative(), scene.catalog());
}

} // namespace

class NetworkUseTest : public QObject {
    Q_OBJECT

private slots:
    /// InfiniBand switches sum: each device sends its gradients once in place of nearly twice. Ethernet switches do not.
    void switchesThatSum() {
        TrainingScene scene;
        drawDataParallel(scene, "dgx_h100", "ib_hdr", "qm8700"); // slower than what happens inside the nodes
        const WorkloadResult summed = scene.estimate();
        QCOMPARE(useOf(summed, "gradients").algorithm, "in-switch");
        scene.placement().inNetworkReduction = false;
        const WorkloadResult off = scene.estimate();
        const CollectiveUse& ring = useOf(off, "gradients");
        QVERIFY(std::string_view(ring.algorithm) == "ring" || std::string_view(ring.algorithm) == "tree");
        QCOMPARE(reasonAgainst(ring, "in-switch"), std::string_view("switched_off"));
        const double gain = ring.seconds.value / useOf(summed, "gradients").seconds.value;
        QVERIFY2(gain > 1.6 && gain < 2, qPrintable(QString::number(gain)));
        QVERIFY(stepOf(summed) < stepOf(off));
        const auto sent = [](const WorkloadResult& result) {
            double bytes = 0;
            for (const Traffic& traffic : result.traffic)
                if (std::string_view(traffic.kind) == "gradients")
                    bytes += traffic.bytesPerDevice[1];
            return bytes;
        };
        QVERIFY(near(sent(off) / sent(summed), 2 * 15.0 / 16, 1e-9));
        scene.placement().inNetworkReduction = true;
        QCOMPARE(stepOf(scene.estimate()), stepOf(summed));
    }

    void switchesThatDoNot() {
        TrainingScene scene;
        drawDataParallel(scene, "dgx_h100", "eth_400g", "sn5600");
        const WorkloadResult result = scene.estimate();
        QCOMPARE(reasonAgainst(useOf(result, "gradients"), "in-switch"), std::string_view("switches"));
        scene.placement().inNetworkReduction = false; // then nothing changes on the network
        QCOMPARE(stepOf(scene.estimate()), stepOf(result));
    }

    /// NVLink switches sum from the fourth generation on; bridges and older links pass the data round.
    void scaleUpSwitches_data() {
        QTest::addColumn<QString>("server");
        QTest::addColumn<bool>("sums");
        QTest::newRow("A100") << "dgx_a100_640" << false;
        QTest::newRow("H100") << "dgx_h100" << true;
        QTest::newRow("B200") << "dgx_b200" << true;
        QTest::newRow("MI300X") << "smci_8125gs_mi300x" << false;
        QTest::newRow("L40S") << "smci_421ge_8xl40s" << false;
    }
    void scaleUpSwitches() {
        QFETCH(QString, server);
        QFETCH(bool, sums);
        Scene scene;
        scene.node("gpu", server.toLatin1().constData(), 1);
        const GroupFabric group = scene.fabric().group(std::vector{0u});
        const Gpu* gpu = scene.design().machines[0].gpu;
        RankGroup ranks = rankGroup(group, 8, 8, 1);
        const CollectiveTime on = collectiveTime(Collective::allReduce, 1e9, ranks, scene.catalog(), gpu);
        QCOMPARE(std::string_view(on.algorithm), std::string_view(sums ? "NVLS" : "ring"));
        ranks.inScaleUpSwitch = false;
        const CollectiveTime off = collectiveTime(Collective::allReduce, 1e9, ranks, scene.catalog(), gpu);
        QCOMPARE(std::string_view(off.algorithm), std::string_view("ring"));
        const double gain = off.seconds / on.seconds; // published: up to 1.3 times a ring
        QVERIFY2(sums ? gain > 1.05 && gain < 1.4 : gain == 1, qPrintable(QString::number(gain)));
    }

    /// The derivation names the winner and what the others would take.
    void theChoiceIsExplained() {
        TrainingScene scene;
        drawDataParallel(scene, "dgx_h100", "eth_400g", "sn5600");
        const WorkloadResult result = scene.estimate();
        const CollectiveUse& use = useOf(result, "gradients");
        const Term& term = scene.derivation().term(use.seconds.term);
        QVERIFY(std::string_view(term.equation).starts_with("the fastest way"));
        QCOMPARE(term.inputCount, std::uint32_t(3));
        bool unknown = false;
        for (const TermId input : scene.derivation().inputs(use.seconds.term)) {
            const double seconds = scene.derivation().term(input).value;
            unknown |= std::isnan(seconds);
            QVERIFY(std::isnan(seconds) || seconds >= use.seconds.value);
        }
        QVERIFY(unknown); // the way that the switches rule out
    }

    /// Every phase of a training step is on the links by its own name, and they add up to the load.
    void loadsByPhase() {
        TrainingScene scene;
        scene.pod("dgx_h100", 16, "ib_ndr", "qm9700");
        scene.node("store", "nvme_2u_storage", 4);
        scene.link("store", "leaf", "ib_ndr", Pattern::each, 2);
        scene.train("mixtral_8x7b", 4096, 256);
        scene.spec().datasetPerSample = bytes(1e6);
        Placement& placement = scene.placement();
        placement.parallelism = {8, 2, 8, 1, 8};
        placement.zeroStage = 1;
        const AlternativeEstimate result = estimateOf(scene);
        std::set<std::string> kinds;
        for (const LinkLoad& load : result.links) {
            double forward = 0, backward = 0;
            for (const LinkLoad::Share& share : load.shares) {
                kinds.insert(share.traffic);
                forward += share.forward;
                backward += share.backward;
                QVERIFY(share.active > 0 && share.active <= 1 && share.granted > 0 && share.granted <= 1);
            }
            QVERIFY(near(forward, load.forward, 1e-9) || load.forward == 0);
            QVERIFY(near(backward, load.backward, 1e-9) || load.backward == 0);
        }
        for (const char* kind : {"gradients", "parameters", "pipeline", "storage", "checkpoint"})
            QVERIFY2(kinds.contains(kind), kind);
    }

    /// Two jobs on shared uplinks leave each other less than they would take alone there; each on its own gets all.
    void sharesOfTwoJobs() {
        TrainingScene scene;
        scene.node("gpu", "dgx_h100", 4);
        scene.node("other", "dgx_h100", 4);
        scene.node("leaf", "sn5600", 2);
        scene.node("spine", "sn5600", 1);
        scene.link("gpu", "leaf", "eth_400g", Pattern::each, 1);
        scene.link("other", "leaf", "eth_400g", Pattern::each, 1);
        scene.link("leaf", "spine", "eth_25g", Pattern::mesh, 1);
        scene.train("llama3_8b", 2048, 32);
        scene.placement();
        const auto least = [&] {
            double granted = 1;
            for (const LinkLoad& load : estimateOf(scene).links)
                for (const LinkLoad::Share& share : load.shares)
                    granted = std::min(granted, share.granted);
            return granted;
        };
        QCOMPARE(least(), 1.0);
        Workload second = scene.project().workloads.front();
        second.id = WorkloadId("w2");
        scene.project().workloads.push_back(second);
        Placement beside = scene.alternative().placements.front();
        beside.id = PlacementId("p2");
        beside.workload = second.id;
        beside.nodes = {NodeId("other")};
        scene.alternative().placements.push_back(beside);
        const double share = least();
        QVERIFY2(share < .99 && share > .2, qPrintable(QString::number(share)));
    }

    /// The gain from relieving a link is what drawing twice the link gives.
    void gainOfALink() {
        TrainingScene scene;
        scene.pod("dgx_h100", 16, "eth_100g", "sn3700");
        scene.train("llama2_7b", 2048, 256);
        Placement& placement = scene.placement();
        placement.parallelism = {1, 1, 128, 1, 1};
        placement.microBatch = 1;
        placement.zeroStage = 3;
        placement.recompute = Recompute::full;
        const AlternativeEstimate before = estimateOf(scene);
        const Bottleneck& bottleneck = *before.workloads.front().bottleneck;
        QCOMPARE(QString::fromStdString(bottleneck.binding.resource), QString("network.link"));
        QVERIFY(bottleneck.gainIfRelieved > .05);
        const std::string named = bottleneck.binding.elements.front().id;
        for (Link& link : scene.alternative().links)
            if (link.id.value == named)
                link.medium = PartId("eth_200g"); // the same family at twice the rate
        const double gain = estimateOf(scene).workloads.front().throughput->value / before.workloads.front().throughput->value - 1;
        QVERIFY2(std::abs(gain - bottleneck.gainIfRelieved) < .1 * gain + .01,
                 qPrintable(QString("%1 promised, %2 drawn").arg(bottleneck.gainIfRelieved).arg(gain)));
    }

    /// RDMA against TCP, spread against hashed flows, one zone against two: each step costs.
    void protocolsAndBorders() {
        const auto exchange = [](const char* protocol, bool border) {
            TrainingScene scene;
            scene.frame("za", FrameKind::zone);
            scene.frame("zb", FrameKind::zone);
            scene.node("gpu", "dgx_h100", 4, "za");
            scene.node("far", "dgx_h100", 4, border ? "zb" : "za");
            scene.node("leafa", "sn5600", 1, "za");
            scene.node("leafb", "sn5600", 1, border ? "zb" : "za");
            for (const auto& [from, to] : {std::pair{"gpu", "leafa"}, {"far", "leafb"}, {"leafa", "leafb"}}) {
                scene.link(from, to, "eth_400g", Pattern::each, from == std::string_view("leafa") ? 32 : 8);
                scene.alternative().links.back().protocol = PartId(protocol);
            }
            scene.train("llama2_7b", 2048, 256);
            scene.placement().nodes = {NodeId("gpu"), NodeId("far")};
            scene.placement().parallelism.data = 64;
            scene.placement().zeroStage = 1;
            return stepOf(scene.project(), scene.alternative(), scene.catalog());
        };
        const double rdma = exchange("proto_roce_v2", false), hashed = exchange("proto_roce_ecmp", false),
                     tcp = exchange("proto_tcp_kernel", false), border = exchange("proto_roce_v2", true);
        QVERIFY2(rdma < hashed && rdma < tcp && rdma < border,
                 qPrintable(QString("RDMA %1, hashed %2, TCP %3, border %4").arg(rdma).arg(hashed).arg(tcp).arg(border)));
    }

    /// No estimate of a shipped example beats what physics allows it.
    void boundsHold() {
        int held = 0;
        for (const std::string_view path : resources::list("examples")) {
            const ReadResult read = readProject(resources::file(path), path);
            QVERIFY(read.ok);
            const Catalog catalog = effectiveCatalog(read.project, shippedCatalog());
            for (const Alternative& alternative : read.project.alternatives) {
                const AlternativeEstimate result = estimate(read.project, alternative, catalog);
                for (const WorkloadEstimate& workload : result.workloads)
                    for (const NamedQuantity& bound : workload.bounds)
                        held += holds(workload, bound, path);
            }
        }
        QVERIFY(held > 50);
    }

private:
    static double stepOf(const Project& project, const Alternative& alternative, const Catalog& catalog) {
        return estimate(project, alternative, catalog).workloads.front().latencyNamed("step")->value;
    }
    static double stepOf(const WorkloadResult& result) { return cw::test::stepOf(result); }

    static bool holds(const WorkloadEstimate& workload, const NamedQuantity& bound, std::string_view path) {
        const std::map<std::string, bool> smallIsGood{{"step", true}, {"days", true}, {"gradient_exchange", true}};
        const auto find = [&]() -> std::optional<Quantity> {
            if (bound.name == "throughput")
                return workload.throughput;
            if (bound.name == "mfu")
                return workload.mfu;
            if (bound.name == "days")
                return workload.daysToFinish;
            if (const Quantity* latency = workload.latencyNamed(bound.name))
                return *latency;
            for (const NamedQuantity& more : workload.more)
                if (more.name == bound.name)
                    return more.quantity;
            return std::nullopt;
        };
        const auto figure = find();
        if (!figure)
            return false;
        const bool good = smallIsGood.contains(bound.name) ? figure->value >= bound.quantity.value * (1 - 1e-9)
                                                           : figure->value <= bound.quantity.value * (1 + 1e-9);
        if (!good)
            qFatal("%s: %s %g beats the bound %g", std::string(path).c_str(), bound.name.c_str(), figure->value, bound.quantity.value);
        return true;
    }
};

QTEST_GUILESS_MAIN(NetworkUseTest)
#include "network_use_test.moc"
