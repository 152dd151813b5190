// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/base/derivation.h"

#include "model/assert.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

/// From most to least trusted. What the user entered counts as known, and so does a stated assumption: it is shown as one by its origin,
/// and would otherwise hide which figures rest on an estimated *fact*.
int distrust(Provenance provenance) {
    switch (provenance) {
    case Provenance::read:
        return 0;
    case Provenance::user:
        return 1;
    case Provenance::recalled:
        return 2;
    case Provenance::estimated:
        return 3;
    }
    return 3;
}

Term leaf(const char* name, const char* equation, const char* source, double value, double low, double high, Unit unit,
          TermOrigin origin, Provenance provenance, const PartInfo* part = nullptr) {
    Term term;
    term.name = name;
    term.equation = equation;
    term.source = source;
    term.part = part;
    term.value = value;
    term.low = low;
    term.high = high;
    term.unit = unit;
    term.origin = origin;
    term.provenance = provenance;
    return term;
}

struct Interval {
    double value, low, high;
};

Interval times(const Interval& a, const Interval& b) {
    const double corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    const auto [low, high] = std::minmax_element(std::begin(corners), std::end(corners));
    return {a.value * b.value, *low, *high};
}

bool allKnown(std::span<const Quantity> inputs) {
    return std::all_of(inputs.begin(), inputs.end(), [](const Quantity& q) { return q.known(); });
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

} // namespace

Quantity Derivation::fact(const char* name, const PartInfo& part, const char* field, double value, Unit unit) {
    return fact(name, part, field, value, value, value, unit);
}

Quantity Derivation::fact(const char* name, const PartInfo& part, const char* field, double value, double low, double high,
                          Unit unit) {
    const TermId id = add(leaf(name, field, field, value, low, high, unit, TermOrigin::fact, part.provenance(field), &part), {});
    return {value, m_terms[id].low, m_terms[id].high, unit, id};
}

Quantity Derivation::input(const char* name, double value, Unit unit, const char* where) {
    const TermId id = add(leaf(name, where, where, value, value, value, unit, TermOrigin::input, Provenance::user), {});
    return {value, value, value, unit, id};
}

Quantity Derivation::assumption(const char* name, double value, double low, double high, Unit unit, const char* why) {
    const TermId id = add(leaf(name, why, why, value, low, high, unit, TermOrigin::assumption, Provenance::user), {});
    return {value, m_terms[id].low, m_terms[id].high, unit, id};
}

Quantity Derivation::calibrated(const char* name, const Constants& set, const char* key, Unit unit) {
    const auto found = set.values.find(std::string_view(key));
    CW_ASSERT(found != set.values.end());
    const Constants::Value& v = found->second;
    const TermId id = add(leaf(name, key, key, v.value, v.low.value_or(v.value), v.high.value_or(v.value), unit,
                               TermOrigin::calibrated, set.provenance(key), &set),
                          {});
    return {v.value, m_terms[id].low, m_terms[id].high, unit, id};
}

Quantity Derivation::unknown(const char* name, Unit unit, const char* why) {
    const TermId id = add(leaf(name, why, why, nan, nan, nan, unit, TermOrigin::assumption, Provenance::estimated), {});
    return {nan, nan, nan, unit, id};
}

Quantity Derivation::computed(const char* name, const char* equation, double value, double low, double high, Unit unit,
                              std::span<const Quantity> inputs, const char* source) {
    const TermId id = add(leaf(name, equation, source, value, low, high, unit, TermOrigin::computed, Provenance::read), inputs);
    const Term& term = m_terms[id];
    return {term.value, term.low, term.high, unit, id};
}

Quantity Derivation::computed(const char* name, const char* equation, double value, double low, double high, Unit unit,
                              std::initializer_list<Quantity> inputs, const char* source) {
    return computed(name, equation, value, low, high, unit, std::span<const Quantity>(inputs.begin(), inputs.size()), source);
}

