// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/load_study.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace cw {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double duties[] = {.01, .05, .1, .15, .2, .25, .3, .4, .5, .6, .7, .8, .9, 1};
constexpr double hoursPerYear = 8760;

EstimateOptions plainOptions() {
    EstimateOptions plain;
    plain.curves = plain.bottleneckGain = plain.findings = false;
    return plain;
}

StudyPoint pointOf(double x, const AlternativeEstimate& estimate) {
    const Quantity& energy = estimate.power.energyPerYear; // kWh
    return {x, estimate.cost.perHour.value, energy.known() ? energy.value / hoursPerYear * 1000 : unknown, 0};
}

bool runs(const Alternative& alternative, const WorkloadId& workload) {
    return std::any_of(alternative.placements.begin(), alternative.placements.end(),
                       [&](const Placement& placement) { return placement.workload == workload && !placement.nodes.empty(); });
}

/// Everything of the alternative paid in one way.
Alternative paidAs(Alternative alternative, Procurement procurement) {
    alternative.procurement = procurement;
    for (Node& node : alternative.nodes)
        node.procurement = Procurement::inherit;
    return alternative;
}

Workload* find(Project& project, const WorkloadId& id) {
    const auto found = std::find_if(project.workloads.begin(), project.workloads.end(), [&](const Workload& w) { return w.id == id; });
    return found == project.workloads.end() ? nullptr : &*found;
}

void markCheapest(LoadStudy& study, bool steps) {
    for (Crossover& crossing : study.crossovers)
        crossing.cheapest = std::none_of(study.lines.begin(), study.lines.end(), [&](const StudyLine& line) {
            return costAt(line, crossing.x, steps) < crossing.dollarsPerHour * (1 - 1e-6);
        });
    std::sort(study.crossovers.begin(), study.crossovers.end(), [](const Crossover& a, const Crossover& b) { return a.x < b.x; });
}

class DutyStudy {
public:
    DutyStudy(const Project& project, const WorkloadId& workload, const Catalog& catalog)
        : m_project(project)
        , m_catalog(effectiveCatalog(project, catalog))
        , m_workload(find(m_project, workload)) {}

    LoadStudy run(const AlternativeId& current) {
        LoadStudy study;
        if (!m_workload)
            return study;
        for (const Alternative& alternative : m_project.alternatives)
            if (runs(alternative, m_workload->id))
                add(study, alternative, std::nullopt);
        if (const Alternative* shown = m_project.findAlternative(current); shown && runs(*shown, m_workload->id)) {
            for (const Procurement way : {Procurement::buy, Procurement::onDemand}) {
                const Alternative other = paidAs(*shown, way);
                if (!(other == *shown))
                    add(study, other, way);
            }
        }
        for (std::size_t a = 0; a < study.lines.size(); ++a)
            for (std::size_t b = a + 1; b < study.lines.size(); ++b)
                cross(study, a, b);
        markCheapest(study, false);
        return study;
    }

private:
    StudyPoint at(const Alternative& alternative, double duty) {
        m_workload->load.duty = duty;
        StudyPoint point = pointOf(duty, estimate(m_project, alternative, m_catalog, plainOptions()));
        for (const Node& node : alternative.nodes)
            point.machines += static_cast<double>(node.count);
        return point;
    }

    void add(LoadStudy& study, const Alternative& alternative, std::optional<Procurement> paid) {
        StudyLine line{alternative.id, paid, {}};
        for (const double duty : duties) {
            line.points.push_back(at(alternative, duty));
            if (!std::isfinite(line.points.back().dollarsPerHour))
                return; // a price is not known
        }
        study.lines.push_back(std::move(line));
        m_alternatives.push_back(alternative);
    }

