// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/serving/batch_server.h"

#include <algorithm>
#include <limits>

namespace cw {

namespace {

/// P(U + W > y) for U uniform on [0, width] and W the wait.
double uniformPlusWait(double width, const Waiting& wait, double y) {
    if (!(width > 0))
        return wait.tail(y);
    const double covered = std::clamp(y, 0., width);
    const double beyond = 1 - covered / width;
    if (!(wait.probability > 0) || !(y > 0))
        return beyond;
    // Moved beyond y by the wait: ∫ e^(-θ(y-u)) du over the part of the window before y.
    const double moved = (std::exp(-wait.rate * (y - covered)) - std::exp(-wait.rate * y)) / (wait.rate * width);
    return std::min(1., beyond + wait.probability * moved);
}

} // namespace

StepParts BatchTime::parts(double items) const {
    StepParts parts;
    const double memory = weights + items * memoryPerItem, compute = items * computePerItem;
    const double joined = softMax(memory, compute);
    const double m2 = memory * memory, c2 = compute * compute;
    const double share = joined > 0 ? m2 * m2 / (m2 * m2 + c2 * c2) : 0;
    parts.memory = joined * share;
    parts.compute = joined * (1 - share);
    parts.host = host + items * hostPerItem;
    return parts;
}

double BatchPoint::tail(double t) const {
    const double y = t - time;
    if (y < 0)
        return 1;
    // On an idle server the first item of a batch waits all of the gathering time, the others what is left of it.
    const double first = batch > 1 ? 1 / batch : 1;
    const double constant = y < gather ? 1 : queue.tail(y - gather);
    const double idle = first * constant + (1 - first) * uniformPlusWait(gather, queue, y);
    return (1 - busy) * idle + busy * uniformPlusWait(std::max(gather, time), queue, y);
}

double BatchPoint::quantile(double p) const {
    if (tail(time) <= 1 - p) // so many do not wait at all
        return time;
    return quantileOf([&](double t) { return tail(t); }, p, time, time + std::max(gather, time) + queue.quantile(p));
}

double BatchPoint::mean() const {
    const double first = batch > 1 ? 1 / batch : 1;
    const double idle = gather * (first + (1 - first) / 2);
    return time + (1 - busy) * idle + busy * std::max(gather, time) / 2 + queue.mean();
}

double BatchPoint::variance() const {
    const double window = std::max(gather, time), first = batch > 1 ? 1 / batch : 1;
    const double square = (1 - busy) * gather * gather * (first + (1 - first) / 3) + busy * window * window / 3;
    const double waited = mean() - time - queue.mean();
    return std::max(0., square - waited * waited) + queue.variance();
}

BatchServer::BatchServer(const BatchTime& time, int limit, double delay)
    : m_time(time)
    , m_limit(std::clamp(limit, 1, 1 << 20))
    , m_delay(delay > 0 ? std::min(delay, 1e6) : 0) {
    const double full = m_time.seconds(m_limit);
    m_largest = full > 0 ? m_limit / full : std::numeric_limits<double>::infinity();
}

BatchPoint BatchServer::at(double rate) const {
    BatchPoint point;
    point.rate = rate > 0 ? rate : 0;
    point.stable = point.rate < m_largest;
    const double limit = m_limit, arrivals = std::min(point.rate, m_largest * (1 - 1e-9));
    point.gather = arrivals > 0 ? std::min(m_delay, (limit - 1) / arrivals) : limit > 1 ? m_delay : 0;
    const double opened = std::clamp(1 + arrivals * point.gather, 1., limit);
    // n = max(opened, λ t(n)): t is concave enough that the excess falls, so halving finds the one root.
    double low = opened, high = limit;
    for (int i = 0; i < 50 && high - low > 1e-9 * high; ++i) {
        const double middle = .5 * (low + high);
        (arrivals * m_time.seconds(middle) > middle ? low : high) = middle;
    }
    point.batch = .5 * (low + high);
    point.time = m_time.seconds(point.batch);
    point.busy = std::min(1., arrivals * point.time / point.batch);
    point.queue = balancedWaiting(arrivals, m_time.seconds(limit), m_limit, 0, m_balancing);
    return point;
}

} // namespace cw
