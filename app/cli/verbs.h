// SPDX-License-Identifier: GPL-3.0-or-later
//
// The verbs of the command line. Each reads its files, does one thing, prints, and returns the exit status.
#pragma once

#include "app/cli/table.h"
#include "model/catalog/catalog.h"
#include "model/design/project.h"

#include <optional>
#include <string>
#include <vector>

namespace cw::cli {

constexpr int exitOk = 0, exitNo = 1, exitUsage = 2;

/// A project file that was read, with the catalog its estimates use. Messages have gone to standard error.
struct LoadedProject {
    Project project;
    Catalog catalog;
};
/// Empty when the file cannot be used (status exitUsage). "-" reads standard input; "example:NAME" reads a shipped example.
std::optional<LoadedProject> load(const std::string& file);

/// Shipped catalog with the user's own parts folder laid over; faults of the folder go to standard error.
Catalog userCatalog();

/// The alternatives asked for: all, or the one of this name or id. Empty (with a message naming the choices) when there is none.
std::vector<const Alternative*> chosenAlternatives(const Project& project, const std::string& name);

struct EstimateArguments {
    std::string file, alternative, workload, explain;
    Format format = Format::table;
    bool requireTargets = false;
    bool simulate = false;
    std::uint64_t seed = 1; ///< of the simulation
};
int estimateVerb(const EstimateArguments&);

struct CompareArguments {
    std::string file, workload;
    Format format = Format::table;
    bool requireTargets = false;
};
int compareVerb(const CompareArguments&);

struct CheckArguments {
    std::string file, alternative;
    Format format = Format::table;
};
int checkVerb(const CheckArguments&);

struct ExamplesArguments {
    std::string page; ///< write docs/field-cases.md here
    Format format = Format::table;
};
int examplesVerb(const ExamplesArguments&);

struct CatalogArguments {
    std::string verb, query, kind;
    Format format = Format::table;
};
int catalogVerb(const CatalogArguments&);

struct ExportArguments {
    std::string file, to, what, alternative;
    bool dark = false;
};
int exportVerb(const ExportArguments&);

struct ImportArguments {
    std::vector<std::string> inputs;
    std::string from, to, workload;
};
/// Makes or extends a project out of foreign files.
int importVerb(const ImportArguments&);

struct ValidateArguments {
    std::vector<std::string> files, families;
    std::string explain, page, tables; ///< page: write docs/accuracy.md here; tables: the same figures as C++
    Format format = Format::table;
};
int validateVerb(const ValidateArguments&);

struct BenchArguments {
    std::vector<std::string> only;
    bool probeStart = false; ///< what startup_ms runs in a process of its own
    Format format = Format::table;
};
int benchVerb(const BenchArguments&);

void print(const std::string& text);   ///< standard output
void message(const std::string& text); ///< standard error, one line

} // namespace cw::cli
