// SPDX-License-Identifier: GPL-3.0-or-later
//
// What people type is read as what they mean or refused with what would do; what is printed has three digits and a fitting prefix.
#include "model/units/unit.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace cw;

class UnitsTest : public QObject {
    Q_OBJECT
private slots:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void prints_data();
    void prints();
    void symbolsAreDistinct();
    void printedIsReadAgain();
};

void UnitsTest::reads_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("unit");
    QTest::addColumn<double>("value");
    const auto row = [](const char* text, Unit unit, double value) {
        QTest::newRow(text) << QString::fromUtf8(text) << int(unit) << value;
    };
    row("400 Gb/s", Unit::bytesPerSecond, 50e9);
    row("400Gbps", Unit::bytesPerSecond, 50e9);
    row("400 Gbit/s", Unit::bytesPerSecond, 50e9);
    row("50 GB/s", Unit::bytesPerSecond, 50e9);
    row("2 GiB/s", Unit::bytesPerSecond, 2147483648.);
    row("10.2 kW", Unit::watts, 10200);
    row("10,2 kW", Unit::watts, 10200);
    row("700W", Unit::watts, 700);
    row("700 w", Unit::watts, 700);
    row("34 800 BTU/h", Unit::watts, 34800 * .29307107017222222);
    row("34\u202f800 BTU/h", Unit::watts, 34800 * .29307107017222222);
    row("1,234.5 W", Unit::watts, 1234.5);
    row("1.234,5 W", Unit::watts, 1234.5);
    row("1,234,567 W", Unit::watts, 1234567);
    row("1.234.567 W", Unit::watts, 1234567);
    row("0,125 kW", Unit::watts, 125);
    row("1e3 W", Unit::watts, 1000);
    row("-3 K", Unit::kelvins, -3);
    row("−3 K", Unit::kelvins, -3);
    row("80 GiB", Unit::bytes, 80 * 1073741824.);
    row("80 GB", Unit::bytes, 80e9);
    row("1,5 TB", Unit::bytes, 1.5e12);
    row("3 ms", Unit::seconds, .003);
    row("3 µs", Unit::seconds, 3e-6);
    row("3 us", Unit::seconds, 3e-6);
    row("2 h", Unit::seconds, 7200);
    row("5 min", Unit::seconds, 300);
    row("30 days", Unit::hours, 720);
    row("18 months", Unit::years, 1.5);
    row("0.12 $/kWh", Unit::dollarsPerKilowattHour, .12);
    row("$0.12/kWh", Unit::dollarsPerKilowattHour, .12);
    row("12 ct/kWh", Unit::dollarsPerKilowattHour, .12);
    row("$ 1.2 M", Unit::dollars, 1.2e6);
    row("$250k", Unit::dollars, 250e3);
    row("$98.32/h", Unit::dollarsPerHour, 98.32);
    row("$ 1.5 B/year", Unit::dollarsPerYear, 1.5e9);
    row("35 %", Unit::fraction, .35);
    row(".35", Unit::fraction, .35);
    row("128", Unit::count, 128);
    row("16 384", Unit::count, 16384);
    row("1.5", Unit::one, 1.5);
    row("22 °C", Unit::celsius, 22);
    row("72 °F", Unit::celsius, 22.222222222222222);
    row("300 K", Unit::celsius, 26.85);
    row("840 cfm", Unit::cubicMetresPerSecond, 840 * .3048 * .3048 * .3048 / 60);
    row("1 gpm", Unit::litresPerMinute, 3.785411784);
    row("15.6 T tokens", Unit::tokens, 15.6e12);
    row("1.84 M tok/s", Unit::tokensPerSecond, 1.84e6);
    row("1200 req/min", Unit::requestsPerSecond, 20);
    row("5 rps", Unit::requestsPerSecond, 5);
    row("5 /s", Unit::requestsPerSecond, 5);
    row("24 jobs/h", Unit::jobsPerDay, 576);
    row("989 TFLOP/s", Unit::operationsPerSecond, 989e12);
    row("1.4 t", Unit::kilograms, 1400);
    row("10 ft", Unit::metres, 3.048);
    row("42U", Unit::rackUnits, 42);
    row("1.2 kWh", Unit::joules, 4.32e6);
}

void UnitsTest::reads() {
    QFETCH(QString, text);
    QFETCH(int, unit);
    QFETCH(double, value);
    const auto result = parse(text.toStdString(), static_cast<Unit>(unit));
    QVERIFY2(result.has_value(), result ? "" : result.error().text().c_str());
    QVERIFY2(std::fabs(*result - value) <= 1e-12 * std::fabs(value), qPrintable(QString::number(*result, 'g', 17)));
}

