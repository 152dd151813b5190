// SPDX-License-Identifier: GPL-3.0-or-later
//
// Puts one estimate together: machines and network as drawn, then what the workloads do with them, then what that draws, heats, costs
// and breaks, and last what there is to say about it.
#include "estimators/estimate.h"

#include "estimators/base/context.h"
#include "estimators/facility/day_use.h"
#include "estimators/facility/facility.h"
#include "estimators/facility/site_terms.h"
#include "estimators/facility/workload_shares.h"
#include "estimators/network/fair_share.h"
#include "estimators/services/stage_graph.h"
#include "estimators/targets.h"
#include "model/io/project_file.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace cw {

namespace {

constexpr double secondsPerYear = hoursPerYear * 3600;
constexpr int sharingRounds = 5;
constexpr double settledShare = .01;

class Assembly {
public:
    Assembly(const Project& project, const Alternative& alternative, const Catalog& catalog, const EstimateOptions& options,
             AlternativeEstimate& out)
        : m_project(project)
        , m_options(options)
        , m_out(out)
        , m_design(resolve(project, alternative, catalog))
        , m_fabric(m_design)
        , m_context{m_design, m_fabric, catalog, options, {}, out.derivation} {
        m_placements.resize(project.workloads.size());
        for (const Placement& placement : alternative.placements) {
            for (std::size_t i = 0; i < project.workloads.size(); ++i) {
                if (project.workloads[i].id == placement.workload)
                    m_placements[i].push_back(&placement);
            }
        }
    }

    void run();

private:
    void estimateWorkloads();
    WorkloadResult estimateOne(EstimateContext& context, std::size_t index) const;
    void estimateKind(bool pipelines, const std::vector<char>& wanted);
    std::vector<char> shareNetwork();
    Relief reliefFor(std::size_t index) const;
    void addSharedLink(WorkloadEstimate& estimate, const FairShare& share) const;
    void switchOff(WorkloadResult& result, const Workload& workload, std::size_t index) const;
    void addBottleneckGains();
    std::vector<std::uint32_t> linksOf(const ResourceUse& resource) const;
    std::vector<Contender> contenders() const;
    void addLinks();
    void addFacility();
    void addPerUnit(const WorkloadResult& result, WorkloadEstimate& estimate, double load, double ofCost, double ofPower);
    void shareCosts();
    void addFindings();

