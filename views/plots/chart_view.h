// SPDX-License-Identifier: GPL-3.0-or-later
//
// One chart on the screen: title, axis choice where there is one, a menu to copy, save or detach, and the plot. GUI thread. It redraws
// when it is given estimates and visible; a hidden chart waits.
#pragma once

#include "views/plots/chart_painter.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QCustomPlot;
class QLabel;
class QMouseEvent;
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
    /// Off where the frame around the chart already names it.
    void setTitleVisible(bool visible);
    QString csv() const;
    bool saveTo(const QString& path, QString* reason) const; ///< .png, .svg, .pdf or .csv

  signals:
    void alternativeActivated(const cw::AlternativeId& id);
    void elementsActivated(const std::vector<cw::ElementRef>& elements);

  protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void fillAxes();
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
    QLabel* m_title;
    QComboBox* m_x;
    QComboBox* m_y;
    QToolButton* m_menu;
    QCustomPlot* m_plot;
};

} // namespace cw
