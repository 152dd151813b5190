// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/documents/bill_of_materials.h"

#include "views/text/names.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QTemporaryFile>

#include <xlsxwriter.h>

#include <cmath>

namespace cw {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Documents)
};

QString fromUtf8(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

QString usedBy(const Project& project, const AlternativeEstimate& estimate, const CostLine& line)
{
    if (line.node)
        return elementName(project, {ElementKind::node, estimate.id, line.node.value});
    if (line.link)
        return elementName(project, {ElementKind::link, estimate.id, line.link.value});
    if (line.rack)
        return elementName(project, {ElementKind::rack, estimate.id, line.rack.value});
    return {};
}

/// Where a price comes from: the source that speaks of prices, with the trust in it; without such a one only the trust.
QString priceSource(const PartInfo* part)
{
    if (!part)
        return {};
    const QString trust = provenanceName(part->provenance("price_usd_low"));
    for (const Source& source : part->sources) {
        const QString title = fromUtf8(source.title);
        for (const QString& text : {title, fromUtf8(source.section)})
            if (text.contains(QStringLiteral("pric"), Qt::CaseInsensitive))
                return QStringLiteral("%1: %2").arg(trust, title);
    }
    return trust;
}

/// One order line for what is one article at one price, wherever it goes.
void addTogether(std::vector<BillLine>& lines, BillLine line)
{
    for (BillLine& same : lines) {
        const bool samePrice = same.unitPrice == line.unitPrice || (std::isnan(same.unitPrice) && std::isnan(line.unitPrice));
        if (line.partNumber.isEmpty() || same.partNumber != line.partNumber || same.category != line.category || !samePrice)
            continue;
        same.quantity += line.quantity;
        same.total += line.total;
        if (!line.usedBy.isEmpty())
            same.usedBy += (same.usedBy.isEmpty() ? QString() : QStringLiteral("; ")) + line.usedBy;
        return;
    }
    line.line = static_cast<int>(lines.size()) + 1;
    lines.push_back(std::move(line));
}

QString csvField(const QString& text, bool guard = true)
{
    QString field = text;
    if (guard && !field.isEmpty() && QStringLiteral("=+-@\t\r").contains(field.front()))
        field.prepend(u'\'');
    return u'"' + field.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

QString csvNumber(double value) { return std::isfinite(value) ? QString::number(value, 'f', value == std::floor(value) ? 0 : 2) : QString(); }

} // namespace

Bill billOfMaterials(const Project& project, const AlternativeEstimate& estimate)
{
    Bill bill;
    bill.currency = QStringLiteral("USD");
    for (const CostLine& line : estimate.cost.lines) {
        const Part* part = line.part ? estimate.catalog.findPart(line.part) : nullptr;
        const PartInfo* facts = part ? &info(*part) : nullptr;
        BillLine out;
        out.partNumber = fromUtf8(line.part.value);
        out.manufacturer = facts ? fromUtf8(facts->vendor) : QString();
        out.description = facts ? fromUtf8(facts->name) : line.part ? fromUtf8(line.part.value) : costCategoryName(line.category);
        out.category = costCategoryName(line.category);
        out.quantity = static_cast<double>(line.quantity);
        out.unit = Text::tr("pc");
        out.unitPrice = line.unitPrice.value;
        out.unitPriceLow = line.unitPrice.low;
        out.unitPriceHigh = line.unitPrice.high;
        out.total = line.total.value;
        out.priceSource = priceSource(facts);
        out.usedBy = usedBy(project, estimate, line);
        bill.unknownPrices += std::isfinite(out.total) ? 0 : 1;
        bill.total += out.total;
        addTogether(bill.lines, std::move(out));
    }
    return bill;
}

QByteArray billCsv(const Bill& bill)
{
    QString text = QStringLiteral("line,part_number,manufacturer,description,category,qty,spare_qty,unit,unit_price,currency,ext_price,"
                                  "price_source,price_date,used_by\n");
    for (const BillLine& l : bill.lines)
        text += QStringList{QString::number(l.line), csvField(l.partNumber), csvField(l.manufacturer), csvField(l.description),
                            csvField(l.category), csvNumber(l.quantity), csvNumber(l.spares), csvField(l.unit), csvNumber(l.unitPrice),
                            csvField(bill.currency), csvNumber(l.total), csvField(l.priceSource), csvField(l.priceDate), csvField(l.usedBy)}
                    .join(u',') +
            u'\n';
    return text.toUtf8();
}

QByteArray billXlsx(const Bill& bill, const QString& title, const QString& created, QString* reason)
{
    QTemporaryFile file;
    if (!file.open()) {
        if (reason)
            *reason = file.errorString();
        return {};
    }
    const QByteArray path = file.fileName().toUtf8();
    lxw_workbook* book = workbook_new(path.constData());
    lxw_doc_properties properties{};
    const QByteArray titleUtf8 = title.toUtf8();
    QByteArray titleCopy = titleUtf8;
    properties.title = titleCopy.data();
    const QDateTime date = QDateTime::fromString(created, Qt::ISODate);
    properties.created = date.isValid() ? static_cast<time_t>(date.toSecsSinceEpoch()) : static_cast<time_t>(946684800); // 2000-01-01
    workbook_set_properties(book, &properties);

    lxw_worksheet* sheet = workbook_add_worksheet(book, "BOM");
    lxw_format* head = workbook_add_format(book);
    format_set_bold(head);
    format_set_bg_color(head, 0xE5EAF2);
    format_set_bottom(head, LXW_BORDER_THIN);
    lxw_format* money = workbook_add_format(book);
    format_set_num_format(money, "#,##0");
    lxw_format* total = workbook_add_format(book);
    format_set_bold(total);
    format_set_num_format(total, "#,##0");
    format_set_top(total, LXW_BORDER_THIN);

    const struct {
        QString name;
        double width;
    } columns[] = {{Text::tr("Line"), 6},        {Text::tr("Part number"), 22}, {Text::tr("Manufacturer"), 14},
                   {Text::tr("Description"), 40}, {Text::tr("Category"), 14},    {Text::tr("Qty"), 8},
                   {Text::tr("Unit"), 6},         {Text::tr("Unit price"), 13},  {Text::tr("Low"), 13},
                   {Text::tr("High"), 13},        {Text::tr("Currency"), 9},     {Text::tr("Extended"), 15},
                   {Text::tr("Price source"), 40}, {Text::tr("Used by"), 28}};
    lxw_col_t column = 0;
    for (const auto& c : columns) {
        worksheet_set_column(sheet, column, column, c.width, nullptr);
        worksheet_write_string(sheet, 0, column, c.name.toUtf8().constData(), head);
        ++column;
    }
    worksheet_freeze_panes(sheet, 1, 0);
    lxw_row_t row = 1;
    const auto text = [&](lxw_col_t at, const QString& value) { worksheet_write_string(sheet, row, at, value.toUtf8().constData(), nullptr); };
    const auto number = [&](lxw_col_t at, double value, lxw_format* format) {
        if (std::isfinite(value))
            worksheet_write_number(sheet, row, at, value, format);
        else
            worksheet_write_string(sheet, row, at, "?", format);
    };
    for (const BillLine& l : bill.lines) {
        number(0, l.line, nullptr);
        text(1, l.partNumber);
        text(2, l.manufacturer);
        text(3, l.description);
        text(4, l.category);
        number(5, l.quantity, money);
        text(6, l.unit);
        number(7, l.unitPrice, money);
        number(8, l.unitPriceLow, money);
        number(9, l.unitPriceHigh, money);
        text(10, bill.currency);
        number(11, l.total, money);
        text(12, l.priceSource);
        text(13, l.usedBy);
        ++row;
    }
    worksheet_write_string(sheet, row, 3, Text::tr("Total").toUtf8().constData(), total);
    number(11, bill.total, total);
    const lxw_error error = workbook_close(book);
    if (error != LXW_NO_ERROR) {
        if (reason)
            *reason = QString::fromUtf8(lxw_strerror(error));
        return {};
    }
    QFile written(file.fileName());
    if (!written.open(QIODevice::ReadOnly)) {
        if (reason)
            *reason = written.errorString();
        return {};
    }
    return written.readAll();
}

} // namespace cw
