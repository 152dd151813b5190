// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes a stack one of another part. Pure function.
#pragma once

#include "model/catalog/catalog.h"
#include "model/design/design.h"

namespace cw {

/// A name that only said the part says the new part, and stays free of double names in the alternative.
void setPart(Node& node, const PartId& part, const Alternative& alternative, const Catalog& catalog);

} // namespace cw
