// SPDX-License-Identifier: GPL-3.0-or-later
//
// Conversion factors are exact by definition, except: BTU (international table, 1055.05585262 J), ton of refrigeration (12 000 BTU/h),
// cubic foot (0.3048 m cubed), US gallon (231 cubic inches), pound (0.45359237 kg).
#include "model/units/unit_table.h"

#include "model/assert.h"

#include <array>

namespace cw {
namespace {

using enum Prefixes;
constexpr double minute = 60, hour = 3600, day = 86400, week = 7 * day, year = 365.25 * day;
constexpr double btuPerHour = 1055.05585262 / 3600;
constexpr double cubicFoot = .028316846592;
constexpr double pound = .45359237;

constexpr Spelling ones[] = {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"x", 1}, {"%", .01}};
constexpr Spelling fractions[] = {{"", 1}, {"%", .01}, {"percent", .01}, {"‰", .001}};
constexpr Spelling counts[] = {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};
constexpr Spelling times[] = {{"s", 1, decimal},   {"sec", 1},     {"second", 1},  {"seconds", 1},  {"min", minute},
                              {"minutes", minute}, {"h", hour},    {"hour", hour}, {"hours", hour}, {"d", day},
                              {"day", day},        {"days", day},  {"week", week}, {"weeks", week}, {"y", year},
                              {"yr", year},        {"year", year}, {"years", year}};
constexpr Spelling hourTimes[] = {
    {"h", 1},        {"hour", 1},        {"hours", 1},          {"min", minute / hour}, {"minutes", minute / hour},
    {"s", 1 / hour}, {"d", 24},          {"day", 24},           {"days", 24},           {"week", 168},
    {"weeks", 168},  {"y", year / hour}, {"year", year / hour}, {"years", year / hour}};
constexpr Spelling dayTimes[] = {{"d", 1},    {"day", 1},   {"days", 1},   {"h", 1. / 24},   {"hours", 1. / 24},
                                 {"week", 7}, {"weeks", 7}, {"y", 365.25}, {"year", 365.25}, {"years", 365.25}};
constexpr Spelling yearTimes[] = {{"y", 1},           {"yr", 1},         {"year", 1},         {"years", 1}, {"months", 1. / 12},
                                  {"month", 1. / 12}, {"d", day / year}, {"days", day / year}};
constexpr Spelling dataSizes[] = {{"B", 1, decimalAndBinary},      {"byte", 1},   {"bytes", 1}, {"b", .125, decimalAndBinary},
                                  {"bit", .125, decimalAndBinary}, {"bits", .125}};
constexpr Spelling dataRates[] = {
    {"B/s", 1, decimalAndBinary},    {"Bps", 1, decimalAndBinary},      {"bytes/s", 1},
    {"b/s", .125, decimalAndBinary}, {"bit/s", .125, decimalAndBinary}, {"bps", .125, decimalAndBinary}};
constexpr Spelling operationCounts[] = {{"FLOP", 1, decimal}, {"FLOPs", 1, decimal}, {"op", 1, decimal},
                                        {"OP", 1, decimal},   {"OPs", 1, decimal},   {"ops", 1, decimal}};
constexpr Spelling operationRates[] = {{"FLOP/s", 1, decimal}, {"FLOPS", 1, decimal}, {"FLOPs/s", 1, decimal},
                                       {"OP/s", 1, decimal},   {"OPS", 1, decimal},   {"op/s", 1, decimal},
                                       {"ops/s", 1, decimal}};
constexpr Spelling powers[] = {{"W", 1, decimal},
                               {"watt", 1},
                               {"watts", 1},
                               {"VA", 1, decimal},
                               {"J/s", 1, decimal},
                               {"BTU/h", btuPerHour, large},
                               {"BTU/hr", btuPerHour, large},
                               {"hp", 745.69987158227022},
                               {"ton of refrigeration", 12000 * btuPerHour},
                               {"TR", 12000 * btuPerHour}};
constexpr Spelling energies[] = {{"J", 1, decimal}, {"Wh", hour, decimal}, {"Ws", 1, decimal}};
constexpr Spelling yearlyEnergies[] = {{"Wh/year", 1e-3, decimal}, {"Wh/y", 1e-3, decimal}, {"Wh/a", 1e-3, decimal}};
constexpr Spelling masses[] = {{"kg", 1}, {"g", 1e-3, decimal}, {"t", 1e3, large}, {"lb", pound}, {"lbs", pound}};
constexpr Spelling yearlyMasses[] = {{"kg/year", 1},         {"kg/y", 1},         {"kg/a", 1},
                                     {"t/year", 1e3, large}, {"t/y", 1e3, large}, {"t/a", 1e3, large}};
constexpr Spelling airflows[] = {{"m3/s", 1},   {"m3/h", 1 / hour},          {"m3/min", 1 / minute},         {"l/s", 1e-3},
                                 {"L/s", 1e-3}, {"cfm", cubicFoot / minute}, {"ft3/min", cubicFoot / minute}};
constexpr Spelling flows[] = {{"l/min", 1},    {"L/min", 1},         {"lpm", 1},
                              {"l/s", 60},     {"l/h", 1. / 60},     {"m3/h", 1000. / 60},
                              {"m3/s", 60000}, {"gpm", 3.785411784}, {"gal/min", 3.785411784}};
constexpr Spelling temperatureSpans[] = {{"K", 1}, {"°C", 1}, {"C", 1}, {"°F", 5. / 9}, {"F", 5. / 9}};
// Fahrenheit and kelvin have another zero; parse() treats these rows itself.
constexpr Spelling temperatures[] = {{"°C", 1}, {"C", 1}, {"degC", 1}, {"K", 1}, {"°F", 5. / 9}, {"F", 5. / 9}};
constexpr Spelling intensities[] = {{"g/kWh", 1},    {"gCO2/kWh", 1}, {"gCO2e/kWh", 1}, {"g CO2e/kWh", 1},
                                    {"kg/kWh", 1e3}, {"kg/MWh", 1},   {"t/MWh", 1e3}};
constexpr Spelling tokenCounts[] = {{"tok", 1, decimal}, {"token", 1, decimal}, {"tokens", 1, decimal}};
#define CW_RATE(word)                                                                                                            \
    {word "/s", 1, large}, {word "/min", 1 / minute, large}, {word "/h", 1 / hour, large}, {word "/day", 1 / day, large}, {      \
        word "/d", 1 / day, large                                                                                                \
    }
constexpr Spelling tokenRates[] = {CW_RATE("tok"), CW_RATE("token"), CW_RATE("tokens")};
constexpr Spelling requestRates[] = {CW_RATE("req"), CW_RATE("request"), CW_RATE("requests"), CW_RATE("queries"),
                                     CW_RATE(""),    {"rps", 1, large},  {"qps", 1, large},   {"Hz", 1, large}};
constexpr Spelling sampleRates[] = {CW_RATE("sample"), CW_RATE("samples"),   CW_RATE("item"), CW_RATE("items"),
                                    CW_RATE("images"), CW_RATE("sequences"), CW_RATE("")};
constexpr Spelling eventRates[] = {CW_RATE("event"), CW_RATE("events"), CW_RATE("messages"), CW_RATE("records"), CW_RATE("")};
#undef CW_RATE
constexpr Spelling jobRates[] = {
    {"jobs/day", 1, large}, {"job/day", 1}, {"jobs/d", 1, large}, {"/day", 1},        {"/d", 1},
    {"jobs/h", 24, large},  {"job/h", 24},  {"/h", 24},           {"jobs/min", 1440}, {"jobs/s", day}};
constexpr Spelling money[] = {{"$", 1, large}, {"USD", 1, large}, {"dollar", 1}, {"dollars", 1}};
constexpr Spelling hourlyMoney[] = {{"$/h", 1, large},
                                    {"USD/h", 1, large},
                                    {"$/hour", 1},
                                    {"$/hr", 1},
                                    {"$/day", 1. / 24, large},
                                    {"USD/day", 1. / 24},
                                    {"$/month", 12 * hour / year, large},
                                    {"$/year", hour / year, large},
                                    {"USD/year", hour / year, large},
                                    {"$/s", hour}};
constexpr Spelling yearlyMoney[] = {{"$/year", 1, large},        {"USD/year", 1, large},       {"$/y", 1, large},
                                    {"$/a", 1, large},           {"$/month", 12, large},       {"USD/month", 12, large},
                                    {"$/h", year / hour, large}, {"USD/h", year / hour, large}};
constexpr Spelling energyPrices[] = {{"$/kWh", 1, large},    {"USD/kWh", 1}, {"$/MWh", 1e-3}, {"USD/MWh", 1e-3},
                                     {"ct/kWh", .01}, {"¢/kWh", .01}, {"c/kWh", .01}};
constexpr Spelling tokenPrices[] = {{"$/Mtok", 1, large},     {"$/M tok", 1},  {"USD/Mtok", 1},  {"USD/Mtokens", 1},   {"$/Mtokens", 1},
                                    {"$/M tokens", 1}, {"$/ktok", 1e3}, {"$/k tok", 1e3}, {"$/1k tokens", 1e3}, {"$/token", 1e6}};
constexpr Spelling requestPrices[] = {{"$/M", 1, large}, {"$/Mreq", 1},       {"$/M req", 1},   {"USD/Mrequests", 1}, {"$/Mrequests", 1},
                                      {"$/M requests", 1}, {"$/M items", 1}, {"$/M events", 1},    {"$/M samples", 1},
                                      {"$/kreq", 1e3},     {"$/k req", 1e3}, {"$/request", 1e6},   {"$/req", 1e6},
                                      {"$/item", 1e6}};
constexpr Spelling jobPrices[] = {{"$/job", 1, large}, {"USD/job", 1, large}, {"$/run", 1, large}, {"USD/run", 1, large}};
constexpr Spelling lengths[] = {{"m", 1, decimal}, {"metre", 1},    {"metres", 1},   {"meters", 1}, {"cm", .01},
                                {"ft", .3048},     {"foot", .3048}, {"feet", .3048}, {"in", .0254}};
constexpr Spelling rackHeights[] = {{"U", 1}, {"RU", 1}, {"HE", 1}};

constexpr UnitRow rows[] = {
    {"", "", Style::plain, 1, ones, "1.5", true},
    {"fraction", "%", Style::percent, 100, fractions, "35 % or 0.35", true},
    {"count", "", Style::integer, 1, counts, "128", true},
    {"s", "s", Style::duration, 1, times, "3 ms, 2 s, 5 min, 2 h"},
    {"h", "h", Style::integer, 1, hourTimes, "12 h, 3 days"},
    {"days", "days", Style::integer, 1, dayTimes, "30 days, 12 h"},
    {"years", "years", Style::integer, 1, yearTimes, "4 years, 18 months"},
    {"bytes", "B", Style::scaledUp, 1, dataSizes, "80 GB, 80 GiB"},
    {"bytes/s", "B/s", Style::scaledUp, 1, dataRates, "400 Gb/s, 50 GB/s"},
    {"FLOP", "FLOP", Style::scaledUp, 1, operationCounts, "3.2 TFLOP"},
    {"FLOP/s", "FLOP/s", Style::scaledUp, 1, operationRates, "989 TFLOP/s"},
    {"W", "W", Style::attached, 1, powers, "700 W, 10.2 kW, 34 800 BTU/h"},
    {"J", "J", Style::attached, 1, energies, "5 kJ, 1.2 kWh"},
    {"kWh/year", "Wh/year", Style::attached, 1e3, yearlyEnergies, "120 MWh/year"},
    {"C", "°C", Style::plain, 1, temperatures, "22 °C, 72 °F"},
    {"K", "K", Style::plain, 1, temperatureSpans, "12 K"},
    {"m3/s", "m³/s", Style::plain, 1, airflows, "0.4 m3/s, 840 cfm"},
    {"l/min", "l/min", Style::plain, 1, flows, "80 l/min, 21 gpm"},
    {"kg", "kg", Style::mass, 1, masses, "120 kg, 1.4 t"},
    {"kg/year", "kg/year", Style::mass, 1, yearlyMasses, "900 kg/year, 12 t/year"},
    {"g/kWh", "g/kWh", Style::plain, 1, intensities, "380 g/kWh"},
    {"tokens", "tok", Style::detached, 1, tokenCounts, "512 tok, 15.6 T tokens"},
    {"tokens/s", "tok/s", Style::detached, 1, tokenRates, "1.8 M tok/s"},
    {"requests/s", "req/s", Style::detached, 1, requestRates, "250 req/s, 20 k req/min"},
    {"samples/s", "samples/s", Style::detached, 1, sampleRates, "900 samples/s"},
    {"events/s", "events/s", Style::detached, 1, eventRates, "2 M events/s"},
    {"jobs/day", "jobs/day", Style::detached, 1, jobRates, "24 jobs/day"},
    {"USD", "", Style::money, 1, money, "$ 250 k, 1.2 MUSD"},
    {"USD/h", " / h", Style::money, 1, hourlyMoney, "$ 98.32/h"},
    {"USD/year", " / year", Style::money, 1, yearlyMoney, "$ 1.2 M/year"},
    {"USD/kWh", " / kWh", Style::money, 1, energyPrices, "0.12 $/kWh"},
    {"USD/Mtokens", " / M tok", Style::money, 1, tokenPrices, "0.41 $/Mtok"},
    {"USD/Mrequests", " / M", Style::money, 1, requestPrices, "1.2 $/Mreq"},
    {"USD/job", " / job", Style::money, 1, jobPrices, "12 $/job"},
    {"m", "m", Style::attached, 1, lengths, "3 m, 10 ft"},
    {"U", "U", Style::integer, 1, rackHeights, "42 U"},
};
static_assert(std::size(rows) == static_cast<std::size_t>(Unit::rackUnits) + 1);

} // namespace

const UnitRow& unitRow(Unit unit) {
    const auto index = static_cast<std::size_t>(unit);
    CW_ASSERT(index < std::size(rows));
    return rows[index];
}

std::string_view symbol(Unit unit) { return unitRow(unit).symbol; }

} // namespace cw
