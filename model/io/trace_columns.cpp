// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/trace_columns.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cw {

namespace {

constexpr std::string_view timeNames[] = {"timestamp", "time",     "arrivaltime", "arrivedat", "arrival", "starttime",
                                          "datetime",  "requesttime", "arrivaltimestamp", "requesttimestamp", "createdat", "created", "sendtime",
                                          "submittime", "ts", "t"};
constexpr std::string_view promptNames[] = {"contexttokens", "prompttokens", "inputtokens",   "requesttokens", "numprefilltokens", "prompt",
                                            "promptlength",  "inputlength",  "contextlength", "promptsize",    "input",            "isl"};
constexpr std::string_view outputNames[] = {"generatedtokens", "outputtokens", "responsetokens", "completiontokens", "numdecodetokens",
                                            "output",          "outputlength", "tokensize",      "response",         "osl"};

constexpr double latestTime = 1e12; // s

/// Letters and digits in lower case, so that "Request tokens", "request_tokens" and "RequestTokens" are one.
std::string plain(std::string_view name) {
    std::string out;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)))
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

/// Fields of a line without quotes around them; separators inside quotes do not count. Calls f(index, text).
template <class F> void forFields(std::string_view line, char separator, F f) {
    int index = 0;
    std::size_t begin = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        if (i < line.size() && line[i] == '"')
            quoted = !quoted;
        if (i < line.size() && (quoted || line[i] != separator))
            continue;
        std::string_view field = line.substr(begin, i - begin);
        while (!field.empty() && (field.front() == ' ' || field.front() == '"'))
            field.remove_prefix(1);
        while (!field.empty() && (field.back() == ' ' || field.back() == '"' || field.back() == '\r'))
            field.remove_suffix(1);
        f(index++, field);
        begin = i + 1;
    }
}

std::optional<double> number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
    int value = 0;
    if (at + count > text.size())
        return std::nullopt;
    for (std::size_t i = at; i < at + count; ++i) {
        if (text[i] < '0' || text[i] > '9')
            return std::nullopt;
        value = 10 * value + (text[i] - '0');
    }
    return value;
}

/// Days since 1970-01-01 in the Gregorian calendar (Hinnant's "days from civil" counts March as the first month).
std::int64_t daysSince1970(int year, int month, int day) {
    const int y = month <= 2 ? year - 1 : year;
    const int era = (y >= 0 ? y : y - 399) / 400, ofEra = y - era * 400;
    const int ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return static_cast<std::int64_t>(era) * 146097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719468;
}

/// "+01:00", "-0130", "Z" after a time: seconds ahead of UTC.
std::optional<double> zone(std::string_view text) {
    if (text.empty() || text == "Z" || text == "z" || text == " UTC")
        return 0;
    if (text.front() != '+' && text.front() != '-')
        return std::nullopt;
    const auto hours = digits(text, 1, 2);
    const auto minutes = text.size() > 3 ? digits(text, text[3] == ':' ? 4 : 3, 2) : std::optional(0);
    if (!hours || !minutes)
        return std::nullopt;
    return (text.front() == '-' ? -1 : 1) * (*hours * 3600. + *minutes * 60.);
}

std::optional<double> date(std::string_view text) {
    const auto year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2);
    const auto hour = digits(text, 11, 2), minute = digits(text, 14, 2), second = digits(text, 17, 2);
    if (!year || !month || !day || !hour || !minute || !second || *month < 1 || *month > 12 || *day < 1 || *day > 31 || *hour > 24
        || *minute > 59 || *second > 60)
        return std::nullopt;
    std::size_t end = 19;
    double fraction = 0, digit = .1;
    if (end < text.size() && (text[end] == '.' || text[end] == ','))
        for (++end; end < text.size() && text[end] >= '0' && text[end] <= '9'; ++end, digit /= 10)
            fraction += digit * (text[end] - '0');
    const auto ahead = zone(text.substr(end));
    if (!ahead)
        return std::nullopt;
    return static_cast<double>(daysSince1970(*year, *month, *day)) * 86400 + *hour * 3600. + *minute * 60. + *second + fraction - *ahead;
}

