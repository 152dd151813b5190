// SPDX-License-Identifier: GPL-3.0-or-later
//
// The translation context of the canvas, for functions outside of a QObject, and how a number of elements is named in an undo step.
#pragma once

#include "model/edit/edit.h"
#include "views/text/names.h"

#include <QCoreApplication>

#include <vector>

namespace cw {

struct CanvasText {
    Q_DECLARE_TR_FUNCTIONS(Canvas)

public:
    /// "DGX H100" for one element, "3 items" for more.
    static QString items(const Project& project, const std::vector<ElementRef>& elements) {
        return elements.size() == 1 ? elementName(project, elements.front()) : tr("%1 items").arg(elements.size());
    }
};

} // namespace cw
