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
    return "    {" + literal(f.file) + ", " + literal(f.family) + ", " + literal(f.quantity) + ", " + literal(f.devices) + ", " + std::to_string(f.predicted) +
        ", " + figures(f.mean, f.p90) + ", " + figures(f.model.mean, f.model.p90) + ", " + figures(f.device.mean, f.device.p90) + "},\n";
}

std::string runLine(const MeasuredPoint& r) {
    const TrainingPoint& p = r.point;
    return "    {" + number(p.parameters, "%.4g") + ", " + (p.experts ? "true" : "false") + ", " + literal(p.device.value) + ", " + literal(p.architecture) + ", " +
        number(p.devices, "%.0f") + ", " + literal(p.stack.value) + ", Precision::" + std::string(name(p.precision)) + ",\n     " + literal(r.id) + ", " +
        literal(r.family) + ", " + literal(r.source) + ", " + literal(r.quantity) + ", " + number(r.errorPercent, "%.1f") + "},\n";
}

} // namespace

std::string errorTables(const ValidationReport& report, std::span<const MeasuredPoint> runs) {
    std::string out = "// SPDX-License-Identifier: GPL-3.0-or-later\n"
                      "// Written by `clusterwright validate --tables`; not edited by hand.\n"
                      "#include \"estimators/validation/family_errors.h\"\n\n"
                      "namespace cw {\n\nnamespace {\n\n"
                      "constexpr double unknown = std::numeric_limits<double>::quiet_NaN();\n\n"
                      "constexpr FamilyError families[] = {\n";
    for (const FamilyStatistics& f : report.families)
        if (f.predicted > 0)
            out += familyLine(f);
    out += "};\n\nstruct Run {\n"
           "    double parameters;\n    bool experts;\n    const char* device;\n    const char* architecture;\n    double devices;\n    const char* stack;\n"
           "    Precision precision;\n    const char* id;\n    const char* family;\n    const char* source;\n    const char* quantity;\n    double errorPercent;\n};\n\n"
           "constexpr Run runs[] = {\n";
    for (const MeasuredPoint& each : runs)
        out += runLine(each);
    out += "};\n\n"
           "std::vector<MeasuredPoint> trainingRuns() {\n"
           "    std::vector<MeasuredPoint> out;\n"
           "    for (const Run& r : runs)\n"
           "        out.push_back({{r.parameters, r.experts, PartId(r.device), r.architecture, r.devices, PartId(r.stack), r.precision},\n"
           "                       r.id, r.family, r.source, r.quantity, r.errorPercent});\n"
           "    return out;\n}\n\n} // namespace\n\n"
           "std::span<const FamilyError> familyErrors() { return families; }\n\n"
           "std::span<const MeasuredPoint> publishedTrainingRuns() {\n"
           "    static const std::vector<MeasuredPoint> all = trainingRuns();\n"
           "    return all;\n}\n\n} // namespace cw\n";
    return out;
}

} // namespace cw::cli
