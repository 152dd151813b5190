// SPDX-License-Identifier: GPL-3.0-or-later
//
// One chart on the screen: its head (title, a menu to copy or save) and the plot. The head can serve as the title bar of a dock. Where the
// axes can be chosen, a click on their name does it. GUI thread. It redraws when it is given estimates and visible; a hidden chart waits.
#pragma once

#include "views/plots/chart_painter.h"

#include <QWidget>

#include <optional>

class QCustomPlot;
class QHBoxLayout;
class QMenu;
class QMouseEvent;
class QTimer;
class QToolButton;

namespace cw {

class ChartView : public QWidget {
    Q_OBJECT
  public:
    explicit ChartView(ChartKind kind, QWidget* parent = nullptr);

    ChartKind kind() const { return m_kind; }
    const ChartOptions& options() const { return m_options; }
    void setInput(const ChartInput& input);
    void setStyle(const PlotStyle& style);
    /// While on, marks of chart 1 leave a pale trace; off clears it a little later.
    void setTracing(bool on);
    bool isTracing() const { return m_tracing; }
    /// The row above the plot, for a frame that shows it in its own place; the chart keeps filling it.
    QWidget* head() const { return m_head; }
    /// Adds a tool of that frame to the head.
    void addTool(QWidget* tool);
    std::vector<ChartAxis> axes(bool vertical) const; ///< those that can be chosen now
    void chooseAxis(bool vertical, ChartAxis axis);
    void chooseAspect(DayAspect aspect); ///< of the load over the day
    void chooseAspect(SpreadAspect aspect); ///< of the distribution
    QString csv() const;
    bool saveTo(const QString& path, QString* reason) const; ///< .png, .svg, .pdf or .csv

  signals:
    void alternativeActivated(const cw::AlternativeId& id);
    void elementsActivated(const std::vector<cw::ElementRef>& elements);

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void settleAxes();
    void fillAxisMenu(QMenu* menu, bool vertical);
    std::optional<bool> axisNameAt(const QPointF& at) const; ///< true: the vertical one
    void wantStudy();
    void startStudy();
    QString dayText(const QPointF& at) const;
    QString occupancyText() const;
    void redraw();
    void press(const QPointF& at);
    void hover(const QPointF& at);
    void save();
    void copyPicture();

    ChartKind m_kind;
    ChartInput m_input;
    ChartOptions m_options;
    std::optional<PlotStyle> m_style;
    bool m_axisChosen = false;
    bool m_tracing = false;
    bool m_dirty = true;
    QToolButton* m_choice = nullptr; ///< says and chooses what the distribution is of
    QTimer* m_studyTimer = nullptr; ///< a study waits until edits pause
    bool m_studyRuns = false;
    quint64 m_studyOf = 0;          ///< counts inputs and aspects, so that an old study is not shown for a new design
    QWidget* m_head;
    QHBoxLayout* m_tools;
    QCustomPlot* m_plot;
};

} // namespace cw
