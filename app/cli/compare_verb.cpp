// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "estimators/estimate.h"
#include "views/text/finding_text.h"
#include "views/text/names.h"
#include "views/text/quantity_text.h"

#include <QString>

#include <algorithm>

namespace cw::cli {

namespace {

/// A line of the comparison: one figure of every alternative.
struct Line {
    std::string scope, figure;
    std::vector<std::optional<Quantity>> values;
};

std::vector<Line> linesOf(const Project& project, const std::vector<AlternativeEstimate>& estimates, const std::string& only)
{
    std::vector<Line> lines;
    const auto add = [&](const std::string& scope, const std::string& figure, auto get) {
        Line line{scope, figure, {}};
        for (const auto& estimate : estimates)
            line.values.push_back(get(estimate));
        if (std::any_of(line.values.begin(), line.values.end(), [](const auto& v) { return v.has_value(); }))
            lines.push_back(std::move(line));
    };
    using Maybe = std::optional<Quantity>;
    for (const Workload& workload : project.workloads) {
        if (!only.empty() && workload.name != only && workload.id.value != only)
            continue;
        const auto of = [&](auto member) {
            return [&workload, member](const AlternativeEstimate& e) -> Maybe {
                const WorkloadEstimate* w = e.workload(workload.id);
                return w && w->placed ? w->*member : Maybe();
            };
        };
        add(workload.name, "throughput", of(&WorkloadEstimate::throughput));
        add(workload.name, "capacity", of(&WorkloadEstimate::capacity));
        for (const char* key : {"step", "p50", "p95", "p99", "ttft_p99", "tpot_p99"})
            add(workload.name, key, [&](const AlternativeEstimate& e) -> Maybe {
                const WorkloadEstimate* w = e.workload(workload.id);
                const Quantity* q = w ? w->latencyNamed(key) : nullptr;
                return q ? Maybe(*q) : Maybe();
            });
        add(workload.name, "mfu", of(&WorkloadEstimate::mfu));
        add(workload.name, "days", of(&WorkloadEstimate::daysToFinish));
        add(workload.name, "cost_per_unit", of(&WorkloadEstimate::costPerUnit));
        add(workload.name, "energy_per_unit", of(&WorkloadEstimate::energyPerUnit));
    }
    add("all", "cost.per_hour", [](const auto& e) -> Maybe { return e.cost.perHour; });
    add("all", "cost.capex", [](const auto& e) -> Maybe { return e.cost.capex; });
    add("all", "cost.tco", [](const auto& e) -> Maybe { return e.cost.tco; });
    add("all", "power.it", [](const auto& e) -> Maybe { return e.power.it; });
    add("all", "power.facility", [](const auto& e) -> Maybe { return e.power.facility; });
    add("all", "carbon.operation", [](const auto& e) -> Maybe { return e.carbon.operationPerYear; });
    add("all", "reliability.mtbf", [](const auto& e) -> Maybe { return e.reliability.mtbfHours; });
    return lines;
}

bool meetsAll(const AlternativeEstimate& estimate)
{
    return std::all_of(estimate.workloads.begin(), estimate.workloads.end(),
                       [](const WorkloadEstimate& w) { return w.meetsTargets.value_or(true); });
}

/// One row a figure, one column an alternative, with the change against the baseline.
std::string wide(const std::vector<Line>& lines, const std::vector<AlternativeEstimate>& estimates, std::size_t baseline)
{
    std::vector<std::string> columns{"of", "figure"};
    for (std::size_t i = 0; i < estimates.size(); ++i)
        columns.push_back(estimates[i].name + (i == baseline ? " (baseline)" : ""));
    Table table(columns);
    for (const Line& line : lines) {
        std::vector<Cell> row{text(line.scope), text(line.figure)};
        for (std::size_t i = 0; i < line.values.size(); ++i) {
            std::string shown = line.values[i] ? quantityText(*line.values[i]).toStdString() : "-";
            if (i != baseline && line.values[i] && line.values[baseline]) {
                const std::string change = changeText(*line.values[i], *line.values[baseline]).text.toStdString();
                if (!change.empty())
                    shown += "  " + change;
            }
            row.push_back(text(shown));
        }
        table.add(row);
    }
    std::vector<Cell> bottlenecks{text("all"), text("bottleneck")}, racks{text("all"), text("racks")}, targets{text("all"), text("targets met")},
        errors{text("all"), text("errors")};
    for (const auto& estimate : estimates) {
        std::string names;
        for (const auto& workload : estimate.workloads)
            if (workload.bottleneck)
                names += (names.empty() ? "" : "; ") + resourceText(workload.bottleneck->binding).toStdString();
        bottlenecks.push_back(text(names.empty() ? "-" : names));
        std::int64_t count = 0;
        for (const auto& rack : estimate.racks)
            count += rack.count;
        racks.push_back(text(std::to_string(count)));
        targets.push_back(boolean(meetsAll(estimate)));
        errors.push_back(text(std::to_string(std::count_if(estimate.findings.begin(), estimate.findings.end(),
                                                           [](const Finding& f) { return f.severity == Severity::error; }))));
    }
    for (auto* row : {&racks, &bottlenecks, &targets, &errors})
        table.add(*row);
    return table.text(Format::table);
}

/// One row a figure and alternative: what a program reads.
std::string narrow(const std::vector<Line>& lines, const std::vector<AlternativeEstimate>& estimates, std::size_t baseline, Format format)
{
    Table table({"alternative", "baseline", "of", "figure", "value", "low", "high", "unit", "change"});
    for (const Line& line : lines)
        for (std::size_t i = 0; i < line.values.size(); ++i) {
            if (!line.values[i])
                continue;
            const Quantity& q = *line.values[i];
            const double change = line.values[baseline] ? q.value / line.values[baseline]->value - 1 : std::numeric_limits<double>::quiet_NaN();
            const auto plain = [](double v) { return number(v, std::to_string(v)); };
            table.add({text(estimates[i].name), boolean(i == baseline), text(line.scope), text(line.figure), plain(q.value), plain(q.low),
                       plain(q.high), text(std::string(symbol(q.unit))), plain(change)});
        }
    return table.text(format);
}

} // namespace

int compareVerb(const CompareArguments& arguments)
{
    const auto loaded = load(arguments.file);
    if (!loaded)
        return exitUsage;
    const Project& project = loaded->project;
    const auto alternatives = chosenAlternatives(project, {});
    if (alternatives.empty())
        return exitUsage;
    if (!arguments.workload.empty() &&
        std::none_of(project.workloads.begin(), project.workloads.end(),
                     [&](const Workload& w) { return w.name == arguments.workload || w.id.value == arguments.workload; })) {
        message("there is no workload \"" + arguments.workload + "\"");
        return exitUsage;
    }
    std::vector<AlternativeEstimate> estimates;
    std::size_t baseline = 0;
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
        estimates.push_back(estimate(project, *alternatives[i], loaded->catalog));
        if (alternatives[i] == project.baselineAlternative())
            baseline = i;
    }
    const auto lines = linesOf(project, estimates, arguments.workload);
    print(arguments.format == Format::table ? wide(lines, estimates, baseline) : narrow(lines, estimates, baseline, arguments.format));
    const bool anyMeets = std::any_of(estimates.begin(), estimates.end(), meetsAll);
    return arguments.requireTargets && !anyMeets ? exitNo : exitOk;
}

} // namespace cw::cli
