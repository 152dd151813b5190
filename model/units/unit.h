// SPDX-License-Identifier: GPL-3.0-or-later
//
// Units at run time: what a figure on the screen, in JSON or in a derivation is measured in. The number that goes with a
// Unit is always in exactly this unit (SI based, as cli.md prints it). Parsing what a person types demands a unit.
#pragma once

#include "model/base/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace cw {

enum class Unit : std::uint8_t {
    one,            // ratio or count without a name
    fraction,       // 0 to 1, shown as per cent
    count,
    seconds,
    hours,
    days,
    years,
    bytes,
    bytesPerSecond,
    operations,
    operationsPerSecond,
    watts,
    joules,
    kilowattHoursPerYear,
    celsius,
    kelvins,
    cubicMetresPerSecond,
    litresPerMinute,
    kilograms,
    kilogramsPerYear,
    gramsPerKilowattHour,
    tokens,
    tokensPerSecond,
    requestsPerSecond,
    samplesPerSecond,
    eventsPerSecond,
    jobsPerDay,
    dollars,
    dollarsPerHour,
    dollarsPerYear,
    dollarsPerKilowattHour,
    dollarsPerMillionTokens,
    dollarsPerMillionRequests, // also items, samples, events
    dollarsPerJob,
    metres,
    rackUnits,
};

/// The symbol as printed in JSON and tables, e.g. "tokens/s", "bytes/s", "W", "USD/h". Empty for Unit::one.
std::string_view symbol(Unit unit);

/// For people: value with a fitting prefix and three significant digits, e.g. format(1.84e6, tokensPerSecond) = "1.84 M tok/s",
/// format(4.1e-3, seconds) = "4.10 ms", format(.93, fraction) = "93 %", format(6.4e11, bytes) = "640 GB". NaN gives "?".
std::string format(double value, Unit unit, int significantDigits = 3);

/// What a person typed, as a number in `unit`. Accepts prefixes and the usual other units of the dimension: "400 Gb/s", "50 GB/s",
/// "10.2 kW", "34 800 BTU/h", "80 GiB", "3 ms", "2 h", "0.12 $/kWh", "1,5 TB". A bare number is an error that names the units that would do
/// (except for one, count and fraction, where "35 %" and ".35" both work). Rejects NaN, infinities and trailing text.
Expected<double> parse(std::string_view text, Unit unit);

} // namespace cw
