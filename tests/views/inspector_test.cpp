// SPDX-License-Identifier: GPL-3.0-or-later
//
// The inspector as a person uses it: typing, scrubbing, several things at once; and that every field of every form holds a value it would
// accept itself.
#include "model/document/document.h"
#include "tests/views/panel_scene.h"
#include "views/inspector/inspector_panel.h"
#include "views/inspector/load_profile_edit.h"
#include "views/inspector/workload_presets.h"
#include "views/text/quantity_text.h"
#include "views/parts/part_chooser.h"
#include "views/parts/set_part.h"
#include "views/widgets/checked_edit.h"
#include "views/widgets/elided_label.h"
#include "views/widgets/meter.h"
#include "views/widgets/scrub_label.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <set>

using namespace cw;

namespace {

ElementRef nodeRef(const char* id) { return {ElementKind::node, AlternativeId("base"), id}; }

} // namespace

class InspectorTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_document = std::make_unique<Document>();
        m_document->reset(test::panelProject());
        m_panel = std::make_unique<InspectorPanel>(*m_document, shippedCatalog());
        m_panel->resize(290, 900);
        m_panel->setAlternative(AlternativeId("base"));
        m_panel->setEstimates(test::panelEstimates(m_document->project(), m_document->revision()));
        m_panel->show();
        m_panel->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
    }
    void cleanup() {
        m_panel.reset();
        m_document.reset();
    }

    void wrongTextIsSaidAtOnceAndChangesNothing() {
        select({nodeRef("dgx")});
        CheckedEdit* count = edit("count");
        count->line()->setFocus();
        count->line()->selectAll();
        QTest::keyClicks(count->line(), QStringLiteral("many"));
        QVERIFY(!count->message().isEmpty());
        QVERIFY(count->line()->property("invalid").toBool());
        QVERIFY(!m_document->hasPreview());
        QTest::keyClick(count->line(), Qt::Key_Return);
        QCOMPARE(countOf("dgx"), 64);
        QCOMPARE(m_document->undoStack().count(), 0);
        count->line()->selectAll();
        QTest::keyClicks(count->line(), QStringLiteral("0"));
        QVERIFY(count->message().contains(QStringLiteral("from 1")));
        QTest::keyClick(count->line(), Qt::Key_Escape);
        QCOMPARE(count->text(), QStringLiteral("64"));
        QVERIFY(count->message().isEmpty());
    }

    void validTextIsPreviewedAndEnterMakesOneStep() {
        select({nodeRef("dgx")});
        CheckedEdit* count = edit("count");
        count->line()->setFocus();
        count->line()->selectAll();
        QTest::keyClicks(count->line(), QStringLiteral("128"));
        QVERIFY(m_document->hasPreview());
        QCOMPARE(m_document->effective().alternatives[0].nodes[0].count, 128);
        QCOMPARE(countOf("dgx"), 64);
        m_panel->refreshNow();
        QCOMPARE(edit("count"), count); // typing is not disturbed by what it causes
        QCOMPARE(count->text(), QStringLiteral("128"));
        QTest::keyClick(count->line(), Qt::Key_Return);
        QCOMPARE(countOf("dgx"), 128);
        QVERIFY(!m_document->hasPreview());
        QCOMPARE(m_document->undoStack().count(), 1);
        m_document->undoStack().undo();
        m_panel->refreshNow();
        QCOMPARE(count->text(), QStringLiteral("64"));
    }

    void escapeTakesThePreviewBack() {
        select({nodeRef("dgx")});
        CheckedEdit* count = edit("count");
        count->line()->setFocus();
        count->line()->selectAll();
        QTest::keyClicks(count->line(), QStringLiteral("99"));
        QTest::keyClick(count->line(), Qt::Key_Escape);
        QVERIFY(!m_document->hasPreview());
        m_panel->refreshNow();
        QCOMPARE(count->text(), QStringLiteral("64"));
        QCOMPARE(m_document->undoStack().count(), 0);
    }

    void unitsAreDemandedAndUnderstood_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("watts"); // 0: refused
        QTest::newRow("no unit") << QStringLiteral("500") << 0.;
        QTest::newRow("watts") << QStringLiteral("500 W") << 500.;
        QTest::newRow("kilowatts") << QStringLiteral("0.45 kW") << 450.;
        QTest::newRow("another dimension") << QStringLiteral("500 GB") << 0.;
        QTest::newRow("above the TDP") << QStringLiteral("9 kW") << 0.;
        QTest::newRow("unfinished") << QStringLiteral("500 k") << 0.;
    }
    void unitsAreDemandedAndUnderstood() {
        QFETCH(QString, typed);
        QFETCH(double, watts);
        select({nodeRef("dgx")});
        CheckedEdit* cap = edit("cap");
        QVERIFY(cap->line()->placeholderText().contains(QStringLiteral("700 W")));
        cap->line()->setFocus();
        QTest::keyClicks(cap->line(), typed);
        QCOMPARE(cap->message().isEmpty(), watts > 0);
        QTest::keyClick(cap->line(), Qt::Key_Return);
        const auto& now = m_document->project().alternatives[0].nodes[0].gpuPowerCap;
        QCOMPARE(now.has_value(), watts > 0);
        if (now)
            QCOMPARE(si(*now), watts);
    }

    void emptyingAnOptionalFieldUnsetsIt() {
        select({nodeRef("dgx")});
        CheckedEdit* cap = edit("cap");
        cap->line()->setFocus();
        QTest::keyClicks(cap->line(), QStringLiteral("400 W\r"));
        QVERIFY(m_document->project().alternatives[0].nodes[0].gpuPowerCap);
        m_panel->refreshNow();
        cap->line()->selectAll();
        QTest::keyClick(cap->line(), Qt::Key_Delete);
        QTest::keyClick(cap->line(), Qt::Key_Return);
        QVERIFY(!m_document->project().alternatives[0].nodes[0].gpuPowerCap);
    }

    void scrubbingPreviewsAndLeavesOneStep() {
        select({nodeRef("dgx")});
        ScrubLabel* label = labelOf("count");
        const QPoint start(20, 8);
        QTest::mousePress(label, Qt::LeftButton, {}, start);
        for (int x = 1; x <= 8; ++x)
            QTest::mouseMove(label, start + QPoint(x * ScrubLabel::pixelsPerStep, 0));
        QVERIFY(m_document->hasPreview());
        const std::int64_t previewed = m_document->effective().alternatives[0].nodes[0].count;
        QVERIFY(previewed > 64);
        QCOMPARE(countOf("dgx"), 64);
        QTest::mouseRelease(label, Qt::LeftButton, {}, start + QPoint(8 * ScrubLabel::pixelsPerStep, 0));
        QCOMPARE(countOf("dgx"), previewed);
        QCOMPARE(m_document->undoStack().count(), 1);
        m_document->undoStack().undo();
        QCOMPARE(countOf("dgx"), 64);
    }

    void scrubbingBackOrEscapeLeavesNothing() {
        select({nodeRef("dgx")});
        ScrubLabel* label = labelOf("count");
        QTest::mousePress(label, Qt::LeftButton, {}, QPoint(20, 8));
        QTest::mouseMove(label, QPoint(70, 8));
        QTest::mouseMove(label, QPoint(20, 8));
        QTest::mouseRelease(label, Qt::LeftButton, {}, QPoint(20, 8));
        QCOMPARE(m_document->undoStack().count(), 0);
        QTest::mousePress(label, Qt::LeftButton, {}, QPoint(20, 8));
        QTest::mouseMove(label, QPoint(70, 8));
        QVERIFY(m_document->hasPreview());
        QTest::keyClick(label, Qt::Key_Escape);
        QVERIFY(!m_document->hasPreview());
        QTest::mouseRelease(label, Qt::LeftButton, {}, QPoint(70, 8));
        QCOMPARE(m_document->undoStack().count(), 0);
        QCOMPARE(countOf("dgx"), 64);
    }

    void nudgesOfOneFieldAreOneStep() {
        select({nodeRef("dgx")});
        CheckedEdit* count = edit("count");
        count->line()->setFocus();
        for (int i = 0; i < 3; ++i) {
            QTest::keyClick(count->line(), Qt::Key_Up);
            m_panel->refreshNow();
        }
        QCOMPARE(countOf("dgx"), 67);
        QCOMPARE(m_document->undoStack().count(), 1);
        select({nodeRef("leaf")});
        edit("count")->line()->setFocus();
        QTest::keyClick(edit("count")->line(), Qt::Key_Down);
        QCOMPARE(m_document->undoStack().count(), 2); // another element is another step
    }

    void severalAtOnceShowMixedAndChangeTogether() {
        select({nodeRef("leaf"), nodeRef("spine")});
        QCOMPARE(m_panel->title(), QStringLiteral("2 nodes"));
        CheckedEdit* count = edit("count");
        QVERIFY(count->text().isEmpty());
        QCOMPARE(count->line()->placeholderText(), QStringLiteral("mixed"));
        count->line()->setFocus();
        QTest::keyClicks(count->line(), QStringLiteral("32\r"));
        QCOMPARE(countOf("leaf"), 32);
        QCOMPARE(countOf("spine"), 32);
        QCOMPARE(countOf("dgx"), 64);
        QCOMPARE(m_document->undoStack().count(), 1);
    }

    void kindsMayBeSelectedTogether() {
        select({nodeRef("dgx"), {ElementKind::link, AlternativeId("base"), "rails"}});
        QVERIFY(edit("count"));
        QVERIFY(edit("lanes"));
        QVERIFY(m_panel->title().contains(QStringLiteral("DGX H100")));
    }

    void whatIsTypedBelongsToTheOldSelection() {
        select({nodeRef("dgx")});
        CheckedEdit* count = edit("count");
        count->line()->setFocus();
        count->line()->selectAll();
        QTest::keyClicks(count->line(), QStringLiteral("72"));
        select({nodeRef("leaf")});
        QCOMPARE(countOf("dgx"), 72);
        QCOMPARE(countOf("leaf"), 16);
        QVERIFY(!m_document->hasPreview());
    }

    void automaticSizesShowWhatWasChosen() {
        select({nodeRef("dgx")});
        QCOMPARE(edit("tensor")->line()->placeholderText(), QStringLiteral("8 (auto)"));
        edit("tensor")->line()->setFocus();
        QTest::keyClicks(edit("tensor")->line(), QStringLiteral("4\r"));
        QCOMPARE(m_document->project().alternatives[0].placements[0].parallelism.tensor, 4);
    }

    void memoryIsABarWithWords() {
        select({nodeRef("dgx")});
        const auto* meter = row("memory")->findChild<Meter*>();
        QVERIFY(meter);
        QVERIFY(meter->words().contains(QStringLiteral("71.0 GB of 80.0 GB · fits")));
        QVERIFY(std::abs(meter->share() - 71. / 80) < 1e-9);
    }

    void figuresOpenTheirDerivation() {
        select({nodeRef("dgx")});
        QSignalSpy explained(m_panel.get(), &InspectorPanel::explainRequested);
        QWidget* words = row("mfu")->findChildren<ElidedLabel*>().at(0);
        QTest::mouseClick(words, Qt::LeftButton);
        QCOMPARE(explained.size(), 1);
        const auto figure = explained[0][0].value<Figure>();
        const auto set = test::panelEstimates(m_document->project(), 1);
        QCOMPARE(figure.find(*set->alternatives[0])->value, .43);
    }

    void aPartIsChosenFromTheList() {
        select({nodeRef("dgx")});
        QTest::mouseClick(row("part")->findChild<QPushButton*>(), Qt::LeftButton);
        auto* chooser = m_panel->findChild<PartChooser*>();
        QVERIFY(chooser && chooser->isVisible());
        auto* search = chooser->findChild<QLineEdit*>();
        QTest::keyClicks(search, QStringLiteral("dgx h200"));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(m_document->project().alternatives[0].nodes[0].part.value, std::string("dgx_h200"));
        QCOMPARE(m_document->undoStack().count(), 1);
    }

    void aNameThatSaysThePartFollowsIt() {
        Alternative alternative = m_document->project().alternatives[0];
        Node& node = alternative.nodes[0];
        for (const char* name : {"DGX H100", "DGX H100 2", "NVIDIA DGX H100"}) {
            node.name = name;
            node.part = PartId("dgx_h100");
            setPart(node, PartId("dgx_h200"), alternative, shippedCatalog());
            QCOMPARE(node.name, std::string("DGX H200"));
        }
        node.name = "Training";
        setPart(node, PartId("dgx_h100"), alternative, shippedCatalog());
        QCOMPARE(node.name, std::string("Training"));
        QCOMPARE(node.part, PartId("dgx_h100"));
    }

    void choicesChangeAtOnce() {
        select({{ElementKind::link, AlternativeId("base"), "uplinks"}});
        auto* pattern = row("pattern")->findChild<QComboBox*>();
        QCOMPARE(pattern->currentText(), QStringLiteral("Mesh"));
        pattern->setFocus();
        QTest::keyClick(pattern, Qt::Key_Up);
        QVERIFY(m_document->project().alternatives[0].links[1].pattern == Pattern::each);
        QCOMPARE(m_document->undoStack().count(), 1);
    }

    void linkTellsLoadBothWaysAndWhoCausesIt() {
        select({{ElementKind::link, AlternativeId("base"), "uplinks"}});
        QVERIFY(wordsOf("forward").contains(QStringLiteral("TB/s")));
        QVERIFY(wordsOf("share 0").contains(u'%'));
        QVERIFY(wordsOf("total").toInt() > 0);
    }

    void nothingSelectedShowsTheProjectAndItsWorkloads() {
        select({});
        QCOMPARE(m_panel->title(), QStringLiteral("Project"));
        CheckedEdit* energy = edit("energy");
        QVERIFY(energy->line()->placeholderText().contains(QStringLiteral("(region)")));
        energy->line()->setFocus();
        QTest::keyClicks(energy->line(), QStringLiteral("0.21 $/kWh\r"));
        QCOMPARE(m_document->project().site.energyPrice.value_or(0), .21);
        QWidget* chat = row("workload chat");
        QTest::mouseClick(chat->findChildren<ElidedLabel*>().at(0), Qt::LeftButton);
        m_panel->refreshNow();
        QCOMPARE(m_panel->title(), QStringLiteral("Chat"));
        edit("rate")->line()->setFocus();
        edit("rate")->line()->selectAll();
        QTest::keyClicks(edit("rate")->line(), QStringLiteral("35 req/s\r"));
        QCOMPARE(std::get<LlmServing>(m_document->project().workloads[1].spec).arrivalRate, 35.);
    }

    void deletingAWorkloadGoesBackToTheProject() {
        m_panel->showWorkload(WorkloadId("chat"));
        m_panel->refreshNow();
        QTest::mouseClick(m_panel->findChild<QPushButton*>(QStringLiteral("remove")), Qt::LeftButton);
        m_panel->refreshNow();
        QCOMPARE(m_document->project().workloads.size(), std::size_t(1));
        QCOMPARE(m_panel->title(), QStringLiteral("Project"));
        QCOMPARE(m_document->undoStack().count(), 1);
    }

    void requestsHaveABalancerAndBursts() {
        m_panel->showWorkload(WorkloadId("chat"));
        m_panel->refreshNow();
        const auto flow = [&] { return m_document->project().findWorkload(WorkloadId("chat"))->flow; };
        auto* routing = row("routing")->findChild<QComboBox*>();
        QVERIFY(routing);
        QCOMPARE(routing->count(), 4);
        routing->setCurrentIndex(3);
        emit routing->activated(3);
        QCOMPARE(flow().routing, Routing::powerOfTwo);
        const auto type = [&](const char* key, const QString& text) {
            m_panel->refreshNow();
            edit(key)->line()->setFocus();
            edit(key)->line()->selectAll();
            QTest::keyClicks(edit(key)->line(), text + u'\r');
        };
        type("arrivalCv", QStringLiteral("2.5"));
        QCOMPARE(flow().arrivalCv, 2.5);
        type("failuresEvery", QStringLiteral("2 h"));
        QCOMPARE(si(*flow().failuresEvery), 7200.);
        type("repair", QStringLiteral("90 s"));
        QCOMPARE(si(flow().repair), 90.);
        QCOMPARE(m_document->undoStack().count(), 4);
        while (m_document->undoStack().canUndo())
            m_document->undoStack().undo();
        QVERIFY(flow() == RequestFlow());
    }

    void aRecordingIsShownAndForgotten() {
        Workload recorded = workloadFrom(preset("chat"), m_document->project());
        recorded.flow.recorded = std::make_shared<const RecordedRequests>(RecordedRequests{{0, 5, 12}, {100, 200, 300}, {}});
        QVERIFY(m_document->push(edits::insertWorkload(m_document->project(), recorded, "add")));
        m_panel->showWorkload(recorded.id);
        m_panel->refreshNow();
        QVERIFY(row("recorded"));
        QTest::mouseClick(m_panel->findChild<QPushButton*>(QStringLiteral("forget")), Qt::LeftButton);
        QVERIFY(!m_document->project().findWorkload(recorded.id)->flow.recorded);
    }

    void loadOverTheDayIsDrawnAsOneStep() {
        m_panel->showWorkload(WorkloadId("chat"));
        m_panel->refreshNow();
        auto* day = m_panel->findChild<LoadProfileEdit*>();
        QVERIFY(day);
        QTest::mousePress(day, Qt::LeftButton, {}, QPoint(10, 40));
        for (int x = 10; x < 120; x += 10)
            QTest::mouseMove(day, QPoint(x, 30));
        QVERIFY(m_document->hasPreview());
        QTest::mouseRelease(day, Qt::LeftButton, {}, QPoint(120, 30));
        QCOMPARE(m_document->project().workloads[1].load.hourly.size(), std::size_t(24));
        QVERIFY(m_document->project().workloads[1].load.hourly[2] < 1);
        QCOMPARE(m_document->undoStack().count(), 1);
    }

    void stagesOfAPipelineCanBeAddedRoutedAndRemoved() {
        Workload pipeline = workloadFrom(preset("pipeline"), m_document->project());
        QVERIFY(m_document->push(edits::insertWorkload(m_document->project(), pipeline, "add")));
        m_panel->showWorkload(pipeline.id);
        const auto spec = [&] { return std::get<Pipeline>(m_document->project().findWorkload(pipeline.id)->spec); };
        const std::size_t stages = spec().stages.size(), edges = spec().edges.size();
        press("addStage");
        press("addEdge");
        QCOMPARE(spec().stages.size(), stages + 1);
        QCOMPARE(spec().edges.size(), edges + 1);
        QCOMPARE(spec().edges.back().to, spec().stages.back().id);
        press("drop stage 0");
        QCOMPARE(spec().stages.size(), stages);
        for (const Pipeline::Edge& edge : spec().edges)
            QVERIFY(edge.from != "balancer");
    }

    void runPlacesAWorkloadOnTheSelection() {
        select({{ElementKind::node, AlternativeId("base"), "dgx"}});
        press("run run-chat stop");
        QCOMPARE(m_document->project().alternatives[0].placements.size(), std::size_t(1));
        press("run chat");
        const auto& placements = m_document->project().alternatives[0].placements;
        QCOMPARE(placements.size(), std::size_t(2));
        QCOMPARE(placements.back().workload.value, std::string("chat"));
        QCOMPARE(placements.back().nodes, std::vector<NodeId>{NodeId("dgx")});
    }

    void rackItemsComeAndGo() {
        select({{ElementKind::rack, AlternativeId("base"), "row"}});
        press("put leaf");
        QCOMPARE(m_document->project().alternatives[0].racks[0].items.size(), std::size_t(2));
        press("take 0");
        QCOMPARE(m_document->project().alternatives[0].racks[0].items.size(), std::size_t(1));
        QCOMPARE(m_document->project().alternatives[0].racks[0].items[0].node.value, std::string("leaf"));
    }

    void everyFieldWouldTakeTheValueItShows_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"nothing", "node", "link", "rack", "frame"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
        for (const WorkloadPreset& preset : workloadPresets())
            QTest::newRow(preset.key.c_str()) << QString::fromStdString(preset.key);
    }
    void everyFieldWouldTakeTheValueItShows() {
        QFETCH(QString, kind);
        const std::map<QString, ElementRef> elements{
            {QStringLiteral("node"), nodeRef("dgx")},
            {QStringLiteral("link"), {ElementKind::link, AlternativeId("base"), "uplinks"}},
            {QStringLiteral("rack"), {ElementKind::rack, AlternativeId("base"), "row"}},
            {QStringLiteral("frame"), {ElementKind::frame, AlternativeId("base"), "pod"}}};
        Project project = m_document->project();
        std::vector<ElementRef> selection;
        if (const auto element = elements.find(kind); element != elements.end())
            selection = {element->second};
        else if (kind != QStringLiteral("nothing")) {
            Workload workload = workloadFrom(preset(kind.toStdString()), project);
            selection = {{ElementKind::workload, {}, workload.id.value}};
            project.workloads.push_back(std::move(workload));
        }
        m_document->reset(project);
        const auto set = test::panelEstimates(project, 1);
        const InspectorActions actions{*m_document, {}, {}, {}, {}, {}, {}, {}, {}, {}};
        const InspectorContext context{actions, project, project.alternatives[0], shippedCatalog(), set->alternatives[0].get()};
        const Form form = describe(context, selection);
        QVERIFY(!form.title.isEmpty());
        std::set<std::string> sections;
        for (const FormSection& section : form.sections) {
            QVERIFY2(sections.insert(section.key).second, section.key.c_str());
            std::set<std::string> keys;
            for (const FormField& field : section.fields) {
                QVERIFY2(keys.insert(field.spec.key).second, (section.key + "/" + field.spec.key).c_str());
                checkField(field);
            }
        }
    }

    void bestPlanIsOneStep() {
        estimateForReal();
        select({nodeRef("dgx")});
        const auto plan = [&] { return m_document->project().alternatives[0].placements.front(); };
        const Placement before = plan();
        QCOMPARE(before.parallelism, Parallelism());
        press("run run-train best");
        const Placement after = plan();
        for (const int size : {after.parallelism.tensor, after.parallelism.pipeline, after.parallelism.data, after.microBatch,
                               after.interleave})
            QVERIFY(size >= 1);
        QVERIFY(after.zeroStage >= 0 && after.recompute != Recompute::automatic);
        QCOMPARE(m_document->undoStack().count(), 1);
        // What is written out is what the search found: the same step.
        const auto step = [&] {
            const auto estimate = cw::estimate(m_document->project(), m_document->project().alternatives[0], shippedCatalog());
            QVERIFY(estimate.workloads.front().feasible);
            m_step = estimate.workloads.front().latencyNamed("step")->value;
        };
        step();
        const double written = m_step;
        m_document->undoStack().undo();
        QCOMPARE(plan(), before);
        step();
        QVERIFY(std::abs(m_step / written - 1) < 1e-9);
        m_document->undoStack().redo();
        press("run run-train best"); // nothing better than the best
        QCOMPARE(m_document->undoStack().count(), 1);
    }

    void otherTensorSizesAreEstimated() {
        estimateForReal();
        select({nodeRef("dgx")});
        QVERIFY(!row("tensor 4"));
        press("run run-train tensor");
        for (const char* size : {"tensor 1", "tensor 2", "tensor 4", "tensor 8", "tensor 16"})
            QVERIFY2(row(size), size);
        QVERIFY2(wordsOf("tensor 8").contains(QStringLiteral("fits")), qPrintable(wordsOf("tensor 8")));
        // The same as an estimate of the design with that size.
        Project other = m_document->project();
        other.alternatives[0].placements.front().parallelism.tensor = 4;
        const auto estimate = cw::estimate(other, other.alternatives[0], shippedCatalog());
        const QString step = quantityText(*estimate.workloads.front().latencyNamed("step"));
        QVERIFY2(wordsOf("tensor 4").startsWith(step), qPrintable(wordsOf("tensor 4") + QStringLiteral(" against ") + step));
        QTest::mouseClick(wordsLabel("tensor 4"), Qt::LeftButton);
        m_panel->refreshNow();
        QCOMPARE(m_document->project().alternatives[0].placements.front().parallelism.tensor, 4);
        QCOMPARE(m_document->undoStack().count(), 1);
        QVERIFY(wordsOf("tensor 4").contains(QStringLiteral("as now")));
        press("run run-train tensor");
        QVERIFY(!row("tensor 4"));
    }

