// SPDX-License-Identifier: GPL-3.0-or-later
//
// Panels in both themes at the widths of docks on a small screen: they fit, they paint something, and nothing warns. With CW_PICTURES set to a folder
// the pictures are kept there to be looked at.
#include "model/document/document.h"
#include "tests/views/panel_scene.h"
#include "views/explain/explain_popup.h"
#include "views/findings/findings_panel.h"
#include "views/headline/headline_strip.h"
#include "views/inspector/inspector_panel.h"
#include "views/inspector/workload_presets.h"
#include "views/parts/own_part_dialog.h"
#include "views/parts/part_chooser.h"
#include "views/parts/part_library.h"
#include "views/parts/parts_panel.h"
#include "views/theme/theme.h"
#include "views/widgets/toast.h"

#include <QDir>
#include <QLineEdit>
#include <QScrollBar>
#include <QSet>
#include <QSettings>
#include <QTest>

using namespace cw;

class PanelLookTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QCoreApplication::setOrganizationName(QStringLiteral("cw-test"));
        QCoreApplication::setApplicationName(QStringLiteral("panel-look"));
        QSettings().clear();
    }

    void init() {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support)"))); // the offscreen platform says so of itself
        m_document = std::make_unique<Document>();
        Project project = test::panelProject();
        project.alternatives[0].nodes[0].name = "A stack of machines with a name that nobody would type twice";
        project.workloads.push_back(workloadFrom(workloadPresets().back(), project));
        m_document->reset(project);
        m_estimates = test::panelEstimates(project, m_document->revision(), 1.3);
    }

    void panels_data() {
        QTest::addColumn<QString>("panel");
        QTest::addColumn<int>("width");
        for (const char* panel : {"parts", "search", "node", "nodes", "link", "rack", "frame", "project", "training", "serving",
                                  "stages", "findings"})
            for (const int width : {210, 290})
                QTest::addRow("%s %d", panel, width) << QString::fromLatin1(panel) << width;
    }
    void panels() {
        QFETCH(QString, panel);
        QFETCH(int, width);
        for (const ThemeChoice choice : {ThemeChoice::light, ThemeChoice::dark}) {
            ThemeSource::instance().choose(choice);
            const std::unique_ptr<QWidget> widget = make(panel);
            QVERIFY2(widget->minimumSizeHint().width() <= 210, qPrintable(QString::number(widget->minimumSizeHint().width())));
            widget->resize(width, panel == QStringLiteral("findings") ? 420 : 860);
            judge(*widget,
                  QStringLiteral("%1-%2-%3")
                      .arg(panel, choice == ThemeChoice::dark ? QStringLiteral("dark") : QStringLiteral("light"))
                      .arg(width));
        }
    }

    void headline() {
        for (const ThemeChoice choice : {ThemeChoice::light, ThemeChoice::dark}) {
            ThemeSource::instance().choose(choice);
            for (const int width : {1280, 1600}) {
                HeadlineStrip strip(*m_document);
                strip.setAlternative(AlternativeId("other"));
                strip.setEstimates(m_estimates);
                strip.resize(width, strip.sizeHint().height());
                judge(strip,
                      QStringLiteral("headline-%1-%2")
                          .arg(choice == ThemeChoice::dark ? QStringLiteral("dark") : QStringLiteral("light"))
                          .arg(width));
            }
        }
    }

    void explainAndDialogs() {
        for (const ThemeChoice choice : {ThemeChoice::light, ThemeChoice::dark}) {
            ThemeSource::instance().choose(choice);
            const QString suffix = choice == ThemeChoice::dark ? QStringLiteral("-dark") : QStringLiteral("-light");
            ExplainPopup popup;
            popup.setEstimates(m_estimates);
            popup.explain(figureOf(AlternativeId("base"), WorkloadId("train"), "step"));
            popup.expandToFacts();
            judge(popup, QStringLiteral("explain") + suffix);
            PartChooser chooser(shippedCatalog(), {"server"}, PartId("dgx_h100"), tr("none given"), nullptr);
            chooser.setAttribute(Qt::WA_DeleteOnClose, false);
            chooser.resize(330, 420);
            judge(chooser, QStringLiteral("chooser") + suffix);
            QWidget window;
            window.resize(500, 120);
            Toast::post(&window, tr("Done: Double the cables: 8 lanes"), tr("Undo"), [] {});
            judge(window, QStringLiteral("toast") + suffix);
            OwnPartDialog* dialog = OwnPartDialog::create(*m_document, shippedCatalog(), PartId("dgx_h100"), nullptr);
            judge(*dialog, QStringLiteral("own-part") + suffix);
            dialog->close();
        }
    }

private:
    std::unique_ptr<QWidget> make(const QString& panel) {
        if (panel == QStringLiteral("parts") || panel == QStringLiteral("search")) {
            auto parts = std::make_unique<PartsPanel>(*m_document, shippedCatalog());
            parts->library().setFavourite(PartId("dgx_h100"), true);
            if (panel == QStringLiteral("search"))
                parts->findChild<QLineEdit*>()->setText(QStringLiteral("gpu>=80GB 400G"));
            return parts;
        }
        if (panel == QStringLiteral("findings")) {
            auto findings = std::make_unique<FindingsPanel>(*m_document);
            findings->setAlternative(AlternativeId("base"));
            findings->setEstimates(m_estimates);
            return findings;
        }
        auto inspector = std::make_unique<InspectorPanel>(*m_document, shippedCatalog());
        inspector->setAlternative(AlternativeId("base"));
        inspector->setEstimates(m_estimates);
        inspector->setSelection(selectionFor(panel));
        inspector->refreshNow();
        return inspector;
    }

    std::vector<ElementRef> selectionFor(const QString& panel) const {
        const AlternativeId base("base");
        const std::map<QString, std::vector<ElementRef>> selections{
            {QStringLiteral("node"), {{ElementKind::node, base, "dgx"}}},
            {QStringLiteral("nodes"), {{ElementKind::node, base, "leaf"}, {ElementKind::node, base, "spine"}}},
            {QStringLiteral("link"), {{ElementKind::link, base, "uplinks"}}},
            {QStringLiteral("rack"), {{ElementKind::rack, base, "row"}}},
            {QStringLiteral("frame"), {{ElementKind::frame, base, "pod"}}},
            {QStringLiteral("training"), {{ElementKind::workload, {}, "train"}}},
            {QStringLiteral("serving"), {{ElementKind::workload, {}, "chat"}}},
            {QStringLiteral("stages"), {{ElementKind::workload, {}, "pipeline"}}},
        };
        const auto found = selections.find(panel);
        return found == selections.end() ? std::vector<ElementRef>() : found->second;
    }

    /// It shows, in more than a colour or two, and keeps a picture where one is wanted.
    void judge(QWidget& widget, const QString& name) {
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        QCoreApplication::processEvents();
        const QImage picture = widget.grab().toImage();
        QSet<QRgb> colours;
        for (int y = 0; y < picture.height(); y += 3)
            for (int x = 0; x < picture.width(); x += 3)
                colours.insert(picture.pixel(x, y));
        QVERIFY2(colours.size() > 8, qPrintable(name));
        const QString folder = qEnvironmentVariable("CW_PICTURES");
        if (!folder.isEmpty())
            QVERIFY(picture.save(QDir(folder).filePath(name + QStringLiteral(".png"))));
    }

    std::unique_ptr<Document> m_document;
    std::shared_ptr<const EstimateSet> m_estimates;
};

QTEST_MAIN(PanelLookTest)
#include "panel_look_test.moc"
