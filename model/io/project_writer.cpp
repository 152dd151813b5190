// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/fields.h"
#include "model/io/json_text.h"
#include "model/io/project_file.h"

#include <nlohmann/json.hpp>
#include <cmath>

namespace cw {
namespace io {
namespace {

using nlohmann::ordered_json;

template <class T> ordered_json objectOf(const T& from);

template <class Tag> ordered_json valueOf(const Id<Tag>& id) { return id.value; }
inline ordered_json valueOf(const std::string& text) { return text; }
template <class Unit> ordered_json valueOf(const boost::units::quantity<Unit, double>& quantity) { return si(quantity); }
inline ordered_json valueOf(const std::map<std::string, ItemView>& items) {
    ordered_json result = ordered_json::object();
    for (const auto& [key, item] : items)
        result.get_ref<ordered_json::object_t&>().emplace_back(key, objectOf(item)); // keys differ: no search for each
    return result;
}
template <class T> ordered_json valueOf(const T& value) {
    if constexpr (std::is_enum_v<T>)
        return std::string(name(value));
    else if constexpr (std::is_arithmetic_v<T>)
        return value;
    else
        return objectOf(value);
}
template <class T> ordered_json valueOf(const std::optional<T>& value) { return valueOf(*value); }
inline ordered_json valueOf(const std::shared_ptr<const RecordedRequests>& value) { return objectOf(*value); }
template <class T> ordered_json valueOf(const std::vector<T>& list) {
    ordered_json result = ordered_json::array();
    for (const T& element : list)
        result.push_back(valueOf(element));
    return result;
}

/// Visits the fields of one structure and keeps what differs from a default-made one.
template <class T> class ObjectWriter {
public:
    ObjectWriter(const T& from, ordered_json& into)
        : m_from(from)
        , m_into(into) {}

    template <class M> void operator()(const char* key, M T::* member, const char*, Range = {}) {
        put(key, m_from.*member, fallback().*member);
    }
    template <class M, class N> void operator()(const char* key, M T::* outer, N M::* inner, const char*, Range = {}) {
        put(key, m_from.*outer.*inner, fallback().*outer.*inner);
    }
    template <class M> void allOrNone(const char* key, std::vector<M> T::* member, std::size_t, const char*, Range) {
        put(key, m_from.*member, fallback().*member);
    }
    template <class M> void required(const char* key, M T::* member, const char*) { m_into[key] = valueOf(m_from.*member); }
    template <class M> void identity(M T::* id, std::string T::* named) {
        m_into["id"] = valueOf(m_from.*id);
        if (m_into["id"] != m_from.*named)
            m_into["name"] = m_from.*named;
    }
    void kinds(WorkloadSpec T::* member) {
        m_into["kind"] = std::string(kindName(m_from.*member));
        std::visit(
            [this](const auto& spec) {
                ObjectWriter<std::decay_t<decltype(spec)>> writer(spec, m_into);
                describe(writer, &spec);
            },
            m_from.*member);
    }
    void json(const char* key, std::string T::* member, const char*) {
        const auto value = parseJson(m_from.*member, "");
        m_into[key] = value && value->is_object() ? ordered_json(*value) : ordered_json::object();
    }

private:
    static const T& fallback() {
        static const T made{};
        return made;
    }
    template <class M> void put(const char* key, const M& value, const M& otherwise) {
        if (value == otherwise)
            return;
        if constexpr (std::is_same_v<M, double>) {
            if (!std::isfinite(value))
                return;
        }
        m_into[key] = valueOf(value);
    }

    const T& m_from;
    ordered_json& m_into;
};

/// Keys that this program does not know go behind those it does.
void appendExtra(ordered_json& into, const std::string& extra) {
    if (extra.empty())
        return;
    const auto rest = parseJson(extra, "");
    if (!rest || !rest->is_object())
        return;
    for (auto it = rest->begin(); it != rest->end(); ++it)
        if (!into.contains(it.key()))
            into[it.key()] = ordered_json(*it);
}

template <class T> void describeInto(const T& from, ordered_json& into) {
    ObjectWriter<T> writer(from, into);
    describe(writer, &from);
    appendExtra(into, from.extra);
}

template <class T> ordered_json objectOf(const T& from) {
    ordered_json result = ordered_json::object();
    describeInto(from, result);
    return result;
}

} // namespace
} // namespace io

std::string writeProject(const Project& project) {
    nlohmann::ordered_json root = nlohmann::ordered_json::object();
    root["format"] = "clusterwright";
    root["schema"] = std::max(project.schema, currentSchema);
    root["min_reader"] = minReader;
    io::describeInto(project, root);
    return io::layoutText(root);
}

} // namespace cw
