// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/edit/free_ids.h"

#include "model/edit/edit.h"

#include <charconv>

namespace cw {
namespace {

std::string idFrom(std::string_view wish) {
    std::string id;
    for (const char c : wish.substr(0, 60)) {
        const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        if ((lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9') || lower == '_' || lower == '.')
            id += lower;
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    while (!id.empty() && id.back() == '-')
        id.pop_back();
    return id.empty() ? "item" : id;
}

/// "leaf-7" and '-' give "leaf" and 7, so that a copy of leaf-7 is leaf-8 and not leaf-7-2.
std::pair<std::string, int> splitNumber(const std::string& text, char separator) {
    const auto at = text.rfind(separator);
    if (at == std::string::npos || at == 0 || at + 1 == text.size() || text.size() - at > 8)
        return {text, 1};
    int number = 0;
    const auto result = std::from_chars(text.data() + at + 1, text.data() + text.size(), number);
    if (result.ec != std::errc{} || result.ptr != text.data() + text.size() || number < 1)
        return {text, 1};
    return {text.substr(0, at), number};
}

std::string takeFree(std::unordered_set<std::string>& taken, const std::string& wish, char separator) {
    if (taken.insert(wish).second)
        return wish;
    auto [stem, number] = splitNumber(wish, separator);
    while (true) {
        std::string candidate = stem + separator + std::to_string(++number);
        if (taken.insert(candidate).second)
            return candidate;
    }
}

template <class List> void collect(std::unordered_set<std::string>& taken, const List& list) {
    for (const auto& element : list)
        taken.insert(element.id.value);
}

} // namespace

FreeIds::FreeIds(const Project& project, const AlternativeId& id) {
    if (id.empty()) {
        collect(m_taken, project.alternatives);
        collect(m_taken, project.workloads);
        collect(m_taken, project.parts);
    } else if (const Alternative* alternative = project.findAlternative(id)) {
        collect(m_taken, alternative->nodes);
        collect(m_taken, alternative->links);
        collect(m_taken, alternative->racks);
        collect(m_taken, alternative->frames);
        collect(m_taken, alternative->placements);
    }
}

std::string FreeIds::take(std::string_view wish) { return takeFree(m_taken, idFrom(wish), '-'); }

FreeNames::FreeNames(const Alternative& alternative) {
    for (const Node& node : alternative.nodes)
        m_taken.insert(node.name);
}

FreeNames::FreeNames(const std::vector<Alternative>& alternatives) {
    for (const Alternative& alternative : alternatives)
        m_taken.insert(alternative.name);
}

std::string FreeNames::take(std::string_view wish) { return takeFree(m_taken, std::string(wish), ' '); }

std::string freeId(const Project& project, const AlternativeId& alternative, std::string_view wish) {
    return FreeIds(project, alternative).take(wish);
}

std::string freeName(const Alternative& alternative, std::string_view wish) { return FreeNames(alternative).take(wish); }

} // namespace cw
