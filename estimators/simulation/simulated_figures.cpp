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
    Writer(AlternativeEstimate& out, WorkloadEstimate& workload, const RunResult& result, double share)
        : m_out(out)
        , m_workload(workload)
        , m_result(result)
        , m_share(share) {}

    void write();

private:
    void replaceFigures(SimulatedRun& run);
    void declareUnstable(SimulatedRun& run);
    void addOccupancy(const SimulatedRun& run);
    void remarkOnCache(const SimulatedRun& run);
    void judge();
    void remark(const WorkloadEstimate::TargetResult& target);
    Quantity replaced(const Quantity& before, const Estimated& by, const Quantity& seed, const Quantity& requests);

    AlternativeEstimate& m_out;
    WorkloadEstimate& m_workload;
    const RunResult& m_result;
    double m_share;
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
    if (m_workload.kind != "llm_serving")
        return;
    add("batch_simulated", "sequences in flight on a replica, simulated", "mean over time", run.batch, Unit::count);
    add("kv_use_simulated", "KV cache in use, simulated", "mean over time", run.kvUse, Unit::fraction);
    if (run.preempted > 0)
        add("preempted", "times that a request loses its place", "preemptions / requests", run.preempted, Unit::one);
    if (run.refused > 0)
        add("refused", "requests that never fit", "longer than the whole KV cache / requests", run.refused, Unit::fraction);
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
    if (m_result.end == RunResult::End::unstable) {
        declareUnstable(run);
    } else {
        replaceFigures(run);
        run.inFlight = m_result.inSystem.value / m_share;
        run.batch = m_result.batch;
        run.kvUse = m_result.kvUse;
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
    Writer(out, workload, result, scaled.share).write();
}

} // namespace cw::simulation
