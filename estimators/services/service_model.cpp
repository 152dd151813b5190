// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/services/service_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cw {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::int64_t serversOf(const CpuPool& pool, int cores) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(pool.cores / cores)));
}

} // namespace

struct ServiceModel::Part {
    double weight = 0;
    Sojourn sojourn;
};

ServiceWork safeWork(ServiceWork work) {
    const auto finite = [](double value, double low, double high) { return value > low ? std::min(value, high) : low; };
    work.seconds = finite(work.seconds, 0, 1e9);
    work.cv = finite(work.cv, 0, 30);
    work.cores = std::clamp(work.cores, 1, 100000);
    work.fanOut = std::clamp(work.fanOut, 1, 100000);
    work.hitShare = finite(work.hitShare, 0, 1);
    work.hitCost = finite(work.hitCost, 0, 1);
    work.fixed = finite(work.fixed, 0, 1e9);
    work.retries.timeout = finite(work.retries.timeout, 0, 1e9);
    work.retries.again = std::clamp(work.retries.again, 0, 1000);
    return work;
}

ServiceModel::ServiceModel(std::vector<CpuPool> pools, const ServiceWork& work, double networkLimit)
    : m_pools(std::move(pools))
    , m_work(safeWork(work))
    , m_networkLimit(networkLimit > 0 ? networkLimit : infinite) {
    const double miss = 1 - m_work.hitShare, hit = m_work.hitShare;
    const double first = m_work.seconds * (miss + hit * m_work.hitCost);
    const double second = m_work.seconds * m_work.seconds * (1 + m_work.cv * m_work.cv) * (miss + hit * m_work.hitCost * m_work.hitCost);
    m_mean = first * m_work.fanOut;
    m_cv2 = first > 0 ? std::max(0., second / (first * first) - 1) : 0;
    m_coreLimit = m_pools.empty() ? 0 : infinite;
    for (const CpuPool& pool : m_pools)
        if (pool.weight > 0 && m_mean > 0)
            m_coreLimit = std::min(m_coreLimit, m_work.balancing.up * pool.machines * static_cast<double>(serversOf(pool, m_work.cores)) * m_work.cores
                                                    / (m_mean * pool.weight));
    m_limit = m_mostAttempts = std::min(m_coreLimit, m_networkLimit);
    limitByRetries();
}

/// Requests that are answered rise with the attempts, until those given up take more than a further attempt brings.
void ServiceModel::limitByRetries() {
    if (!m_work.retries.any() || !std::isfinite(m_limit) || !(m_limit > 0))
        return;
    const auto requests = [&](double attempts) { return attempts / m_work.retries.attempts(late(parts(attempts))); };
    const double full = m_limit;
    double best = 0, low = 0, high = full;
    constexpr int steps = 48;
    for (int i = 1; i <= steps; ++i) {
        const double attempts = full * (1 - std::pow(1 - i / (steps + 1.), 2)); // closer together towards the limit
        if (requests(attempts) > best) {
            best = requests(attempts);
            low = full * (1 - std::pow(1 - (i - 1) / (steps + 1.), 2));
            high = std::min(full, full * (1 - std::pow(1 - (i + 1) / (steps + 1.), 2)));
        }
    }
    constexpr double golden = .6180339887498949;
    while (high - low > 1e-6 * full) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        (requests(a) < requests(b) ? low : high) = requests(a) < requests(b) ? a : b;
    }
    m_mostAttempts = .5 * (low + high);
    m_limit = requests(m_mostAttempts);
}

double ServiceModel::late(const std::vector<Part>& parts) const {
    double tail = 0;
    for (const Part& part : parts)
        tail += part.weight * part.sojourn.tail(m_work.retries.timeout);
    return -std::expm1(m_work.fanOut * std::log1p(-std::min(tail, 1 - 1e-15)));
}

double ServiceModel::attempts(double rate) const {
    if (!m_work.retries.any() || !(rate > 0))
        return std::max(0., rate);
    if (!(rate < m_limit))
        return m_mostAttempts * rate / m_limit;
    double low = rate, high = m_mostAttempts;
    for (int i = 0; i < 60 && high - low > 1e-9 * high; ++i) {
        const double middle = .5 * (low + high);
        (middle / m_work.retries.attempts(late(parts(middle))) < rate ? low : high) = middle;
    }
    return .5 * (low + high);
}

double ServiceModel::failed(double rate) const {
    return m_work.retries.any() && !m_pools.empty() ? m_work.retries.failed(late(parts(attempts(rate)))) : 0;
}

