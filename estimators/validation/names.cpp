// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/names.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

bool isLetter(char c) { return c >= 'a' && c <= 'z'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNumber(std::string_view word) { return !word.empty() && std::all_of(word.begin(), word.end(), isDigit); }

/// "8xh100" names eight of them; "llama31" is a point release without its point.
void addWord(std::vector<std::string>& words, std::string word) {
    if (word.empty())
        return;
    std::size_t digits = 0;
    while (digits < word.size() && isDigit(word[digits]))
        ++digits;
    if (digits > 0 && digits + 2 < word.size() && word[digits] == 'x' && isLetter(word[digits + 1])) {
        words.push_back(word.substr(digits + 1));
        return;
    }
    if (isNumber(word) && word.size() == 2 && !words.empty() && (words.back() == "llama" || words.back() == "qwen")) {
        words.push_back(word.substr(0, 1));
        words.push_back(word.substr(1));
        return;
    }
    words.push_back(std::move(word));
}

/// How many of `wanted` occur in `text` in order; all or nothing unless `optional` of them may be missing.
bool inOrder(const std::vector<std::string>& wanted, const std::vector<std::string>& text) {
    auto at = text.begin();
    for (const std::string& word : wanted) {
        at = std::find(at, text.end(), word);
        if (at == text.end())
            return false;
        ++at;
    }
    return true;
}

/// "70b", "8x7b", "a3b": a size, which a text may leave out where the rest is unique.
bool isSize(std::string_view word) { return word.size() >= 2 && word.back() == 'b' && std::any_of(word.begin(), word.end(), isDigit); }

/// Variants of a GPU in the order in which they are meant when nothing is said.
int formRank(std::string_view word) { return word == "sxm" ? 2 : word == "pcie" || word == "nvl" ? 0 : 1; }

} // namespace

std::vector<std::string> nameWords(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    for (const char raw : text) {
        const char c = static_cast<char>(raw >= 'A' && raw <= 'Z' ? raw + 32 : raw);
        if (!isLetter(c) && !isDigit(c)) {
            addWord(words, std::move(word));
            word.clear();
            continue;
        }
        const bool lettersOnly = word.size() >= 3 && std::all_of(word.begin(), word.end(), isLetter);
        if (isDigit(c) && lettersOnly) {
            addWord(words, std::move(word));
            word.clear();
        }
        word += c;
    }
    addWord(words, std::move(word));
    return words;
}

namespace {

/// Machines of clouds that do not name their GPU.
const Gpu* gpuOfInstance(const Catalog& catalog, const std::vector<std::string>& words) {
    struct Instance {
        const char *words, *gpu; ///< words: in this order
    };
    constexpr Instance instances[] = {
        {"p4d", "a100_40gb_sxm"}, {"p4de", "a100_80gb_sxm"}, {"p5", "h100_sxm"}, {"p5e", "h200_sxm"}, {"p5en", "h200_sxm"},
        {"a2 highgpu", "a100_40gb_sxm"}, {"a2 megagpu", "a100_40gb_sxm"}, {"a2 ultragpu", "a100_80gb_sxm"}, {"a3 highgpu", "h100_sxm"},
        {"a3 megagpu", "h100_sxm"}, {"a3 edgegpu", "h100_sxm"}, {"a3 ultragpu", "h200_sxm"}, {"a4 highgpu", "b200_sxm"}, {"g5", "a10g"}};
    for (const Instance& each : instances)
        if (inOrder(nameWords(each.words), words))
            return catalog.find<Gpu>(PartId(each.gpu));
    return nullptr;
}

} // namespace

const Gpu* findGpu(const Catalog& catalog, std::string_view text, double memoryBytes) {
    if (const Gpu* exact = catalog.find<Gpu>(PartId(text)))
        return exact;
    const std::vector<std::string> words = nameWords(text);
    const Gpu* best = nullptr;
    double bestScore = 0;
    for (const Catalog::Entry* entry : catalog.entries()) {
        const Gpu* gpu = std::get_if<Gpu>(&entry->part);
        if (!gpu)
            continue;
        const std::vector<std::string> own = nameWords(gpu->id.value);
        // The model number must be there; form and memory decide between variants.
        std::vector<std::string> head;
        double score = 0;
        for (const std::string& word : own) {
            const bool variant = word == "sxm" || word == "2" /* of SXM2 */ || word == "pcie" || word == "nvl" || word == "server" || (word.ends_with("gb") && word != "gb");
            if (!variant)
                head.push_back(word);
            else if (std::find(words.begin(), words.end(), word) != words.end())
                score += 10;
            score += variant ? formRank(word) : 0;
        }
        if (!inOrder(head, words))
            continue;
        score += 100.0 * static_cast<double>(head.size()) + si(gpu->memory) / 1e12;
        if (memoryBytes > 0)
            score -= 50 * std::abs(std::log(si(gpu->memory) / memoryBytes));
        if (!best || score > bestScore) {
            best = gpu;
            bestScore = score;
        }
    }
    return best ? best : gpuOfInstance(catalog, words);
}

