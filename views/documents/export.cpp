// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/documents/export.h"

#include "estimators/network/simgrid_platform.h"
#include "views/canvas/render_topology.h"
#include "views/documents/bill_of_materials.h"
#include "views/documents/html_writer.h"
#include "views/documents/pdf_writer.h"
#include "views/documents/report_builder.h"
#include "views/documents/themed_plots.h"
#include "views/plots/chart_painter.h"
#include "views/racks/rack_painter.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSaveFile>

namespace cw {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Documents)
};

constexpr int rackMargin = 24;

tl::unexpected<Error> refuse(const QString& where, const QString& message, const QString& expected = {}, const QString& found = {})
{
    return fail({where.toStdString(), expected.toStdString(), found.toStdString(), message.toStdString()});
}

/// All charts of a workload on one sheet, two in a row.
QPicture chartSheet(const EstimateSet& set, const ExportRequest& request, QSize* size)
{
    const ChartInput input{std::shared_ptr<const EstimateSet>(&set, [](const EstimateSet*) {}), request.workload, request.alternative, false};
    const std::vector<ChartKind> kinds{ChartKind::costLatency, ChartKind::latencyLoad, ChartKind::timeParts, ChartKind::power,
                                       ChartKind::cost, ChartKind::linkLoads};
    constexpr int gap = 16, captionHeight = 30;
    const QSize one(780, 420);
    const int rows = (static_cast<int>(kinds.size()) + 1) / 2;
    *size = QSize(2 * one.width() + 3 * gap, rows * (one.height() + captionHeight + gap) + gap);
    const Theme& theme = Theme::of(request.theme);
    ChartOptions options;
    options.y = defaultVerticalAxis(input);
    QPicture picture;
    QPainter painter(&picture);
    painter.fillRect(QRect(QPoint(0, 0), *size), theme.panel);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const int column = static_cast<int>(i % 2), row = static_cast<int>(i / 2);
        const QPoint at(gap + column * (one.width() + gap), gap + row * (one.height() + captionHeight + gap));
        painter.fillRect(QRect(at, QSize(one.width(), one.height() + captionHeight)), theme.card);
        painter.setPen(theme.text);
        painter.setFont(textFont(TextRole::strong));
        painter.drawText(QRect(at, QSize(one.width(), captionHeight)).adjusted(12, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, chartTitle(kinds[i]));
        painter.drawPicture(at + QPoint(0, captionHeight), chartPicture(kinds[i], input, plotStyle(theme), options, one));
    }
    painter.end();
    return picture;
}

/// All racks at 100 %, the sheet not much higher than wide.
QSizeF racksSheet(const EstimateSet& set, const ExportRequest& request, const AlternativeEstimate& estimate)
{
    QSizeF size;
    for (double row = 1600; size.isEmpty() || (size.height() > 1.2 * row && row < 40000); row *= 1.3)
        if (size = racksSize(set.project, request.alternative, estimate.catalog, &estimate, row); size.isEmpty())
            break;
    return size.grownBy({rackMargin, rackMargin, rackMargin, rackMargin});
}

QPicture draw(const EstimateSet& set, const ExportRequest& request, QSize* size)
{
    if (request.kind == DocumentKind::charts)
        return chartSheet(set, request, size);
    const AlternativeEstimate* estimate = set.find(request.alternative);
    const bool racks = request.kind == DocumentKind::racks;
    *size = (racks ? racksSheet(set, request, *estimate) : topologySize(set.project, request.alternative, estimate->catalog)).toSize().expandedTo(QSize(480, 320));
    QPicture picture;
    QPainter painter(&picture);
    painter.fillRect(QRect(QPoint(0, 0), *size), Theme::of(request.theme).canvas);
    const QRectF sheet(QPointF(0, 0), QSizeF(*size));
    if (racks)
        renderRacks(painter, set.project, request.alternative, estimate->catalog, estimate, sheet.adjusted(rackMargin, rackMargin, 0, 0), request.theme);
    else
        renderTopology(painter, set.project, request.alternative, estimate->catalog, estimate, sheet, request.theme);
    painter.end();
    return picture;
}

Expected<std::string> platformFile(const Project& project, const AlternativeEstimate& estimate)
{
    const Alternative* alternative = project.findAlternative(estimate.id);
    const ResolvedDesign design = resolve(project, *alternative, estimate.catalog);
    return simgridPlatform(Fabric(design));
}

