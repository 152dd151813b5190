// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/main_window.h"

#include "app/command_set.h"
#include "app/preferences.h"
#include "app/start_page.h"
#include "app/user_files.h"
#include "views/alternatives/alternative_tabs.h"
#include "views/canvas/canvas_view.h"
#include "views/documents/themed_plots.h"
#include "views/explain/explain_popup.h"
#include "views/findings/findings_panel.h"
#include "views/headline/headline_strip.h"
#include "views/inspector/inspector_panel.h"
#include "views/parts/parts_panel.h"
#include "views/plots/chart_view.h"
#include "views/racks/heat_view.h"
#include "views/racks/racks_view.h"
#include "views/text/quantity_text.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyle>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace cw {

namespace {

QDockWidget* makeDock(QMainWindow* window, const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, window);
    dock->setObjectName(name);
    dock->setWidget(content);
    window->addDockWidget(area, dock);
    return dock;
}

QString machinesText(qint64 count) { return count == 1 ? MainWindow::tr("1 machine") : MainWindow::tr("%L1 machines").arg(count); }

/// The chart's own head is the title bar, so that name, menu and the frame's button share one row.
void showHeadAsTitle(QDockWidget* dock, ChartView* chart)
{
    auto* detach = new QToolButton;
    detach->setAutoRaise(true);
    detach->setIcon(dock->style()->standardIcon(QStyle::SP_TitleBarNormalButton, nullptr, dock));
    detach->setIconSize({12, 12});
    detach->setAccessibleName(MainWindow::tr("Detach or put back"));
    detach->setToolTip(detach->accessibleName());
    QObject::connect(detach, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    chart->addTool(detach);
    dock->setTitleBarWidget(chart->head());
}

} // namespace

