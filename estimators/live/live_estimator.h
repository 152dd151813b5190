// SPDX-License-Identifier: GPL-3.0-or-later
//
// Estimates off the GUI thread: snapshot in, results out, newest wins. Lives in the GUI thread. Alternatives whose inputs did not change
// come from the memo, as the same object. A submission replaces one that waits; one that runs is given up between two alternatives,
// but never two in a row, so that figures keep moving while something is dragged. Results older than what is shown are dropped.
//
// Where asked to, it then simulates what it has estimated, as the same revision once more; a newer submission cancels that at once.
#pragma once

#include "estimators/estimate.h"

#include <QObject>

#include <memory>
#include <vector>

namespace cw {

/// Shared, immutable results of one revision.
struct EstimateSet {
    quint64 revision = 0;
    Project project;                                                      ///< the snapshot they belong to
    std::vector<std::shared_ptr<const AlternativeEstimate>> alternatives; ///< in project order
    bool simulated = false;                                               ///< nothing is left to simulate

    const AlternativeEstimate* find(const AlternativeId& id) const;
};

class LiveEstimator : public QObject {
    Q_OBJECT
public:
    /// threads 0: as the machine has, less one for the GUI, at most 4. Results do not depend on it.
    explicit LiveEstimator(Catalog catalog, QObject* parent = nullptr, int threads = 0);
    ~LiveEstimator() override; ///< cancels and waits

    void setCatalog(Catalog catalog);
    /// Refine estimates by simulation once they are delivered. Off at first; takes effect with the next submission.
    void setSimulating(bool on);
    /// Cheap: copies the project; a newer call replaces one that has not started.
    void submit(const Project& project, quint64 revision);
    std::shared_ptr<const EstimateSet> latest() const;
    /// The shown figures belong to an older revision than submitted.
    bool isStale() const;

signals:
    void ready(std::shared_ptr<const cw::EstimateSet> set);
    void staleChanged(bool stale);

private:
    struct Worker;
    void deliver(std::shared_ptr<const EstimateSet> set);
    void setStale(bool stale);

    std::unique_ptr<Worker> m_worker;
    Catalog m_base;
    std::shared_ptr<const EstimateSet> m_latest;
    std::shared_ptr<const Project> m_project; ///< last submitted
    quint64 m_submitted = 0;                  ///< its revision
    bool m_stale = false;
};

} // namespace cw
