// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a user's files lie (XDG), and the catalog made of the shipped and the user's own parts.
#pragma once

#include "model/catalog/catalog.h"

#include <QString>

#include <vector>

namespace cw {

/// <data>/clusterwright/parts: every *.json there is a catalog file of the user's.
QString userPartsFolder();

struct UserCatalog {
    Catalog catalog;
    std::vector<Error> errors; ///< faults in the user's files; the faulty entries are left out
};
UserCatalog readUserCatalog();

/// A shipped example project: name without ending, title, text.
struct Example {
    QString name, title, notes;
    std::string text;
};
std::vector<Example> shippedExamples();

} // namespace cw
