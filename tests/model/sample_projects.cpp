// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/sample_projects.h"

namespace cw::test {
namespace {

template <class Spec> Workload workload(const char* id, Spec spec) {
    Workload result;
    result.id = WorkloadId(id);
    result.name = std::string("The ") + id;
    result.spec = std::move(spec);
    return result;
}

std::vector<Workload> allKinds() {
    std::vector<Workload> list;
    const std::string unknown = R"({"of_tomorrow": [1, 2.5, "three"]})";
    LlmTraining training{PartId("llama2_70b"), 8192, 2048, Precision::fp8, 15e12, "lion", true, bytes(1e6), hours(1), 40000};
    list.push_back(workload("train", training));
    list.back().targets = {1e6, seconds(12), 30, 900, .5, watts(2e6), unknown};
    list.back().load.duty = .7;
    list.back().load.extra = unknown;
    list.back().reported.push_back({"step", 11.5, "s", "a \"paper\"\nin two lines", unknown});
    list.back().notes = "Grüße, 東京 \\ \t";
    list.back().extra = unknown;
    LlmServing serving;
    serving.model = PartId("llama2_7b");
    serving.weights = Precision::int4;
    serving.kv = Precision::bf16;
    serving.prompt = {1500, .8};
    serving.output = {321.5, 0};
    serving.arrivalRate = 12.5;
    serving.concurrency = 64;
    serving.prefixCacheHit = .3;
    serving.speculativeAccept = 1.2;
    serving.ttftP99 = seconds(.5);
    serving.tpotP99 = milliseconds(40);
    serving.latencyP99 = seconds(30);
    list.push_back(workload("serve", serving));
    list.back().load.hourly.assign(24, .5);
    list.back().load.hourly[3] = 1. / 3;
    list.back().flow = {Routing::powerOfTwo, 1.7, hours(500), seconds(90),
                        std::make_shared<const RecordedRequests>(RecordedRequests{{0, .5, .5, 7. / 3}, {12, 900, 1, 44}, {3, 1, 2000, 8}, unknown}), unknown};
    list.push_back(workload("batch",
                            BatchInference{PartId("bert_base"), operations(22e9), bytes(1e7), bytes(2.2e8), 384, Precision::int8,
                                           64, milliseconds(5), milliseconds(2), 3, 900, milliseconds(80)}));
    list.push_back(workload("web", Service{milliseconds(8), 1.7, 2, 4000, 5, .9, seconds(1), 2, bytes(800), bytes(64e3), milliseconds(200)}));
    list.push_back(workload("events", Stream{2e6, bytes(512), microseconds(7), 2, hours(72), seconds(2)}));
    list.push_back(workload("etl", BatchJob{hours(400), bytes(5e12), bytes(2e12), bytes(1e11), 12000, .01, 24, hours(1)}));
    list.push_back(workload(
        "weather", Hpc{Hpc::Preset::stencil, operations(1e15), bytes(3e14), bytes(2e7), 3, 86400, true, Precision::fp32}));
    Pipeline pipeline;
    pipeline.stages = {{"lb", "Balancer", {}, microseconds(50), 0, unknown}, {"llm", "Model", WorkloadId("serve"), {}, 1, {}}};
    pipeline.edges = {{"lb", "llm", .4, bytes(2000), unknown}};
    pipeline.arrivalRate = 50;
    pipeline.latencyP99 = seconds(3);
    list.push_back(workload("chain", pipeline));
    return list;
}

Alternative fullAlternative() {
    Alternative alternative;
    alternative.id = AlternativeId("base");
    alternative.name = "Baseline";
    alternative.notes = "as ordered";
    alternative.procurement = Procurement::reserved;
    alternative.extra = R"({"a~b/c": {"deep": null}})";
    const std::string unknown = R"({"of_tomorrow": true})";
    alternative.frames = {{FrameId("zone"), "Zone", FrameKind::zone, {}, milliseconds(1.5), gigabytesPerSecond(100), unknown},
                          {FrameId("pod"), "Pod", FrameKind::room, FrameId("zone"), {}, {}, {}}};
    alternative.nodes = {{NodeId("gpu"), "Trainers", PartId("dgx_h100"), 64, "training", FrameId("pod"), watts(550),
                          Procurement::spot, PartId("p5"), unknown},
                         {NodeId("leaf"), "leaf", PartId("qm9700"), 16, "leaf", {}, {}, Procurement::inherit, {}, {}},
                         {NodeId("spine"), "spine", PartId("qm9700"), 8, "spine", {}, {}, Procurement::inherit, {}, {}}};
    alternative.links = {
        {LinkId("up"),
         "Rails",
         NodeId("gpu"),
         NodeId("leaf"),
         PartId("ib_ndr"),
         8,
         Pattern::rail,
         {},
         "compute",
         PartId("proto_rdma"),
         metres(12.5),
         unknown},
        {LinkId("core"), "", NodeId("leaf"), NodeId("spine"), PartId("ib_ndr"), 4, Pattern::mesh, {}, "any", {}, {}, {}},
        {LinkId("grid"), "", NodeId("spine"), NodeId("spine"), PartId("ib_ndr"), 1, Pattern::torus, {2, 4}, "any", {}, {}, {}}};
    alternative.racks = {{RackId("r"),
                          "Row",
                          PartId("rack_48u"),
                          16,
                          FrameId("pod"),
                          PartId("cooling_rdhx"),
                          kilowatts(45),
                          PartId("pdu_3p"),
                          4,
                          {{NodeId("gpu"), 4, 3, unknown}, {NodeId("leaf"), 1, 0, {}}},
                          unknown}};
    Placement placement;
    placement.id = PlacementId("p");
    placement.workload = WorkloadId("train");
    placement.nodes = {NodeId("gpu"), NodeId("leaf")};
    placement.stage = "decode";
    placement.share = .25;
    placement.parallelism = {8, 4, 16, 2, 1};
    placement.zeroStage = 0;
    placement.microBatch = 2;
    placement.interleave = 3;
    placement.replicas = 5;
    placement.offload = true;
    placement.recompute = Recompute::selective;
    placement.precision = Precision::fp16;
    placement.stack = PartId("training_megatron");
    placement.extra = unknown;
    alternative.placements = {placement};
    return alternative;
}

} // namespace

Project fullProject() {
    Project project;
    const std::string unknown = R"({"of_tomorrow": {"x": 1}})";
    project.meta = {"Title", "Author", "Organisation", "Notes\nof two lines", "2024-01-02", "2024-03-04T05:06:07Z", unknown};
    project.site = {"Hall 4",
                    PartId("region_de"),
                    .11,
                    321.5,
                    "EUR",
                    PartId("cooling_air"),
                    1.17,
                    24.5,
                    kilowatts(40),
                    kilowatts(5000),
                    5,
                    .06,
                    .8,
                    .07,
                    .02,
                    120,
                    3e5,
                    .03,
                    unknown};
    project.workloads = allKinds();
    project.parts = {{PartId("my_gpu"), "gpu", R"({"id": "my_gpu", "memory_capacity_gb": 96, "tdp_w": 612.5})", unknown}};
    project.alternatives = {fullAlternative(), {}};
    project.alternatives[1].id = AlternativeId("other");
    project.alternatives[1].name = "";
    project.baseline = AlternativeId("other");
    project.view.items["base/gpu"] = {12.25, -40, 0, 0, "#3366cc", unknown};
    project.view.items["base/pod"] = {0, 0, 640, 480.5, "", {}};
    project.view.extra = unknown;
    project.extra = unknown;
    return project;
}

Project randomProject(std::mt19937& random, int stacks) {
    Project project;
    project.meta.title = "Random";
    project.workloads = allKinds();
    for (int a = 0; a < 2; ++a) {
        Alternative alternative;
        alternative.id = AlternativeId("alt" + std::to_string(a));
        alternative.name = "Alternative " + std::to_string(a);
        const auto place = [&](const std::string& id) {
            project.view.items[viewKey(alternative.id, id)] = {
                double(below(random, 4000)), double(below(random, 4000)), 0, 0, {}, {}};
        };
        for (int at = 0; at < std::max(1, stacks / 4); ++at) {
            Frame frame;
            frame.id = FrameId("f" + std::to_string(at));
            frame.name = "Frame " + std::to_string(at);
            if (at > 0 && below(random, 2))
                frame.parent = FrameId("f" + std::to_string(below(random, at)));
            place(frame.id.value);
            alternative.frames.push_back(frame);
        }
        for (int at = 0; at < stacks; ++at) {
            Node node;
            node.id = NodeId("n" + std::to_string(at));
            node.name = "Node " + std::to_string(at);
            node.part = PartId(below(random, 2) ? "dgx_h100" : "qm9700");
            node.count = 1 + below(random, 12);
            if (below(random, 2))
                node.frame = alternative.frames[std::size_t(below(random, int(alternative.frames.size())))].id;
            place(node.id.value);
            alternative.nodes.push_back(node);
        }
        const auto anyNode = [&] { return alternative.nodes[std::size_t(below(random, stacks))].id; };
        for (int at = 0; at < stacks * 2; ++at) {
            Link link;
            link.id = LinkId("l" + std::to_string(at));
            link.from = anyNode();
            link.to = anyNode();
            link.pattern = link.from == link.to ? Pattern::ring : below(random, 2) ? Pattern::each : Pattern::mesh;
            link.medium = PartId("ib_ndr");
            link.lanes = 1 + below(random, 4);
            alternative.links.push_back(link);
        }
        for (int at = 0; at < std::max(1, stacks / 3); ++at) {
            Rack rack;
            rack.id = RackId("r" + std::to_string(at));
            rack.name = "Rack " + std::to_string(at);
            rack.items = {{anyNode(), 1 + below(random, 3), 0, {}}, {anyNode(), 1, 20, {}}};
            place(rack.id.value);
            alternative.racks.push_back(rack);
            Placement placement;
            placement.id = PlacementId("p" + std::to_string(at));
            placement.workload = project.workloads[std::size_t(below(random, int(project.workloads.size())))].id;
            placement.nodes = {anyNode(), anyNode()};
            if (placement.nodes[0] == placement.nodes[1])
                placement.nodes.pop_back();
            alternative.placements.push_back(placement);
        }
        project.alternatives.push_back(alternative);
    }
    return project;
}

namespace {

Alternative leafSpine() {
    Alternative alternative;
    alternative.id = AlternativeId("alt0");
    alternative.name = "a";
    const auto stack = [&](const char* id, std::int64_t count) {
        Node n;
        n.id = NodeId(id);
        n.name = id;
        n.part = PartId(id);
        n.count = count;
        alternative.nodes.push_back(n);
    };
    const auto link = [&](const char* id, const char* from, const char* to, Pattern pattern, int lanes,
                          std::vector<int> dimensions = {}) {
        Link l;
        l.id = LinkId(id);
        l.from = NodeId(from);
        l.to = NodeId(to);
        l.pattern = pattern;
        l.lanes = lanes;
        l.dimensions = std::move(dimensions);
        alternative.links.push_back(l);
    };
    stack("server", 12);
    stack("leaf", 4);
    stack("spine", 2);
    stack("store", 6);
    link("rail", "server", "leaf", Pattern::rail, 2);
    link("up", "leaf", "spine", Pattern::mesh, 2);
    link("disk", "store", "leaf", Pattern::each, 1);
    link("sync", "store", "store", Pattern::ring, 1);
    link("grid", "server", "server", Pattern::torus, 1, {3, 4});
    Rack rack;
    rack.id = RackId("rack");
    rack.name = "rack";
    rack.count = 3;
    rack.items = {{NodeId("server"), 4, 1, {}}, {NodeId("store"), 2, 0, {}}};
    alternative.racks.push_back(rack);
    Placement placement;
    placement.id = PlacementId("p");
    placement.workload = WorkloadId("w");
    placement.nodes = {NodeId("server")};
    alternative.placements.push_back(placement);
    return alternative;
}

} // namespace

Project leafSpineProject() {
    Project project;
    project.workloads.push_back({WorkloadId("w"), "w", Service{}, {}, {}, {}, {}, {}});
    project.alternatives = {leafSpine()};
    for (const Node& n : project.alternatives[0].nodes)
        project.view.items[viewKey(AlternativeId("alt0"), n.id.value)] = {10, 20, 0, 0, {}, {}};
    return project;
}

} // namespace cw::test
