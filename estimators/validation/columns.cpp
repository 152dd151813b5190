// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/columns.h"

#include "estimators/validation/names.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

namespace cw {

namespace {

struct UnitSuffix {
    std::string_view text;
    Dimension dimension;
    double factor;
};
/// Longer ones first, so that "_gb_s" is no "_s".
constexpr UnitSuffix suffixes[] = {
    {"gbit_per_s", Dimension::rate, 1e9 / 8},
    {"gbit_s", Dimension::rate, 1e9 / 8},
    {"gb_per_s", Dimension::rate, 1e9},
    {"gib_per_s", Dimension::rate, 1024.0 * 1024 * 1024},
    {"gb_s", Dimension::rate, 1e9},
    {"tb_s", Dimension::rate, 1e12},
    {"mb_s", Dimension::rate, 1e6},
    {"gbps", Dimension::rate, 1e9 / 8},
    {"tbps", Dimension::rate, 1e12 / 8},
    {"mbps", Dimension::rate, 1e6 / 8},
    {"gbs", Dimension::rate, 1e9},
    {"ms", Dimension::time, 1e-3},
    {"msec", Dimension::time, 1e-3},
    {"us", Dimension::time, 1e-6},
    {"usec", Dimension::time, 1e-6},
    {"ns", Dimension::time, 1e-9},
    {"s", Dimension::time, 1},
    {"sec", Dimension::time, 1},
    {"secs", Dimension::time, 1},
    {"seconds", Dimension::time, 1},
    {"min", Dimension::time, 60},
    {"mins", Dimension::time, 60},
    {"minutes", Dimension::time, 60},
    {"h", Dimension::time, 3600},
    {"hr", Dimension::time, 3600},
    {"hrs", Dimension::time, 3600},
    {"hours", Dimension::time, 3600},
    {"days", Dimension::time, 86400},
    {"bytes", Dimension::bytes, 1},
    {"b", Dimension::bytes, 1},
    {"kb", Dimension::bytes, 1e3},
    {"kib", Dimension::bytes, 1024},
    {"mb", Dimension::bytes, 1e6},
    {"mib", Dimension::bytes, 1024.0 * 1024},
    {"gb", Dimension::bytes, 1e9},
    {"gib", Dimension::bytes, 1024.0 * 1024 * 1024},
    {"tb", Dimension::bytes, 1e12},
    {"tib", Dimension::bytes, 1024.0 * 1024 * 1024 * 1024},
    {"pct", Dimension::fraction, .01},
    {"percent", Dimension::fraction, .01},
    {"frac", Dimension::fraction, 1},
    {"fraction", Dimension::fraction, 1},
    {"gflops", Dimension::operations, 1e9},
    {"tflops", Dimension::operations, 1e12},
    {"pflops", Dimension::operations, 1e15},
    {"tflop_s", Dimension::operations, 1e12},
    {"tflops_s", Dimension::operations, 1e12},
    {"pflop_s", Dimension::operations, 1e15},
    {"pflops_s", Dimension::operations, 1e15},
    {"w", Dimension::power, 1},
    {"kw", Dimension::power, 1e3},
    {"mw", Dimension::power, 1e6},
};

std::string_view trimmed(std::string_view text) {
    const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!text.empty() && space(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && space(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    return out;
}

bool isNothing(std::string_view text) {
    if (text.empty())
        return true;
    if (text.size() > 4)
        return false;
    const std::string word = lower(text);
    return word == "-" || word == "n/a" || word == "na" || word == "nan" || word == "null" || word == "?";
}

/// Position of `name` in the list of a field, 0 the key itself; empty: it is none of them. Earlier names count more.
std::optional<std::size_t> rankOf(const Field& field, std::string_view name) {
    if (name == field.key)
        return 0;
    std::size_t rank = 1;
    for (std::string_view rest = field.names; !rest.empty(); ++rank) {
        const std::size_t bar = rest.find('|');
        if (rest.substr(0, bar) == name)
            return rank;
        rest.remove_prefix(bar == std::string_view::npos ? rest.size() : bar + 1);
    }
    return std::nullopt;
}

/// Without words at its ends that say how a figure came about, not what it is; empty when none was there.
std::string withoutDecoration(std::string_view name) {
    constexpr std::string_view decorations[] = {"measured", "reported", "published", "observed", "actual", "real", "mean", "avg", "average", "median", "logged", "achieved"};
    const std::string_view before = name;
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view word : decorations) {
            if (name.size() <= word.size() + 1)
                continue;
            if (name.starts_with(word) && name[word.size()] == '_') {
                name.remove_prefix(word.size() + 1);
                again = true;
            } else if (name.ends_with(word) && name[name.size() - word.size() - 1] == '_') {
                name.remove_suffix(word.size() + 1);
                again = true;
            }
        }
    }
    return name.size() == before.size() ? std::string() : std::string(name);
}

/// Without the words of a number of things: "num_of_layers" → "layers"; empty when there are none.
std::string_view withoutNumberOf(std::string_view name) {
    for (const std::string_view words : {"number_of_", "num_of_", "no_of_", "nr_of_", "number_", "num_", "no_", "nr_", "n_"})
        if (name.starts_with(words))
            return name.substr(words.size());
    return {};
}

struct Fit {
    std::size_t rank = 0;
    double factor = 1;
};

/// How well a column's name fits a field, whole or without a unit at its end; a name that fits whole comes first.
std::optional<Fit> fitOf(const Field& field, std::string_view name) {
    constexpr std::size_t stripped = 1000;
    const std::optional<std::size_t> whole = rankOf(field, name);
    for (const UnitSuffix& unit : suffixes) {
        if (unit.dimension != field.dimension || name.size() <= unit.text.size() + 1 || !name.ends_with(unit.text) ||
            name[name.size() - unit.text.size() - 1] != '_')
            continue;
        if (whole) // the name with its unit is listed: the unit counts all the same
            return Fit{*whole, unit.factor};
        if (const auto without = rankOf(field, name.substr(0, name.size() - unit.text.size() - 1)))
            return Fit{stripped + *without, unit.factor};
        return std::nullopt;
    }
    return whole ? std::optional(Fit{*whole, field.factor}) : std::nullopt;
}

} // namespace

std::string normalisedColumn(std::string_view name) {
    std::string raw(trimmed(name)), out;
    for (const auto& [bits, word] : {std::pair("Gb/s", "gbps"), std::pair("Tb/s", "tbps"), std::pair("Mb/s", "mbps")})
        if (const std::size_t at = raw.find(bits); at != std::string::npos)
            raw.replace(at, 4, word);
    const auto part = [&] {
        if (!out.empty() && out.back() != '_')
            out += '_';
    };
    for (const char c : lower(raw)) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (letter) {
            out += c;
            continue;
        }
        if (c == '%' || (c == '#' && out.empty()))
            part(), out += c == '%' ? "pct" : "num";
        part();
    }
    while (!out.empty() && out.back() == '_')
        out.pop_back();
    return out;
}

