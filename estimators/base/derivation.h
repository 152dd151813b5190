// SPDX-License-Identifier: GPL-3.0-or-later
//
// Figures that can be opened. Every number an estimator returns is a Quantity that points to a Term in the Derivation of its estimate:
// the equation, its inputs (terms again) and, at the leaves, a catalog fact or a stated assumption. The estimator records the terms while
// it computes them, so the explanation is the computation. Terms are small and their texts are static strings: recording one costs
// nanoseconds and no allocation beyond the growing array.
#pragma once

#include "model/catalog/part.h"
#include "model/units/unit.h"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace cw {

using TermId = std::uint32_t;
constexpr TermId noTerm = std::numeric_limits<TermId>::max();

/// What a leaf rests on.
enum class TermOrigin : std::uint8_t {
    computed,   ///< an equation over inputs
    fact,       ///< a field of a catalog part
    input,      ///< what the user entered (workload, site, placement, count)
    assumption, ///< a stated default or rule
    calibrated, ///< a constant fitted on published measurements (part: the Constants entry)
    simulated,  ///< from a discrete-event run
};

/// Value with a plausible band, in `unit`. low ≤ value ≤ high; NaN value is unknown ("?").
struct Quantity {
    double value = std::numeric_limits<double>::quiet_NaN();
    double low = std::numeric_limits<double>::quiet_NaN();
    double high = std::numeric_limits<double>::quiet_NaN();
    Unit unit = Unit::one;
    TermId term = noTerm;

    bool known() const { return value == value; }
};

struct Term {
    const char* name = "";     ///< e.g. "step time"; source text of a translation
    const char* equation = ""; ///< e.g. "(m + (p − 1)/v) · t_stage + t_dp + t_opt"; for leaves the field or the rule
    const PartInfo* part = nullptr; ///< facts and calibrated constants; owned by the Catalog of the estimate
    const char* source = "";   ///< of an equation or assumption: publication, or field name of a fact ("tdp_w")
    double value = 0, low = 0, high = 0;
    std::uint32_t firstInput = 0, inputCount = 0; ///< into Derivation::inputs
    Unit unit = Unit::one;
    TermOrigin origin = TermOrigin::computed;
    Provenance provenance = Provenance::read; ///< worst of what it rests on
};

/// Arena of terms, owned by one AlternativeEstimate. Texts passed in must be string literals.
class Derivation {
  public:
    /// A leaf: field `field` (JSON key) of a part, already converted to `unit`; provenance is looked up in the part.
    Quantity fact(const char* name, const PartInfo& part, const char* field, double value, Unit unit);
    Quantity fact(const char* name, const PartInfo& part, const char* field, double value, double low, double high, Unit unit);
    Quantity input(const char* name, double value, Unit unit, const char* where = "");
    Quantity assumption(const char* name, double value, double low, double high, Unit unit, const char* why);
    Quantity calibrated(const char* name, const Constants& set, const char* key, Unit unit);
    Quantity unknown(const char* name, Unit unit, const char* why);

    /// A computed figure over inputs. `low` and `high` are the caller's (interval arithmetic or a model error).
    Quantity computed(const char* name, const char* equation, double value, double low, double high, Unit unit,
                      std::span<const Quantity> inputs, const char* source = "");
    Quantity computed(const char* name, const char* equation, double value, double low, double high, Unit unit,
                      std::initializer_list<Quantity> inputs, const char* source = "");
    /// With a relative model error e: low = v/(1+e), high = v·(1+e).
    Quantity modelled(const char* name, const char* equation, double value, double error, Unit unit,
                      std::initializer_list<Quantity> inputs, const char* source = "");

    /// A figure from a discrete-event run: `inputs` say with which seed, how many requests, and what the closed form gave.
    Quantity simulated(const char* name, const char* equation, double value, double low, double high, Unit unit,
                       std::initializer_list<Quantity> inputs, const char* source = "");

    /// Interval arithmetic for what is summed and multiplied often; unknown inputs make the result unknown.
    Quantity sum(const char* name, std::span<const Quantity> inputs, Unit unit);
    Quantity product(const char* name, const char* equation, std::initializer_list<Quantity> inputs, Unit unit, double factor = 1);
    Quantity quotient(const char* name, const char* equation, const Quantity& over, const Quantity& under, Unit unit, double factor = 1);

    const Term& term(TermId id) const { return m_terms[id]; }
    std::span<const TermId> inputs(TermId id) const;
    std::size_t size() const { return m_terms.size(); }
    void reserve(std::size_t terms);

  private:
    TermId add(Term term, std::span<const Quantity> inputs);
    std::vector<Term> m_terms;
    std::vector<TermId> m_inputs;
};

} // namespace cw
