// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "estimators/estimate.h"
#include "views/text/finding_text.h"
#include "views/text/names.h"

#include <QString>

namespace cw::cli {

namespace {

std::string elementsJson(const Project& project, const Finding& finding)
{
    std::string out = "[";
    for (const ElementRef& ref : finding.elements) {
        if (out.size() > 1)
            out += ", ";
        out += "{\"kind\": " + jsonString(elementKindName(ref.kind).toLower().toStdString()) + ", \"id\": " + jsonString(ref.id) +
            ", \"name\": " + jsonString(elementName(project, ref).toStdString()) + "}";
    }
    return out + "]";
}

std::string elementsText(const Project& project, const Finding& finding)
{
    std::string out;
    for (const ElementRef& ref : finding.elements)
        out += (out.empty() ? "" : ", ") + elementName(project, ref).toStdString();
    return out;
}

const char* severityKey(Severity severity)
{
    switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::advice: return "advice";
    }
    return "";
}

} // namespace

int checkVerb(const CheckArguments& arguments)
{
    const auto loaded = load(arguments.file);
    if (!loaded)
        return exitUsage;
    const auto alternatives = chosenAlternatives(loaded->project, arguments.alternative);
    if (alternatives.empty())
        return exitUsage;
    Table table({"alternative", "severity", "code", "elements", "message", "change"});
    int errors = 0, warnings = 0, advice = 0;
    for (const Alternative* alternative : alternatives) {
        const AlternativeEstimate result = estimate(loaded->project, *alternative, loaded->catalog);
        for (const Finding& finding : result.findings) {
            (finding.severity == Severity::error ? errors : finding.severity == Severity::warning ? warnings : advice) += 1;
            table.add({text(alternative->name), text(severityKey(finding.severity)), text(finding.code),
                       {elementsText(loaded->project, finding), elementsJson(loaded->project, finding)},
                       text(findingMessage(finding).toStdString()), text(finding.fix ? fixLabel(finding).toStdString() : std::string())});
        }
    }
    if (!table.empty() || arguments.format != Format::table)
        print(table.text(arguments.format));
    message(std::to_string(errors) + " errors, " + std::to_string(warnings) + " warnings, " + std::to_string(advice) + " pieces of advice");
    return errors ? exitNo : exitOk;
}

} // namespace cw::cli
