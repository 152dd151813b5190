// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include "app/cli/verbs.h"
#include "model/version.h"

#include <CLI/CLI.hpp>

#include <QApplication>
#include <QLocale>

#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>

namespace cw::cli {

namespace {

constexpr const char* verbs[] = {"estimate", "compare", "check", "export", "import", "validate", "examples", "catalog", "bench", "help", "--help", "-h", "--version", "-V"};

void addFormat(CLI::App* verb, Format& format)
{
    const auto set = [&format](const std::string& name) {
        if (name == "table")
            format = Format::table;
        else if (name == "json")
            format = Format::json;
        else if (name == "csv")
            format = Format::csv;
        else
            throw CLI::ValidationError("--format", "expected table, json or csv, found \"" + name + "\"");
    };
    verb->add_option_function<std::string>("--format", set, "table (for people), json or csv")->option_text("FORMAT");
}

void addFile(CLI::App* verb, std::string& file)
{
    verb->add_option("FILE", file, "a *.cluster.json file, - for standard input, or example:NAME for a shipped example")->required();
}

/// Painting documents needs a QApplication; the platform is chosen so that no display is asked for.
void offscreen()
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
}

} // namespace

bool isCommand(int argc, char** argv)
{
    if (argc < 2)
        return false;
    for (const char* verb : verbs)
        if (std::strcmp(argv[1], verb) == 0)
            return true;
    return false;
}

