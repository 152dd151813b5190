// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/documents/html_writer.h"

#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>

namespace cw {

namespace {

constexpr const char* style = R"(
:root { color-scheme: light; --ink: #1c2733; --soft: #5b6878; --line: #d9dfe8; --accent: #2563eb; --band: #f4f6fa; }
* { box-sizing: border-box; }
body { margin: 0; background: #eef1f6; color: var(--ink); font: 15px/1.5 "Inter", "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1040px; margin: 24px auto; background: #fff; padding: 48px 56px; border: 1px solid var(--line); border-radius: 6px; }
h1 { font-size: 30px; margin: 0 0 4px; } .subtitle { color: var(--soft); font-size: 17px; margin: 0 0 24px; }
h2 { font-size: 21px; margin: 40px 0 10px; padding-top: 14px; border-top: 2px solid var(--line); } h3 { font-size: 16px; margin: 24px 0 6px; }
p { margin: 8px 0; } .lead { font-size: 17px; } .note { color: var(--soft); font-size: 13px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 18px; margin: 0 0 20px; } dt { color: var(--soft); } dd { margin: 0; }
table { border-collapse: collapse; width: 100%; margin: 10px 0 18px; font-size: 13.5px; } caption { text-align: left; color: var(--soft); padding: 4px 0; }
th { text-align: left; background: var(--band); border-bottom: 2px solid var(--line); padding: 5px 8px; font-weight: 600; }
td { border-bottom: 1px solid var(--line); padding: 4px 8px; vertical-align: top; } .r { text-align: right; font-variant-numeric: tabular-nums; } .c { text-align: center; }
tr.strong td { font-weight: 600; border-top: 2px solid var(--line); } figure { margin: 16px 0; } figure svg { width: 100%; height: auto; } figcaption { color: var(--soft); font-size: 13px; }
nav ol { columns: 2; font-size: 14px; } nav a { color: var(--accent); text-decoration: none; }
@media print { body { background: #fff; } main { border: 0; margin: 0; padding: 0; max-width: none; } h2 { break-after: avoid; } table, figure { break-inside: auto; } tr { break-inside: avoid; } }
)";

QString escaped(const QString& text) { return text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")); }

QString alignClass(ReportTable::Align align)
{
    switch (align) {
    case ReportTable::Align::right: return QStringLiteral(" class=\"r\"");
    case ReportTable::Align::centre: return QStringLiteral(" class=\"c\"");
    case ReportTable::Align::left: break;
    }
    return {};
}

struct Writer {
    QString out;
    int section = 0;

    void operator()(const Heading& heading)
    {
        if (heading.level == 1)
            out += QStringLiteral("<h2 id=\"s%1\">%2</h2>\n").arg(++section).arg(escaped(heading.text));
        else
            out += QStringLiteral("<h3>%1</h3>\n").arg(escaped(heading.text));
    }
    void operator()(const Paragraph& paragraph)
    {
        const QString kind = paragraph.kind == Paragraph::Kind::lead ? QStringLiteral(" class=\"lead\"")
            : paragraph.kind == Paragraph::Kind::note                ? QStringLiteral(" class=\"note\"")
                                                                     : QString();
        out += QStringLiteral("<p%1>%2</p>\n").arg(kind, escaped(paragraph.text));
    }
    void operator()(const BulletList& list)
    {
        out += QStringLiteral("<ul>\n");
        for (const QString& item : list.items)
            out += QStringLiteral("<li>%1</li>\n").arg(escaped(item));
        out += QStringLiteral("</ul>\n");
    }
    void operator()(const ReportTable& table)
    {
        out += QStringLiteral("<table>\n");
        if (!table.caption.isEmpty())
            out += QStringLiteral("<caption>%1</caption>\n").arg(escaped(table.caption));
        out += QStringLiteral("<thead><tr>");
        for (const auto& column : table.columns)
            out += QStringLiteral("<th%1>%2</th>").arg(alignClass(column.align), escaped(column.title));
        out += QStringLiteral("</tr></thead>\n<tbody>\n");
        for (const auto& row : table.rows) {
            out += row.strong ? QStringLiteral("<tr class=\"strong\">") : QStringLiteral("<tr>");
            qsizetype cell = 0;
            for (const auto& column : table.columns)
                out += QStringLiteral("<td%1>%2</td>").arg(alignClass(column.align), escaped(row.cells.value(cell++)));
            out += QStringLiteral("</tr>\n");
        }
        out += QStringLiteral("</tbody></table>\n");
    }
    void operator()(const ReportPicture& picture)
    {
        QString svg = QString::fromUtf8(pictureSvg(picture.picture, picture.size, picture.text));
        svg = svg.mid(svg.indexOf(QStringLiteral("<svg")));
        // Several drawings share one page: their ids must not meet.
        svg.replace(QStringLiteral("id=\""), QStringLiteral("id=\"%1-").arg(picture.id));
        svg.replace(QStringLiteral("url(#"), QStringLiteral("url(#%1-").arg(picture.id));
        svg.replace(QStringLiteral("href=\"#"), QStringLiteral("href=\"#%1-").arg(picture.id));
        out += QStringLiteral("<figure id=\"%1\" style=\"%2\">%3<figcaption>%4</figcaption></figure>\n")
                   .arg(picture.id)
                   .arg(picture.width < 1 ? QStringLiteral("display:inline-block;width:%1%").arg(qRound(picture.width * 100)) : QStringLiteral("max-width:100%"))
                   .arg(svg, escaped(picture.caption));
    }
};

} // namespace

QByteArray pictureSvg(const QPicture& picture, QSize size, const QString& title)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setResolution(96);
    generator.setTitle(title);
    generator.setDescription(QStringLiteral("Clusterwright"));
    QPainter painter(&generator);
    painter.drawPicture(0, 0, picture);
    painter.end();
    return bytes;
}

QByteArray reportHtml(const ReportContent& content)
{
    QString out = QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%1</title>\n<style>%2</style>\n"
                                 "</head>\n<body>\n<main>\n<h1>%1</h1>\n<p class=\"subtitle\">%3</p>\n<dl>\n")
                      .arg(escaped(content.title), QString::fromLatin1(style), escaped(content.subtitle));
    for (const auto& [name, value] : content.control)
        out += QStringLiteral("<dt>%1</dt><dd>%2</dd>\n").arg(escaped(name), escaped(value));
    out += QStringLiteral("</dl>\n<nav><ol>\n");
    int section = 0;
    for (const Block& block : content.blocks)
        if (const auto* heading = std::get_if<Heading>(&block); heading && heading->level == 1)
            out += QStringLiteral("<li><a href=\"#s%1\">%2</a></li>\n").arg(++section).arg(escaped(heading->text));
    out += QStringLiteral("</ol></nav>\n");
    Writer writer;
    for (const Block& block : content.blocks)
        std::visit(writer, block);
    return (out + writer.out + QStringLiteral("</main>\n</body>\n</html>\n")).toUtf8();
}

} // namespace cw
