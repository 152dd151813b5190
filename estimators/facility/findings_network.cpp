// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/cabling.h"
#include "estimators/facility/finding_list.h"
#include "estimators/network/fair_share.h"
#include "model/design/expand.h"
#include "model/units/unit.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double fullLink = .9;
constexpr double noticeableOversubscription = 1.5;
constexpr double strongOversubscription = 4;
constexpr double noticeableLoss = .1;
constexpr std::size_t mostLinkFindings = 20; // of the fullest links; a hundred equal remarks help nobody

std::string percent(double share) { return format(share, Unit::fraction); }

/// Whether the link can still be cabled, and both ends have the ports, when the alternative looks like this.
bool stillFits(const Alternative& changed, const Link& link, const Catalog& catalog) {
    const Node *from = changed.findNode(link.from), *to = changed.findNode(link.to);
    if (!from || !to || !checkPattern(link, from->count, to->count))
        return false;
    for (const Node* node : {from, to}) {
        for (const PortUse& use : portUse(changed, *node, catalog)) {
            if (use.used > use.group.count)
                return false;
        }
    }
    return true;
}

/// A medium of the same family with at least twice the speed whose ports both ends have.
const Medium* fasterMedium(const FindingList& list, const Link& link) {
    const Medium* now = list.catalog().find<Medium>(link.medium);
    if (!now)
        return nullptr;
    const Medium* best = nullptr;
    for (const Catalog::Entry* entry : list.catalog().entries()) {
        const auto* medium = std::get_if<Medium>(&entry->part);
        if (!medium || medium->kind != now->kind || medium->id.value.substr(0, 3) != now->id.value.substr(0, 3) ||
            medium->rawBandwidth < 1.9 * now->rawBandwidth || (best && best->rawBandwidth <= medium->rawBandwidth))
            continue;
        Alternative changed = list.alternative();
        for (Link& l : changed.links) {
            if (l.id == link.id)
                l.medium = medium->id;
        }
        if (stillFits(changed, link, list.catalog()))
            best = medium;
    }
    return best;
}

/// More bandwidth for a link: twice the cables where ports are free, else twice the spines of a mesh, else a faster medium.
void offerBandwidth(FindingList& list, Finding& finding, const Link& link) {
    Alternative changed = list.alternative();
    const auto at = std::find_if(changed.links.begin(), changed.links.end(), [&](const Link& l) { return l.id == link.id; });
    if (at == changed.links.end())
        return;
    const bool lanesAreCables = link.pattern != Pattern::rail && link.pattern != Pattern::plane; // there they are rails
    if (lanesAreCables && link.lanes * 2 <= maxLanes) {
        Link after = link;
        after.lanes *= 2;
        *at = after;
        if (stillFits(changed, after, list.catalog())) {
            finding.arguments["lanes"] = std::to_string(after.lanes);
            list.offer(finding, "link.double_lanes", "Double the cables of a link",
                       {list.change(list.ref(link.id), link, after)});
            return;
        }
        *at = link;
    }
    const Machine* spine = list.context().design.machine(link.to);
    if (link.pattern == Pattern::mesh && spine && spine->kind == MachineKind::switchBox && spine->count * 2 <= maxStackCount) {
        Node after = *spine->node;
        after.count *= 2;
        for (Node& node : changed.nodes) {
            if (node.id == after.id)
                node = after;
        }
        if (stillFits(changed, link, list.catalog())) {
            finding.arguments["spines"] = std::to_string(after.count);
            list.offer(finding, "link.more_spines", "Double the spine switches",
                       {list.change(list.ref(after.id), *spine->node, after)});
            return;
        }
    }
    if (const Medium* faster = fasterMedium(list, link)) {
        Link after = link;
        after.medium = faster->id;
        finding.arguments["medium"] = faster->name;
        list.offer(finding, "link.faster_medium", "Use a faster link", {list.change(list.ref(link.id), link, after)});
    }
}

void fullLinks(FindingList& list) {
    const auto& loads = list.estimate().links;
    const auto& links = list.alternative().links;
    std::vector<std::size_t> full;
    for (std::size_t i = 0; i < std::min(loads.size(), links.size()); ++i) {
        if (loads[i].utilisation >= fullLink)
            full.push_back(i);
    }
    std::stable_sort(full.begin(), full.end(),
                     [&](std::size_t a, std::size_t b) { return loads[a].utilisation > loads[b].utilisation; });
    full.resize(std::min(full.size(), mostLinkFindings));
    for (const std::size_t i : full) {
        const LinkLoad& load = loads[i];
        Finding& finding = list.add(load.utilisation > 1 ? Severity::error : Severity::warning, "link.full",
                                    {list.ref(links[i].id)}, load.utilisation / 2,
                                    {{"link", list.nameOf(links[i])},
                                     {"utilisation", percent(load.utilisation)},
                                     {"load", format(std::max(load.forward, load.backward), Unit::bytesPerSecond)},
                                     {"capacity", format(load.capacity, Unit::bytesPerSecond)}});
        offerBandwidth(list, finding, links[i]);
    }
}

