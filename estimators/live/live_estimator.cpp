// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/live/live_estimator.h"

#include "estimators/live/estimate_memo.h"
#include "estimators/simulation/simulate.h"

#include <QMetaObject>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace cw {

const AlternativeEstimate* EstimateSet::find(const AlternativeId& id) const {
    for (const auto& estimate : alternatives) {
        if (estimate && estimate->id == id)
            return estimate.get();
    }
    return nullptr;
}

namespace {

bool isSimulated(const AlternativeEstimate& estimate) {
    return std::any_of(estimate.workloads.begin(), estimate.workloads.end(), [](const WorkloadEstimate& w) { return w.simulated.has_value(); });
}

bool wantsSimulation(const EstimateMemo::Result& estimate) { return estimate && canSimulate(*estimate) && !isSimulated(*estimate); }

} // namespace

/// The threads and what they share. Everything below the mutex is guarded by it.
struct LiveEstimator::Worker {
    struct Job {
        quint64 revision = 0;
        std::shared_ptr<const Project> project;
        Catalog catalog;
        std::vector<EstimateMemo::Result> results;
        std::size_t next = 0, done = 0; ///< alternatives taken and finished
        bool mustFinish = false;        ///< the one before it was given up
    };
    /// What was delivered and is being simulated. Cancelling is final: whoever works on it lets go.
    struct Refinement {
        std::shared_ptr<const Project> project;
        Catalog catalog;
        std::shared_ptr<EstimateSet> set; ///< what will be delivered
        std::size_t next = 0, done = 0;
        bool better = false; ///< something was simulated
        std::atomic<bool> cancelled = false;
    };
    using Deliver = std::function<void(std::shared_ptr<const EstimateSet>)>;

    Worker(int threads, Deliver deliver);
    ~Worker();

    void submit(std::shared_ptr<const Project> project, quint64 revision, const Catalog& base);
    void setSimulating(bool on);

private:
    bool canStart() const { return m_pending && (!m_running || !m_running->mustFinish); }
    bool canWork() const { return m_running && m_running->next < m_running->results.size(); }
    bool canRefine() const { return m_refinement && m_refinement->next < m_refinement->set->alternatives.size(); }
    void start();
    void finish();
    void loop();
    void cancelRefinement();
    void refineNext(const std::shared_ptr<Refinement>& job, std::unique_lock<std::mutex>& lock);
    void estimateNext(const std::shared_ptr<Job>& job, std::unique_lock<std::mutex>& lock);

    Deliver m_deliver;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_quit = false, m_simulating = false;
    std::shared_ptr<Job> m_pending, m_running;
    std::shared_ptr<Refinement> m_refinement; ///< of what was delivered last
    EstimateMemo m_memo;
    std::vector<OwnPart> m_parts; ///< with their catalog: own parts are parsed only when they change
    std::optional<Catalog> m_effective;
    std::uint64_t m_baseHash = 0;
    std::vector<std::thread> m_threads;
};

LiveEstimator::Worker::Worker(int threads, Deliver deliver)
    : m_deliver(std::move(deliver)) {
    for (int i = 0; i < threads; ++i)
        m_threads.emplace_back([this] { loop(); });
}

LiveEstimator::Worker::~Worker() {
    {
        const std::lock_guard lock(m_mutex);
        m_quit = true;
        cancelRefinement();
    }
    m_wake.notify_all();
    for (std::thread& thread : m_threads)
        thread.join();
}

void LiveEstimator::Worker::setSimulating(bool on) {
    const std::lock_guard lock(m_mutex);
    m_simulating = on;
}

void LiveEstimator::Worker::cancelRefinement() {
    if (m_refinement)
        m_refinement->cancelled = true;
    m_refinement.reset();
}

void LiveEstimator::Worker::submit(std::shared_ptr<const Project> project, quint64 revision, const Catalog& base) {
    {
        const std::lock_guard lock(m_mutex);
        cancelRefinement();
        if (!m_effective || m_baseHash != base.hash() || m_parts != project->parts) {
            m_effective = effectiveCatalog(*project, base);
            m_baseHash = base.hash();
            m_parts = project->parts;
        }
        auto job = std::make_shared<Job>();
        job->revision = revision;
        job->results.resize(project->alternatives.size());
        job->project = std::move(project);
        job->catalog = *m_effective;
        m_pending = std::move(job);
    }
    m_wake.notify_all();
}

void LiveEstimator::Worker::start() {
    const bool givenUp = m_running != nullptr;
    m_running = std::move(m_pending);
    m_pending.reset();
    m_running->mustFinish = givenUp;
    if (m_running->results.empty())
        finish();
}

