// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/row_cluster.h"

#include "estimators/validation/names.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double gigabit = 1e9 / 8;
constexpr double sameRate = .02;

bool has(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

/// Rate of one port in a text such as "8x400G NDR", "InfiniBand HDR", "4x 200 Gb/s"; ports 0: not said.
struct PortText {
    double rate = 0;
    int ports = 0;
    bool ethernet = false;
};

PortText readPorts(std::string_view raw) {
    std::string text;
    for (const char c : raw)
        text += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    PortText found;
    found.ethernet = has(text, "ethernet") || has(text, "roce") || has(text, "efa") || has(text, "gbe") || has(text, "tcp");
    constexpr std::pair<std::string_view, double> generations[] = {{"xdr", 800}, {"ndr", 400}, {"hdr100", 100}, {"hdr", 200},
                                                                   {"edr", 100}, {"fdr", 56},  {"omni", 100},   {"opa", 100}};
    for (const auto& [name, gigabits] : generations)
        if (found.rate == 0 && has(text, name))
            found.rate = gigabits * gigabit;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] < '0' || text[i] > '9' || (i > 0 && (text[i - 1] == '.' || (text[i - 1] >= '0' && text[i - 1] <= '9'))))
            continue;
        std::size_t end = i;
        while (end < text.size() && text[end] >= '0' && text[end] <= '9')
            ++end;
        const int value = std::atoi(text.substr(i, std::min<std::size_t>(end - i, 6)).c_str());
        std::size_t next = end;
        while (next < text.size() && text[next] == ' ')
            ++next;
        if (next < text.size() && text[next] == 'x' && value >= 1 && value <= 64)
            found.ports = value;
        else if (next < text.size() && text[next] == 'g' && value >= 10 && value <= 3200)
            found.rate = value * gigabit;
    }
    return found;
}

const Server* serverWith(const Catalog& catalog, const Gpu& gpu, int perMachine) {
    const Server* best = nullptr;
    for (const Catalog::Entry* entry : catalog.entries())
        if (const Server* server = std::get_if<Server>(&entry->part); server && server->gpu == gpu.id)
            if (!best || (server->gpuCount == perMachine && best->gpuCount != perMachine))
                best = server;
    return best;
}

/// Devices of one machine: those of a rack-scale domain that divide the job, else eight or as many as there are.
int machineSize(const ClusterWish& wish) {
    if (wish.perMachine > 0)
        return wish.perMachine;
    const auto all = static_cast<int>(std::min<std::int64_t>(wish.devices, wish.gpu->scaleUpDomain > 8 ? wish.gpu->scaleUpDomain : 8));
    for (int size = all; size > 1; --size)
        if (wish.devices % size == 0 && (size <= 8 || size % 4 == 0))
            return size;
    return 1;
}

const Medium* mediumOf(const Catalog& catalog, double rate, bool ethernet) {
    const Medium* nearest = nullptr;
    for (const Catalog::Entry* entry : catalog.entries()) {
        const Medium* medium = std::get_if<Medium>(&entry->part);
        if (!medium || medium->kind != "scale_out" || medium->id.value.starts_with(ethernet ? "ib_" : "eth_") ||
            medium->id.value.starts_with("aws_"))
            continue;
        if (!nearest ||
            std::abs(std::log(si(medium->rawBandwidth) / rate)) < std::abs(std::log(si(nearest->rawBandwidth) / rate)))
            nearest = medium;
    }
    return nearest;
}

const Switch* switchOf(const Catalog& catalog, bool ethernet) {
    return catalog.find<Switch>(PartId(ethernet ? "sn5600" : "qm9700"));
}

void addNode(Alternative& alternative, const char* id, const PartId& part, std::int64_t count) {
    Node node;
    node.id = NodeId(id);
    node.name = id;
    node.part = part;
    node.count = count;
    alternative.nodes.push_back(std::move(node));
}

