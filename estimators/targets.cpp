// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/targets.h"

#include <algorithm>
#include <limits>

namespace cw {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class Judge {
public:
    explicit Judge(WorkloadEstimate& estimate)
        : m_estimate(estimate) {}

    void atLeast(std::string target, double wanted, double got, Unit unit) {
        add(std::move(target), wanted, got, unit, got >= wanted);
    }
    void atMost(std::string target, double wanted, double got, Unit unit) {
        add(std::move(target), wanted, got, unit, got <= wanted);
    }

    void latency(const std::optional<Seconds>& wanted, const char* name) {
        if (wanted)
            atMost(name, si(*wanted), latencyValue(name), Unit::seconds);
    }
    double latencyValue(std::string_view name) const {
        const Quantity* q = m_estimate.latencyNamed(name);
        return q ? q->value : nan;
    }
    double value(const std::optional<Quantity>& q) const { return q ? q->value : nan; }

private:
    void add(std::string target, double wanted, double got, Unit unit, bool met) {
        const bool known = std::any_of(m_estimate.targets.begin(), m_estimate.targets.end(),
                                       [&](const WorkloadEstimate::TargetResult& t) { return t.target == target; });
        if (known)
            return; // the kind's own estimator has a better figure
        met = met && m_estimate.placed && m_estimate.feasible;
        m_estimate.targets.push_back({std::move(target), wanted, got, unit, met});
    }

    WorkloadEstimate& m_estimate;
};

/// Latency targets live with their kind.
struct OfKind {
    Judge& judge;
    const WorkloadEstimate& estimate;

    void operator()(const LlmTraining&) const {}
    void operator()(const LlmServing& w) const {
        judge.latency(w.ttftP99, "ttft_p99");
        judge.latency(w.tpotP99, "tpot_p99");
        judge.latency(w.latencyP99, "p99");
    }
    void operator()(const BatchInference& w) const { judge.latency(w.latencyP99, "p99"); }
    void operator()(const Service& w) const { judge.latency(w.latencyP99, "p99"); }
    void operator()(const Stream& w) const { judge.latency(w.latencyP99, "p99"); }
    void operator()(const BatchJob& w) const {
        judge.latency(w.deadline, w.jobsPerDay > 0 ? "p99" : "job"); // where jobs queue, the wait for earlier ones counts
        if (w.jobsPerDay > 0)
            judge.atLeast("jobs_per_day", w.jobsPerDay, judge.value(estimate.capacity ? estimate.capacity : estimate.throughput),
                          Unit::jobsPerDay);
    }
    void operator()(const Hpc&) const {}
    void operator()(const Pipeline& w) const { judge.latency(w.latencyP99, "p99"); }
};

} // namespace

void judgeTargets(WorkloadEstimate& estimate, const Workload& workload, const PowerEstimate& power, const CostEstimate& cost,
                  double share) {
    Judge judge(estimate);
    std::visit(OfKind{judge, estimate}, workload.spec);
    const Targets& t = workload.targets;
    if (t.throughput)
        judge.atLeast("throughput", *t.throughput, judge.value(estimate.throughput),
                      estimate.throughput ? estimate.throughput->unit : Unit::one);
    if (t.stepTime)
        judge.atMost("step", si(*t.stepTime), judge.latencyValue("step"), Unit::seconds);
    if (t.days)
        judge.atMost("days", *t.days, judge.value(estimate.daysToFinish), Unit::days);
    if (t.dollarsPerHour)
        judge.atMost("dollars_per_hour", *t.dollarsPerHour, cost.perHour.value * share, Unit::dollarsPerHour);
    if (t.dollarsPerUnit)
        judge.atMost("dollars_per_unit", *t.dollarsPerUnit, judge.value(estimate.costPerUnit),
                     estimate.costPerUnit ? estimate.costPerUnit->unit : Unit::dollarsPerMillionRequests);
    if (t.facilityPower)
        judge.atMost("facility_power", si(*t.facilityPower), power.facility.value, Unit::watts);
    if (!estimate.targets.empty())
        estimate.meetsTargets = std::all_of(estimate.targets.begin(), estimate.targets.end(),
                                            [](const WorkloadEstimate::TargetResult& r) { return r.met; });
}

} // namespace cw
