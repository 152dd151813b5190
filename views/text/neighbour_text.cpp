// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/neighbour_text.h"

#include "views/text/names.h"
#include "views/text/quantity_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace cw {

namespace {

struct Neighbours {
    Q_DECLARE_TR_FUNCTIONS(Neighbours)
};

QString partName(const PartId& id, const Catalog& catalog) {
    const Part* part = catalog.findPart(id);
    return QString::fromStdString(part ? info(*part).name : id.value);
}

/// "4 × H100 SXM": the id of a device is its shortest name.
QString devicesText(const MeasuredNeighbour& neighbour) {
    const QString device = QString::fromStdString(neighbour.row->point.device.value).toUpper().replace(u'_', u' ');
    return QStringLiteral("%L1 × %2").arg(static_cast<qlonglong>(neighbour.row->point.devices)).arg(device);
}

QString figureName(std::string_view key) {
    if (key == "step_time")
        return Neighbours::tr("step");
    if (key == "operations_rate")
        return Neighbours::tr("FLOPs per GPU");
    if (key == "tokens_rate_per_gpu")
        return Neighbours::tr("tokens per GPU");
    return key == "ttft" ? Neighbours::tr("first token") : Neighbours::tr("time per token");
}

QString errorText(const MeasuredFigure& figure) {
    const double error = figure.errorPercent();
    return QStringLiteral("%1%2 %").arg(QChar(error < 0 ? u'−' : u'+')).arg(std::abs(error), 0, 'f', std::abs(error) < 9.95 ? 1 : 0);
}

} // namespace

const MeasuredFigure& mainFigure(const MeasuredNeighbour& neighbour) {
    const MeasuredFigure* tpot = neighbour.figure("tpot");
    return tpot ? *tpot : neighbour.figures.front();
}

/// "meta-llama/Llama-3.1-70B" is Llama-3.1-70B to people.
QString neighbourModel(const MeasuredNeighbour& neighbour) { return QString::fromStdString(neighbour.row->model).section(u'/', -1); }

QString neighbourWords(const MeasuredNeighbour& neighbour) {
    const MeasuredFigure& most = mainFigure(neighbour);
    return QStringLiteral("%1, %2 · %3").arg(quantityText(most.measured, most.unit), errorText(most), devicesText(neighbour));
}

QString neighbourDetails(const MeasuredNeighbour& neighbour, const Catalog& catalog) {
    const DesignPoint& point = neighbour.row->point;
    QStringList lines{QStringLiteral("%1 · %L2 × %3")
                          .arg(neighbourModel(neighbour))
                          .arg(static_cast<qlonglong>(point.devices))
                          .arg(partName(point.device, catalog))};
    QStringList conditions;
    if (!point.stack.empty())
        conditions << partName(point.stack, catalog);
    conditions << precisionName(point.precision);
    if (point.serving)
        conditions << Neighbours::tr("%L1 tokens in, %L2 out").arg(point.prompt, 0, 'f', 0).arg(point.output, 0, 'f', 0)
                   << Neighbours::tr("%L1 in flight").arg(point.inFlight, 0, 'f', 0);
    lines << conditions.join(QStringLiteral(" · "));
    for (const MeasuredFigure& figure : neighbour.figures)
        lines << Neighbours::tr("%1: measured %2, estimated %3 (%4)")
                     .arg(figureName(figure.key), quantityText(figure.measured, figure.unit), quantityText(figure.predicted, figure.unit), errorText(figure));
    const QString source = QString::fromStdString(neighbour.row->source.empty() ? neighbour.row->family : neighbour.row->source);
    lines << Neighbours::tr("Source: %1").arg(source);
    return lines.join(u'\n');
}

} // namespace cw