/// Flows that are hashed onto cables collide while the mean looks harmless.
void collisions(FindingList& list) {
    const auto& loads = list.estimate().links;
    const auto& links = list.alternative().links;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < std::min(loads.size(), links.size()) && shown < mostLinkFindings; ++i) {
        if (loads[i].utilisation >= fullLink || loads[i].hashedHigh < 1)
            continue;
        ++shown;
        Finding& finding =
            list.add(Severity::warning, "link.collisions", {list.ref(links[i].id)}, std::min(1.0, loads[i].hashedHigh / 4),
                     {{"link", list.nameOf(links[i])},
                      {"utilisation", percent(loads[i].utilisation)},
                      {"fullest", percent(loads[i].hashedHigh)}});
        const PartId tuned{"proto_roce_v2"};
        if (links[i].protocol == tuned || !list.catalog().find<Protocol>(tuned))
            continue;
        Link after = links[i];
        after.protocol = tuned;
        list.offer(finding, "link.tuned_protocol", "Spread flows instead of hashing them",
                   {list.change(list.ref(after.id), links[i], after)});
    }
}

void oversubscription(FindingList& list) {
    const NetworkEstimate& network = list.estimate().network;
    const NetworkEstimate::Tier* worst = nullptr;
    for (const NetworkEstimate::Tier& tier : network.tiers) {
        if (!tier.links.empty() && tier.oversubscription >= noticeableOversubscription &&
            (!worst || tier.oversubscription > worst->oversubscription))
            worst = &tier;
    }
    if (!worst)
        return;
    std::vector<ElementRef> links;
    for (const LinkId& id : worst->links)
        links.push_back(list.ref(id));
    const bool strong = worst->oversubscription >= strongOversubscription;
    Finding& finding =
        list.add(strong ? Severity::warning : Severity::advice, "network.oversubscribed", links, 1 - 1 / worst->oversubscription,
                 {{"tier", worst->name}, {"ratio", format(worst->oversubscription, Unit::one)}});
    if (const Link* link = list.alternative().findLink(worst->links.back()))
        offerBandwidth(list, finding, *link);
}

void longCables(FindingList& list) {
    const Cabling cabling(list.context().design);
    const auto& links = list.alternative().links;
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        const Cabling::Run& run = cabling.run(i);
        if (!run.tooLong)
            continue;
        Finding& finding = list.add(Severity::warning, "cable.too_short", {list.ref(links[i].id)}, .3,
                                    {{"link", list.nameOf(links[i])},
                                     {"length", format(run.length, Unit::metres)},
                                     {"reach", format(si(run.cable->maxLength), Unit::metres)},
                                     {"medium", run.medium->name}});
        if (run.given) {
            Link after = links[i];
            after.length = run.cable->maxLength;
            list.offer(finding, "cable.shorten", "Shorten a cable", {list.change(list.ref(after.id), links[i], after)});
        }
    }
}

/// Workloads that leave each other less of a link than each would use.
void contention(FindingList& list) {
    const auto nameOfWorkload = [&](const WorkloadId& id) {
        const WorkloadEstimate* workload = list.estimate().workload(id);
        return workload && !workload->name.empty() ? workload->name : id.value;
    };
    for (const WorkloadEstimate& workload : list.estimate().workloads) {
        const auto use = std::find_if(workload.resources.begin(), workload.resources.end(),
                                      [](const ResourceUse& resource) { return resource.resource == sharedNetwork; });
        if (use == workload.resources.end() || use->utilisation < noticeableLoss)
            continue;
        const LinkId id(use->elements.front().id);
        const Link* link = list.alternative().findLink(id);
        const LinkLoad* load = nullptr;
        for (const LinkLoad& candidate : list.estimate().links)
            if (candidate.link == id)
                load = &candidate;
        if (!link || !load)
            continue;
        std::string others;
        for (const LinkLoad::Share& share : load->shares) {
            const std::string name = nameOfWorkload(share.workload);
            if (share.workload != workload.id && others.find(name) == std::string::npos)
                others += (others.empty() ? "" : ", ") + name;
        }
        Finding& finding = list.add(Severity::warning, others.empty() ? "network.own_storage" : "network.shared",
                                    {list.ref(link->id), list.ref(workload.id)}, use->utilisation,
                                    {{"workload", nameOfWorkload(workload.id)},
                                     {"share", percent(1 - use->utilisation)},
                                     {"link", list.nameOf(*link)},
                                     {"others", others}});
        offerBandwidth(list, finding, *link);
    }
}

} // namespace

void findNetwork(FindingList& list) {
    fullLinks(list);
    contention(list);
    collisions(list);
    oversubscription(list);
    longCables(list);
}

} // namespace cw