void addLink(Alternative& alternative, const char* from, const char* to, const PartId& medium, Pattern pattern, int lanes) {
    Link link;
    link.id = LinkId(std::string(from) + "_" + to);
    link.from = NodeId(from);
    link.to = NodeId(to);
    link.medium = medium;
    link.pattern = pattern;
    link.lanes = lanes;
    alternative.links.push_back(std::move(link));
}

/// Rails to leaves; spines over blocks of machines, as many ports up as down.
void addNetwork(Alternative& alternative, std::int64_t machines, int ports, const PartId& medium, const PartId& box) {
    std::int64_t block = machines;
    for (const std::int64_t size : {32, 16, 8, 4})
        if (machines > 32 && machines % size == 0) {
            block = size;
            break;
        }
    addNode(alternative, "leaf", box, ports * (machines / block));
    addLink(alternative, "devices", "leaf", medium, Pattern::rail, ports);
    addNode(alternative, "spine", box, block);
    addLink(alternative, "leaf", "spine", medium, Pattern::mesh, 1);
}

void shareAmongPorts(ClusterWish& wish, double perMachine) {
    const int ports = wish.portsPerMachine > 0 ? wish.portsPerMachine : machineSize(wish);
    wish.portRate = perMachine / ports;
    wish.portsPerMachine = ports;
}

double smallestNodeTotal(const Gpu& gpu) {
    const bool older = gpu.architecture == "Volta" || gpu.architecture == "Turing" || gpu.architecture == "Ampere";
    return (older ? 400 : 1600) * gigabit;
}

} // namespace

void RowCluster::add(std::string_view remark) {
    if (remark.empty())
        return;
    note += (note.empty() ? "" : "; ") + std::string(remark);
}

double usualPortRate(const Gpu& gpu) {
    if (gpu.architecture == "Volta" || gpu.architecture == "Turing")
        return 100 * gigabit;
    if (gpu.architecture == "Ampere")
        return 200 * gigabit;
    return (gpu.id.value.find("b300") != std::string::npos ? 800 : 400) * gigabit;
}

std::optional<ClusterWish> clusterWish(const Row& row, const Catalog& catalog, std::string& why) {
    ClusterWish wish;
    std::string device(row.text("device"));
    for (const char* other : {"platform", "system"})
        if (device.empty() || !findGpu(catalog, device))
            device = row.has(other) ? std::string(row.text(other)) : device;
    if (device.empty()) {
        why = "the row names no device";
        return std::nullopt;
    }
    wish.gpu = findGpu(catalog, device, row.number("device_memory", 0));
    if (!wish.gpu) {
        why = "no device of the catalog is called \"" + device.substr(0, 60) + "\"";
        return std::nullopt;
    }
    const int perNode = row.count("per_node", 0), nodes = row.count("nodes", 0);
    wish.devices = row.count("gpus", nodes > 0 ? nodes * (perNode > 0 ? perNode : 8) : std::max(perNode, 1));
    const bool rackScale = wish.gpu->scaleUpDomain > 8;
    if (perNode > 0 && !rackScale)
        wish.perMachine = static_cast<int>(std::min<std::int64_t>(perNode, wish.devices));
    else if (nodes > 0 && !rackScale && wish.devices % nodes == 0)
        wish.perMachine = static_cast<int>(wish.devices / nodes);
    const std::string_view rate = row.text("nic_rate");
    const bool plain = !rate.empty() && rate.back() >= '0' && rate.back() <= '9'; // else a text such as "8x400G"
    std::string said(row.text("network"));
    said += " " + std::string(row.text("nic_text"));
    if (!plain)
        said += " " + std::string(rate);
    const PortText text = readPorts(said);
    wish.ethernet = text.ethernet;
    wish.portsPerMachine = row.count("ports_per_node", text.ports);
    wish.portRate = plain ? row.number("nic_rate", text.rate) : text.rate;
    if (const auto perDevice = row.number("nic_rate_per_gpu")) {
        wish.portRate = *perDevice;
        wish.portsPerMachine = 0;
    } else if (const auto perMachine = row.number("nic_rate_per_node")) {
        shareAmongPorts(wish, *perMachine);
    } else if (wish.portsPerMachine == 0 && wish.portRate >= smallestNodeTotal(*wish.gpu)) {
        shareAmongPorts(wish, wish.portRate); // no NIC of that time was so fast: all of a node's together
    }
    if (const auto cap = row.number("power_cap"); cap && wish.gpu->tdp && *cap < si(*wish.gpu->tdp))
        wish.powerCap = *cap;
    return wish;
}

