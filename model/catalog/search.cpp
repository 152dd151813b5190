// SPDX-License-Identifier: GPL-3.0-or-later
//
// Search over a catalog, as one types into the palette: every term has to fit; words count more the closer they are to an id or a name.
#include "model/catalog/catalog.h"
#include "model/units/unit.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace cw {
namespace {

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

bool isWordCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80;
}

/// Lower case without spaces and punctuation, so that "H100-SXM", "h100_sxm" and "h100 sxm" are one.
std::string squeezed(std::string_view text)
{
    std::string result = lower(text);
    std::erase_if(result, [](char c) { return !isWordCharacter(c); });
    return result;
}

std::vector<std::string> words(std::string_view text)
{
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
bool almostEqual(std::string_view a, std::string_view b)
{
    if (a.size() > b.size())
        std::swap(a, b);
    if (b.size() - a.size() > 1)
        return false;
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin());
    const std::string_view restA(x, a.end()), restB(y, b.end());
    if (a.size() < b.size())
        return restA == restB.substr(1);
    return restA.size() < 2 || restA.substr(1) == restB.substr(1)
        || (restA[0] == restB[1] && restA[1] == restB[0] && restA.substr(2) == restB.substr(2));
}

// ---- properties -------------------------------------------------------------------------------------------------------

/// The values of a property of a part, in SI; a part may have several (the speeds of its ports), or none.
using Values = std::vector<double>;

template <class Q> void add(Values& values, const std::optional<Q>& quantity)
{
    if (quantity)
        values.push_back(si(*quantity));
}

const Gpu* gpuOf(const Catalog& catalog, const Part& part)
{
    if (const auto* gpu = std::get_if<Gpu>(&part))
        return gpu;
    if (const auto* server = std::get_if<Server>(&part))
        return catalog.find<Gpu>(server->gpu);
    if (const auto* instance = std::get_if<CloudInstance>(&part))
        return catalog.find<Gpu>(instance->gpu);
    return nullptr;
}

Values gpuMemory(const Catalog& catalog, const Part& part)
{
    const Gpu* gpu = gpuOf(catalog, part);
    return gpu ? Values{si(gpu->memory)} : Values{};
}

Values gpuCount(const Catalog&, const Part& part)
{
    if (const auto* server = std::get_if<Server>(&part))
        return {double(server->gpuCount)};
    if (const auto* instance = std::get_if<CloudInstance>(&part))
        return {double(instance->gpuCount)};
    return {};
}

Values memory(const Catalog&, const Part& part)
{
    if (const auto* gpu = std::get_if<Gpu>(&part))
        return {si(gpu->memory)};
    if (const auto* server = std::get_if<Server>(&part))
        return {si(server->ram)};
    if (const auto* instance = std::get_if<CloudInstance>(&part))
        return {si(instance->ram)};
    return {};
}

Values power(const Catalog&, const Part& part)
{
    Values values;
    if (const auto* gpu = std::get_if<Gpu>(&part))
        add(values, gpu->tdp);
    else if (const auto* cpu = std::get_if<Cpu>(&part))
        values = {si(cpu->tdp)};
    else if (const auto* server = std::get_if<Server>(&part))
        values = {si(server->powerMax)};
    else if (const auto* device = std::get_if<Switch>(&part))
        values = {si(device->powerMax)};
    else if (const auto* pdu = std::get_if<Pdu>(&part))
        values = {si(pdu->usable)};
    else if (const auto* cooling = std::get_if<Cooling>(&part))
        values = {si(cooling->capacity.value_or(cooling->rackLimitTypical))};
    else if (const auto* rack = std::get_if<RackType>(&part))
        add(values, rack->power);
    return values;
}

Values cores(const Catalog& catalog, const Part& part)
{
    if (const auto* cpu = std::get_if<Cpu>(&part))
        return {double(cpu->cores)};
    if (const auto* server = std::get_if<Server>(&part)) {
        const Cpu* cpu = catalog.find<Cpu>(server->cpu);
        return cpu ? Values{double(cpu->cores) * server->cpuCount} : Values{};
    }
    if (const auto* instance = std::get_if<CloudInstance>(&part))
        return instance->physicalCores ? Values{double(*instance->physicalCores)} : Values{};
    return {};
}

