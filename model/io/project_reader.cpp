// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/faults.h"
#include "model/io/fields.h"
#include "model/io/json_text.h"
#include "model/io/migrations.h"
#include "model/io/project_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <algorithm>
#include <cmath>
#include <concepts>
#include <filesystem>
#include <fstream>
#include <type_traits>
#include <unordered_set>

namespace cw {
namespace io {
namespace {

using nlohmann::json;

template <class T> constexpr bool isId = false;
template <class Tag> constexpr bool isId<Id<Tag>> = true;
template <class T> constexpr bool isQuantity = false;
template <class Unit> constexpr bool isQuantity<boost::units::quantity<Unit, double>> = true;
template <class T> constexpr bool isOptional = false;
template <class T> constexpr bool isOptional<std::optional<T>> = true;
template <class T> constexpr bool isVector = false;
template <class T> constexpr bool isVector<std::vector<T>> = true;

template <class T> void readObject(Faults& faults, const json& value, T& into);

std::string rangeText(const Range& range, bool whole) {
    const std::string_view kind = whole ? "a whole number" : "a number";
    if (range.low <= -1e300 && range.high >= 1e300)
        return std::string(kind);
    const auto shown = [](double bound) {
        return std::fabs(bound) < 1e15 ? fmt::format("{:.15g}", bound) : fmt::format("{:g}", bound);
    };
    if (range.high >= 1e300)
        return fmt::format("{} {} {}", kind, range.aboveLow ? "above" : "of at least", shown(range.low));
    return fmt::format("{} {} {} {} {}", kind, range.aboveLow ? "above" : "from", shown(range.low),
                       range.aboveLow ? "and at most" : "to", shown(range.high));
}

/// A number within the range, or nothing and a fault.
std::optional<double> numberIn(Faults& faults, const json& value, const Range& range, bool whole) {
    if (value.is_number()) {
        const double number = value.get<double>();
        const bool inside = number <= range.high && (range.aboveLow ? number > range.low : number >= range.low);
        if (inside && (!whole || std::floor(number) == number))
            return number;
    }
    faults.add(rangeText(range, whole), foundText(value),
               value.is_number() ? "The number is out of range." : "This is not a number.");
    return std::nullopt;
}

bool stringIn(Faults& faults, const json& value, std::string& into) {
    if (!value.is_string()) {
        faults.add("text", foundText(value), "This is not text.");
        return false;
    }
    into = value.get_ref<const std::string&>();
    return true;
}

template <class Enum> void enumIn(Faults& faults, const json& value, Enum& into) {
    std::string names;
    for (int at = 0; at < namesOf<Enum>; ++at) {
        const auto candidate = static_cast<Enum>(at);
        const std::string_view known = name(candidate);
        if (value.is_string() && value.get_ref<const std::string&>() == known) {
            into = candidate;
            return;
        }
        names += (at ? ", " : "") + std::string(known);
    }
    faults.add("one of " + names, foundText(value), "This is not one of the known names.");
}

template <class T> void listIn(Faults& faults, const json& value, std::vector<T>& into, const Range& range);

void recordIn(Faults& faults, const json& value, std::shared_ptr<const RecordedRequests>& into) {
    RecordedRequests record;
    readObject(faults, value, record);
    const auto later = std::is_sorted_until(record.at.begin(), record.at.end());
    if (record.at.size() < 2 || later != record.at.end() || !(record.at.back() > record.at.front())) {
        const Faults::Step step(faults, "at_s");
        faults.add("at least two times, rising", later != record.at.end() ? fmt::format("{:g} behind a later one", *later) : "fewer, or all alike",
                   "The record does not say when requests came.");
    }
    for (const auto& [key, list] : {std::pair{"prompt_tokens", &record.prompts}, {"output_tokens", &record.outputs}}) {
        const Faults::Step step(faults, key);
        if (!list->empty() && list->size() != record.at.size())
            faults.add(fmt::format("{} numbers, one for each time, or none", record.at.size()), std::to_string(list->size()), "The list has another length.");
    }
    into = std::make_shared<const RecordedRequests>(std::move(record));
}

template <class T> void valueIn(Faults& faults, const json& value, T& into, const Range& range) {
    if constexpr (std::is_same_v<T, std::shared_ptr<const RecordedRequests>>) {
        recordIn(faults, value, into);
    } else if constexpr (isOptional<T>) {
        valueIn(faults, value, into.emplace(), range);
    } else if constexpr (isVector<T>) {
        listIn(faults, value, into, range);
    } else if constexpr (isId<T>) {
        stringIn(faults, value, into.value);
    } else if constexpr (std::is_same_v<T, std::string>) {
        stringIn(faults, value, into);
    } else if constexpr (std::is_same_v<T, bool>) {
        if (value.is_boolean())
            into = value.get<bool>();
        else
            faults.add("true or false", foundText(value), "This is neither true nor false.");
    } else if constexpr (isQuantity<T>) {
        if (const auto found = numberIn(faults, value, range, false))
            into = fromSi<T>(*found);
    } else if constexpr (std::is_arithmetic_v<T>) {
        if (const auto found = numberIn(faults, value, range, std::is_integral_v<T>))
            into = static_cast<T>(*found);
    } else if constexpr (std::is_enum_v<T>) {
        enumIn(faults, value, into);
    } else if constexpr (std::is_same_v<T, std::map<std::string, ItemView>>) {
        if (!value.is_object()) {
            faults.add("an object", foundText(value), "This is not an object.");
            return;
        }
        for (auto it = value.begin(); it != value.end(); ++it) {
            const Faults::Step step(faults, it.key());
            readObject(faults, *it, into[it.key()]);
        }
    } else {
        readObject(faults, value, into);
    }
}

/// Ids are what edits and links refer to, so two of one list must differ.
template <class T> void checkIds(Faults& faults, const std::vector<T>& list) {
    if constexpr (requires(const T& element) { element.id; }) {
        std::unordered_set<std::string_view> seen;
        for (std::size_t at = 0; at < list.size(); ++at) {
            std::string_view id;
            if constexpr (std::is_same_v<decltype(list[at].id), std::string>)
                id = list[at].id;
            else
                id = list[at].id.value;
            if (id.empty() || seen.insert(id).second)
                continue;
            const Faults::Step element(faults, at);
            const Faults::Step key(faults, "id");
            faults.add("an id that is not used before", "\"" + std::string(id) + "\"",
                       "Two elements of the list have the same id.");
        }
    }
}

template <class T> void listIn(Faults& faults, const json& value, std::vector<T>& into, const Range& range) {
    if (!value.is_array()) {
        faults.add("a list", foundText(value), "This is not a list.");
        return;
    }
    into.clear();
    into.resize(value.size());
    for (std::size_t at = 0; at < value.size(); ++at) {
        const Faults::Step step(faults, at);
        valueIn(faults, value[at], into[at], range);
    }
    checkIds(faults, into);
}

/// Visits the fields of one object; `known` collects the keys, so that the rest can be kept.
template <class T> class ObjectReader {
public:
    ObjectReader(Faults& faults, const json& object, T& into, std::vector<std::string_view>& known)
        : m_faults(faults)
        , m_object(object)
        , m_into(into)
        , m_known(known) {}

    template <class M> void operator()(const char* key, M T::* member, const char*, Range range = {}) {
        read(key, m_into.*member, range);
    }
    template <class M, class N> void operator()(const char* key, M T::* outer, N M::* inner, const char*, Range range = {}) {
        read(key, m_into.*outer.*inner, range);
    }
    template <class M> void required(const char* key, M T::* member, const char*) {
        if (!read(key, m_into.*member, {})) {
            m_faults.add(fmt::format("the key \"{}\"", key), "none", "A key is missing.");
            return;
        }
        const Faults::Step step(m_faults, key);
        checkId(key, m_into.*member);
    }
    template <class M> void allOrNone(const char* key, std::vector<M> T::* member, std::size_t size, const char*, Range range) {
        if (!read(key, m_into.*member, range))
            return;
        const std::size_t found = (m_into.*member).size();
        const Faults::Step step(m_faults, key);
        if (found != 0 && found != size)
            m_faults.add(fmt::format("{} numbers or none", size), std::to_string(found), "The list has another length.");
    }
    template <class M> void identity(M T::* id, std::string T::* named) {
        required("id", id, "");
        if constexpr (std::is_same_v<M, std::string>)
            m_into.*named = m_into.*id;
        else
            m_into.*named = (m_into.*id).value;
        read("name", m_into.*named, {});
    }
    void kinds(WorkloadSpec T::* member) {
        m_known.push_back("kind");
        const auto found = m_object.find("kind");
        std::string names;
        if (found != m_object.end() && found->is_string() &&
            kindFrom<0>(found->get_ref<const std::string&>(), m_into.*member, names)) {
            std::visit([this](auto& spec) { describeWith(spec); }, m_into.*member);
            return;
        }
        names.clear();
        kindFrom<0>("", m_into.*member, names);
        const Faults::Step step(m_faults, "kind");
        m_faults.add("one of " + names, found == m_object.end() ? "none" : foundText(*found),
                     "The kind of workload is not known.");
    }
    void json(const char* key, std::string T::* member, const char*) {
        m_known.push_back(key);
        const auto found = m_object.find(key);
        const Faults::Step step(m_faults, key);
        if (found == m_object.end() || !found->is_object())
            m_faults.add("an object", found == m_object.end() ? "none" : foundText(*found), "This is not an object.");
        else
            m_into.*member = compactText(*found);
    }

private:
    template <class M> bool read(const char* key, M& into, const Range& range) {
        m_known.push_back(key);
        const auto found = m_object.find(key);
        if (found == m_object.end())
            return false;
        const Faults::Step step(m_faults, key);
        valueIn(m_faults, *found, into, range);
        return true;
    }
    template <class M> void checkId(std::string_view key, const M& id) {
        std::string_view text;
        if constexpr (isId<M>)
            text = id.value;
        else
            text = id;
        const bool plain = text.size() <= 200 && std::none_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < 32; });
        const bool slash = key == "id" && !std::is_same_v<M, PartId> && text.find('/') != std::string_view::npos;
        if (text.empty() || !plain || slash)
            m_faults.add("1 to 200 characters without control characters or \"/\"", "\"" + std::string(text.substr(0, 40)) + "\"",
                         "This cannot be an id.");
    }
    template <class S> void describeWith(S& spec) {
        ObjectReader<S> reader(m_faults, m_object, spec, m_known);
        describe(reader, static_cast<const S*>(nullptr));
    }
    template <std::size_t At> static bool kindFrom(std::string_view wanted, WorkloadSpec& into, std::string& names) {
        if constexpr (At < std::variant_size_v<WorkloadSpec>) {
            WorkloadSpec candidate(std::in_place_index<At>);
            names += (At ? ", " : "") + std::string(kindName(candidate));
            if (kindName(candidate) == wanted) {
                into = std::move(candidate);
                return true;
            }
            return kindFrom<At + 1>(wanted, into, names);
        }
        return false;
    }

