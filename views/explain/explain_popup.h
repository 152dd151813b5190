// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window that opens a figure: value and band at the top, the tree of what it was computed from below, to be opened down to facts and
// assumptions with arrows and mouse; Ctrl+C copies it as text, Escape closes. It follows the design: a new estimate moves the figures of an open
// explanation. One per main window, not modal. GUI thread.
#pragma once

#include "estimators/live/live_estimator.h"
#include "views/text/figure.h"

#include <QDialog>

class QLabel;
class QTreeView;

namespace cw {

class ExplainModel;

class ExplainPopup : public QDialog {
    Q_OBJECT
public:
    explicit ExplainPopup(QWidget* parent = nullptr);

    void setEstimates(std::shared_ptr<const EstimateSet> estimates);
    /// Opens on this figure, near a point of the screen (null: where it was).
    void explain(const Figure& figure, const QPoint& near = {});
    QString text() const; ///< the whole derivation as plain text
    QTreeView* tree() const { return m_tree; }

public slots:
    void copy() const;
    void expandToFacts();

protected:

private:
    void refresh();
    Figure m_figure;
    std::shared_ptr<const EstimateSet> m_estimates;
    ExplainModel* m_model;
    QLabel* m_name;
    QLabel* m_value;
    QLabel* m_where;
    QTreeView* m_tree;
};

} // namespace cw
