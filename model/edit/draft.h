// SPDX-License-Identifier: GPL-3.0-or-later
//
// Collects the changes of one edit against a project that stays as it is. Insertions go to the end of their list; removals are put in
// falling order of position, so that each position is the one at the moment of its change. Owned by one maker of an edit.
#pragma once

#include "model/edit/edit.h"

#include <vector>

namespace cw {

class Draft {
public:
    Draft(const Project& project, std::string name, std::string mergeKey = {});

    void insert(const ElementRef& ref, Element element, int index = -1);
    void change(const ElementRef& ref, Element before, Element after);
    void setView(const AlternativeId& alternative, const std::string& element, const ItemView& view);
    void removeView(const AlternativeId& alternative, const std::string& element);
    /// `index` is the position in the project as it is.
    void remove(const ElementRef& ref, Element before, int index);

    /// Changes, then removals, then insertions, then views; without what changes nothing.
    Edit finish();

private:
    const Project& m_project;
    Edit m_edit;
    std::vector<Change> m_removals, m_insertions, m_views;
};

} // namespace cw
