// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is known of each Unit: its symbol in files and JSON, how people read it, and which spellings a person may type for it.
// One row a unit; printing and parsing are both driven by it. Static data, any thread.
#pragma once

#include "model/units/unit.h"

#include <span>

namespace cw {

/// Which prefixes a spelling takes.
enum class Prefixes : std::uint8_t { none, decimal, decimalAndBinary, large };

/// One way to write a unit: `factor` turns the typed number into the number of the row's Unit.
struct Spelling {
    std::string_view text;
    double factor = 1;
    Prefixes prefixes = Prefixes::none;
};

/// How a figure is written for people.
enum class Style : std::uint8_t {
    plain,    ///< number and suffix
    attached, ///< prefix joined to the suffix: "4.10 ms"
    scaledUp, ///< the same, without prefixes below one: "640 GB"
    detached, ///< prefix before a word: "1.84 M tok/s"
    integer,  ///< whole numbers in full: "131 072", "4 years"
    percent,  ///< fraction as per cent
    duration, ///< ns to years
    money,    ///< "$ 3 732 / h"
    mass,     ///< kg, from ten tonnes on t
};

struct UnitRow {
    std::string_view symbol; ///< files, JSON, tables
    std::string_view human;  ///< suffix for people
    Style style = Style::plain;
    double humanFactor = 1; ///< number of the Unit times this is the number that takes the prefix
    std::span<const Spelling> spellings;
    std::string_view examples; ///< what an error message offers
    bool bareNumber = false;   ///< a number alone is understood
};

const UnitRow& unitRow(Unit unit);

} // namespace cw
