// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/units/unit_table.h"

#include <fmt/format.h>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace cw {
namespace {

struct Prefix {
    std::string_view text;
    double factor;
    bool binary;
};
constexpr Prefix prefixes[] = {{"k", 1e3, false},
                               {"K", 1e3, false},
                               {"M", 1e6, false},
                               {"G", 1e9, false},
                               {"T", 1e12, false},
                               {"P", 1e15, false},
                               {"E", 1e18, false},
                               {"Z", 1e21, false},
                               {"m", 1e-3, false},
                               {"u", 1e-6, false},
                               {"n", 1e-9, false},
                               {"Ki", 1024., true},
                               {"Mi", 1048576., true},
                               {"Gi", 1073741824., true},
                               {"Ti", 1099511627776., true},
                               {"Pi", 1125899906842624., true}};

/// Plain spaces, micro as "u", cubes as "3": what keyboards and copied datasheets differ in.
std::string normalised(std::string_view text) {
    static constexpr std::pair<std::string_view, std::string_view> replacements[] = {
        {"\u00a0", " "}, {"\u2009", " "}, {"\u202f", " "}, {"\t", " "}, {"µ", "u"},
        {"μ", "u"},      {"³", "3"},      {"−", "-"},      {"·", " "}};
    std::string result;
    while (!text.empty()) {
        bool replaced = false;
        for (const auto& [from, to] : replacements)
            if (text.starts_with(from)) {
                result += to;
                text.remove_prefix(from.size());
                replaced = true;
                break;
            }
        if (!replaced) {
            result += text.front();
            text.remove_prefix(1);
        }
    }
    const auto first = result.find_first_not_of(' ');
    if (first == std::string::npos)
        return {};
    return result.substr(first, result.find_last_not_of(' ') - first + 1);
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Length of the number at the start: digits, one kind of group separator, a decimal sign, an exponent.
std::size_t numberLength(std::string_view text) {
    std::size_t at = 0;
    if (at < text.size() && (text[at] == '-' || text[at] == '+'))
        ++at;
    const auto digitAt = [&](std::size_t i) { return i < text.size() && isDigit(text[i]); };
    while (at < text.size()) {
        const bool separator = text[at] == ' ' || text[at] == ',' || text[at] == '\'' || text[at] == '.' || text[at] == '_';
        if (isDigit(text[at]) || (separator && digitAt(at + 1)) || (text[at] == '.' && at > 0 && isDigit(text[at - 1])))
            ++at;
        else
            break;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E') && at > 0) {
        std::size_t after = at + 1;
        if (after < text.size() && (text[after] == '-' || text[after] == '+'))
            ++after;
        if (digitAt(after)) {
            while (digitAt(after))
                ++after;
            return after;
        }
    }
    return at;
}

/// Digits in groups of three after the first group, each behind `separator`.
bool isGrouped(std::string_view text, char separator) {
    std::size_t start = 0;
    bool first = true;
    while (true) {
        const std::size_t end = std::min(text.find(separator, start), text.size());
        const std::size_t length = end - start;
        if (first ? length < 1 || length > 3 : length != 3)
            return false;
        if (end == text.size())
            return !first;
        first = false;
        start = end + 1;
    }
}

/// The number as from_chars wants it, or the reason why it cannot be told.
Expected<std::string> plainNumber(std::string_view text) {
    const Error unreadable{"", "", std::string(text), "This is not a number."};
    std::string sign;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        if (text.front() == '-')
            sign = "-";
        text.remove_prefix(1);
    }
    const std::size_t exponentAt = std::min(text.find_first_of("eE"), text.size());
    const std::string_view exponent = text.substr(exponentAt);
    std::string_view mantissa = text.substr(0, exponentAt);
    const bool comma = mantissa.find(',') != std::string_view::npos, point = mantissa.find('.') != std::string_view::npos;
    char decimal = point ? '.' : ',';
    if (comma && point)
        decimal = mantissa.rfind(',') > mantissa.rfind('.') ? ',' : '.';
    else if (comma && isGrouped(mantissa, ',')) {
        if (std::count(mantissa.begin(), mantissa.end(), ',') > 1)
            decimal = '.';
        else if (mantissa.front() != '0')
            return fail({"", "a point as decimal sign, or no separator", std::string(text),
                         "The comma could separate thousands or decimals."});
    } else if (std::count(mantissa.begin(), mantissa.end(), '.') > 1 && isGrouped(mantissa, '.'))
        decimal = ',';
    const std::size_t decimalAt = std::min(mantissa.find(decimal), mantissa.size());
    std::string_view whole = mantissa.substr(0, decimalAt);
    const std::string_view part = decimalAt < mantissa.size() ? mantissa.substr(decimalAt + 1) : std::string_view{};
    for (const char c : part)
        if (!isDigit(c))
            return fail(unreadable);
    for (const char separator : {' ', ',', '.', '\'', '_'})
        if (whole.find(separator) != std::string_view::npos && !isGrouped(whole, separator))
            return fail(unreadable);
    std::string digits = sign;
    for (const char c : whole)
        if (isDigit(c))
            digits += c;
    if (digits == sign && part.empty())
        return fail(unreadable);
    if (!part.empty())
        digits.append(".").append(part);
    return digits.append(exponent);
}

bool takes(Prefixes allowed, const Prefix& prefix) {
    switch (allowed) {
    case Prefixes::none:
        return false;
    case Prefixes::decimal:
        return !prefix.binary;
    case Prefixes::decimalAndBinary:
        return prefix.binary || prefix.factor > 1;
    case Prefixes::large:
        return !prefix.binary && prefix.factor > 1;
    }
    return false;
}

std::string folded(std::string_view text, bool ignoreCase) {
    std::string result;
    for (const char c : text)
        if (c != ' ')
            result += ignoreCase ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : c;
    return result;
}

/// Every factor that a spelling of the row gives for this text; more than one distinct factor is an ambiguity.
std::vector<std::pair<double, std::string>> factors(const UnitRow& row, std::string_view text, bool ignoreCase) {
    std::vector<std::pair<double, std::string>> found;
    const std::string wanted = folded(text, ignoreCase);
    const auto consider = [&](std::string_view prefix, const Spelling& spelling, double factor) {
        std::string candidate(prefix);
        candidate += spelling.text;
        if (folded(candidate, ignoreCase) == wanted &&
            std::none_of(found.begin(), found.end(), [factor](const auto& other) { return other.first == factor; }))
            found.emplace_back(factor, candidate);
    };
    for (const Spelling& spelling : row.spellings) {
        consider("", spelling, spelling.factor);
        for (const Prefix& prefix : prefixes)
            if (takes(spelling.prefixes, prefix))
                consider(prefix.text, spelling, spelling.factor * prefix.factor);
    }
    return found;
}

/// "$ 1.2 M/h" becomes "1.2 M$/h": the sign stands where the other units have theirs.
std::string withMoneySignBehind(std::string text) {
    const std::size_t start = text.starts_with("-$") ? 1 : 0;
    if (text.compare(start, 1, "$") != 0)
        return text;
    text.erase(start, 1);
    text = normalised(text);
    const std::size_t length = numberLength(text);
    std::string rest = normalised(std::string_view(text).substr(length));
    std::string prefix;
    if (!rest.empty() && std::string_view("kKMGTB").find(rest.front()) != std::string_view::npos) {
        prefix = rest.front() == 'B' ? "G" : rest.substr(0, 1);
        rest.erase(0, 1);
    }
    return text.substr(0, length) + " " + prefix + "$" + rest;
}

Expected<double> inUnit(double value, std::string_view rest, Unit unit, const std::string& typed) {
    const UnitRow& row = unitRow(unit);
    auto found = factors(row, rest, false);
    if (found.empty())
        found = factors(row, rest, true);
    if (found.empty())
        return fail({"", std::string(row.examples), typed,
                     rest.empty() ? "A unit is missing." : fmt::format("\"{}\" is no unit that fits here.", rest)});
    if (found.size() > 1)
        return fail({"", fmt::format("{} or {}", found[0].second, found[1].second), typed,
                     fmt::format("\"{}\" can be read in two ways.", rest)});
    double result = value * found.front().first;
    if (unit == Unit::celsius) {
        const char scale = static_cast<char>(std::toupper(static_cast<unsigned char>(rest.empty() ? 'C' : rest.back())));
        if (scale == 'F')
            result = (value - 32) * 5 / 9;
        else if (scale == 'K')
            result = value - 273.15;
    }
    if (!std::isfinite(result))
        return fail({"", "a finite number", typed, "The number is too large."});
    return result;
}

} // namespace

Expected<double> parse(std::string_view text, Unit unit) {
    const std::string typed = text.size() > 80 ? fmt::format("{}…", text.substr(0, 80)) : std::string(text);
    if (text.size() > 200)
        return fail({"", std::string(unitRow(unit).examples), typed, "The text is too long for a number."});
    const std::string clean = withMoneySignBehind(normalised(text));
    const std::size_t length = numberLength(clean);
    const auto plain = plainNumber(std::string_view(clean).substr(0, length));
    if (length == 0 || !plain) {
        const bool explained = length > 0 && !plain.error().expected.empty();
        return fail({"", explained ? plain.error().expected : std::string(unitRow(unit).examples), typed,
                     explained ? plain.error().message : "This is not a number with a unit."});
    }
    double value = 0;
    const char* end = plain->data() + plain->size();
    const auto result = std::from_chars(plain->data(), end, value);
    if (result.ec != std::errc{} || result.ptr != end || !std::isfinite(value))
        return fail({"", "a finite number", typed, "The number is out of range."});
    return inUnit(value, normalised(std::string_view(clean).substr(length)), unit, typed);
}

} // namespace cw
