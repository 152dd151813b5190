// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/finding_sentences.h"

#include <QtGlobal>

namespace cw {

namespace {

#define S(text) QT_TRANSLATE_NOOP("Findings", text)

// What is wrong with a drawing: model/checks.
constexpr FindingSentence sentences[] = {
    {"part.missing", S("{name} has no part"),
     S("It needs: {expected}.")},
    {"part.unknown", S("The part of {name} is unknown"),
     S("The catalog has no “{part}” ({expected}). Choose another, or add it as an own part.")},
    {"part.wrong_kind", S("{name} has a part of the wrong kind"),
     S("“{part}” is of kind {kind}; expected: {expected}.")},
    {"part.faulty", S("Own part “{part}” cannot be read"),
     S("Its facts have faults, so the shipped part of this id (if any) is used. Open it in the parts list.")},
    {"count.range", S("{name}: {field} is out of range"),
     S("{value}, where {low} to {high} makes sense.")},
    {"number.range", S("{name}: {field} is out of range"),
     S("{value}, where {low} to {high} makes sense.")},
    {"id.repeated", S("Two elements share the id “{id}”"),
     S("Of kind {kind}. Only the first one counts.")},
    {"id.shared", S("Elements of different kinds share the id “{id}”"),
     S("Their drawings would share a place.")},
    {"name.repeated", S("Two are called “{name}”"),
     S("In tables and documents they cannot be told apart.")},
    {"link.to_nowhere", S("{link} ends nowhere"),
     S("There is no “{end}” in this alternative.")},
    {"link.self", S("{link} goes from a stack to itself"),
     S("Pattern {pattern} wants {expected}; this is {found}.")},
    {"link.pattern", S("{link} cannot be cabled as {pattern}"),
     S("Expected {expected}; found {found}.")},
    {"link.medium_missing", S("{link} has no medium"),
     S("What is it made of?")},
    {"link.medium_unknown", S("The medium of {link} is unknown"),
     S("The catalog has no “{medium}”.")},
    {"link.protocol_unknown", S("The protocol of {link} is unknown"),
     S("The catalog has no “{protocol}”; the usual one of the medium counts.")},
    {"node.disconnected", S("{node} has no cable"),
     S("{count} machines that reach nobody.")},
    {"ports.type", S("{medium} does not fit {node}"),
     S("{link} needs other ports than it has: {ports}.")},
    {"ports.exceeded", S("{node} has too few ports"),
     S("{used} cables want {available} ports, {missing} too many. Links: {links}.")},
    {"rack.unknown_node", S("{rack} holds a stack that is not there"),
     S("There is no “{node}” in this alternative.")},
    {"rack.overfull", S("{rack} is over-full"),
     S("{used} U in a rack of {height} U.")},
    {"rack.overlap", S("Machines overlap in {rack}"),
     S("{node} at U {u} reaches into {other}.")},
    {"rack.placed_twice", S("More of {node} stand in racks than there are"),
     S("{placed} placed, {count} in the stack.")},
    {"frame.unknown", S("{name} stands in a frame that is not there"),
     S("There is no frame “{frame}”.")},
    {"frame.cycle", S("Frames contain each other"),
     S("{frames}")},
    {"workload.model_missing", S("{workload} has no model"),
     S("Choose a neural network, or give the numbers.")},
    {"workload.model_unknown", S("The model of {workload} is unknown"),
     S("The catalog has no “{model}”.")},
    {"workload.beyond_context", S("{workload} goes beyond what its model can look at"),
     S("{tokens} tokens; {model} takes {context}.")},
    {"pipeline.empty", S("{workload} has no stages"),
     S("Add some in the inspector.")},
    {"pipeline.contains_itself", S("{workload} is a stage of itself"),
     S("Such a pipeline never ends.")},
    {"pipeline.unknown_workload", S("Stage {stage} of {workload} does what is not there"),
     S("Choose another workload, or a fixed time.")},
    {"pipeline.unknown_stage", S("A route of {workload} ends at no stage"),
     S("There is no stage “{stage}”.")},
    {"placement.empty", S("A placement of {placement} is on no machine"),
     S("Choose machines, or remove it.")},
    {"placement.unknown_node", S("A workload is placed on what is not there"),
     S("There is no “{node}” in this alternative.")},
    {"placement.unknown_workload", S("Something runs here that is not in the project"),
     S("There is no workload “{workload}”.")},
    {"placement.unknown_stage", S("{workload} has no such stage"),
     S("A placement serves “{stage}”.")},
    {"placement.on_switch", S("A workload is placed on a switch"),
     S("{node} computes nothing.")},
    {"placement.shares", S("The shares of {workload} do not add up"),
     S("They sum to {sum}.")},
};

#undef S

} // namespace

std::span<const FindingSentence> designSentences() { return sentences; }

} // namespace cw
