// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two edits as one: typing, scrubbing and nudging leave a single step on the undo stack.
#include "model/edit/edit.h"

#include <algorithm>

namespace cw {
namespace {

bool inserts(const Change& change) { return std::holds_alternative<std::monostate>(change.before); }
bool removes(const Change& change) { return std::holds_alternative<std::monostate>(change.after); }
bool moves(const Change& change) {
    return !inserts(change) && !removes(change) && change.indexBefore >= 0 && change.indexAfter >= 0 &&
        change.indexBefore != change.indexAfter;
}
/// Positions of other elements of its list depend on it.
bool shifts(const Change& change) {
    return change.ref.kind != ElementKind::view && (inserts(change) || removes(change) || moves(change));
}

bool sameList(const ElementRef& a, const ElementRef& b) { return a.kind == b.kind && a.alternative == b.alternative; }

/// A whole alternative holds the elements that other changes name, so nothing may be drawn past it.
bool holdsOthers(const Change& change) {
    return std::holds_alternative<Alternative>(change.before) || std::holds_alternative<Alternative>(change.after);
}

/// Puts `later` into the change at `at`, which concerns the same element; false when the two cannot be one.
bool fold(std::vector<Change>& changes, std::size_t at, const Change& later) {
    Change& earlier = changes[at];
    if (earlier.after.index() != later.before.index() && !removes(earlier))
        return false; // a head of an alternative and the whole of it
    const auto disturbed = [&] {
        return std::any_of(changes.begin() + static_cast<std::ptrdiff_t>(at) + 1, changes.end(),
                           [&](const Change& between) { return shifts(between) && sameList(between.ref, later.ref); });
    };
    const bool positional = shifts(later) || removes(earlier) || moves(earlier);
    if (positional && disturbed())
        return false;
    if (inserts(earlier) && removes(later)) {
        changes.erase(changes.begin() + static_cast<std::ptrdiff_t>(at));
        return true;
    }
    if (removes(earlier) && inserts(later) && earlier.indexBefore != later.indexAfter && later.ref.kind != ElementKind::view)
        return false;
    earlier.after = later.after;
    if (shifts(later))
        earlier.indexAfter = later.indexAfter;
    return true;
}

/// The usual case, a drag or nudge of many items: the same elements in the same order, only their values differ.
bool sameElements(const Edit& first, const Edit& second) {
    const auto plain = [](const Change& change) {
        return !inserts(change) && !removes(change) && !moves(change) && !holdsOthers(change);
    };
    return std::equal(first.changes.begin(), first.changes.end(), second.changes.begin(), second.changes.end(),
                      [&plain](const Change& a, const Change& b) {
                          return plain(a) && plain(b) && a.ref == b.ref && a.after.index() == b.before.index();
                      });
}

} // namespace

Edit merged(const Edit& first, const Edit& second) {
    Edit result = first;
    result.name = second.name;
    result.mergeKey = second.mergeKey;
    if (sameElements(first, second)) {
        for (std::size_t at = 0; at < second.changes.size(); ++at)
            result.changes[at].after = second.changes[at].after;
        return withoutNoOps(std::move(result));
    }
    for (const Change& later : second.changes) {
        bool folded = false;
        for (std::size_t at = result.changes.size(); at-- > 0 && !folded;) {
            if (holdsOthers(result.changes[at]) || holdsOthers(later))
                break;
            if (result.changes[at].ref == later.ref) {
                folded = fold(result.changes, at, later);
                break;
            }
        }
        if (!folded)
            result.changes.push_back(later);
    }
    return withoutNoOps(std::move(result));
}

} // namespace cw
