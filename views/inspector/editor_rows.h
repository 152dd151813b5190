// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows behind FieldRow::make(): text and numbers, choices, flags, parts, figures, meters, own widgets. Private to the inspector.
#pragma once

#include "views/inspector/field_rows.h"

namespace cw {

FieldRow* makeEditorRow(const FormField& field, FormHost& host, QWidget* parent);

} // namespace cw