double ServiceModel::serverTime() const { return m_mean / m_work.fanOut / m_work.cores; }

double ServiceModel::utilisation(std::size_t index, double rate) const {
    const CpuPool& pool = m_pools[index];
    return pool.allCores() > 0 ? rate * pool.weight * m_mean / (m_work.balancing.up * pool.allCores()) : 0;
}

Waiting ServiceModel::waitOn(std::size_t index, double rate) const {
    const CpuPool& pool = m_pools[index];
    Balancing balancing = m_work.balancing;
    balancing.queues = balancing.up * pool.machines;
    return balancedWaiting(rate * pool.weight * m_work.fanOut / balancing.queues, serverTime(), serversOf(pool, m_work.cores), m_cv2, balancing);
}

std::vector<ServiceModel::Part> ServiceModel::parts(double rate) const {
    std::vector<Part> parts;
    parts.reserve(2 * m_pools.size());
    const double alone = m_work.seconds / m_work.cores, cv2 = m_work.cv * m_work.cv;
    for (std::size_t i = 0; i < m_pools.size(); ++i) {
        const Waiting wait = waitOn(i, std::min(rate, std::min(m_coreLimit, m_networkLimit) * (1 - 1e-9)));
        const double weight = m_pools[i].weight, miss = weight * (1 - m_work.hitShare), hit = weight * m_work.hitShare;
        if (miss > 0)
            parts.push_back({miss, {m_work.fixed, {alone, cv2}, wait}});
        if (hit > 0)
            parts.push_back({hit, {m_work.fixed, {alone * m_work.hitCost, cv2}, wait}});
    }
    return parts;
}

double ServiceModel::quantile(const std::vector<Part>& parts, double p) const {
    if (!m_work.retries.any())
        return attemptQuantile(parts, p);
    const Retries::Place at = m_work.retries.place(p, late(parts));
    return at.inVain * m_work.retries.timeout + (at.inVain > m_work.retries.again ? 0 : attemptQuantile(parts, at.level));
}

double ServiceModel::attemptQuantile(const std::vector<Part>& parts, double p) const {
    const double level = fanOutLevel(p, m_work.fanOut);
    if (parts.size() == 1)
        return parts.front().sojourn.quantile(level);
    double high = 0;
    for (const Part& part : parts)
        high = std::max(high, part.sojourn.quantile(level));
    const auto tail = [&](double t) {
        double sum = 0;
        for (const Part& part : parts)
            sum += part.weight * part.sojourn.tail(t);
        return sum;
    };
    return quantileOf(tail, level, 0, high);
}

LatencyMoments ServiceModel::momentsOf(const std::vector<Part>& parts, double rate) const {
    LatencyMoments out;
    out.stable = rate < m_limit || !(rate > 0);
    double second = 0;
    for (const Part& part : parts) {
        const double mean = part.sojourn.mean();
        out.mean += part.weight * mean;
        second += part.weight * (part.sojourn.variance() + mean * mean);
    }
    out.variance = std::max(0., second - out.mean * out.mean);
    if (m_work.fanOut > 1 && !parts.empty()) { // the maximum of many is Gumbel distributed: its mean lies at level e^(-e^-γ)
        out.mean = attemptQuantile(parts, .5704);
        const double scale = (attemptQuantile(parts, .95) - attemptQuantile(parts, .5)) / 2.6037;
        out.variance = scale * scale * 1.6449;
    }
    if (m_work.retries.any() && !parts.empty())
        truncate(out, parts);
    return out;
}

/// Attempts end at the timeout at the latest: the distribution on a grid of levels, each of its attempts one timeout later.
void ServiceModel::truncate(LatencyMoments& out, const std::vector<Part>& parts) const {
    constexpr int levels = 64;
    double sum = 0, squares = 0;
    for (int i = 0; i < levels; ++i) {
        const double t = quantile(parts, (i + .5) / levels);
        sum += t;
        squares += t * t;
    }
    out.mean = sum / levels;
    out.variance = std::max(0., squares / levels - out.mean * out.mean);
}

LatencyMoments ServiceModel::moments(double rate) const { return momentsOf(parts(attempts(rate)), rate); }

LatencyPoint ServiceModel::at(double rate) const {
    const std::vector<Part> all = parts(attempts(rate));
    LatencyPoint point;
    static_cast<LatencyMoments&>(point) = momentsOf(all, rate);
    point.rate = rate > 0 ? rate : 0;
    if (all.empty())
        return point;
    point.p50 = quantile(all, .5);
    point.p95 = quantile(all, .95);
    point.p99 = quantile(all, .99);
    return point;
}

} // namespace cw
