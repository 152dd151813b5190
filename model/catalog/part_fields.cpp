// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/catalog/part_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace cw {
namespace {

using nlohmann::json;

/// A key as a token of a JSON pointer.
std::string pointerToken(std::string_view key) {
    std::string token;
    for (const char c : key) {
        if (c == '~')
            token += "~0";
        else if (c == '/')
            token += "~1";
        else
            token += c;
    }
    return token;
}

std::string shortText(const json& value) {
    if (value.is_object())
        return "an object";
    if (value.is_array())
        return "an array";
    constexpr std::size_t most = 60;
    std::string text = value.dump();
    if (text.size() > most) {
        std::size_t end = most;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) // not inside a UTF-8 character
            --end;
        text = text.substr(0, end) + "…";
    }
    return text;
}

std::string rangeText(std::string_view what, double least, double most) {
    if (most < largestFact)
        return fmt::format("{} from {:g} to {:g}", what, least, most);
    return fmt::format("{} of at least {:g}", what, least);
}

} // namespace

Fields::Fields(const json& object, std::string where, std::vector<Error>& errors)
    : m_object(&object)
    , m_where(std::move(where))
    , m_errors(&errors) {}

const json* Fields::value(const char* key) const {
    const auto found = m_object->find(key);
    return found == m_object->end() || found->is_null() ? nullptr : &*found;
}

bool Fields::has(const char* key) const { return value(key) != nullptr; }

void Fields::wrong(const char* key, std::string expected, std::string message) {
    const json* found = value(key);
    m_errors->push_back(
        {m_where + "/" + pointerToken(key), std::move(expected), found ? shortText(*found) : "nothing", std::move(message)});
}

void Fields::missing(const char* key, std::string expected) {
    wrong(key, std::move(expected), fmt::format("The field \"{}\" is missing.", key));
}

std::string Fields::text(const char* key) {
    const json* found = value(key);
    if (!found) {
        missing(key, "a text");
        return {};
    }
    std::string result = textOr(key, {});
    if (found->is_string() && result.empty())
        wrong(key, "a text", fmt::format("The field \"{}\" is empty.", key));
    return result;
}

std::string Fields::textOr(const char* key, std::string otherwise) {
    const json* found = value(key);
    if (!found)
        return otherwise;
    if (!found->is_string()) {
        wrong(key, "a text", fmt::format("The field \"{}\" has to be a text.", key));
        return otherwise;
    }
    return found->get<std::string>();
}

std::vector<std::string> Fields::texts(const char* key) {
    const json* found = value(key);
    if (!found)
        return {};
    std::vector<std::string> result;
    bool good = found->is_array();
    if (good) {
        for (const json& item : *found) {
            if (item.is_string())
                result.push_back(item.get<std::string>());
            else
                good = false;
        }
    }
    if (!good)
        wrong(key, "an array of texts", fmt::format("The field \"{}\" has to be an array of texts.", key));
    return result;
}

bool Fields::flagOr(const char* key, bool otherwise) {
    const json* found = value(key);
    if (!found)
        return otherwise;
    if (!found->is_boolean()) {
        wrong(key, "true or false", fmt::format("The field \"{}\" has to be true or false.", key));
        return otherwise;
    }
    return found->get<bool>();
}

std::optional<double> Fields::readNumber(const char* key, std::string_view what, double least, double most) {
    const json* found = value(key);
    if (!found->is_number()) {
        wrong(key, rangeText(what, least, most), fmt::format("The field \"{}\" has to be a number.", key));
        return {};
    }
    const double number = found->get<double>();
    if (!(number >= least && number <= most)) { // also false for what is not a number
        wrong(key, rangeText(what, least, most), fmt::format("The number in \"{}\" is out of range.", key));
        return {};
    }
    return number;
}

std::optional<double> Fields::numberIfKnown(const char* key, double least, double most) {
    if (!has(key))
        return {};
    return readNumber(key, "a number", least, most);
}

double Fields::number(const char* key, double least, double most) {
    if (!has(key))
        missing(key, rangeText("a number", least, most));
    return numberIfKnown(key, least, most).value_or(std::numeric_limits<double>::quiet_NaN());
}

double Fields::numberOr(const char* key, double otherwise, double least, double most) {
    return numberIfKnown(key, least, most).value_or(otherwise);
}

int Fields::wholeOr(const char* key, int otherwise, int least) {
    if (!has(key))
        return otherwise;
    constexpr double most = std::numeric_limits<int>::max();
    constexpr std::string_view what = "a whole number";
    const auto number = readNumber(key, what, least, most);
    if (number && *number != std::floor(*number)) {
        wrong(key, rangeText(what, least, most), fmt::format("The number in \"{}\" has to be whole.", key));
        return otherwise;
    }
    return number ? static_cast<int>(*number) : otherwise;
}

int Fields::whole(const char* key, int least) {
    if (!has(key))
        missing(key, rangeText("a whole number", least, std::numeric_limits<int>::max()));
    return wholeOr(key, least, least);
}

std::optional<Fields::Bounds> Fields::bounds(const char* low, const char* high) {
    const auto a = numberIfKnown(low);
    const auto b = numberIfKnown(high);
    if (!a && !b)
        return {};
    if (a && b && *a > *b) {
        wrong(low, fmt::format("at most {:g}", *b), fmt::format("\"{}\" is above \"{}\".", low, high));
        return {};
    }
    return Bounds{a.value_or(b.value_or(0)), b.value_or(a.value_or(0))};
}

std::vector<Fields> Fields::objects(const char* key) {
    const json* found = value(key);
    if (!found)
        return {};
    std::vector<Fields> result;
    bool good = found->is_array();
    for (std::size_t i = 0; good && i < found->size(); ++i) {
        const json& item = (*found)[i];
        good = item.is_object();
        if (good)
            result.emplace_back(item, fmt::format("{}/{}/{}", m_where, pointerToken(key), i), *m_errors);
    }
    if (!good)
        wrong(key, "an array of objects", fmt::format("The field \"{}\" has to be an array of objects.", key));
    return result;
}

std::optional<Fields> Fields::object(const char* key) {
    const json* found = value(key);
    if (!found)
        return {};
    if (!found->is_object())
        wrong(key, "an object", fmt::format("The field \"{}\" has to be an object.", key));
    return objectIfOne(key);
}

std::optional<Fields> Fields::objectIfOne(const char* key) {
    const json* found = value(key);
    if (!found || !found->is_object())
        return {};
    return Fields(*found, m_where + "/" + pointerToken(key), *m_errors);
}

std::vector<std::string> Fields::keys() const {
    std::vector<std::string> result;
    for (const auto& [key, unused] : m_object->items())
        result.push_back(key);
    return result;
}

} // namespace cw
