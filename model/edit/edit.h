// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every change of a project is an Edit: a named list of changes, each "this element was before, is after". Insert has no before,
// remove no after, a move has another index. The inverse is the same list turned round, so undo is exact and there is one
// mechanism instead of a class per command. Elements are addressed by ids, never by pointers.
#pragma once

#include "model/base/error.h"
#include "model/design/project.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cw {

enum class ElementKind : std::uint8_t {
    meta,
    site,
    workload,
    part,
    alternative,
    baseline,
    node,
    link,
    rack,
    frame,
    placement,
    view
};

std::string_view name(ElementKind kind);

/// Names one element. `alternative` is set for node, link, rack, frame, placement; `id` for all but meta, site and baseline.
/// For view the id is the key "<alternative>/<element>".
struct ElementRef {
    ElementKind kind = ElementKind::node;
    AlternativeId alternative;
    std::string id;
    auto operator<=>(const ElementRef&) const = default;
    bool operator==(const ElementRef&) const = default;
};

/// For messages: "node leaf of base".
std::string describe(const ElementRef& ref);

/// Fields of an alternative itself (name, notes, procurement) change with `AlternativeHead`; a whole Alternative is inserted or removed.
struct AlternativeHead {
    std::string name, notes;
    Procurement procurement = Procurement::buy;
    bool operator==(const AlternativeHead&) const = default;
};

AlternativeHead headOf(const Alternative& alternative);

using Element = std::variant<std::monostate, Meta, Site, Workload, OwnPart, Alternative, AlternativeHead, AlternativeId, Node,
                             Link, Rack, Frame, Placement, ItemView>;

struct Change {
    ElementRef ref;
    Element before;       ///< monostate: insert
    Element after;        ///< monostate: remove
    int indexBefore = -1; ///< position in its list; -1: not known or at the end. A move has both, different.
    int indexAfter = -1;
    bool operator==(const Change&) const = default;
};

struct Edit {
    std::string name;     ///< undo text, already for people, e.g. "Move 3 items"
    std::string mergeKey; ///< consecutive edits with the same non-empty key become one (typing, scrubbing, nudging)
    std::vector<Change> changes;
    bool empty() const { return changes.empty(); }
};

/// Applies all changes or none: a change whose `before` is not what the project holds fails with the element named.
Expected<void> apply(Project& project, const Edit& edit);
/// The same, and gives the edit back with every position filled in, so that its inverse restores the project to the byte.
Expected<Edit> applied(Project& project, Edit edit);
Edit inverse(const Edit& edit);

/// `first` then `second` as one edit; changes that cancel out vanish.
Edit merged(const Edit& first, const Edit& second);

/// Drops changes whose before equals after.
Edit withoutNoOps(Edit edit);

/// The element as the project holds it, monostate when absent.
Element elementAt(const Project& project, const ElementRef& ref);

/// Makers of whole edits against a project. They look up `before` and indices themselves and keep references whole.
namespace edits {

Edit set(const Project&, const ElementRef&, Element after, std::string name, std::string mergeKey = {});
Edit insertNode(const Project&, const AlternativeId&, Node, ItemView, std::string name);
Edit insertLink(const Project&, const AlternativeId&, Link, std::string name);
Edit insertRack(const Project&, const AlternativeId&, Rack, ItemView, std::string name);
Edit insertFrame(const Project&, const AlternativeId&, Frame, ItemView, std::string name);
Edit insertPlacement(const Project&, const AlternativeId&, Placement, std::string name);
Edit insertWorkload(const Project&, Workload, std::string name);
/// Removes elements of an alternative with what hangs on them: links of a node, its rack items and placements, children of a frame go
/// up to its parent.
Edit remove(const Project&, const std::vector<ElementRef>&, std::string name);
Edit removeWorkload(const Project&, const WorkloadId&, std::string name);
Edit move(const Project&, const AlternativeId&, const std::map<std::string, ItemView>& byElementId, std::string name,
          std::string mergeKey = {});
/// A deep copy with a new id and name, views included, inserted behind the original.
Edit duplicateAlternative(const Project&, const AlternativeId&, std::string name);
Edit insertAlternative(const Project&, Alternative, std::string name);
Edit removeAlternative(const Project&, const AlternativeId&, std::string name);
Edit moveAlternative(const Project&, const AlternativeId&, int index, std::string name);
/// The members of a stack become single nodes with exactly the cables they had; links, placements and racks follow. Where a pattern to another
/// stack cannot be said for single members (blocks, rails, pairs), that stack is divided too, into as few stacks as keep every cable. At
/// most 4096 parts.
Expected<Edit> explode(const Project&, const AlternativeId&, const NodeId&, std::string name);
/// Nodes of the same part and setting become stacks, one for each kind among them; the first of a kind keeps its id. Their cables must be a
/// pattern together, or the same uplink of each, which the stack then spreads evenly; else the Error names the link.
Expected<Edit> merge(const Project&, const AlternativeId&, const std::vector<NodeId>&, std::string name);

} // namespace edits

/// Elements as JSON text for the clipboard (nodes, inner links, racks, frames, placements, views), and pasting them with fresh ids.
std::string clipboardText(const Project&, const AlternativeId&, const std::vector<ElementRef>&);
Expected<Edit> pasteEdit(const Project&, const AlternativeId&, std::string_view clipboard, double dx, double dy,
                         std::string name);

/// A short id that is free in the alternative, or (empty alternative) among alternatives, workloads and own parts, from a wish ("leaf" gives "leaf", then "leaf-2", …).
std::string freeId(const Project&, const AlternativeId&, std::string_view wish);
/// A name that no node of the alternative has yet.
std::string freeName(const Alternative&, std::string_view wish);

} // namespace cw