    const Project& m_project;
    const EstimateOptions& m_options;
    AlternativeEstimate& m_out;
    ResolvedDesign m_design;
    Fabric m_fabric;
    EstimateContext m_context;
    std::vector<std::vector<const Placement*>> m_placements; ///< by workload
    std::vector<WorkloadResult> m_results;                   ///< by workload
    std::vector<FairShare> m_shares;                         ///< by workload: of the network, beside the others
    std::vector<Activity> m_activity;
};

bool isPipeline(const Workload& workload) { return std::holds_alternative<Pipeline>(workload.spec); }

WorkloadResult Assembly::estimateOne(EstimateContext& context, std::size_t index) const {
    const Workload& drawn = m_project.workloads[index];
    const std::optional<Workload> routed = withRoutedRate(m_project, drawn); // a stage carries what its pipelines send
    const Workload& workload = routed ? *routed : drawn;
    WorkloadResult result = estimatorFor(workload.spec)(context, workload, m_placements[index]);
    result.estimate.id = workload.id;
    result.estimate.name = workload.name;
    result.estimate.kind = kindName(workload.spec);
    const double ofYear = loadOfYear(workload, m_project.site);
    for (Activity& a : result.activity)
        a.ofYear = ofYear;
    switchOff(result, workload, index);
    return result;
}

Relief Assembly::reliefFor(std::size_t index) const {
    Relief relief;
    relief.network = m_shares[index].network;
    relief.storage = m_shares[index].storage;
    return relief;
}

/// Machines that follow the load are off while it needs fewer of them; bought ones that do not follow it idle.
void Assembly::switchOff(WorkloadResult& result, const Workload& workload, std::size_t index) const {
    for (const Placement* placement : m_placements[index]) {
        if (placement->scaling == Scaling::whileUsed || placement->scaling == Scaling::fixed)
            continue;
        const double on = placementDay(m_project, *m_design.alternative, workload, *placement, result.estimate).paid;
        for (const NodeId& id : placement->nodes) {
            const int node = m_design.indexOf(id);
            for (Activity& a : result.activity)
                if (node >= 0 && a.node == static_cast<std::uint32_t>(node))
                    a.onOfYear = std::max(on, a.share * a.ofYear);
        }
    }
}

/// Pipelines read the results of the workloads that are their stages, so they come last.
void Assembly::estimateKind(bool pipelines, const std::vector<char>& wanted) {
    m_context.results = pipelines ? &m_results : nullptr;
    for (std::size_t i = 0; i < m_results.size(); ++i) {
        if (!wanted[i] || isPipeline(m_project.workloads[i]) != pipelines)
            continue;
        m_context.relief = reliefFor(i);
        m_results[i] = estimateOne(m_context, i);
    }
}

std::vector<Contender> Assembly::contenders() const {
    std::vector<Contender> all;
    for (std::size_t i = 0; i < m_results.size(); ++i)
        all.push_back({m_results[i].traffic, m_shares[i].network, m_shares[i].storage});
    return all;
}

/// Fair shares of the links that workloads have in common; which of them have to be estimated again with theirs.
std::vector<char> Assembly::shareNetwork() {
    const std::vector<FairShare> shares = fairShares(m_fabric, contenders());
    std::vector<char> changed(m_results.size(), 0);
    for (std::size_t i = 0; i < shares.size(); ++i) {
        FairShare& own = m_shares[i];
        if (std::abs(shares[i].network - own.network) < settledShare && std::abs(shares[i].storage - own.storage) < settledShare)
            continue;
        changed[i] = 1;
        own.network = shares[i].network;
        own.storage = shares[i].storage;
        if (shares[i].link)
            own.link = shares[i].link;
    }
    return changed;
}

/// What others take of its network, as a resource with the link where it is most.
void Assembly::addSharedLink(WorkloadEstimate& estimate, const FairShare& share) const {
    const double left = std::min(share.network, share.storage);
    if (!share.link || !(left < 1))
        return;
    const Link& link = m_design.alternative->links[*share.link];
    const Node* from = m_design.alternative->findNode(link.from);
    const Node* to = m_design.alternative->findNode(link.to);
    ResourceUse use;
    use.resource = sharedNetwork;
    use.label = from && to ? from->name + " → " + to->name : link.name;
    use.elements.push_back({ElementKind::link, m_design.alternative->id, link.id.value});
    use.utilisation = 1 - left;
    const auto place = std::find_if(estimate.resources.begin(), estimate.resources.end(),
                                    [&](const ResourceUse& other) { return other.utilisation < use.utilisation; });
    estimate.resources.insert(place, std::move(use));
}

/// First each as if alone; then, where they meet on links, again with what they leave each other, until that no longer changes.
void Assembly::estimateWorkloads() {
    m_results.resize(m_project.workloads.size());
    m_shares.resize(m_results.size());
    std::vector<char> wanted(m_results.size(), 1);
    for (int round = 0; round < sharingRounds; ++round) {
        estimateKind(false, wanted);
        if (round > 0) // stages may have changed
            std::fill(wanted.begin(), wanted.end(), char(1));
        estimateKind(true, wanted);
        wanted = shareNetwork();
        if (std::find(wanted.begin(), wanted.end(), char(1)) == wanted.end())
            break;
    }
    for (std::size_t i = 0; i < m_results.size(); ++i)
        addSharedLink(m_results[i].estimate, m_shares[i]);
    if (m_options.bottleneckGain)
        addBottleneckGains();
    for (const WorkloadResult& result : m_results) {
        m_out.workloads.push_back(result.estimate);
        m_activity.insert(m_activity.end(), result.activity.begin(), result.activity.end());
    }
}

/// The multiplier that stands for a resource; null where doubling has no meaning (bubbles, racks).
double Relief::* reliefOf(std::string_view resource) {
    struct Row {
        std::string_view prefix;
        double Relief::* member;
    };
    static constexpr Row rows[] = {{"gpu.compute", &Relief::gpuCompute},
                                   {"gpu.memory_bandwidth", &Relief::gpuMemoryBandwidth},
                                   {"gpu.memory", &Relief::gpuMemory},
                                   {"scale_up", &Relief::scaleUp},
                                   {"gpu.scale_up", &Relief::scaleUp},
                                   {"network", &Relief::network},
                                   {"cpu", &Relief::cpu},
                                   {"storage", &Relief::storage},
                                   {"host", &Relief::host}};
    for (const Row& row : rows) {
        if (resource.starts_with(row.prefix))
            return row.member;
    }
    return nullptr;
}

std::vector<std::uint32_t> Assembly::linksOf(const ResourceUse& resource) const {
    std::unordered_set<std::string_view> named;
    for (const ElementRef& element : resource.elements)
        if (element.kind == ElementKind::link)
            named.insert(element.id);
    std::vector<std::uint32_t> found;
    const std::vector<Link>& links = m_design.alternative->links;
    for (std::uint32_t i = 0; i < links.size() && !named.empty(); ++i)
        if (named.contains(links[i].id.value))
            found.push_back(i);
    return found;
}

/// What relieving the binding resource is worth: the workload estimated again with twice as much of it.
void Assembly::addBottleneckGains() {
    EstimateOptions plain;
    plain.curves = plain.bottleneckGain = plain.findings = false;
    for (std::size_t i = 0; i < m_results.size(); ++i) {
        WorkloadEstimate& estimate = m_results[i].estimate;
        double Relief::* const relieved = estimate.bottleneck ? reliefOf(estimate.bottleneck->binding.resource) : nullptr;
        const auto rate = [](const WorkloadEstimate& w) { return w.capacity ? w.capacity : w.throughput; };
        const std::optional<Quantity> before = rate(estimate);
        if (!relieved || !before || !(before->value > 0))
            continue;
        // A bottleneck that is drawn is relieved where it is drawn; what has no place, wherever it occurs.
        const std::vector<std::uint32_t> links = relieved == &Relief::network ? linksOf(estimate.bottleneck->binding) : std::vector<std::uint32_t>();
        const std::optional<Fabric> faster = links.empty() ? std::nullopt : std::optional(m_fabric.relieved(links, 2));
        Derivation scratch;
        EstimateContext context{m_design, faster ? *faster : m_fabric, m_context.catalog, plain, {}, scratch, &m_results};
        context.relief = reliefFor(i);
        if (!faster)
            context.relief.*relieved *= 2;
        const std::optional<Quantity> after = rate(estimateOne(context, i).estimate);
        if (after && after->known())
            estimate.bottleneck->gainIfRelieved = std::max(0.0, after->value / before->value - 1);
    }
}

void Assembly::addLinks() {
    std::vector<Traffic> traffic;
    for (const WorkloadResult& result : m_results)
        traffic.insert(traffic.end(), result.traffic.begin(), result.traffic.end());
    m_out.links = linkLoads(m_fabric, traffic);
    grantShares(m_fabric, contenders(), m_out.links);
    Derivation& d = m_out.derivation;
    for (LinkLoad& load : m_out.links) {
        if (!(load.capacity > 0)) {
            load.quantity = d.unknown("link utilisation", Unit::fraction, "the medium or an end is not in the catalog");
            continue;
        }
        const double heavier = std::max(load.forward, load.backward);
        const Quantity inputs[] = {d.computed("load of the heavier direction", "bytes of all workloads a second", heavier,
                                              heavier, heavier, Unit::bytesPerSecond, {}),
                                   d.computed("capacity of the link", "cables · achievable bandwidth of one", load.capacity,
                                              load.capacity, load.capacity, Unit::bytesPerSecond, {})};
        load.quantity =
            d.computed("link utilisation", "load / capacity; high: the fullest cable under static hashing", load.utilisation,
                       load.utilisation, std::max(load.utilisation, load.hashedHigh), Unit::fraction, inputs);
    }
}

void Assembly::addFacility() {
    m_out.power = estimatePower(m_context, m_activity, m_out.links);
    m_out.racks = estimateRacks(m_context, m_out.power);
    m_out.network = estimateNetwork(m_context);
    m_out.cost = estimateCost(m_context, m_out.power, m_out.racks, m_out.links);
    m_out.reliability = estimateReliability(m_context, m_out.workloads);
    m_out.carbon = estimateCarbon(m_context, m_out.power);
}

/// Money and energy per unit of work, from what the workload answers for of the whole.
void Assembly::addPerUnit(const WorkloadResult& result, WorkloadEstimate& estimate, double load, double ofCost, double ofPower) {
    Derivation& d = m_out.derivation;
    const double rate = result.unitsPerSecond;
    const std::optional<Quantity>& throughput = estimate.throughput;
    const bool banded = throughput && throughput->value > 0;
    const Quantity work = d.computed("units of work a second", "of the workload's estimate", rate,
                                     banded ? rate * throughput->low / throughput->value : rate,
                                     banded ? rate * throughput->high / throughput->value : rate, Unit::one, {});
    const Quantity use = d.input("mean load over the year", load, Unit::fraction, "load profile, or the site's utilisation");
    const auto share = [&](const char* name, double value) {
        return d.computed(name, "of the machines it runs on, by busy time", value, value, value, Unit::fraction, {});
    };
    const Quantity dollars =
        d.product("cost a year of the workload", "cost per hour · 8760 h · share",
                  {m_out.cost.perHour, share("share of the cost", ofCost)}, Unit::dollarsPerYear, hoursPerYear);
    const Quantity units = d.product("units of work a year", "units a second · mean load · seconds a year", {work, use},
                                     Unit::count, secondsPerYear);
    const bool perJob = result.unitCost == Unit::dollarsPerJob;
    estimate.costPerUnit = d.quotient(perJob ? "cost per job" : "cost per million", "cost a year / units of work a year", dollars,
                                      units, result.unitCost, perJob ? 1 : 1e6);
    const Quantity joules = d.product("power of the workload", "facility power · share",
                                      {m_out.power.facility, share("share of the power", ofPower)}, Unit::watts);
    estimate.energyPerUnit =
        d.quotient("energy per unit of work", "power of the workload / units a second", joules, work, Unit::joules);
}

/// Shares the bill among the workloads and compares what was asked for with what came out.
void Assembly::shareCosts() {
    std::vector<double> watts(m_design.machines.size(), 0);
    for (const NodePower& node : m_out.power.nodes) {
        if (const int index = m_design.indexOf(node.node); index >= 0)
            watts[static_cast<std::size_t>(index)] = node.expected.value;
    }
    const std::vector<double> ofCost = workloadShares(m_project, m_results, m_out.cost.directPerYear);
    const std::vector<double> ofPower = workloadShares(m_project, m_results, watts);
    for (std::size_t i = 0; i < m_results.size(); ++i) {
        const Workload& workload = m_project.workloads[i];
        if (m_results[i].unitsPerSecond > 0 && ofCost[i] > 0)
            addPerUnit(m_results[i], m_out.workloads[i], loadOfYear(workload, m_project.site), ofCost[i], ofPower[i]);
        judgeTargets(m_out.workloads[i], workload, m_out.power, m_out.cost, ofCost[i]);
    }
}

void Assembly::addFindings() {
    m_out.findings = checkDesign(m_project, *m_design.alternative, m_context.catalog);
    const auto append = [&](std::vector<Finding> more) {
        std::move(more.begin(), more.end(), std::back_inserter(m_out.findings));
    };
    for (WorkloadResult& result : m_results)
        append(std::move(result.findings));
    append(estimatedFindings(m_context, m_out));
    std::stable_sort(m_out.findings.begin(), m_out.findings.end(), [](const Finding& a, const Finding& b) {
        return a.severity != b.severity ? a.severity < b.severity : a.weight > b.weight;
    });
}

void Assembly::run() {
    m_out.derivation.reserve(256 + 24 * (m_design.machines.size() + m_out.links.size()));
    estimateWorkloads();
    addLinks();
    addFacility();
    shareCosts();
    if (m_options.findings)
        addFindings();
}

} // namespace

AlternativeEstimate estimate(const Project& project, const Alternative& alternative, const Catalog& catalog,
                             const EstimateOptions& options) {
    AlternativeEstimate out;
    out.id = alternative.id;
    out.name = alternative.name;
    out.catalog = catalog;
    Assembly(project, alternative, out.catalog, options, out).run();
    return out;
}

Catalog effectiveCatalog(const Project& project, const Catalog& base) {
    if (project.parts.empty())
        return base;
    return base.with(ownParts(project).parts, CatalogLayer::project);
}

} // namespace cw
