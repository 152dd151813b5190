// SPDX-License-Identifier: GPL-3.0-or-later
//
// The inspector: properties of what is selected, of a workload, or with nothing selected of the project; beneath them what the estimate says and
// the facts with their sources. Changes go through the document; a refresh follows every change once the event loop is reached. GUI thread.
#pragma once

#include "model/io/request_trace.h"
#include "estimators/live/live_estimator.h"
#include "views/inspector/describe.h"
#include "views/inspector/form_view.h"

#include <QWidget>

#include <memory>
#include <optional>

class QLabel;
class QPushButton;
class QTimer;

namespace cw {

class InspectorPanel : public QWidget, private FormHost {
    Q_OBJECT
public:
    InspectorPanel(Document& document, Catalog catalog, QWidget* parent = nullptr);
    ~InspectorPanel() override;

    /// The effective catalog: shipped, user's and project's parts.
    void setCatalog(Catalog catalog);
    void setEstimates(std::shared_ptr<const EstimateSet> estimates);
    void setAlternative(const AlternativeId& alternative);
    /// What is selected on the canvas; a workload may be shown too.
    void setSelection(const std::vector<ElementRef>& selection);
    const std::vector<ElementRef>& selection() const { return m_selection; }

    FormView* form() const { return m_form; }
    QString title() const; ///< "DGX H100 ×64", for the dock
    /// Shows a workload instead of the selection; an empty id goes back to the project.
    void showWorkload(const WorkloadId& workload);
    /// Moves the focus to the name of what is selected.
    void focusName();
    /// Brings the form up to date now rather than when the event loop is reached.
    void refreshNow();

signals:
    void explainRequested(const cw::Figure& figure, const QPoint& near);
    void elementsActivated(const std::vector<cw::ElementRef>& elements); ///< select these and zoom to them
    void editPartRequested(const cw::PartId& part);                      ///< open an own part, or a copy of a shipped one
    void titleChanged(const QString& title);
    void workloadOpened(const cw::WorkloadId& workload); ///< by a click in the inspector

private:
    Document& document() override { return m_document; }
    const Catalog& catalog() const override { return m_catalog; }
    void explain(const Figure& figure) override;

    void apply(const Edit& edit);
    void addWorkload();
    void presetWorkload(const WorkloadId& workload);
    void takeBestPlan(const PlacementId& placement);
    void toggleTrials(const PlacementId& placement);
    void estimateTrials();
    double networkShareOf(const PlacementId& placement) const;
    void chooseTrace(const WorkloadId& workload);
    void takeTrace(const WorkloadId& workload, const QString& name, const Expected<TraceSummary>& trace);
    void refreshSoon();
    const Alternative* alternative() const;
    void showHeader(const Form& form);

    Document& m_document;
    Catalog m_catalog;
    std::shared_ptr<const EstimateSet> m_estimates;
    AlternativeId m_alternative;
    std::vector<ElementRef> m_selection;
    InspectorActions m_actions;
    std::optional<ShownTrials> m_trials;
    std::optional<quint64> m_trialsRevision; ///< of the document they were estimated on
    FormView* m_form;
    QLabel* m_title;
    QLabel* m_subtitle;
    QPushButton* m_back;
    std::function<void()> m_goBack;
    QTimer* m_refreshSoon;
};

} // namespace cw
