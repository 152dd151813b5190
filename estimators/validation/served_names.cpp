// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/serving_fields.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cw {

namespace {

using Words = std::vector<std::string>;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isNumber(const std::string& word) { return !word.empty() && std::all_of(word.begin(), word.end(), isDigit); }
bool contains(const Words& words, std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); }

/// What the tables of others call models whose names share no word with the catalog's.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> shortNames{
    {{"dsr1", "deepseek_r1"}, {"dsv3", "deepseek_v3"}, {"gptoss", "gpt_oss_120b"}, {"gptoss120b", "gpt_oss_120b"}, {"gptoss20b", "gpt_oss_20b"}}};

/// Words of a maker's smaller or larger sisters of a model.
constexpr std::string_view variants[] = {"air", "lite", "mini", "nano", "tiny", "small", "medium", "large", "flash", "micro", "ultra", "nemo", "distill", "scout", "maverick"};

/// A version in the text where the model has another: "glm-4.5" is not GLM-5.
bool otherVersion(const Words& own, const Words& text) {
    for (std::size_t i = 1; i < own.size(); ++i) {
        const auto name = std::find(text.begin(), text.end(), own[i - 1]);
        if (isNumber(own[i]) && !isNumber(own[i - 1]) && name != text.end() && name + 1 != text.end() && isNumber(*(name + 1)) && *(name + 1) != own[i])
            return true;
    }
    return false;
}

bool isAnother(const NeuralModel& model, std::string_view text) {
    constexpr double sameSize = 1.3; // sizes in names are rounded, and some count without embeddings
    const Words own = nameWords(model.id.value), words = nameWords(text);
    const bool other = std::any_of(std::begin(variants), std::end(variants), [&](std::string_view v) { return contains(words, v) && !contains(own, v); });
    const double named = sizeInName(text).total;
    const bool otherSize = named > 0 && model.parametersTotal > 0 && std::abs(std::log(named / model.parametersTotal)) > std::log(sameSize);
    return other || otherSize || otherVersion(own, words);
}

/// DeepSeek-R1-Distill-Llama-70B is a Llama with other weights.
std::string distilled(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    const std::size_t at = lower.find("distill-");
    if (at == std::string::npos)
        return {};
    std::string rest = lower.substr(at + 8);
    for (const auto& [family, generation] : {std::pair("llama-", "llama3-"), std::pair("qwen-", "qwen2.5-")})
        if (rest.starts_with(family))
            rest.replace(0, std::string_view(family).size(), generation);
    return rest;
}

/// "Qwen3 235B" leaves out the active size, which the catalog has in the name.
const NeuralModel* withoutActiveSize(const Catalog& catalog, const Words& text) {
    for (const Catalog::Entry* entry : catalog.entries())
        if (const NeuralModel* model = std::get_if<NeuralModel>(&entry->part)) {
            Words own = nameWords(model->id.value);
            const auto active = [](const std::string& w) { return w.size() > 2 && w.front() == 'a' && isDigit(w[1]) && w.back() == 'b'; };
            if (std::erase_if(own, active) && std::all_of(own.begin(), own.end(), [&](const std::string& w) { return contains(text, w); }))
                return model;
        }
    return nullptr;
}

} // namespace

NamedSize sizeInName(std::string_view text) {
    NamedSize out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!isDigit(text[i]) || (i > 0 && (isDigit(text[i - 1]) || text[i - 1] == '.' || text[i - 1] == 'x' || text[i - 1] == 'X')))
            continue;
        std::size_t end = i;
        while (end < text.size() && (isDigit(text[end]) || (text[end] == '.' && end + 1 < text.size() && isDigit(text[end + 1]))))
            ++end;
        const bool billions = end < text.size() && (text[end] == 'b' || text[end] == 'B') && (end + 1 == text.size() || (!isLetter(text[end + 1]) && !isDigit(text[end + 1])));
        if (!billions)
            continue;
        const bool active = i > 0 && (text[i - 1] == 'a' || text[i - 1] == 'A') && (i == 1 || !isLetter(text[i - 2]));
        const double size = 1e9 * std::atof(std::string(text.substr(i, std::min<std::size_t>(end - i, 12))).c_str());
        (active ? out.active : out.total) = size;
        i = end;
    }
    return out;
}

const NeuralModel* servedModelIn(const Catalog& catalog, std::string_view text) {
    const std::string whole = distilled(text);
    if (!whole.empty())
        text = whole;
    std::string letters;
    for (const std::string& word : nameWords(text))
        letters += word;
    for (const auto& [shortName, id] : shortNames)
        if (letters == shortName)
            return catalog.find<NeuralModel>(PartId(id));
    if (const NeuralModel* model = findModel(catalog, text))
        return isAnother(*model, text) ? nullptr : model;
    return withoutActiveSize(catalog, nameWords(text));
}

const NeuralModel* servedModelOf(const Row& row, const Catalog& catalog, std::string& why) {
    if (!row.has("model")) {
        why = "the row names no model";
        return nullptr;
    }
    const NeuralModel* model = servedModelIn(catalog, row.text("model"));
    if (!model)
        why = "no model of the catalog is called \"" + std::string(row.text("model").substr(0, 60)) + "\"";
    return model;
}

} // namespace cw
