// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/simulation/simulated_figures.h"

#include "model/units/unit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cw::simulation {

namespace {

constexpr double worthSaying = .01; ///< of the requests
constexpr const char* text = "docs/equations-serving.md, Simulation";

/// Which part of which metric a latency figure is.
struct Row {
    const char* key;
    Metric metric;
    Estimated MetricResult::* part;
};
constexpr Row rows[] = {{"p50", Metric::latency, &MetricResult::p50},          {"p95", Metric::latency, &MetricResult::p95},
                        {"p99", Metric::latency, &MetricResult::p99},          {"mean", Metric::latency, &MetricResult::mean},
                        {"ttft_p50", Metric::firstToken, &MetricResult::p50},  {"ttft_p95", Metric::firstToken, &MetricResult::p95},
                        {"ttft_p99", Metric::firstToken, &MetricResult::p99},  {"tpot_p50", Metric::perToken, &MetricResult::p50},
                        {"tpot_p95", Metric::perToken, &MetricResult::p95},    {"tpot_p99", Metric::perToken, &MetricResult::p99}};

const Row* rowOf(std::string_view key) {
    const auto found = std::find_if(std::begin(rows), std::end(rows), [&](const Row& row) { return row.key == key; });
    return found == std::end(rows) ? nullptr : found;
}

/// The chart's curve: even steps of probability, finer towards the tail.
SimulatedRun::Distribution distributionOf(const char* name, const LatencyHistogram& times) {
    SimulatedRun::Distribution out{name, {}};
    const auto add = [&](double p) {
        const double t = times.quantile(p);
        if (out.below.empty() || t > out.below.back().first)
            out.below.emplace_back(t, p);
        else
            out.below.back().second = p;
    };
    for (int i = 0; i <= 98; ++i)
        add(i == 0 ? .001 : i / 100.);
    for (const double p : {.985, .99, .9925, .995, .9975, .999})
        if (static_cast<double>(times.count()) * (1 - p) >= 10)
            add(p);
    return out;
}

class Writer {
public:
    Writer(AlternativeEstimate& out, WorkloadEstimate& workload, const RunResult& result, const ScaledSystem& scaled)
        : m_out(out)
        , m_workload(workload)
        , m_result(result)
        , m_share(scaled.share)
        , m_recorded(scaled.system.replay.record != nullptr)
        , m_present(scaled.present) {}

    void write();

private:
    void replaceFigures(SimulatedRun& run);
    void declareUnstable(SimulatedRun& run);
    void addOccupancy(const SimulatedRun& run);
    void addLevels(SimulatedRun& run);
    void remarkOnCache(const SimulatedRun& run);
    void judge();
    void remark(const WorkloadEstimate::TargetResult& target);
    Quantity replaced(const Quantity& before, const Estimated& by, const Quantity& seed, const Quantity& requests);

