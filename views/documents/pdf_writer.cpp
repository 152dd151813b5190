// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/documents/pdf_writer.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextObjectInterface>
#include <QTextTable>

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Documents)
};

constexpr int dpi = 96;
constexpr double marginX = 64, marginTop = 62, marginBottom = 58; ///< of the page, logical pixels
constexpr QColor ink(28, 39, 51), soft(91, 104, 120), line(217, 223, 232), band(244, 246, 250);
constexpr double halfWidth = .5; ///< share of the text width up to which two pictures share a line
constexpr int pictureObject = QTextFormat::UserObject + 1;
constexpr int pictureIndex = QTextFormat::UserProperty + 1, headingBlock = QTextFormat::UserProperty + 2;

QFont pdfFont(double points, bool bold = false)
{
    QFont font;
    font.setPointSizeF(points);
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

QTextCharFormat charFormat(double points, const QColor& colour, bool bold = false)
{
    QTextCharFormat format;
    format.setFont(pdfFont(points, bold));
    format.setForeground(colour);
    return format;
}

} // namespace

/// Replays a vector picture inside the text flow. Q_OBJECT because Qt finds the interface through the meta object.
class PictureObject : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
  public:
    PictureObject(std::vector<const ReportPicture*> pictures, double width, double height, QObject* parent)
        : QObject(parent), m_pictures(std::move(pictures)), m_width(width), m_height(height)
    {
    }
    QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat& format) override
    {
        const ReportPicture& picture = at(format);
        const double scale = std::min(m_width * picture.width / picture.size.width(), m_height * .8 / picture.size.height());
        return QSizeF(picture.size) * scale;
    }
    /// The part of the document that is painted now: a picture sets clips of its own, so those of other pages must stay away.
    void setPage(const QRectF& page) { m_page = page; }
    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument*, int, const QTextFormat& format) override
    {
        if (!m_page.contains(rect.center()))
            return;
        const ReportPicture& picture = at(format);
        painter->save();
        painter->translate(rect.topLeft());
        const double scale = rect.width() / picture.size.width();
        painter->scale(scale, scale);
        painter->setClipRect(QRectF(QPointF(0, 0), QSizeF(picture.size)));
        painter->setRenderHint(QPainter::Antialiasing);
        painter->drawPicture(0, 0, picture.picture);
        painter->restore();
    }

  private:
    const ReportPicture& at(const QTextFormat& format) const
    {
        return *m_pictures[static_cast<std::size_t>(format.intProperty(pictureIndex))];
    }
    std::vector<const ReportPicture*> m_pictures;
    double m_width, m_height;
    QRectF m_page;
};

namespace {

/// Fills a QTextDocument from the blocks.
class Composer {
  public:
    Composer(QTextDocument& document, const ReportContent& content) : m_cursor(&document), m_content(content) {}

    std::vector<const ReportPicture*> compose()
    {
        m_cursor.beginEditBlock(); // laid out once at the end, not after every cell
        titlePage();
        bool first = true;
        for (const Block& block : m_content.blocks) {
            const auto* picture = std::get_if<ReportPicture>(&block);
            if (!picture || picture->width > halfWidth)
                endPair();
            if (const auto* heading = std::get_if<Heading>(&block)) {
                add(*heading, first);
                first = false;
            } else {
                std::visit([this](const auto& b) { add(b); }, block);
            }
        }
        endPair();
        m_cursor.endEditBlock();
        return m_pictures;
    }

  private:
    void paragraph(const QString& text, const QTextCharFormat& format, double above, double below, bool newPage = false, double indent = 0, bool picture = false)
    {
        QTextBlockFormat block;
        block.setTopMargin(above);
        block.setBottomMargin(below);
        block.setLeftMargin(indent);
        if (!picture) // a taller line would push a picture over the end of its page
            block.setLineHeight(122, QTextBlockFormat::ProportionalHeight);
        block.setNonBreakableLines(picture);
        if (newPage)
            block.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        if (m_started)
            m_cursor.insertBlock(block, format);
        else
            m_cursor.setBlockFormat(block);
        m_started = true;
        m_cursor.insertText(text, format);
    }

    void titlePage()
    {
        paragraph(m_content.title, charFormat(27, ink, true), 170, 8);
        paragraph(m_content.subtitle, charFormat(13.5, soft), 0, 34);
        for (const auto& [name, value] : m_content.control) {
            paragraph(name + QStringLiteral("   "), charFormat(10, soft), 3, 0);
            m_cursor.insertText(value, charFormat(10, ink, true));
        }
    }

