// SPDX-License-Identifier: GPL-3.0-or-later
//
// Workloads and placements: models and stages that exist, work to be done, machines that can do it.
#include "model/checks/report.h"
#include "model/units/unit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace cw {
namespace {

void model(Report& report, const Workload& workload, const PartId& id, bool optional) {
    if ((id.empty() && optional) || report.catalog.find<NeuralModel>(id))
        return;
    report.add(Severity::error, id.empty() ? "workload.model_missing" : "workload.model_unknown", {report.ref(workload)},
               {{"workload", workload.name}, {"model", id.value}});
}

/// More tokens than the model can look at.
void context(Report& report, const Workload& workload, const PartId& id, double tokens) {
    const NeuralModel* neural = report.catalog.find<NeuralModel>(id);
    if (neural && neural->context > 0 && tokens > neural->context)
        report.add(Severity::warning, "workload.beyond_context", {report.ref(workload)},
                   {{"workload", workload.name},
                    {"model", neural->name},
                    {"tokens", format(tokens, Unit::count)},
                    {"context", format(neural->context, Unit::count)}});
}

/// Whether a pipeline is a stage of itself, over any number of pipelines.
bool containsItself(const Project& project, const Workload& workload) {
    std::vector<const Workload*> open{&workload};
    std::set<std::string_view> seen;
    while (!open.empty()) {
        const Workload* at = open.back();
        open.pop_back();
        const auto* pipeline = std::get_if<Pipeline>(&at->spec);
        if (!pipeline)
            continue;
        for (const Pipeline::Stage& stage : pipeline->stages) {
            if (stage.workload == workload.id)
                return true;
            const Workload* next = project.findWorkload(stage.workload);
            if (next && seen.insert(next->id.value).second)
                open.push_back(next);
        }
    }
    return false;
}

void pipeline(Report& report, const Workload& workload, const Pipeline& spec) {
    const ElementRef where = report.ref(workload);
    std::set<std::string_view> stages;
    if (spec.stages.empty())
        report.add(Severity::error, "pipeline.empty", {where}, {{"workload", workload.name}});
    for (const Pipeline::Stage& stage : spec.stages) {
        if (!stages.insert(stage.id).second)
            report.add(Severity::error, "id.repeated", {where}, {{"id", stage.id}, {"kind", "stage"}});
        if (!stage.workload.empty() && !report.project.findWorkload(stage.workload))
            report.add(Severity::error, "pipeline.unknown_workload", {where},
                       {{"workload", workload.name}, {"stage", stage.name}, {"unknown", stage.workload.value}});
    }
    for (const Pipeline::Edge& edge : spec.edges)
        for (const std::string& end : {edge.from, edge.to})
            if (!stages.count(end))
                report.add(Severity::error, "pipeline.unknown_stage", {where}, {{"workload", workload.name}, {"stage", end}});
    if (containsItself(report.project, workload))
        report.add(Severity::error, "pipeline.contains_itself", {where}, {{"workload", workload.name}});
}

} // namespace

void checkWorkloads(Report& report) {
    for (const Workload& workload : report.project.workloads) {
        if (const auto* training = std::get_if<LlmTraining>(&workload.spec)) {
            model(report, workload, training->model, false);
            context(report, workload, training->model, training->sequence);
        } else if (const auto* serving = std::get_if<LlmServing>(&workload.spec)) {
            model(report, workload, serving->model, false);
            context(report, workload, serving->model, serving->prompt.mean + serving->output.mean);
        } else if (const auto* batch = std::get_if<BatchInference>(&workload.spec)) {
            model(report, workload, batch->model, true);
            if (batch->model.empty() && !batch->operationsPerItem && !batch->bytesPerItem)
                report.add(Severity::error, "workload.model_missing", {report.ref(workload)},
                           {{"workload", workload.name}, {"model", ""}});
        } else if (const auto* stages = std::get_if<Pipeline>(&workload.spec)) {
            pipeline(report, workload, *stages);
        }
    }
}

namespace {

void unknownNodes(Report& report, const Placement& placement) {
    const auto unknown = [&report](const NodeId& id) { return !report.node(id); };
    const auto first = std::find_if(placement.nodes.begin(), placement.nodes.end(), unknown);
    if (first == placement.nodes.end() && !placement.nodes.empty())
        return;
    const bool none = std::all_of(placement.nodes.begin(), placement.nodes.end(), unknown);
    Finding& finding = report.add(
        Severity::error, placement.nodes.empty() ? "placement.empty" : "placement.unknown_node", {report.ref(placement)},
        {{"placement", placement.id.value}, {"node", first == placement.nodes.end() ? "" : first->value}});
    Placement after = placement;
    std::erase_if(after.nodes, unknown);
    report.offer(finding, none ? "placement.remove" : "placement.drop_node", report.ref(placement), placement,
                 none ? Element(std::monostate{}) : Element(after));
}

void stage(Report& report, const Placement& placement, const Workload& workload) {
    if (placement.stage.empty())
        return;
    bool known = false;
    if (const auto* pipeline = std::get_if<Pipeline>(&workload.spec))
        known = std::any_of(pipeline->stages.begin(), pipeline->stages.end(),
                            [&](const Pipeline::Stage& s) { return s.id == placement.stage; });
    else if (std::holds_alternative<LlmServing>(workload.spec))
        known = placement.stage == "prefill" || placement.stage == "decode";
    if (!known)
        report.add(Severity::error, "placement.unknown_stage", {report.ref(placement)},
                   {{"placement", placement.id.value}, {"workload", workload.name}, {"stage", placement.stage}});
}

bool hasArrivals(const Workload& workload) {
    return std::holds_alternative<LlmServing>(workload.spec) || std::holds_alternative<BatchInference>(workload.spec) ||
        std::holds_alternative<Service>(workload.spec) || std::holds_alternative<Stream>(workload.spec);
}

/// Several placements that share a workload's arrivals should take all of them, and not more.
void shares(Report& report) {
    std::map<std::pair<std::string_view, std::string_view>, std::vector<const Placement*>> together;
    for (const Placement& placement : report.alternative.placements)
        together[{placement.workload.value, placement.stage}].push_back(&placement);
    for (const auto& [key, list] : together) {
        const Workload* workload = report.project.findWorkload(list.front()->workload);
        if (!workload || !hasArrivals(*workload))
            continue;
        double sum = 0;
        std::vector<ElementRef> elements;
        for (const Placement* placement : list) {
            sum += placement->share;
            elements.push_back(report.ref(*placement));
        }
        if (std::fabs(sum - 1) > .01)
            report.add(Severity::warning, "placement.shares", std::move(elements),
                       {{"workload", workload->name}, {"sum", format(sum, Unit::fraction)}});
    }
}

} // namespace

void checkPlacements(Report& report) {
    for (const Placement& placement : report.alternative.placements) {
        unknownNodes(report, placement);
        if (const Workload* workload = report.project.findWorkload(placement.workload)) {
            stage(report, placement, *workload);
        } else {
            Finding& finding = report.add(Severity::error, "placement.unknown_workload", {report.ref(placement)},
                                          {{"placement", placement.id.value}, {"workload", placement.workload.value}});
            report.offer(finding, "placement.remove", report.ref(placement), placement, std::monostate{});
        }
        for (const NodeId& id : placement.nodes) {
            const Node* node = report.node(id);
            if (node && report.catalog.find<Switch>(node->part))
                report.add(Severity::error, "placement.on_switch", {report.ref(placement), report.ref(*node)},
                           {{"placement", placement.id.value}, {"node", node->name}});
        }
    }
    shares(report);
}

} // namespace cw