    AlternativeEstimate& m_out;
    WorkloadEstimate& m_workload;
    const RunResult& m_result;
    double m_share;
    bool m_recorded;
    double m_present; ///< requests in the whole system, of the closed form
};

/// The range holds both: how well the run knows the percentile of its model, and how well the model's constants are known, which the
/// closed form's range says.
Quantity Writer::replaced(const Quantity& before, const Estimated& by, const Quantity& seed, const Quantity& requests) {
    Derivation& d = m_out.derivation;
    const double half = by.halfWidth(), error = by.value > 0 ? half / by.value : 0;
    const double down = before.known() && before.value > 0 ? before.low / before.value : 1;
    const double up = before.known() && before.value > 0 ? before.high / before.value : 1;
    const Quantity sampling = d.computed("sampling error of the run", "t · standard error over the replications / value, 95 %", error, error, error,
                                         Unit::fraction, {requests}, text);
    const double apart = before.known() && by.value > 0 ? before.value / by.value - 1 : std::numeric_limits<double>::quiet_NaN();
    const Quantity disagreement = d.computed("closed form against the run", "closed form / simulated − 1", apart, apart, apart, Unit::fraction,
                                             {before}, text);
    const char* name = before.term == noTerm ? "latency" : d.term(before.term).name;
    return d.simulated(name, "percentile over all replications; range: sampling error and the error of the constants", by.value,
                       std::max(0., by.value - half) * down, (by.value + half) * up, Unit::seconds, {seed, requests, sampling, disagreement}, text);
}

void Writer::replaceFigures(SimulatedRun& run) {
    Derivation& d = m_out.derivation;
    const Quantity seed = d.input("seed of the run", static_cast<double>(m_result.seed), Unit::one, "the same for every run");
    const auto count = static_cast<double>(m_result.requests);
    const Quantity requests = d.simulated("requests simulated", "of all replications, without the warm-up", count, count, count, Unit::count, {}, text);
    for (NamedQuantity& figure : m_workload.latency) {
        const Row* row = rowOf(figure.name);
        const MetricResult* metric = row ? m_result.of(row->metric) : nullptr;
        if (!metric)
            continue;
        const Estimated& by = metric->*row->part;
        const double half = by.halfWidth();
        run.figures.push_back({figure.name, figure.quantity.value, by.value, std::max(0., by.value - half), by.value + half});
        figure.quantity = replaced(figure.quantity, by, seed, requests);
    }
}

/// What the run saw besides: requests in the system, sequences and cache of one replica.
void Writer::addOccupancy(const SimulatedRun& run) {
    Derivation& d = m_out.derivation;
    const auto add = [&](const char* key, const char* name, const char* equation, double value, Unit unit) {
        m_workload.more.push_back({key, d.simulated(name, equation, value, value, value, unit, {}, text)});
    };
    const Estimated& inside = m_result.inSystem;
    m_workload.more.push_back({"in_flight", d.simulated("requests in the system", "mean over time", run.inFlight,
                                                        std::max(0., run.inFlight - inside.halfWidth() / m_share),
                                                        run.inFlight + inside.halfWidth() / m_share, Unit::count, {}, text)});
    if (run.failed > 0)
        add("given_up_simulated", "requests without an answer, simulated", "given up after all retries / requests", run.failed, Unit::fraction);
    if (m_workload.kind != "llm_serving")
        return;
    add("batch_simulated", "sequences in flight on a replica, simulated", "mean over time", run.batch, Unit::count);
    add("kv_use_simulated", "KV cache in use, simulated", "mean over time", run.kvUse, Unit::fraction);
    if (run.preempted > 0)
        add("preempted", "times that a request loses its place", "preemptions / requests", run.preempted, Unit::one);
    if (run.refused > 0)
        add("refused", "requests that never fit", "longer than the whole KV cache / requests", run.refused, Unit::fraction);
}

/// How full it was over time, for the chart, with the closed form's figure where it has one.
void Writer::addLevels(SimulatedRun& run) {
    const auto closedForm = [&](std::string_view key) {
        for (const NamedQuantity& figure : m_workload.more)
            if (figure.name == key)
                return figure.quantity.value;
        return std::numeric_limits<double>::quiet_NaN();
    };
    const auto add = [&](const char* name, const LevelTimes& levels, const LevelSeries& series, double unit, double before) {
        if (!(levels.all() > 0))
            return;
        SimulatedRun::Occupancy out{name, levels.mean() * unit, before, levels.below(), series.points()}; // a series is in the figure's own unit
        for (auto& [level, share] : out.below)
            level *= unit;
        run.occupancy.push_back(std::move(out));
    };
    const bool llm = m_workload.kind == "llm_serving", batches = m_workload.kind == "batch_inference";
    // The spread in a part of the machines says nothing about that in all of them, so the part is what is shown.
    add(m_share < 1 ? "in_flight_part" : "in_flight", m_result.present, m_result.presentSeries, 1, m_present * m_share);
    if (llm || batches)
        add("batch", m_result.batchLevels, m_result.batchSeries, 1, closedForm("batch"));
    if (llm)
        add("kv", m_result.cacheLevels, m_result.cacheSeries, 1e-3, closedForm("kv_use"));
}

void Writer::remarkOnCache(const SimulatedRun& run) {
    const auto add = [&](Severity severity, const char* code, double weight, double share) {
        Finding finding;
        finding.severity = severity;
        finding.code = code;
        finding.elements = {{ElementKind::workload, {}, m_workload.id.value}};
        finding.weight = weight;
        finding.arguments = {{"workload", m_workload.name}, {"share", format(share, Unit::fraction)}};
        m_out.findings.push_back(std::move(finding));
    };
    if (run.refused > worthSaying)
        add(Severity::warning, "serving.requests_refused", run.refused, run.refused);
    if (run.preempted > worthSaying)
        add(Severity::advice, "serving.preempts", std::min(1., run.preempted), run.preempted);
}

void Writer::declareUnstable(SimulatedRun& run) {
    run.growth = m_result.growth / m_share;
    m_workload.feasible = false;
    for (NamedQuantity& figure : m_workload.latency)
        if (rowOf(figure.name)) {
            run.figures.push_back({figure.name, figure.quantity.value, std::numeric_limits<double>::quiet_NaN()});
            figure.quantity = m_out.derivation.unknown(m_out.derivation.term(figure.quantity.term).name, Unit::seconds,
                                                       "simulated: grows without limit, more arrives than can be served");
        }
    const double served = std::max(0., m_result.throughput / m_share);
    Finding finding;
    finding.severity = Severity::error;
    finding.code = "load.unstable_simulated";
    finding.elements = {{ElementKind::workload, {}, m_workload.id.value}};
    finding.weight = 1;
    finding.arguments = {{"workload", m_workload.name},
                         {"capacity", format(served, Unit::requestsPerSecond)},
                         {"growth", format(*run.growth, Unit::requestsPerSecond)}};
    m_out.findings.insert(m_out.findings.begin(), std::move(finding));
}

void Writer::remark(const WorkloadEstimate::TargetResult& target) {
    auto& findings = m_out.findings;
    const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& finding) {
        const auto is = [&](const char* key, const std::string& value) {
            const auto at = finding.arguments.find(key);
            return at != finding.arguments.end() && at->second == value;
        };
        return finding.code == "target.missed" && is("workload", m_workload.name) && is("target", target.target);
    });
    if (target.met) {
        if (found != findings.end())
            findings.erase(found);
        return;
    }
    const std::string got = target.got == target.got ? format(target.got, target.unit) : "?";
    if (found != findings.end()) {
        found->arguments["got"] = got;
        return;
    }
    Finding finding;
    finding.severity = Severity::warning;
    finding.code = "target.missed";
    finding.elements = {{ElementKind::workload, {}, m_workload.id.value}};
    finding.weight = target.got > target.wanted ? 1 - target.wanted / target.got : .5;
    finding.arguments = {{"workload", m_workload.name}, {"target", target.target}, {"wanted", format(target.wanted, target.unit)}, {"got", got},
                         {"binding", m_workload.bottleneck ? m_workload.bottleneck->binding.label : std::string()}};
    findings.push_back(std::move(finding));
}