private:
    /// Only the training runs, and the panel shows what the estimators say of it.
    void estimateForReal() {
        Project project = test::panelProject();
        project.alternatives[0].placements.pop_back();
        m_document->reset(project);
        auto set = std::make_shared<EstimateSet>();
        set->project = project;
        for (const Alternative& alternative : project.alternatives)
            set->alternatives.push_back(
                std::make_shared<const AlternativeEstimate>(cw::estimate(project, alternative, shippedCatalog())));
        m_panel->setEstimates(set);
    }

    void checkField(const FormField& field) {
        if (field.spec.kind != FieldKind::number && field.spec.kind != FieldKind::text)
            return;
        const QString text = editText(field.spec, field.value);
        const Expected<FieldValue> back = readValue(field.spec, text);
        QVERIFY2(back,
                 qPrintable(field.spec.label + QStringLiteral(": ") + text +
                            (back ? QString() : QString::fromStdString(back.error().text()))));
        if (field.spec.kind == FieldKind::number) {
            QCOMPARE(back->index(), field.value.index());
            if (const auto* number = std::get_if<double>(&field.value))
                QVERIFY(std::abs(std::get<double>(*back) - *number) <= 1e-9 * std::abs(*number));
        }
        const Expected<Edit> edit = field.edit(*back);
        QVERIFY(edit);
        QVERIFY2(edit->empty() || field.spec.key == "name", qPrintable(field.spec.label)); // the same value is no change
    }

    void select(const std::vector<ElementRef>& selection) {
        m_panel->setSelection(selection);
        m_panel->refreshNow();
    }
    QWidget* row(const char* key) const { return m_panel->findChild<QWidget*>(QString::fromLatin1(key)); }
    CheckedEdit* edit(const char* key) const { return row(key)->findChild<CheckedEdit*>(); }
    ScrubLabel* labelOf(const char* key) const { return row(key)->findChild<ScrubLabel*>(); }
    ElidedLabel* wordsLabel(const char* key) const {
        for (ElidedLabel* label : row(key)->findChildren<ElidedLabel*>())
            if (!qobject_cast<const ScrubLabel*>(label) && !label->text().isEmpty())
                return label;
        return nullptr;
    }
    QString wordsOf(const char* key) const {
        const ElidedLabel* label = wordsLabel(key);
        return label ? label->text() : QString();
    }
    void press(const char* action) {
        m_panel->refreshNow();
        auto* button = m_panel->findChild<QPushButton*>(QString::fromLatin1(action));
        QVERIFY2(button, action);
        button->click();
        m_panel->refreshNow();
    }
    std::int64_t countOf(const char* id) const { return m_document->project().alternatives[0].findNode(NodeId(id))->count; }
    static WorkloadPreset preset(const std::string& key) {
        for (const WorkloadPreset& candidate : workloadPresets())
            if (candidate.key == key)
                return candidate;
        return {};
    }

    double m_step = 0;
    std::unique_ptr<Document> m_document;
    std::unique_ptr<InspectorPanel> m_panel;
};

QTEST_MAIN(InspectorTest)
#include "inspector_test.moc"
