// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/describe_workload.h"
#include "views/text/neighbour_text.h"

#include <cmath>

namespace cw {

namespace {

constexpr double alarming = 25; // per cent

} // namespace

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
