// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/table.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <limits>

using namespace cw::cli;

class TableTest : public QObject {
    Q_OBJECT
  private slots:
    void alignsByCharactersNotBytes()
    {
        Table table({"name", "value"});
        table.add({text("µs"), text("1")});
        table.add({text("long name"), text("22")});
        QCOMPARE(table.text(Format::table), std::string("name       value\n---------  -----\nµs         1\nlong name  22\n"));
    }

    void jsonIsValidAndUnknownIsNull()
    {
        Table table({"what", "value", "ok"});
        table.add({text("quote \" and \n line"), number(1.5, "1.5 s"), boolean(true)});
        table.add({text("unknown"), number(std::numeric_limits<double>::quiet_NaN(), "?"), boolean(false)});
        const QJsonArray rows = QJsonDocument::fromJson(QByteArray::fromStdString(table.text(Format::json))).array();
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[0].toObject()["what"].toString(), QStringLiteral("quote \" and \n line"));
        QCOMPARE(rows[0].toObject()["value"].toDouble(), 1.5);
        QVERIFY(rows[0].toObject()["ok"].toBool());
        QVERIFY(rows[1].toObject()["value"].isNull());
        QCOMPARE(Table({"x"}).text(Format::json), std::string("[]\n"));
    }

    void csvQuotesAndGuards_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("csv");
        QTest::newRow("plain") << "abc" << "abc";
        QTest::newRow("comma") << "a,b" << "\"a,b\"";
        QTest::newRow("quote") << "a\"b" << "\"a\"\"b\"";
        QTest::newRow("formula") << "=1+1" << "'=1+1";
        QTest::newRow("at") << "@cmd" << "'@cmd";
        QTest::newRow("negative number") << "-4.5e3" << "-4.5e3";
        QTest::newRow("minus text") << "-x" << "'-x";
        QTest::newRow("empty") << "" << "";
    }
    void csvQuotesAndGuards()
    {
        QFETCH(QString, field);
        QFETCH(QString, csv);
        QCOMPARE(QString::fromStdString(csvField(field.toStdString())), csv);
    }
};

QTEST_GUILESS_MAIN(TableTest)
#include "table_test.moc"