void LiveEstimator::Worker::finish() {
    auto set = std::make_shared<EstimateSet>();
    set->revision = m_running->revision;
    set->project = *m_running->project;
    set->alternatives = std::move(m_running->results);
    set->simulated = std::none_of(set->alternatives.begin(), set->alternatives.end(), wantsSimulation);
    cancelRefinement();
    if (m_simulating && !m_pending && !set->simulated) {
        m_refinement = std::make_shared<Refinement>();
        m_refinement->project = m_running->project;
        m_refinement->catalog = m_running->catalog;
        m_refinement->set = std::make_shared<EstimateSet>(*set);
    }
    m_running.reset();
    m_deliver(std::move(set));
}

/// As estimateNext. What is ready is kept in the memo even when an edit comes before the rest.
void LiveEstimator::Worker::refineNext(const std::shared_ptr<Refinement>& job, std::unique_lock<std::mutex>& lock) {
    const std::size_t index = job->next++;
    const EstimateMemo::Result closed = job->set->alternatives[index];
    if (wantsSimulation(closed)) {
        lock.unlock();
        SimulationOptions options;
        options.interrupted = [job] { return job->cancelled.load(std::memory_order_relaxed); };
        std::optional<AlternativeEstimate> found = simulate(*job->project, job->project->alternatives[index], job->catalog, *closed, options);
        EstimateMemo::Result result;
        if (found && isSimulated(*found))
            result = std::make_shared<const AlternativeEstimate>(std::move(*found));
        lock.lock();
        if (result) {
            m_memo.improve(closed, result);
            job->set->alternatives[index] = result;
            job->better = true;
        }
    }
    if (job != m_refinement || ++job->done < job->set->alternatives.size())
        return;
    m_refinement.reset();
    job->set->simulated = true;
    if (job->better)
        m_deliver(job->set);
}

/// Called and left with the lock held; the estimate itself runs without it.
void LiveEstimator::Worker::estimateNext(const std::shared_ptr<Job>& job, std::unique_lock<std::mutex>& lock) {
    const std::size_t index = job->next++;
    EstimateMemo::Result result = m_memo.find(*job->project, index, job->catalog);
    if (!result) {
        lock.unlock();
        result = std::make_shared<AlternativeEstimate>(estimate(*job->project, job->project->alternatives[index], job->catalog));
        lock.lock();
        m_memo.insert(job->project, index, result);
    }
    if (job == m_running) // else it was given up meanwhile
        job->results[index] = result;
}

void LiveEstimator::Worker::loop() {
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, [this] { return m_quit || canStart() || canWork() || canRefine(); });
        if (m_quit)
            return;
        if (canStart()) {
            start();
            m_wake.notify_all(); // the other threads take their share
        }
        if (!canWork()) {
            if (canRefine()) {
                const std::shared_ptr<Refinement> refinement = m_refinement;
                refineNext(refinement, lock);
            }
            continue;
        }
        const std::shared_ptr<Job> job = m_running;
        estimateNext(job, lock);
        if (job == m_running && ++job->done == job->results.size()) {
            finish();
            m_wake.notify_all();
        }
    }
}

namespace {

int usefulThreads(int wanted) {
    if (wanted > 0)
        return wanted;
    return std::clamp(static_cast<int>(std::thread::hardware_concurrency()) - 1, 1, 4);
}

} // namespace

LiveEstimator::LiveEstimator(Catalog catalog, QObject* parent, int threads)
    : QObject(parent)
    , m_base(std::move(catalog)) {
    m_worker = std::make_unique<Worker>(usefulThreads(threads), [this](std::shared_ptr<const EstimateSet> set) {
        QMetaObject::invokeMethod(this, [this, set = std::move(set)] { deliver(set); }, Qt::QueuedConnection);
    });
}

LiveEstimator::~LiveEstimator() = default;

void LiveEstimator::setCatalog(Catalog catalog) {
    m_base = std::move(catalog);
    if (m_project) {
        setStale(true);
        m_worker->submit(m_project, m_submitted, m_base);
    }
}

void LiveEstimator::setSimulating(bool on) { m_worker->setSimulating(on); }

void LiveEstimator::submit(const Project& project, quint64 revision) {
    m_submitted = revision;
    m_project = std::make_shared<const Project>(project);
    setStale(true);
    m_worker->submit(m_project, revision, m_base);
}

std::shared_ptr<const EstimateSet> LiveEstimator::latest() const { return m_latest; }

bool LiveEstimator::isStale() const { return m_stale; }

void LiveEstimator::deliver(std::shared_ptr<const EstimateSet> set) {
    if (m_latest && set->revision < m_latest->revision)
        return;
    m_latest = std::move(set);
    setStale(m_latest->revision != m_submitted);
    emit ready(m_latest);
}

void LiveEstimator::setStale(bool stale) {
    if (m_stale == stale)
        return;
    m_stale = stale;
    emit staleChanged(stale);
}

} // namespace cw
