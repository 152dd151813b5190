// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/panel_scene.h"

#include "model/catalog/catalog.h"

namespace cw::test {

namespace {

Node node(const char* id, const char* name, const char* part, std::int64_t count) {
    Node result;
    result.id = NodeId(id);
    result.name = name;
    result.part = PartId(part);
    result.count = count;
    return result;
}

Link link(const char* id, const char* from, const char* to, Pattern pattern, int lanes) {
    Link result;
    result.id = LinkId(id);
    result.from = NodeId(from);
    result.to = NodeId(to);
    result.medium = PartId("ib_ndr");
    result.pattern = pattern;
    result.lanes = lanes;
    return result;
}

Placement placement(const char* id, const char* workload) {
    Placement result;
    result.id = PlacementId(id);
    result.workload = WorkloadId(workload);
    result.nodes = {NodeId("dgx")};
    return result;
}

Alternative alternative(const char* id, const char* name) {
    Alternative result;
    result.id = AlternativeId(id);
    result.name = name;
    result.nodes = {node("dgx", "DGX H100", "dgx_h100", 64), node("leaf", "Leaf, rails 0–7", "qm9700", 16),
                    node("spine", "Spine", "qm9700", 8)};
    result.links = {link("rails", "dgx", "leaf", Pattern::rail, 8), link("uplinks", "leaf", "spine", Pattern::mesh, 4)};
    Rack rack;
    rack.id = RackId("row");
    rack.name = "GPU racks";
    rack.part = PartId("rack_48u");
    rack.count = 16;
    rack.items = {{NodeId("dgx"), 4, 0}};
    result.racks = {rack};
    Frame frame;
    frame.id = FrameId("pod");
    frame.name = "Training pod";
    result.frames = {frame};
    result.placements = {placement("run-train", "train"), placement("run-chat", "chat")};
    return result;
}

Workload training() {
    Workload result;
    result.id = WorkloadId("train");
    result.name = "Pretraining 70B";
    LlmTraining spec;
    spec.model = PartId("llama3_70b");
    spec.sequence = 8192;
    spec.globalBatch = 1024;
    spec.totalTokens = 1e12;
    result.spec = spec;
    result.targets.stepTime = seconds(5);
    return result;
}

Workload chat() {
    Workload result;
    result.id = WorkloadId("chat");
    result.name = "Chat";
    LlmServing spec;
    spec.model = PartId("llama3_70b");
    spec.arrivalRate = 20;
    result.spec = spec;
    return result;
}

WorkloadEstimate trainingEstimate(Derivation& terms, const Alternative& design, double speed) {
    WorkloadEstimate result;
    result.id = WorkloadId("train");
    result.name = "Pretraining 70B";
    result.kind = "llm_training";
    result.placed = result.feasible = true;
    const auto* gpu = shippedCatalog().find<Gpu>(PartId("h100_sxm"));
    const Quantity gpus = terms.input("GPUs", static_cast<double>(design.nodes.front().count) * 8, Unit::count, "count");
    const Quantity peak = terms.fact("peak, BF16", *gpu, "bf16_tflops", 989e12, Unit::operationsPerSecond);
    const Quantity mfu = terms.assumption("utilisation", .43, .38, .48, Unit::fraction, "typical of tuned stacks");
    const Quantity rate = terms.product("useful rate", "GPUs · peak · utilisation", {gpus, peak, mfu}, Unit::operationsPerSecond);
    const Quantity work =
        terms.assumption("work per token", 4.2e11, 4.2e11, 4.2e11, Unit::operations, "6 operations a parameter");
    result.throughput = terms.quotient("throughput", "useful rate / work per token", rate, work, Unit::tokensPerSecond, speed);
    result.mfu = mfu;
    const Quantity tokens = terms.input("tokens per step", 1024 * 8192.0, Unit::tokens, "global batch");
    result.latency = {
        {"step", terms.quotient("step time", "tokens per step / throughput", tokens, *result.throughput, Unit::seconds)}};
    result.memory = WorkloadEstimate::Memory{terms.assumption("memory used", 71e9, 69e9, 73e9, Unit::bytes, "test"),
                                             terms.fact("memory", *gpu, "memory_capacity_gb", 80e9, Unit::bytes),
                                             true,
                                             {}};
    result.costPerUnit = terms.assumption("cost per M tokens", .41 / speed, .3, .5, Unit::dollarsPerMillionTokens, "test");
    result.bottleneck = Bottleneck{{"network.link", "Leaf → Spine", {{ElementKind::link, design.id, "uplinks"}}, .93},
                                   ResourceUse{"gpu.memory_bandwidth", "", {}, .71},
                                   .18};
    result.plan = ChosenPlan{.parallelism = {8, 4, 16, 1, 1},
                             .zeroStage = 1,
                             .microBatch = 2,
                             .recompute = Recompute::selective,
                             .chosenByEstimator = true,
                             .rejected = {{{4, 4, 32, 1, 1}, "memory", 96e9}}};
    const double step = result.latency.front().quantity.value;
    result.targets = {{"step", 5, step, Unit::seconds, step <= 5}};
    result.meetsTargets = step <= 5;
    return result;
}

WorkloadEstimate chatEstimate(Derivation& terms) {
    WorkloadEstimate result;
    result.id = WorkloadId("chat");
    result.name = "Chat";
    result.kind = "llm_serving";
    result.placed = result.feasible = true;
    result.throughput = terms.assumption("throughput", 4200, 3900, 4500, Unit::tokensPerSecond, "test");
    result.latency = {{"ttft_p99", terms.assumption("TTFT p99", .41, .3, .6, Unit::seconds, "test")}};
    return result;
}

Finding doubleSpine(const Alternative& design) {
    Finding finding;
    finding.severity = Severity::warning;
    finding.code = "link.full";
    finding.weight = .6;
    finding.elements = {{ElementKind::link, design.id, "uplinks"}};
    finding.arguments = {
        {"link", "Leaf → Spine"}, {"utilisation", "93 %"}, {"load", "6.0 TB/s"}, {"capacity", "6.4 TB/s"}, {"lanes", "8"}};
    Link after = design.links[1];
    after.lanes *= 2;
    finding.fix = Edit{"Double the cables of a link", {}, {{finding.elements.front(), design.links[1], after, -1, -1}}};
    finding.fixCode = "link.double_lanes";
    return finding;
}

std::vector<Finding> findings(const Alternative& design) {
    Finding advice;
    advice.severity = Severity::advice;
    advice.code = "reliability.single_machine";
    advice.elements = {{ElementKind::node, design.id, "dgx"}};
    advice.arguments = {{"node", "DGX H100"}, {"workload", "Chat"}};
    Finding error;
    error.severity = Severity::error;
    error.code = "rack.power_exceeded";
    error.elements = {{ElementKind::rack, design.id, "row"}};
    error.arguments = {{"rack", "GPU racks"}, {"power", "40.8 kW"}, {"typical", "33.2 kW"}, {"limit", "30 kW"}, {"count", "16"}};
    return {advice, doubleSpine(design), error};
}

std::shared_ptr<AlternativeEstimate> estimateOf(const Alternative& design, double speed) {
    auto result = std::make_shared<AlternativeEstimate>();
    result->id = design.id;
    result->name = design.name;
    result->catalog = shippedCatalog();
    Derivation& terms = result->derivation;
    result->workloads = {trainingEstimate(terms, design, speed), chatEstimate(terms)};
    result->power.it = terms.assumption("IT power", 742e3, 700e3, 790e3, Unit::watts, "test");
    result->power.facility = terms.assumption("facility power", 868e3, 810e3, 930e3, Unit::watts, "test");
    result->power.pue = terms.quotient("PUE", "facility / IT", result->power.facility, result->power.it, Unit::one);
    NodePower dgx;
    dgx.node = NodeId("dgx");
    dgx.expected = terms.assumption("expected power", 531e3, 500e3, 560e3, Unit::watts, "test");
    dgx.perMemberExpected = 8300;
    dgx.perMemberPeak = 10200;
    dgx.busy = .83;
    result->power.nodes = {dgx};
    RackEstimate rack;
    rack.rack = RackId("row");
    rack.name = "GPU racks";
    rack.count = 16;
    rack.power = terms.assumption("rack power", 40.2e3, 38e3, 41e3, Unit::watts, "test");
    rack.limit = terms.assumption("rack limit", 41e3, 41e3, 41e3, Unit::watts, "test");
    rack.units = 48;
    rack.unitsUsed = 32;
    result->racks = {rack};
    result->cost.perHour = terms.assumption("cost per hour", 3732, 3200, 4300, Unit::dollarsPerHour, "test");
    LinkLoad load;
    load.link = LinkId("uplinks");
    load.cables = 512;
    load.capacity = 25.6e12;
    load.forward = 23.8e12;
    load.backward = 21e12;
    load.utilisation = load.peakUtilisation = .93;
    load.shares = {{WorkloadId("train"), "gradients", 20e12, 18e12}, {WorkloadId("chat"), "requests", 3.8e12, 3e12}};
    load.quantity = terms.assumption("utilisation", .93, .9, .96, Unit::fraction, "test");
    result->links = {LinkLoad(), load};
    result->findings = findings(design);
    return result;
}

} // namespace

Project panelProject() {
    Project project;
    project.meta.title = "Panels";
    project.workloads = {training(), chat()};
    project.alternatives = {alternative("base", "A  H100 · InfiniBand"), alternative("other", "B  more of it")};
    project.baseline = AlternativeId("base");
    project.site.region = PartId("region_usa");
    project.site.cooling = PartId("cooling_rdhx_active");
    return project;
}

std::shared_ptr<const EstimateSet> panelEstimates(const Project& project, quint64 revision, double speed) {
    auto set = std::make_shared<EstimateSet>();
    set->revision = revision;
    set->project = project;
    for (const Alternative& design : project.alternatives)
        set->alternatives.push_back(estimateOf(design, design.id == AlternativeId("base") ? 1 : speed));
    return set;
}

} // namespace cw::test
