// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/finding_sentences.h"

#include <QtGlobal>

namespace cw {

namespace {

#define S(text) QT_TRANSLATE_NOOP("Findings", text)

// What is wrong with a drawing: model/checks.
constexpr FindingSentence sentences[] = {
    {"part.missing", S("{name} has no part"), S("Choose one of the catalog: {expected}.")},
    {"part.unknown", S("{name}: {part} is not in the catalog"),
     S("A part of this kind is wanted: {expected}. Until then its figures read “?”.")},
    {"part.wrong_kind", S("{name}: {part} cannot stand there"), S("It is of the kind {kind}; what would do: {expected}.")},
    {"part.faulty", S("The own part {part} cannot be read"),
     S("Its entry does not say what a part of the kind {kind} must say.")},
    {"count.range", S("{name}: {field} is out of range"), S("{value}, where {low} to {high} is possible.")},
    {"number.range", S("{name}: {field} is out of range"), S("{value}, where {low} to {high} is possible.")},
    {"id.repeated", S("The id {id} stands twice"), S("Every {kind} needs an id of its own.")},
    {"id.shared", S("Two elements share the id {id}"), S("They share their place on the canvas with it.")},
    {"name.repeated", S("Two are called {name}"), S("Names should tell them apart.")},
    {"link.to_nowhere", S("{link} ends nowhere"), S("There is no stack {end}.")},
    {"link.self", S("{link} cannot start and end at one stack"),
     S("The pattern {pattern} needs two; what would do: {expected}.")},
    {"link.pattern", S("{link} cannot be cabled as {pattern}"), S("It needs {expected}; there is {found}.")},
    {"link.medium_missing", S("{link} has no medium"), S("Choose what it is made of.")},
    {"link.medium_unknown", S("{link}: the medium {medium} is not in the catalog"), S("Its bandwidth is taken from the ports.")},
    {"link.protocol_unknown", S("{link}: the protocol {protocol} is not in the catalog"),
     S("The usual one of the medium is assumed.")},
    {"node.disconnected", S("{node} is not connected"), S("{count} machines, and no cable.")},
    {"ports.type", S("{node} has no ports for {medium}"), S("{link} cannot be plugged in there: {ports}.")},
    {"ports.exceeded", S("{node} has too few ports"),
     S("{used} cables want {available} ports, {missing} too many. Links: {links}.")},
    {"rack.unknown_node", S("{rack} holds what is not there"), S("There is no stack {node}.")},
    {"rack.overfull", S("{rack} is too full"), S("{used} of {height} rack units.")},
    {"rack.overlap", S("Two things stand in one place of {rack}"), S("{node} at unit {u}, where {other} is.")},
    {"rack.placed_twice", S("Racks hold more of {node} than there is"), S("{placed} stand in racks, {count} exist.")},
    {"frame.unknown", S("{name} stands in a frame that is not there"), S("There is no frame {frame}.")},
    {"frame.cycle", S("Frames stand in each other"), S("{frames}: one has to come out.")},
    {"workload.model_missing", S("{workload} has no model"), S("Choose a model, or give the numbers of one item.")},
    {"workload.model_unknown", S("{workload}: the model {model} is not in the catalog"),
     S("Without it nothing can be said of the workload.")},
    {"workload.beyond_context", S("{workload} is longer than the model can see"), S("{tokens} tokens; {model} takes {context}.")},
    {"pipeline.empty", S("{workload} has no stages"), S("A pipeline needs at least one.")},
    {"pipeline.contains_itself", S("{workload} is a stage of itself"),
     S("A pipeline cannot contain itself, also not over others.")},
    {"pipeline.unknown_workload", S("{workload}: stage {stage} runs nothing"), S("There is no workload {unknown}.")},
    {"pipeline.unknown_stage", S("{workload}: an arrow ends nowhere"), S("There is no stage {stage}.")},
    {"placement.empty", S("A placement runs on nothing"), S("It names no stack.")},
    {"placement.unknown_node", S("A placement runs where nothing is"), S("There is no stack {node}.")},
    {"placement.unknown_workload", S("A placement has no workload"), S("There is no workload {workload}.")},
    {"placement.unknown_stage", S("A placement runs a stage that is not there"), S("{workload} has no stage {stage}.")},
    {"placement.on_switch", S("{node} cannot compute"), S("A workload is placed on a switch.")},
    {"placement.shares", S("Shares of {workload} do not make up the whole"), S("Its placements take {sum} of what arrives.")},
};

#undef S

} // namespace

std::span<const FindingSentence> designSentences() { return sentences; }

} // namespace cw
