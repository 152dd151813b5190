// SPDX-License-Identifier: GPL-3.0-or-later
//
// Search over a catalog, as one types into the palette: every term has to fit; words count more the closer they are to an id or a name.
#include "model/catalog/catalog.h"
#include "model/catalog/search_comparison.h"

#include <algorithm>
#include <cctype>

namespace cw {
namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80; }

/// Lower case without spaces and punctuation, so that "H100-SXM", "h100_sxm" and "h100 sxm" are one.
std::string squeezed(std::string_view text) {
    std::string result = lower(text);
    std::erase_if(result, [](char c) { return !isWordCharacter(c); });
    return result;
}

std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> result(1);
    for (const char c : lower(text)) {
        if (isWordCharacter(c))
            result.back() += c;
        else if (!result.back().empty())
            result.emplace_back();
    }
    if (result.back().empty())
        result.pop_back();
    return result;
}

/// One letter wrong, missing, added, or two swapped.
bool almostEqual(std::string_view a, std::string_view b) {
    if (a.size() > b.size())
        std::swap(a, b);
    if (b.size() - a.size() > 1)
        return false;
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin());
    const std::string_view restA(x, a.end()), restB(y, b.end());
    if (a.size() < b.size())
        return restA == restB.substr(1);
    return restA.size() < 2 || restA.substr(1) == restB.substr(1) ||
        (restA[0] == restB[1] && restA[1] == restB[0] && restA.substr(2) == restB.substr(2));
}

/// What the words of a query are looked up in.
struct Texts {
    std::string id, name;
    std::string_view kind;
    std::vector<std::string> nameWords;
    std::vector<std::string> otherWords; ///< vendor, technology and the like

    explicit Texts(const Part& part)
        : id(squeezed(info(part).id.value))
        , name(squeezed(info(part).name))
        , kind(kindName(part))
        , nameWords(words(info(part).id.value + " " + info(part).name)) {
        std::string others = info(part).vendor + " " + std::string(kind);
        std::visit(
            [&](const auto& value) {
                if constexpr (requires { value.architecture; })
                    others += " " + value.architecture;
                if constexpr (requires { value.technology; })
                    others += " " + value.technology;
                if constexpr (requires { value.family; })
                    others += " " + value.family;
                if constexpr (requires { value.kind; })
                    others += " " + value.kind;
                if constexpr (requires { value.subject; })
                    others += " " + value.subject;
                if constexpr (requires { value.provider; })
                    others += " " + value.provider + " " + value.region + " cloud instance";
                if constexpr (requires {
                                  value.gpu;
                                  value.cpu;
                              })
                    others += " " + value.gpu.value + " " + value.cpu.value;
                if constexpr (requires { value.role; })
                    others += " server";
            },
            part);
        otherWords = words(others);
    }
};

/// How well a word fits; 0: not at all.
int score(const Texts& texts, const std::string& word) {
    const auto anyWord = [&](const std::vector<std::string>& list, auto fits) {
        return std::any_of(list.begin(), list.end(), fits);
    };
    const auto equals = [&](const std::string& text) { return text == word; };
    const auto starts = [&](const std::string& text) { return text.starts_with(word); };
    if (texts.id == word || texts.name == word)
        return 100;
    if (texts.kind == word)
        return 70;
    if (anyWord(texts.nameWords, equals))
        return 60;
    if (texts.id.starts_with(word) || texts.name.starts_with(word))
        return 50;
    if (anyWord(texts.nameWords, starts))
        return 40;
    if (anyWord(texts.otherWords, equals))
        return 35;
    if (texts.id.find(word) != texts.id.npos || texts.name.find(word) != texts.name.npos)
        return 25;
    if (anyWord(texts.otherWords, starts))
        return 20;
    const auto almost = [&](const std::string& text) { return almostEqual(text, word); };
    constexpr std::size_t shortestToMistype = 4; // and model numbers are a letter apart anyway
    const bool mayBeMistyped = word.size() >= shortestToMistype && word.find_first_of("0123456789") == word.npos;
    if (mayBeMistyped && (anyWord(texts.nameWords, almost) || anyWord(texts.otherWords, almost)))
        return 5;
    return 0;
}

struct Term {
    std::optional<Comparison> comparison;
    std::string word;      ///< squeezed
    bool alsoWord = false; ///< "400G" is a speed, and may be part of a name
};

Term termFrom(std::string_view text) {
    Term term;
    term.word = squeezed(text);
    term.comparison = Comparison::from(text);
    if (!term.comparison) {
        term.comparison = Comparison::fromPortSpeed(text);
        term.alsoWord = true;
    }
    return term;
}

int score(const Catalog& catalog, const Part& part, const Texts& texts, const Term& term) {
    if (term.comparison && term.comparison->holds(catalog, part))
        return 30 + (term.alsoWord ? score(texts, term.word) : 0);
    if (term.comparison && !term.alsoWord)
        return 0;
    return term.word.empty() ? 1 : score(texts, term.word); // punctuation alone excludes nothing
}

} // namespace

std::vector<const Catalog::Entry*> search(const Catalog& catalog, std::string_view query) {
    std::vector<Term> terms;
    constexpr std::string_view spaces = " \t\n\r,;";
    for (std::size_t start = query.find_first_not_of(spaces); start != query.npos && terms.size() < 20;) {
        const std::size_t end = std::min(query.find_first_of(spaces, start), query.size());
        terms.push_back(termFrom(query.substr(start, end - start)));
        start = query.find_first_not_of(spaces, end);
    }

    std::vector<std::pair<int, const Catalog::Entry*>> found;
    for (const Catalog::Entry* entry : catalog.entries()) {
        const Texts texts(entry->part);
        int total = 0;
        const bool fits = std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
            const int one = score(catalog, entry->part, texts, term);
            total += one;
            return one > 0;
        });
        if (fits)
            found.emplace_back(total, entry);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<const Catalog::Entry*> result;
    result.reserve(found.size());
    for (const auto& [unused, entry] : found)
        result.push_back(entry);
    return result;
}

} // namespace cw
