// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/json_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

namespace cw::io {
namespace {

using nlohmann::json;

std::string place(std::string_view text, std::size_t position, std::string_view where) {
    const std::string_view before = text.substr(0, std::min(position, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    // Columns count characters, not the bytes that UTF-8 continues them with.
    const auto column = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(lineStart), before.end(),
                                      [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
    return fmt::format("{}{}line {}, column {}", where, where.empty() ? "" : ": ", line, std::max<std::ptrdiff_t>(column, 1));
}

/// Builds the value while it is parsed and stops at the first thing that must not be.
class Builder : public json::json_sax_t {
public:
    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t&) override { return put(value); }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t&) override { return stop("text", "binary data", "The file is not JSON text."); }
    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& value) override {
        if (m_open.back()->contains(value))
            return stop("each key once", "\"" + value + "\" again", "A key stands twice in one object.");
        m_key = std::move(value);
        return true;
    }
    bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& exception) override {
        const std::string what = exception.what();
        m_position = position;
        if (what.find("number overflow") != std::string::npos)
            return stop("a number up to 1.8e308", token, "A number is too large.");
        const auto found = what.find("; expected ");
        const auto reason = what.find(" - ");
        std::string message = "The text is not valid JSON";
        if (reason != std::string::npos)
            message += ": " + what.substr(reason + 3, found == std::string::npos ? found : found - reason - 3);
        return stop(found == std::string::npos ? "" : what.substr(found + 11), "", message + ".");
    }

    json result;
    Error error;
    std::optional<std::size_t> m_position;

private:
    bool stop(std::string expected, std::string found, std::string message) {
        error = {"", std::move(expected), std::move(found), std::move(message)};
        return false;
    }
    json* place(json value) {
        if (m_open.empty()) {
            result = std::move(value);
            return &result;
        }
        json& parent = *m_open.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        return &(parent[m_key] = std::move(value));
    }
    template <class T> bool put(T&& value) {
        if (++m_values > maxJsonValues)
            return stop(fmt::format("at most {} values", maxJsonValues), "more", "The file is too large.");
        place(json(std::forward<T>(value)));
        return true;
    }
    bool open(json value) {
        if (m_open.size() >= maxJsonDepth)
            return stop(fmt::format("at most {} levels", maxJsonDepth), "more", "The values are nested too deeply.");
        if (++m_values > maxJsonValues)
            return stop(fmt::format("at most {} values", maxJsonValues), "more", "The file is too large.");
        m_open.push_back(place(std::move(value)));
        return true;
    }
    bool close() {
        m_open.pop_back();
        return true;
    }

    std::vector<json*> m_open;
    std::string m_key;
    std::size_t m_values = 0;
};

/// Counts what the parser has taken, so that faults found while building have a place too.
struct Cursor {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;
    const char* at = nullptr;
    const char** furthest = nullptr;
    reference operator*() const { return *at; }
    Cursor& operator++() {
        *furthest = ++at;
        return *this;
    }
    Cursor operator++(int) {
        Cursor old = *this;
        ++*this;
        return old;
    }
    bool operator==(const Cursor& other) const { return at == other.at; }
    bool operator!=(const Cursor& other) const { return at != other.at; }
};

void appendDouble(std::string& out, double value) {
    if (!std::isfinite(value)) {
        out += "null"; // cannot be said in JSON; callers leave such values out
        return;
    }
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value == 0 ? 0. : value).ptr;
    out.append(buffer, end);
}

template <class Json> void appendScalar(std::string& out, const Json& value) {
    if (value.is_number_float())
        appendDouble(out, value.template get<double>());
    else
        out += value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Appends on one line; gives up, false, once `out` is longer than `limit`.
template <class Json> bool appendCompact(std::string& out, const Json& value, std::size_t limit) {
    if (!value.is_structured()) {
        appendScalar(out, value);
        return out.size() <= limit;
    }
    const bool object = value.is_object();
    out += object ? '{' : '[';
    bool first = true;
    for (auto it = value.begin(); it != value.end(); ++it) {
        if (!first)
            out += ", ";
        first = false;
        if (object) {
            appendScalar(out, Json(it.key()));
            out += ": ";
        }
        if (!appendCompact(out, *it, limit))
            return false;
    }
    out += object ? '}' : ']';
    return out.size() <= limit;
}

/// A long list of numbers fills its lines.
template <class Json> void appendNumbers(std::string& out, const Json& list, const std::string& margin, std::size_t width) {
    out += '[';
    std::size_t start = out.size();
    bool first = true;
    for (const Json& number : list) {
        std::string text;
        appendScalar(text, number);
        const bool fits = !first && out.size() + text.size() + 3 <= start + width;
        out += first ? "\n" : fits ? ", " : ",\n";
        if (!fits) {
            start = out.size();
            out += margin;
        }
        out += text;
        first = false;
    }
}

template <class Json>
void appendLayout(std::string& out, const Json& value, std::size_t indent, std::size_t width, std::size_t lineStart) {
    const std::size_t mark = out.size();
    if (appendCompact(out, value, lineStart + width) || !value.is_structured() || value.empty())
        return;
    out.resize(mark);
    const bool object = value.is_object();
    const std::string margin(indent + 2, ' ');
    if (!object && std::none_of(value.begin(), value.end(), [](const Json& element) { return !element.is_number(); })) {
        appendNumbers(out, value, margin, width);
        out += '\n';
        out.append(indent, ' ');
        out += ']';
        return;
    }
    out += object ? '{' : '[';
    bool first = true;
    for (auto it = value.begin(); it != value.end(); ++it) {
        out += first ? "\n" : ",\n";
        first = false;
        const std::size_t start = out.size();
        out += margin;
        if (object) {
            appendScalar(out, Json(it.key()));
            out += ": ";
        }
        appendLayout(out, *it, indent + 2, width, start);
    }
    out += '\n';
    out.append(indent, ' ');
    out += object ? '}' : ']';
}

} // namespace

Expected<json> parseJson(std::string_view text, std::string_view where) {
    if (text.empty())
        return fail({std::string(where), "JSON text", "nothing", "The file is empty."});
    Builder builder;
    const char* furthest = text.data();
    const Cursor begin{text.data(), &furthest}, end{text.data() + text.size(), &furthest};
    if (json::sax_parse(begin, end, &builder))
        return std::move(builder.result);
    const auto taken = static_cast<std::size_t>(furthest - text.data());
    builder.error.where = place(text, builder.m_position ? std::min(*builder.m_position, taken) : taken, where);
    return fail(std::move(builder.error));
}

std::string compactText(const json& value) {
    std::string out;
    appendCompact(out, value, std::string::npos);
    return out;
}

std::string layoutText(const nlohmann::ordered_json& value, std::size_t width) {
    std::string out;
    appendLayout(out, value, 0, width, 0);
    out += '\n';
    return out;
}

std::string foundText(const json& value) {
    switch (value.type()) {
    case json::value_t::object:
        return value.empty() ? "an empty object" : "an object";
    case json::value_t::array:
        return value.empty() ? "an empty list" : "a list";
    case json::value_t::null:
        return "null";
    default:
        break;
    }
    std::string text;
    appendScalar(text, value);
    if (text.size() <= 60)
        return text;
    std::size_t end = 57;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
        --end;
    return text.substr(0, end) + "…";
}

void appendPointer(std::string& pointer, std::string_view key) {
    pointer += '/';
    for (const char c : key) {
        if (c == '~')
            pointer += "~0";
        else if (c == '/')
            pointer += "~1";
        else
            pointer += c;
    }
}

} // namespace cw::io
