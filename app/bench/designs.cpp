// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/designs.h"

#include "model/assert.h"
#include "model/io/project_file.h"
#include "resources/embedded.h"

#include <algorithm>

namespace cw::bench {

namespace {

Node node(const char* id, const char* part, std::int64_t count)
{
    Node made;
    made.id = NodeId(id);
    made.name = id;
    made.part = PartId(part);
    made.count = count;
    return made;
}

Link link(const std::string& from, const std::string& to, Pattern pattern, int lanes)
{
    Link made;
    made.id = LinkId(from + "-" + to);
    made.from = NodeId(from);
    made.to = NodeId(to);
    made.medium = PartId("ib_ndr");
    made.pattern = pattern;
    made.lanes = lanes;
    return made;
}

Project projectWith(Alternative alternative, WorkloadSpec spec, const char* title)
{
    Project project;
    project.meta.title = title;
    Workload workload;
    workload.id = WorkloadId("w");
    workload.name = "Workload";
    workload.spec = std::move(spec);
    project.workloads.push_back(std::move(workload));
    project.alternatives.push_back(std::move(alternative));
    return project;
}

LlmTraining training(bool large, int batch)
{
    LlmTraining spec;
    spec.model = PartId(large ? "llama3_405b" : "llama3_8b");
    spec.sequence = 8192;
    spec.globalBatch = batch;
    spec.totalTokens = 1e12;
    return spec;
}

} // namespace

Project stackedTraining(int gpus)
{
    const int nodes = gpus / 8, units = std::max(1, nodes / 32);
    const bool three = gpus > 4096, large = gpus >= 1024;
    Alternative alternative;
    alternative.id = AlternativeId("a");
    alternative.name = "A";
    alternative.nodes = {node("gpu", "dgx_h100", nodes), node("leaf", "qm9700", 8 * units)};
    alternative.links = {link("gpu", "leaf", Pattern::rail, 8)};
    if (units > 1) {
        alternative.nodes.push_back(node("spine", "qm9700", three ? 8 * units : std::max(4, 4 * units)));
        alternative.links.push_back(three ? link("leaf", "spine", Pattern::each, 32) : link("leaf", "spine", Pattern::mesh, 1));
    }
    if (three) {
        alternative.nodes.push_back(node("core", "qm9700", 4 * units));
        alternative.links.push_back(link("spine", "core", Pattern::plane, std::min(32, 4 * units)));
    }
    Placement placement;
    placement.id = PlacementId("p");
    placement.workload = WorkloadId("w");
    placement.nodes = {NodeId("gpu")};
    placement.parallelism = large ? Parallelism{8, 16, gpus / 128, 1, 1} : Parallelism{std::min(8, gpus), 1, std::max(1, gpus / 8), 1, 1};
    placement.microBatch = 1;
    placement.interleave = 1;
    placement.zeroStage = 1;
    placement.recompute = Recompute::selective;
    alternative.placements = {placement};
    return projectWith(std::move(alternative), training(large, std::max(16, gpus / 8)), "Stacked training");
}

Project openTraining(int gpus)
{
    Project project = stackedTraining(gpus);
    Placement& placement = project.alternatives.front().placements.front();
    placement.parallelism = {};
    placement.microBatch = placement.interleave = 0;
    placement.zeroStage = -1;
    placement.recompute = Recompute::automatic;
    return project;
}

Project separateTraining(int nodes)
{
    Alternative alternative;
    alternative.id = AlternativeId("a");
    alternative.name = "A";
    const int leaves = nodes / 32, spines = 16;
    Placement placement;
    placement.id = PlacementId("p");
    placement.workload = WorkloadId("w");
    for (int i = 0; i < nodes; ++i) {
        const std::string id = "n" + std::to_string(i), leaf = "leaf" + std::to_string(i / 32);
        alternative.nodes.push_back(node(id.c_str(), "dgx_h100", 1));
        alternative.links.push_back(link(id, leaf, Pattern::each, 1));
        placement.nodes.push_back(NodeId(id));
    }
    for (int l = 0; l < leaves; ++l) {
        const std::string leaf = "leaf" + std::to_string(l);
        alternative.nodes.push_back(node(leaf.c_str(), "qm9700", 1));
        for (int s = 0; s < spines; ++s)
            alternative.links.push_back(link(leaf, "spine" + std::to_string(s), Pattern::each, 2));
    }
    for (int s = 0; s < spines; ++s)
        alternative.nodes.push_back(node(("spine" + std::to_string(s)).c_str(), "qm9700", 1));
    placement.parallelism = {8, 8, nodes / 8, 1, 1};
    placement.microBatch = 1;
    placement.interleave = 1;
    placement.zeroStage = 1;
    placement.recompute = Recompute::selective;
    alternative.placements = {placement};
    return projectWith(std::move(alternative), training(true, nodes), "Separate nodes");
}

Project serving()
{
    Alternative alternative;
    alternative.id = AlternativeId("a");
    alternative.name = "A";
    alternative.nodes = {node("gpu", "dgx_h200", 4)};
    Placement placement;
    placement.id = PlacementId("p");
    placement.workload = WorkloadId("w");
    placement.nodes = {NodeId("gpu")};
    placement.parallelism.tensor = 4;
    alternative.placements = {placement};
    LlmServing spec;
    spec.model = PartId("llama3_70b");
    spec.arrivalRate = 40;
    return projectWith(std::move(alternative), spec, "Serving");
}

std::vector<Project> servingExamples()
{
    std::vector<Project> found;
    for (std::string_view path : resources::list("examples")) {
        ReadResult read = readProject(resources::file(path), path);
        CW_ASSERT(read.ok);
        const auto& workloads = read.project.workloads;
        if (std::any_of(workloads.begin(), workloads.end(), [](const Workload& w) { return std::holds_alternative<LlmServing>(w.spec); }))
            found.push_back(std::move(read.project));
    }
    return found;
}

Project largestExample()
{
    Project largest;
    std::int64_t most = -1;
    for (std::string_view path : resources::list("examples")) {
        ReadResult read = readProject(resources::file(path), path);
        CW_ASSERT(read.ok);
        std::int64_t machines = 0;
        for (const Alternative& alternative : read.project.alternatives)
            for (const Node& n : alternative.nodes)
                machines = std::max(machines, n.count);
        if (machines > most) {
            most = machines;
            largest = std::move(read.project);
        }
    }
    return largest;
}

} // namespace cw::bench
