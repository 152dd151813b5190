// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of hpc.csv: Linpack and HPCG of whole systems. A row that names a device and a count is drawn and estimated; one that only gives
// the peak is predicted by the share of it that the estimator's own constants expect.
#include "estimators/estimate.h"
#include "estimators/validation/kinds.h"
#include "estimators/validation/measured_rows.h"
#include "estimators/validation/names.h"
#include "estimators/validation/row_cluster.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr Field fields[] = {
    {"linpack", Dimension::operations, 1e15, "rmax|rmax_pflops|hpl|hpl_pflops|hpl_rmax|rmax_pflop_s|linpack_pflops"},
    {"gradients", Dimension::operations, 1e15, "hpcg|hpcg_pflops|hpcg_result"},
    {"peak", Dimension::operations, 1e15, "rpeak|rpeak_pflops|peak_pflops|theoretical_peak|rpeak_pflop_s"},
    {"efficiency", Dimension::fraction, 1, "hpl_efficiency|rmax_rpeak|eta|hpl_eff|efficiency_pct"},
    {"metric", Dimension::text, 1, "benchmark|quantity|measure|test"},
    {"value", Dimension::number, 1, "result|measured|measured_value"},
    {"unit", Dimension::text, 1, "units"},
    {"cpus", Dimension::text, 1, "cpu|processor|cpu_model|cpu_name"},
    {"sockets", Dimension::number, 1, "cpus_per_node|sockets_per_node|n_cpus"},
    {"cores", Dimension::number, 1, "total_cores|n_cores|core_count"},
    {"bandwidth", Dimension::rate, 1e9, "memory_bandwidth|mem_bw|memory_bw|hbm_bw"},
    {"accelerated", Dimension::text, 1, "kind|class|node_kind|system_type"},
};

constexpr const char* measuredKeys[] = {"linpack", "gradients", "efficiency", "value"};

double constant(const Catalog& catalog, const char* key, double otherwise) {
    const Constants* set = catalog.constants("hpc", "");
    return set ? set->get(key, otherwise) : otherwise;
}

/// FLOP/s of the drawn cluster on a benchmark; NaN: it cannot be estimated.
double drawnRate(RowCluster cluster, Hpc::Preset preset, Prediction& into) {
    Hpc spec;
    spec.preset = preset;
    AlternativeEstimate result = estimateAlone(cluster, cluster.catalog, "benchmark", spec, {Placement()});
    const std::optional<Quantity>& rate = result.workloads.front().throughput;
    if (!rate || !rate->known())
        return std::numeric_limits<double>::quiet_NaN();
    into.term = rate->term;
    into.explanation = std::make_shared<const Explanation>(Explanation{std::move(result.derivation), result.catalog});
    return rate->value;
}

/// A system's own peak, which lists take at the clock that its power allows or for a part of its own, instead of the data sheet's.
void takePublishedPeak(const Row& row, const Gpu& gpu, RowCluster& cluster) {
    const auto total = row.number("peak");
    const auto sheet = gpu.peak.find(Precision::fp64);
    if (!total || sheet == gpu.peak.end())
        return;
    const double each = *total / static_cast<double>(cluster.devices);
    if (!(each > .25 * si(sheet->second)) || each > 1.3 * si(sheet->second)) // the peak of something else
        return;
    Gpu own = gpu;
    own.peak[Precision::fp64] = fromSi<OperationsPerSecond>(each);
    cluster.catalog = cluster.catalog.with({Part(std::move(own))}, CatalogLayer::project);
    cluster.add("64-bit peak of a device by the row's own");
}

/// Machines of a CPU without accelerators.
std::optional<RowCluster> cpuCluster(const Row& row, const Catalog& catalog) {
    const Cpu* cpu = findCpu(catalog, row.text("cpus"));
    if (!cpu)
        return std::nullopt;
    const double sockets = row.number("sockets", 2);
    const double nodes = row.number("nodes", row.number("cores", 0) / std::max(cpu->cores * sockets, 1.0));
    if (!(nodes >= 1))
        return std::nullopt;
    RowCluster cluster;
    Server server;
    server.id = PartId("row_server");
    server.name = "Server of the row";
    server.role = ServerRole::cpuServer;
    server.cpu = cpu->id;
    server.cpuCount = static_cast<int>(sockets);
    server.ram = gigabytes(row.number("node_memory_gb", 256));
    cluster.catalog = catalog.with({Part(server)}, CatalogLayer::project);
    cluster.devices = static_cast<std::int64_t>(nodes);
    Alternative& alternative = cluster.project.alternatives.emplace_back();
    alternative.id = AlternativeId("row");
    Node machines;
    machines.id = NodeId("devices");
    machines.name = "devices";
    machines.part = server.id;
    machines.count = cluster.devices;
    Node fabric;
    fabric.id = NodeId("leaf");
    fabric.name = "leaf";
    fabric.part = PartId("qm9700");
    fabric.count = 1;
    alternative.nodes = {machines, fabric};
    Link link;
    link.id = LinkId("devices_leaf");
    link.from = machines.id;
    link.to = fabric.id;
    link.medium = PartId("ib_hdr");
    link.pattern = Pattern::each;
    alternative.links = {link};
    cluster.add("HDR 200 Gb/s a node");
    return cluster;
}