Values speed(const Catalog&, const Part& part)
{
    Values values;
    const auto addPorts = [&](const std::vector<PortGroup>& ports) {
        for (const PortGroup& group : ports)
            values.push_back(si(group.speed));
    };
    if (const auto* server = std::get_if<Server>(&part))
        addPorts(server->ports);
    else if (const auto* device = std::get_if<Switch>(&part))
        addPorts(device->ports);
    else if (const auto* medium = std::get_if<Medium>(&part))
        values = {si(medium->rawBandwidth)};
    else if (const auto* instance = std::get_if<CloudInstance>(&part))
        add(values, instance->network);
    return values;
}

Values memoryBandwidth(const Catalog& catalog, const Part& part)
{
    if (const auto* cpu = std::get_if<Cpu>(&part))
        return {si(cpu->memoryBandwidth)};
    const Gpu* gpu = gpuOf(catalog, part);
    return gpu ? Values{si(gpu->memoryBandwidth)} : Values{};
}

/// Low and high end of a price; a rented machine costs by the hour and is not meant.
Values price(const Catalog&, const Part& part)
{
    return std::visit(
        [](const auto& value) -> Values {
            if constexpr (requires { value.price->low; })
                return value.price ? Values{si(value.price->low), si(value.price->high)} : Values{};
            else
                return {};
        },
        part);
}

Values height(const Catalog&, const Part& part)
{
    if (const auto* server = std::get_if<Server>(&part))
        return {server->heightU};
    if (const auto* device = std::get_if<Switch>(&part))
        return {device->heightU};
    if (const auto* rack = std::get_if<RackType>(&part))
        return {double(rack->heightU)};
    return {};
}

Values ports(const Catalog&, const Part& part)
{
    const auto* device = std::get_if<Switch>(&part);
    return device ? Values{double(device->radix)} : Values{};
}

Values parameters(const Catalog&, const Part& part)
{
    const auto* model = std::get_if<NeuralModel>(&part);
    return model ? Values{model->parametersTotal} : Values{};
}

struct Property {
    std::string_view name;
    Unit unit;
    Values (*of)(const Catalog&, const Part&);
};

/// Where a name occurs twice, the unit that was typed decides.
constexpr Property properties[]{
    {"gpu", Unit::bytes, gpuMemory},      {"gpu", Unit::count, gpuCount},   {"gpus", Unit::count, gpuCount},
    {"vram", Unit::bytes, gpuMemory},     {"memory", Unit::bytes, memory},  {"ram", Unit::bytes, memory},
    {"power", Unit::watts, power},        {"tdp", Unit::watts, power},      {"cores", Unit::count, cores},
    {"speed", Unit::bytesPerSecond, speed}, {"port", Unit::bytesPerSecond, speed}, {"bandwidth", Unit::bytesPerSecond, memoryBandwidth},
    {"price", Unit::dollars, price},      {"u", Unit::rackUnits, height},   {"height", Unit::rackUnits, height},
    {"ports", Unit::count, ports},        {"radix", Unit::count, ports},    {"parameters", Unit::count, parameters},
    {"params", Unit::count, parameters},
};

/// What people type after a comparison: with its unit, or bare where the property has none or only one is usual.
std::optional<double> typedValue(std::string_view text, Unit unit)
{
    if (const auto value = parse(text, unit))
        return *value;
    const bool bareDollars = unit == Unit::dollars || unit == Unit::rackUnits;
    const auto bare = parse(text, bareDollars || unit == Unit::count ? Unit::one : unit);
    if (bare)
        return *bare;
    if (unit == Unit::count && text.size() > 1) { // "70B" parameters, "128k"
        constexpr std::pair<char, double> factors[]{{'k', 1e3}, {'m', 1e6}, {'b', 1e9}, {'t', 1e12}};
        for (const auto& [letter, factor] : factors) {
            const auto number = parse(text.substr(0, text.size() - 1), Unit::one);
            if (number && std::tolower(static_cast<unsigned char>(text.back())) == letter)
                return *number * factor;
        }
    }
    return {};
}

