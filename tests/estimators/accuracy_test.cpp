// SPDX-License-Identifier: GPL-3.0-or-later
//
// docs/accuracy.md is a promise: no family's error may grow past what stands there. Reads the compact tables of tests/data/published, and
// the whole ones beside the project where they are.
#include "estimators/estimate.h"
#include "estimators/validation/family_errors.h"
#include "estimators/validation/neighbours.h"
#include "estimators/validation/validation.h"
#include "model/io/project_file.h"
#include "resources/embedded.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <cmath>

using namespace cw;

namespace {

QStringList cells(const QByteArray& line) {
    QStringList out;
    for (const QString& cell : QString::fromUtf8(line).split('|'))
        out << cell.trimmed();
    return out;
}

std::string contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

ValidationReport validated(const QString& folder) {
    ValidationReport report;
    for (const QString& name : QDir(folder).entryList({QStringLiteral("*.csv")}, QDir::Files, QDir::Name)) {
        const auto table = parseCsv(contents(folder + '/' + name), name.toStdString());
        if (table && kindOf(*table))
            (void)addValidation(report, *table, shippedCatalog());
    }
    addStatistics(report);
    return report;
}

} // namespace

class AccuracyTest : public QObject {
    Q_OBJECT

private slots:
    void noFamilyGrewPastThePage() {
        const ValidationReport report = validated(test::sourcePath(QStringLiteral("tests/data/published")));
        QVERIFY(report.rows.size() > 100);
        std::map<std::string, QStringList> promised;
        for (const QByteArray& line : QByteArray::fromStdString(contents(test::sourcePath(QStringLiteral("docs/accuracy.md")))).split('\n')) {
            const QStringList row = cells(line);
            if (row.size() > 10 && row[1].endsWith(QLatin1String(".csv")))
                promised[(row[1] + '\n' + row[2] + '\n' + row[3]).toStdString()] = row;
        }
        for (const FamilyStatistics& f : report.families) {
            const auto found = promised.find(f.file + '\n' + f.family + '\n' + f.quantity);
            const std::string name = f.file + ", " + f.family + ", " + f.quantity;
            QVERIFY2(found != promised.end(), (name + " is not on docs/accuracy.md: write it anew").c_str());
            QVERIFY2(f.predicted >= found->second[5].toInt(), (name + ": fewer rows are predicted than the page says").c_str());
            if (f.predicted > 0) {
                const double mean = found->second[7].toDouble();
                QVERIFY2(f.mean <= mean * 1.02 + .1, (name + ": mean error " + std::to_string(f.mean) + " % against " + std::to_string(mean) + " % on the page").c_str());
            }
        }
    }

    /// Ranges are honest: nine of ten training measurements lie in the range of their estimate, three of four of serving, and no range is wide for nothing.
    void rangesHoldWhatTheyPromise() {
        const ValidationReport report = validated(test::sourcePath(QStringLiteral("tests/data/published")));
        const auto check = [&](const char* file, const char* quantity, double share, double widest) {
            int ranged = 0, inRange = 0;
            double spreads = 0;
            for (const FamilyStatistics& f : report.families)
                if (f.file == file && f.quantity.find(quantity) != std::string::npos) {
                    ranged += f.ranged;
                    inRange += f.inRange;
                }
            for (const ValidatedRow& row : report.rows)
                if (row.file == file && row.prediction.known() && row.prediction.quantity.find(quantity) != std::string::npos && row.prediction.spread > 0)
                    spreads += row.prediction.spread;
            QVERIFY2(ranged > 50, file);
            QVERIFY2(inRange >= share * ranged, std::to_string(inRange).c_str());
            QVERIFY2(spreads / ranged < widest, std::to_string(spreads / ranged).c_str());
        };
        check("training.csv", "", .85, .18);
        check("inference_silicon.csv", "tpot", .75, .3);
        check("inference_silicon.csv", "ttft", .7, .8);
    }

