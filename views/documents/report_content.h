// SPDX-License-Identifier: GPL-3.0-or-later
//
// A document as a list of blocks, free of any output format. Builders make it from a project and its estimates; writers turn it into PDF,
// HTML or Markdown. Texts are plain (no markup); writers escape them.
#pragma once

#include <QPicture>
#include <QSize>
#include <QString>
#include <QStringList>

#include <variant>
#include <vector>

namespace cw {

struct Heading {
    int level = 1; ///< 1: section, starts a page in PDF where it says so; 2: part of one
    QString text;
    bool newPage = false;
};

struct Paragraph {
    QString text;
    enum class Kind { body, lead, note } kind = Kind::body;
};

struct BulletList {
    QStringList items;
};

struct ReportTable {
    enum class Align { left, right, centre };
    struct Column {
        QString title;
        Align align = Align::left;
        double weight = 1; ///< share of the width
    };
    struct Row {
        QStringList cells;
        bool strong = false; ///< totals
    };
    QString caption;
    std::vector<Column> columns;
    std::vector<Row> rows;
};

struct ReportPicture {
    QString id;      ///< stable, becomes the anchor
    QString caption;
    QString text;    ///< what it shows, for those who cannot see it
    QPicture picture;
    QSize size;      ///< logical pixels of the picture
    double width = 1; ///< share of the text width
};

using Block = std::variant<Heading, Paragraph, BulletList, ReportTable, ReportPicture>;

struct ReportContent {
    QString title, subtitle;
    std::vector<std::pair<QString, QString>> control; ///< title page: name, value
    QString date; ///< ISO 8601 from the file, never from the clock
    std::vector<Block> blocks;
};

} // namespace cw
