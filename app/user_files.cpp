// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/user_files.h"

#include "model/io/project_file.h"
#include "resources/embedded.h"

#include <QStandardPaths>

namespace cw {

QString userPartsFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/clusterwright/parts");
}

UserCatalog readUserCatalog()
{
    CatalogFile own = readCatalogFolder(userPartsFolder().toStdString());
    UserCatalog result{shippedCatalog(), std::move(own.errors)};
    if (!own.parts.empty())
        result.catalog = result.catalog.with(std::move(own.parts), CatalogLayer::user);
    return result;
}

std::vector<Example> shippedExamples()
{
    std::vector<Example> examples;
    for (std::string_view path : resources::list("examples")) {
        constexpr std::string_view ending = ".cluster.json";
        if (!path.ends_with(ending))
            continue;
        const std::string_view file = path.substr(path.rfind('/') + 1);
        const ReadResult read = readProject(resources::file(path), path);
        Example example;
        example.name = QString::fromUtf8(file.data(), static_cast<qsizetype>(file.size() - ending.size()));
        example.title = read.ok ? QString::fromStdString(read.project.meta.title) : example.name;
        example.notes = QString::fromStdString(read.project.meta.notes);
        example.text = std::string(resources::file(path));
        examples.push_back(std::move(example));
    }
    return examples;
}

} // namespace cw
