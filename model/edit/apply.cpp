// SPDX-License-Identifier: GPL-3.0-or-later
//
// Applying an edit: change by change, or a whole run of removals or insertions of one list in one pass, which is what deleting half a
// large drawing and taking that back consist of.
#include "model/assert.h"
#include "model/edit/element_lists.h"

#include <span>
#include <unordered_set>

namespace cw {
namespace {

constexpr std::size_t shortestRun = 8;

tl::unexpected<Error> misfit(const ElementRef& ref, std::string expected, std::string found) {
    return fail({describe(ref), std::move(expected), std::move(found), "The change does not fit the project."});
}

bool isNone(const Element& element) { return std::holds_alternative<std::monostate>(element); }

/// One change of one element. What it finds out about positions is written into the change.
class Step {
public:
    Step(Project& project, Change& change)
        : m_project(project)
        , m_change(change) {}

    Expected<void> run() {
        switch (m_change.ref.kind) {
        case ElementKind::meta:
            return single(m_project.meta);
        case ElementKind::site:
            return single(m_project.site);
        case ElementKind::baseline:
            return single(m_project.baseline);
        case ElementKind::view:
            return view();
        case ElementKind::alternative:
            if (std::holds_alternative<AlternativeHead>(m_change.after))
                return head();
            break;
        default:
            break;
        }
        Expected<void> result;
        if (!withList(m_project, m_change.ref, [&](auto& list) { result = inList(list); }))
            return misfit(m_change.ref, "an alternative of the project", m_change.ref.alternative.value);
        return result;
    }

private:
    Expected<void> otherThanExpected() const { return misfit(m_change.ref, "what the change was made for", "something else"); }

    template <class T> Expected<void> single(T& value) {
        const T* before = std::get_if<T>(&m_change.before);
        const T* after = std::get_if<T>(&m_change.after);
        if (!before || !after || !(*before == value))
            return otherThanExpected();
        value = *after;
        return {};
    }

    Expected<void> head() {
        for (Alternative& alternative : m_project.alternatives)
            if (alternative.id.value == m_change.ref.id) {
                const auto* before = std::get_if<AlternativeHead>(&m_change.before);
                if (!before || !(*before == headOf(alternative)))
                    return otherThanExpected();
                const auto& after = std::get<AlternativeHead>(m_change.after);
                alternative.name = after.name;
                alternative.notes = after.notes;
                alternative.procurement = after.procurement;
                return {};
            }
        return misfit(m_change.ref, "an alternative of the project", "none");
    }

    Expected<void> view() {
        auto& items = m_project.view.items;
        const auto found = items.find(m_change.ref.id);
        const auto* before = std::get_if<ItemView>(&m_change.before);
        const bool absent = isNone(m_change.before);
        if (absent ? found != items.end() : found == items.end() || !before || !(*before == found->second))
            return otherThanExpected();
        if (const auto* after = std::get_if<ItemView>(&m_change.after)) {
            if (absent)
                items.emplace(m_change.ref.id, *after);
            else
                found->second = *after;
        } else if (!isNone(m_change.after))
            return otherThanExpected();
        else if (!absent)
            items.erase(found);
        return {};
    }

    template <class T> std::ptrdiff_t positionIn(const std::vector<T>& list) const {
        const auto holds = [this](const T& element) { return element.id.value == m_change.ref.id; };
        const auto hint = static_cast<std::size_t>(m_change.indexBefore);
        if (m_change.indexBefore >= 0 && hint < list.size() && holds(list[hint]))
            return static_cast<std::ptrdiff_t>(hint);
        return std::find_if(list.begin(), list.end(), holds) - list.begin();
    }

    template <class T> Expected<void> inList(std::vector<T>& list) {
        const T* before = std::get_if<T>(&m_change.before);
        const T* after = std::get_if<T>(&m_change.after);
        const bool known = (before || isNone(m_change.before)) && (after || isNone(m_change.after));
        if (!known || (after && after->id.value != m_change.ref.id))
            return misfit(m_change.ref, "an element of this kind and id", "another");
        const auto size = static_cast<std::ptrdiff_t>(list.size());
        const std::ptrdiff_t at = positionIn(list);
        if (!before) {
            if (!after)
                return {};
            if (at != size)
                return misfit(m_change.ref, "an id that is free", "one in use");
            const std::ptrdiff_t index = m_change.indexAfter < 0 ? size : std::min<std::ptrdiff_t>(m_change.indexAfter, size);
            list.insert(list.begin() + index, *after);
            note(-1, index);
            return {};
        }
        if (at == size)
            return misfit(m_change.ref, "an element of the project", "none");
        if (!(list[static_cast<std::size_t>(at)] == *before))
            return otherThanExpected();
        if (!after) {
            list.erase(list.begin() + at);
            note(at, -1);
            return {};
        }
        list[static_cast<std::size_t>(at)] = *after;
        note(at, moveTo(list, at));
        return {};
    }