MainWindow::MainWindow(Catalog catalog, QWidget* parent)
    : QMainWindow(parent), m_baseCatalog(std::move(catalog)), m_document(std::make_unique<Document>()),
      m_live(std::make_unique<LiveEstimator>(m_baseCatalog)), m_commands(new CommandSet(this))
{
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    buildCentre();
    buildDocks();
    buildStatusBar();
    connectViews();
    buildCommands();
    m_commands->fill(*menuBar());
    m_defaultLayout = saveState();
    const QSize room = screen()->availableSize();
    resize(std::min(1600, room.width() - 40), std::min(1000, room.height() - 60));
    if (const QByteArray geometry = preferences::geometry.get(); !geometry.isEmpty())
        restoreGeometry(geometry);
    if (const QByteArray layout = preferences::layout.get(); !layout.isEmpty())
        restoreState(layout);
    restyle();
    updateTitle();
    showPage();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCentre()
{
    m_start = new StartPage(shippedExamples());
    m_headline = new HeadlineStrip(*m_document);
    m_tabs = new AlternativeTabs(*m_document);
    m_canvas = new CanvasView(*m_document, m_baseCatalog);
    m_racks = new RacksView(*m_document, m_baseCatalog);
    m_heat = new HeatView(*m_document, m_baseCatalog);
    m_centre = new QStackedWidget;
    m_centre->addWidget(m_canvas);
    m_centre->addWidget(m_racks);
    m_centre->addWidget(m_heat);

    auto* pills = new QHBoxLayout;
    pills->setContentsMargins(0, 0, 8, 0);
    pills->setSpacing(4);
    m_pageGroup = new QActionGroup(this);
    const QString names[] = {tr("Topology"), tr("Racks"), tr("Heat")};
    for (int page = 0; page < 3; ++page) {
        auto* action = new QAction(names[page], m_pageGroup);
        action->setCheckable(true);
        action->setChecked(page == 0);
        connect(action, &QAction::triggered, this, [this, page] { setCanvasPage(page); });
        auto* pill = new QToolButton;
        pill->setObjectName(QStringLiteral("pagePill%1").arg(page));
        pill->setProperty("class", QStringLiteral("pill"));
        pill->setDefaultAction(action);
        pill->setToolButtonStyle(Qt::ToolButtonTextOnly);
        pills->addWidget(pill);
    }
    auto* top = new QHBoxLayout;
    top->setContentsMargins(4, 4, 0, 0);
    top->addWidget(m_tabs, 1);
    top->addLayout(pills);

    auto* designer = new QWidget;
    auto* layout = new QVBoxLayout(designer);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(top);
    layout->addWidget(m_centre, 1);

    m_pages = new QStackedWidget;
    m_pages->addWidget(m_start);
    m_pages->addWidget(designer);
    setCentralWidget(m_pages);

    auto* bar = new QToolBar(tr("Headline"));
    bar->setObjectName(QStringLiteral("headlineBar"));
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->addWidget(m_headline);
    addToolBar(Qt::TopToolBarArea, bar);
}

void MainWindow::buildDocks()
{
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_parts = new PartsPanel(*m_document, m_baseCatalog);
    m_inspector = new InspectorPanel(*m_document, m_baseCatalog);
    m_findings = new FindingsPanel(*m_document);
    m_explain = new ExplainPopup(this);
    auto* parts = makeDock(this, QStringLiteral("partsDock"), tr("Parts"), m_parts, Qt::LeftDockWidgetArea);
    auto* inspector = makeDock(this, QStringLiteral("inspectorDock"), tr("Inspector"), m_inspector, Qt::RightDockWidgetArea);
    auto* findings = makeDock(this, QStringLiteral("findingsDock"), tr("Findings"), m_findings, Qt::RightDockWidgetArea);
    m_docks = {parts, inspector, findings};

    // Three columns of tabbed charts. All columns are split before anything is tabbed: splitting a tabbed dock adds a tab.
    const auto chartDock = [this](ChartKind kind) {
        auto* chart = new ChartView(kind);
        m_charts.push_back(chart);
        m_docks.push_back(makeDock(this, QStringLiteral("chartDock%1").arg(static_cast<int>(kind)), chartShortTitle(kind), chart, Qt::BottomDockWidgetArea));
        m_chartDocks[kind] = m_docks.back();
        showHeadAsTitle(m_docks.back(), chart);
        return m_docks.back();
    };
    QDockWidget* first[3] = {chartDock(ChartKind::costLatency), chartDock(ChartKind::timeParts), chartDock(ChartKind::latencyLoad)};
    splitDockWidget(first[0], first[1], Qt::Horizontal);
    splitDockWidget(first[1], first[2], Qt::Horizontal);
    // Three in a column: so many tabs have room at 1280 pixels.
    for (ChartKind kind : {ChartKind::dayLoad, ChartKind::rackMargin})
        tabifyDockWidget(first[0], chartDock(kind));
    for (ChartKind kind : {ChartKind::power, ChartKind::cost})
        tabifyDockWidget(first[1], chartDock(kind));
    for (ChartKind kind : {ChartKind::distribution, ChartKind::linkLoads})
        tabifyDockWidget(first[2], chartDock(kind));
    for (QDockWidget* dock : first)
        dock->raise();
}

void MainWindow::buildStatusBar()
{
    m_selectionLabel = new QLabel;
    m_findingsLabel = new QToolButton;
    m_findingsLabel->setAutoRaise(true);
    m_estimateLabel = new QLabel;
    statusBar()->addWidget(m_selectionLabel, 1);
    statusBar()->addPermanentWidget(m_findingsLabel);
    statusBar()->addPermanentWidget(m_estimateLabel);
}

void MainWindow::connectViews()
{
    connect(m_document.get(), &Document::changed, this, &MainWindow::submit);
    connect(m_document.get(), &Document::previewChanged, this, &MainWindow::submit);
    connect(m_document.get(), &Document::resetDone, this, &MainWindow::submit);
    connect(m_document.get(), &Document::stateChanged, this, &MainWindow::updateTitle);
    connect(&m_document->undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::updateTitle);
    m_live->setSimulating(true);
    connect(m_live.get(), &LiveEstimator::ready, this, &MainWindow::showEstimates);
    connect(m_live.get(), &LiveEstimator::staleChanged, this, [this](bool stale) {
        m_headline->setStale(stale);
        updateStatus();
    });
    connect(m_tabs, &AlternativeTabs::currentChanged, this, &MainWindow::showAlternative);
    connect(m_headline, &HeadlineStrip::workloadChanged, this, &MainWindow::feedCharts);
    connect(m_headline, &HeadlineStrip::explainRequested, this, &MainWindow::explain);
    connect(m_headline, &HeadlineStrip::elementsActivated, this, &MainWindow::selectElements);
    connect(m_findings, &FindingsPanel::elementsActivated, this, &MainWindow::selectElements);
    connect(m_canvas, &CanvasView::statusChanged, this, [this](const QString& text) { statusBar()->showMessage(text); });
    connect(m_inspector, &InspectorPanel::explainRequested, this, &MainWindow::explain);
    connect(m_inspector, &InspectorPanel::elementsActivated, this, &MainWindow::selectElements);
    connect(m_inspector, &InspectorPanel::workloadOpened, m_headline, &HeadlineStrip::setWorkload);
    connect(m_inspector, &InspectorPanel::editPartRequested, this, [this](const PartId& part) {
        const Catalog catalog = effectiveCatalog(m_document->project(), m_baseCatalog);
        const Catalog::Entry* entry = catalog.findEntry(part);
        entry && entry->layer == CatalogLayer::project ? m_parts->editOwnPart(part) : m_parts->newOwnPartFrom(part);
    });
    connect(m_findings, &FindingsPanel::countsChanged, this, &MainWindow::updateStatus);
    connect(m_canvas, &CanvasView::selectionChanged, this, [this](const std::vector<ElementRef>& selection) {
        m_inspector->setSelection(selection);
        m_racks->select(selection);
        updateStatus();
    });
    connect(m_racks, &RacksView::selectionChanged, this, [this](const std::vector<ElementRef>& selection) {
        m_canvas->select(selection, false);
        m_inspector->setSelection(selection);
    });
    connect(m_parts, &PartsPanel::partActivated, this, [this](const PartId& part) {
        setCanvasPage(0);
        m_canvas->insertPart(part);
        m_parts->noteUsed(part);
        m_canvas->setFocus();
    });
    for (ChartView* chart : m_charts) {
        connect(chart, &ChartView::alternativeActivated, this, &MainWindow::showAlternative);
        connect(chart, &ChartView::elementsActivated, this, &MainWindow::selectElements);
    }
    connect(m_findingsLabel, &QToolButton::clicked, this, [this] {
        m_docks[2]->show();
        m_docks[2]->raise();
    });
    connect(m_start, &StartPage::newProject, this, &MainWindow::newProject);
    connect(m_start, &StartPage::openFile, this, &MainWindow::chooseFile);
    connect(m_start, &StartPage::fileChosen, this, &MainWindow::openFile);
    connect(m_start, &StartPage::exampleChosen, this, &MainWindow::openExample);
    connect(&ThemeSource::instance(), &ThemeSource::changed, this, &MainWindow::restyle);
}

void MainWindow::submit()
{
    // Own parts change the catalog that palette, canvas and inspector look things up in.
    std::string parts;
    for (const OwnPart& part : m_document->project().parts)
        parts += part.id.value + part.json;
    if (const QString hash = QString::fromStdString(parts); hash != m_shownPartsHash) {
        m_shownPartsHash = hash;
        const Catalog catalog = effectiveCatalog(m_document->project(), m_baseCatalog);
        m_parts->setCatalog(catalog);
        m_inspector->setCatalog(catalog);
        m_canvas->setCatalog(catalog);
        m_racks->setCatalog(catalog);
        m_heat->setCatalog(catalog);
    }
    if (ChartView* chart = m_charts.front(); chart->isTracing() != m_document->hasPreview())
        chart->setTracing(m_document->hasPreview());
    m_live->submit(m_document->effective(), m_document->revision());
    updateStatus();
}

void MainWindow::showEstimates(std::shared_ptr<const EstimateSet> set)
{
    m_estimates = std::move(set);
    m_headline->setEstimates(m_estimates);
    m_findings->setEstimates(m_estimates);
    m_inspector->setEstimates(m_estimates);
    m_explain->setEstimates(m_estimates);
    for (const auto& estimate : m_estimates->alternatives)
        if (estimate && estimate->id == m_tabs->current()) {
            m_canvas->setEstimate(estimate, false);
            m_racks->setEstimate(estimate, false);
            m_heat->setEstimate(estimate, false);
        }
    feedCharts();
    updateStatus();
    emit estimatesShown();
}

void MainWindow::feedCharts()
{
    const ChartInput input{m_estimates, m_headline->workload(), m_tabs->current(), m_live->isStale()};
    for (ChartView* chart : m_charts)
        chart->setInput(input);
    m_canvas->showStages(m_stagesShown && m_stagesShown->isChecked() ? input.workload : WorkloadId());
    // Work that does not arrive as requests has no curve of load; its links say more.
    if (m_firstLook && m_estimates) {
        m_firstLook = false;
        m_chartDocks[curveData(input).curves.empty() ? ChartKind::linkLoads : ChartKind::latencyLoad]->raise();
    }
}

void MainWindow::showAlternative(const AlternativeId& id)
{
    m_tabs->setCurrent(id);
    m_canvas->setAlternative(id);
    m_racks->setAlternative(id);
    m_heat->setAlternative(id);
    m_headline->setAlternative(id);
    m_findings->setAlternative(id);
    m_inspector->setAlternative(id);
    if (m_estimates)
        showEstimates(m_estimates);
}

void MainWindow::restyle()
{
    const PlotStyle style = plotStyle(theme());
    for (ChartView* chart : m_charts)
        chart->setStyle(style);
}

void MainWindow::applyTheme(ThemeChoice choice)
{
    preferences::theme.set(choice == ThemeChoice::dark ? QStringLiteral("dark") : choice == ThemeChoice::light ? QStringLiteral("light") : QStringLiteral("system"));
    ThemeSource::instance().choose(choice);
}

void MainWindow::updateTitle()
{
    if (!m_started) {
        setWindowTitle(QStringLiteral("Clusterwright"));
        return;
    }
    const QString title = QString::fromStdString(m_document->project().meta.title);
    const QString file = !m_document->path().isEmpty() ? QFileInfo(m_document->path()).fileName() : title.isEmpty() ? tr("untitled") : title;
    const QString readOnly = m_document->readOnly() ? tr(" (read-only: written by a newer version)") : QString();
    setWindowTitle(QStringLiteral("%1[*]%2 — Clusterwright").arg(file, readOnly));
    setWindowModified(m_document->isModified());
}

void MainWindow::updateStatus()
{
    QString selection;
    const Alternative* alternative = m_document->project().findAlternative(m_tabs->current());
    if (const auto chosen = m_canvas->selection(); !chosen.empty() && alternative) {
        qint64 machines = 0;
        double watts = 0;
        const AlternativeEstimate* estimate = m_estimates ? m_estimates->find(m_tabs->current()) : nullptr;
        for (const ElementRef& ref : chosen) {
            const Node* node = ref.kind == ElementKind::node ? alternative->findNode(NodeId(ref.id)) : nullptr;
            machines += node ? node->count : 0;
            if (estimate && node)
                for (const NodePower& power : estimate->power.nodes)
                    if (power.node == node->id)
                        watts += power.expected.value;
        }
        selection = tr("%n selected", nullptr, static_cast<int>(chosen.size()));
        if (machines)
            selection += QStringLiteral(" · ") + machinesText(machines) + tr(" · %1 expected").arg(quantityText(watts, Unit::watts));
    } else if (alternative) {
        qint64 machines = 0;
        for (const Node& node : alternative->nodes)
            machines += node.count;
        const auto stacks = alternative->nodes.size(), links = alternative->links.size();
        selection = QStringList{stacks == 1 ? tr("1 stack") : tr("%1 stacks").arg(stacks), machinesText(machines),
                                links == 1 ? tr("1 link") : tr("%1 links").arg(links)}
                        .join(QStringLiteral(" · "));
    }
    m_selectionLabel->setText(selection);
    m_findingsLabel->setText(m_findings->summary());
    m_estimateLabel->setText(!m_estimates ? QString() : m_live->isStale() ? tr("estimating …") : tr("estimate up to date"));
}

void MainWindow::showPage()
{
    const bool designing = m_started;
    if (!designing)
        m_start->setRecentFiles(preferences::recentFiles());
    m_pages->setCurrentIndex(designing ? 1 : 0);
    findChild<QToolBar*>(QStringLiteral("headlineBar"))->setVisible(designing);
    for (QDockWidget* dock : m_docks) {
        if (!designing) {
            if (!dock->property("wasHidden").isValid())
                dock->setProperty("wasHidden", dock->isHidden());
            dock->hide();
        } else if (dock->property("wasHidden").isValid()) {
            dock->setVisible(!dock->property("wasHidden").toBool());
            dock->setProperty("wasHidden", {});
        }
    }
    if (designing && preferences::layout.get().isEmpty() && !m_distributed) {
        m_distributed = true;
        QTimer::singleShot(0, this, &MainWindow::distributeDocks); // once the docks have their place
    }
}

void MainWindow::distributeDocks()
{
    const auto dock = [this](const char* name) { return findChild<QDockWidget*>(QString::fromLatin1(name)); };
    QDockWidget* charts[] = {dock("chartDock0"), dock("chartDock2"), dock("chartDock1")};
    const int column = std::max(200, (width() - 520) / 3);
    resizeDocks({dock("partsDock"), dock("inspectorDock")}, {220, 290}, Qt::Horizontal);
    resizeDocks({charts[0], charts[1], charts[2]}, {column, column, column}, Qt::Horizontal);
    resizeDocks({dock("inspectorDock"), dock("findingsDock")}, {height() * 5 / 9, height() * 4 / 9}, Qt::Vertical);
    resizeDocks({charts[0]}, {height() * 28 / 100}, Qt::Vertical);
}

void MainWindow::resetLayout()
{
    preferences::layout.reset();
    restoreState(m_defaultLayout);
    showPage();
    if (m_started)
        distributeDocks();
}

void MainWindow::setCanvasPage(int page)
{
    m_centre->setCurrentIndex(page);
    m_pageGroup->actions().at(page)->setChecked(true);
}

void MainWindow::selectElements(const std::vector<ElementRef>& elements)
{
    if (elements.empty())
        return;
    const ElementRef& first = elements.front();
    if (!first.alternative.empty() && first.alternative != m_tabs->current())
        showAlternative(first.alternative);
    const bool onlyRacks = std::all_of(elements.begin(), elements.end(), [](const ElementRef& r) { return r.kind == ElementKind::rack; });
    setCanvasPage(onlyRacks ? 1 : 0);
    m_canvas->select(elements, true);
    m_racks->select(elements);
    m_inspector->setSelection(elements);
}

void MainWindow::explain(const Figure& figure, const QPoint& near) { m_explain->explain(figure, near); }

void MainWindow::setSimulating(bool on) { m_live->setSimulating(on); }

bool MainWindow::waitForEstimate(int milliseconds)
{
    QElapsedTimer timer;
    timer.start();
    while (!m_estimates || m_estimates->revision != m_document->revision()) {
        if (timer.elapsed() > milliseconds)
            return false;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    }
    return true;
}

} // namespace cw
