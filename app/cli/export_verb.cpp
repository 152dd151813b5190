// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/window_picture.h"
#include "views/documents/export.h"

#include <QFileInfo>

namespace cw::cli {

namespace {

EstimateSet estimateAll(const LoadedProject& loaded)
{
    EstimateSet set;
    set.project = loaded.project;
    for (const Alternative& alternative : set.project.alternatives)
        set.alternatives.push_back(std::make_shared<const AlternativeEstimate>(estimate(set.project, alternative, loaded.catalog)));
    return set;
}

int refuse(const Error& error)
{
    message(error.text());
    return exitUsage;
}

} // namespace

int exportVerb(const ExportArguments& arguments)
{
    const QString path = QString::fromStdString(arguments.to), what = QString::fromStdString(arguments.what);
    const bool window = what == u"window";
    ExportRequest request;
    request.path = path;
    request.theme = arguments.dark ? ThemeKind::dark : ThemeKind::light;
    if (!window) {
        const auto kind = documentKind(what, path);
        if (!kind)
            return refuse(kind.error());
        request.kind = *kind;
    }
    const auto loaded = load(arguments.file);
    if (!loaded)
        return exitUsage;
    if (!arguments.alternative.empty()) {
        const auto chosen = chosenAlternatives(loaded->project, arguments.alternative);
        if (chosen.empty())
            return exitUsage;
        request.alternative = chosen.front()->id;
    }
    const Expected<void> written = window ? saveWindowPicture(loaded->project, request.alternative, request.theme, path)
                                          : exportDocument(estimateAll(*loaded), request);
    if (!written)
        return refuse(written.error());
    message("wrote " + QFileInfo(path).absoluteFilePath().toStdString());
    return exitOk;
}

} // namespace cw::cli