RowCluster rowCluster(const ClusterWish& wish, const Catalog& catalog) {
    RowCluster cluster;
    cluster.devices = wish.devices;
    cluster.perMachine = machineSize(wish);
    cluster.portsPerMachine = wish.portsPerMachine > 0 ? wish.portsPerMachine : cluster.perMachine;
    cluster.portRate = wish.portRate > 0 ? wish.portRate : usualPortRate(*wish.gpu);
    const std::int64_t machines = (wish.devices + cluster.perMachine - 1) / cluster.perMachine;
    if (wish.portRate <= 0 && machines > 1)
        cluster.add("NIC " + std::to_string(std::lround(cluster.portRate / gigabit)) + " Gb/s a device");

    std::vector<Part> parts;
    const Server* known = serverWith(catalog, *wish.gpu, cluster.perMachine);
    Server server = known ? *known : Server{};
    const bool rackScale = wish.gpu->scaleUpDomain > 8;
    if (!known || server.gpuCount != cluster.perMachine) {
        server.id = PartId("row_server");
        server.name = "Server of the row";
        server.role = rackScale ? ServerRole::rackSystem : ServerRole::gpuServer;
        server.gpu = wish.gpu->id;
        server.gpuCount = cluster.perMachine;
        parts.emplace_back(server);
    }
    const Medium* medium = mediumOf(catalog, cluster.portRate, wish.ethernet);
    PartId mediumId = medium ? medium->id : PartId();
    if (medium && std::abs(si(medium->rawBandwidth) / cluster.portRate - 1) > sameRate) {
        Medium own = *medium;
        own.id = mediumId = PartId("row_medium");
        own.achievableBandwidth = fromSi<BytesPerSecond>(si(own.achievableBandwidth) * cluster.portRate / si(own.rawBandwidth));
        own.rawBandwidth = fromSi<BytesPerSecond>(cluster.portRate);
        parts.emplace_back(std::move(own));
    }
    cluster.catalog = parts.empty() ? catalog : catalog.with(std::move(parts), CatalogLayer::project);
    Alternative& alternative = cluster.project.alternatives.emplace_back();
    alternative.id = AlternativeId("row");
    addNode(alternative, "devices", server.id, machines);
    if (wish.powerCap)
        alternative.nodes.front().gpuPowerCap = watts(*wish.powerCap);
    if (const Switch* box = switchOf(catalog, wish.ethernet); box && machines > 1)
        addNetwork(alternative, machines, cluster.portsPerMachine, mediumId, box->id);
    return cluster;
}

AlternativeEstimate estimateAlone(RowCluster& cluster, const Catalog& catalog, const std::string& name, WorkloadSpec spec, std::vector<Placement> placements) {
    Workload workload;
    workload.id = WorkloadId(name);
    workload.name = name;
    workload.spec = std::move(spec);
    for (Placement& placement : placements) {
        placement.workload = workload.id;
        if (placement.id.empty())
            placement.id = PlacementId(name);
        if (placement.nodes.empty())
            placement.nodes = {NodeId("devices")};
    }
    cluster.project.workloads = {std::move(workload)};
    cluster.alternative().placements = std::move(placements);
    return estimate(cluster.project, cluster.alternative(), catalog, {false, false, false});
}

} // namespace cw