const Cpu* findCpu(const Catalog& catalog, std::string_view text) {
    if (const Cpu* exact = catalog.find<Cpu>(PartId(text)))
        return exact;
    const std::vector<std::string> words = nameWords(text);
    const Cpu* best = nullptr;
    std::size_t bestWords = 0;
    for (const Catalog::Entry* entry : catalog.entries())
        if (const Cpu* cpu = std::get_if<Cpu>(&entry->part)) {
            std::vector<std::string> own = nameWords(cpu->id.value);
            std::erase_if(own, [](const std::string& w) { return w == "xeon" || w == "epyc"; });
            if (!own.empty() && own.size() > bestWords && inOrder(own, words)) {
                best = cpu;
                bestWords = own.size();
            }
        }
    return best;
}

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& word : words)
        all += word;
    return all;
}

/// "DeepSeekV3", "LLAMA3_8B": words run together; the longest id that occurs as it is.
const NeuralModel* findRunTogether(const Catalog& catalog, std::string_view text) {
    const std::string all = joined(nameWords(text));
    const NeuralModel* best = nullptr;
    std::size_t longest = 5;
    for (const Catalog::Entry* entry : catalog.entries())
        if (const NeuralModel* model = std::get_if<NeuralModel>(&entry->part)) {
            const std::string own = joined(nameWords(model->id.value));
            if (own.size() > longest && all.find(own) != std::string::npos) {
                best = model;
                longest = own.size();
            }
        }
    return best;
}

} // namespace

const NeuralModel* findModel(const Catalog& catalog, std::string_view text) {
    if (const NeuralModel* exact = catalog.find<NeuralModel>(PartId(text)))
        return exact;
    const std::vector<std::string> words = nameWords(text);
    const bool sized = std::any_of(words.begin(), words.end(), isSize);
    const NeuralModel* best = nullptr;
    std::size_t bestWords = 0;
    bool ambiguous = false;
    for (const Catalog::Entry* entry : catalog.entries()) {
        const NeuralModel* model = std::get_if<NeuralModel>(&entry->part);
        if (!model)
            continue;
        std::vector<std::string> own = nameWords(model->id.value);
        if (!sized)
            std::erase_if(own, isSize);
        if (own.empty() || !inOrder(own, words) || own.size() < bestWords)
            continue;
        ambiguous = own.size() == bestWords;
        best = model;
        bestWords = own.size();
    }
    return best && !ambiguous ? best : findRunTogether(catalog, text);
}

std::optional<Precision> findPrecision(std::string_view text) {
    std::string word;
    for (const char raw : text)
        if (const char c = static_cast<char>(raw >= 'A' && raw <= 'Z' ? raw + 32 : raw); isLetter(c) || isDigit(c))
            word += c;
    constexpr std::pair<std::string_view, Precision> names[] = {
        {"mxfp8", Precision::mxfp8}, {"fp8mx", Precision::mxfp8}, {"nvfp4", Precision::nvfp4}, {"fp4", Precision::nvfp4},
        {"mxfp4", Precision::mxfp4}, {"float8", Precision::fp8},  {"e4m3", Precision::fp8},    {"e5m2", Precision::fp8},
        {"fp8", Precision::fp8},     {"bf16", Precision::bf16},   {"bfloat16", Precision::bf16},
        {"fp16", Precision::fp16},   {"float16", Precision::fp16}, {"half", Precision::fp16},  {"tf32", Precision::tf32},
        {"fp32", Precision::fp32},   {"float32", Precision::fp32}, {"fp64", Precision::fp64},  {"int8", Precision::int8},
        {"int4", Precision::int4},   {"amp", Precision::bf16},
    };
    for (const auto& [name, precision] : names)
        if (word.find(name) != std::string::npos)
            return precision;
    return std::nullopt;
}

} // namespace cw
