// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window: puts the views round one Document and one LiveEstimator and gives every command its place. It holds no knowledge of clusters;
// data flow one way: Document → LiveEstimator → views, and views push edits into the Document. GUI thread.
#pragma once

#include "estimators/live/live_estimator.h"
#include "model/document/document.h"
#include "views/theme/theme.h"

#include <QMainWindow>

#include <map>
#include <memory>
#include <vector>

class QAction;
class QActionGroup;
class QDockWidget;
class QLabel;
class QStackedWidget;
class QTimer;
class QToolButton;

namespace cw {

class AlternativeTabs;
class CanvasView;
class ChartView;
class CommandSet;
class ExplainPopup;
class FindingsPanel;
class HeadlineStrip;
class HeatView;
class InspectorPanel;
class PartsPanel;
class RacksView;
class StartPage;
enum class ChartKind;
struct Figure;

class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    explicit MainWindow(Catalog catalog, QWidget* parent = nullptr);
    ~MainWindow() override;

    Document& document() { return *m_document; }
    CanvasView& canvas() { return *m_canvas; }

    bool openFile(const QString& path);
    bool openExample(const QString& name);
    void openProject(Project project);
    void showAlternative(const AlternativeId& id);
    void resetLayout(); ///< docks as shipped
    void distributeDocks();
    /// Offers what crashed sessions left behind.
    void offerRecovery();
    /// Whether estimates are refined by simulation in the background; on at first.
    void setSimulating(bool on);
    /// Estimates of the shown revision are on the screen: waits for them (tests, pictures).
    bool waitForEstimate(int milliseconds);

  signals:
    void estimatesShown();

  protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    // Building (main_window.cpp)
    void buildCentre();
    void buildDocks();
    void buildStatusBar();
    void connectViews();
    // Commands (main_window_commands.cpp)
    void buildCommands();
    void buildFileCommands();
    void buildEditCommands();
    void buildViewCommands();
    void openPalette(bool elementsOnly);
    void showKeys();
    void showAbout();
    // Files (main_window_files.cpp)
    bool keepChanges();
    void newProject();
    void chooseFile();
    bool save();
    void showOpened();
    QString suggestedPath() const;
    bool saveAs();
    void exportAs(int kind, const QString& title);
    void reportFailure(const QString& title, const QString& text);

    void submit();
    void showEstimates(std::shared_ptr<const EstimateSet> set);
    void feedCharts();
    void applyTheme(ThemeChoice choice);
    void restyle();
    void updateTitle();
    void updateStatus();
    void showPage();
    void setCanvasPage(int page);
    void selectElements(const std::vector<ElementRef>& elements);
    void explain(const Figure& figure, const QPoint& near);

    Catalog m_baseCatalog;
    std::unique_ptr<Document> m_document;
    std::unique_ptr<LiveEstimator> m_live;
    std::shared_ptr<const EstimateSet> m_estimates;
    CommandSet* m_commands = nullptr;

    QStackedWidget* m_pages = nullptr;  ///< start page, designer
    QStackedWidget* m_centre = nullptr; ///< topology, racks, heat
    StartPage* m_start = nullptr;
    HeadlineStrip* m_headline = nullptr;
    AlternativeTabs* m_tabs = nullptr;
    CanvasView* m_canvas = nullptr;
    RacksView* m_racks = nullptr;
    HeatView* m_heat = nullptr;
    PartsPanel* m_parts = nullptr;
    InspectorPanel* m_inspector = nullptr;
    FindingsPanel* m_findings = nullptr;
    ExplainPopup* m_explain = nullptr;
    std::vector<ChartView*> m_charts;
    std::map<ChartKind, QDockWidget*> m_chartDocks;
    bool m_firstLook = true; ///< at the project that was just opened
    std::vector<QDockWidget*> m_docks;
    QAction* m_stagesShown = nullptr; ///< the layer of the chosen pipeline
    QActionGroup* m_themeGroup = nullptr;
    QActionGroup* m_pageGroup = nullptr;
    QLabel* m_selectionLabel = nullptr;
    QToolButton* m_findingsLabel = nullptr;
    QLabel* m_estimateLabel = nullptr;
    QByteArray m_defaultLayout;
    QString m_shownPartsHash;
    bool m_started = false;
    bool m_distributed = false; ///< the shipped layout was fitted to the size of the window
};

} // namespace cw
