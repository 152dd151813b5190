// SPDX-License-Identifier: GPL-3.0-or-later
//
// The strip at the top of the window: figures of the current alternative for the chosen workload, moving while something is dragged. The
// change is told against the baseline; on the baseline itself against the state before the last edit. Figures older than the design are
// dimmed. GUI thread.
#pragma once

#include "estimators/live/live_estimator.h"
#include "views/headline/figure_tile.h"

#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QTimer;

namespace cw {

class Document;

class HeadlineStrip : public QWidget {
    Q_OBJECT
public:
    explicit HeadlineStrip(Document& document, QWidget* parent = nullptr);

    void setEstimates(std::shared_ptr<const EstimateSet> estimates);
    void setAlternative(const AlternativeId& alternative);
    void setStale(bool stale); ///< dims after a moment, so that a quick estimate does not flicker

    WorkloadId workload() const { return m_workload; }
    void setWorkload(const WorkloadId& workload);
    FigureTile* tile(const std::string& key) const;
    BottleneckCard* bottleneckCard() const { return m_card; }

    QSize minimumSizeHint() const override;

signals:
    void explainRequested(const cw::Figure& figure, const QPoint& near);
    void elementsActivated(const std::vector<cw::ElementRef>& elements); ///< select these and zoom to them
    void workloadChanged(const cw::WorkloadId& workload);

private:
    void refresh();
    void refreshWorkloads(const AlternativeEstimate& estimate);
    void refreshTiles(const AlternativeEstimate& estimate);
    const AlternativeEstimate* reference(QString* name) const;

    Document& m_document;
    std::shared_ptr<const EstimateSet> m_estimates;
    std::shared_ptr<const EstimateSet> m_committed;  ///< newest set of a state without preview
    std::shared_ptr<const EstimateSet> m_beforeEdit; ///< what m_committed was when the last edit was made
    AlternativeId m_alternative;
    WorkloadId m_workload;
    QComboBox* m_workloads;
    std::vector<FigureTile*> m_tiles;
    BottleneckCard* m_card;
    QTimer* m_dimSoon;
};

} // namespace cw
