// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/bench/bench.h"

#include <fmt/format.h>

#include <algorithm>

namespace cw::cli {

int benchVerb(const BenchArguments& arguments)
{
    if (arguments.probeStart)
        return bench::startupProbe();
    const auto& all = bench::benchmarks();
    std::string known;
    for (const auto& benchmark : all)
        known += (known.empty() ? "" : ", ") + benchmark.name;
    for (const std::string& name : arguments.only)
        if (std::none_of(all.begin(), all.end(), [&](const auto& b) { return b.name == name; })) {
            message("there is no measurement \"" + name + "\"; known are: " + known);
            return exitUsage;
        }
    Table table({"name", "value", "unit"});
    for (const auto& benchmark : all) {
        if (!arguments.only.empty() && std::find(arguments.only.begin(), arguments.only.end(), benchmark.name) == arguments.only.end())
            continue;
        message("measuring " + benchmark.name + " …");
        const double value = benchmark.measure();
        table.add({text(benchmark.name), number(value, fmt::format("{:.4g}", value)), text(benchmark.unit)});
    }
    print(table.text(arguments.format));
    return exitOk;
}

} // namespace cw::cli
