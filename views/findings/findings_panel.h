// SPDX-License-Identifier: GPL-3.0-or-later
//
// The findings of the current alternative. A click selects and zooms to what is meant, a button makes the proposed change, which can be
// taken back from the notice that follows. GUI thread.
#pragma once

#include "estimators/live/live_estimator.h"

#include <QWidget>

#include <memory>

class QLabel;
class QListView;

namespace cw {

class Document;
class FindingDelegate;
class FindingsModel;

class FindingsPanel : public QWidget {
    Q_OBJECT
public:
    explicit FindingsPanel(Document& document, QWidget* parent = nullptr);

    void setEstimates(std::shared_ptr<const EstimateSet> estimates);
    void setAlternative(const AlternativeId& alternative);

    QListView* list() const { return m_list; }
    /// Where the button of a row is, in the viewport of list(); empty when it has none.
    QRect fixRect(int row) const;
    QString summary() const;           ///< "1 error, 2 warnings"
    std::array<int, 3> counts() const; ///< by Severity, for a badge or the status bar

public slots:
    void applyFix(int row);

signals:
    void elementsActivated(const std::vector<cw::ElementRef>& elements); ///< select these and zoom to them
    void countsChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void activate(const QModelIndex& index);
    void showMenu(const QPoint& at);
    bool handleMouse(QEvent* event);
    QModelIndex fixAt(const QPoint& at) const;

    Document& m_document;
    std::shared_ptr<const EstimateSet> m_estimates;
    AlternativeId m_alternative;
    FindingsModel* m_model;
    FindingDelegate* m_delegate;
    QLabel* m_summary;
    QLabel* m_nothing;
    QListView* m_list;
};

} // namespace cw
