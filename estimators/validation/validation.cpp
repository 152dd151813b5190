// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/validation.h"

#include "estimators/validation/kinds.h"
#include "estimators/validation/left_out.h"
#include "estimators/validation/names.h"

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
    const bool all = each(kind.allOf, [&](std::string_view key) {
        return columns.has(key) || (key == "device" && (columns.has("platform") || columns.has("system")));
    });
    const bool none = each(kind.anyOf, [&](std::string_view key) { return !columns.has(key); });
    return all && !none;
}

/// Benchmarks of systems and failures of clusters share their columns where the metric stands in a cell; its words tell.
const FileKind* byMetric(const CsvTable& table, const FileKind* kind) {
    if (kind != &hpcKind && kind != &reliabilityKind)
        return kind;
    const Columns columns = columnsOf(table, hpcKind);
    if (!columns.has("value") || columns.has("linpack") || columns.has("gradients") || columns.has("efficiency"))
        return kind;
    for (const CsvRecord& record : table.records) {
        const std::string metric = normalisedColumn(Row(table, columns, record).text("metric"));
        for (const char* word : {"hpl", "rmax", "linpack", "hpcg"})
            if (metric.find(word) != std::string::npos)
                return &hpcKind;
    }
    return fits(table, reliabilityKind) ? &reliabilityKind : kind;
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
    const FileKind* best = nullptr;
    std::size_t most = 0;
    for (const FileKind* kind : kinds) {
        const std::size_t matched = fits(table, *kind) ? columnsOf(table, *kind).matchedBy(kind->fields) : 0;
        if (matched > most) {
            best = kind;
            most = matched;
        }
    }
    return best ? byMetric(table, best) : named;
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

namespace {

/// What a row ran on and with, so that spellings of one thing are one group.
void nameGroups(const Row& row, const Catalog& catalog, ValidatedRow& out) {
    for (const char* key : {"device", "platform", "system"}) {
        if (const Gpu* gpu = row.has(key) ? findGpu(catalog, row.text(key), row.number("device_memory", 0)) : nullptr) {
            out.device = gpu->id.value;
            break;
        }
        if (out.device.empty())
            out.device = normalisedColumn(row.text(key));
    }
    const NeuralModel* model = row.has("model") ? findModel(catalog, row.text("model")) : nullptr;
    out.model = model ? model->id.value : normalisedColumn(row.text("model"));
    out.software = row.has("software") ? normalisedColumn(row.text("software")) : out.family;
}

/// An input that cannot be used leaves no prediction; a measured cell that cannot be compared is listed with the reason.
void refuseUnusable(const Row& row, std::vector<Prediction>& predictions) {
    if (!row.unreadable().empty())
        for (Prediction& prediction : predictions)
            prediction = notPredicted(prediction.quantity, prediction.measured, row.unreadable().front());
    if (row.notMeasured().empty())
        return;
    std::erase_if(predictions, [](const Prediction& prediction) { return prediction.quantity.empty(); });
    for (const Row::NotMeasured& each : row.notMeasured())
        if (std::none_of(predictions.begin(), predictions.end(), [&](const Prediction& prediction) { return prediction.quantity == each.column; }))
            predictions.push_back(notPredicted(each.column, each.value, each.reason));
}

} // namespace

Expected<int> addValidation(ValidationReport& report, const CsvTable& table, const Catalog& catalog, const ValidationOptions& options) {
    const FileKind* kind = kindOf(table);
    if (!kind) {
        std::string known;
        for (const FileKind* each : kinds)
            known += (known.empty() ? "" : ", ") + std::string(each->name) + ".csv";
        return fail({table.file, known, fileStem(table.file), "Neither the name nor the columns say what was measured"});
    }
    const Columns columns = columnsOf(table, *kind);
    const std::string file = table.file == "-" ? table.file : fileStem(table.file) + ".csv";
    report.notUnderstood.push_back({file, columns.notUnderstood()});
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
        ValidatedRow validated;
        validated.id = row.id();
        validated.file = file;
        validated.family = family;
        validated.line = record.line;
        nameGroups(row, catalog, validated);
        refuseUnusable(row, predictions);
        for (Prediction& prediction : predictions) {
            if (!options.explanations)
                prediction.explanation.reset();
            validated.prediction = std::move(prediction);
            report.rows.push_back(validated);
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

namespace {

struct Group {
    std::string file, family, quantity;
    std::vector<const ValidatedRow*> rows, predicted;
};

double ratioOf(const ValidatedRow& row) { return row.prediction.predicted / row.prediction.measured; }

using Key = std::string ValidatedRow::*;

LeftOut leftOut(std::span<const ValidatedRow* const> rows, std::span<const ValidatedRow* const> pool, Key key) {
    const auto grouped = [&](std::span<const ValidatedRow* const> all) {
        std::vector<GroupedRatio> out;
        for (const ValidatedRow* row : all)
            if (ratioOf(*row) > 0 && !(row->*key).empty())
                out.push_back({ratioOf(*row), row->*key});
        return out;
    };
    const FamilyStatistics errors = statisticsOf(leftOutErrors(grouped(rows), grouped(pool)));
    return {errors.predicted, errors.mean, errors.p90};
}

FamilyStatistics statisticsOf(const Group& group) {
    std::vector<double> errors;
    std::set<std::string> devices;
    int ranged = 0, inRange = 0;
    for (const ValidatedRow* row : group.predicted) {
        errors.push_back(std::abs(row->prediction.errorPercent()));
        devices.insert(row->device);
        if (row->prediction.spread > 0) {
            const double wide = 1 + row->prediction.spread;
            ++ranged;
            inRange += ratioOf(*row) <= wide && ratioOf(*row) >= 1 / wide;
        }
    }
    FamilyStatistics statistics = cw::statisticsOf(errors);
    statistics.file = group.file;
    statistics.family = group.family;
    statistics.quantity = group.quantity;
    statistics.n = static_cast<int>(group.rows.size());
    statistics.ranged = ranged;
    statistics.inRange = inRange;
    for (const std::string& device : devices)
        statistics.devices += (statistics.devices.empty() ? "" : " ") + device;
    statistics.model = leftOut(group.predicted, group.predicted, &ValidatedRow::model);
    return statistics;
}

} // namespace

void addStatistics(ValidationReport& report) {
    std::vector<Group> groups; // in the order in which they first occur
    std::map<std::string, std::size_t> places;
    std::map<std::string, std::vector<const ValidatedRow*>> pools; // by file, software and quantity
    const auto poolOf = [](const ValidatedRow& row) { return row.file + '\n' + row.software + '\n' + row.prediction.quantity; };
    for (const ValidatedRow& row : report.rows) {
        const auto [place, isNew] = places.try_emplace(row.file + '\n' + row.family + '\n' + row.prediction.quantity, groups.size());
        if (isNew)
            groups.push_back({row.file, row.family, row.prediction.quantity, {}, {}});
        Group& group = groups[place->second];
        group.rows.push_back(&row);
        if (row.prediction.known() && std::isfinite(row.prediction.errorPercent())) {
            group.predicted.push_back(&row);
            pools[poolOf(row)].push_back(&row);
        }
    }
    report.families.clear();
    for (const Group& group : groups) {
        FamilyStatistics statistics = statisticsOf(group);
        if (!group.predicted.empty()) // a family keeps to one software
            statistics.device = leftOut(group.predicted, pools[poolOf(*group.predicted.front())], &ValidatedRow::device);
        report.families.push_back(std::move(statistics));
    }
}

} // namespace cw