/// Targets on what was simulated are judged anew.
void Writer::judge() {
    for (WorkloadEstimate::TargetResult& target : m_workload.targets) {
        const Quantity* figure = rowOf(target.target) ? m_workload.latencyNamed(target.target) : nullptr;
        if (!figure)
            continue;
        target.got = figure->value;
        target.met = figure->value <= target.wanted && m_workload.feasible;
        remark(target);
    }
    if (!m_workload.targets.empty())
        m_workload.meetsTargets = std::all_of(m_workload.targets.begin(), m_workload.targets.end(),
                                              [](const WorkloadEstimate::TargetResult& target) { return target.met; });
}

void Writer::write() {
    SimulatedRun run;
    run.seed = m_result.seed;
    run.requests = m_result.requests;
    run.precise = m_result.end == RunResult::End::precise;
    run.refused = m_result.refused;
    run.preempted = m_result.preempted;
    run.recorded = m_recorded;
    if (m_result.end == RunResult::End::unstable) {
        declareUnstable(run);
    } else {
        replaceFigures(run);
        run.inFlight = m_result.inSystem.value / m_share;
        run.batch = m_result.batch;
        run.kvUse = m_result.kvUse;
        run.failed = m_result.failed;
        addLevels(run);
        for (const auto& [name, metric] : {std::pair{"latency", Metric::latency}, {"ttft", Metric::firstToken}, {"tpot", Metric::perToken}})
            if (const MetricResult* found = m_result.of(metric); found && (metric == Metric::latency || m_workload.kind == "llm_serving"))
                run.distributions.push_back(distributionOf(name, found->times));
    }
    if (!run.growth)
        addOccupancy(run);
    remarkOnCache(run);
    m_workload.simulated = std::move(run);
    judge();
}

} // namespace

void writeSimulated(AlternativeEstimate& out, WorkloadEstimate& workload, const RunResult& result, const ScaledSystem& scaled) {
    if (result.end == RunResult::End::idle || (result.end != RunResult::End::unstable && !result.of(Metric::latency)))
        return; // nothing to see
    Writer(out, workload, result, scaled).write();
}

void writeOneDown(AlternativeEstimate& out, WorkloadEstimate& workload, const RunResult& result, const ScaledSystem& scaled) {
    Derivation& d = out.derivation;
    constexpr const char *name = "p99 while one replica is broken", *equation = "99th percentile of a run with one replica less";
    const MetricResult* found = result.of(Metric::latency);
    if (result.end != RunResult::End::unstable && found) {
        const double value = found->p99.value, half = std::min(value, found->p99.halfWidth());
        workload.more.push_back({"p99_one_down", d.simulated(name, equation, value, value - half, value + half, Unit::seconds, {}, text)});
        return;
    }
    if (result.end != RunResult::End::unstable)
        return;
    workload.more.push_back({"p99_one_down", d.unknown(name, Unit::seconds, "the others cannot carry what arrives: it grows until the repair")});
    Finding finding;
    finding.severity = Severity::warning;
    finding.code = "load.no_spare_replica";
    finding.elements = {{ElementKind::workload, {}, workload.id.value}};
    finding.weight = .4;
    finding.arguments = {{"workload", workload.name},
                         {"replicas", std::to_string(scaled.replicas)},
                         {"growth", format(result.growth / scaled.share, Unit::requestsPerSecond)}};
    out.findings.push_back(std::move(finding));
}

} // namespace cw::simulation