int run(int argc, char** argv)
{
    offscreen();
    QApplication application(argc, argv);
    QLocale::setDefault(QLocale::c());

    CLI::App app{"Clusterwright designs compute clusters. Without a verb it opens the window: clusterwright [FILE]", "clusterwright"};
    app.set_version_flag("-V,--version", "clusterwright " + std::string(programVersion()));
    app.require_subcommand(1);
    app.footer("Every verb has --help. Exit status: 0 success, 1 the answer is no, 2 wrong usage or unreadable input.");
    int status = exitOk;

    EstimateArguments estimate;
    auto* estimateCommand = app.add_subcommand("estimate", "the whole estimate of a project");
    addFile(estimateCommand, estimate.file);
    estimateCommand->add_option("--alternative", estimate.alternative, "only this one (name, id or letter)");
    estimateCommand->add_option("--workload", estimate.workload, "only this one (name or id)");
    estimateCommand->add_option("--explain", estimate.explain, "print how one figure came about, e.g. throughput, step, power.it, cost.tco");
    estimateCommand->add_flag("--require-targets", estimate.requireTargets, "exit with 1 where a target is missed");
    auto* simulateFlag = estimateCommand->add_flag("--simulate", estimate.simulate,
                                                   "latencies by discrete-event simulation instead of the closed form");
    estimateCommand->add_option("--seed", estimate.seed, "of the simulation (1); the same seed gives the same figures")->needs(simulateFlag);
    addFormat(estimateCommand, estimate.format);
    estimateCommand->callback([&] { status = estimateVerb(estimate); });

    CompareArguments compare;
    auto* compareCommand = app.add_subcommand("compare", "all alternatives side by side against the baseline and the targets");
    addFile(compareCommand, compare.file);
    compareCommand->add_option("--workload", compare.workload, "only this one (name or id)");
    compareCommand->add_flag("--require-targets", compare.requireTargets, "exit with 1 where no alternative meets all targets");
    addFormat(compareCommand, compare.format);
    compareCommand->callback([&] { status = compareVerb(compare); });

    CheckArguments check;
    auto* checkCommand = app.add_subcommand("check", "findings only; exits with 1 where one is an error");
    addFile(checkCommand, check.file);
    checkCommand->add_option("--alternative", check.alternative, "only this one (name, id or letter)");
    addFormat(checkCommand, check.format);
    checkCommand->callback([&] { status = checkVerb(check); });

    ExportArguments exported;
    auto* exportCommand = app.add_subcommand("export", "write a document; the format follows the ending of OUT");
    addFile(exportCommand, exported.file);
    exportCommand->add_option("--to", exported.to, "the file to write")->required()->option_text("OUT");
    exportCommand->add_option("--what", exported.what,
                              "report (pdf, html), bom (csv, xlsx), diagram (svg, png), racks (svg, png), charts (svg, png), "
                              "simgrid (xml), window (png); what is left out follows the ending")
        ->option_text("WHAT");
    exportCommand->add_option("--alternative", exported.alternative, "the design documented in full (default: the baseline)");
    exportCommand->add_flag("--dark", exported.dark, "pictures in the dark theme");
    exportCommand->callback([&] { status = exportVerb(exported); });

    ImportArguments imported;
    auto* importCommand = app.add_subcommand("import", "make or extend a project out of foreign files");
    importCommand->add_option("INPUT", imported.inputs, "the files to read")->required()->option_text("INPUT …");
    importCommand->add_option("--from", imported.from, "trace: a CSV of requests (time, prompt tokens, output tokens) as the load of a workload")
        ->required()
        ->option_text("FORMAT");
    importCommand->add_option("--to", imported.to, "the project: extended where it exists, else made")->required()->option_text("FILE");
    importCommand->add_option("--workload", imported.workload, "the workload that gets the load (default: trace)")->option_text("NAME");
    importCommand->callback([&] { status = importVerb(imported); });

    ValidateArguments validate;
    auto* validateCommand = app.add_subcommand("validate", "predict published measurements and print the errors");
    validateCommand->add_option("FILE", validate.files, "tables of measurements (CSV), - for standard input")->required();
    validateCommand->add_option("--family", validate.families, "only rows of these families");
    validateCommand->add_option("--explain", validate.explain, "print how the figures of one row came about (its id, or \"line N\")")
        ->option_text("ROW");
    validateCommand->add_option("--page", validate.page, "write the accuracy page (Markdown) to this file")->option_text("OUT");
    validateCommand->add_option("--tables", validate.tables, "write the page's figures for the window (C++) to this file")->option_text("OUT");
    addFormat(validateCommand, validate.format);
    validateCommand->callback([&] { status = validateVerb(validate); });

    ExamplesArguments examples;
    auto* examplesCommand = app.add_subcommand("examples", "the shipped projects; example:NAME stands for one of them wherever a FILE is asked for");
    examplesCommand->add_option("--page", examples.page, "write the page of field cases (Markdown) to this file")->option_text("OUT");
    addFormat(examplesCommand, examples.format);
    examplesCommand->callback([&] { status = examplesVerb(examples); });

    CatalogArguments catalog;
    auto* catalogCommand = app.add_subcommand("catalog", "parts, their facts and their sources");
    catalogCommand->require_subcommand(1);
    const auto addCatalog = [&](const char* name, const char* help) {
        auto* command = catalogCommand->add_subcommand(name, help);
        addFormat(command, catalog.format);
        command->callback([&catalog, &status, name] {
            catalog.verb = name;
            status = catalogVerb(catalog);
        });
        return command;
    };
    auto* list = addCatalog("list", "all parts, or those that match a search such as \"gpu>=80GB 400G\"");
    list->add_option("QUERY", catalog.query, "words and properties");
    list->add_option("--kind", catalog.kind, "gpu, cpu, server, switch, medium, rack, pdu, cooling, cloud_instance, model, …");
    addCatalog("show", "everything known of one part")->add_option("ID", catalog.query, "part id")->required();
    addCatalog("check", "consistency of the whole catalog; exits with 1 on a fault");

    BenchArguments bench;
    auto* benchCommand = app.add_subcommand("bench", "measure the program on this machine");
    benchCommand->add_option("--only", bench.only, "only these figures")->option_text("NAME …");
    benchCommand->add_flag("--probe-start", bench.probeStart)->group(""); // hidden: run by startup_ms
    addFormat(benchCommand, bench.format);
    benchCommand->callback([&] { status = benchVerb(bench); });

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const bool asked = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
        app.exit(error);
        return asked ? exitOk : exitUsage;
    }
    std::cout.flush();
    if (!std::cout || std::fflush(stdout) != 0 || std::ferror(stdout)) {
        message("the output could not be written");
        return exitUsage;
    }
    return status;
}

} // namespace cw::cli
