// SPDX-License-Identifier: GPL-3.0-or-later
//
// Estimates off the GUI thread: snapshot in, results out, newest wins. Lives in the GUI thread. Alternatives whose inputs did not change
// come from the memo. Results older than what was last submitted are dropped.
#pragma once

#include "estimators/estimate.h"

#include <QObject>

#include <memory>
#include <vector>

namespace cw {

/// Shared, immutable results of one revision.
struct EstimateSet {
    quint64 revision = 0;
    Project project; ///< the snapshot they belong to
    std::vector<std::shared_ptr<const AlternativeEstimate>> alternatives; ///< in project order

    const AlternativeEstimate* find(const AlternativeId& id) const;
};

class LiveEstimator : public QObject {
    Q_OBJECT
  public:
    explicit LiveEstimator(Catalog catalog, QObject* parent = nullptr);
    ~LiveEstimator() override; ///< cancels and waits

    void setCatalog(Catalog catalog);
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
    std::unique_ptr<Worker> m_worker;
};

} // namespace cw
