// SPDX-License-Identifier: GPL-3.0-or-later
//
// From the fields of a catalog entry to a part: one function per kind, units converted on the way. Faults go to the list behind `Fields`;
// a part read with faults is not to be used.
#pragma once

#include "model/catalog/part.h"
#include "model/catalog/part_fields.h"

#include <span>

namespace cw {

void readPart(Fields& fields, Gpu& gpu);
void readPart(Fields& fields, Cpu& cpu);
void readPart(Fields& fields, Server& server);
void readPart(Fields& fields, Switch& device);
void readPart(Fields& fields, Medium& medium);
void readPart(Fields& fields, Protocol& protocol);
void readPart(Fields& fields, RackType& rack);
void readPart(Fields& fields, Pdu& pdu);
void readPart(Fields& fields, Cooling& cooling);
void readPart(Fields& fields, CloudInstance& instance);
void readPart(Fields& fields, NeuralModel& model);
void readPart(Fields& fields, Region& region);
void readPart(Fields& fields, Constants& constants);

/// An empty part of a kind; nothing for an unknown name.
std::optional<Part> emptyPart(std::string_view kind);
/// "gpu, cpu, …"
std::string allKindNames();

} // namespace cw