    /// The first change of sign between two lines, narrowed down by estimating there.
    void cross(LoadStudy& study, std::size_t a, std::size_t b) {
        const auto difference = [&](std::size_t i) {
            return study.lines[a].points[i].dollarsPerHour - study.lines[b].points[i].dollarsPerHour;
        };
        for (std::size_t i = 1; i < std::size(duties); ++i) {
            double atLow = difference(i - 1), atHigh = difference(i);
            if (!(atLow * atHigh < 0))
                continue;
            double low = duties[i - 1], high = duties[i], x = low, cost = 0;
            for (int step = 0; step < 6; ++step) { // nearly straight: the secant is there at once
                x = low + (high - low) * atLow / (atLow - atHigh);
                cost = at(m_alternatives[a], x).dollarsPerHour;
                const double between = cost - at(m_alternatives[b], x).dollarsPerHour;
                if (std::abs(between) < 1e-6 * cost)
                    break;
                (between * atLow > 0 ? low : high) = x;
                (between * atLow > 0 ? atLow : atHigh) = between;
            }
            study.crossovers.push_back({difference(i - 1) < 0 ? a : b, difference(i - 1) < 0 ? b : a, x, cost});
            return;
        }
    }

    Project m_project; ///< whose workload's duty is varied
    Catalog m_catalog;
    Workload* m_workload;
    std::vector<Alternative> m_alternatives; ///< by line
};

/// The machines of a workload in an alternative, and what more or fewer of them would carry and cost.
class RateLine {
public:
    RateLine(const Project& project, const Alternative& alternative, const WorkloadId& workload, const Catalog& catalog)
        : m_project(project)
        , m_alternative(alternative)
        , m_workload(workload)
        , m_catalog(catalog) {
        std::set<std::string> placed;
        for (const Placement& placement : alternative.placements)
            if (placement.workload == workload)
                for (const NodeId& id : placement.nodes)
                    placed.insert(id.value);
        for (const Node& node : alternative.nodes)
            if (placed.count(node.id.value)) {
                m_scaled.insert(node.id.value);
                m_drawn = std::max(m_drawn, node.count);
            }
    }

    /// Steps up to a rate that carry it; doubling beyond what is drawn, straight in between.
    StudyLine line(double upTo, Unit& unit) {
        StudyLine line{m_alternative.id, std::nullopt, {}};
        if (m_drawn < 1)
            return line;
        std::vector<StudyPoint> known;
        for (const std::int64_t machines : {std::int64_t(1), std::int64_t(2), std::int64_t(3), std::int64_t(4)})
            known.push_back(at(machines, unit));
        while (known.back().x < upTo && known.back().machines < mostMachines && known.back().x > known.front().x)
            known.push_back(at(static_cast<std::int64_t>(known.back().machines * 1.5), unit));
        for (std::size_t i = 0; i < known.size(); ++i)
            addSteps(line, known, i, upTo);
        return line;
    }

private:
    static constexpr double mostMachines = 100000;
    static constexpr int mostSteps = 400;

    StudyPoint at(std::int64_t machines, Unit& unit) {
        Alternative scaled = m_alternative;
        for (Node& node : scaled.nodes)
            if (m_scaled.count(node.id.value))
                node.count = std::max<std::int64_t>(1, (node.count * machines + m_drawn - 1) / m_drawn);
        const AlternativeEstimate made = estimate(m_project, scaled, m_catalog, plainOptions());
        const WorkloadEstimate* own = made.workload(m_workload);
        StudyPoint point = pointOf(0, made);
        point.machines = static_cast<double>(machines);
        if (own && own->capacity && own->capacity->known()) {
            point.x = own->capacity->value;
            unit = own->capacity->unit;
        }
        return point;
    }

    void addSteps(StudyLine& line, const std::vector<StudyPoint>& known, std::size_t index, double upTo) const {
        const StudyPoint& to = known[index];
        if (index == 0 || to.machines - known[index - 1].machines <= 1 || line.points.size() > mostSteps) {
            push(line, to, upTo);
            return;
        }
        const StudyPoint& from = known[index - 1];
        for (double n = from.machines + 1; n <= to.machines && line.points.size() <= mostSteps; ++n) {
            const double part = (n - from.machines) / (to.machines - from.machines);
            const auto mix = [part](double a, double b) { return a + part * (b - a); };
            push(line, {mix(from.x, to.x), mix(from.dollarsPerHour, to.dollarsPerHour), mix(from.watts, to.watts), n}, upTo);
        }
    }

    /// Only steps that carry more than the one before, and no more than it takes.
    static void push(StudyLine& line, const StudyPoint& point, double upTo) {
        const double last = line.points.empty() ? 0 : line.points.back().x;
        if (last < upTo && point.x > last && std::isfinite(point.dollarsPerHour))
            line.points.push_back(point);
    }

