// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/validation.h"

#include "estimators/validation/kinds.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace cw {

namespace {

/// Those that ask for columns of their own come before those that take common ones.
constexpr const FileKind* kinds[] = {&mlperfInferenceKind, &trainingKind,  &latencyKind,     &siliconKind,        &cpuKind,        &queueingKind,
                                     &operatorsKind,       &collectivesKind, &mlperfTrainingKind, &hpcKind, &reliabilityKind};

Columns columnsOf(const CsvTable& table, const FileKind& kind) {
    const std::span<const Field> spans[] = {commonFields(), kind.fields};
    return Columns(table.header, spans);
}

template <class Test> bool each(std::string_view keys, Test&& test) {
    for (; !keys.empty();) {
        const std::size_t bar = keys.find('|');
        if (!test(keys.substr(0, bar)))
            return false;
        keys.remove_prefix(bar == std::string_view::npos ? keys.size() : bar + 1);
    }
    return true;
}

bool fits(const CsvTable& table, const FileKind& kind) {
    const Columns columns = columnsOf(table, kind);
    const bool all = each(kind.allOf, [&](std::string_view key) { return columns.has(key); });
    const bool none = each(kind.anyOf, [&](std::string_view key) { return !columns.has(key); });
    return all && !none;
}

} // namespace

std::span<const FileKind* const> fileKinds() { return kinds; }

const FileKind* kindOf(const CsvTable& table) {
    const std::string stem = normalisedColumn(fileStem(table.file));
    const FileKind* named = nullptr;
    for (const FileKind* kind : kinds) // "mlperf_training" before "training" in "mlperf_training_2026"
        if (stem.find(kind->name) != std::string::npos && (!named || kind->name.size() > named->name.size()))
            named = kind;
    if (named && (stem == named->name || fits(table, *named)))
        return named;
    for (const FileKind* kind : kinds)
        if (fits(table, *kind))
            return kind;
    return named;
}

Prediction predictionOf(const Row::Measured& measured, double siValue, std::string note) {
    Prediction prediction;
    prediction.quantity = measured.column;
    prediction.measured = measured.value;
    if (std::isfinite(siValue))
        prediction.predicted = siValue / measured.factor;
    else
        prediction.reason = "the estimate gives no value";
    prediction.note = std::move(note);
    return prediction;
}

Prediction notPredicted(std::string quantity, double measured, std::string reason) {
    Prediction prediction;
    prediction.quantity = std::move(quantity);
    prediction.measured = measured;
    prediction.reason = std::move(reason);
    return prediction;
}

Expected<int> addValidation(ValidationReport& report, const CsvTable& table, const Catalog& catalog, const ValidationOptions& options) {
    const FileKind* kind = kindOf(table);
    if (!kind) {
        std::string known;
        for (const FileKind* each : kinds)
            known += (known.empty() ? "" : ", ") + std::string(each->name) + ".csv";
        return fail({table.file, known, fileStem(table.file), "Neither the name nor the columns say what was measured"});
    }
    const Columns columns = columnsOf(table, *kind);
    const std::string file = fileStem(table.file) + ".csv";
    int added = 0;
    for (const CsvRecord& record : table.records) {
        const Row row(table, columns, record);
        const std::string family = row.family();
        if (!options.families.empty() && !options.families.contains(family))
            continue;
        std::vector<Prediction> predictions;
        if (record.fault.empty())
            predictions = kind->predict(row, catalog);
        else
            predictions.push_back(notPredicted("", std::numeric_limits<double>::quiet_NaN(), record.fault));
        for (Prediction& prediction : predictions) {
            if (!prediction.known() && !row.unreadable().empty())
                prediction.reason += (prediction.reason.empty() ? "" : "; ") + row.unreadable().front();
            if (!options.explanations)
                prediction.explanation.reset();
            report.rows.push_back({row.id(), file, family, record.line, std::move(prediction)});
        }
        ++added;
    }
    return added;
}

FamilyStatistics statisticsOf(std::span<const double> absoluteErrors) {
    FamilyStatistics statistics;
    statistics.predicted = static_cast<int>(absoluteErrors.size());
    std::vector<double> sorted(absoluteErrors.begin(), absoluteErrors.end());
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty()) {
        statistics.median = statistics.mean = statistics.p90 = statistics.max = std::numeric_limits<double>::quiet_NaN();
        return statistics;
    }
    const auto quantile = [&](double share) {
        const double at = share * static_cast<double>(sorted.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const std::size_t above = std::min(below + 1, sorted.size() - 1);
        return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
    };
    double sum = 0;
    for (const double error : sorted)
        sum += error;
    statistics.median = quantile(.5);
    statistics.mean = sum / static_cast<double>(sorted.size());
    statistics.p90 = quantile(.9);
    statistics.max = sorted.back();
    return statistics;
}

void addStatistics(ValidationReport& report) {
    struct Group {
        std::string file, family, quantity;
        int n = 0, ranged = 0, inRange = 0;
        std::vector<double> errors;
    };
    std::vector<Group> groups; // in the order in which they first occur
    std::map<std::string, std::size_t> places;
    for (const ValidatedRow& row : report.rows) {
        const auto [place, isNew] = places.try_emplace(row.file + '\n' + row.family + '\n' + row.prediction.quantity, groups.size());
        if (isNew)
            groups.push_back({row.file, row.family, row.prediction.quantity, 0, 0, 0, {}});
        Group& group = groups[place->second];
        ++group.n;
        if (row.prediction.known() && std::isfinite(row.prediction.errorPercent()))
            group.errors.push_back(std::abs(row.prediction.errorPercent()));
        if (row.prediction.known() && row.prediction.spread > 0) {
            const double ratio = row.prediction.predicted / row.prediction.measured, wide = 1 + row.prediction.spread;
            ++group.ranged;
            group.inRange += ratio <= wide && ratio >= 1 / wide;
        }
    }
    report.families.clear();
    for (const Group& group : groups) {
        FamilyStatistics statistics = statisticsOf(group.errors);
        statistics.file = group.file;
        statistics.family = group.family;
        statistics.quantity = group.quantity;
        statistics.n = group.n;
        statistics.ranged = group.ranged;
        statistics.inRange = group.inRange;
        report.families.push_back(std::move(statistics));
    }
}

} // namespace cw
