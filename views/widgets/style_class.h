// SPDX-License-Identifier: GPL-3.0-or-later
//
// Dynamic properties that the style sheet of views/theme selects by. GUI thread.
#pragma once

class QWidget;

namespace cw {

/// Sets the property "class" ("card", "muted", "bad", "chip", …).
void setStyleClass(QWidget* widget, const char* name);
/// Sets a boolean property such as "invalid"; polishes only when it changes.
void setStyleFlag(QWidget* widget, const char* name, bool on);

} // namespace cw
