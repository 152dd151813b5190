// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/mlperf_hosts.h"
#include "estimators/validation/names.h"
#include "estimators/validation/serving_fields.h"

namespace cw {

namespace {

/// What submissions call a CPU: its part of the catalog, the share of that part's cores, and the NUMA nodes of a socket.
struct HostName {
    std::string_view word, part;
    double cores = 1;
    int nodes = 1;
};
constexpr HostName hosts[] = {
    {"6787p", "xeon_6980p", 86. / 128, 2}, {"gnr_86c", "xeon_6980p", 86. / 128, 2}, {"6980p", "xeon_6980p", 1, 3}, {"gnr", "xeon_6980p", 1, 3},
    {"8592", "xeon_8592p", 1, 2},          {"emr", "xeon_8592p", 1, 2},             {"8480", "xeon_8480p", 1, 1}, {"spr", "xeon_8480p", 1, 1},
};
constexpr double ram = 1e12; ///< bytes of a NUMA node; no submission was short of it

/// A NUMA node of the CPU: its part of cores, arithmetic and bandwidth.
Cpu nodeOf(const Cpu& whole, const HostName& host) {
    Cpu node = whole;
    node.id = PartId("row_cpu");
    const double cores = host.cores / host.nodes;
    node.cores = static_cast<int>(whole.cores * cores + .5);
    for (auto& [precision, peak] : node.peak)
        peak = fromSi<OperationsPerSecond>(si(peak) * cores);
    // Fewer cores come with fewer channels: eight instead of twelve.
    const double channels = host.cores < 1 ? 8. / 12 : 1;
    node.memoryBandwidth = fromSi<BytesPerSecond>(si(whole.memoryBandwidth) * channels / host.nodes);
    return node;
}

} // namespace

std::optional<RowCluster> hostCluster(const Row& row, const Catalog& catalog) {
    const std::string words = wordsOf(row, {"cpu", "platform", "system", "device", "id"});
    const HostName* named = nullptr;
    for (const HostName& host : hosts)
        if (!named && words.find(host.word) != std::string::npos)
            named = &host;
    const Cpu* whole = named ? catalog.find<Cpu>(PartId(named->part)) : nullptr;
    if (!whole)
        return std::nullopt;
    const int sockets = row.count("sockets", hasWord(words, {"1s", "1-socket"}) ? 1 : 2), machines = row.count("nodes", 1);
    Server server;
    server.id = PartId("row_server");
    server.name = "NUMA node of the row";
    server.role = ServerRole::cpuServer;
    server.cpu = PartId("row_cpu");
    server.cpuCount = 1;
    server.ram = fromSi<Bytes>(ram);
    RowCluster cluster;
    cluster.catalog = catalog.with({nodeOf(*whole, *named), server}, CatalogLayer::project);
    cluster.perMachine = 1;
    cluster.devices = static_cast<std::int64_t>(sockets) * named->nodes * machines;
    Alternative& alternative = cluster.project.alternatives.emplace_back();
    alternative.id = AlternativeId("row");
    Node node;
    node.id = NodeId("devices");
    node.name = "devices";
    node.part = server.id;
    node.count = cluster.devices;
    alternative.nodes.push_back(std::move(node));
    cluster.add(whole->name + ", a program on each of " + std::to_string(cluster.devices) + " NUMA nodes");
    return cluster;
}

} // namespace cw
