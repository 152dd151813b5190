// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measured rows beside estimates: their words, the inspector's section, the marks on the load chart.
#include "estimators/validation/neighbours.h"
#include "model/document/document.h"
#include "model/io/project_file.h"
#include "resources/embedded.h"
#include "views/inspector/describe.h"
#include "views/plots/chart_data.h"
#include "views/text/neighbour_text.h"

#include <QTest>

using namespace cw;

class NeighboursTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        const std::string path = "examples/hybrid-serving.cluster.json";
        m_set->project = readProject(resources::file(path), path).project;
        for (const Alternative& alternative : m_set->project.alternatives)
            m_set->alternatives.push_back(std::make_shared<const AlternativeEstimate>(estimate(m_set->project, alternative, shippedCatalog())));
    }

    void wordsSayWhatAndHowFarOff() {
        const auto point = designPoint(m_set->project, m_set->project.alternatives.front(), shippedCatalog(), m_set->alternatives.front()->workloads.front());
        QVERIFY(point);
        for (const MeasuredNeighbour& neighbour : publishedRows().nearest(*point)) {
            const double error = mainFigure(neighbour).errorPercent();
            const QString words = neighbourWords(neighbour);
            QVERIFY2(words.contains(error < 0 ? QStringLiteral(", −") : QStringLiteral(", +")) && words.contains(QStringLiteral(" %")), qPrintable(words));
            const QString details = neighbourDetails(neighbour, shippedCatalog());
            QVERIFY2(details.contains(QStringLiteral("in flight")) && details.contains(QStringLiteral("measured")), qPrintable(details));
        }
    }

    void inspectorListsThem() {
        Document document;
        const InspectorActions actions{document, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
        const InspectorContext context{actions, m_set->project, m_set->project.alternatives.front(), shippedCatalog(), m_set->alternatives.front().get()};
        const auto section = [&](const Workload& workload) -> std::optional<FormSection> {
            Form form = describe(context, {{ElementKind::workload, {}, workload.id.value}});
            for (FormSection& found : form.sections)
                if (found.key == "neighbours")
                    return std::move(found);
            return {};
        };
        for (const Workload& workload : m_set->project.workloads) {
            const auto found = section(workload);
            const bool onGpus = std::holds_alternative<LlmTraining>(workload.spec) || workload.name == "Large model chat";
            QCOMPARE(found.has_value(), onGpus);
            if (found)
                QVERIFY2(found->fields.size() == 4 && found->fields.front().words.startsWith(QStringLiteral("± ")), workload.name.c_str()); // the error to believe, then rows
        }
    }

    /// A mark lies on the curve where as many requests are in flight, moved by how far the estimate is off at its row.
    void chartMarksThem() {
        const ChartInput input{m_set, m_set->project.workloads.front().id, m_set->alternatives.front()->id, false};
        const CurveData data = curveData(input);
        QVERIFY(!data.measured.empty());
        const auto& curve = data.curves.front().points;
        for (const auto& mark : data.measured) {
            QVERIFY(mark.rate > 0 && mark.rate <= curve.back().rate);
            const auto above = std::find_if(curve.begin(), curve.end(), [&](const LoadPoint& p) { return p.rate >= mark.rate; });
            QVERIFY(above != curve.end());
            QVERIFY(mark.seconds > above->p50 / 3 && mark.seconds < above->p50 * 3);
        }
        QVERIFY(chartCsv(ChartKind::latencyLoad, input, ChartAxis::costPerHour, ChartAxis::latencyP99).contains(QStringLiteral("measured")));
    }

private:
    std::shared_ptr<EstimateSet> m_set = std::make_shared<EstimateSet>();
};

QTEST_MAIN(NeighboursTest)
#include "neighbours_test.moc"
