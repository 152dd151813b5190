// SPDX-License-Identifier: GPL-3.0-or-later
//
// The gallery on the command line, and the page of the field cases: what was reported, what the estimator says, what physics allows.
#include "app/cli/verbs.h"

#include "app/user_files.h"
#include "estimators/figures.h"
#include "model/assert.h"
#include "model/io/project_file.h"
#include "views/text/names.h"
#include "views/text/quantity_text.h"

#include <cstdio>
#include <fstream>

namespace cw::cli {

namespace {

struct ShippedProject {
    std::string name;
    Project project;
};

std::vector<ShippedProject> gallery()
{
    std::vector<ShippedProject> projects;
    for (const Example& example : shippedExamples()) {
        ReadResult read = readProject(example.text, example.name.toStdString());
        CW_ASSERT(read.ok); // a test reads them all
        projects.push_back({example.name.toStdString(), std::move(read.project)});
    }
    return projects;
}

/// "A7, A30" of the line of the notes that names them; empty: none.
std::string fieldCases(const Project& project)
{
    for (const QString& line : QString::fromStdString(project.meta.notes).split(u'\n'))
        for (const QString& start : {QStringLiteral("Field case "), QStringLiteral("Field cases ")})
            if (line.startsWith(start))
                return line.mid(start.size()).section(u'.', 0, 0).toStdString();
    return {};
}

std::string escaped(std::string text)
{
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
        text.insert(at, "\\");
    return text;
}

std::string plainNumber(double value)
{
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.6g", value);
    return buffer;
}

void addFigures(std::string& page, const ShippedProject& shipped, const std::vector<ReportedFigure>& figures)
{
    page += "| figure | reported | design | estimated | at best | who says so |\n| --- | --- | --- | --- | --- | --- |\n";
    const auto nameOf = [&](const AlternativeId& id) {
        const Alternative* alternative = shipped.project.findAlternative(id);
        return alternative ? alternative->name : id.value;
    };
    for (const ReportedFigure& figure : figures) {
        const Reported& reported = *figure.reported;
        const std::string value = plainNumber(reported.value) + ' ' + reported.unit, note = escaped(reported.note);
        if (figure.of.empty()) {
            page += "| " + escaped(reported.quantity) + " | " + value + " |  |  |  | " + note + " |\n";
            continue;
        }
        for (const ReportedFigure::Of& of : figure.of)
            page += "| " + quantityName(reported.quantity).toStdString() + " | " + value + " | " + escaped(nameOf(of.alternative)) + " | " +
                quantityText(of.estimated).toStdString() + " | " + (of.bound ? quantityText(*of.bound).toStdString() : std::string()) + " | " +
                note + " |\n";
    }
}

std::string fieldCasesPage()
{
    std::string page = "# Field cases\n\n"
                       "Reports of practitioners, each a project of the gallery (`clusterwright example:NAME` opens it). *Estimated* is what the program says of the\n"
                       "drawn design; *at best* is what physics allows there: arithmetic at the peak, cables at their line rate, storage at its rate, all of it\n"
                       "overlapped. What a report leaves open (B6: passes and size of a sample; B16: ports; A27: port and batch; B19: rate across the border) was\n"
                       "chosen knowing what it reports, so that agreement there is no proof; what it states is as it states it, and where its numbers cannot all\n"
                       "be true, the reading says which. Written by\n"
                       "`clusterwright examples --page docs/field-cases.md`; a test holds the page against the program.\n";
    for (const ShippedProject& shipped : gallery()) {
        const std::string cases = fieldCases(shipped.project);
        if (cases.empty())
            continue;
        page += "\n## " + cases + ": " + shipped.project.meta.title + "\n\n`" + shipped.name + "`";
        const QStringList lines = QString::fromStdString(shipped.project.meta.notes).split(u'\n');
        for (const QString& line : lines)
            if (!line.startsWith(QStringLiteral("Field case")))
                page += (&line == &lines.front() ? ": " : "\n\n") + line.toStdString();
            else if (const QString rest = line.section(QStringLiteral(". "), 1); !rest.isEmpty())
                page += "\n\n" + rest.toStdString();
        page += "\n\n";
        const Catalog catalog = effectiveCatalog(shipped.project, shippedCatalog());
        std::vector<AlternativeEstimate> estimates;
        for (const Alternative& alternative : shipped.project.alternatives)
            estimates.push_back(estimate(shipped.project, alternative, catalog));
        std::vector<const AlternativeEstimate*> pointers;
        for (const AlternativeEstimate& one : estimates)
            pointers.push_back(&one);
        addFigures(page, shipped, reportedFigures(shipped.project, pointers));
    }
    return page;
}

} // namespace

int examplesVerb(const ExamplesArguments& arguments)
{
    if (!arguments.page.empty()) {
        std::ofstream out(arguments.page, std::ios::binary);
        out << fieldCasesPage();
        out.close();
        if (!out) {
            message(arguments.page + ": cannot be written");
            return exitUsage;
        }
        return exitOk;
    }
    Table table({"name", "title", "field cases", "designs"});
    for (const ShippedProject& shipped : gallery()) {
        const auto designs = shipped.project.alternatives.size();
        table.add({text(shipped.name), text(shipped.project.meta.title), text(fieldCases(shipped.project)),
                   number(static_cast<double>(designs), std::to_string(designs))});
    }
    print(table.text(arguments.format));
    return exitOk;
}

} // namespace cw::cli
