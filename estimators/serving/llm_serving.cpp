// SPDX-License-Identifier: GPL-3.0-or-later
//
// The estimator of kind llm_serving: builds the system out of the placements, evaluates it at the wanted load, and writes it up.
#include "estimators/services/workload_report.h"
#include "estimators/serving/serving_use.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

/// The pool with most requests, and where those are decoded.
void pickMain(ServingView& view) {
    double most = -1;
    for (const ServingLane& lane : view.system.lanes()) {
        for (const std::size_t i : lane.first) {
            const double weight = lane.share * view.system.pools()[i].weight;
            if (weight > most) {
                most = weight;
                view.main = i;
                view.mainDecode = lane.second.empty() ? i : lane.second.front();
            }
        }
    }
}

/// A model that does not fit is still shown: what it would take on a device, and what there is.
void addMisfit(EstimateContext& context, WorkloadResult& result, const ServingSystem& system) {
    Derivation& d = context.derivation;
    for (const ServingIssue& issue : system.issues()) {
        if (std::string_view(issue.code) != "serving.memory")
            continue;
        const auto bytes = [&](const char* name, const char* equation, double value) {
            return d.computed(name, equation, value, value, value, Unit::bytes, {});
        };
        WorkloadEstimate::Memory memory;
        memory.fits = false;
        memory.used = bytes("memory of a device needed", "weights + reserved, before any KV cache", issue.need);
        memory.capacity = bytes("memory the program takes", "share · memory of the device", issue.have);
        memory.parts = {{"weights", memory.used}};
        result.estimate.memory = std::move(memory);
        return;
    }
}

void evaluate(ServingView& view) {
    view.stableRate = view.system.stableRate();
    view.capacity = view.system.request().targets.any() ? view.system.rateWithinTargets() : view.stableRate;
    const double asked = std::isfinite(view.spec.arrivalRate) ? std::max(0., view.spec.arrivalRate) : 0;
    view.closedLoop = view.spec.concurrency && *view.spec.concurrency > 0;
    if (view.closedLoop) {
        view.point = view.system.closedLoop(*view.spec.concurrency);
        view.rate = view.point.rate;
        if (!view.system.request().targets.any())
            view.capacity = std::max(view.capacity, view.rate);
        view.stableRate = std::max(view.stableRate, view.rate);
    } else {
        view.rate = asked;
        view.stable = asked < view.stableRate;
        view.point = view.system.atRate(view.stable ? asked : view.stableRate);
    }
}

} // namespace

WorkloadResult estimateLlmServing(EstimateContext& context, const Workload& workload, std::span<const Placement* const> placements) {
    WorkloadResult result = resultFor(workload);
    const LlmServing& spec = std::get<LlmServing>(workload.spec);
    if (placements.empty())
        return result;
    result.estimate.placed = true;
    result.unitCost = Unit::dollarsPerMillionTokens;
    const auto* model = context.catalog.find<NeuralModel>(spec.model);
    if (!model) {
        addFinding(context, result, Severity::error, "workload.unknown_model", {workloadRef(workload)}, 1, {{"model", spec.model.value}});
        return result;
    }
    ServingSystem system(context, spec, *model, placements, workload.flow);
    if (!system.runs()) {
        addMisfit(context, result, system);
        addServingIssues(context, result, workload, system);
        return result;
    }
    ServingView view(context, workload, system, result);
    pickMain(view);
    evaluate(view);
    result.estimate.feasible = view.stable;
    addServingFigures(view);
    addServingMemory(view);
    addServingTime(view);
    addServingResources(view);
    addServingActivity(view);
    addServingPlan(view);
    if (context.options.curves)
        result.estimate.curve = loadCurve(system);
    addServingFindings(view);
    addServingTraffic(view); // takes the fabrics, so it comes last
    return result;
}

} // namespace cw
