// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/neighbours.h"

#include "estimators/base/resolved.h"
#include "estimators/estimate.h"
#include "estimators/serving/serving_constants.h"
#include "estimators/training/model_shape.h"
#include "estimators/training/stack.h"
#include "estimators/validation/kinds.h"
#include "estimators/validation/row_cluster.h"
#include "estimators/validation/serving_fields.h"
#include "estimators/validation/training_fields.h"
#include "resources/embedded.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cw {

namespace {

constexpr double otherDevice = .5, otherGeneration = 2, otherStack = 1, otherPrecision = .5, otherKind = 3;

double doublings(double a, double b) { return a > 0 && b > 0 ? std::abs(std::log2(a / b)) : 4; }

struct FigureKey {
    const char* key;
    Unit unit;
};
constexpr FigureKey figureKeys[] = {{"step_time", Unit::seconds},
                                    {"operations_rate", Unit::operationsPerSecond},
                                    {"tokens_rate_per_gpu", Unit::tokensPerSecond},
                                    {"ttft", Unit::seconds},
                                    {"tpot", Unit::seconds}};

void setModel(DesignPoint& point, const NeuralModel& model) {
    const ModelShape shape = modelShape(model);
    point.model = model.id;
    point.parameters = shape.parameters;
    point.experts = shape.moe;
}

void setDevice(DesignPoint& point, const Gpu& gpu) {
    point.device = gpu.id;
    point.architecture = gpu.architecture;
}

PartId idOf(const Constants* set) { return set ? set->id : PartId(); }

std::optional<DesignPoint> trainingPoint(const Row& row, const Catalog& catalog) {
    std::string why;
    const auto wish = clusterWish(row, catalog, why);
    const auto model = modelOf(row, catalog, why);
    if (!wish || !model)
        return {};
    DesignPoint point;
    setModel(point, *model);
    setDevice(point, *wish->gpu);
    point.devices = static_cast<double>(wish->devices);
    point.stack = idOf(trainingStack(catalog, stackOf(row), wish->gpu).set);
    point.precision = findPrecision(row.text("precision")).value_or(Precision::bf16);
    return point;
}

std::optional<DesignPoint> servingPoint(const Row& row, const Catalog& catalog) {
    std::string why;
    const auto wish = clusterWish(row, catalog, why);
    const NeuralModel* model = servedModelOf(row, catalog, why);
    if (!wish || !model)
        return {};
    DesignPoint point;
    point.serving = true;
    setModel(point, *model);
    setDevice(point, *wish->gpu);
    point.devices = servedLayout(row).devices();
    point.stack = idOf(servingStack(catalog, servingStackOf(row), false).set);
    point.precision = servedFormats(row, *model, wish->gpu, Precision::bf16).weights;
    point.prompt = row.number("prompt", 0);
    point.output = row.number("output", 0);
    point.inFlight = row.number("concurrency", row.number("batch", 0));
    return point;
}

/// The known predictions of a row, in SI units.
std::vector<MeasuredFigure> figuresOf(const Row& row, std::span<const Prediction> predictions) {
    std::vector<MeasuredFigure> figures;
    for (const FigureKey& known : figureKeys) {
        const auto measured = row.measured(known.key);
        if (!measured)
            continue;
        for (const Prediction& prediction : predictions)
            if (prediction.known() && prediction.quantity == measured->column)
                figures.push_back({known.key, known.unit, measured->value * measured->factor, prediction.predicted * measured->factor});
    }
    return figures;
}

const NamedQuantity* moreOf(const WorkloadEstimate& estimate, std::string_view name) {
    const auto found = std::find_if(estimate.more.begin(), estimate.more.end(), [&](const NamedQuantity& more) { return more.name == name; });
    return found == estimate.more.end() ? nullptr : &*found;
}

} // namespace

struct MeasuredRows::Table {
    Table(CsvTable rows, const FileKind& of)
        : kind(of)
        , csv(std::move(rows))
        , columns(csv.header, std::vector<std::span<const Field>>{commonFields(), of.fields}) {}
    const FileKind& kind;
    CsvTable csv;
    Columns columns; // into csv
    Row row(std::size_t record) const { return Row(csv, columns, csv.records[record]); }
};

MeasuredRows::MeasuredRows(std::vector<CsvTable> tables, const Catalog& catalog)
    : m_catalog(catalog) {
    for (CsvTable& csv : tables) {
        const FileKind* kind = kindOf(csv);
        if (kind != &trainingKind && kind != &siliconKind)
            continue;
        m_tables.push_back(std::make_unique<Table>(std::move(csv), *kind));
        const Table& table = *m_tables.back();
        for (std::size_t i = 0; i < table.csv.records.size(); ++i) {
            if (!table.csv.records[i].fault.empty())
                continue;
            const Row row = table.row(i);
            if (std::optional<DesignPoint> point = kind == &siliconKind ? servingPoint(row, catalog) : trainingPoint(row, catalog))
                m_points.push_back({std::move(*point), row.id(), fileStem(table.csv.file) + ".csv", row.family(), std::string(row.text("source")), std::string(row.text("model")),
                                    m_tables.size() - 1, i});
        }
    }
    m_figures.resize(m_points.size());
}