struct Benchmark {
    const char* key;
    Hpc::Preset preset;
    bool share = false; ///< of the peak, instead of a rate
};

std::optional<Benchmark> benchmarkOf(std::string_view key, const Row& row) {
    if (key == "linpack")
        return Benchmark{"linpack", Hpc::Preset::hpl};
    if (key == "gradients")
        return Benchmark{"gradients", Hpc::Preset::hpcg};
    if (key == "efficiency")
        return Benchmark{"efficiency", Hpc::Preset::hpl, true};
    const std::string metric = normalisedColumn(row.text("metric"));
    if (metric.find("hpcg") != std::string::npos)
        return Benchmark{"value", Hpc::Preset::hpcg};
    if (metric.find("rmax") != std::string::npos || metric.find("hpl") != std::string::npos || metric.find("linpack") != std::string::npos)
        return Benchmark{"value", Hpc::Preset::hpl};
    return std::nullopt;
}

Prediction predictOne(const Row& row, const Benchmark& benchmark, const Row::Measured& measured, const std::optional<RowCluster>& cluster,
                      bool accelerated, const Catalog& catalog) {
    const auto peak = row.number("peak");
    const bool linpack = benchmark.preset == Hpc::Preset::hpl;
    Prediction prediction;
    double rate = std::numeric_limits<double>::quiet_NaN();
    std::string note = cluster ? cluster->note : "";
    if (cluster)
        rate = drawnRate(*cluster, benchmark.preset, prediction);
    if (!(rate > 0) && peak && linpack) {
        rate = *peak * constant(catalog, accelerated ? "hpl_of_peak_gpu" : "hpl_of_peak_cpu", .7);
        note = "by the row's own peak: the catalog has no such device";
    }
    if (!(rate > 0))
        return notPredicted(measured.column, measured.value,
                            linpack ? "neither a device of the catalog with its number nor a peak is given" : "no device of the catalog with its number is given");
    if (benchmark.share && !peak)
        return notPredicted(measured.column, measured.value, "the peak is not given");
    Row::Measured scaled = measured;
    if (std::string_view(benchmark.key) == "value")
        scaled.factor = normalisedColumn(row.text("unit")).find("t") == 0 ? 1e12 : 1e15;
    Prediction out = predictionOf(scaled, benchmark.share ? rate / *peak : rate, note);
    out.explanation = prediction.explanation;
    out.term = prediction.term;
    return out;
}

std::vector<Prediction> predict(const Row& row, const Catalog& catalog) {
    if (!measuresAny(row, measuredKeys))
        return withoutPrediction(row, measuredKeys, "");
    std::string why;
    std::optional<RowCluster> cluster;
    if (auto wish = clusterWish(row, catalog, why); wish && (row.has("gpus") || row.has("nodes"))) {
        if (!row.has("nic_rate_per_gpu"))
            wish->portsPerMachine = std::max(wish->portsPerMachine, 1);
        cluster = rowCluster(*wish, catalog);
        takePublishedPeak(row, *wish->gpu, *cluster);
    } else if (row.has("cpus")) {
        cluster = cpuCluster(row, catalog);
    }
    const std::string words = row.words();
    const bool accelerated = why.empty() || words.find("gpu") != std::string::npos || words.find("instinct") != std::string::npos ||
        words.find("accelerat") != std::string::npos || words.find("nvidia") != std::string::npos;
    std::vector<Prediction> out;
    for (const char* key : measuredKeys)
        if (const auto measured = row.measured(key)) {
            if (const auto benchmark = benchmarkOf(key, row))
                out.push_back(predictOne(row, *benchmark, *measured, cluster, accelerated, catalog));
            else
                out.push_back(notPredicted(measured->column, measured->value, "unknown metric \"" + std::string(row.text("metric")) + "\""));
        }
    return out;
}

} // namespace

const FileKind hpcKind{"hpc", fields, "linpack|gradients|efficiency|value", "", &predict};

} // namespace cw