struct Comparison {
    Values (*of)(const Catalog&, const Part&) = nullptr;
    bool less = false, greater = false, equal = false;
    double value = 0;

    bool holds(const Catalog& catalog, const Part& part) const
    {
        const Values values = of(catalog, part);
        return std::any_of(values.begin(), values.end(), [&](double v) {
            const bool same = std::abs(v - value) <= 1e-3 * std::abs(value);
            return same ? equal : (less && v < value) || (greater && v > value);
        });
    }
};

std::optional<Comparison> comparisonFrom(std::string_view term)
{
    const auto first = term.find_first_of("<>=");
    if (first == term.npos || first == 0)
        return {};
    const auto last = term.find_first_not_of("<>=", first);
    if (last == term.npos)
        return {};
    const std::string_view sign = term.substr(first, last - first);
    Comparison comparison;
    comparison.less = sign.find('<') != sign.npos;
    comparison.greater = sign.find('>') != sign.npos;
    comparison.equal = sign.find('=') != sign.npos;
    if (sign.size() > 2)
        return {};
    const std::string name = lower(term.substr(0, first));
    for (const Property& property : properties) {
        if (property.name != name)
            continue;
        if (const auto value = typedValue(term.substr(last), property.unit)) {
            comparison.of = property.of;
            comparison.value = *value;
            return comparison;
        }
    }
    return {};
}

/// "400G", "1.6T", "400Gb/s", "100GbE": the speed of a port.
std::optional<Comparison> portSpeedFrom(std::string_view term)
{
    std::size_t digits = term.find_first_not_of("0123456789.");
    if (digits == term.npos || digits == 0)
        return {};
    const std::string unit = lower(term.substr(digits));
    const double factor = unit.front() == 'g' ? 1 : unit.front() == 't' ? 1000 : 0;
    const std::string_view rest = std::string_view(unit).substr(1);
    const bool known = rest.empty() || rest == "b/s" || rest == "bit/s" || rest == "bps" || rest == "be" || rest == "bit";
    const auto number = parse(term.substr(0, digits), Unit::one);
    if (factor == 0 || !known || !number)
        return {};
    return Comparison{speed, false, false, true, *number * factor * 1e9 / 8};
}

// ---- words and ranking ------------------------------------------------------------------------------------------------

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
        , nameWords(words(info(part).id.value + " " + info(part).name))
    {
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
                if constexpr (requires { value.gpu; value.cpu; })
                    others += " " + value.gpu.value + " " + value.cpu.value;
                if constexpr (requires { value.role; })
                    others += " server";
            },
            part);
        otherWords = words(others);
    }
};

/// How well a word fits; 0: not at all.
int score(const Texts& texts, const std::string& word)
{
    const auto anyWord = [&](const std::vector<std::string>& list, auto fits) { return std::any_of(list.begin(), list.end(), fits); };
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
    std::string word;       ///< squeezed
    bool alsoWord = false;  ///< "400G" is a speed, and may be part of a name
};

Term termFrom(std::string_view text)
{
    Term term;
    term.word = squeezed(text);
    term.comparison = comparisonFrom(text);
    if (!term.comparison) {
        term.comparison = portSpeedFrom(text);
        term.alsoWord = true;
    }
    return term;
}

int score(const Catalog& catalog, const Part& part, const Texts& texts, const Term& term)
{
    if (term.comparison && term.comparison->holds(catalog, part))
        return 30 + (term.alsoWord ? score(texts, term.word) : 0);
    if (term.comparison && !term.alsoWord)
        return 0;
    return term.word.empty() ? 1 : score(texts, term.word); // punctuation alone excludes nothing
}

} // namespace

std::vector<const Catalog::Entry*> search(const Catalog& catalog, std::string_view query)
{
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
