// SPDX-License-Identifier: GPL-3.0-or-later
//
// The load over the day as a chart, lengths and traces in the inspector: what is drawn comes from estimates of a real project.
#include "model/io/project_file.h"
#include "resources/embedded.h"
#include "views/documents/themed_plots.h"
#include "views/inspector/lengths_view.h"
#include "views/inspector/trace_loader.h"
#include "views/plots/chart_view.h"
#include "views/theme/theme.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace cw;

namespace {

ChartInput inputFor(const char* example) {
    auto set = std::make_shared<EstimateSet>();
    set->project = readProject(resources::file(std::string("examples/") + example + ".cluster.json"), example).project;
    for (const Alternative& alternative : set->project.alternatives)
        set->alternatives.push_back(std::make_shared<const AlternativeEstimate>(estimate(set->project, alternative, shippedCatalog())));
    return {set, {}, set->project.alternatives.front().id, false};
}

} // namespace

class DayChartTest : public QObject {
    Q_OBJECT

private slots:
    void hoursFollowTheLoad() {
        const ChartInput input = inputFor("llm-175b-gpu-cpu");
        const std::optional<DayData> data = dayData(input);
        QVERIFY(data);
        QVERIFY(data->peak > 0 && data->capacity > 0 && data->machines >= 1);
        int drawn = 0;
        for (const DayData::Policy& policy : data->policies) {
            drawn += policy.drawn;
            for (std::size_t hour = 0; hour < policy.plan.running.size(); ++hour) // what runs carries the hour
                QVERIFY(policy.plan.running[hour] * data->capacity >= std::min(data->capacity, data->peak * policy.plan.load[hour]) * (1 - 1e-9));
        }
        QCOMPARE(drawn, 1);
        const QString csv = dayCsv(input);
        QVERIFY(csv.startsWith(QStringLiteral("hour,")));
        QVERIFY(csv.count(u'\n') > 24);
    }

    void nothingPlacedSaysSo() {
        ChartInput input = inputFor("llm-175b-gpu-cpu");
        auto set = std::make_shared<EstimateSet>(*input.estimates);
        set->project.workloads.clear();
        input.estimates = set;
        QVERIFY(!dayData(input));
        QVERIFY(studyOf(input, DayAspect::duty).lines.empty());
        QVERIFY(!dayData({}));
    }

    void costsAreStudiedInTheBackground() {
        ChartView chart(ChartKind::dayLoad);
        chart.resize(500, 300);
        chart.setStyle(plotStyle(theme()));
        chart.show();
        chart.setInput(inputFor("llm-175b-gpu-cpu"));
        for (const DayAspect aspect : {DayAspect::duty, DayAspect::rate, DayAspect::hours}) {
            chart.chooseAspect(aspect);
            QTRY_VERIFY_WITH_TIMEOUT(!chart.options().studyPending, 20000);
            QCOMPARE(chart.options().aspect, aspect);
            if (aspect != DayAspect::hours)
                QVERIFY(chart.options().study && !chart.options().study->lines.empty());
        }
        QTemporaryDir folder;
        QString reason;
        QVERIFY2(chart.saveTo(folder.filePath(QStringLiteral("day.png")), &reason), qPrintable(reason));
        QVERIFY2(chart.saveTo(folder.filePath(QStringLiteral("day.csv")), &reason), qPrintable(reason));
    }

    void aChartThatGoesAwayLeavesItsStudy() {
        auto chart = std::make_unique<ChartView>(ChartKind::dayLoad);
        chart->setStyle(plotStyle(theme()));
        chart->show();
        chart->setInput(inputFor("llm-175b-gpu-cpu"));
        chart->chooseAspect(DayAspect::duty);
        QTest::qWait(300); // begun
        chart.reset();
        QTest::qWait(300); // come back to nobody
    }

    void lengthsHaveTheMomentsThatWereEntered() {
        const Lengths lengths{1000, .8};
        double sum = 0, weight = 0;
        for (double z = -6; z < 6; z += .01) {
            sum += std::exp(-z * z / 2) * LengthsView::quantile(lengths, z);
            weight += std::exp(-z * z / 2);
        }
        QVERIFY(std::abs(sum / weight / 1000 - 1) < .001);
        QVERIFY(LengthsView::quantile(lengths, 0) < 1000 && LengthsView::quantile(lengths, 2.33) > 2000);
        QCOMPARE(LengthsView::quantile({64, 0}, 2), 64.);
        LengthsView view;
        for (const Lengths& some : {Lengths{1, 0}, Lengths{0, 0}, Lengths{1e9, 20}, Lengths{double(NAN), double(NAN)}, lengths}) {
            view.setLengths(some, {28, 2});
            view.resize(180, 74);
            QVERIFY(!view.grab().isNull());
        }
    }

    void tracesAreReadInTheBackground() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("t.csv")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("t,prompt,output\n0,100,10\n1,300,30\nx,1,1\n");
        file.close();
        QWidget parent;
        int called = 0;
        loadTrace(&parent, file.fileName(), [&](const Expected<TraceSummary>& trace) {
            ++called;
            QVERIFY(trace.has_value());
            QCOMPARE(trace->requests, 2);
            QVERIFY(traceText(*trace).contains(QStringLiteral("t.csv:4")));
        });
        QTRY_COMPARE(called, 1);
        loadTrace(&parent, folder.filePath(QStringLiteral("none.csv")), [&](const Expected<TraceSummary>& trace) {
            ++called;
            QVERIFY(!trace.has_value());
        });
        QTRY_COMPARE(called, 2);
    }
};

QTEST_MAIN(DayChartTest)
#include "day_chart_test.moc"
