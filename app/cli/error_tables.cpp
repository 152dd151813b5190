// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/error_tables.h"

#include <cmath>
#include <cstdio>

namespace cw::cli {

namespace {

std::string literal(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return out + '"';
}

std::string number(double value, const char* format) {
    if (!std::isfinite(value))
        return "unknown";
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, format, value);
    return buffer;
}

std::string figures(double mean, double p90) { return "{" + number(mean, "%.1f") + ", " + number(p90, "%.1f") + "}"; }

std::string familyLine(const FamilyStatistics& f) {
    return "    {" + literal(fileStem(f.file)) + ", " + literal(f.family) + ", " + literal(f.quantity) + ", " + literal(f.devices) + ", " + std::to_string(f.predicted) +
        ", " + figures(f.mean, f.p90) + ", " + figures(f.model.mean, f.model.p90) + ", " + figures(f.device.mean, f.device.p90) + "},\n";
}

} // namespace

std::string errorTables(const ValidationReport& report) {
    std::string out = "// SPDX-License-Identifier: GPL-3.0-or-later\n"
                      "// Written by `clusterwright validate --tables`; not edited by hand.\n"
                      "#include \"estimators/validation/family_errors.h\"\n\n"
                      "namespace cw {\n\nnamespace {\n\n"
                      "constexpr double unknown = std::numeric_limits<double>::quiet_NaN();\n\n"
                      "constexpr FamilyError families[] = {\n";
    for (const FamilyStatistics& f : report.families)
        if (f.predicted > 0)
            out += familyLine(f);
    return out + "};\n\n} // namespace\n\nstd::span<const FamilyError> familyErrors() { return families; }\n\n} // namespace cw\n";
}

} // namespace cw::cli
