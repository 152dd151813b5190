// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "model/io/project_file.h"
#include "model/io/request_trace.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <fmt/format.h>

#include <algorithm>

namespace cw::cli {

namespace {

/// The project to extend; a new one where there is no file yet.
std::optional<Project> projectAt(const std::string& file) {
    if (!QFileInfo::exists(QString::fromStdString(file)))
        return Project{};
    auto loaded = load(file);
    return loaded ? std::optional(std::move(loaded->project)) : std::nullopt;
}

/// The workload of this name or id; a new served model where the project has none of that name.
Workload& workloadOf(Project& project, const std::string& name) {
    for (Workload& workload : project.workloads)
        if (workload.name == name || workload.id.value == name)
            return workload;
    Workload made;
    std::string id;
    for (const char c : name)
        id += std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : '_';
    const auto taken = [&](const std::string& candidate) {
        return std::any_of(project.workloads.begin(), project.workloads.end(), [&](const Workload& w) { return w.id.value == candidate; });
    };
    std::string unique = id;
    for (int number = 2; taken(unique); ++number)
        unique = id + "_" + std::to_string(number);
    made.id = WorkloadId(unique);
    made.name = name;
    LlmServing spec;
    spec.model = PartId("llama3_70b");
    made.spec = spec;
    project.workloads.push_back(std::move(made));
    return project.workloads.back();
}

void describe(const TraceSummary& trace) {
    const auto lengths = [](const char* what, const LengthSummary& s) {
        message(fmt::format("{}: mean {:.4g} tokens, variation {:.3g}, p50 {:.4g}, p95 {:.4g}, p99 {:.4g}, most {:.4g}", what, s.mean, s.cv, s.p50,
                            s.p95, s.p99, s.most));
    };
    message(fmt::format("{} requests over {:.4g} h: {:.4g}/s on average, {:.4g}/s in the busiest {:.0f} s, {:.4g}/s to design for", trace.requests,
                        trace.seconds / 3600, trace.meanRate, trace.peakRate, trace.binSeconds, trace.busyRate));
    if (trace.prompt.mean > 0)
        lengths("prompts", trace.prompt);
    if (trace.output.mean > 0)
        lengths("answers", trace.output);
    if (trace.outOfOrder > 0)
        message(fmt::format("{} lines are earlier than the one before; the order does not matter", trace.outOfOrder));
    if (!(trace.busyRate > 0))
        message("all requests come at one time: there is no rate in this trace, that of the workload stays");
    else if (trace.hourly.empty())
        message("shorter than a day: the load over the day stays constant");
    for (const Error& fault : trace.faults)
        message(fault.text());
    if (trace.skipped > 0)
        message(fmt::format("{} lines were left out", trace.skipped));
}

int importTrace(const ImportArguments& arguments) {
    if (arguments.inputs.size() != 1) {
        message("--from trace takes one CSV file");
        return exitUsage;
    }
    const std::string& path = arguments.inputs.front();
    auto project = projectAt(arguments.to);
    if (!project)
        return exitUsage;
    const Expected<TraceSummary> trace = readTraceFile(path);
    if (!trace) {
        message(trace.error().text());
        return exitUsage;
    }
    const std::string name = QFileInfo(QString::fromStdString(path)).fileName().toStdString();
    Workload& workload = workloadOf(*project, arguments.workload.empty() ? "trace" : arguments.workload);
    if (!applyTrace(workload, *trace, name)) {
        message("\"" + workload.name + "\" (" + std::string(kindName(workload.spec)) + ") has no arrivals that a trace could give");
        return exitUsage;
    }
    describe(*trace);
    QSaveFile file(QString::fromStdString(arguments.to));
    const std::string text = writeProject(*project);
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) != static_cast<qint64>(text.size())
        || !file.commit()) {
        message(arguments.to + ": cannot be written: " + file.errorString().toStdString());
        return exitUsage;
    }
    message("wrote " + QFileInfo(QString::fromStdString(arguments.to)).absoluteFilePath().toStdString());
    return exitOk;
}

} // namespace

int importVerb(const ImportArguments& arguments) {
    if (arguments.from == "trace")
        return importTrace(arguments);
    message("unknown format \"" + arguments.from + "\": trace");
    return exitUsage;
}

} // namespace cw::cli