Columns::Columns(const std::vector<std::string>& header, std::span<const std::span<const Field>> fields) {
    m_header = header;
    for (const std::string& name : header)
        m_names.push_back(normalisedColumn(name));
    constexpr std::size_t decorated = 10000, counted = 20000; // after all plain names
    for (const auto& span : fields)
        for (const Field& field : span) {
            std::optional<std::size_t> best;
            for (std::size_t i = 0; i < m_names.size(); ++i) {
                std::optional<Fit> fit = fitOf(field, m_names[i]);
                if (const std::string plain = fit ? std::string() : withoutDecoration(m_names[i]); !plain.empty())
                    if ((fit = fitOf(field, plain)))
                        fit->rank += decorated;
                if (const std::string_view things = fit || field.dimension != Dimension::number ? std::string_view() : withoutNumberOf(m_names[i]); things.size() > 1)
                    if ((fit = fitOf(field, things)))
                        fit->rank += counted;
                if (fit && (!best || fit->rank < *best)) {
                    best = fit->rank;
                    m_matches[field.key] = {i, fit->factor, field.dimension, header[i], field.positive};
                }
            }
        }
}

std::vector<std::string> Columns::notUnderstood() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < m_header.size(); ++i)
        if (std::none_of(m_matches.begin(), m_matches.end(), [&](const auto& match) { return match.second.column == i; }))
            names.push_back(m_header[i]);
    return names;
}