Quantity Derivation::modelled(const char* name, const char* equation, double value, double error, Unit unit,
                              std::initializer_list<Quantity> inputs, const char* source) {
    CW_ASSERT(error >= 0);
    const double shrunk = value / (1 + error), grown = value * (1 + error);
    return computed(name, equation, value, std::min(shrunk, grown), std::max(shrunk, grown), unit, inputs, source);
}

Quantity Derivation::simulated(const char* name, const char* equation, double value, double low, double high, Unit unit,
                               std::initializer_list<Quantity> inputs, const char* source) {
    const TermId id = add(leaf(name, equation, source, value, low, high, unit, TermOrigin::simulated, Provenance::read),
                          std::span<const Quantity>(inputs.begin(), inputs.size()));
    const Term& term = m_terms[id];
    return {term.value, term.low, term.high, unit, id};
}

Quantity Derivation::sum(const char* name, std::span<const Quantity> inputs, Unit unit) {
    Interval total{0, 0, 0};
    for (const Quantity& q : inputs) {
        total.value += q.value;
        total.low += q.low;
        total.high += q.high;
    }
    if (!allKnown(inputs))
        total = {nan, nan, nan};
    return computed(name, "sum", total.value, total.low, total.high, unit, inputs);
}

Quantity Derivation::product(const char* name, const char* equation, std::initializer_list<Quantity> inputs, Unit unit,
                             double factor) {
    const std::span<const Quantity> all(inputs.begin(), inputs.size());
    Interval result{factor, factor, factor};
    for (const Quantity& q : all)
        result = times(result, {q.value, q.low, q.high});
    if (!allKnown(all))
        result = {nan, nan, nan};
    return computed(name, equation, result.value, result.low, result.high, unit, all);
}

Quantity Derivation::quotient(const char* name, const char* equation, const Quantity& over, const Quantity& under, Unit unit,
                              double factor) {
    const Quantity inputs[] = {over, under};
    Interval result{nan, nan, nan};
    if (over.known() && under.known() && under.value != 0) {
        // A divisor whose band reaches zero leaves the quotient without a bound on that side.
        const double infinity = std::numeric_limits<double>::infinity();
        const Interval inverse = under.low * under.high > 0 ? Interval{1 / under.value, 1 / under.high, 1 / under.low}
            : under.value > 0                               ? Interval{1 / under.value, 1 / under.high, infinity}
                                                            : Interval{1 / under.value, -infinity, 1 / under.low};
        result = times({over.value * factor, over.low * factor, over.high * factor}, inverse);
        if (!(result.low <= result.high)) // 0 · ∞
            result.low = result.high = result.value;
    }
    return computed(name, equation, result.value, result.low, result.high, unit, inputs);
}

std::span<const TermId> Derivation::inputs(TermId id) const {
    const Term& t = term(id);
    return std::span<const TermId>(m_inputs).subspan(t.firstInput, t.inputCount);
}

void Derivation::reserve(std::size_t terms) {
    m_terms.reserve(terms);
    m_inputs.reserve(terms * 3);
}

TermId Derivation::add(Term term, std::span<const Quantity> inputs) {
    CW_ASSERT(m_terms.size() < noTerm);
    if (std::isnan(term.low) || std::isnan(term.value))
        term.low = term.value;
    if (std::isnan(term.high) || std::isnan(term.value))
        term.high = term.value;
    term.low = std::min(term.low, term.value);
    term.high = std::max(term.high, term.value);
    term.firstInput = static_cast<std::uint32_t>(m_inputs.size());
    for (const Quantity& q : inputs) {
        if (q.term == noTerm)
            continue;
        CW_ASSERT(q.term < m_terms.size());
        m_inputs.push_back(q.term);
        if (distrust(m_terms[q.term].provenance) > distrust(term.provenance))
            term.provenance = m_terms[q.term].provenance;
    }
    term.inputCount = static_cast<std::uint32_t>(m_inputs.size()) - term.firstInput;
    m_terms.push_back(term);
    return static_cast<TermId>(m_terms.size() - 1);
}

} // namespace cw
