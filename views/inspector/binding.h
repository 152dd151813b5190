// SPDX-License-Identifier: GPL-3.0-or-later
//
// Binds a FieldSpec to a member of selected elements. A lens names the member once for reading and writing:
//     bind(nodes, {.key = "count", …}, [](auto& node) -> auto& { return node.count; })
// Numbers, quantities, optionals, texts, ids, enumerations and flags are understood. What is shown comes from the project with its preview,
// edits are made against the project without it. GUI thread.
#pragma once

#include "views/inspector/field.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace cw {

class Document;

/// Selected elements of one type, for describing fields: where they are, and their values as shown.
template <class T> struct Selected {
    const Document* document = nullptr;
    std::vector<ElementRef> refs;
    std::vector<T> values; ///< by ref, as shown now (previews included)
    QString what;          ///< for the name of the undo step: "DGX H100" or "3 nodes"
};

/// A change of one element of the project as it stands. Fails when the element is not there any more.
Expected<Edit> editElements(const Document& document, const std::vector<ElementRef>& refs,
                            const std::function<void(Element&)>& change, const QString& name);

namespace binding {

template <class M> struct IsOptional : std::false_type {};
template <class M> struct IsOptional<std::optional<M>> : std::true_type {};
template <class M> struct IsId : std::false_type {};
template <class Tag> struct IsId<Id<Tag>> : std::true_type {};

template <class M> FieldValue read(const M& member) {
    if constexpr (IsOptional<M>::value)
        return member ? read(*member) : FieldValue();
    else if constexpr (IsId<M>::value)
        return member.empty() ? FieldValue() : FieldValue(member.value);
    else if constexpr (std::is_same_v<M, std::string>)
        return member;
    else if constexpr (std::is_enum_v<M>)
        return std::to_string(static_cast<int>(member));
    else if constexpr (std::is_arithmetic_v<M>)
        return static_cast<double>(member);
    else
        return si(member);
}

template <class M> void write(M& member, const FieldValue& value) {
    const auto* number = std::get_if<double>(&value);
    const auto* text = std::get_if<std::string>(&value);
    if constexpr (IsOptional<M>::value) {
        if (std::holds_alternative<std::monostate>(value)) {
            member.reset();
        } else {
            typename M::value_type inner{};
            write(inner, value);
            member = inner;
        }
    } else if constexpr (IsId<M>::value) {
        member = M(text ? *text : std::string());
    } else if constexpr (std::is_same_v<M, std::string>) {
        member = text ? *text : std::string();
    } else if constexpr (std::is_enum_v<M>) {
        if (text)
            member = static_cast<M>(std::stoi(*text));
    } else if constexpr (std::is_same_v<M, bool>) {
        member = number && *number != 0;
    } else if constexpr (std::is_integral_v<M>) {
        member = number ? static_cast<M>(std::llround(*number)) : M(0);
    } else if constexpr (std::is_floating_point_v<M>) {
        member = number ? *number : 0;
    } else {
        member = fromSi<M>(number ? *number : 0);
    }
}

/// Equal but for the last digits, which a number loses on its way through text: typing what is there is no change.
inline bool alike(const FieldValue& a, const FieldValue& b) {
    const auto* x = std::get_if<double>(&a);
    const auto* y = std::get_if<double>(&b);
    return x && y ? std::abs(*x - *y) <= 1e-12 * std::abs(*x) : a == b;
}

} // namespace binding

/// As lens, for members that are computed: `get` reads a value, `set` writes one.
template <class T, class Get, class Set> FormField bindWith(const Selected<T>& targets, FieldSpec spec, Get get, Set set) {
    FormField field;
    const auto shown = [&](const T& element) {
        FieldValue value = get(element);
        const auto* number = std::get_if<double>(&value);
        return spec.zeroIsUnset && number && *number == 0 ? FieldValue() : value;
    };
    if (!targets.values.empty())
        field.value = shown(targets.values.front());
    field.mixed = std::any_of(targets.values.begin(), targets.values.end(),
                              [&](const T& element) { return shown(element) != field.value; });
    const QString name = QCoreApplication::translate("Field", "%1 of %2").arg(spec.label, targets.what);
    field.edit = [document = targets.document, refs = targets.refs, get, set, name](const FieldValue& value) {
        const auto change = [&](Element& element) {
            if (!binding::alike(get(std::get<T>(element)), value))
                set(std::get<T>(element), value);
        };
        return editElements(*document, refs, change, name);
    };
    field.spec = std::move(spec);
    return field;
}

template <class T, class Lens> FormField bind(const Selected<T>& targets, FieldSpec spec, Lens lens) {
    return bindWith(
        targets, std::move(spec), [lens](const T& element) { return binding::read(lens(element)); },
        [lens](T& element, const FieldValue& value) { binding::write(lens(element), value); });
}

/// Choices of an enumeration, keyed as binding::read does.
template <class E> Choice choiceOf(E value, const QString& text, const QString& help = {}) {
    return {std::to_string(static_cast<int>(value)), text, help};
}

} // namespace cw
