// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/units/unit_table.h"

#include <fmt/format.h>
#include <cmath>

namespace cw {
namespace {

struct Prefix {
    double factor;
    const char* text;
};
constexpr Prefix prefixes[] = {{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"},  {1e6, "M"},  {1e3, "k"},
                               {1, ""},     {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}, {1e-12, "p"}};

/// `value` rounded to so many significant digits, so that 999.96 is judged as the 1000 it prints as.
double rounded(double value, int digits) {
    if (value == 0)
        return 0;
    const int exponent = static_cast<int>(std::floor(std::log10(std::fabs(value))));
    const double step = std::pow(10., exponent - digits + 1);
    return std::round(value / step) * step;
}

std::string grouped(double value) {
    std::string digits = fmt::format("{:.0f}", std::fabs(value));
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), " ");
    return value < 0 && digits != "0" ? "-" + digits : digits;
}

/// Fixed notation with `digits` significant digits; from 1000 on whole numbers in groups; far out with an exponent.
std::string number(double value, int digits) {
    const double size = std::fabs(rounded(value, digits));
    if (size == 0)
        return "0";
    if (size >= 1e15 || size < 1e-4)
        return fmt::format("{:.{}e}", value, digits - 1);
    if (size >= std::pow(10., std::max(digits, 3)))
        return grouped(value);
    const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-12));
    return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent));
}

const Prefix& prefixFor(double value, int digits, double smallest) {
    const double size = std::fabs(rounded(value, digits));
    if (size == 0)
        return prefixes[6];
    for (const Prefix& prefix : prefixes)
        if (size >= prefix.factor * (1 - 1e-9) || prefix.factor <= smallest)
            return prefix;
    return prefixes[std::size(prefixes) - 1];
}

std::string prefixed(double value, std::string_view suffix, int digits, double smallest, bool attached) {
    const Prefix& prefix = prefixFor(value, digits, smallest);
    const std::string scaled = number(value / prefix.factor, digits);
    return fmt::format("{} {}{}{}", scaled, prefix.text, !attached && *prefix.text ? " " : "", suffix);
}

std::string duration(double value, int digits) {
    struct Step {
        double from, factor;
        const char* suffix;
    };
    constexpr Step steps[] = {
        {2 * 365.25 * 86400, 365.25 * 86400, "years"}, {2 * 86400, 86400, "days"}, {2 * 3600, 3600, "h"}, {120, 60, "min"}};
    for (const Step& step : steps)
        if (std::fabs(value) >= step.from)
            return fmt::format("{} {}", number(value / step.factor, digits), step.suffix);
    if (std::fabs(rounded(value, digits)) >= 1)
        return number(value, digits) + " s";
    return prefixed(value, "s", digits, 1e-9, true);
}

std::string moneyText(double value, std::string_view per, int digits) {
    const char* sign = value < 0 ? "-" : "";
    double size = std::fabs(value);
    const char* prefix = "";
    if (rounded(size, digits) >= 1e5) {
        const Prefix& found = prefixFor(size, digits, 1);
        size /= found.factor;
        prefix = found.factor == 1e9 ? " B" : found.factor == 1e6 ? " M" : found.factor == 1e3 ? " k" : " T";
        if (found.factor > 1e12)
            size *= found.factor / 1e12;
    }
    return fmt::format("{}$ {}{}{}", sign, number(size, digits), prefix, per);
}

std::string percent(double value, int digits) {
    std::string text = number(value, digits);
    if (text.find('.') != std::string::npos && text.find('e') == std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.')
            text.pop_back();
    }
    return text + " %";
}

} // namespace

std::string format(double value, Unit unit, int significantDigits) {
    if (std::isnan(value))
        return "?";
    if (std::isinf(value))
        return value > 0 ? "∞" : "-∞";
    const UnitRow& row = unitRow(unit);
    const int digits = std::clamp(significantDigits, 1, 15);
    const double scaled = value * row.humanFactor;
    switch (row.style) {
    case Style::attached:
        return prefixed(scaled, row.human, digits, 1e-12, true);
    case Style::scaledUp:
        return prefixed(scaled, row.human, digits, 1, true);
    case Style::detached:
        return prefixed(scaled, row.human, digits, 1, false);
    case Style::integer:
        if (std::round(scaled) == scaled && std::fabs(scaled) < 1e15)
            return row.human.empty() ? grouped(scaled) : fmt::format("{} {}", grouped(scaled), row.human);
        break;
    case Style::percent:
        return percent(scaled, digits);
    case Style::duration:
        return duration(scaled, digits);
    case Style::money:
        return moneyText(scaled, row.human, digits);
    case Style::mass:
        if (std::fabs(scaled) >= 1e4)
            return fmt::format("{} t{}", number(scaled / 1e3, digits), row.human.substr(2));
        break;
    case Style::plain:
        break;
    }
    return row.human.empty() ? number(scaled, digits) : fmt::format("{} {}", number(scaled, digits), row.human);
}

} // namespace cw
