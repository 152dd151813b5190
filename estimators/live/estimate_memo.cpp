// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/live/estimate_memo.h"

namespace cw {

namespace {

/// A few revisions of a few alternatives: undo, redo and dragging back and forth.
constexpr std::size_t mostEntries = 32;

bool sameQuestions(const Project& a, const Project& b) { return &a == &b || (a.site == b.site && a.workloads == b.workloads); }

} // namespace

EstimateMemo::Result EstimateMemo::find(const Project& project, std::size_t index, const Catalog& catalog) const {
    const Alternative& alternative = project.alternatives[index];
    for (const Entry& entry : m_entries) {
        const Alternative& known = entry.project->alternatives[entry.index];
        if (known.id == alternative.id && entry.result->catalog.hash() == catalog.hash() && known == alternative &&
            sameQuestions(*entry.project, project))
            return entry.result;
    }
    return nullptr;
}

void EstimateMemo::insert(Snapshot project, std::size_t index, Result result) {
    m_entries.push_front({std::move(project), index, std::move(result)});
    if (m_entries.size() > mostEntries)
        m_entries.pop_back();
}

void EstimateMemo::improve(const Result& known, const Result& better) {
    for (Entry& entry : m_entries)
        if (entry.result == known)
            entry.result = better;
}

} // namespace cw
