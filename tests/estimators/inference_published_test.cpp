// SPDX-License-Identifier: GPL-3.0-or-later
//
// Errors on published measurements (tests/data/published, chosen by position and not by how well they are met) stay within what was
// reached when they were first run. Nothing was fitted on these rows.
#include "estimators/validation/validation.h"
#include "tests/support/paths.h"

#include <QFile>
#include <QtTest>

using namespace cw;

class InferencePublishedTest : public QObject {
    Q_OBJECT

private slots:
    void families_data();
    void families();
};

void InferencePublishedTest::families_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("family");
    QTest::addColumn<QString>("quantity");
    QTest::addColumn<int>("atLeast"); ///< rows predicted
    QTest::addColumn<double>("mean");
    QTest::addColumn<double>("median");
    const auto row = [](const char* file, const char* family, const char* quantity, int atLeast, double mean, double median) {
        QTest::addRow("%s %s", family, quantity) << QString::fromLatin1(file) << QString::fromLatin1(family) << QString::fromLatin1(quantity) << atLeast << mean << median;
    };
    row("inference_latency.csv", "splitwise_llama2", "prefill_ms", 21, 9, 6);
    row("inference_latency.csv", "splitwise_llama2", "decode_ms_per_token", 21, 3, 2.5);
    row("inference_latency.csv", "splitwise_bloom", "prefill_ms", 5, 12, 11);
    row("inference_latency.csv", "splitwise_bloom", "decode_ms_per_token", 5, 3, 3);
    row("inference_silicon.csv", "silicon_dense_agg", "tpot_ms", 29, 7, 5);
    row("inference_silicon.csv", "silicon_dense_agg", "ttft_ms", 29, 22, 16);
    row("inference_silicon.csv", "silicon_moe_agg", "tpot_ms", 29, 17, 13);
    row("mlperf_inference.csv", "mlperf_offline", "tokens_per_s", 8, 6, 5);
    row("mlperf_inference.csv", "mlperf_server", "tokens_per_s", 18, 10, 6);
    row("mlperf_inference.csv", "mlperf_interactive", "tokens_per_s", 2, 18, 18);
    row("cpu_inference.csv", "ktransformers", "decode_tokens_per_s", 5, 8, 8);
    row("cpu_inference.csv", "llama_cpp", "decode_tokens_per_s", 9, 14, 14);
    for (const char* exact : {"prob_wait", "wait_mean_ms", "response_mean_ms", "response_p99_ms", "queue_length"})
        row("queueing.csv", "analytic_mmc", exact, 19, 1e-6, 1e-6);
    for (const char* exact : {"prob_wait", "wait_mean_ms", "response_mean_ms", "queue_length"})
        row("queueing.csv", "analytic_mg1", exact, 15, 1e-6, 1e-6);
}

void InferencePublishedTest::families() {
    QFETCH(QString, file);
    QFETCH(QString, family);
    QFETCH(QString, quantity);
    QFETCH(int, atLeast);
    QFETCH(double, mean);
    QFETCH(double, median);
    QFile source(test::sourcePath(QStringLiteral("tests/data/published/") + file));
    QVERIFY(source.open(QIODevice::ReadOnly));
    const auto table = parseCsv(source.readAll().toStdString(), file.toStdString());
    QVERIFY2(table.has_value(), table ? "" : table.error().text().c_str());
    ValidationReport report;
    const auto added = addValidation(report, *table, shippedCatalog());
    QVERIFY2(added.has_value(), added ? "" : added.error().text().c_str());
    addStatistics(report);
    for (const FamilyStatistics& statistics : report.families)
        if (statistics.family == family.toStdString() && statistics.quantity == quantity.toStdString()) {
            const QByteArray said = QStringLiteral("%1 of %2 predicted, mean %3, median %4").arg(statistics.predicted).arg(statistics.n).arg(statistics.mean).arg(statistics.median).toUtf8();
            QVERIFY2(statistics.predicted >= atLeast, said.constData());
            QVERIFY2(statistics.mean <= mean, said.constData());
            QVERIFY2(statistics.median <= median, said.constData());
            return;
        }
    QFAIL("no such family");
}

QTEST_GUILESS_MAIN(InferencePublishedTest)
#include "inference_published_test.moc"
