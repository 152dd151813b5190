// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/edit/edit.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace cw {
namespace {

constexpr std::array<std::string_view, 12> kindNames = {"meta", "site", "workload", "part",  "alternative", "baseline",
                                                        "node", "link", "rack",     "frame", "placement",   "view"};

tl::unexpected<Error> misfit(const ElementRef& ref, std::string expected, std::string found) {
    return fail({describe(ref), std::move(expected), std::move(found), "The change does not fit the project."});
}

/// One change of one element. What it finds out about positions is written to `record` (null: not wanted).
class Step {
public:
    Step(Project& project, const Change& change, Change* record)
        : m_project(project)
        , m_change(change)
        , m_record(record) {}

    Expected<void> run() {
        switch (m_change.ref.kind) {
        case ElementKind::meta:
            return single(m_project.meta);
        case ElementKind::site:
            return single(m_project.site);
        case ElementKind::baseline:
            return single(m_project.baseline);
        case ElementKind::workload:
            return inList(m_project.workloads);
        case ElementKind::part:
            return inList(m_project.parts);
        case ElementKind::alternative:
            return std::holds_alternative<AlternativeHead>(m_change.after) ? head() : inList(m_project.alternatives);
        case ElementKind::view:
            return view();
        default:
            break;
        }
        const auto alternative = std::find_if(m_project.alternatives.begin(), m_project.alternatives.end(),
                                              [this](const Alternative& other) { return other.id == m_change.ref.alternative; });
        if (alternative == m_project.alternatives.end())
            return misfit(m_change.ref, "an alternative of the project", m_change.ref.alternative.value);
        switch (m_change.ref.kind) {
        case ElementKind::node:
            return inList(alternative->nodes);
        case ElementKind::link:
            return inList(alternative->links);
        case ElementKind::rack:
            return inList(alternative->racks);
        case ElementKind::frame:
            return inList(alternative->frames);
        default:
            return inList(alternative->placements);
        }
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
        const bool absent = std::holds_alternative<std::monostate>(m_change.before);
        if (absent ? found != items.end() : found == items.end() || !before || !(*before == found->second))
            return otherThanExpected();
        if (const auto* after = std::get_if<ItemView>(&m_change.after)) {
            if (absent)
                items.emplace(m_change.ref.id, *after);
            else
                found->second = *after;
        } else if (!std::holds_alternative<std::monostate>(m_change.after))
            return otherThanExpected();
        else if (!absent)
            items.erase(found);
        return {};
    }

    template <class T> auto positionOf(const std::vector<T>& list) const {
        const auto holds = [this](const T& element) { return element.id.value == m_change.ref.id; };
        const auto hint = static_cast<std::size_t>(m_change.indexBefore);
        if (m_change.indexBefore >= 0 && hint < list.size() && holds(list[hint]))
            return static_cast<std::ptrdiff_t>(hint);
        return std::find_if(list.begin(), list.end(), holds) - list.begin();
    }

    template <class T> Expected<void> inList(std::vector<T>& list) {
        const T* before = std::get_if<T>(&m_change.before);
        const T* after = std::get_if<T>(&m_change.after);
        const bool known = (before || std::holds_alternative<std::monostate>(m_change.before)) &&
            (after || std::holds_alternative<std::monostate>(m_change.after));
        if (!known || (after && after->id.value != m_change.ref.id))
            return misfit(m_change.ref, "an element of this kind and id", "another");
        const auto size = static_cast<std::ptrdiff_t>(list.size());
        const std::ptrdiff_t at = positionOf(list);
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
        if (at == size || !(list[static_cast<std::size_t>(at)] == *before))
            return at == size ? Expected<void>(misfit(m_change.ref, "an element of the project", "none")) : otherThanExpected();
        if (!after) {
            list.erase(list.begin() + at);
            note(at, -1);
            return {};
        }
        list[static_cast<std::size_t>(at)] = *after;
        std::ptrdiff_t index = at;
        if (m_change.indexAfter >= 0 && m_change.indexBefore >= 0 && m_change.indexAfter != m_change.indexBefore) {
            index = std::min<std::ptrdiff_t>(m_change.indexAfter, size - 1);
            if (index > at)
                std::rotate(list.begin() + at, list.begin() + at + 1, list.begin() + index + 1);
            else
                std::rotate(list.begin() + index, list.begin() + at, list.begin() + at + 1);
        }
        note(at, index);
        return {};
    }

