// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/fields.h"
#include "model/io/json_text.h"
#include "model/io/project_file.h"

#include <nlohmann/json.hpp>

namespace cw {
namespace io {
namespace {

using nlohmann::ordered_json;

template <class T> ordered_json objectSchema();

template <class T> struct Inner;
template <class T> struct Inner<std::optional<T>> {
    using type = T;
};
template <class T> struct Inner<std::vector<T>> {
    using type = T;
};

ordered_json numberSchema(const char* type, const Range& range) {
    ordered_json schema{{"type", type}};
    if (range.low > -1e300)
        schema[range.aboveLow ? "exclusiveMinimum" : "minimum"] = range.low;
    if (range.high < 1e300)
        schema["maximum"] = range.high;
    return schema;
}

template <class T> ordered_json schemaOf(const Range& range) {
    if constexpr (std::is_same_v<T, bool>)
        return {{"type", "boolean"}};
    else if constexpr (std::is_integral_v<T>)
        return numberSchema("integer", range);
    else if constexpr (std::is_floating_point_v<T> || requires(const T& value) { si(value); })
        return numberSchema("number", range);
    else if constexpr (std::is_same_v<T, std::string> || requires(const T& id) { id.value.size(); })
        return {{"type", "string"}};
    else if constexpr (std::is_enum_v<T>) {
        ordered_json names = ordered_json::array();
        for (int at = 0; at < namesOf<T>; ++at)
            names.push_back(std::string(name(static_cast<T>(at))));
        return {{"enum", names}};
    } else if constexpr (std::is_same_v<T, std::map<std::string, ItemView>>)
        return {{"type", "object"}, {"additionalProperties", objectSchema<ItemView>()}};
    else if constexpr (std::is_same_v<T, std::shared_ptr<const RecordedRequests>>)
        return objectSchema<RecordedRequests>();
    else if constexpr (requires(const T& optional) { optional.has_value(); })
        return schemaOf<typename Inner<T>::type>(range);
    else if constexpr (requires(const T& list) { list.front(); })
        return {{"type", "array"}, {"items", schemaOf<typename Inner<T>::type>(range)}};
    else
        return objectSchema<T>();
}

/// Visits the fields of one structure and says what the reader would take.
template <class T> class SchemaVisitor {
public:
    template <class M> void operator()(const char* key, M T::* member, const char* what, Range range = {}) {
        put<M>(key, what, range, m_fallback.*member);
    }
    template <class M, class N> void operator()(const char* key, M T::* outer, N M::* inner, const char* what, Range range = {}) {
        put<N>(key, what, range, m_fallback.*outer.*inner);
    }
    template <class M> void allOrNone(const char* key, std::vector<M> T::*, std::size_t size, const char* what, Range range) {
        ordered_json& schema = properties[key] = {{"description", what}};
        schema.update(schemaOf<std::vector<M>>(range));
        schema["maxItems"] = size;
    }
    template <class M> void required(const char* key, M T::*, const char* what) {
        properties[key] = {{"description", what}, {"type", "string"}, {"minLength", 1}, {"maxLength", 200}};
        needed.push_back(key);
    }
    template <class M> void identity(M T::*, std::string T::*) {
        properties["id"] = {{"description", "Unique within its list"}, {"type", "string"}, {"pattern", "^[^/]{1,200}$"}};
        properties["name"] = {{"description", "Name for people; without it the id"}, {"type", "string"}};
        needed.push_back("id");
    }
    void json(const char* key, std::string T::*, const char* what) {
        properties[key] = {{"description", what}, {"type", "object"}};
        needed.push_back(key);
    }
    void kinds(WorkloadSpec T::*) {
        needed.push_back("kind");
        addKinds<0>();
    }

    ordered_json properties = ordered_json::object();
    ordered_json needed = ordered_json::array();
    ordered_json kindsOfIt = ordered_json::array();

private:
    template <class M> void put(const char* key, const char* what, const Range& range, const M& fallback) {
        ordered_json& schema = properties[key] = {{"description", what}};
        schema.update(schemaOf<M>(range));
        if constexpr (std::is_arithmetic_v<M> || std::is_same_v<M, std::string>)
            schema["default"] = fallback;
        else if constexpr (std::is_enum_v<M>)
            schema["default"] = std::string(name(fallback));
        else if constexpr (requires { si(fallback); })
            schema["default"] = si(fallback);
    }
    template <std::size_t At> void addKinds() {
        if constexpr (At < std::variant_size_v<WorkloadSpec>) {
            using Spec = std::variant_alternative_t<At, WorkloadSpec>;
            SchemaVisitor<Spec> visitor;
            describe(visitor, static_cast<const Spec*>(nullptr));
            ordered_json fields{{"kind", {{"enum", {std::string(kindName(WorkloadSpec(std::in_place_index<At>)))}}}}};
            fields.update(visitor.properties);
            kindsOfIt.push_back({{"properties", fields}});
            addKinds<At + 1>();
        }
    }

    const T m_fallback{};
};

template <class T> ordered_json objectSchema() {
    SchemaVisitor<T> visitor;
    describe(visitor, static_cast<const T*>(nullptr));
    ordered_json schema{{"type", "object"}};
    if (!visitor.needed.empty())
        schema["required"] = visitor.needed;
    schema["properties"] = visitor.properties;
    if (!visitor.kindsOfIt.empty())
        schema["oneOf"] = visitor.kindsOfIt;
    return schema;
}

} // namespace
} // namespace io

std::string projectSchema() {
    nlohmann::ordered_json schema{
        {"$schema", "http://json-schema.org/draft-07/schema#"},
        {"title", "Clusterwright project"},
        {"description",
         "Schema " + std::to_string(currentSchema) +
             " of *.cluster.json. Keys that are not named here are kept. docs/file-format.md explains them."}};
    nlohmann::ordered_json root = io::objectSchema<Project>();
    nlohmann::ordered_json header{{"format", {{"enum", {"clusterwright"}}}},
                                  {"schema", {{"description", "Version of this format"}, {"enum", {currentSchema}}}},
                                  {"min_reader",
                                   {{"description", "Oldest version that can still read the file"},
                                    {"type", "integer"},
                                    {"minimum", 0},
                                    {"maximum", currentSchema}}}};
    header.update(root["properties"]);
    root["required"] = {"format", "schema"};
    root["properties"] = header;
    schema.update(root);
    return io::layoutText(schema, 120);
}

} // namespace cw
