// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of collectives.csv: one collective operation timed alone, by size and ranks, inside a machine or between machines.
#include "estimators/network/collectives.h"
#include "estimators/validation/kinds.h"
#include "estimators/validation/measured_rows.h"
#include "estimators/validation/row_cluster.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr Field fields[] = {
    {"operation", Dimension::text, 1, "op|collective|op_name|coll|type|op_type|kind"},
    {"size", Dimension::bytes, 1, "size_bytes|bytes|message_size|message_bytes|msg_size|message|buffer_bytes|data_size|collective_size|msg_bytes|total_bytes|nbytes|data_bytes|buffer_size|payload_bytes|payload", true},
    {"time", Dimension::time, 1e-6, "time_us|latency|latency_us|elapsed|duration|latency_ms|time_ms|mean_us|measured_us|real_us|runtime|runtime_us|out_of_place_time|out_of_place_time_us|oop_time|oop_time_us"},
    {"bus_bandwidth", Dimension::rate, 1e9, "busbw|bus_bw|busbw_gb_s|busbw_gbps|bus_gb_s|busbw_gbs|out_of_place_busbw|oop_busbw"},
    {"algorithm_bandwidth", Dimension::rate, 1e9, "algbw|algo_bw|alg_bw|algbw_gb_s|algbw_gbps|algbw_gbs|algobw|out_of_place_algbw|oop_algbw"},
    {"elements", Dimension::number, 1, "count|n_elements|element_count|num_elements", true},
    {"gpus", Dimension::number, 1, "n_gpus|num_gpus|ranks|n_ranks|num_ranks|nranks|world_size|gpu_count|ngpus|devices|nproc|n_proc|num_workers|n_workers|group_size|comm_size|n_devices|num_devices", true},
    {"platform", Dimension::text, 1, "machine|server|node_type|system_name|cluster|instance|instance_type|node"},
    {"sharp", Dimension::text, 1, "in_network|in_switch|nvls|use_sharp|algorithm|algo"},
};

constexpr const char* measuredKeys[] = {"time", "bus_bandwidth", "algorithm_bandwidth"};

std::optional<Collective> operationOf(std::string_view raw) {
    std::string word;
    for (const char c : raw)
        if (const char l = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); l >= 'a' && l <= 'z')
            word += l;
    const auto has = [&](std::string_view part) { return word.find(part) != std::string::npos; };
    if (has("allreduce") || word == "ar")
        return Collective::allReduce;
    if (has("allgather") || word == "ag")
        return Collective::allGather;
    if (has("reducescatter") || word == "rs")
        return Collective::reduceScatter;
    if (has("alltoall") || has("aa") || word == "ata" || word == "a2a" || word == "all2all" || has("allall"))
        return Collective::allToAll;
    if (has("broadcast") || has("bcast"))
        return Collective::broadcast;
    if (has("send") || has("recv") || has("pp") || has("point") || has("sendrecv"))
        return Collective::pointToPoint;
    return std::nullopt;
}

/// Bytes of the message, or its elements of a stated format.
std::optional<double> sizeOf(const Row& row) {
    if (row.has("size"))
        return row.number("size");
    const auto elements = row.number("elements");
    const auto precision = elements ? row.precision() : std::nullopt;
    return precision ? std::optional(*elements * bytesPerValue(*precision)) : std::nullopt;
}

/// What nccl-tests multiply the plain rate by.
double busFactor(Collective op, double n) {
    if (op == Collective::allReduce)
        return 2 * (n - 1) / n;
    return op == Collective::broadcast || op == Collective::pointToPoint ? 1 : (n - 1) / n;
}

std::vector<Prediction> predict(const Row& row, const Catalog& shipped) {
    if (!measuresAny(row, measuredKeys))
        return withoutPrediction(row, measuredKeys, "");
    const auto op = operationOf(row.has("operation") ? row.text("operation") : std::string_view("all_reduce"));
    if (!op)
        return withoutPrediction(row, measuredKeys, "unknown collective operation \"" + std::string(row.text("operation")) + "\"");
    const auto size = sizeOf(row);
    if (!size || !(*size > 0))
        return withoutPrediction(row, measuredKeys, "the size of the message is not given");
    if (!row.has("gpus") && !row.has("nodes"))
        return withoutPrediction(row, measuredKeys, "the number of ranks is not given");
    std::string why;
    auto wish = clusterWish(row, shipped, why);
    if (!wish)
        return withoutPrediction(row, measuredKeys, why);
    if (wish->devices < 2)
        return withoutPrediction(row, measuredKeys, "fewer than two ranks");
    RowCluster cluster = rowCluster(*wish, shipped);
    if (!row.has("operation"))
        cluster.add("all-reduce, as nothing else is said");
    const ResolvedDesign design = resolve(cluster.project, cluster.alternative(), cluster.catalog);
    const Fabric fabric(design);
    const std::vector<std::uint32_t> nodes{0};
    const GroupFabric group = fabric.group(nodes, "compute");
    if (!group.connected)
        return withoutPrediction(row, measuredKeys, "the machines of the row could not be connected");
    const int domain = static_cast<int>(std::max(1.0, group.tiers.front().devicesPerBlock));
    RankGroup ranks = rankGroup(group, domain, static_cast<int>(wish->devices), 1);
    const std::string words = row.words();
    ranks.inSwitch = words.find("sharp") != std::string::npos && !(row.has("sharp") && row.flag("sharp") == false);
    const double harness = harnessSeconds(row, shipped);
    const CollectiveTime time = collectiveTime(*op, *size, ranks, cluster.catalog, wish->gpu);
    const double seconds = time.seconds + harness;
    cluster.add(std::string(time.algorithm) + ", " + std::to_string(ranks.inner) + " ranks in each of " + std::to_string(ranks.outer) + " domains");
    if (harness > 0)
        cluster.add("timing of the harness added");
    const double rate = *size / seconds;
    std::vector<Prediction> out;
    for (const char* key : measuredKeys)
        if (const auto measured = row.measured(key)) {
            const std::string_view which = key;
            const double value = which == "time" ? seconds : which == "bus_bandwidth" ? rate * busFactor(*op, static_cast<double>(wish->devices)) : rate;
            Prediction prediction = predictionOf(*measured, value, cluster.note);
            explain(prediction, cluster.catalog, [&](Derivation& d) {
                const Quantity inputs[] = {d.input("bytes of the buffer", *size, Unit::bytes, "row"),
                                           d.input("ranks", static_cast<double>(wish->devices), Unit::count, "row"),
                                           d.input("time inside a scale-up domain", time.scaleUpSeconds, Unit::seconds, "docs/equations.md, Collectives"),
                                           d.input("time between domains", time.networkSeconds, Unit::seconds, "docs/equations.md, Collectives"),
                                           d.input("timing of the harness", harness, Unit::seconds, "catalog, timing harness")};
                return d.computed("time of the collective", "slowest stage + harness", seconds, seconds / 1.15, seconds * 1.15, Unit::seconds, inputs, "docs/equations.md, Collectives");
            });
            out.push_back(std::move(prediction));
        }
    return out;
}

} // namespace

const FileKind collectivesKind{"collectives", fields, "time|bus_bandwidth|algorithm_bandwidth", "size|device", &predict};

} // namespace cw
