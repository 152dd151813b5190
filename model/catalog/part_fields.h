// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the fields of one JSON object into plain values. A wrong or missing field is noted as an Error with its JSON pointer and reading
// goes on, so that one pass reports every fault. Null and absent are the same: "not known". For the catalog reader only; lives shorter
// than the JSON it looks at.
#pragma once

#include "model/base/error.h"
#include "model/units/units.h"

#include <nlohmann/json_fwd.hpp>

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cw {

/// No fact of a part is larger, in the unit of its key; keeps conversions finite.
constexpr double largestFact = 1e18;

class Fields {
public:
    Fields(const nlohmann::json& object, std::string where, std::vector<Error>& errors);

    bool has(const char* key) const;
    const std::string& where() const { return m_where; }

    std::string text(const char* key);
    std::string textOr(const char* key, std::string otherwise);
    std::vector<std::string> texts(const char* key);
    bool flagOr(const char* key, bool otherwise);

    double number(const char* key, double least = 0, double most = largestFact);
    std::optional<double> numberIfKnown(const char* key, double least = 0, double most = largestFact);
    double numberOr(const char* key, double otherwise, double least = 0, double most = largestFact);
    int whole(const char* key, int least = 0);
    int wholeOr(const char* key, int otherwise, int least = 0);

    /// Quantities: `make` converts from the unit of the key, e.g. quantity("tdp_w", watts).
    template <class Q> Q quantity(const char* key, Q (*make)(double)) { return make(number(key)); }
    template <class Q> std::optional<Q> quantityIfKnown(const char* key, Q (*make)(double)) {
        const auto value = numberIfKnown(key);
        return value ? std::optional<Q>(make(*value)) : std::nullopt;
    }
    template <class Q> Q quantityOrNan(const char* key, Q (*make)(double)) {
        return make(numberIfKnown(key).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    /// From `low` and `high`; one of the two alone stands for both.
    template <class Q> std::optional<Band<Q>> band(const char* low, const char* high, Q (*make)(double)) {
        const auto numbers = bounds(low, high);
        return numbers ? std::optional(Band<Q>{make(numbers->low), make(numbers->high)}) : std::nullopt;
    }

    /// The objects of an array; absent gives none. Anything else in the array is a fault.
    std::vector<Fields> objects(const char* key);
    /// The object of a key; absent gives none.
    std::optional<Fields> object(const char* key);
    /// As object(), without a fault when the value is something else.
    std::optional<Fields> objectIfOne(const char* key);
    std::vector<std::string> keys() const;

    /// Notes a fault of a field.
    void wrong(const char* key, std::string expected, std::string message);
    void missing(const char* key, std::string expected);

private:
    struct Bounds {
        double low, high;
    };
    std::optional<Bounds> bounds(const char* low, const char* high);
    const nlohmann::json* value(const char* key) const;
    std::optional<double> readNumber(const char* key, std::string_view what, double least, double most);

    const nlohmann::json* m_object;
    std::string m_where;
    std::vector<Error>* m_errors;
};

} // namespace cw