    const Project& m_project;
    const Alternative& m_alternative;
    const WorkloadId& m_workload;
    const Catalog& m_catalog;
    std::set<std::string> m_scaled;
    std::int64_t m_drawn = 0;
};

/// Stairs cross where one steps over the other.
void crossStairs(LoadStudy& study, std::size_t a, std::size_t b) {
    std::vector<double> edges{0};
    for (const std::size_t line : {a, b})
        for (const StudyPoint& point : study.lines[line].points)
            edges.push_back(point.x);
    std::sort(edges.begin(), edges.end());
    int cheaper = 0;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const double middle = .5 * (edges[i] + edges[i + 1]);
        const double ofA = costAt(study.lines[a], middle, true), ofB = costAt(study.lines[b], middle, true);
        const int now = ofA < ofB ? -1 : ofB < ofA ? 1 : 0;
        if (now != 0 && cheaper != 0 && now != cheaper)
            study.crossovers.push_back({cheaper < 0 ? a : b, cheaper < 0 ? b : a, edges[i], std::min(ofA, ofB)});
        cheaper = now != 0 ? now : cheaper;
    }
}

double rateOf(const WorkloadSpec& spec, Unit unit) {
    return std::visit(
        [unit](const auto& s) -> double {
            double rate = 0;
            if constexpr (requires { s.arrivalRate; })
                rate = s.arrivalRate;
            if constexpr (requires { s.eventRate; })
                rate = s.eventRate;
            if constexpr (requires { s.output; })
                rate *= unit == Unit::tokensPerSecond ? s.output.mean : 1;
            return std::isfinite(rate) ? std::max(0., rate) : 0;
        },
        spec);
}

} // namespace

double costAt(const StudyLine& line, double x, bool steps) {
    const auto above = std::find_if(line.points.begin(), line.points.end(), [x](const StudyPoint& p) { return p.x >= x; });
    if (above == line.points.end())
        return unknown;
    if (steps || above->x == x)
        return above->dollarsPerHour;
    if (above == line.points.begin())
        return unknown;
    const StudyPoint &low = *(above - 1), &high = *above;
    return low.dollarsPerHour + (high.dollarsPerHour - low.dollarsPerHour) * (x - low.x) / (high.x - low.x);
}

int LoadStudy::cheapestAt(double x) const {
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const double cost = costAt(lines[i], x, unit != Unit::fraction);
        if (cost < least) {
            least = cost;
            best = static_cast<int>(i);
        }
    }
    return best;
}

LoadStudy dutyStudy(const Project& project, const WorkloadId& workload, const Catalog& catalog, const AlternativeId& current) {
    return DutyStudy(project, workload, catalog).run(current);
}

LoadStudy rateStudy(const Project& project, const WorkloadId& id, const Catalog& catalog, double upTo) {
    LoadStudy study;
    study.unit = Unit::requestsPerSecond;
    const Workload* workload = project.findWorkload(id);
    if (!workload)
        return study;
    const Catalog effective = effectiveCatalog(project, catalog);
    Project steady = project; // what an hour of work costs: no load profile, all machines on
    find(steady, id)->load = {};
    steady.site.utilisation = 1;
    const bool tokens = std::holds_alternative<LlmServing>(workload->spec);
    const double wanted = upTo > 0 ? upTo : 2 * rateOf(workload->spec, tokens ? Unit::tokensPerSecond : Unit::requestsPerSecond);
    for (Alternative& alternative : steady.alternatives) {
        if (!runs(alternative, id))
            continue;
        for (Placement& placement : alternative.placements)
            placement.scaling = Scaling::fixed;
        StudyLine line = RateLine(steady, alternative, id, effective).line(wanted, study.unit);
        if (!line.points.empty())
            study.lines.push_back(std::move(line));
    }
    for (std::size_t a = 0; a < study.lines.size(); ++a)
        for (std::size_t b = a + 1; b < study.lines.size(); ++b)
            crossStairs(study, a, b);
    markCheapest(study, true);
    return study;
}

} // namespace cw