    Faults& m_faults;
    const nlohmann::json& m_object;
    T& m_into;
    std::vector<std::string_view>& m_known;
};

std::string unknownKeys(const json& object, const std::vector<std::string_view>& known) {
    json rest = json::object();
    for (auto it = object.begin(); it != object.end(); ++it)
        if (std::find(known.begin(), known.end(), it.key()) == known.end())
            rest[it.key()] = *it;
    return rest.empty() ? std::string() : compactText(rest);
}

template <class T> void readObject(Faults& faults, const json& value, T& into) {
    if (!value.is_object()) {
        faults.add("an object", foundText(value), "This is not an object.");
        return;
    }
    std::vector<std::string_view> known;
    known.reserve(24);
    if constexpr (std::is_same_v<T, Project>)
        known = {"format", "schema", "min_reader"};
    ObjectReader<T> reader(faults, value, into, known);
    describe(reader, static_cast<const T*>(nullptr));
    into.extra = unknownKeys(value, known);
}

/// The header every version can read: format, schema, min_reader. Gives the schema, or faults.
std::optional<int> readHeader(Faults& faults, const json& root, ReadResult& result, std::string_view where) {
    const auto text = [&root](const char* key) { return root.contains(key) ? foundText(root.at(key)) : std::string("none"); };
    if (!root.is_object() || !root.contains("format") || root.at("format") != "clusterwright") {
        faults.add("\"format\": \"clusterwright\"", root.is_object() ? text("format") : foundText(root),
                   "This is not a Clusterwright project.");
        return std::nullopt;
    }
    const auto version = [&](const char* key, int otherwise) -> std::optional<int> {
        if (!root.contains(key) && otherwise >= 0)
            return otherwise;
        const Faults::Step step(faults, key);
        const auto number = numberIn(faults, root.contains(key) ? root.at(key) : json(), wholeFrom0, true);
        return number ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
    };
    const auto schema = version("schema", -1);
    const auto minReader = version("min_reader", 0);
    if (!schema || !minReader)
        return std::nullopt;
    if (*minReader > currentSchema) {
        const Faults::Step step(faults, "min_reader");
        faults.add(fmt::format("at most {}", currentSchema), std::to_string(*minReader),
                   "The project needs a newer version of Clusterwright.");
        return std::nullopt;
    }
    if (*schema > currentSchema) {
        result.readOnly = true;
        result.warnings.push_back({std::string(where) + ": /schema", fmt::format("at most {}", currentSchema),
                                   std::to_string(*schema),
                                   "The project was written by a newer version of Clusterwright; it opens read-only."});
    }
    return schema;
}

} // namespace
} // namespace io

