// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/family_errors.h"
#include "views/inspector/describe_workload.h"
#include "views/text/neighbour_text.h"

#include <cmath>
#include <limits>

namespace cw {

namespace {

constexpr double alarming = 25; // per cent

} // namespace

/// How far off nine of ten estimates of this kind were, by the family of the nearest row: more where neither this model nor this device was
/// among its rows.
FormField WorkloadDescriber::believedError(const DesignPoint& design, const MeasuredNeighbour& nearest) const {
    const MeasuredPoint& row = *nearest.row;
    const FamilyError* family = familyError(row.file, row.family, design.serving ? "tpot_ms" : std::string_view());
    const bool model = row.point.model == design.model, device = family && family->measured(design.device.value);
    const double error = family ? family->believed(model, device) : std::numeric_limits<double>::quiet_NaN();
    FormField field = figure("neighbours error", tr("Error to believe"),
                             error == error ? tr("± %1 %").arg(error, 0, 'f', error < 9.95 ? 1 : 0) : QStringLiteral("?"));
    if (family)
        field.spec.help = tr("Nine of ten of the %1 rows of this kind (%2) were estimated within this%3.")
                              .arg(QString::number(family->rows), QString::fromStdString(row.family),
                                   model && device ? QString()
                                   : model         ? tr(", with their device left out: yours was not measured")
                                                   : tr(", with their model left out: yours was not measured"));
    return field;
}

/// Published runs like this one, and how far the same estimator is off there.
void WorkloadDescriber::neighbours() {
    const WorkloadEstimate* estimate = m_context.estimate ? m_context.estimate->workload(m_workload.id) : nullptr;
    if (!estimate || !estimate->placed)
        return;
    const std::optional<DesignPoint> point = designPoint(m_context.project, m_context.alternative, m_context.catalog, *estimate);
    if (!point)
        return;
    const std::vector<MeasuredNeighbour> nearest = publishedRows().nearest(*point);
    FormSection& own = section("neighbours", tr("Measured neighbours"));
    own.intro = nearest.empty() ? tr("No published run is like this one: the range of the estimate is all there is.")
                                : tr("Published runs most like this one: what was measured, and how far the estimate is off there.");
    if (!nearest.empty())
        own.fields.push_back(believedError(*point, nearest.front()));
    int index = 0;
    for (const MeasuredNeighbour& neighbour : nearest) {
        const bool far = std::abs(mainFigure(neighbour).errorPercent()) > alarming;
        FormField field = figure("neighbour " + std::to_string(index++), neighbourModel(neighbour), neighbourWords(neighbour),
                                 far ? FigureTone::warn : FigureTone::plain);
        field.spec.help = neighbourDetails(neighbour, m_context.catalog);
        own.fields.push_back(std::move(field));
    }
}

} // namespace cw