double inUnit(double seconds, bool& absolute) {
    absolute = std::abs(seconds) > 1e9;
    return seconds;
}

/// Plain numbers: seconds, or since 1970 in some unit by their size.
double scaled(double value, bool& absolute) {
    const double size = std::abs(value);
    absolute = size > 1e9;
    return size > 1e17 ? value * 1e-9 : size > 1e14 ? value * 1e-6 : size > 1e11 ? value * 1e-3 : value;
}

/// "time_ms", "Arrival (s)": the unit that a name ends with, which is cut off; 0: none.
double unitOf(std::string_view field, std::string& column) {
    const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    while (!field.empty() && !letter(field.back()))
        field.remove_suffix(1);
    std::size_t from = field.size();
    while (from > 0 && letter(field[from - 1]))
        --from;
    constexpr std::pair<std::string_view, double> units[] = {{"s", 1}, {"sec", 1}, {"seconds", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    const std::string last = plain(field.substr(from));
    for (const auto& [name, factor] : units)
        if (from > 0 && last == name) {
            column = plain(field.substr(0, from));
            return factor;
        }
    return 0;
}

int columnOf(const std::vector<std::string>& columns, std::span<const std::string_view> names) {
    for (const std::string_view name : names) // the most telling name first
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (columns[i] == name)
                return static_cast<int>(i);
    return -1;
}

} // namespace

Expected<TraceColumns> traceColumns(std::string_view header, const std::string& name) {
    TraceColumns out;
    for (const char separator : {',', ';', '\t'})
        if (std::count(header.begin(), header.end(), separator) > std::count(header.begin(), header.end(), out.separator))
            out.separator = separator;
    std::vector<std::string> columns, withoutUnits;
    std::vector<double> units;
    forFields(header, out.separator, [&](int, std::string_view field) {
        columns.push_back(plain(field));
        withoutUnits.push_back(columns.back());
        units.push_back(unitOf(field, withoutUnits.back()));
    });
    out.time = columnOf(columns, timeNames);
    if (out.time < 0) {
        out.time = columnOf(withoutUnits, timeNames);
        out.timeUnit = out.time < 0 ? 0 : units[static_cast<std::size_t>(out.time)];
    }
    out.prompt = columnOf(columns, promptNames);
    out.output = columnOf(columns, outputNames);
    if (out.time < 0)
        return fail({name + ":1", "a column of times, such as TIMESTAMP, and of tokens, such as ContextTokens and GeneratedTokens",
                     std::string(header.substr(0, 120)), "The trace does not say when requests came."});
    return out;
}

TraceLine readTraceLine(std::string_view line, const TraceColumns& columns) {
    TraceLine out;
    const int last = std::max({columns.time, columns.prompt, columns.output});
    int seen = 0;
    const auto bad = [&](const char* expected, std::string_view found) {
        if (out.expected.empty()) {
            out.expected = expected;
            out.found = std::string(found.substr(0, 60));
        }
    };
    forFields(line, columns.separator, [&](int index, std::string_view field) {
        ++seen;
        if (index == columns.time) {
            if (const auto value = number(field))
                out.seconds = columns.timeUnit > 0 ? inUnit(*value * columns.timeUnit, out.absolute) : scaled(*value, out.absolute);
            else if (const auto at = date(field)) {
                out.seconds = *at;
                out.absolute = true;
            } else
                bad("a date and time, or seconds", field);
            if (std::abs(out.seconds) > latestTime)
                bad("a time within thousands of years", field);
        } else if (index == columns.prompt || index == columns.output) {
            const auto value = number(field);
            if (!value || *value < 0 || *value > 1e9)
                bad("a number of tokens", field);
            else
                (index == columns.prompt ? out.prompt : out.output) = *value;
        }
    });
    if (seen <= last)
        bad("as many fields as the header has", line);
    return out;
}

} // namespace cw
