// SPDX-License-Identifier: GPL-3.0-or-later
//
// Simulated latencies on the screen: the mark and its words, the explanation, the distribution chart.
#include "estimators/simulation/simulate.h"
#include "model/io/project_file.h"
#include "resources/embedded.h"
#include "views/documents/themed_plots.h"
#include "views/explain/explain_text.h"
#include "views/headline/headline_figures.h"
#include "views/plots/chart_painter.h"
#include "views/plots/chart_view.h"
#include "views/text/simulation_text.h"
#include "views/theme/theme.h"

#include <QPicture>
#include <QMenu>
#include <QTest>
#include <QToolButton>

using namespace cw;

class SimulatedTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void headlineMarksIt();
    void figuresSayHowSure();
    void explanationOpensTheRun();
    void distributionData_();
    void distributionIsDrawn();
    void occupancyIsDrawn();

private:
    const AlternativeEstimate& simulated() const { return *m_set->alternatives.front(); }
    ChartInput input(std::shared_ptr<const EstimateSet> set) const {
        return {std::move(set), m_set->project.workloads.front().id, m_set->alternatives.front()->id, false};
    }
    std::shared_ptr<EstimateSet> m_set = std::make_shared<EstimateSet>(), m_closed = std::make_shared<EstimateSet>();
};

void SimulatedTest::initTestCase() {
    const std::string path = "examples/serve-7b.cluster.json";
    const Project project = readProject(resources::file(path), path).project;
    m_set->project = m_closed->project = project;
    for (const Alternative& alternative : project.alternatives) {
        auto closed = std::make_shared<const AlternativeEstimate>(estimate(project, alternative, shippedCatalog()));
        m_set->alternatives.push_back(std::make_shared<const AlternativeEstimate>(*simulate(project, alternative, shippedCatalog(), *closed)));
        m_closed->alternatives.push_back(std::move(closed));
    }
}

void SimulatedTest::headlineMarksIt() {
    const WorkloadId workload = simulated().workloads.front().id;
    const auto latency = [&](const AlternativeEstimate& estimate) {
        for (HeadlineFigure& tile : headlineFigures(estimate, workload, nullptr, {}))
            if (tile.key == "latency")
                return std::move(tile);
        return HeadlineFigure();
    };
    QCOMPARE(latency(simulated()).note, QStringLiteral("sim"));
    QVERIFY(latency(simulated()).help.contains(QStringLiteral("requests, ±")));
    QVERIFY(!latency(*m_closed->alternatives.front()).note.contains(QStringLiteral("sim")));
}

void SimulatedTest::figuresSayHowSure() {
    const WorkloadId workload = simulated().workloads.front().id;
    QVERIFY(simulationText(simulated(), workload, "p99").startsWith(QStringLiteral("simulated, ")));
    QVERIFY(simulationText(simulated(), workload, "throughput").isEmpty());
    QVERIFY(simulationText(*m_closed->alternatives.front(), workload, "p99").isEmpty());
}

void SimulatedTest::explanationOpensTheRun() {
    const Quantity& p99 = *simulated().workloads.front().latencyNamed("p99");
    const QString text = explainText(simulated().derivation, p99.term);
    for (const char* words : {"simulated", "seed of the run = 1", "requests simulated", "sampling error of the run", "closed form against the run",
                              "percentile over all replications", "time to first token + (output − 1) · time per token"})
        QVERIFY2(text.contains(QString::fromUtf8(words)), words);
}

void SimulatedTest::distributionData_() {
    const DistributionData data = distributionData(input(m_set));
    QCOMPARE(data.curves.size(), 2 * m_set->alternatives.size()); // whole answers and first tokens
    for (const auto& curve : data.curves) {
        QVERIFY(curve.below.size() > 50 && curve.requests > 0);
        QVERIFY(std::is_sorted(curve.below.begin(), curve.below.end()));
        QVERIFY(curve.p99 > curve.below.front().first && curve.p99 <= curve.below.back().first);
        QVERIFY(std::isfinite(curve.closedForm99));
    }
    QVERIFY(data.target);
    QVERIFY(distributionData(input(m_closed)).curves.empty());
    const QString csv = chartCsv(ChartKind::distribution, input(m_set), ChartAxis::costPerHour, ChartAxis::latencyP99);
    QVERIFY(csv.startsWith(QStringLiteral("alternative,name,what,seconds,share_below\n\"A\",")));
    QVERIFY(csv.count(u'\n') > 100);
}

void SimulatedTest::distributionIsDrawn() {
    const PlotStyle style = plotStyle(theme());
    const auto picture = [&](const std::shared_ptr<EstimateSet>& set) {
        return chartPicture(ChartKind::distribution, input(set), style, {}, QSize(500, 300));
    };
    QVERIFY(picture(m_set).size() > 2 * picture(m_closed).size()); // curves, and else a sentence when they will be there
    QVERIFY(!chartTitle(ChartKind::distribution).isEmpty() && !chartShortTitle(ChartKind::distribution).isEmpty());
    ChartView chart(ChartKind::distribution);
    chart.setStyle(style);
    chart.setInput(input(m_set));
    chart.resize(400, 260);
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    QVERIFY(!chart.grab().isNull());
    QVERIFY(chart.csv().contains(QStringLiteral("latency")));
}

void SimulatedTest::occupancyIsDrawn() {
    const PlotStyle style = plotStyle(theme());
    ChartView chart(ChartKind::distribution);
    chart.setStyle(style);
    chart.resize(400, 260);
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    auto* choice = chart.findChild<QToolButton*>(QStringLiteral("spreadChoice"));
    QVERIFY(choice);
    QStringList names;
    for (const SpreadAspect aspect : spreadAspects) {
        QVERIFY(!aspectName(aspect).isEmpty() && !names.contains(aspectName(aspect)));
        names << aspectName(aspect);
        if (aspect == SpreadAspect::latency)
            continue;
        const OccupancyData data = occupancyData(input(m_set), aspect);
        QCOMPARE(data.curves.size(), m_set->alternatives.size());
        for (const auto& curve : data.curves)
            QVERIFY(curve.points.size() > 5 && curve.mean > 0 && curve.closedForm > 0);
        QVERIFY(occupancyData(input(m_closed), aspect).curves.empty() && !occupancyData(input(m_closed), aspect).simulated);
        ChartOptions options;
        options.spread = aspect;
        const auto size = [&](const std::shared_ptr<EstimateSet>& set) {
            return chartPicture(ChartKind::distribution, input(set), style, options, QSize(500, 300)).size();
        };
        QVERIFY(size(m_set) > 2 * size(m_closed));
        chart.setInput(input(m_closed));
        chart.chooseAspect(aspect);
        QVERIFY(!chart.grab().isNull());
        chart.setInput(input(m_set));
        QVERIFY(!chart.grab().isNull());
        QCOMPARE(choice->text(), aspectName(aspect));
    }
    QCOMPARE(choice->menu()->actions().size(), names.size());
    QVERIFY(chart.csv().contains(QStringLiteral("kv_over_time")));
}

QTEST_MAIN(SimulatedTest)
#include "simulated_test.moc"