void UnitsTest::refuses_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("unit");
    QTest::addColumn<QString>("expected"); // part of the error
    const auto row = [](const char* text, Unit unit, const char* expected) {
        QTest::newRow(*text ? text : "empty") << QString::fromUtf8(text) << int(unit) << QString::fromUtf8(expected);
    };
    row("400", Unit::bytesPerSecond, "400 Gb/s");
    row("10", Unit::watts, "kW");
    row("", Unit::watts, "kW");
    row("W", Unit::watts, "kW");
    row("ten W", Unit::watts, "kW");
    row("10 GB", Unit::watts, "\"GB\"");
    row("10 W extra", Unit::watts, "\"W extra\"");
    row("NaN W", Unit::watts, "number");
    row("inf W", Unit::watts, "number");
    row("1e400 W", Unit::watts, "out of range");
    row("1e308 EB", Unit::bytes, "large");
    row("1,500 W", Unit::watts, "point");
    row("400 gb/s", Unit::bytesPerSecond, "two ways");
    row("1 5 GB", Unit::bytes, "number");
    row("1..5 GB", Unit::bytes, "number");
    row("--5 W", Unit::watts, "number");
    row("5 MS", Unit::seconds, "two ways");
}

void UnitsTest::refuses() {
    QFETCH(QString, text);
    QFETCH(int, unit);
    QFETCH(QString, expected);
    const auto result = parse(text.toStdString(), static_cast<Unit>(unit));
    QVERIFY2(!result, result ? qPrintable(QString::number(*result)) : "");
    QVERIFY2(QString::fromStdString(result.error().text()).contains(expected), result.error().text().c_str());
}

void UnitsTest::prints_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("unit");
    QTest::addColumn<QString>("text");
    const auto row = [](double value, Unit unit, const char* text) {
        QTest::newRow(text) << value << int(unit) << QString::fromUtf8(text);
    };
    row(1.84e6, Unit::tokensPerSecond, "1.84 M tok/s");
    row(4.1e-3, Unit::seconds, "4.10 ms");
    row(.93, Unit::fraction, "93 %");
    row(.431, Unit::fraction, "43.1 %");
    row(6.4e11, Unit::bytes, "640 GB");
    row(50e9, Unit::bytesPerSecond, "50.0 GB/s");
    row(std::numeric_limits<double>::quiet_NaN(), Unit::watts, "?");
    row(std::numeric_limits<double>::infinity(), Unit::seconds, "∞");
    row(0, Unit::watts, "0 W");
    row(868000, Unit::watts, "868 kW");
    row(999.96, Unit::watts, "1.00 kW");
    row(-1500, Unit::watts, "-1.50 kW");
    row(3732, Unit::dollarsPerHour, "$ 3 732 / h");
    row(.41, Unit::dollarsPerMillionTokens, "$ 0.410 / M tok");
    row(1.1e6, Unit::dollars, "$ 1.10 M");
    row(-2.5e9, Unit::dollars, "-$ 2.50 B");
    row(412300, Unit::dollars, "$ 412 k");
    row(131072, Unit::count, "131 072");
    row(7200 * 2, Unit::seconds, "4.00 h");
    row(86400 * 30, Unit::seconds, "30.0 days");
    row(.99999, Unit::seconds, "1.00 s");
    row(2e6, Unit::kilowattHoursPerYear, "2.00 GWh/year");
    row(1.4e4, Unit::kilograms, "14.0 t");
    row(2.5e5, Unit::kilogramsPerYear, "250 t/year");
    row(250, Unit::requestsPerSecond, "250 req/s");
    row(8, Unit::rackUnits, "8 U");
    row(4, Unit::years, "4 years");
    row(4.5, Unit::years, "4.50 years");
    row(22, Unit::celsius, "22.0 °C");
}

void UnitsTest::prints() {
    QFETCH(double, value);
    QFETCH(int, unit);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(format(value, static_cast<Unit>(unit))), text);
}

void UnitsTest::symbolsAreDistinct() {
    QSet<QByteArray> seen;
    for (int unit = 0; unit <= int(Unit::rackUnits); ++unit) {
        const auto text = symbol(static_cast<Unit>(unit));
        QVERIFY2(!seen.contains(QByteArray(text.data(), text.size())), text.data());
        seen.insert(QByteArray(text.data(), text.size()));
    }
    QCOMPARE(symbol(Unit::one), std::string_view());
    QCOMPARE(symbol(Unit::tokensPerSecond), std::string_view("tokens/s"));
    QCOMPARE(symbol(Unit::dollarsPerHour), std::string_view("USD/h"));
}

// What the program prints a person can type back, to the digits shown.
void UnitsTest::printedIsReadAgain() {
    for (int at = 0; at <= int(Unit::rackUnits); ++at) {
        const auto unit = static_cast<Unit>(at);
        for (const double value : {.25, 3.5, 42., 777., 5.25e4, 1.23e7}) {
            const std::string text = format(value, unit, 6);
            const auto read = parse(text, unit);
            QVERIFY2(read.has_value(), (text + ": " + (read ? "" : read.error().text())).c_str());
            QVERIFY2(std::fabs(*read - value) <= 1e-4 * value, text.c_str());
        }
    }
}

QTEST_GUILESS_MAIN(UnitsTest)
#include "units_test.moc"
