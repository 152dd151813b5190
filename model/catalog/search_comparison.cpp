// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/catalog/search_comparison.h"

#include "model/units/unit.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace cw {
namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

using Values = std::vector<double>;

template <class Q> void add(Values& values, const std::optional<Q>& quantity) {
    if (quantity)
        values.push_back(si(*quantity));
}

const Gpu* gpuOf(const Catalog& catalog, const Part& part) {
    if (const auto* gpu = std::get_if<Gpu>(&part))
        return gpu;
    if (const auto* server = std::get_if<Server>(&part))
        return catalog.find<Gpu>(server->gpu);
    if (const auto* instance = std::get_if<CloudInstance>(&part))
        return catalog.find<Gpu>(instance->gpu);
    return nullptr;
}

Values gpuMemory(const Catalog& catalog, const Part& part) {
    const Gpu* gpu = gpuOf(catalog, part);
    return gpu ? Values{si(gpu->memory)} : Values{};
}

Values gpuCount(const Catalog&, const Part& part) {
    if (const auto* server = std::get_if<Server>(&part))
        return {double(server->gpuCount)};
    if (const auto* instance = std::get_if<CloudInstance>(&part))
        return {double(instance->gpuCount)};
    return {};
}

Values memory(const Catalog&, const Part& part) {
    if (const auto* gpu = std::get_if<Gpu>(&part))
        return {si(gpu->memory)};
    if (const auto* server = std::get_if<Server>(&part))
        return {si(server->ram)};
    if (const auto* instance = std::get_if<CloudInstance>(&part))
        return {si(instance->ram)};
    return {};
}

Values power(const Catalog&, const Part& part) {
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

Values cores(const Catalog& catalog, const Part& part) {
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

Values speed(const Catalog&, const Part& part) {
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

Values memoryBandwidth(const Catalog& catalog, const Part& part) {
    if (const auto* cpu = std::get_if<Cpu>(&part))
        return {si(cpu->memoryBandwidth)};
    const Gpu* gpu = gpuOf(catalog, part);
    return gpu ? Values{si(gpu->memoryBandwidth)} : Values{};
}

/// Low and high end of a price; a rented machine costs by the hour and is not meant.
Values price(const Catalog&, const Part& part) {
    return std::visit(
        [](const auto& value) -> Values {
            if constexpr (requires { value.price->low; })
                return value.price ? Values{si(value.price->low), si(value.price->high)} : Values{};
            else
                return {};
        },
        part);
}

Values height(const Catalog&, const Part& part) {
    if (const auto* server = std::get_if<Server>(&part))
        return {server->heightU};
    if (const auto* device = std::get_if<Switch>(&part))
        return {device->heightU};
    if (const auto* rack = std::get_if<RackType>(&part))
        return {double(rack->heightU)};
    return {};
}

Values ports(const Catalog&, const Part& part) {
    const auto* device = std::get_if<Switch>(&part);
    return device ? Values{double(device->radix)} : Values{};
}

Values parameters(const Catalog&, const Part& part) {
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
    {"gpu", Unit::bytes, gpuMemory},       {"gpu", Unit::count, gpuCount},
    {"gpus", Unit::count, gpuCount},       {"vram", Unit::bytes, gpuMemory},
    {"memory", Unit::bytes, memory},       {"ram", Unit::bytes, memory},
    {"power", Unit::watts, power},         {"tdp", Unit::watts, power},
    {"cores", Unit::count, cores},         {"speed", Unit::bytesPerSecond, speed},
    {"port", Unit::bytesPerSecond, speed}, {"bandwidth", Unit::bytesPerSecond, memoryBandwidth},
    {"price", Unit::dollars, price},       {"u", Unit::rackUnits, height},
    {"height", Unit::rackUnits, height},   {"ports", Unit::count, ports},
    {"radix", Unit::count, ports},         {"parameters", Unit::count, parameters},
    {"params", Unit::count, parameters},
};

/// What people type after a comparison: with its unit, or bare where the property has none or only one is usual.
std::optional<double> typedValue(std::string_view text, Unit unit) {
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

} // namespace

std::optional<Comparison> Comparison::from(std::string_view term) {
    const auto first = term.find_first_of("<>=");
    if (first == term.npos || first == 0)
        return {};
    const auto last = term.find_first_not_of("<>=", first);
    if (last == term.npos)
        return {};
    const std::string_view sign = term.substr(first, last - first);
    Comparison comparison;
    comparison.m_less = sign.find('<') != sign.npos;
    comparison.m_greater = sign.find('>') != sign.npos;
    comparison.m_equal = sign.find('=') != sign.npos;
    if (sign.size() > 2)
        return {};
    const std::string name = lower(term.substr(0, first));
    for (const Property& property : properties) {
        if (property.name != name)
            continue;
        if (const auto value = typedValue(term.substr(last), property.unit)) {
            comparison.m_of = property.of;
            comparison.m_value = *value;
            return comparison;
        }
    }
    return {};
}

std::optional<Comparison> Comparison::fromPortSpeed(std::string_view term) {
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
    Comparison comparison;
    comparison.m_of = speed;
    comparison.m_equal = true;
    comparison.m_value = si(gigabitsPerSecond(*number * factor));
    return comparison;
}

bool Comparison::holds(const Catalog& catalog, const Part& part) const {
    constexpr double sameShare = 1e-3; // "80GB" is what a data sheet calls so
    const Values values = m_of(catalog, part);
    return std::any_of(values.begin(), values.end(), [&](double v) {
        const bool same = std::abs(v - m_value) <= sameShare * std::abs(m_value);
        return same ? m_equal : (m_less && v < m_value) || (m_greater && v > m_value);
    });
}

} // namespace cw