    void add(const Heading& heading, bool first)
    {
        if (heading.level == 1)
            paragraph(QStringLiteral("%1  %2").arg(++m_section).arg(heading.text), charFormat(16, ink, true), 24, 8, first || heading.newPage);
        else
            paragraph(heading.text, charFormat(11.5, ink, true), 14, 4);
        QTextBlockFormat format = m_cursor.blockFormat();
        format.setProperty(headingBlock, true);
        m_cursor.setBlockFormat(format);
    }

    void add(const Paragraph& p)
    {
        const double size = p.kind == Paragraph::Kind::lead ? 11.5 : p.kind == Paragraph::Kind::note ? 8.5 : 9.5;
        paragraph(p.text, charFormat(size, p.kind == Paragraph::Kind::note ? soft : ink), 2, 6);
    }

    void add(const BulletList& list)
    {
        for (const QString& item : list.items)
            paragraph(QStringLiteral("•  ") + item, charFormat(9.5, ink), 1, 2, false, 12);
        paragraph({}, charFormat(4, ink), 0, 0);
    }

    void add(const Heading&) {} // handled by compose(), which knows the first one

    void add(const ReportTable& table)
    {
        if (!table.caption.isEmpty())
            paragraph(table.caption, charFormat(8.5, soft), 6, 2);
        if (table.rows.empty() || table.columns.empty())
            return;
        QTextTableFormat format;
        format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
        format.setCellPadding(3);
        format.setCellSpacing(0);
        format.setBorder(.5);
        format.setBorderBrush(line);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderCollapse(true);
        format.setHeaderRowCount(1);
        format.setTopMargin(3);
        format.setBottomMargin(8);
        double weights = 0;
        for (const auto& column : table.columns)
            weights += column.weight;
        QList<QTextLength> widths;
        for (const auto& column : table.columns)
            widths << QTextLength(QTextLength::PercentageLength, 100 * column.weight / weights);
        format.setColumnWidthConstraints(widths);
        QTextTable* made = m_cursor.insertTable(static_cast<int>(table.rows.size()) + 1, static_cast<int>(table.columns.size()), format);
        for (int c = 0; c < made->columns(); ++c)
            fill(made->cellAt(0, c), table.columns[static_cast<std::size_t>(c)].title, charFormat(8.5, ink, true), table.columns[static_cast<std::size_t>(c)].align, true);
        for (int r = 0; r < static_cast<int>(table.rows.size()); ++r) {
            const auto& row = table.rows[static_cast<std::size_t>(r)];
            for (int c = 0; c < made->columns(); ++c)
                fill(made->cellAt(r + 1, c), row.cells.value(c), charFormat(8.5, ink, row.strong), table.columns[static_cast<std::size_t>(c)].align, row.strong);
        }
        m_cursor.movePosition(QTextCursor::End);
    }

    void fill(QTextTableCell cell, const QString& text, const QTextCharFormat& format, ReportTable::Align align, bool shaded)
    {
        QTextCharFormat cellFormat = cell.format();
        if (shaded)
            cellFormat.setBackground(band);
        cell.setFormat(cellFormat);
        QTextCursor cursor = cell.firstCursorPosition();
        QTextBlockFormat block;
        block.setAlignment(align == ReportTable::Align::right ? Qt::AlignRight : align == ReportTable::Align::centre ? Qt::AlignHCenter : Qt::AlignLeft);
        cursor.setBlockFormat(block);
        cursor.insertText(text, format);
    }

    /// Two narrow pictures in a row stand beside each other, with their captions below both.
    void add(const ReportPicture& picture)
    {
        const bool second = !m_pairCaption.isEmpty();
        if (!second)
            paragraph({}, charFormat(9.5, ink), 6, 0, false, 0, true);
        QTextCharFormat object;
        object.setObjectType(pictureObject);
        object.setProperty(pictureIndex, static_cast<int>(m_pictures.size()));
        m_pictures.push_back(&picture);
        m_cursor.insertText(QString(QChar::ObjectReplacementCharacter), object);
        m_pairCaption += (second ? QStringLiteral(" · ") : QString()) + picture.caption;
        if (second || picture.width > halfWidth)
            endPair();
    }

    void endPair()
    {
        if (!m_pairCaption.isEmpty())
            paragraph(m_pairCaption, charFormat(8.5, soft), 2, 8);
        m_pairCaption.clear();
    }

    QTextCursor m_cursor;
    const ReportContent& m_content;
    std::vector<const ReportPicture*> m_pictures;
    QString m_pairCaption; ///< of a narrow picture that another may stand beside
    int m_section = 0;
    bool m_started = false;
};

/// A heading at the end of a page goes to the next one. In order, because each move shifts what follows.
void keepHeadingsWithText(QTextDocument& document, double pageHeight)
{
    constexpr double leastBelow = 110;
    const auto rect = [&](const QTextBlock& block) { return document.documentLayout()->blockBoundingRect(block); };
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        if (!format.boolProperty(headingBlock) || format.pageBreakPolicy() & QTextFormat::PageBreak_AlwaysBefore)
            continue;
        const double page = std::floor(rect(block).top() / pageHeight);
        const QTextBlock next = block.next();
        const bool torn = next.isValid() && next.blockFormat().nonBreakableLines() && std::floor(rect(next).bottom() / pageHeight) > page;
        if (!torn && rect(block).top() < (page + 1) * pageHeight - leastBelow)
            continue;
        format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        QTextCursor(block).setBlockFormat(format);
    }
}

