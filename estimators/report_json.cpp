// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/report_json.h"

#include "estimators/facility/bisection.h"
#include "estimators/figures.h"
#include "estimators/network/fair_share.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace cw {

namespace {

using Json = nlohmann::ordered_json;

/// NaN and infinity have no JSON number: both are "not known".
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json quantity(const Quantity& q) {
    return {{"value", number(q.value)}, {"unit", symbol(q.unit)}, {"low", number(q.low)}, {"high", number(q.high)}};
}

void put(Json& object, const char* key, const std::optional<Quantity>& q) {
    if (q)
        object[key] = quantity(*q);
}

Json named(std::span<const NamedQuantity> list) {
    Json object = Json::object();
    for (const NamedQuantity& q : list)
        object[q.name] = quantity(q.quantity);
    return object;
}

void putNamed(Json& object, const char* key, std::span<const NamedQuantity> list) {
    if (!list.empty())
        object[key] = named(list);
}

Json bottleneckJson(const Bottleneck& bottleneck) {
    Json out = {{"resource", bottleneck.binding.resource},
                {"label", bottleneck.binding.label},
                {"utilisation", number(bottleneck.binding.utilisation)}};
    if (bottleneck.next)
        out["next"] = bottleneck.next->resource;
    out["gain_if_relieved"] = number(bottleneck.gainIfRelieved);
    return out;
}

Json targetsJson(const WorkloadEstimate& workload) {
    Json out = Json::array();
    for (const WorkloadEstimate::TargetResult& t : workload.targets)
        out.push_back({{"target", t.target},
                       {"wanted", number(t.wanted)},
                       {"got", number(t.got)},
                       {"unit", symbol(t.unit)},
                       {"met", t.met}});
    return out;
}

Json planJson(const ChosenPlan& plan) {
    Json out = {{"tensor", plan.parallelism.tensor},   {"pipeline", plan.parallelism.pipeline}, {"data", plan.parallelism.data},
                {"context", plan.parallelism.context}, {"expert", plan.parallelism.expert},     {"zero_stage", plan.zeroStage},
                {"micro_batch", plan.microBatch},      {"interleave", plan.interleave},         {"replicas", plan.replicas},
                {"chosen", plan.chosenByEstimator}};
    out["recompute"] = name(plan.recompute);
    out["offload"] = plan.offload;
    out["sequence_parallel"] = plan.sequenceParallel;
    if (plan.tried > 0) {
        out["tried"] = plan.tried;
        out["too_large"] = plan.tooLarge;
    }
    Json rejected = Json::array();
    for (const ChosenPlan::Rejected& other : plan.rejected) {
        Json turned = {{"tensor", other.parallelism.tensor},
                       {"pipeline", other.parallelism.pipeline},
                       {"data", other.parallelism.data},
                       {"context", other.parallelism.context},
                       {"expert", other.parallelism.expert},
                       {"reason", other.code},
                       {other.code == "memory" ? "needs_bytes" : other.code == "slower" ? "step_s" : "idle_devices",
                        number(other.figure)}};
        if (other.microBatch > 0) { // training
            turned["zero_stage"] = other.zeroStage;
            turned["micro_batch"] = other.microBatch;
            turned["interleave"] = other.interleave;
            turned["recompute"] = name(other.recompute);
            turned["offload"] = other.offload;
        }
        rejected.push_back(std::move(turned));
    }
    out["rejected"] = rejected;
    return out;
}

Json collectivesJson(std::span<const CollectiveUse> collectives) {
    Json out = Json::array();
    for (const CollectiveUse& use : collectives) {
        Json ways = Json::array();
        for (const CollectiveUse::Candidate& way : use.candidates) {
            Json one = {{"algorithm", way.algorithm}, {"seconds", number(way.seconds)}};
            if (*way.because != 0)
                one["impossible"] = way.because;
            ways.push_back(std::move(one));
        }
        out.push_back({{"purpose", use.purpose},
                       {"operation", use.operation},
                       {"bytes", number(use.bytes)},
                       {"ranks", use.ranks},
                       {"ranks_per_domain", use.perDomain},
                       {"tier", use.tier},
                       {"algorithm", use.algorithm},
                       {"seconds", quantity(use.seconds)},
                       {"at_line_rate_s", number(use.leastSeconds)},
                       {"ways", ways}});
    }
    return out;
}

Json simulatedJson(const SimulatedRun& run) {
    Json figures = Json::object();
    for (const SimulatedRun::Figure& figure : run.figures)
        figures[figure.name] = {{"value", number(figure.value)}, {"low", number(figure.low)}, {"high", number(figure.high)},
                                {"closed_form", number(figure.closedForm)}, {"disagreement", number(figure.disagreement())}};
    Json out = {{"seed", run.seed},
                {"requests", run.requests},
                {"precise", run.precise},
                {"figures", figures},
                {"in_flight", number(run.inFlight)},
                {"refused_share", number(run.refused)},
                {"preempted_per_request", number(run.preempted)}};
    if (run.growth)
        out["grows_requests_per_s"] = number(*run.growth);
    if (run.batch > 0)
        out["batch"] = number(run.batch);
    if (run.failed > 0)
        out["given_up_share"] = number(run.failed);
    if (run.recorded)
        out["recorded_arrivals"] = true;
    for (const SimulatedRun::Occupancy& occupancy : run.occupancy)
        out["occupancy"][occupancy.name] = {{"mean", number(occupancy.mean)}, {"closed_form", number(occupancy.closedForm)}};
    if (run.kvUse > 0)
        out["kv_use"] = number(run.kvUse);
    return out;
}

Json workloadJson(const WorkloadEstimate& w) {
    Json out = {{"name", w.name}, {"kind", w.kind}, {"placed", w.placed}};
    if (w.placed)
        out["feasible"] = w.feasible;
    put(out, "throughput", w.throughput);
    put(out, "capacity", w.capacity);
    putNamed(out, "latency", w.latency);
    if (w.simulated)
        out["simulated"] = simulatedJson(*w.simulated);
    put(out, "mfu", w.mfu);
    put(out, "days", w.daysToFinish);
    put(out, "goodput", w.goodput);
    if (w.memory) {
        out["memory"] = {
            {"used", quantity(w.memory->used)}, {"capacity", quantity(w.memory->capacity)}, {"fits", w.memory->fits}};
        putNamed(out["memory"], "parts", w.memory->parts);
    }
    Json time = Json::object();
    for (int i = 0; i < timePartCount; ++i) {
        if (w.timeParts[static_cast<std::size_t>(i)] > 0)
            time[std::string(name(static_cast<TimePart>(i)))] = number(w.timeParts[static_cast<std::size_t>(i)]);
    }
    if (!time.empty())
        out["time_s"] = time;
    if (w.bottleneck)
        out["bottleneck"] = bottleneckJson(*w.bottleneck);
    for (const ResourceUse& use : w.resources)
        if (use.resource == sharedNetwork)
            out["network_share"] = number(1 - use.utilisation);
    if (w.plan)
        out["plan"] = planJson(*w.plan);
    put(out, "cost_per_unit", w.costPerUnit);
    put(out, "energy_per_unit", w.energyPerUnit);
    putNamed(out, "more", w.more);
    putNamed(out, "bounds", w.bounds);
    if (!w.collectives.empty())
        out["collectives"] = collectivesJson(w.collectives);
    if (!w.targets.empty())
        out["targets"] = targetsJson(w);
    if (w.meetsTargets)
        out["meets_targets"] = *w.meetsTargets;
    return out;
}

Json powerJson(const PowerEstimate& power) {
    Json out = {{"it_w", quantity(power.it)},
                {"facility_w", quantity(power.facility)},
                {"peak_w", quantity(power.peak)},
                {"facility_peak_w", quantity(power.facilityPeak)},
                {"idle_w", quantity(power.idle)},
                {"pue", quantity(power.pue)},
                {"energy_kwh_year", quantity(power.energyPerYear)}};
    putNamed(out, "by_part_w", power.byPart);
    return out;
}

Json rackJson(const RackEstimate& rack) {
    Json out = {{"name", rack.name},
                {"count", rack.count},
                {"automatic", rack.automatic},
                {"power_w", quantity(rack.power)},
                {"typical_w", quantity(rack.typical)},
                {"limit_w", quantity(rack.limit)},
                {"airflow_m3_s", quantity(rack.airflow)}};
    put(out, "coolant_l_min", rack.coolant);
    out["inlet_c"] = number(rack.inletC);
    out["outlet_c"] = quantity(rack.outlet);
    out["units_used"] = number(rack.unitsUsed);
    if (rack.units > 0)
        out["units"] = number(rack.units);
    out["weight_kg"] = quantity(rack.weight);
    out["ok"] = rack.ok;
    return out;
}

Json linkJson(const Alternative* alternative, const LinkLoad& load) {
    const Link* link = alternative ? alternative->findLink(load.link) : nullptr;
    const auto end = [&](const NodeId& id) {
        const Node* node = alternative->findNode(id);
        return node && !node->name.empty() ? node->name : id.value;
    };
    Json out = {{"id", load.link.value}};
    if (link) {
        out["from"] = end(link->from);
        out["to"] = end(link->to);
    }
    const bool known = load.capacity > 0;
    out["cables"] = load.cables;
    out["utilisation"] = known ? number(load.utilisation) : Json(nullptr);
    out["load_bytes_s"] = number(std::max(load.forward, load.backward));
    out["forward_bytes_s"] = number(load.forward);
    out["backward_bytes_s"] = number(load.backward);
    out["capacity_bytes_s"] = known ? number(load.capacity) : Json(nullptr);
    out["busiest_phase"] = known ? number(load.peakUtilisation) : Json(nullptr);
    out["fullest_cable"] = known ? number(load.hashedHigh) : Json(nullptr);
    Json traffic = Json::array();
    for (const LinkLoad::Share& share : load.shares)
        traffic.push_back({{"workload", share.workload.value},
                           {"kind", share.traffic},
                           {"forward_bytes_s", number(share.forward)},
                           {"backward_bytes_s", number(share.backward)},
                           {"forward_utilisation", known ? number(share.forward / load.capacity) : Json(nullptr)},
                           {"backward_utilisation", known ? number(share.backward / load.capacity) : Json(nullptr)},
                           {"active_share", number(share.active)},
                           {"busy_utilisation", known && share.active > 0 ? number(std::max(share.forward, share.backward) / share.active / load.capacity)
                                                                          : Json(nullptr)},
                           {"granted_share", number(share.granted)}});
    out["traffic"] = traffic;
    return out;
}

Json networkJson(const NetworkEstimate& network) {
    Json tiers = Json::array();
    for (const NetworkEstimate::Tier& tier : network.tiers)
        tiers.push_back({{"name", tier.name},
                         {"devices", tier.devices},
                         {"bytes_s_per_device", number(tier.bandwidthPerDevice)},
                         {"oversubscription", number(tier.oversubscription)},
                         {"latency_s", number(tier.latency.value)},
                         {"least_latency_s", number(tier.leastLatency.value)},
                         {"in_network_reduction", tier.inNetworkReduction},
                         {"bisection_bytes_s", number(tierBisection(network, tier))}});
    return {{"bisection_bytes_s", quantity(network.bisection)},
            {"oversubscription", number(network.oversubscription.value)},
            {"switches", network.switches},
            {"cables", network.cables},
            {"hops", network.hops},
            {"tiers", tiers}};
}

Json costJson(const AlternativeEstimate& estimate, std::span<const WorkloadEstimate* const> shown) {
    const CostEstimate& cost = estimate.cost;
    Json out = {{"capex", quantity(cost.capex)},
                {"opex_year", quantity(cost.opexPerYear)},
                {"tco", quantity(cost.tco)},
                {"per_hour", quantity(cost.perHour)}};
    for (const WorkloadEstimate* workload : shown) {
        if (workload->costPerUnit) {
            out["per_unit"] = quantity(*workload->costPerUnit); // of the first that has one; each workload also shows its own
            break;
        }
    }
    put(out, "rent_per_hour", cost.rentPerHour);
    put(out, "buy_per_hour", cost.buyPerHour);
    putNamed(out, "by_category", cost.byCategory);
    putNamed(out, "yearly", cost.yearly);
    return out;
}

Json reliabilityJson(const ReliabilityEstimate& r) {
    Json out = {{"mtbf_hours", quantity(r.mtbfHours)},
                {"failures_per_day", quantity(r.failuresPerDay)},
                {"goodput", number(r.goodput.value)}};
    put(out, "checkpoint_interval_s", r.checkpointInterval);
    Json tiers = Json::array();
    for (const ReliabilityEstimate::TierAvailability& tier : r.tiers)
        tiers.push_back({{"name", tier.name},
                         {"availability", number(tier.availability)},
                         {"capacity_with_one_down", number(tier.capacityWithOneDown)}});
    out["tiers"] = tiers;
    return out;
}

const char* severityWord(Severity severity) {
    switch (severity) {
    case Severity::error:
        return "error";
    case Severity::warning:
        return "warning";
    case Severity::advice:
        return "advice";
    }
    return "";
}

const char* kindWord(ElementKind kind) {
    switch (kind) {
    case ElementKind::meta:
        return "meta";
    case ElementKind::site:
        return "site";
    case ElementKind::workload:
        return "workload";
    case ElementKind::part:
        return "part";
    case ElementKind::alternative:
        return "alternative";
    case ElementKind::baseline:
        return "baseline";
    case ElementKind::node:
        return "node";
    case ElementKind::link:
        return "link";
    case ElementKind::rack:
        return "rack";
    case ElementKind::frame:
        return "frame";
    case ElementKind::placement:
        return "placement";
    case ElementKind::view:
        return "view";
    }
    return "";
}

Json findingJson(const Finding& finding, const ReportOptions& options) {
    Json elements = Json::array();
    for (const ElementRef& ref : finding.elements)
        elements.push_back({{"kind", kindWord(ref.kind)}, {"id", ref.id}});
    Json out = {{"severity", severityWord(finding.severity)}, {"code", finding.code}, {"elements", elements}};
    Json arguments = Json::object();
    for (const auto& [key, value] : finding.arguments)
        arguments[key] = value;
    out["arguments"] = arguments;
    if (options.message)
        out["message"] = options.message(finding);
    if (finding.fix)
        out["change"] = options.change ? options.change(finding) : finding.fix->name;
    return out;
}

Json alternativeJson(const Project& project, const AlternativeEstimate& estimate, const ReportOptions& options) {
    std::vector<const WorkloadEstimate*> shown;
    for (const WorkloadEstimate& workload : estimate.workloads) {
        if (!options.workload || *options.workload == workload.id)
            shown.push_back(&workload);
    }
    Json out = {{"name", estimate.name}, {"id", estimate.id.value}};
    Json workloads = Json::array();
    for (const WorkloadEstimate* workload : shown)
        workloads.push_back(workloadJson(*workload));
    out["workloads"] = workloads;
    out["power"] = powerJson(estimate.power);
    Json racks = Json::array();
    for (const RackEstimate& rack : estimate.racks)
        racks.push_back(rackJson(rack));
    out["racks"] = racks;
    Json links = Json::array();
    const Alternative* alternative = project.findAlternative(estimate.id);
    for (const LinkLoad& load : estimate.links)
        links.push_back(linkJson(alternative, load));
    out["links"] = links;
    out["network"] = networkJson(estimate.network);
    out["cost"] = costJson(estimate, shown);
    out["reliability"] = reliabilityJson(estimate.reliability);
    out["carbon"] = {{"operation_kg_year", quantity(estimate.carbon.operationPerYear)}};
    put(out["carbon"], "embodied_kg", estimate.carbon.embodied);
    Json findings = Json::array();
    for (const Finding& finding : estimate.findings)
        findings.push_back(findingJson(finding, options));
    out["findings"] = findings;
    return out;
}

Json reportedJson(const ReportedFigure& figure) {
    const Reported& reported = *figure.reported;
    Json out = {{"workload", figure.workload->name},
                {"quantity", reported.quantity},
                {"value", number(reported.value)},
                {"unit", reported.unit},
                {"note", reported.note}};
    Json estimates = Json::array();
    for (const ReportedFigure::Of& of : figure.of) {
        Json one = {{"alternative", of.alternative.value}, {"estimated", quantity(of.estimated)}};
        put(one, "bound", of.bound);
        estimates.push_back(std::move(one));
    }
    out["estimates"] = estimates;
    return out;
}

} // namespace

std::string estimateJson(const Project& project, std::span<const AlternativeEstimate* const> estimates,
                         const ReportOptions& options) {
    Json alternatives = Json::array();
    for (const AlternativeEstimate* estimate : estimates)
        alternatives.push_back(alternativeJson(project, *estimate, options));
    Json out = {{"project", project.meta.title}, {"schema", 1}, {"alternatives", alternatives}};
    Json reported = Json::array();
    for (const ReportedFigure& figure : reportedFigures(project, estimates))
        reported.push_back(reportedJson(figure));
    if (!reported.empty())
        out["reported"] = reported;
    return out.dump(options.indent, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace cw