    /// Where the element is afterwards; a change moves it when it has two positions that differ.
    template <class T> std::ptrdiff_t moveTo(std::vector<T>& list, std::ptrdiff_t at) const {
        if (m_change.indexAfter < 0 || m_change.indexBefore < 0 || m_change.indexAfter == m_change.indexBefore)
            return at;
        const auto index = std::min<std::ptrdiff_t>(m_change.indexAfter, static_cast<std::ptrdiff_t>(list.size()) - 1);
        if (index > at)
            std::rotate(list.begin() + at, list.begin() + at + 1, list.begin() + index + 1);
        else
            std::rotate(list.begin() + index, list.begin() + at, list.begin() + at + 1);
        return index;
    }

    void note(std::ptrdiff_t before, std::ptrdiff_t after) {
        m_change.indexBefore = static_cast<int>(before);
        m_change.indexAfter = static_cast<int>(after);
    }

    Project& m_project;
    Change& m_change;
};

/// Removals of one list in falling order of their true positions: one pass. False, with nothing done, when they are not quite that.
template <class T> bool removeRun(std::vector<T>& list, std::span<Change> run) {
    int last = static_cast<int>(list.size());
    for (const Change& change : run) {
        const T* before = std::get_if<T>(&change.before);
        if (!before || change.indexBefore < 0 || change.indexBefore >= last || change.ref.id != before->id.value ||
            !(list[static_cast<std::size_t>(change.indexBefore)] == *before))
            return false;
        last = change.indexBefore;
    }
    std::size_t kept = static_cast<std::size_t>(last);
    auto next = run.rbegin();
    for (std::size_t at = kept; at < list.size(); ++at) {
        if (next != run.rend() && static_cast<std::size_t>(next->indexBefore) == at) {
            next->indexAfter = -1;
            ++next;
        } else {
            list[kept++] = std::move(list[at]);
        }
    }
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(kept), list.end());
    return true;
}

/// Insertions into one list in rising order of position (-1: the end): one pass. False, with nothing done, when they are not quite that.
template <class T> bool insertRun(std::vector<T>& list, std::span<Change> run) {
    std::unordered_set<std::string_view> taken;
    for (const T& element : list)
        taken.insert(element.id.value);
    std::size_t size = list.size();
    int last = -1;
    for (const Change& change : run) {
        const T* after = std::get_if<T>(&change.after);
        const int index = change.indexAfter < 0 ? static_cast<int>(size) : change.indexAfter;
        if (!after || after->id.value != change.ref.id || !taken.insert(after->id.value).second || index <= last ||
            static_cast<std::size_t>(index) > size)
            return false;
        last = index;
        ++size;
    }
    std::vector<T> result;
    result.reserve(size);
    auto old = std::make_move_iterator(list.begin());
    std::size_t filled = list.size();
    for (Change& change : run) {
        const auto index = static_cast<std::size_t>(change.indexAfter < 0 ? static_cast<int>(filled) : change.indexAfter);
        while (result.size() < index)
            result.push_back(*old++);
        result.push_back(std::get<T>(change.after));
        change.indexBefore = -1;
        change.indexAfter = static_cast<int>(index);
        ++filled;
    }
    while (result.size() < size)
        result.push_back(*old++);
    list = std::move(result);
    return true;
}

/// The changes from the first on that remove from, or insert into, one list.
std::span<Change> runAt(std::span<Change> changes) {
    const Change& first = changes.front();
    const bool removes = isNone(first.after), inserts = isNone(first.before);
    if (removes == inserts)
        return {};
    std::size_t length = 0;
    for (const Change& change : changes) {
        if (change.ref.kind != first.ref.kind || change.ref.alternative != first.ref.alternative ||
            isNone(change.after) != removes || isNone(change.before) != inserts)
            break;
        ++length;
    }
    return changes.first(length);
}

bool applyRun(Project& project, std::span<Change> run) {
    bool done = false;
    const bool removes = isNone(run.front().after);
    withList(project, run.front().ref, [&](auto& list) { done = removes ? removeRun(list, run) : insertRun(list, run); });
    return done;
}

Expected<void> applyRecording(Project& project, Edit& edit) {
    const std::span<Change> changes = edit.changes;
    for (std::size_t done = 0; done < changes.size();) {
        const std::span<Change> run = runAt(changes.subspan(done));
        if (run.size() >= shortestRun && applyRun(project, run)) {
            done += run.size();
            continue;
        }
        const auto result = Step(project, changes[done]).run();
        if (result) {
            ++done;
            continue;
        }
        for (; done > 0; --done) {
            Change& made = changes[done - 1];
            Change back{made.ref, made.after, made.before, made.indexAfter, made.indexBefore};
            CW_ASSERT(Step(project, back).run().has_value()); // it takes back what was just made
        }
        return fail(result.error());
    }
    return {};
}

} // namespace

Expected<void> apply(Project& project, const Edit& edit) {
    Edit copy = edit;
    return applyRecording(project, copy);
}

Expected<Edit> applied(Project& project, Edit edit) {
    if (const auto result = applyRecording(project, edit); !result)
        return fail(result.error());
    return edit;
}

} // namespace cw
