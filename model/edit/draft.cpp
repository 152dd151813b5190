// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/edit/draft.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace cw {

Draft::Draft(const Project& project, std::string name, std::string mergeKey)
    : m_project(project) {
    m_edit.name = std::move(name);
    m_edit.mergeKey = std::move(mergeKey);
}

void Draft::insert(const ElementRef& ref, Element element, int index) {
    m_insertions.push_back({ref, {}, std::move(element), -1, index});
}

void Draft::change(const ElementRef& ref, Element before, Element after) {
    m_edit.changes.push_back({ref, std::move(before), std::move(after), -1, -1});
}

void Draft::setView(const AlternativeId& alternative, const std::string& element, const ItemView& view) {
    const ElementRef ref{ElementKind::view, {}, viewKey(alternative, element)};
    m_views.push_back({ref, elementAt(m_project, ref), view, -1, -1});
}

void Draft::removeView(const AlternativeId& alternative, const std::string& element) {
    const ElementRef ref{ElementKind::view, {}, viewKey(alternative, element)};
    m_views.push_back({ref, elementAt(m_project, ref), {}, -1, -1});
}

void Draft::remove(const ElementRef& ref, Element before, int index) {
    m_removals.push_back({ref, std::move(before), {}, index, -1});
}

Edit Draft::finish() {
    std::vector<std::size_t> order(m_removals.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    // List by list, from its end: what leaves one list then goes in one pass.
    std::stable_sort(order.begin(), order.end(), [this](std::size_t left, std::size_t right) {
        const Change &a = m_removals[left], &b = m_removals[right];
        if (a.ref.kind != b.ref.kind)
            return a.ref.kind < b.ref.kind;
        if (a.ref.alternative != b.ref.alternative)
            return a.ref.alternative < b.ref.alternative;
        return a.indexBefore > b.indexBefore;
    });
    m_edit.changes.reserve(m_edit.changes.size() + m_removals.size() + m_insertions.size() + m_views.size());
    for (const std::size_t at : order)
        m_edit.changes.push_back(std::move(m_removals[at]));
    for (std::vector<Change>* part : {&m_insertions, &m_views})
        std::move(part->begin(), part->end(), std::back_inserter(m_edit.changes));
    return withoutNoOps(std::move(m_edit));
}

} // namespace cw
