// SPDX-License-Identifier: GPL-3.0-or-later
//
// A picture of the whole window on a project, made without a display: for documentation and for `export --what window`.
#pragma once

#include "model/base/error.h"
#include "model/design/project.h"
#include "views/theme/theme.h"

#include <QSize>
#include <QString>

namespace cw {

Expected<void> saveWindowPicture(const Project& project, const AlternativeId& alternative, ThemeKind theme, const QString& path,
                                 QSize size = {1600, 1000});

} // namespace cw