    void note(std::ptrdiff_t before, std::ptrdiff_t after) {
        if (!m_record)
            return;
        m_record->indexBefore = static_cast<int>(before);
        m_record->indexAfter = static_cast<int>(after);
    }

    Project& m_project;
    const Change& m_change;
    Change* m_record;
};

Change inverse(const Change& change) { return {change.ref, change.after, change.before, change.indexAfter, change.indexBefore}; }

Expected<void> applyRecording(Project& project, Edit& edit) {
    for (std::size_t done = 0; done < edit.changes.size(); ++done) {
        Change& change = edit.changes[done];
        const auto result = Step(project, change, &change).run();
        if (result)
            continue;
        for (; done > 0; --done) {
            const Change back = inverse(edit.changes[done - 1]);
            const auto undone = Step(project, back, nullptr).run();
            (void)undone; // cannot fail: it takes back what was just made
        }
        return fail(result.error());
    }
    return {};
}

template <class T> Element inList(const std::vector<T>& list, const std::string& id) {
    for (const T& element : list)
        if (element.id.value == id)
            return element;
    return {};
}

} // namespace

std::string_view name(ElementKind kind) { return kindNames[static_cast<std::size_t>(kind)]; }

std::string describe(const ElementRef& ref) {
    std::string result(name(ref.kind));
    if (!ref.id.empty())
        result += " " + ref.id;
    if (!ref.alternative.empty())
        result += " of " + ref.alternative.value;
    return result;
}

AlternativeHead headOf(const Alternative& alternative) { return {alternative.name, alternative.notes, alternative.procurement}; }

Expected<void> apply(Project& project, const Edit& edit) {
    Edit copy = edit;
    return applyRecording(project, copy);
}

Expected<Edit> applied(Project& project, Edit edit) {
    if (const auto result = applyRecording(project, edit); !result)
        return fail(result.error());
    return edit;
}

Edit inverse(const Edit& edit) {
    Edit result{edit.name, edit.mergeKey, {}};
    result.changes.reserve(edit.changes.size());
    std::transform(edit.changes.rbegin(), edit.changes.rend(), std::back_inserter(result.changes),
                   [](const Change& change) { return inverse(change); });
    return result;
}

Edit withoutNoOps(Edit edit) {
    std::erase_if(edit.changes, [](const Change& change) {
        const bool moved = change.indexBefore >= 0 && change.indexAfter >= 0 && change.indexBefore != change.indexAfter;
        return change.before == change.after && !moved;
    });
    return edit;
}

Element elementAt(const Project& project, const ElementRef& ref) {
    switch (ref.kind) {
    case ElementKind::meta:
        return project.meta;
    case ElementKind::site:
        return project.site;
    case ElementKind::baseline:
        return project.baseline;
    case ElementKind::workload:
        return inList(project.workloads, ref.id);
    case ElementKind::part:
        return inList(project.parts, ref.id);
    case ElementKind::alternative:
        return inList(project.alternatives, ref.id);
    case ElementKind::view: {
        const auto found = project.view.items.find(ref.id);
        return found == project.view.items.end() ? Element{} : Element{found->second};
    }
    default:
        break;
    }
    const Alternative* alternative = project.findAlternative(ref.alternative);
    if (!alternative)
        return {};
    switch (ref.kind) {
    case ElementKind::node:
        return inList(alternative->nodes, ref.id);
    case ElementKind::link:
        return inList(alternative->links, ref.id);
    case ElementKind::rack:
        return inList(alternative->racks, ref.id);
    case ElementKind::frame:
        return inList(alternative->frames, ref.id);
    default:
        return inList(alternative->placements, ref.id);
    }
}

} // namespace cw