ReadResult readProject(std::string_view text, std::string_view where) {
    ReadResult result;
    if (text.size() > maxFileBytes) {
        result.errors.push_back({std::string(where), fmt::format("at most {} bytes", maxFileBytes),
                                 fmt::format("{} bytes", text.size()), "The file is too large."});
        return result;
    }
    auto root = io::parseJson(text, where);
    if (!root) {
        result.errors.push_back(root.error());
        return result;
    }
    io::Faults faults(where);
    const auto schema = io::readHeader(faults, *root, result, where);
    if (schema && *schema < currentSchema) {
        io::migrate(*root, *schema);
        result.migrated = true;
        result.warnings.push_back(
            {std::string(where) + ": /schema", "", std::to_string(*schema),
             fmt::format("The project is of schema {} and was brought to schema {}.", *schema, currentSchema)});
    }
    if (schema) {
        io::readObject(faults, *root, result.project);
        result.project.schema = std::max(*schema, currentSchema);
    }
    result.ok = faults.empty();
    result.errors = faults.take();
    return result;
}

ReadResult readProjectFile(const std::string& path) {
    ReadResult result;
    const auto stop = [&](std::string expected, std::string found, std::string message) {
        result.errors.push_back({path, std::move(expected), std::move(found), std::move(message)});
        return result;
    };
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (!std::filesystem::exists(status))
        return stop("", "", "The file does not exist.");
    if (!std::filesystem::is_regular_file(status))
        return stop("a file", std::filesystem::is_directory(status) ? "a folder" : "something else", "This cannot be opened.");
    const auto size = std::filesystem::file_size(path, code);
    if (!code && size > maxFileBytes)
        return stop(fmt::format("at most {} bytes", maxFileBytes), fmt::format("{} bytes", size), "The file is too large.");
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return stop("", "", "The file cannot be read.");
    std::string text(static_cast<std::size_t>(code ? 0 : size), '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (file.bad() || static_cast<std::size_t>(file.gcount()) != text.size())
        return stop("", "", "The file cannot be read to its end.");
    return readProject(text, path);
}

Expected<std::string> canonicalJson(std::string_view text) {
    const auto value = io::parseJson(text, "");
    if (!value)
        return fail(value.error());
    return io::compactText(*value);
}

} // namespace cw