    /// What the window reads is what the published rows say now: written with the page.
    void figuresOfTheWindow() {
        const ValidationReport report = validated(test::sourcePath(QStringLiteral("tests/data/published")));
        const auto same = [](double table, double now) { return table == table ? std::abs(table - now) <= .06 + .02 * std::abs(now) : now != now; };
        std::size_t predicted = 0;
        for (const FamilyStatistics& f : report.families) {
            if (f.predicted == 0)
                continue;
            ++predicted;
            const std::string name = f.file + ", " + f.family + ", " + f.quantity + ": write the tables anew";
            const FamilyError* figures = familyError(f.file, f.family, f.quantity);
            QVERIFY2(figures, name.c_str());
            QVERIFY2(figures->rows == f.predicted && same(figures->own.mean, f.mean) && same(figures->own.p90, f.p90), name.c_str());
            QVERIFY2(same(figures->model.mean, f.model.mean) && same(figures->device.mean, f.device.mean), name.c_str());
        }
        QCOMPARE(familyErrors().size(), predicted);
    }

    /// The whole tables, where they are: every row is predicted or says why not, and all training rows together stay near their target.
    void wholeTables() {
        CW_REQUIRE_SHARED(folder, "validation");
        const ValidationReport report = validated(folder);
        QVERIFY(!report.rows.empty());
        std::vector<double> training;
        for (const ValidatedRow& row : report.rows) {
            QVERIFY2(row.prediction.known() || !row.prediction.reason.empty(), row.id.c_str());
            if (row.file == "training.csv" && row.prediction.known())
                training.push_back(std::abs(row.prediction.errorPercent()));
        }
        const FamilyStatistics all = statisticsOf(training);
        qInfo("training.csv: %d figures, mean %.1f %%, p90 %.1f %%", all.predicted, all.mean, all.p90);
        if (all.predicted > 0)
            QVERIFY(all.mean < 25);
    }

    void neighboursAreNear() {
        const auto table = parseCsv(contents(test::sourcePath(QStringLiteral("tests/data/published/training.csv"))), "training.csv");
        QVERIFY(table);
        std::vector<CsvTable> tables{*table};
        const MeasuredRows rows(std::move(tables), shippedCatalog());
        QVERIFY(rows.points().size() > 80 && rows.points().size() < publishedRows().points().size());
        for (const MeasuredPoint& point : rows.points()) { // a row is its own nearest neighbour, or one that is just like it
            const auto nearest = rows.nearest(point.point);
            QVERIFY(!nearest.empty() && nearest.front().distance == 0);
            for (std::size_t i = 1; i < nearest.size(); ++i)
                QVERIFY(nearest[i - 1].distance <= nearest[i].distance);
        }
        DesignPoint design;
        design.parameters = 70e9;
        design.device = PartId("h100_sxm");
        design.architecture = "Hopper";
        design.devices = 128;
        design.stack = PartId("stack_megatron_bridge");
        const auto nearest = rows.nearest(design);
        QCOMPARE(nearest.size(), 3u);
        QCOMPARE(nearest.front().row->point.architecture, std::string("Hopper"));
        QVERIFY(!nearest.front().row->point.experts);
        QVERIFY(std::abs(nearest.front().figures.front().errorPercent()) < 60);
        design.serving = true; // nothing trained is near to something served
        QVERIFY(rows.nearest(design).empty());
        QVERIFY(MeasuredRows({}, shippedCatalog()).nearest(design).empty());
    }

    /// A design of the gallery finds the rows of its own model and device.
    void designsFindTheirRows() {
        const std::string_view path = "examples/hybrid-serving.cluster.json";
        const Project project = readProject(resources::file(path), path).project;
        const Alternative& alternative = project.alternatives.front();
        const AlternativeEstimate result = estimate(project, alternative, shippedCatalog());
        const auto served = designPoint(project, alternative, shippedCatalog(), result.workloads.front());
        QVERIFY(served && served->serving && served->device == PartId("h200_sxm"));
        const auto nearest = publishedRows().nearest(*served);
        QVERIFY(!nearest.empty());
        QCOMPARE(nearest.front().row->point.model, served->model);
        QVERIFY(nearest.front().figure("tpot") && nearest.front().figure("tpot")->measured > 0);
        for (const WorkloadEstimate& workload : result.workloads) // CPUs and services have no such rows
            if (workload.kind == "service")
                QVERIFY(!designPoint(project, alternative, shippedCatalog(), workload));
    }
};

QTEST_GUILESS_MAIN(AccuracyTest)
#include "accuracy_test.moc"
