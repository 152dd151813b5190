// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/user_files.h"
#include "estimators/estimate.h"
#include "model/io/project_file.h"
#include "resources/embedded.h"
#include "views/plots/chart_data.h"

#include <cstdio>
#include <iostream>
#include <iterator>

namespace cw::cli {

namespace {

ReadResult read(const std::string& file)
{
    constexpr std::string_view exampleScheme = "example:";
    if (file == "-") {
        std::string text;
        char buffer[65536];
        while (text.size() <= maxFileBytes) {
            std::cin.read(buffer, sizeof buffer);
            text.append(buffer, static_cast<std::size_t>(std::cin.gcount()));
            if (!std::cin)
                break;
        }
        return readProject(text, "standard input");
    }
    if (file.starts_with(exampleScheme)) {
        const std::string name = file.substr(exampleScheme.size());
        for (const Example& example : shippedExamples())
            if (example.name.toStdString() == name)
                return readProject(example.text, file);
        ReadResult result;
        std::string names;
        for (const Example& example : shippedExamples())
            names += (names.empty() ? "" : ", ") + example.name.toStdString();
        result.errors.push_back({file, names, name, "There is no such example"});
        return result;
    }
    return readProjectFile(file);
}

} // namespace

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void message(const std::string& text) { std::fprintf(stderr, "clusterwright: %s\n", text.c_str()); }

Catalog userCatalog()
{
    UserCatalog own = readUserCatalog();
    for (const Error& error : own.errors)
        message(error.text());
    return own.catalog;
}

std::optional<LoadedProject> load(const std::string& file)
{
    ReadResult result = read(file);
    constexpr std::size_t mostMessages = 50;
    std::size_t said = 0;
    for (const auto* list : {&result.errors, &result.warnings})
        for (const Error& error : *list)
            if (said++ < mostMessages)
                message(error.text());
    if (said > mostMessages)
        message("… and " + std::to_string(said - mostMessages) + " more");
    if (!result.ok)
        return std::nullopt;
    const OwnParts own = ownParts(result.project);
    for (const Error& error : own.errors)
        message(error.text());
    Catalog catalog = effectiveCatalog(result.project, userCatalog());
    return LoadedProject{std::move(result.project), std::move(catalog)};
}

std::vector<const Alternative*> chosenAlternatives(const Project& project, const std::string& name)
{
    std::vector<const Alternative*> chosen;
    int index = 0;
    for (const Alternative& alternative : project.alternatives) {
        if (name.empty() || alternative.name == name || alternative.id.value == name || alternativeLetter(index).toStdString() == name)
            chosen.push_back(&alternative);
        ++index;
    }
    if (chosen.empty()) {
        std::string names;
        for (const Alternative& alternative : project.alternatives)
            names += (names.empty() ? "" : ", ") + alternative.name;
        message(project.alternatives.empty() ? "the project has no alternatives"
                                             : "there is no alternative \"" + name + "\"; the project has: " + names);
    }
    return chosen;
}

} // namespace cw::cli
