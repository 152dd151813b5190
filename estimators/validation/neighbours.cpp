// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/neighbours.h"

#include "estimators/training/model_shape.h"
#include "estimators/training/stack.h"
#include "estimators/validation/kinds.h"
#include "estimators/validation/row_cluster.h"
#include "estimators/validation/training_fields.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double otherDevice = .5, otherGeneration = 2, otherStack = 1, otherPrecision = .5, otherKind = 3;

double doublings(double a, double b) { return a > 0 && b > 0 ? std::abs(std::log2(a / b)) : 4; }

} // namespace

std::vector<MeasuredPoint> measuredPoints(const CsvTable& table, const Catalog& catalog) {
    std::vector<MeasuredPoint> points;
    const std::span<const Field> spans[] = {commonFields(), trainingKind.fields};
    const Columns columns(table.header, spans);
    for (const CsvRecord& record : table.records) {
        if (!record.fault.empty())
            continue;
        const Row row(table, columns, record);
        std::string why;
        const auto wish = clusterWish(row, catalog, why);
        const auto model = modelOf(row, catalog, why);
        if (!wish || !model)
            continue;
        const Prediction first = trainingKind.predict(row, catalog).front();
        if (!first.known())
            continue;
        MeasuredPoint point;
        const ModelShape shape = modelShape(*model);
        point.point.parameters = shape.parameters;
        point.point.experts = shape.moe;
        point.point.device = wish->gpu->id;
        point.point.architecture = wish->gpu->architecture;
        point.point.devices = static_cast<double>(wish->devices);
        const TrainingStack stack = trainingStack(catalog, stackOf(row), wish->gpu);
        point.point.stack = stack.set ? stack.set->id : PartId();
        point.point.precision = findPrecision(row.text("precision")).value_or(Precision::bf16);
        point.id = row.id();
        point.family = row.family();
        point.source = row.text("source");
        point.quantity = first.quantity;
        point.errorPercent = first.errorPercent();
        points.push_back(std::move(point));
    }
    return points;
}

double distance(const TrainingPoint& a, const TrainingPoint& b) {
    double sum = doublings(a.parameters, b.parameters) + doublings(a.devices, b.devices) / 2;
    if (a.device != b.device)
        sum += a.architecture == b.architecture ? otherDevice : otherGeneration;
    sum += a.stack == b.stack ? 0 : otherStack;
    sum += bytesPerValue(a.precision) == bytesPerValue(b.precision) ? 0 : otherPrecision;
    return sum + (a.experts == b.experts ? 0 : otherKind);
}

std::vector<MeasuredNeighbour> measuredNeighbours(const TrainingPoint& design, std::span<const MeasuredPoint> points, std::size_t most) {
    std::vector<MeasuredNeighbour> all;
    for (const MeasuredPoint& point : points)
        all.push_back({&point, distance(design, point.point)});
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.distance < b.distance; });
    std::vector<MeasuredNeighbour> nearest;
    for (const MeasuredNeighbour& candidate : all) {
        if (nearest.size() == most)
            break;
        const bool alike = std::any_of(nearest.begin(), nearest.end(), [&](const MeasuredNeighbour& n) {
            return n.row->family == candidate.row->family && n.row->point.parameters == candidate.row->point.parameters &&
                n.row->point.devices == candidate.row->point.devices;
        });
        if (!alike)
            nearest.push_back(candidate);
    }
    return nearest;
}

} // namespace cw