MeasuredRows::~MeasuredRows() = default;

std::span<const MeasuredFigure> MeasuredRows::figures(const MeasuredPoint& point) const {
    std::optional<std::vector<MeasuredFigure>>& known = m_figures[static_cast<std::size_t>(&point - m_points.data())];
    const std::lock_guard lock(m_mutex);
    if (!known) {
        const Table& table = *m_tables[point.table];
        const Row row = table.row(point.record);
        known = figuresOf(row, table.kind.predict(row, m_catalog));
    }
    return *known;
}

const MeasuredRows& publishedRows() {
    static const MeasuredRows rows = [] {
        std::vector<CsvTable> tables;
        for (const std::string_view path : resources::list("measured"))
            if (auto table = parseCsv(resources::file(path), path))
                tables.push_back(std::move(*table));
        return MeasuredRows(std::move(tables), shippedCatalog());
    }();
    return rows;
}

const MeasuredFigure* MeasuredNeighbour::figure(std::string_view key) const {
    const auto found = std::find_if(figures.begin(), figures.end(), [&](const MeasuredFigure& f) { return f.key == key; });
    return found == figures.end() ? nullptr : &*found;
}

std::optional<DesignPoint> designPoint(const Project& project, const Alternative& alternative, const Catalog& catalog, const WorkloadEstimate& estimate) {
    const Workload* workload = project.findWorkload(estimate.id);
    const auto placement = std::find_if(alternative.placements.begin(), alternative.placements.end(),
                                        [&](const Placement& p) { return p.workload == estimate.id && !p.nodes.empty(); });
    if (!workload || placement == alternative.placements.end() || !estimate.plan)
        return {};
    const ResolvedDesign design = resolve(project, alternative, catalog);
    const Machine* machine = design.machine(placement->nodes.front());
    if (!machine || !machine->gpu)
        return {};
    DesignPoint point;
    setDevice(point, *machine->gpu);
    const Parallelism& plan = estimate.plan->parallelism;
    point.devices = static_cast<double>(plan.tensor) * plan.pipeline * plan.data * plan.context;
    const NeuralModel* model = nullptr;
    if (const auto* training = std::get_if<LlmTraining>(&workload->spec)) {
        model = catalog.find<NeuralModel>(training->model);
        point.stack = idOf(trainingStack(catalog, placement->stack, machine->gpu).set);
        point.precision = placement->precision.value_or(training->precision);
    } else if (const auto* serving = std::get_if<LlmServing>(&workload->spec)) {
        model = catalog.find<NeuralModel>(serving->model);
        point.serving = true;
        point.stack = idOf(servingStack(catalog, placement->stack, false).set);
        point.precision = placement->precision.value_or(serving->weights);
        point.prompt = serving->prompt.mean;
        point.output = serving->output.mean;
        if (const NamedQuantity* batch = moreOf(estimate, "batch"))
            point.inFlight = batch->quantity.value;
    }
    if (!model)
        return {};
    setModel(point, *model);
    return point;
}

double distance(const DesignPoint& a, const DesignPoint& b) {
    if (a.serving != b.serving)
        return std::numeric_limits<double>::infinity();
    double sum = doublings(a.parameters, b.parameters) + doublings(a.devices, b.devices) / 2;
    if (a.serving)
        sum += (doublings(a.prompt, b.prompt) + doublings(a.output, b.output) + doublings(a.inFlight, b.inFlight)) / 4;
    if (a.device != b.device)
        sum += a.architecture == b.architecture ? otherDevice : otherGeneration;
    sum += a.stack == b.stack ? 0 : otherStack;
    sum += bytesPerValue(a.precision) == bytesPerValue(b.precision) ? 0 : otherPrecision;
    return sum + (a.experts == b.experts ? 0 : otherKind);
}

std::vector<MeasuredNeighbour> MeasuredRows::nearest(const DesignPoint& design, std::size_t most, double furthest) const {
    std::vector<std::pair<double, const MeasuredPoint*>> all;
    for (const MeasuredPoint& point : m_points)
        if (const double far = distance(design, point.point); far <= furthest)
            all.emplace_back(far, &point);
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<MeasuredNeighbour> nearest;
    for (const auto& [far, candidate] : all) {
        if (nearest.size() == most)
            break;
        const DesignPoint& own = candidate->point;
        const bool alike = std::any_of(nearest.begin(), nearest.end(), [&](const MeasuredNeighbour& n) {
            const DesignPoint& other = n.row->point;
            return n.row->family == candidate->family && other.parameters == own.parameters && other.devices == own.devices
                && other.device == own.device && other.prompt == own.prompt && other.inFlight == own.inFlight;
        });
        if (alike)
            continue;
        if (const std::span<const MeasuredFigure> known = figures(*candidate); !known.empty())
            nearest.push_back({candidate, far, known});
    }
    return nearest;
}

} // namespace cw