void paintFrame(QPainter& painter, const ReportContent& content, QSizeF page, int number, int count)
{
    if (number == 1)
        return;
    painter.setFont(pdfFont(8));
    painter.setPen(soft);
    const double width = page.width() - 2 * marginX;
    const QRectF head(marginX, marginTop - 34, width, 16), foot(marginX, page.height() - marginBottom + 18, width, 16);
    painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, content.title);
    painter.drawText(head, Qt::AlignRight | Qt::AlignVCenter, content.date.left(10));
    painter.drawText(foot, Qt::AlignRight | Qt::AlignVCenter, Text::tr("%1 of %2").arg(number).arg(count));
    painter.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("Clusterwright"));
    painter.setPen(QPen(line, .7));
    painter.drawLine(head.bottomLeft() + QPointF(0, 3), head.bottomRight() + QPointF(0, 3));
}

} // namespace

QByteArray withoutChance(QByteArray pdf, const QString& date)
{
    const QDateTime parsed = QDateTime::fromString(date, Qt::ISODate);
    const QByteArray stamp = (parsed.isValid() ? parsed.toUTC() : QDateTime(QDate(2000, 1, 1), QTime(0, 0), Qt::UTC)).toString(QStringLiteral("yyyyMMddHHmmss")).toLatin1();
    // Every replacement keeps its length, so that the offsets of the cross-reference table stay right.
    const QByteArray dateMark = "/CreationDate (D:";
    if (qsizetype at = pdf.lastIndexOf(dateMark); at >= 0) {
        at += dateMark.size();
        const qsizetype end = pdf.indexOf(')', at);
        QByteArray zone = "+00'00'";
        QByteArray value = stamp + zone;
        value.resize(end - at, ' ');
        pdf.replace(at, end - at, value);
    }
    const qsizetype trailer = pdf.lastIndexOf("/ID [");
    if (trailer >= 0) {
        const QByteArray hash = QCryptographicHash::hash(pdf.left(trailer), QCryptographicHash::Sha256).toHex();
        const qsizetype end = pdf.indexOf(']', trailer);
        for (qsizetype at = trailer, used = 0; at < end; ++at) {
            if (pdf[at] == '<')
                used = 0;
            else if (std::isxdigit(static_cast<unsigned char>(pdf[at])) && at > trailer + 4)
                pdf[at] = hash[used++ % hash.size()];
        }
    }
    return pdf;
}

QByteArray reportPdf(const ReportContent& content)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter pdf(&buffer);
        pdf.setResolution(dpi);
        pdf.setPageSize(QPageSize(QPageSize::A4));
        pdf.setPageMargins(QMarginsF(0, 0, 0, 0));
        pdf.setTitle(content.title);
        pdf.setCreator(QStringLiteral("Clusterwright"));
        const QSizeF page(pdf.width(), pdf.height());
        const QSizeF body(page.width() - 2 * marginX, page.height() - marginTop - marginBottom);

        QTextDocument document;
        document.documentLayout()->setPaintDevice(&pdf);
        document.setDocumentMargin(0);
        document.setDefaultFont(pdfFont(9.5));
        document.setPageSize(body);
        document.setUndoRedoEnabled(false);
        Composer composer(document, content);
        const auto pictures = composer.compose();
        auto* object = new PictureObject(pictures, body.width(), body.height(), &document);
        document.documentLayout()->registerHandler(pictureObject, object);
        document.markContentsDirty(0, document.characterCount());
        keepHeadingsWithText(document, body.height());

        QPainter painter(&pdf);
        const int pages = document.pageCount();
        for (int number = 1; number <= pages; ++number) {
            if (number > 1)
                pdf.newPage();
            paintFrame(painter, content, page, number, pages);
            painter.save();
            painter.translate(marginX, marginTop - (number - 1) * body.height());
            QAbstractTextDocumentLayout::PaintContext context;
            context.clip = QRectF(0, (number - 1) * body.height(), body.width(), body.height());
            context.palette.setColor(QPalette::Text, ink);
            painter.setClipRect(context.clip);
            object->setPage(context.clip);
            document.documentLayout()->draw(&painter, context);
            painter.restore();
        }
        painter.end();
    }
    return withoutChance(std::move(bytes), content.date);
}

} // namespace cw

#include "pdf_writer.moc"