QByteArray png(const QPicture& picture, QSize size)
{
    constexpr double mostPixels = 120e6; // of the picture at double size
    const int dense = 4. * size.width() * size.height() <= mostPixels ? 2 : 1;
    QImage image(size * dense, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(dense, dense);
    painter.drawPicture(0, 0, picture);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

} // namespace

QStringList endingsOf(DocumentKind kind)
{
    switch (kind) {
    case DocumentKind::report: return {QStringLiteral("pdf"), QStringLiteral("html")};
    case DocumentKind::bill: return {QStringLiteral("csv"), QStringLiteral("xlsx")};
    case DocumentKind::diagram:
    case DocumentKind::racks:
    case DocumentKind::charts: return {QStringLiteral("svg"), QStringLiteral("png")};
    case DocumentKind::simgrid: return {QStringLiteral("xml")};
    }
    return {};
}

Expected<DocumentKind> documentKind(const QString& what, const QString& path)
{
    const std::pair<QLatin1String, DocumentKind> names[] = {{QLatin1String("report"), DocumentKind::report},
                                                            {QLatin1String("bom"), DocumentKind::bill},
                                                            {QLatin1String("diagram"), DocumentKind::diagram},
                                                            {QLatin1String("racks"), DocumentKind::racks},
                                                            {QLatin1String("charts"), DocumentKind::charts},
                                                            {QLatin1String("simgrid"), DocumentKind::simgrid}};
    const QString ending = QFileInfo(path).suffix().toLower();
    QStringList known;
    for (const auto& [name, kind] : names) {
        known << name;
        if (what.isEmpty() ? endingsOf(kind).contains(ending) : what == name)
            return kind;
    }
    if (what.isEmpty())
        return refuse(path, Text::tr("The ending of the name says what is written"), QStringLiteral(".pdf .html .csv .xlsx .svg .png .xml"),
                      ending.isEmpty() ? Text::tr("no ending") : u'.' + ending);
    return refuse(QStringLiteral("--what"), Text::tr("There is no such document"), known.join(QStringLiteral(", ")), what);
}

Expected<void> exportDocument(const EstimateSet& estimates, const ExportRequest& asked)
{
    ExportRequest request = asked;
    if (request.alternative.empty())
        if (const Alternative* baseline = estimates.project.baselineAlternative())
            request.alternative = baseline->id;
    const AlternativeEstimate* estimate = estimates.find(request.alternative);
    if (!estimate)
        return refuse(request.path, Text::tr("There is no such alternative to document"), {}, QString::fromStdString(request.alternative.value));
    const QString ending = QFileInfo(request.path).suffix().toLower();
    if (!endingsOf(request.kind).contains(ending))
        return refuse(request.path, Text::tr("This document is not written in that format"), u'.' + endingsOf(request.kind).join(QStringLiteral(" or .")), u'.' + ending);

    if (request.kind == DocumentKind::report) {
        const ReportContent content = buildReport(estimates, request.alternative);
        return writeFile(request.path, ending == u"pdf" ? reportPdf(content) : reportHtml(content));
    }
    if (request.kind == DocumentKind::bill) {
        const Bill bill = billOfMaterials(estimates.project, *estimate);
        if (ending == u"csv")
            return writeFile(request.path, billCsv(bill));
        const Meta& meta = estimates.project.meta;
        QString reason;
        const QByteArray workbook = billXlsx(bill, QString::fromStdString(meta.title), QString::fromStdString(meta.modified.empty() ? meta.created : meta.modified), &reason);
        if (workbook.isEmpty())
            return refuse(request.path, reason);
        return writeFile(request.path, workbook);
    }
    if (request.kind == DocumentKind::simgrid) {
        const Expected<std::string> platform = platformFile(estimates.project, *estimate);
        if (!platform)
            return fail(platform.error());
        return writeFile(request.path, QByteArray::fromStdString(*platform));
    }
    QSize size;
    const QPicture picture = draw(estimates, request, &size);
    return writeFile(request.path, ending == u"svg" ? pictureSvg(picture, size, QString::fromStdString(estimates.project.meta.title)) : png(picture, size));
}

Expected<void> writeFile(const QString& path, const QByteArray& bytes)
{
    // Replacing a device or a pipe by a file would take it away from everybody.
    if (const QFileInfo target(path); target.exists() && !target.isFile())
        return refuse(path, Text::tr("Something other than a file has this name"), Text::tr("a file or a new name"));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return refuse(path, Text::tr("The file cannot be written: %1").arg(file.errorString()));
    return {};
}

} // namespace cw
