// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "estimators/estimate.h"
#include "estimators/report_json.h"
#include "estimators/simulation/simulate.h"
#include "views/explain/explain_text.h"
#include "views/text/finding_text.h"
#include "views/text/names.h"
#include "views/text/quantity_text.h"

#include <QString>

#include <algorithm>
#include <set>
#include <thread>

namespace cw::cli {

namespace {

std::string plain(const QString& text) { return text.toStdString(); }

void addQuantity(Table& table, const std::string& scope, const std::string& name, const Quantity& q)
{
    const auto part = [&](double v) { return number(v, plain(quantityText(v, q.unit))); };
    table.add({text(scope), text(name), part(q.value), part(q.low), part(q.high), text(std::string(symbol(q.unit)))});
}

/// Every figure that can be asked for with --explain, by its name there.
std::vector<NamedQuantity> figures(const AlternativeEstimate& estimate, const WorkloadEstimate* workload)
{
    std::vector<NamedQuantity> list;
    const auto add = [&](std::string name, const std::optional<Quantity>& q) {
        if (q)
            list.push_back({std::move(name), *q});
    };
    if (workload) {
        add("throughput", workload->throughput);
        add("capacity", workload->capacity);
        for (const auto& q : workload->latency)
            add(q.name, q.quantity);
        add("mfu", workload->mfu);
        add("days", workload->daysToFinish);
        add("goodput", workload->goodput);
        if (workload->memory) {
            add("memory.used", workload->memory->used);
            add("memory.capacity", workload->memory->capacity);
            for (const auto& q : workload->memory->parts)
                add("memory." + q.name, q.quantity);
        }
        add("cost_per_unit", workload->costPerUnit);
        add("energy_per_unit", workload->energyPerUnit);
        for (const auto& q : workload->more)
            add(q.name, q.quantity);
        return list;
    }
    add("power.it", estimate.power.it);
    add("power.idle", estimate.power.idle);
    add("power.peak", estimate.power.peak);
    add("power.facility", estimate.power.facility);
    add("power.facility_peak", estimate.power.facilityPeak);
    add("power.pue", estimate.power.pue);
    add("power.energy_per_year", estimate.power.energyPerYear);
    add("network.bisection", estimate.network.bisection);
    add("network.oversubscription", estimate.network.oversubscription);
    add("cost.capex", estimate.cost.capex);
    add("cost.opex_per_year", estimate.cost.opexPerYear);
    add("cost.tco", estimate.cost.tco);
    add("cost.per_hour", estimate.cost.perHour);
    add("cost.rent_per_hour", estimate.cost.rentPerHour);
    add("cost.buy_per_hour", estimate.cost.buyPerHour);
    add("reliability.mtbf", estimate.reliability.mtbfHours);
    add("reliability.failures_per_day", estimate.reliability.failuresPerDay);
    add("reliability.goodput", estimate.reliability.goodput);
    add("reliability.checkpoint_interval", estimate.reliability.checkpointInterval);
    add("carbon.operation", estimate.carbon.operationPerYear);
    add("carbon.embodied", estimate.carbon.embodied);
    return list;
}

bool wanted(const WorkloadEstimate& workload, const std::string& name)
{
    return name.empty() || workload.name == name || workload.id.value == name;
}

AlternativeEstimate estimateOf(const LoadedProject& loaded, const Alternative& alternative, const EstimateArguments& arguments)
{
    AlternativeEstimate closed = estimate(loaded.project, alternative, loaded.catalog);
    if (!arguments.simulate)
        return closed;
    SimulationOptions options;
    options.seed = arguments.seed;
    options.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    return *simulate(loaded.project, alternative, loaded.catalog, closed, options); // nothing interrupts it
}

/// Says which workloads with latencies keep those of the closed form.
void tellUnsimulated(const Project& project, const AlternativeEstimate& estimate, const EstimateArguments& arguments, std::set<std::string>& told)
{
    for (const WorkloadEstimate& run : estimate.workloads) {
        if (!wanted(run, arguments.workload) || run.simulated || run.latency.empty() || !told.insert(run.name).second)
            continue;
        const Workload* workload = project.findWorkload(run.id);
        const bool silent = workload && std::visit([](const auto& spec) {
            if constexpr (requires { spec.arrivalRate; spec.concurrency; })
                return spec.arrivalRate <= 0 && !spec.concurrency;
            else if constexpr (requires { spec.arrivalRate; })
                return spec.arrivalRate <= 0;
            else
                return false;
        }, workload->spec);
        message("\"" + run.name + "\" was not simulated" + (silent ? ", for no requests arrive" : "") + ": its figures are those of the closed form");
    }
}

int explain(const std::vector<AlternativeEstimate>& estimates, const EstimateArguments& arguments)
{
    std::vector<std::string> known;
    bool found = false;
    const auto look = [&](const AlternativeEstimate& estimate, const WorkloadEstimate* workload) {
        for (const NamedQuantity& figure : figures(estimate, workload)) {
            if (std::find(known.begin(), known.end(), figure.name) == known.end())
                known.push_back(figure.name);
            if (figure.name != arguments.explain)
                continue;
            found = true;
            print(estimate.name + (workload ? " · " + workload->name : std::string()) + " · " + figure.name + "\n");
            print(plain(explainText(estimate.derivation, figure.quantity.term)) + "\n");
        }
    };
    for (const AlternativeEstimate& estimate : estimates) {
        for (const WorkloadEstimate& workload : estimate.workloads)
            if (wanted(workload, arguments.workload))
                look(estimate, &workload);
        look(estimate, nullptr);
    }
    if (found)
        return exitOk;
    std::string names;
    for (const auto& name : known)
        names += (names.empty() ? "" : ", ") + name;
    message("there is no figure \"" + arguments.explain + "\" here; known are: " + names);
    return exitUsage;
}

void addBottleneck(Table& table, const WorkloadEstimate& workload)
{
    if (!workload.bottleneck)
        return;
    const Bottleneck& b = *workload.bottleneck;
    table.add({text(workload.name), text("bottleneck"), text(plain(bottleneckTitle(b))), text(""), text(""), text("")});
    table.add({text(workload.name), text("relieving it"), number(b.gainIfRelieved, plain(quantityText(b.gainIfRelieved, Unit::fraction))),
               text(""), text(""), text("")});
}

/// What the run was, and the closed form's figures beside its own.
void addSimulated(Table& table, const WorkloadEstimate& workload)
{
    if (!workload.simulated)
        return;
    const SimulatedRun& run = *workload.simulated;
    const auto line = [&](const std::string& name, double value, Unit unit) {
        table.add({text(workload.name), text(name), number(value, plain(quantityText(value, unit))), text(""), text(""),
                   text(std::string(symbol(unit)))});
    };
    line("requests simulated", static_cast<double>(run.requests), Unit::count);
    if (run.growth)
        line("queue grows by", *run.growth, Unit::requestsPerSecond);
    for (const SimulatedRun::Figure& figure : run.figures) {
        line(figure.name + " sampling error", figure.halfWidth(), Unit::fraction);
        line(figure.name + " closed form", figure.closedForm, Unit::seconds);
    }
}

std::string asTable(const AlternativeEstimate& estimate, const EstimateArguments& arguments)
{
    Table table({"of", "figure", "value", "low", "high", "unit"});
    for (const WorkloadEstimate& workload : estimate.workloads) {
        if (!wanted(workload, arguments.workload))
            continue;
        if (!workload.placed) {
            table.add({text(workload.name), text("not placed"), text(""), text(""), text(""), text("")});
            continue;
        }
        for (const NamedQuantity& figure : figures(estimate, &workload))
            addQuantity(table, workload.name, figure.name, figure.quantity);
        addSimulated(table, workload);
        addBottleneck(table, workload);
    }
    for (const NamedQuantity& figure : figures(estimate, nullptr))
        addQuantity(table, "all", figure.name, figure.quantity);
    return table.text(arguments.format);
}

std::string findingsText(const AlternativeEstimate& estimate)
{
    std::string out;
    for (const Finding& finding : estimate.findings)
        out += plain(severityName(finding.severity)) + ": " + plain(findingMessage(finding)) + "\n";
    return out;
}

} // namespace

int estimateVerb(const EstimateArguments& arguments)
{
    const auto loaded = load(arguments.file);
    if (!loaded)
        return exitUsage;
    const auto alternatives = chosenAlternatives(loaded->project, arguments.alternative);
    if (alternatives.empty())
        return exitUsage;
    if (!arguments.workload.empty() &&
        std::none_of(loaded->project.workloads.begin(), loaded->project.workloads.end(),
                     [&](const Workload& w) { return w.name == arguments.workload || w.id.value == arguments.workload; })) {
        message("there is no workload \"" + arguments.workload + "\"");
        return exitUsage;
    }
    std::vector<AlternativeEstimate> estimates;
    for (const Alternative* alternative : alternatives)
        estimates.push_back(estimateOf(*loaded, *alternative, arguments));
    std::set<std::string> told;
    for (const AlternativeEstimate& estimate : estimates)
        if (arguments.simulate)
            tellUnsimulated(loaded->project, estimate, arguments, told);
    if (!arguments.explain.empty())
        return explain(estimates, arguments);

    if (arguments.format == Format::json) {
        ReportOptions options;
        for (const Workload& workload : loaded->project.workloads)
            if (workload.name == arguments.workload || workload.id.value == arguments.workload)
                options.workload = workload.id;
        std::vector<const AlternativeEstimate*> pointers;
        for (const AlternativeEstimate& estimate : estimates)
            pointers.push_back(&estimate);
        options.message = [](const Finding& f) { return findingMessage(f).toStdString(); };
        options.change = [](const Finding& f) { return fixLabel(f).toStdString(); };
        print(estimateJson(loaded->project, pointers, options));
    } else {
        for (const AlternativeEstimate& estimate : estimates) {
            if (arguments.format == Format::table)
                print("== " + estimate.name + "\n");
            print(asTable(estimate, arguments));
            if (arguments.format == Format::table)
                print("\n" + findingsText(estimate) + "\n");
        }
    }
    bool met = true;
    for (const AlternativeEstimate& estimate : estimates)
        for (const WorkloadEstimate& workload : estimate.workloads)
            met = met && workload.meetsTargets.value_or(true);
    return arguments.requireTargets && !met ? exitNo : exitOk;
}

} // namespace cw::cli
