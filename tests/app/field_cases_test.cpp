// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page of field cases says what the program says, and the cases that have to be there are.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

namespace {

QByteArray output(const QStringList& arguments)
{
    QProcess process;
    process.start(qEnvironmentVariable("CW_PROGRAM"), arguments);
    process.closeWriteChannel();
    return process.waitForFinished(120'000) && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0
        ? process.readAllStandardOutput()
        : QByteArray();
}

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Words of two pages side by side: numbers may differ by what a refitted constant moves, everything else not at all.
QString difference(const QByteArray& written, const QByteArray& made)
{
    constexpr double tolerance = .05;
    static const QRegularExpression gap(QStringLiteral("[\\s|]+"));
    const QStringList a = QString::fromUtf8(written).split(gap), b = QString::fromUtf8(made).split(gap);
    for (qsizetype i = 0; i < std::min(a.size(), b.size()); ++i) {
        bool first = false, second = false;
        const double x = a[i].toDouble(&first), y = b[i].toDouble(&second);
        const bool same = first && second ? std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y)) : a[i] == b[i];
        if (!same)
            return QStringLiteral("\"%1\" on the page, \"%2\" from the program, after: %3").arg(a[i], b[i], a.mid(std::max<qsizetype>(0, i - 12), 12).join(u' '));
    }
    return a.size() == b.size() ? QString() : QStringLiteral("one page is longer than the other");
}

} // namespace

class FieldCasesTest : public QObject {
    Q_OBJECT
  private slots:
    void pageSaysWhatTheProgramSays()
    {
        QTemporaryDir folder;
        const QString made = folder.filePath(QStringLiteral("field-cases.md"));
        output({QStringLiteral("examples"), QStringLiteral("--page"), made});
        QVERIFY(!bytesOf(made).isEmpty());
        const QString found = difference(bytesOf(QStringLiteral("docs/field-cases.md")), bytesOf(made));
        QVERIFY2(found.isEmpty(), qPrintable(found + QStringLiteral("; write it anew with: clusterwright examples --page docs/field-cases.md")));
    }

    void everyCaseIsThere()
    {
        const QByteArray list = output({QStringLiteral("examples"), QStringLiteral("--format"), QStringLiteral("json")});
        QStringList cases;
        for (const QJsonValue& row : QJsonDocument::fromJson(list).array())
            cases << row.toObject()[QStringLiteral("field cases")].toString().split(QStringLiteral(", "));
        for (const char* wanted : {"A7", "A17", "A22", "A27", "B6", "B7", "B16", "B17", "B19", "B21"})
            QVERIFY2(cases.contains(QLatin1String(wanted)), wanted);
    }

    /// Network cases: each reported figure of a known name is estimated, and what physics bounds is not beaten.
    void reportedStandsBesideEstimateAndBound_data()
    {
        QTest::addColumn<QString>("example");
        QTest::addColumn<int>("figures");
        QTest::addColumn<int>("bounds");
        QTest::newRow("A7") << "fabric-512" << 3 << 3;
        QTest::newRow("A17") << "zero3-offload" << 2 << 2;
        QTest::newRow("A22") << "llama-405b-16k" << 2 << 1;
        QTest::newRow("A27") << "eight-hosts" << 1 << 1;
        QTest::newRow("B6, B7") << "medical-imaging" << 4 << 4;
        QTest::newRow("B16, B17") << "a100-rdma" << 3 << 3;
        QTest::newRow("B19") << "cross-zone" << 5 << 4;
        QTest::newRow("B21") << "latency-ladder" << 4 << 3;
    }
    void reportedStandsBesideEstimateAndBound()
    {
        QFETCH(QString, example);
        QFETCH(int, figures);
        QFETCH(int, bounds);
        const QByteArray text = output({QStringLiteral("estimate"), QStringLiteral("example:") + example, QStringLiteral("--format"), QStringLiteral("json")});
        int estimated = 0, bounded = 0;
        for (const QJsonValue& value : QJsonDocument::fromJson(text).object()[QStringLiteral("reported")].toArray()) {
            const QJsonArray estimates = value.toObject()[QStringLiteral("estimates")].toArray();
            bool any = false, bound = false;
            for (const QJsonValue& one : estimates) {
                any |= one.toObject()[QStringLiteral("estimated")].toObject()[QStringLiteral("value")].toDouble() > 0;
                bound |= one.toObject()[QStringLiteral("bound")].toObject()[QStringLiteral("value")].toDouble() > 0;
            }
            estimated += any;
            bounded += bound;
        }
        QCOMPARE(estimated, figures);
        QCOMPARE(bounded, bounds);
    }
};

QTEST_GUILESS_MAIN(FieldCasesTest)
#include "field_cases_test.moc"
