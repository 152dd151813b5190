// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/edit/draft.h"

#include <algorithm>
#include <iterator>

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
    if (m_removed.insert(ref).second)
        m_removals.push_back({ref, std::move(before), {}, index, -1});
}

Edit Draft::finish() {
    std::stable_sort(m_removals.begin(), m_removals.end(),
                     [](const Change& a, const Change& b) { return a.indexBefore > b.indexBefore; });
    for (std::vector<Change>* part : {&m_removals, &m_insertions, &m_views})
        std::move(part->begin(), part->end(), std::back_inserter(m_edit.changes));
    return withoutNoOps(std::move(m_edit));
}

} // namespace cw