std::size_t Columns::matchedBy(std::span<const Field> fields) const {
    std::set<std::size_t> columns;
    for (const Field& field : fields)
        if (const Match* match = find(field.key))
            columns.insert(match->column);
    return columns.size();
}

const Columns::Match* Columns::find(std::string_view key) const {
    const auto found = m_matches.find(key);
    return found == m_matches.end() ? nullptr : &found->second;
}

std::optional<std::size_t> Columns::columnNamed(std::string_view normalised) const {
    const auto found = std::find(m_names.begin(), m_names.end(), normalised);
    return found == m_names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - m_names.begin()));
}

std::optional<double> parseCellNumber(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+') || text.starts_with('~'))
        text.remove_prefix(1);
    while (text.ends_with('*')) // a footnote
        text.remove_suffix(1);
    text = trimmed(text);
    double factor = 1;
    const auto take = [&](std::string_view ending, double times) {
        if (!text.ends_with(ending))
            return false;
        text = trimmed(text.substr(0, text.size() - ending.size()));
        factor = times;
        return true;
    };
    constexpr double kilo = 1024;
    take("%", .01) || take("kB", kilo) || take("KB", kilo) || take("MB", kilo * kilo) || take("GB", kilo * kilo * kilo) ||
        take("k", kilo) || take("K", kilo) || take("M", kilo * kilo) || take("G", kilo * kilo * kilo) || take("x", 1);
    std::string digits;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != ',')
            digits += text[i];
        else if (i == 0 || i + 3 >= text.size() || text.substr(i + 1, 3).find_first_not_of("0123456789") != std::string_view::npos ||
                 (i + 4 < text.size() && text[i + 4] != ',' && text[i + 4] != '.'))
            return std::nullopt; // a comma that does not part thousands
    }
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
        return std::nullopt;
    return value * factor;
}

namespace {

/// Words after a number that name what is counted and change nothing.
bool namesThings(std::string_view unit) {
    constexpr std::string_view words[] = {"tok",  "toks",   "token", "tokens", "sample", "samples", "seq",   "seqs", "sequences", "images",      "s",     "sec", "second",
                                          "gpu",  "gpus",   "device", "devices", "per",  "accelerators", "ranks", "nodes", "layers", "days", "d", "failures", "interruptions"};
    for (; !unit.empty();) {
        const std::size_t end = unit.find('_');
        if (std::find(std::begin(words), std::end(words), unit.substr(0, end)) == std::end(words))
            return false;
        unit.remove_prefix(end == std::string_view::npos ? unit.size() : end + 1);
    }
    return true;
}

/// "3100 ms": a number with its own unit, in the unit of a column; empty: the text is none of the column's dimension.
std::optional<double> numberWithUnit(std::string_view cell, const Columns::Match& match) {
    while (cell.ends_with('*'))
        cell.remove_suffix(1);
    std::size_t end = cell.size();
    while (end > 0 && !(cell[end - 1] >= '0' && cell[end - 1] <= '9'))
        --end;
    const auto value = parseCellNumber(cell.substr(0, end));
    std::string unit = normalisedColumn(cell.substr(end));
    if (!value || unit.empty())
        return std::nullopt;
    if (match.dimension == Dimension::number)
        return namesThings(unit) ? value : std::nullopt;
    for (const std::string_view each : {"_per_gpu", "_gpu", "_per_device", "_device"})
        if (unit.ends_with(each))
            unit.resize(unit.size() - each.size());
    for (const UnitSuffix& known : suffixes)
        if (known.dimension == match.dimension && known.text == unit)
            return *value * known.factor / match.factor;
    return std::nullopt;
}

} // namespace

std::string Row::id() const {
    const std::string_view own = text("id");
    return own.empty() ? "line " + std::to_string(line()) : std::string(own);
}

std::string Row::family() const {
    const std::string_view own = text("family");
    return own.empty() ? fileStem(m_table.file) : std::string(own);
}

std::string_view Row::text(std::string_view key) const {
    const Columns::Match* match = m_columns.find(key);
    if (!match || match->column >= m_record.fields.size())
        return {};
    const std::string_view cell = trimmed(m_record.fields[match->column]);
    return isNothing(cell) ? std::string_view() : cell;
}

