// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of reliability.csv: failures of clusters and jobs, by whatever metric their source counts. The rate behind all of them is the one of
// the reliability estimate: interruptions a year of the row's devices.
#include "estimators/facility/failures.h"
#include "estimators/validation/kinds.h"
#include "estimators/validation/measured_rows.h"
#include "estimators/validation/names.h"
#include "estimators/validation/row_cluster.h"

#include <cmath>

namespace cw {

namespace {

constexpr double hoursPerYear = 8760, hoursPerDay = 24;

constexpr Field fields[] = {
    {"metric", Dimension::text, 1, "quantity|measure|what|variable|name|item|statistic"},
    {"value", Dimension::number, 1, "measured|result|measured_value|number|reported"},
    {"unit", Dimension::text, 1, "units"},
    {"mttf", Dimension::time, 3600, "mtbf|mttf_h|mtbf_h|mttf_hours|mtbf_hours|job_mttf_h|time_between_failures|mtti|job_mttf|mttf_job_hours"},
    {"failures", Dimension::number, 1, "interruptions|n_failures|failure_count|events|count|n_interruptions"},
    {"days", Dimension::number, 1, "duration_days|period_days|days_observed|duration|n_days|time_days|observation_days|observed_days", true},
    {"gpus", Dimension::number, 1, "n_gpus|num_gpus|gpu_count|world_size|devices|n_devices|accelerators|total_gpus|gpus_total|job_gpus|job_size_gpus|cluster_gpus", true},
    {"goodput", Dimension::fraction, 1, "ettr|effective_training_time|goodput_pct|availability|effective_time_ratio"},
    {"checkpoint", Dimension::time, 1, "checkpoint_s|checkpoint_time|write_time|checkpoint_cost"},
    {"interval", Dimension::time, 60, "checkpoint_interval|interval_min|checkpoint_interval_min"},
    {"restart", Dimension::time, 60, "restart_time|recovery_time|restart_min"},
    {"rate", Dimension::number, 1, "failures_per_1000_node_days|rate_per_1000_node_days"},
};

constexpr const char* measuredKeys[] = {"mttf", "failures", "rate", "goodput", "value"};

enum class Metric { unknown, hoursBetween, failuresOverDays, perDay, perThousandNodeDays, perNodeDay, perGpuYear, goodput };

Metric metricOf(std::string_view key, const Row& row) {
    if (key == "mttf")
        return Metric::hoursBetween;
    if (key == "failures")
        return Metric::failuresOverDays;
    if (key == "rate")
        return Metric::perThousandNodeDays;
    if (key == "goodput")
        return Metric::goodput;
    const std::string said = normalisedColumn(std::string(row.text("metric")) + " " + std::string(row.text("unit")));
    const auto has = [&](const char* word) { return said.find(word) != std::string::npos; };
    if (has("goodput") || has("ettr") || has("effective"))
        return Metric::goodput;
    if (has("1000_node") || has("1k_node"))
        return Metric::perThousandNodeDays;
    if (has("node_day"))
        return Metric::perNodeDay;
    if (has("gpu_year") || has("afr") || has("annual"))
        return Metric::perGpuYear;
    if (has("mttf") || has("mtbf") || has("mtti") || has("between") || has("to_failure") || has("time_to_interruption"))
        return Metric::hoursBetween;
    if (has("per_day") || has("daily"))
        return Metric::perDay;
    if (has("interruption") || has("failures") || has("failure_count"))
        return Metric::failuresOverDays;
    return Metric::unknown;
}

struct Rate {
    double perYear = 0, devices = 0, nodes = 0;
};

/// The figure in SI units (seconds for times), NaN when the row lacks what it needs.
double figure(Metric metric, const Rate& rate, const Row& row) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double perDay = rate.perYear / 365;
    const double mtbf = hoursPerYear * 3600 / rate.perYear;
    switch (metric) {
    case Metric::hoursBetween:
        return mtbf;
    case Metric::perDay:
        return perDay;
    case Metric::failuresOverDays:
        return row.number("days") ? perDay * *row.number("days") : nan;
    case Metric::perThousandNodeDays:
        return 1000 * perDay / rate.nodes;
    case Metric::perNodeDay:
        return perDay / rate.nodes;
    case Metric::perGpuYear:
        return rate.perYear / rate.devices;
    case Metric::goodput: {
        const double write = row.number("checkpoint", 60), restart = row.number("restart", 420);
        return row.number("interval") ? goodputWithInterval(mtbf, write, restart, *row.number("interval")) : bestCheckpointing(mtbf, write, restart).goodput;
    }
    case Metric::unknown:
        break;
    }
    return nan;
}

/// Hours between failures of a node of a cluster whose own rate the catalog has (RSC); 0: the general rates. Its source has two rates:
/// failures put down to a node, by which it projects sizes that it never ran, and all that ended its jobs, as times between failures of
/// jobs up to the largest show.
double mtbfOfNamedCluster(const Row& row, Metric metric, double devices, const Catalog& catalog, std::string& note) {
    constexpr double largestJobs = 4096;
    const Constants* rsc = catalog.constants("failure_rate", "node_rsc1");
    if (!rsc || row.words().find("rsc") == std::string::npos)
        return 0;
    const bool seen = metric == Metric::hoursBetween && devices <= largestJobs;
    if (seen)
        note += std::string(note.empty() ? "" : "; ") + "all that ended jobs, not the failures put down to nodes";
    return hoursPerDay / (*rsc)[seen ? "per_node_day_jobs" : "per_node_day"];
}

std::vector<Prediction> predict(const Row& row, const Catalog& shipped) {
    if (!measuresAny(row, measuredKeys))
        return withoutPrediction(row, measuredKeys, "");
    const double nodes = row.count("nodes", 0), gpus = row.has("gpus") ? row.count("gpus", 0) : nodes * row.count("per_node", 8);
    std::string why, note;
    auto wish = clusterWish(row, shipped, why);
    if (!wish) { // failures hardly depend on the device
        wish = ClusterWish{};
        wish->gpu = findGpu(shipped, "h100_sxm");
        note = "H100 machines, as no device of the catalog is named";
    }
    const std::string said = normalisedColumn(std::string(row.text("metric")) + " " + std::string(row.text("unit")));
    const bool rateOnly = said.find("node_day") != std::string::npos || said.find("gpu_year") != std::string::npos || said.find("afr") != std::string::npos;
    if (!(gpus >= 1) && !rateOnly && !row.has("rate"))
        return withoutPrediction(row, measuredKeys, "the number of devices is not given");
    wish->devices = static_cast<std::int64_t>(std::max(gpus, 8.0));
    wish->perMachine = row.count("per_node", 8);
    const RowCluster cluster = rowCluster(*wish, shipped);
    const ResolvedDesign design = resolve(cluster.project, cluster.project.alternatives.front(), cluster.catalog);
    const Fabric fabric(design);
    std::vector<Prediction> out;
    for (const char* key : measuredKeys) {
        const auto measured = row.measured(key);
        if (!measured)
            continue;
        const Metric metric = metricOf(key, row);
        auto kept = std::make_shared<Explanation>();
        kept->catalog = cluster.catalog;
        const EstimateOptions options{false, false, false};
        EstimateContext context{design, fabric, cluster.catalog, options, {}, kept->derivation};
        const std::uint32_t machines[] = {0};
        std::string remark = note;
        const Quantity perYear = interruptionsPerYear(context, machines, mtbfOfNamedCluster(row, metric, static_cast<double>(wish->devices), shipped, remark));
        Rate rate{perYear.value, static_cast<double>(wish->devices), static_cast<double>(wish->devices) / wish->perMachine};
        double value = figure(metric, rate, row);
        Row::Measured scaled = *measured;
        if (metric == Metric::hoursBetween && std::string_view(key) == "value")
            scaled.factor = said.find("day") != std::string::npos ? hoursPerDay * 3600 : said.find("min") != std::string::npos ? 60 : 3600;
        if ((metric == Metric::goodput || metric == Metric::perGpuYear) && measured->value > 1.5)
            scaled.factor = .01; // per cent
        if (!(value == value)) {
            out.push_back(notPredicted(measured->column, measured->value,
                                       metric == Metric::unknown ? "unknown metric \"" + std::string(row.text("metric")) + "\"" : "the observed days are not given"));
            continue;
        }
        Prediction prediction = predictionOf(scaled, value, remark);
        prediction.explanation = std::move(kept);
        prediction.term = perYear.term;
        out.push_back(std::move(prediction));
    }
    return out;
}

} // namespace

const FileKind reliabilityKind{"reliability", fields, "mttf|failures|rate|goodput|value", "", &predict};

} // namespace cw
