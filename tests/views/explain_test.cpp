// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/catalog/catalog.h"
#include "views/explain/explain_model.h"
#include "views/explain/explain_popup.h"
#include "views/explain/explain_text.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QTest>
#include <QTreeView>

using namespace cw;

namespace {

/// rate = GPUs · peak · utilisation; step = tokens / rate. `gpus` moves the figures, not the shape.
std::shared_ptr<AlternativeEstimate> estimateOf(double gpus) {
    auto estimate = std::make_shared<AlternativeEstimate>();
    estimate->id = AlternativeId("a");
    estimate->name = "A";
    estimate->catalog = shippedCatalog();
    Derivation& terms = estimate->derivation;
    const auto* gpu = shippedCatalog().find<Gpu>(PartId("h100_sxm"));
    const Quantity count = terms.input("GPUs", gpus, Unit::count, "count");
    const Quantity peak = terms.fact("peak", *gpu, "bf16_tflops", 989e12, Unit::operationsPerSecond);
    const Quantity use = terms.assumption("utilisation", .4, .3, .5, Unit::fraction, "typical");
    const Quantity rate = terms.product("rate", "GPUs · peak · utilisation", {count, peak, use}, Unit::operationsPerSecond);
    const Quantity work = terms.assumption("work", 1e18, 1e18, 1e18, Unit::operations, "asked for");
    const Quantity again = terms.product("rate, checked", "rate", {rate}, Unit::operationsPerSecond);
    WorkloadEstimate workload;
    workload.id = WorkloadId("w");
    workload.latency = {{"step",
                         terms.computed("step time", "work / rate", 1e18 / rate.value, 1e18 / rate.high, 1e18 / rate.low,
                                        Unit::seconds, {work, rate, again})}};
    estimate->workloads = {workload};
    return estimate;
}

std::shared_ptr<const EstimateSet> setOf(double gpus) {
    auto set = std::make_shared<EstimateSet>();
    set->alternatives = {estimateOf(gpus)};
    return set;
}

QModelIndex childNamed(const QAbstractItemModel& model, const QModelIndex& parent, const QString& name) {
    for (int row = 0; row < model.rowCount(parent); ++row)
        if (model.index(row, 0, parent).data().toString() == name)
            return model.index(row, 0, parent);
    return {};
}

} // namespace

class ExplainTest : public QObject {
    Q_OBJECT

private slots:
    void textGoesDownToTheFactAndItsSource() {
        const auto estimate = estimateOf(512);
        const QString text = explainText(estimate->derivation, estimate->workloads[0].latency[0].quantity.term);
        QVERIFY(text.startsWith(QStringLiteral("step time = ")));
        QVERIFY(text.contains(QStringLiteral("work / rate")));
        QVERIFY(text.contains(QStringLiteral("  rate = ")));
        QVERIFY(text.contains(QStringLiteral("    peak = 989 T")));
        QVERIFY(text.contains(QStringLiteral("H100")));
        QVERIFY(text.contains(QStringLiteral("assumption")));
        QVERIFY(text.contains(QStringLiteral("source: typical")));
    }

    void aTermThatOccursAgainIsReferredTo() {
        const auto estimate = estimateOf(512);
        const TermId root = estimate->workloads[0].latency[0].quantity.term;
        QCOMPARE(explainText(estimate->derivation, root).count(QStringLiteral("GPUs · peak · utilisation")), 1);
        QVERIFY(explainText(estimate->derivation, root).contains(QStringLiteral("see above")));
        QCOMPARE(explainText(estimate->derivation, root, {64, true}).count(QStringLiteral("GPUs · peak · utilisation")), 2);
        QVERIFY(!explainText(estimate->derivation, root, {0, false}).contains(QStringLiteral("peak =")));
    }

    void noDerivationSaysSo() {
        QVERIFY(!explainText(Derivation(), noTerm).isEmpty());
        QVERIFY(!explainText(Derivation(), 5).isEmpty());
    }

    void treeIsAProperModelAndOpensToALeafFact() {
        ExplainModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto estimate = estimateOf(512);
        model.show(estimate, estimate->workloads[0].latency[0].quantity.term);
        const QModelIndex root = model.index(0, 0);
        const QModelIndex rate = childNamed(model, root, QStringLiteral("rate"));
        const QModelIndex peak = childNamed(model, rate, QStringLiteral("peak"));
        QVERIFY(peak.isValid());
        QCOMPARE(model.rowCount(peak), 0);
        QVERIFY(peak.data(ExplainModel::SourceRole).toString().contains(QStringLiteral("BF16")));
        QCOMPARE(peak.data(ExplainModel::OriginRole).toInt(), static_cast<int>(TermOrigin::fact));
    }

    void newFiguresKeepTheTreeOpen() {
        ExplainModel model;
        const auto before = estimateOf(512);
        const auto after = estimateOf(1024);
        model.show(before, before->workloads[0].latency[0].quantity.term);
        const QPersistentModelIndex rate = childNamed(model, model.index(0, 0), QStringLiteral("rate"));
        const QString was = rate.sibling(rate.row(), ExplainModel::ValueColumn).data().toString();
        QSignalSpy reset(&model, &ExplainModel::modelReset);
        model.show(after, after->workloads[0].latency[0].quantity.term);
        QVERIFY(reset.isEmpty());
        QVERIFY(rate.isValid());
        QVERIFY(rate.sibling(rate.row(), ExplainModel::ValueColumn).data().toString() != was);
    }

    void popupOpensByKeyboardCopiesAndFollowsTheDesign() {
        ExplainPopup popup;
        popup.setEstimates(setOf(512));
        popup.explain(figureOf(AlternativeId("a"), WorkloadId("w"), "step"));
        QVERIFY(QTest::qWaitForWindowActive(&popup));
        QTreeView* tree = popup.tree();
        QCOMPARE(tree->currentIndex().data().toString(), QStringLiteral("step time"));
        QTest::keyClick(tree, Qt::Key_Down); // work
        QTest::keyClick(tree, Qt::Key_Down); // rate
        QTest::keyClick(tree, Qt::Key_Right);
        QTest::keyClick(tree, Qt::Key_Down);
        QTest::keyClick(tree, Qt::Key_Down);
        QCOMPARE(tree->currentIndex().data().toString(), QStringLiteral("peak"));
        popup.setEstimates(setOf(1024));
        QCOMPARE(tree->currentIndex().data().toString(), QStringLiteral("peak"));
        QTest::keyClick(tree, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("GPUs = 1 024")));
        popup.setEstimates(std::make_shared<EstimateSet>()); // the alternative is gone
        QVERIFY(popup.text().isEmpty());
        QTest::keyClick(&popup, Qt::Key_Escape);
        QVERIFY(!popup.isVisible());
    }
};

QTEST_MAIN(ExplainTest)
#include "explain_test.moc"