std::optional<Row::Measured> Row::read(std::string_view key) const {
    const std::string_view cell = text(key);
    if (cell.empty())
        return std::nullopt;
    const Columns::Match& match = *m_columns.find(key);
    const bool powersOfTwo = match.dimension == Dimension::bytes && match.factor == 1; // sizes of messages: "64K", "1MB"
    std::optional<double> value = powersOfTwo ? std::nullopt : numberWithUnit(cell, match);
    const bool ownUnit = value.has_value();
    const bool sized = cell.ends_with('B') && match.dimension != Dimension::bytes && match.dimension != Dimension::number;
    if (!value && !sized)
        value = parseCellNumber(cell);
    if (!value)
        return std::nullopt;
    const bool percentSign = !ownUnit && cell.ends_with('%') && match.dimension == Dimension::fraction;
    return Measured{std::string(match.name), *value, percentSign ? 1 : match.factor};
}

void Row::refuse(std::string_view key, std::string_view why) const {
    std::string reason = std::string(m_columns.find(key)->name) + " \"" + std::string(text(key).substr(0, 40)) + "\" " + std::string(why);
    if (std::find(m_unreadable.begin(), m_unreadable.end(), reason) == m_unreadable.end())
        m_unreadable.push_back(std::move(reason));
}

std::optional<double> Row::number(std::string_view key) const {
    const auto found = read(key);
    if (!found) {
        if (has(key))
            refuse(key, "is not a number");
        return std::nullopt;
    }
    if (found->value <= 0 && m_columns.find(key)->positive) {
        refuse(key, "is not positive");
        return std::nullopt;
    }
    return found->value * found->factor;
}

std::string_view Row::columnName(std::string_view key) const {
    const Columns::Match* match = m_columns.find(key);
    return match ? match->name : std::string_view();
}

std::optional<Precision> Row::precision(std::string_view key) const {
    const auto found = findPrecision(text(key));
    if (!found && has(key))
        refuse(key, "is no number format that is known");
    return found;
}

std::optional<Row::Measured> Row::measured(std::string_view key) const {
    const auto found = read(key);
    const bool nothing = key.starts_with("wait_") || key == "prob_wait" || key == "queue_length"; // of an empty queue 0 is a figure
    if (found && (found->value > 0 || (nothing && found->value == 0)))
        return found;
    const std::string column = has(key) ? std::string(m_columns.find(key)->name) : std::string();
    const bool noted = std::any_of(m_notMeasured.begin(), m_notMeasured.end(), [&](const NotMeasured& each) { return each.column == column; });
    if (found && !noted)
        m_notMeasured.push_back({column, found->value, "measured value is not positive"});
    else if (!column.empty() && !noted)
        m_notMeasured.push_back({column, std::numeric_limits<double>::quiet_NaN(), column + " \"" + std::string(text(key).substr(0, 40)) + "\" is not a number"});
    return std::nullopt;
}

std::optional<int> Row::count(std::string_view key) const {
    const auto value = number(key);
    if (!value || *value == 0)
        return std::nullopt;
    if (*value < 0 || *value > 1e9 || std::abs(*value - std::round(*value)) > 1e-6 * *value) {
        refuse(key, "is not a whole number that can be");
        return std::nullopt;
    }
    return static_cast<int>(std::lround(*value));
}

std::optional<bool> Row::flag(std::string_view key) const {
    const std::string word = lower(text(key));
    if (word.empty())
        return std::nullopt;
    return !(word == "0" || word == "no" || word == "false" || word == "off" || word == "none" || word == "n");
}

std::string_view Row::cell(std::string_view normalisedName) const {
    const auto column = m_columns.columnNamed(normalisedName);
    return column && *column < m_record.fields.size() ? trimmed(m_record.fields[*column]) : std::string_view();
}

std::string Row::words() const {
    std::string all;
    for (const std::string& field : m_record.fields)
        all += lower(field) + ' ';
    return all;
}

std::string fileStem(std::string_view file) {
    if (const std::size_t slash = file.find_last_of("/\\"); slash != std::string_view::npos)
        file.remove_prefix(slash + 1);
    return std::string(file.substr(0, file.find_last_of('.')));
}

} // namespace cw
